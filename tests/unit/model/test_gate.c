/* SPDX-License-Identifier: MIT */
/* Which files a gate is for. */
#include "test.h"

#include "model/gate.h"

TEST(a_gate_is_for_the_files_that_its_patterns_name)
{
	static const struct {
		const char *patterns; /* separated by blanks */
		const char *path;
		bool is_for;
	} rows[] = {
		{ "", "a", true },
		{ "", "a/b.c", true },
		/* without a slash: a name, anywhere */
		{ "*.js", "a.js", true },
		{ "*.js", "src/deep/a.js", true },
		{ "*.js", "a.jsx", false },
		{ "*.{js,ts}", "src/a.ts", true },
		{ "Makefile", "Makefile", true },
		{ "Makefile", "sub/Makefile", true },
		{ "Makefile", "Makefiles", false },
		{ "docs", "docs/a.md", true },
		{ "docs", "sub/docs/a/b", true },
		{ "docs/", "docs/a.md", true },
		{ "docs", "mydocs/a", false },
		/* with one: a path from the root */
		{ "src/*.c", "src/a.c", true },
		{ "src/*.c", "lib/src/a.c", false },
		{ "src/*.c", "src/b/a.c", false },
		{ "src/**", "src/b/a.c", true },
		{ "src/**/*.c", "src/a.c", true },
		{ "**/*.c", "a.c", true },
		{ "src/gen", "src/gen/a/b", true },
		{ "src/gen/", "src/gen/a", true },
		{ "src/gen", "src/generated", false },
		{ "/Makefile", "Makefile", true },
		{ "/Makefile", "sub/Makefile", false },
		{ "./Makefile", "Makefile", true },
		{ "./Makefile", "sub/Makefile", false },
		/* several: the last that matches decides */
		{ "*.js *.ts", "a.ts", true },
		{ "*.js !dist", "a.js", true },
		{ "*.js !dist", "dist/a.js", false },
		{ "*.js !dist dist/keep.js", "dist/keep.js", true },
		{ "!dist *.js", "dist/a.js", true },
		{ "!*.md", "a.c", true },
		{ "!*.md", "doc/a.md", false },
		{ "!*.md !doc", "doc/a.c", false },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str rest = str_from(rows[i].patterns), word;
		struct str_list list = { arena_array(&a, 8, struct str), 0 };

		while (str_next(&rest, ' ', &word))
			list.items[list.count++] = word;
		if (gate_is_for(&list, str_from(rows[i].path)) != rows[i].is_for)
			fail_msg("%s: %s", rows[i].patterns, rows[i].path);
	}
}
