/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "install/claude_agents.h"

#define COMMAND "conclaude Hooks Stop --agent coder"
#define GROUP(indent)                                                                                   \
	indent "- hooks:\n" indent "    - type: command\n" indent "      command: " COMMAND "\n" indent \
	       "      timeout: 600\n"
#define SECTION "hooks:\n  Stop:\n" GROUP("    ")
#define USER(indent) indent "- hooks:\n" indent "    - type: command\n" indent "      command: mine\n"

static const struct {
	const char *name, *before, *after;
	bool is_undone; /* a removal gives the bytes from before */
} documents[] = {
	{ "no hooks", "---\nname: coder\n---\nbody\n", "---\nname: coder\n" SECTION "---\nbody\n", true },
	{ "no end of line at the end", "---\nname: coder\n---", "---\nname: coder\n" SECTION "---", true },
	{ "nothing in it", "---\n---\nbody", "---\n" SECTION "---\nbody", true },
	{ "comments, folded texts, lists",
	  "---\n# c\nname: coder # d\ndescription: >\n  a: b\n\n  c\ntools: [A, B]\n# last\n---\n\n---\nx\n",
	  "---\n# c\nname: coder # d\ndescription: >\n  a: b\n\n  c\ntools: [A, B]\n# last\n" SECTION
	  "---\n\n---\nx\n",
	  true },
	{ "another event", "---\nhooks:\n  PreToolUse:\n" USER("    ") "name: coder\n---\n",
	  "---\nhooks:\n  PreToolUse:\n" USER("    ") "  Stop:\n" GROUP("    ") "name: coder\n---\n", true },
	{ "an event that nobody knows, far to the left", "---\nhooks:\n New:\n - a\n---\n",
	  "---\nhooks:\n New:\n - a\n Stop:\n" GROUP("   ") "---\n", true },
	{ "somebody's hook", "---\nhooks:\n  Stop:\n" USER("    ") "  End: []\nname: coder\n---\n",
	  "---\nhooks:\n  Stop:\n" USER("    ") GROUP("    ") "  End: []\nname: coder\n---\n", true },
	{ "lists as far left as their keys", "---\nhooks:\n  Stop:\n" USER("  ") "name: coder\n---\n",
	  "---\nhooks:\n  Stop:\n" USER("  ") GROUP("  ") "name: coder\n---\n", true },
	{ "groups of another shape",
	  "---\nhooks:\n  Stop:\n    - hooks:\n        command: mine\n    - [a, b]\n    - word\n---\n",
	  "---\nhooks:\n  Stop:\n    - hooks:\n        command: mine\n    - [a, b]\n    - word\n" GROUP(
		  "    ") "---\n",
	  true },
	{ "an older one", "---\nhooks:\n  Stop:\n    - hooks:\n        - command: conclaude Stop\n---\n",
	  "---\n" SECTION "---\n", false },
	{ "several older ones",
	  "---\nhooks:\n  Stop:\n    - hooks:\n        - command: conclaude Hooks Stop --agent x\n"
	  "        - command: mine\n    - matcher: ''\n      hooks:\n        - command: conclaude Hooks "
	  "Stop\n"
	  "          timeout: 600\n---\n",
	  "---\nhooks:\n  Stop:\n    - hooks:\n        - command: mine\n" GROUP("    ") "---\n", false },
	{ "an older one before somebody's",
	  "---\nhooks:\n  Stop:\n  - hooks:\n    - command: conclaude Stop\n" USER("  ") "---\n",
	  "---\nhooks:\n  Stop:\n" USER("  ") GROUP("  ") "---\n", false },
	{ "older ones of other events stay",
	  "---\nhooks:\n  Stop:\n  - hooks:\n    - command: conclaude Stop\n  End:\n  - hooks:\n"
	  "    - command: conclaude Hooks SessionEnd\n---\n",
	  "---\nhooks:\n  End:\n  - hooks:\n    - command: conclaude Hooks SessionEnd\n  Stop:\n" GROUP(
		  "    ") "---\n",
	  false },
	{ "hooks without anything", "---\nhooks:\nname: coder\n---\n", "---\n" SECTION "name: coder\n---\n",
	  false },
	{ "empty hooks", "---\nhooks: {}\nname: coder\n---\n", "---\n" SECTION "name: coder\n---\n", false },
	{ "an empty event", "---\nhooks:\n  Stop: []\n---\n", "---\n" SECTION "---\n", false },
	{ "a comment in between", "---\nhooks:\n# note\n  Stop:\n# more\n" USER("    ") "name: coder\n---\n",
	  "---\nhooks:\n# note\n  Stop:\n# more\n" USER("    ") GROUP("    ") "name: coder\n---\n", true },
	{ "it is there already", "---\n" SECTION "---\n", "---\n" SECTION "---\n", false },
	{ "it is there, in another layout",
	  "---\nhooks: {Stop: [{hooks: [{command: " COMMAND ", timeout: 600}]}]}\n---\n",
	  "---\nhooks: {Stop: [{hooks: [{command: " COMMAND ", timeout: 600}]}]}\n---\n", false },
};

static void
read_agent(struct arena *a, const char *name, struct str text, struct claude_agent *ret)
{
	struct err err;

	if (claude_agent_read(a, text, ret, &err) < 0)
		fail_msg("%s: %s", name, err.msg);
}

TEST(an_agent_gets_the_hook_after_those_of_others_and_a_second_time_changes_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(documents); i++) {
		struct claude_agent g;
		struct str with, again, without;
		struct err err;

		read_agent(&a, documents[i].name, str_from(documents[i].before), &g);
		if (claude_agent_register(&g, STR(COMMAND), 600, &with, &err) < 0)
			fail_msg("%s: %s", documents[i].name, err.msg);
		if (!str_is(with, documents[i].after))
			fail_msg("%s:\n%.*s", documents[i].name, STR_ARG(with));
		read_agent(&a, documents[i].name, with, &g);
		CHECK(g.has_hooks);
		CHECK_ROW(documents[i].name, claude_agent_register(&g, STR(COMMAND), 600, &again, &err) == 0);
		CHECK_ROW(documents[i].name, str_eq(with, again));
		if (!documents[i].is_undone)
			continue;
		CHECK_ROW(documents[i].name, claude_agent_remove(&g, &without, &err) == 0);
		if (!str_is(without, documents[i].before))
			fail_msg("%s, taken out:\n%.*s", documents[i].name, STR_ARG(without));
	}
}

TEST(an_agents_line_endings_stay)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct claude_agent g;
	struct str with, without;
	struct err err;

	read_agent(&a, "crlf", STR("\xEF\xBB\xBF---\r\nname: c\r\n---\r\nbody\r\n"), &g);
	CHECK(claude_agent_register(&g, STR("x conclaude Stop"), 5, &with, &err) == 0);
	CHECK_STR(with, "\xEF\xBB\xBF---\r\nname: c\r\nhooks:\r\n  Stop:\r\n    - hooks:\r\n"
			"        - type: command\r\n          command: x conclaude Stop\r\n"
			"          timeout: 5\r\n---\r\nbody\r\n");
	read_agent(&a, "crlf", with, &g);
	CHECK(claude_agent_remove(&g, &without, &err) == 0);
	CHECK_STR(without, "\xEF\xBB\xBF---\r\nname: c\r\n---\r\nbody\r\n");
}

TEST(a_command_that_yaml_would_read_as_something_else_is_quoted)
{
	static const struct {
		const char *command, *line;
	} rows[] = {
		{ "conclaude Hooks Stop --agent a.b_c/d-1",
		  "command: conclaude Hooks Stop --agent a.b_c/d-1\n" },
		{ "conclaude Hooks Stop --agent 'my agent'",
		  "command: \"conclaude Hooks Stop --agent 'my agent'\"\n" },
		{ "conclaude Hooks Stop --agent a:", "command: \"conclaude Hooks Stop --agent a:\"\n" },
		{ "conclaude Hooks Stop --agent 'a #\"\\'",
		  "command: \"conclaude Hooks Stop --agent 'a #\\\"\\\\'\"\n" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct claude_agent g;
		struct str with;
		struct err err;

		read_agent(&a, rows[i].command, STR("---\nname: x\n---\n"), &g);
		CHECK_ROW(rows[i].command,
			  claude_agent_register(&g, str_from(rows[i].command), 600, &with, &err) == 0);
		CHECK_ROW(rows[i].command, str_find(with, str_from(rows[i].line)) >= 0);
		read_agent(&a, rows[i].command, with, &g);
		const struct node *groups = node_get(node_get(&g.root, "hooks"), "Stop");
		const struct node *hooks = node_get(&groups->items[0], "hooks");

		CHECK_STR(node_get_str(&hooks->items[0], "command"), rows[i].command);
	}
}

TEST(hooks_that_are_not_written_line_by_line_are_refused)
{
	static const char *const texts[] = {
		"---\nhooks: {Stop: [{hooks: [{command: mine}]}]}\n---\n",
		"---\nhooks: {End: []}\n---\n",
		"---\nhooks:\n  Stop: [{hooks: [{command: mine}]}]\n---\n",
		"---\nhooks:\n  Stop:\n    - hooks: [{command: conclaude Stop}, {command: mine}]\n---\n",
		"---\nhooks:\n  Stop: word\n---\n",
		"---\nhooks: word\n---\n",
		"---\nhooks:\n  - a\n---\n",
		"---\n{name: x}\n---\n",
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct claude_agent g;
		struct str with;
		struct err err;

		read_agent(&a, texts[i], str_from(texts[i]), &g);
		CHECK_ROW(texts[i], claude_agent_register(&g, STR(COMMAND), 600, &with, &err) < 0);
	}
}

TEST(an_agent_has_a_name_and_front_matter_or_not)
{
	static const struct {
		const char *text, *name;
		bool has_matter, is_error;
	} rows[] = {
		{ "---\nname: a b\n---\n", "a b", true, false },
		{ "---\nname: 12\n---\n", "12", true, false },
		{ "---\nname: ''\n---\n", NULL, true, false },
		{ "---\nname:\n---\n", NULL, true, false },
		{ "---\nname: [a]\n---\n", NULL, true, false },
		{ "---\nx: y\n---\n", NULL, true, false },
		{ "---\r\nname: a\r\n---\r\n", "a", true, false },
		{ "\xEF\xBB\xBF---\nname: a\n---\n", "a", true, false },
		{ "---\nname: a\n", NULL, true, true },
		{ "---\nname: [a\n---\n", NULL, true, true },
		{ "---\n- a\n---\n", NULL, true, true },
		{ "# title\n", NULL, false, true },
		{ "", NULL, false, true },
		{ "----\n", NULL, false, true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct claude_agent g;
		struct err err;
		bool is_error = claude_agent_read(&a, str_from(rows[i].text), &g, &err) < 0;

		CHECK_ROW(rows[i].text,
			  claude_agent_has_matter(str_from(rows[i].text)) == rows[i].has_matter);
		CHECK_ROW(rows[i].text, is_error == rows[i].is_error);
		if (!is_error)
			CHECK_ROW(rows[i].text, rows[i].name ? str_is(g.name, rows[i].name) : !g.name.s);
	}
}
