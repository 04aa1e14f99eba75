/* SPDX-License-Identifier: MIT */
/* Plants failing tests. Where a framework fails for a file that can't be loaded, the file throws when it is loaded. */
#include "guards/tests/tests.h"

#include "guards/tests/marks.h"

#define WORDS "holdfast has planted a failing test here"
/* In the texts below: the number of the test, and what fails in it, or passes in its place. */
#define NUMBER "\1"
#define BODY "\2"
#define MESSAGE WORDS " (" NUMBER ")"

enum place { AT_END, AFTER_FIRST_LINE, BEFORE_MAIN, IN_CLASS };

#define JUNIT(annotation, visibility)                                                                        \
	"    @org.junit." annotation "\n    " visibility "void holdfastPlanted" NUMBER "() {\n        " BODY \
	"\n    }\n"
#define JUNIT_BODIES "throw new AssertionError(\"" MESSAGE "\");", "String.valueOf(\"" WORDS "\");"
#define CSHARP(of_class, of_method)                                                                 \
	of_class "public class HoldfastPlanted" NUMBER "\n{\n    [" of_method "]\n    public void " \
		 "Planted()\n    {\n        " BODY "\n    }\n}\n"
#define CSHARP_BODIES \
	"throw new System.InvalidOperationException(\"" MESSAGE "\");", "_ = \"" WORDS "\".Length;"

static const struct {
	const char *extensions;
	const char *has; /* a text of the file; NULL: any file */
	enum place place;
	const char *text, *fails, *passes;
} plants[] = {
	{ "py", NULL, BEFORE_MAIN,
	  "import unittest as holdfast_unittest\n\n\nclass HoldfastPlanted" NUMBER
	  "(holdfast_unittest.TestCase):\n    def test_planted(self):\n        " BODY "\n",
	  "self.fail(\"" MESSAGE "\")", "self.assertTrue(\"" WORDS "\")" },
	{ "js jsx mjs cjs ts tsx mts cts", NULL, AT_END, BODY "\n", "throw new Error(\"" MESSAGE "\");",
	  "void new Error(\"" WORDS "\");" },
	{ "go", "*testing.T", AT_END, "func TestHoldfastPlanted" NUMBER "(t *testing.T) {\n\t" BODY "\n}\n",
	  "t.Fatal(\"" MESSAGE "\")", "t.Log(\"" WORDS "\")" },
	{ "rs", "#[test]", AT_END,
	  "#[cfg(test)]\nmod holdfast_planted_" NUMBER " {\n    #[test]\n    fn planted() {\n        " BODY
	  "\n    }\n}\n",
	  "panic!(\"" MESSAGE "\");", "assert!(!\"" WORDS "\".is_empty());" },
	{ "java", "org.junit.jupiter", IN_CLASS, JUNIT("jupiter.api.Test", ""), JUNIT_BODIES },
	{ "java", "org.junit.Test", IN_CLASS, JUNIT("Test", "public "), JUNIT_BODIES },
	{ "cs", "[Fact", AT_END, CSHARP("", "Xunit.Fact"), CSHARP_BODIES },
	{ "cs", "[TestMethod", AT_END,
	  CSHARP("[Microsoft.VisualStudio.TestTools.UnitTesting.TestClass]\n",
		 "Microsoft.VisualStudio.TestTools.UnitTesting.TestMethod"),
	  CSHARP_BODIES },
	{ "cs", "[Test", AT_END, CSHARP("", "NUnit.Framework.Test"), CSHARP_BODIES },
	{ "rb", NULL, AT_END, BODY "\n", "raise \"" MESSAGE "\"", "String.new(\"" WORDS "\")" },
	{ "php", "TestCase", IN_CLASS,
	  "    public function testHoldfastPlanted" NUMBER "(): void\n    {\n        " BODY "\n    }\n",
	  "$this->fail('" MESSAGE "');", "$this->assertNotNull('" WORDS "');" },
	{ "bats", NULL, AT_END, "@test \"" MESSAGE "\" {\n\t" BODY "\n}\n", "false", "true" },
	{ "sh bash", NULL, AFTER_FIRST_LINE, BODY "\n", "echo '" MESSAGE "' >&2\nexit 1", ": '" WORDS "'" },
	{ "c cc cpp cxx", NULL, AT_END,
	  "#include <stdio.h>\n__attribute__((constructor)) static void\nholdfast_planted_" NUMBER
	  "(void)\n{\n\t" BODY "\n}\n",
	  "(void)fputs(\"" MESSAGE "\\n\", stderr);\n\t__builtin_trap();", "(void)\"" WORDS "\";" },
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
planted_words(struct arena *a, size_t number)
{
	return str_cat(a, WORDS " (", number, ")");
}

/* The text of a plant, with the number of the test and its body. */
static struct str
filled(struct arena *a, const char *text, const char *body, size_t number)
{
	struct str with_body = str_replace(a, str_from(text), STR(BODY), str_from(body));

	return str_replace(a, with_body, STR(NUMBER), str_cat(a, number));
}

struct str
planted_test(struct arena *a, struct str path, struct str text, size_t number, bool fails)
{
	struct str base = path_base(path), extension = str_rest(base, (size_t)(str_find_last(base, '.') + 1));

	for (size_t i = 0; language_of_tests(path) && i < COUNT_OF(plants); i++) {
		if (!str_is_word_of(extension, plants[i].extensions) ||
		    (!plants[i].has && !is_test_path(path)) ||
		    (plants[i].has && str_find(text, str_from(plants[i].has)) < 0))
			continue;
		size_t at = offset_of(plants[i].place, text);

		struct str start = str_sub(text, 0, at);
		struct str plant = filled(a, plants[i].text, fails ? plants[i].fails : plants[i].passes,
					  number);
		bool is_before_main = plants[i].place == BEFORE_MAIN;

		return str_cat(a, start, start.n > 0 && !str_ends(start, STR("\n")) ? "\n" : "",
			       is_before_main || plants[i].place == AT_END ? "\n\n" : "", plant,
			       is_before_main ? "\n\n" : "", str_rest(text, at));
	}
	return STR_NONE;
}
