/* SPDX-License-Identifier: MIT */
/* conclaude's configuration: every error with its position and message. */
#include "test.h"

#include "import/conclaude.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MAX 4

/* Each row: the text, the place that the error names, and words that it has. */
static const struct {
	const char *yaml, *place;
	const char *words[WORDS_MAX];
} refused[] = {
	/* unknown keys, with the nearest names of the object that they are in */
	{ "stop:\n  infinit: true\n", "2:3: stop", { "unknown key", "'infinit'", "'infinite'" } },
	{ "stop:\n  INFINITE: true\n", "2:3: stop", { "unknown key", "'infinite'" } },
	{ "stop:\n  infinte: true\n", "2:3: stop", { "'infinite'" } },
	{ "stop:\n  round: 3\n", "2:3: stop", { "'rounds'" } },
	{ "stopp: {}\n", "1:1: ", { "unknown key 'stopp'", "'stop'" } },
	{ "preToolUse:\n  preventRootAddition: true\n", "2:3: ", { "'preventRootAdditions'" } },
	{ "preToolUse: {wxyz: 1}\n", "1:14: ", { "unknown key 'wxyz'" } },
	{ "stop:\n  commands:\n    - run: a\n      showStdOut: true\n",
	  "4:7: stop.commands[0]",
	  { "'showStdout'" } },
	{ "stop:\n  commands:\n    - run: a\n      messag: b\n", "4:7: stop.commands[0]", { "'message'" } },
	{ "stop:\n  commands:\n    - run: a\n      max_output_lines: 5\n",
	  "4:7: ",
	  { "unknown key", "'maxOutputLines'" } },
	{ "notifications:\n  enable: true\n", "2:3: ", { "'enabled'" } },
	{ "notifications:\n  show_errors: true\n", "2:3: ", { "'showErrors'" } },
	{ "notifications:\n  show_success: true\n", "2:3: ", { "'showSuccess'" } },
	{ "notifications:\n  show_system_events: true\n", "2:3: ", { "'showSystemEvents'" } },
	{ "stop: {promptPrefixBlocking: {prefix: [a]}}\n",
	  "1:31: stop.promptPrefixBlocking",
	  { "'prefixes'" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: a, time: 1}]}}\n",
	  "1:52: stop.promptPrefixBlocking.messages[0]",
	  { "'times'" } },
	{ "userPromptSubmit: {commands: [{run: a, message: b}]}\n", "1:40: ", { "unknown key 'message'" } },
	{ "stop:\n  commands:\n    - run: a\n      pattern: b\n", "4:7: ", { "unknown key 'pattern'" } },
	{ "<<: {}\n", "1:1: ", { "unknown key '<<'" } },
	/* keys that were there once */
	{ "stop: {promptPrefixBlocking: {prefixes: [null]}}\n",
	  "1:42: ",
	  { "prefixes[0]", "expected a pattern, not null" } },
	{ "rules:\n  preventRootAdditions: true\n", "1:1: ", { "rules", "preToolUse" } },
	{ "stop:\n  run: make\n", "2:3: stop", { "run", "stop.commands" } },
	{ "stop:\n  grepRules: []\n", "2:3: stop", { "grepRules", "grep", "stop.commands" } },
	{ "preToolUse:\n  grepRules: []\n", "2:3: preToolUse", { "grepRules", "stop.commands" } },
	{ "gitWorktree: {}\n", "1:1: ", { "gitWorktree", "worktreeCreate" } },
	/* twice */
	{ "stop: {}\nsetup: {}\nstop: {}\n", "3:1: ", { "duplicate key 'stop'" } },
	{ "stop:\n  rounds: 1\n  rounds: 2\n", "3:3: ", { "duplicate key 'rounds'" } },
	/* missing */
	{ "stop:\n  commands:\n    - message: a\n", "3:7: stop.commands[0]", { "missing key 'run'" } },
	{ "stop:\n  commands:\n    - run:\n", "3:", { "missing key 'run'" } },
	{ "stop:\n  commands:\n    - run: null\n", "3:", { "missing key 'run'" } },
	{ "stop:\n  commands:\n    - run: ~\n", "3:", { "missing key 'run'" } },
	{ "stop: {promptPrefixBlocking: {messages: [{times: 1}]}}\n", "1:", { "missing key 'text'" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: null}]}}\n", "1:", { "missing key 'text'" } },
	{ "permissionRequest: {}\n", "1:", { "missing key 'default'" } },
	{ "preToolUse: {uneditableFiles: [{message: a}]}\n",
	  "1:",
	  { "uneditableFiles[0]", "missing key 'pattern'" } },
	{ "preToolUse: {toolUsageValidation: [{pattern: a, action: block}]}\n",
	  "1:",
	  { "missing key 'tool'" } },
	{ "preToolUse: {toolUsageValidation: [{tool: a, pattern: b}]}\n", "1:", { "missing key 'action'" } },
	{ "preToolUse: {toolUsageValidation: [{tool: a, action: block}]}\n",
	  "1:36: preToolUse.toolUsageValidation[0]",
	  { "missing key 'pattern'", "commandPattern" } },
	{ "userPromptSubmit: {contextRules: [{pattern: a}]}\n", "1:", { "missing key 'prompt'" } },
	/* types */
	{ "stop:\n  infinite: yes\n", "2:13: stop.infinite", { "expected a boolean", "yes" } },
	{ "stop:\n  infinite: \"true\"\n", "2:13: stop.infinite", { "expected a boolean", "true" } },
	{ "stop:\n  commands:\n    - {run: a, notifyPerCommand: maybe}\n",
	  "3:34: stop.commands[0].notifyPerCommand",
	  { "expected a boolean", "maybe" } },
	{ "stop:\n  commands: null\n", "2:13: stop.commands", { "expected a list" } },
	{ "stop: ~\n", "1:7: stop", { "expected a map" } },
	{ "stop: []\n", "1:7: stop", { "expected a map" } },
	{ "stop:\n  commands: {}\n", "2:13: stop.commands", { "expected a list" } },
	{ "stop:\n  commands: [make]\n", "2:14: stop.commands[0]", { "expected a map", "make" } },
	{ "stop:\n  commands: [{run: [a]}]\n", "2:20: stop.commands[0].run", { "expected a string" } },
	{ "subagentStop: {commands: []}\n", "1:26: subagentStop.commands", { "expected a map" } },
	{ "subagentStop: {commands: {a: b}}\n", "1:30: subagentStop.commands[\"a\"]", { "expected a list" } },
	{ "preToolUse: {uneditableFiles: [5]}\n",
	  "1:32: preToolUse.uneditableFiles[0]",
	  { "expected a pattern", "5" } },
	{ "preToolUse: {uneditableFiles: [true]}\n",
	  "1:32: preToolUse.uneditableFiles[0]",
	  { "expected a pattern" } },
	{ "preToolUse: {toolUsageValidation: [a]}\n",
	  "1:36: preToolUse.toolUsageValidation[0]",
	  { "expected a map" } },
	{ "- stop\n", "1:1: ", { "expected a map" } },
	{ "stop: {promptPrefixBlocking: []}\n", "1:30: ", { "expected a map" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: a, times: \"2\"}]}}\n",
	  "1:",
	  { "times", "expected an integer" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: a, times: 1.5}]}}\n",
	  "1:",
	  { "times", "expected an integer" } },
	{ "stop: {rounds: 1.5}\n", "1:16: stop.rounds", { "expected an integer" } },
	{ "stop: {rounds: \"3\"}\n", "1:16: stop.rounds", { "expected an integer" } },
	{ "stop: {rounds: 007}\n", "1:16: stop.rounds", { "expected an integer" } },
	/* values */
	{ "permissionRequest: {default: ask}\n",
	  "1:30: permissionRequest.default",
	  { "ask", "allow", "deny" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: ''}]}}\n",
	  "1:49: stop.promptPrefixBlocking.messages[0].text",
	  { "expected a text, not an empty one" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: \" \\n\\t\"}]}}\n", "1:49: ", { "blank" } },
	{ "setup: {commands: {'': [{run: a}]}}\n", "1:20: setup.commands", { "pattern key" } },
	{ "setup: {commands: {' ': [{run: a}]}}\n", "1:20: ", { "pattern key" } },
	{ "subagentStop: {commands: {'': []}}\n", "1:27: ", { "pattern key" } },
	{ "elicitation: {commands: {'': []}}\n", "1:26: ", { "pattern key" } },
	/* documents */
	{ "stop: {}\n---\nstop: {}\n", "2:", { "document" } },
	{ "stop:\n  commands: [\n", "3:1: ", { NULL } },
	{ "stop:\n\tcommands: []\n", "2:1: ", { NULL } },
};

TEST(what_is_refused_is_named_with_file_line_and_column)
{
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct policies c = { .path = STR("untouched") };
		struct err err = { 0 };
		char place[128];

		(void)snprintf(place, sizeof(place), "sub/.conclaude.yml:%s", refused[i].place);
		CHECK_ROW(refused[i].yaml, conclaude_load(&a, STR("sub/.conclaude.yml"),
							  str_from(refused[i].yaml), &c, NULL, &err) == -1);
		CHECK_ROW(refused[i].yaml, str_is(c.path, "untouched"));
		if (strncmp(err.msg, place, strlen(place)) != 0)
			fail_msg("%s is not at %s in:\n%s", err.msg, place, refused[i].yaml);
		for (size_t k = 0; k < WORDS_MAX && refused[i].words[k]; k++)
			if (!strstr(err.msg, refused[i].words[k]))
				fail_msg("%s has no %s in:\n%s", err.msg, refused[i].words[k],
					 refused[i].yaml);
	}
}

TEST(a_removed_key_is_never_a_suggestion)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c;
	struct err err;

	CHECK(conclaude_load(&a, STR("f"), STR("rule: {}\n"), &c, NULL, &err) == -1);
	CHECK(!strstr(err.msg, "'rules'"));
}

static bool
loads(const char *template, const char *value, const char *place)
{
	const char *gap = strstr(template, "%s");
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c;
	struct err err;
	char yaml[200];

	(void)snprintf(yaml, sizeof(yaml), "%.*s%s%s", (int)(gap - template), template, value, gap + 2);
	if (conclaude_load(&a, STR("f"), str_from(yaml), &c, NULL, &err) == 0)
		return true;
	if (!strstr(err.msg, place) ||
	    !(strstr(err.msg, "out of range") || strstr(err.msg, "expected an integer")))
		fail_msg("%s in:\n%s", err.msg, yaml);
	return false;
}

static const struct {
	const char *fmt, *place;
	const char *good[3], *bad[5];
} ranges[] = {
#define LINES                                     \
	{ "1", "100", "10000" },                  \
	{                                         \
		"0", "10001", "-1", "many", "'5'" \
	}
#define SECONDS                                 \
	{ "1", "30", "3600" },                  \
	{                                       \
		"0", "3601", "-1", "1.5", "'5'" \
	}
	{ "stop: {rounds: %s}",
	  "stop.rounds",
	  { "1", "4294967295", "2" },
	  { "0", "-1", "4294967296", "1.5", "x" } },
	{ "stop: {promptPrefixBlocking: {messages: [{text: a, times: %s}]}}",
	  "messages[0].times",
	  { "0", "1", "2147483647" },
	  { "-1", "1.5", "'2'", "x", "99999999999999999999" } },
	{ "stop: {commands: [{run: a, maxOutputLines: %s}]}", "stop.commands[0].maxOutputLines", LINES },
	{ "stop: {commands: [{run: a}, {run: b, timeout: %s}]}", "stop.commands[1].timeout", SECONDS },
	{ "subagentStop: {commands: {coder: [{run: a, maxOutputLines: %s}]}}",
	  "subagentStop.commands[\"coder\"][0].maxOutputLines", LINES },
	{ "subagentStop: {commands: {coder: [{run: a, timeout: %s}]}}",
	  "subagentStop.commands[\"coder\"][0].timeout", SECONDS },
	{ "userPromptSubmit: {commands: [{run: a, timeout: %s}]}", "userPromptSubmit.commands[0].timeout",
	  SECONDS },
	{ "userPromptSubmit: {commands: [{run: a, maxOutputLines: %s}]}", "commands[0].maxOutputLines",
	  LINES },
	{ "userPromptSubmit: {slashCommands: {commands: {a: [{run: a, timeout: %s}]}}}",
	  "userPromptSubmit.slashCommands.commands[\"a\"][0].timeout", SECONDS },
	{ "setup: {commands: {'*': [{run: a, timeout: %s}]}}", "setup.commands[\"*\"][0].timeout", SECONDS },
	{ "setup: {commands: {'*': [{run: a, maxOutputLines: %s}]}}",
	  "setup.commands[\"*\"][0].maxOutputLines", LINES },
	{ "stopFailure: {commands: [{run: a, timeout: %s}]}", "stopFailure.commands[0].timeout", SECONDS },
	{ "skillStart: {commands: {a: [{run: a, timeout: %s}]}}", "skillStart.commands[\"a\"][0].timeout",
	  SECONDS },
	{ "postToolUse: {commands: [{run: a, timeout: %s}]}", "postToolUse.commands[0].timeout", SECONDS },
	{ "messageDisplay: {commands: [{run: a, maxOutputLines: %s}]}",
	  "messageDisplay.commands[0].maxOutputLines", LINES },
	{ "worktreeCreate: {timeout: %s}", "worktreeCreate.timeout", SECONDS },
};

TEST(every_number_has_its_range_in_every_section)
{
	for (size_t i = 0; i < COUNT_OF(ranges); i++) {
		for (size_t k = 0; k < COUNT_OF(ranges[i].good); k++)
			CHECK_ROW(ranges[i].fmt, loads(ranges[i].fmt, ranges[i].good[k], ranges[i].place));
		for (size_t k = 0; k < COUNT_OF(ranges[i].bad); k++)
			CHECK_ROW(ranges[i].bad[k], !loads(ranges[i].fmt, ranges[i].bad[k], ranges[i].place));
	}
}
