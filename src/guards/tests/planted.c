/* SPDX-License-Identifier: MIT */
/* Plants failing tests. Where a framework fails for a file that can't be loaded, the file throws when it is loaded. */
#include "guards/tests/tests.h"

#include "base/path.h"
#include "guards/tests/marks.h"

#define WORDS "holdfast has planted a failing test here"

enum place { AT_END, AFTER_FIRST_LINE, BEFORE_MAIN, IN_CLASS };

static const struct {
	const char *extensions;
	const char *has; /* a text of the file; NULL: any file */
	enum place place;
	const char *text;
} plants[] = {
	{ "py", NULL, BEFORE_MAIN,
	  "import unittest as holdfast_unittest\n\n\nclass HoldfastPlanted(holdfast_unittest.TestCase):\n"
	  "    def test_planted(self):\n        self.fail(\"" WORDS "\")\n" },
	{ "js jsx mjs cjs ts tsx mts cts", NULL, AT_END, "throw new Error(\"" WORDS "\");\n" },
	{ "go", "*testing.T", AT_END,
	  "func TestHoldfastPlanted(t *testing.T) {\n\tt.Fatal(\"" WORDS "\")\n}\n" },
	{ "rs", "#[test]", AT_END,
	  "#[cfg(test)]\nmod holdfast_planted {\n    #[test]\n    fn planted() {\n        panic!(\"" WORDS
	  "\");\n    }\n}\n" },
	{ "java", "org.junit.jupiter", IN_CLASS,
	  "    @org.junit.jupiter.api.Test\n    void holdfastPlanted() {\n        throw new "
	  "AssertionError(\"" WORDS "\");\n    }\n" },
	{ "java", "org.junit.Test", IN_CLASS,
	  "    @org.junit.Test\n    public void holdfastPlanted() {\n        throw new "
	  "AssertionError(\"" WORDS "\");\n    }\n" },
	{ "rb", NULL, AT_END, "raise \"" WORDS "\"\n" },
	{ "php", "TestCase", IN_CLASS,
	  "    public function testHoldfastPlanted(): void\n    {\n        $this->fail('" WORDS
	  "');\n    }\n" },
	{ "bats", NULL, AT_END, "@test \"" WORDS "\" {\n\tfalse\n}\n" },
	{ "sh bash", NULL, AFTER_FIRST_LINE, "echo '" WORDS "' >&2\nexit 1\n" },
	{ "c cc cpp cxx", NULL, AT_END,
	  "__attribute__((constructor)) static void\nholdfast_planted(void)\n{\n\t__builtin_trap();\n}\n" },
};

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
		at = str_find_last(text, '}');
	return at >= 0 ? (size_t)at : text.n;
}

struct str
planted_test(struct arena *a, struct str path, struct str text)
{
	struct str base = path_base(path), extension = str_rest(base, (size_t)(str_find_last(base, '.') + 1));

	for (size_t i = 0; language_of_tests(path) && i < COUNT_OF(plants); i++) {
		if (!str_is_word_of(extension, plants[i].extensions) ||
		    (!plants[i].has && !is_test_path(path)) ||
		    (plants[i].has && str_find(text, str_from(plants[i].has)) < 0))
			continue;
		size_t at = offset_of(plants[i].place, text);

		struct str start = str_sub(text, 0, at);
		bool is_before_main = plants[i].place == BEFORE_MAIN;

		return str_cat(a, start, start.n > 0 && !str_ends(start, STR("\n")) ? "\n" : "",
			       is_before_main || plants[i].place == AT_END ? "\n\n" : "", plants[i].text,
			       is_before_main ? "\n\n" : "", str_rest(text, at));
	}
	return STR_NONE;
}
