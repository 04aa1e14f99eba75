/* SPDX-License-Identifier: MIT */
/* conclaude's configuration: the values that are loaded, and the error messages. */
#include "test.h"

#include "import/conclaude.h"

#include <stdio.h>
#include <string.h>

static struct policies
load(struct arena *a, const char *yaml)
{
	struct policies c;
	struct err err;

	if (conclaude_load(a, STR("/p/.conclaude.yaml"), str_from(yaml), &c, NULL, &err) < 0)
		fail_msg("%s\nin:\n%s", err.msg, yaml);
	return c;
}

TEST(an_empty_file_is_all_defaults)
{
	static const char *const texts[] = { "", "# only a comment\n", "{}\n", "---\n",
					     "stop:\npreToolUse:\nsetup:\n" };

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct policies c = load(&a, texts[i]);

		CHECK_ROW(texts[i], c.commands.count == 0 && !c.is_infinite && c.rounds == 0);
		CHECK_ROW(texts[i], !c.follow_ups && c.found.count == 0);
		CHECK_ROW(texts[i], str_is(c.infinite_message, "continue working on the task"));
		CHECK_ROW(texts[i], !c.lacks_database && !c.database_path.s);
		CHECK_ROW(texts[i], c.has_usual_guards && c.guards->rules.count == 1 &&
					    str_is(c.guards->rules.items[0].file, "root"));
		CHECK_ROW(texts[i], policies_follow_ups(&c) == 0);
		CHECK_ROW(texts[i], str_is(c.path, "/p/.conclaude.yaml") && str_is(c.dir, "/p"));
	}
}

TEST(prefixes_and_messages_are_read_with_their_times)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c = load(&a, "stop:\n"
				     "  promptPrefixBlocking:\n"
				     "    prefixes:\n"
				     "      - \"ULTRATHINK*\"\n"
				     "      - \"DEEPWORK*\"\n"
				     "    messages:\n"
				     "      - text: \"Continue working on the task\"\n"
				     "        times: 2\n"
				     "      - text: \"Make sure all decisions are documented\"\n");
	const struct follow_ups *p = c.follow_ups;

	CHECK(p != NULL && p->prefixes.count == 2 && p->messages.count == 2);
	const struct str *prefixes = p->prefixes.items;
	const struct follow_up *messages = p->messages.items;

	CHECK_STR(prefixes[0], "ULTRATHINK*");
	CHECK_STR(prefixes[1], "DEEPWORK*");
	CHECK_STR(messages[0].text, "Continue working on the task");
	CHECK(messages[0].times == 2);
	CHECK_STR(messages[1].text, "Make sure all decisions are documented");
	CHECK(messages[1].times == 1);
	CHECK(policies_follow_ups(&c) > 0);
}

TEST(follow_ups_need_a_prefix_a_message_that_is_sent_and_the_database)
{
#define QUEUE(prefixes, messages) \
	"stop:\n  promptPrefixBlocking: {prefixes: " prefixes ", messages: " messages "}\n"
	static const struct {
		const char *yaml;
		bool has;
	} cases[] = {
		{ QUEUE("[a]", "[{text: b}]"), true },
		{ QUEUE("[a]", "[{text: b, times: 0}, {text: c, times: 1}]"), true },
		{ QUEUE("[a]", "[{text: b, times: 0}]"), false },
		{ QUEUE("[a]", "[]"), false },
		{ QUEUE("[]", "[{text: b}]"), false },
		{ QUEUE("[a]", "[{text: b}]") "database: {enabled: false}\n", false },
		{ QUEUE("[a]", "[{text: b}]") "database: {enabled: true}\n", true },
		{ "stop:\n  promptPrefixBlocking: {}\n", false },
		{ "stop:\n  promptPrefixBlocking: null\n", false },
		{ "stop:\n  promptPrefixBlocking:\n", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct policies c = load(&a, cases[i].yaml);

		CHECK_ROW(cases[i].yaml, (policies_follow_ups(&c) > 0) == cases[i].has);
	}
}

static int64_t
times_of(const struct policies *c)
{
	const struct follow_up *m = c->follow_ups->messages.items;

	return m[1].times;
}

TEST(times_are_from_zero_and_what_is_too_large_is_the_largest)
{
	static const struct {
		const char *written;
		int64_t times;
	} cases[] = {
		{ "0", 0 },
		{ "5", 5 },
		{ "", 1 },
		{ "null", 1 },
		{ "~", 1 },
		{ "2147483647", INT32_MAX },
		{ "2147483648", INT32_MAX },
		{ "4294967295", INT32_MAX },
		{ "0x10", 16 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		char yaml[200];

		(void)snprintf(yaml, sizeof(yaml),
			       "stop:\n  promptPrefixBlocking:\n    prefixes: [a]\n    messages:\n"
			       "      - text: y\n      - text: x\n        times: %s\n",
			       cases[i].written);
		struct policies c = load(&a, yaml);

		CHECK_ROW(yaml, times_of(&c) == cases[i].times);
	}
}

TEST(rounds_are_from_one_or_off)
{
	static const struct {
		const char *written;
		int64_t rounds;
	} cases[] = {
		{ "1", 1 },    { "3", 3 }, { "10", 10 }, { "4294967295", 4294967295 },
		{ "null", 0 }, { "~", 0 }, { "", 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		char yaml[64];

		(void)snprintf(yaml, sizeof(yaml), "stop:\n  rounds: %s\n", cases[i].written);
		CHECK_ROW(cases[i].written, load(&a, yaml).rounds == cases[i].rounds);
	}
}

TEST(a_command_has_its_defaults_until_it_says_otherwise)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c = load(
		&a, "stop:\n"
		    "  commands:\n"
		    "    - run: make test\n"
		    "    - {run: 123, message: no, showStdout: true, showStderr: true, showCommand: false,\n"
		    "       maxOutputLines: 10000, timeout: 3600, notifyPerCommand: true}\n"
		    "    - {run: a, message: null, showStdout: ~, maxOutputLines: null, timeout: null, "
		    "showCommand: }\n"
		    "    - {run: a, showStdout: true, maxOutputLines: 1, timeout: 1}\n"
		    "    - {run: a, showStderr: true}\n");
	const struct policy_command *k = c.commands.items;

	CHECK(c.commands.count == 5);
	CHECK_STR(k[0].run, "make test");
	CHECK(!k[0].message.s && !command_shows(&k[0], "stdout") && !command_shows(&k[0], "stderr") &&
	      k[0].shows_command);
	CHECK(k[0].timeout_ms == 0);
	CHECK_STR(k[1].run, "123");
	CHECK_STR(k[1].message, "no");
	CHECK(command_shows(&k[1], "stdout") && command_shows(&k[1], "stderr") && !k[1].shows_command);
	CHECK(k[1].max_lines == 10000 && k[1].timeout_ms == 3600000);
	CHECK(!k[2].message.s && !command_shows(&k[2], "stdout") && k[2].shows_command);
	CHECK(k[3].max_lines == 1 && k[3].timeout_ms == 1000);
	CHECK(command_shows(&k[4], "stderr") && k[4].max_lines == 0);
}

TEST(the_infinite_message_is_never_blank)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(load(&a, "stop: {infinite: true, infiniteMessage: go on}").infinite_message, "go on");
	CHECK_STR(load(&a, "stop: {infinite: true, infiniteMessage: null}").infinite_message,
		  "continue working on the task");
	CHECK_STR(load(&a, "stop: {infinite: true, infiniteMessage: ' '}").infinite_message,
		  "continue working on the task");
	CHECK(load(&a, "stop: {infinite: TRUE}").is_infinite);
}

TEST(uneditable_files_are_strings_or_maps)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c = load(&a, "preToolUse:\n"
				     "  preventRootAdditions: false\n"
				     "  uneditableFiles:\n"
				     "    - package.json\n"
				     "    - pattern: '*.lock'\n"
				     "      message: locked\n"
				     "      agent: code*\n"
				     "      since: 2020\n"
				     "    - {pattern: '.env*'}\n"
				     "    - '5'\n");
	const struct guard_tool_rule *r = c.guards->rules.items;

	CHECK(c.guards->rules.count == 4 && !c.has_usual_guards);
	CHECK_STR(r[0].path, "package.json");
	CHECK(!r[0].message.s && r[0].by.count == 0 && !r[0].tool.s && str_is(r[0].action, "deny"));
	CHECK_STR(r[1].path, "*.lock");
	CHECK_STR(r[1].message, "locked");
	CHECK(r[1].by.count == 1);
	CHECK_STR(r[1].by.items[0], "code*");
	CHECK(str_is(r[2].path, ".env*") && !r[2].message.s);
	CHECK_STR(r[3].path, "5");
}

TEST(a_tool_rule_needs_one_of_its_two_patterns)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c = load(
		&a, "preToolUse:\n"
		    "  toolUsageValidation:\n"
		    "    - {tool: Write, pattern: 'src/**', action: allow, agent: main}\n"
		    "    - {tool: Bash, action: block, commandPattern: 'rm *', matchMode: prefix, message: "
		    "no}\n");
	const struct guard_tool_rule *r = c.guards->rules.items;

	CHECK(c.guards->rules.count == 3);
	CHECK(str_is(r[0].tool, "Write") && str_is(r[0].action, "only") && str_is(r[0].by.items[0], "main"));
	CHECK_STR(r[0].path, "src/**");
	CHECK(!r[0].command.s && !r[1].path.s && r[1].by.count == 0);
	CHECK(str_is(r[1].command, "rm *") && str_is(r[1].match, "prefix") && str_is(r[1].message, "no"));
	CHECK(str_is(r[1].action, "deny") && str_is(r[2].file, "root"));
}

/* The sections that nothing acts on are checked like the others. */
TEST(every_key_of_an_inactive_section_loads)
{
	static const char *const texts[] = {
		"permissionRequest: {default: Allow, deny: [Bash], allow: null}",
		"permissionRequest: {default: deny}",
		"permissionRequest: null",
		"permissionRequest:",
		("userPromptSubmit:\n"
		 "  contextRules:\n"
		 "    - {pattern: 'sidebar|nav', prompt: read @docs/nav.md}\n"
		 "    - {pattern: x, prompt: y, enabled: false, caseInsensitive: true}\n"
		 "  commands:\n"
		 "    - {run: a}\n"
		 "    - {run: b, pattern: 'x$', caseInsensitive: true, showCommand: false}\n"
		 "  slashCommands:\n"
		 "    commands: {'/deploy': [{run: c, message: d}]}\n"),
		"userPromptSubmit: {commands: []}",
		"userPromptSubmit: {slashCommands: null}",
		("subagentStop:\n"
		 "  commands:\n"
		 "    '*':\n"
		 "      - run: a\n"
		 "    coder: [{run: b, timeout: 30}, {run: c, showStdout: true}]\n"
		 "    coder: [{run: d}]\n"
		 "    none: []\n"),
		("preToolUse:\n"
		 "  preventRootAdditionsMessage: '{file_path} {tool}'\n"
		 "  preventAdditions: [dist/**]\n"
		 "  preventUpdateGitIgnored: true\n"
		 "  preventGeneratedFileEdits: true\n"
		 "  generatedFileMessage: '{marker}'\n"),
		("notifications: {enabled: true, hooks: ['*'], showErrors: true,\n"
		 "  showSuccess: true, showSystemEvents: false}\n"),
		"postToolUse: {commands: [{run: a, tool: Edit*}, {run: b}]}\n",
		"messageDisplay: {onlyFinal: false}\n",
		"worktreeCreate: {command: make-tree, timeout: 60}\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		CHECK_ROW(texts[i], load(&a, texts[i]).found.count == 0);
	}
}

TEST(the_path_of_the_database_is_kept_as_written)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(load(&a, "database: {path: ~/state}\n").database_path, "~/state");
}

/* Sections of one kind: each with nothing, with empty commands, and with one. */
TEST(every_section_of_commands_loads_empty_and_filled)
{
	static const char *const lists[] = { "stopFailure", "postToolBatch", "messageDisplay",
					     "postToolUse" };
	static const char *const tables[] = {
		"subagentStop",       "skillStart",       "teammateIdle",
		"taskCompleted",      "configChange",     "setup",
		"postCompact",        "cwdChanged",       "fileChanged",
		"instructionsLoaded", "permissionDenied", "userPromptExpansion",
		"taskCreated",        "elicitation",      "elicitationResult",
	};
	char yaml[200];

	for (size_t i = 0; i < COUNT_OF(lists) + COUNT_OF(tables); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		bool is_list = i < COUNT_OF(lists);
		const char *name = is_list ? lists[i] : tables[i - COUNT_OF(lists)];
		const char *const values[] = {
			"",
			" {}",
			"\n  commands:",
			is_list ? "\n  commands: []" : "\n  commands: {}",
			is_list ? "\n  commands: [{run: a, timeout: 3600}]"
				: "\n  commands: {'*': [{run: a, timeout: 1}]}",
		};

		for (size_t k = 0; k < COUNT_OF(values); k++) {
			(void)snprintf(yaml, sizeof(yaml), "%s:%s\n", name, values[k]);
			(void)load(&a, yaml);
		}
	}
}

TEST(the_listing_names_every_key_once_with_help)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct schema_keys keys = { 0 };
	static const char *const some[] = {
		"stop",
		"stop.commands",
		"stop.commands[].run",
		"stop.promptPrefixBlocking.messages[].times",
		"preToolUse.uneditableFiles[].agent",
		"preToolUse.toolUsageValidation[].commandPattern",
		"userPromptSubmit.slashCommands.commands",
		"postToolUse.commands[].tool",
		"elicitationResult.commands",
		"userPromptSubmit.commands[].caseInsensitive",
		"permissionRequest.default",
		"database.path",
	};
	static const char *const none[] = { "rules", "stop.run", "stopFailure.commands[].run",
					    "gitWorktree" };

	schema_add_keys(&a, &conclaude_schema, &keys);
	for (size_t i = 0; i < keys.count; i++) {
		const struct field *f = keys.items[i].field;

		CHECK_ROW(keys.items[i].path.s, str_ends(str_from(f->help), STR(".")));
		for (size_t k = 0; k < i; k++)
			CHECK_ROW(keys.items[i].path.s, !str_eq(keys.items[i].path, keys.items[k].path));
	}
	for (size_t i = 0; i < COUNT_OF(some) + COUNT_OF(none); i++) {
		const char *path = i < COUNT_OF(some) ? some[i] : none[i - COUNT_OF(some)];
		size_t hits = 0;

		for (size_t k = 0; k < keys.count; k++)
			hits += str_is(keys.items[k].path, path);
		CHECK_ROW(path, hits == (i < COUNT_OF(some)));
	}
}
