/* SPDX-License-Identifier: MIT */
/* Honest tests: every case in tests/fixtures/weakened. */
#include "test.h"

#include "base/buf.h"
#include "base/path.h"
#include "guards/tests/tests.h"
#include "os/fs.h"

#include <inttypes.h>

#define FILES_MAX 8
#define FINDINGS_MAX 16

struct test_case {
	struct str title;
	bool is_bad;
	struct file_change changes[FILES_MAX];
	size_t count;
	struct str expected[FINDINGS_MAX];
	size_t expected_count;
};

static struct file_change *
file_of(struct test_case *t, struct str path)
{
	for (size_t i = 0; i < t->count; i++)
		if (str_eq(t->changes[i].path, path))
			return &t->changes[i];
	CHECK(t->count < FILES_MAX);
	t->changes[t->count].path = path;
	return &t->changes[t->count++];
}

static struct str
text_of(struct arena *a, const struct test_findings *found)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < found->count; i++)
		buf_addf(&b, "\n  " STR_FMT ":%" PRId64 " " STR_FMT, STR_ARG(found->items[i].file),
			 found->items[i].line, STR_ARG(found->items[i].text));
	return buf_str(&b);
}

static bool
is_found(struct arena *a, const struct test_findings *found, struct str expected)
{
	struct str place, rest = expected;

	CHECK(str_next(&rest, ' ', &place));
	for (size_t i = 0; i < found->count; i++) {
		const struct test_finding *f = &found->items[i];

		if (str_eq(place, str_fmt(a, STR_FMT ":%" PRId64, STR_ARG(f->file), f->line)) &&
		    str_find(f->text, rest) >= 0)
			return true;
	}
	return false;
}

static void
play(struct arena *a, struct test_case *t)
{
	if (!t->title.s)
		return;
	for (size_t i = 0; i < t->count; i++) {
		CHECK_ROW(t->changes[i].path.s, tests_concern(t->changes[i].path) || !t->is_bad);
	}
	struct test_findings found = tests_compare(a, t->changes, t->count);

	bool is_right = found.count == t->expected_count;

	for (size_t i = 0; i < t->expected_count; i++)
		is_right &= is_found(a, &found, t->expected[i]);
	if (!is_right)
		fail_msg(STR_FMT ": found:" STR_FMT, STR_ARG(t->title), STR_ARG(text_of(a, &found)));
	CHECK_ROW(t->title.s, t->is_bad == (found.count > 0));
	*t = (struct test_case){ 0 };
}

static size_t
play_file(struct arena *a, struct str text)
{
	struct test_case t = { 0 };
	struct str *side = NULL, rest = text, line;
	size_t count = 0;

	while (str_next(&rest, '\n', &line)) {
		struct str word = str_sub(line, 0, 4), value = str_copy(a, str_sub(line, 4, line.n));

		if (str_is(word, "=== ")) {
			play(a, &t);
			count++;
			t.title = value;
			t.is_bad = str_starts(value, STR("bad:"));
			side = NULL;
		} else if (str_is(word, "<<< ") || str_is(word, ">>> ")) {
			struct file_change *c = file_of(&t, value);

			side = line.s[0] == '<' ? &c->before : &c->after;
			*side = (struct str){ rest.s, 0 };
		} else if (str_is(word, "??? ")) {
			CHECK(t.expected_count < FINDINGS_MAX);
			t.expected[t.expected_count++] = value;
		} else if (side) {
			side->n = (size_t)(rest.s - side->s);
		}
	}
	play(a, &t);
	return count;
}

TEST(weakened_tests_are_found_and_innocent_changes_are_not)
{
	static const char *const files[] = { "javascript", "python", "go",     "rust",  "java",    "c",
					     "ruby",       "php",    "csharp", "shell", "settings" };
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct str text;
		struct err err;

		CHECK(fs_read(&a, str_fmt(&a, "%s/weakened/%s.txt", FIXTURES, files[i]).s, MIB(1), &text,
			      &err) == 0);
		count += play_file(&a, text);
	}
	CHECK(count >= 70);
}

/* Work that grew with the square of the size would take minutes here. */
TEST(a_large_change_is_compared_in_one_pass)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf before = BUF(&a, SIZE_MAX), after = BUF(&a, SIZE_MAX), script = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 20000; i++) {
		buf_addf(&before, "it('t%d', () => {\n  expect(f(%d)).toBe(%d);\n  g%d(h);\n});\n", i, i, i,
			 i);
		buf_addf(&after, "it('t%d', () => {\n  const x%d = call(y%d);\n});\n", i, i, i);
		buf_addf(&script, "echo %d || true\n", i);
	}
	struct file_change changes[] = { { STR("test/a.test.js"), buf_str(&before), buf_str(&after) },
					 { STR("scripts/x"), buf_str(&before), buf_str(&script) } };
	struct test_findings found = tests_compare(&a, changes, COUNT_OF(changes));

	CHECK(found.count == 20000);
}

TEST(any_bytes_are_compared)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const char *const paths[] = { "test/a.js",  "test_a.py", "a_test.go",    "a.rs",
					     "ATest.java", "t/a.c",     "a_spec.rb",    "ATest.php",
					     "Tests/a.cs", "a.bats",    "package.json", "holdfast.yml",
					     "Makefile" };
	struct str odd = STR("it('\0\\\"'''`/*#[\xff\n\n\"\\");

	for (size_t i = 0; i < COUNT_OF(paths); i++)
		for (size_t n = 0; n <= odd.n; n++) {
			struct file_change c = { str_from(paths[i]), odd, str_sub(odd, 0, n) };

			(void)tests_compare(&a, &c, 1);
			c = (struct file_change){ str_from(paths[i]), str_sub(odd, n, odd.n), odd };
			(void)tests_compare(&a, &c, 1);
		}
}
