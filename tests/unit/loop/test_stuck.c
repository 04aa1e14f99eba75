/* SPDX-License-Identifier: MIT */
/* When a loop gets nowhere. */
#include "test.h"

#include "loop/loop.h"

TEST(iterations_are_counted_while_they_have_the_same_fault)
{
	static const struct {
		const char *name;
		struct loop_stuck before;
		struct loop_trace now;
		uint64_t without_tool, same_message, same_tree;
	} cases[] = {
		{ "the first", { 0 }, { .message = 1, .tree = 1 }, 0, 1, 0 },
		{ "nothing is known", { 5, 5, 3, 3, 3 }, { 0 }, 0, 0, 0 },
		{ "nothing was known", { 0, 0, 0, 0, 0 }, { .has_no_tool = true }, 1, 0, 0 },
		{ "the same message", { 5, 5, 0, 1, 0 }, { .message = 5, .tree = 6 }, 0, 2, 0 },
		{ "another message", { 5, 5, 0, 4, 0 }, { .message = 6, .tree = 6 }, 0, 1, 0 },
		{ "the same tree", { 5, 5, 0, 1, 0 }, { .message = 6, .tree = 5 }, 0, 1, 1 },
		{ "the same tree again", { 5, 5, 0, 1, 1 }, { .message = 6, .tree = 5 }, 0, 1, 2 },
		{ "no tool again", { 5, 5, 2, 1, 0 }, { 6, 6, true }, 3, 1, 0 },
		{ "a tool at last", { 5, 5, 2, 1, 0 }, { 6, 6, false }, 0, 1, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct loop_stuck s = loop_stuck_next(&cases[i].before, &cases[i].now);

		CHECK_ROW(cases[i].name, s.message == cases[i].now.message && s.tree == cases[i].now.tree &&
						 s.without_tool == cases[i].without_tool &&
						 s.same_message == cases[i].same_message &&
						 s.same_tree == cases[i].same_tree);
	}
}

TEST(the_longest_fault_is_named)
{
	static const struct {
		struct loop_stuck in;
		uint64_t longest;
		const char *what;
	} cases[] = {
		{ { .without_tool = 3, .same_message = 3, .same_tree = 3 }, 3, "called no tool" },
		{ { .without_tool = 2, .same_message = 3, .same_tree = 3 }, 3, "ended with the same answer" },
		{ { .without_tool = 2, .same_message = 1, .same_tree = 3 }, 3, "changed no file" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *what;

		CHECK_ROW(cases[i].what, loop_stuck_longest(&cases[i].in, &what) == cases[i].longest);
		CHECK_STR(str_from(what), cases[i].what);
	}
}
