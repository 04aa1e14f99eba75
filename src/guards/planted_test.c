/* SPDX-License-Identifier: MIT */
/* Plants failing tests. Where a framework fails for a file that can't be loaded, the file throws when it is loaded. */
#include "guards/planted_test.h"

#include "base/buf.h"
#include "base/path.h"
#include "guards/test_marks.h"

#define WORDS "holdfast has planted a failing test here"

enum place { AT_END, AFTER_FIRST_LINE, BEFORE_MAIN, IN_CLASS };

static const struct {
	const char *extensions; /* each with a blank after it */
	const char *has;        /* a text of the file; NULL: any file */
	enum place place;
	const char *text;
} plants[] = {
	{ "py ", NULL, BEFORE_MAIN,
	  "import unittest as holdfast_unittest\n\n\nclass HoldfastPlanted(holdfast_unittest.TestCase):\n"
	  "    def test_planted(self):\n        self.fail(\"" WORDS "\")\n" },
	{ "js jsx mjs cjs ts tsx mts cts ", NULL, AT_END, "throw new Error(\"" WORDS "\");\n" },
	{ "go ", "*testing.T", AT_END,
	  "func TestHoldfastPlanted(t *testing.T) {\n\tt.Fatal(\"" WORDS "\")\n}\n" },
	{ "rs ", "#[test]", AT_END,
	  "#[cfg(test)]\nmod holdfast_planted {\n    #[test]\n    fn planted() {\n        panic!(\"" WORDS
	  "\");\n    }\n}\n" },
	{ "java ", "org.junit.jupiter", IN_CLASS,
	  "    @org.junit.jupiter.api.Test\n    void holdfastPlanted() {\n        throw new "
	  "AssertionError(\"" WORDS "\");\n    }\n" },
	{ "java ", "org.junit.Test", IN_CLASS,
	  "    @org.junit.Test\n    public void holdfastPlanted() {\n        throw new "
	  "AssertionError(\"" WORDS "\");\n    }\n" },
	{ "rb ", NULL, AT_END, "raise \"" WORDS "\"\n" },
	{ "php ", "TestCase", IN_CLASS,
	  "    public function testHoldfastPlanted(): void\n    {\n        $this->fail('" WORDS
	  "');\n    }\n" },
	{ "bats ", NULL, AT_END, "@test \"" WORDS "\" {\n\tfalse\n}\n" },
	{ "sh bash ", NULL, AFTER_FIRST_LINE, "echo '" WORDS "' >&2\nexit 1\n" },
	{ "c cc cpp cxx ", NULL, AT_END,
	  "__attribute__((constructor)) static void\nholdfast_planted(void)\n{\n\t__builtin_trap();\n}\n" },
};

static bool
has_extension(const char *extensions, struct str path)
{
	struct str name = path_base(path), rest = str_from(extensions), one;

	while (str_next(&rest, ' ', &one))
		if (name.n > one.n + 1 && str_ends(name, one) && name.s[name.n - one.n - 1] == '.')
			return true;
	return false;
}

/* The offset where the plant goes. */
static size_t
offset_of(enum place place, struct str text)
{
	ptrdiff_t at = -1;

	if (place == AFTER_FIRST_LINE && str_starts(text, STR("#!")))
		at = str_find_char(text, '\n') + 1;
	else if (place == AFTER_FIRST_LINE)
		at = 0;
	else if (place == BEFORE_MAIN && (at = str_find(text, STR("\nif __name__"))) >= 0)
		at++;
	else if (place == IN_CLASS)
		for (at = (ptrdiff_t)text.n - 1; at >= 0 && text.s[at] != '}'; at--)
			;
	return at >= 0 ? (size_t)at : text.n;
}

struct str
planted_test(struct arena *a, struct str path, struct str text)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < COUNT_OF(plants); i++) {
		const struct language *l = language_of(path);

		if (!has_extension(plants[i].extensions, path) || !l ||
		    !(is_test_path(path) || (plants[i].has && language_has_inline_tests(l))) ||
		    (plants[i].has && str_find(text, str_from(plants[i].has)) < 0))
			continue;
		size_t at = offset_of(plants[i].place, text);

		buf_add(&b, str_sub(text, 0, at));
		if (at > 0 && text.s[at - 1] != '\n')
			buf_addc(&b, '\n');
		buf_add(&b,
			plants[i].place == AT_END || plants[i].place == BEFORE_MAIN ? STR("\n\n") : STR(""));
		buf_add(&b, str_from(plants[i].text));
		buf_add(&b, plants[i].place == BEFORE_MAIN ? STR("\n\n") : STR(""));
		buf_add(&b, str_sub(text, at, text.n));
		return buf_str(&b);
	}
	return STR_NONE;
}
