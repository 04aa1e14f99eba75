/* SPDX-License-Identifier: MIT */
/* Honest tests: any two texts of a test file can be compared, a file that has not changed is never a finding, and what is found names a
 * file of the change and a line of it. The first byte chooses the file's name, and the first NUL after it ends the old text. */
#include "base/arena.h"
#include "guards/tests/tests.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const names[] = {
	"tests/a.test.js",     "tests/test_a.py",
	"a_test.go",           "tests/a.rs",
	"src/test/ATest.java", "tests/test_a.c",
	"spec/a_spec.rb",      "tests/ATest.php",
	"tests/ATests.cs",     "tests/a.bats",
	"package.json",        "pyproject.toml",
	"jest.config.json",    ".github/workflows/ci.yml",
	"holdfast.yml",        "Makefile",
	".coveragerc",         "codecov.yml",
};

static int64_t
lines_of(struct str text)
{
	int64_t lines = 1;

	for (size_t i = 0; i < text.n; i++)
		lines += text.s[i] == '\n';
	return lines;
}

static void
check(struct arena *a, const struct file_change *c)
{
	struct test_findings all = tests_compare(a, c, 1);

	for (size_t i = 0; i < all.count; i++) {
		const struct test_finding *f = &all.items[i];

		if (!str_eq(f->file, c->path) || f->text.n == 0 || f->line < 0)
			abort();
		if (f->line > lines_of(f->is_before ? c->before : c->after))
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	if (n == 0)
		return 0;
	struct str text = { (const char *)data + 1, n - 1 };
	ptrdiff_t nul = str_find_char(text, '\0');
	size_t end = nul < 0 ? text.n : (size_t)nul;
	struct file_change c = {
		.path = str_from(names[data[0] % COUNT_OF(names)]),
		.before = str_sub(text, 0, end),
		.after = str_sub(text, end + (nul >= 0), text.n),
	};
	struct file_change same = c, deleted = c, created = c;

	if (!tests_concern(c.path))
		abort();
	check(&a, &c);
	same.after = c.before;
	if (tests_compare(&a, &same, 1).count > 0)
		abort();
	deleted.after = STR_NONE;
	check(&a, &deleted);
	created.before = STR_NONE;
	check(&a, &created);
	return 0;
}
