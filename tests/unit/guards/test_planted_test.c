/* SPDX-License-Identifier: MIT */
/* A failing test for each framework, in the place where it is one. */
#include "test.h"

#include "guards/tests/tests.h"

static const struct {
	const char *path, *text, *before, *after; /* what surrounds the plant */
} rows[] = {
	{ "tests/test_a.py", "import a\n\nif __name__ == '__main__':\n    main()\n",
	  "import a\n\n\n\nimport unittest", "here (7)\")\n\n\nif __name__" },
	{ "tests/test_a.py", "x = 1", "x = 1\n\n\nimport unittest", "here (7)\")\n\n\n" },
	{ "src/a.test.ts", "test();\n", "test();\n\n\nthrow new Error(", "here (7)\");\n" },
	{ "a_test.go", "func TestA(t *testing.T) {}\n", "{}\n\n\nfunc TestHoldfastPlanted7(t *testing.T) {",
	  "}\n" },
	{ "src/a.rs", "#[test]\nfn a() {}\n", "{}\n\n\n#[cfg(test)]\nmod holdfast_planted_7 {", "}\n" },
	{ "src/test/java/ATest.java", "import org.junit.jupiter.api.Test;\nclass ATest {\n}\n",
	  "class ATest {\n    @org.junit.jupiter.api.Test", "    }\n}\n" },
	{ "src/test/java/ATest.java", "import org.junit.Test;\nclass ATest {\n}\n",
	  "class ATest {\n    @org.junit.Test", "    }\n}\n" },
	{ "tests/ATests.cs", "public class ATests {\n    [Fact] public void A() {}\n}\n",
	  "}\n\n\npublic class HoldfastPlanted7\n{\n    [Xunit.Fact]", "    }\n}\n" },
	{ "tests/ATests.cs", "[TestFixture]\npublic class ATests {}\n",
	  "{}\n\n\npublic class HoldfastPlanted7\n{\n    [NUnit.Framework.Test]", "    }\n}\n" },
	{ "spec/a_spec.rb", "it {}\n", "it {}\n\n\nraise ", "here (7)\"\n" },
	{ "tests/ATest.php", "<?php\nclass ATest extends TestCase {\n}\n",
	  "TestCase {\n    public function test", "    }\n}\n" },
	{ "tests/a.bats", "@test x {\n}\n", "}\n\n\n@test ", "\tfalse\n}\n" },
	{ "tests/test_a.sh", "#!/bin/sh\ntrue\n", "#!/bin/sh\necho ", "exit 1\ntrue\n" },
	{ "tests/test_a.sh", "true\n", "echo ", "exit 1\ntrue\n" },
	{ "tests/test_a.c", "int main(void) { return 0; }\n",
	  "}\n\n\n#include <stdio.h>\n__attribute__((constructor)) static void\nholdfast_planted_7", "}\n" },
};

TEST(a_failing_test_is_planted_where_the_framework_finds_it)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str now = planted_test(&a, str_from(rows[i].path), str_from(rows[i].text), 7, true);
		struct str passing = planted_test(&a, str_from(rows[i].path), str_from(rows[i].text), 7,
						  false);

		if (!now.s || str_find(now, str_from(rows[i].before)) < 0 ||
		    str_find(now, str_from(rows[i].after)) < 0)
			fail_msg("%s: %.*s", rows[i].path, STR_ARG(now));
		CHECK_ROW(rows[i].path, str_find(now, planted_words(&a, 7)) > 0);
		CHECK_ROW(rows[i].path, passing.s && !str_eq(passing, now));
	}
}

TEST(no_test_is_planted_in_other_files)
{
	static const char *const paths[] = { "src/a.py",        "README.md", "src/a.js",
					     "tests/data.json", "src/a.c",   "a.go" };

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		assert_null(planted_test(&a, str_from(paths[i]), STR("x\n"), 1, true).s);
	}
}
