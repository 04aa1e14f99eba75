/* SPDX-License-Identifier: MIT */
/* conclaude's configuration: the search for it, and the problems of one that loads. */
#include "test.h"

#include "base/buf.h"
#include "base/path.h"
#include "import/conclaude.h"
#include "os/fs.h"
#include "project/project.h"

#include <stdio.h>
#include <string.h>

#define LEVELS_MAX 16

/* A chain of directories below one that belongs to the test: d[0]/1/2/3... */
struct tree {
	struct str dirs[LEVELS_MAX];
	struct arena arena;
};

static void
tree_free(struct tree *t)
{
	arena_free(&t->arena);
}

static void
tree_make(struct tree *t)
{
	struct err err;

	t->dirs[0] = str_from(test_dir());
	for (size_t i = 1; i < LEVELS_MAX; i++) {
		t->dirs[i] = str_fmt(&t->arena, STR_FMT "/%zu", STR_ARG(t->dirs[i - 1]), i);
		CHECK(fs_make_dirs(t->dirs[i].s, 0755, &err) == 0);
	}
}

static void
put(struct tree *t, size_t level, const char *name)
{
	struct err err;

	CHECK(fs_create(path_join(&t->arena, t->dirs[level], str_from(name)).s, STR("stop: {}\n"), 0644,
			&err) == 0);
}

/* The level at which it is found from `start`, and the name; -1 for nothing. */
static int
find(struct tree *t, size_t start, bool stops_at_repository, const char *name)
{
	struct project_dirs where;

	if (stops_at_repository)
		project_find_above(&where, t->dirs[start], WITHIN_REPOSITORY);
	else
		project_find_above(&where, t->dirs[start], ACROSS_REPOSITORIES);
	struct str path = conclaude_find(&t->arena, where.dirs, where.count);

	if (!path.s)
		return -1;
	for (int i = 0; i < LEVELS_MAX; i++)
		if (str_eq(path, path_join(&t->arena, t->dirs[i], str_from(name))))
			return i;
	fail_msg("%s", path.s);
	return -1;
}

TEST(the_configuration_is_found_up_to_eleven_levels_up)
{
	CLEANUP(tree_free) struct tree t = { 0 };

	tree_make(&t);
	CHECK(find(&t, 3, false, ".conclaude.yaml") == -1);
	put(&t, 1, ".conclaude.yaml");
	put(&t, 3, "package.json");
	CHECK(find(&t, 1, false, ".conclaude.yaml") == 1);
	CHECK(find(&t, 2, false, ".conclaude.yaml") == 1);
	CHECK(find(&t, 11, false, ".conclaude.yaml") == 1);
	CHECK(find(&t, 12, false, ".conclaude.yaml") == 1);
	CHECK(find(&t, 13, false, ".conclaude.yaml") == -1);
	CHECK(find(&t, 14, false, ".conclaude.yaml") == -1);
	CHECK(find(&t, 12, true, ".conclaude.yaml") == 1);
	CHECK(find(&t, 13, true, ".conclaude.yaml") == -1);
}

TEST(in_a_repository_the_configuration_is_found_up_to_its_root)
{
	CLEANUP(tree_free) struct tree t = { 0 };

	tree_make(&t);
	put(&t, 1, ".conclaude.yaml");
	put(&t, 1, ".git");
	CHECK(find(&t, LEVELS_MAX - 1, true, ".conclaude.yaml") == 1);
	CHECK(find(&t, LEVELS_MAX - 1, false, ".conclaude.yaml") == -1);
	put(&t, 2, ".git");
	CHECK(find(&t, LEVELS_MAX - 1, true, ".conclaude.yaml") == -1);
}

TEST(the_nearest_configuration_wins_and_yaml_before_yml)
{
	CLEANUP(tree_free) struct tree t = { 0 };

	tree_make(&t);
	put(&t, 1, ".conclaude.yaml");
	put(&t, 3, ".conclaude.yml");
	CHECK(find(&t, 4, false, ".conclaude.yml") == 3);
	CHECK(find(&t, 3, false, ".conclaude.yml") == 3);
	CHECK(find(&t, 2, false, ".conclaude.yaml") == 1);
	put(&t, 3, ".conclaude.yaml");
	CHECK(find(&t, 4, false, ".conclaude.yaml") == 3);
}

TEST(a_repository_bounds_the_search_only_where_it_is_asked_to)
{
	CLEANUP(tree_free) struct tree t = { 0 };

	tree_make(&t);
	put(&t, 1, ".conclaude.yaml");
	put(&t, 2, ".git");
	CHECK(find(&t, 4, true, ".conclaude.yaml") == -1);
	CHECK(find(&t, 2, true, ".conclaude.yaml") == -1);
	CHECK(find(&t, 4, false, ".conclaude.yaml") == 1);
	put(&t, 2, ".conclaude.yaml");
	CHECK(find(&t, 4, true, ".conclaude.yaml") == 2);
	put(&t, 3, ".git");
	CHECK(find(&t, 4, true, ".conclaude.yaml") == -1);
	CHECK(find(&t, 2, true, ".conclaude.yaml") == 2);
}

TEST(odd_directories_are_survived)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *text = arena_bytes(&a, 5000);
	struct str dirs[] = {
		STR("/"), STR("/no/such/place"), STR("no-such-place"), { text, 5000 }, STR(""), STR("a\0b")
	};

	memset(text, 'x', 5000);
	CHECK(!conclaude_find(&a, dirs, COUNT_OF(dirs)).s);
}

TEST(listed_directories_are_searched_in_their_order)
{
	CLEANUP(tree_free) struct tree t = { 0 };

	tree_make(&t);
	struct str dirs[] = { t.dirs[3], t.dirs[5], t.dirs[1] };

	CHECK(!conclaude_find(&t.arena, dirs, 3).s);
	put(&t, 1, ".conclaude.yml");
	CHECK(str_eq(conclaude_find(&t.arena, dirs, 3),
		     path_join(&t.arena, t.dirs[1], STR(".conclaude.yml"))));
	put(&t, 5, ".conclaude.yaml");
	CHECK(str_eq(conclaude_find(&t.arena, dirs, 3),
		     path_join(&t.arena, t.dirs[5], STR(".conclaude.yaml"))));
	CHECK(!conclaude_find(&t.arena, NULL, 0).s);
}

TEST(a_file_is_loaded_and_what_is_no_file_is_an_error)
{
	CLEANUP(tree_free) struct tree t = { 0 };
	struct policies c;
	struct err err;

	tree_make(&t);
	put(&t, 2, ".conclaude.yaml");
	struct str path = path_join(&t.arena, t.dirs[2], STR(".conclaude.yaml"));

	CHECK(conclaude_load(&t.arena, path, STR_NONE, &c, NULL, &err) == 0);
	CHECK(str_eq(c.path, path) && str_eq(c.dir, t.dirs[2]));
	CHECK(conclaude_load(&t.arena, t.dirs[3], STR_NONE, &c, NULL, &err) == -1);
	CHECK(strstr(err.msg, t.dirs[3].s));
	CHECK(conclaude_load(&t.arena, STR("/no/such/.conclaude.yaml"), STR_NONE, &c, NULL, &err) == -1);
	CHECK(strstr(err.msg, "/no/such/.conclaude.yaml: no such file"));
}

#define QUEUE "stop:\n  promptPrefixBlocking:\n"
#define X10 "xxxxxxxxxx"
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10

/* Each row: the text and the one finding there is: "error PATH LINE:COLUMN", and words of it. NULL: none. */
static const struct {
	const char *yaml, *what, *words;
} found[] = {
	{ "", NULL, NULL },
	{ "stop: {rounds: 9, infinite: false}\n", NULL, NULL },
	{ "stop: {infinite: true}\n", NULL, NULL },
	{ "stop:\n  rounds: 2\n  infinite: true\n", "warning stop.rounds 2:11",
	  "rounds and infinite are both set" },
	/* the client's cap: 8 blocks are accepted, 9 are not, whatever blocks */
	{ "stop: {rounds: 10}\n", "warning stop.rounds 1:16", "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP" },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 8}]\n", NULL, NULL },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 8}, {text: c}]\n",
	  "warning stop.promptPrefixBlocking 3:5",
	  "9 stops in a row may be blocked (9 by messages, 0 by rounds), and Claude Code ends the turn "
	  "after 8 with no tool call between them" },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 4}]\n  rounds: 5\n", NULL, NULL },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 4}]\n  rounds: 6\n",
	  "warning stop.rounds 5:11", "(4 by messages, 5 by rounds)" },
	/* the queue */
	{ QUEUE "    prefixes: [a*, '[b']\n    messages: [{text: b}]\n",
	  "error stop.promptPrefixBlocking.prefixes[1] 3:20",
	  "'[b': Pattern syntax error near position 0: invalid range" },
	{ QUEUE "    prefixes: [ULTRATHINK**]\n    messages: [{text: b}]\n",
	  "error stop.promptPrefixBlocking.prefixes[0] 3:16", "recursive wildcards" },
	{ QUEUE "    prefixes: [a*, /go]\n    messages: [{text: b}]\n",
	  "warning stop.promptPrefixBlocking.prefixes[1] 3:20", "exactly '/go'" },
	{ QUEUE "    prefixes: [" X100 "*]\n    messages: [{text: b}]\n", NULL, NULL },
	{ QUEUE "    prefixes: [" X100 "?]\n    messages: [{text: b}]\n",
	  "warning stop.promptPrefixBlocking.prefixes[0] 3:16", "first 100 characters" },
	{ QUEUE "    prefixes: [" X100 "x]\n    messages: [{text: b}]\n",
	  "warning stop.promptPrefixBlocking.prefixes[0] 3:16", "first 100 characters" },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 0}]\n",
	  "warning stop.promptPrefixBlocking 3:5", "no message" },
	{ QUEUE "    prefixes: [a*]\n", "warning stop.promptPrefixBlocking 3:5", "no message" },
	{ QUEUE "    messages: [{text: b}]\n", "warning stop.promptPrefixBlocking 3:5", "no prefixes" },
	{ QUEUE "    prefixes: [a*]\n    messages: [{text: b}]\ndatabase:\n  enabled: false\n",
	  "warning database.enabled 6:12", "stop.promptPrefixBlocking does nothing" },
	{ "database: {enabled: false}\n", NULL, NULL },
	{ "stop: {infiniteMessage: ''}\n", "warning stop.infiniteMessage 1:25", "default" },
	{ "stop: {commands: [{run: a, message: ' '}]}\n", "warning stop.commands[0].message 1:37",
	  "default" },
	/* patterns elsewhere */
	{ "preToolUse: {uneditableFiles: ['a**']}\n", "error preToolUse.uneditableFiles[0] 1:32",
	  "recursive" },
	{ "preToolUse: {uneditableFiles: [{pattern: '[a'}]}\n",
	  "error preToolUse.uneditableFiles[0].pattern 1:42", "range" },
	{ "preToolUse: {uneditableFiles: [{pattern: a, agent: '***'}]}\n",
	  "error preToolUse.uneditableFiles[0].agent 1:52", "wildcards" },
	{ "preToolUse: {uneditableFiles: [{pattern: a, agnt: b}]}\n",
	  "warning preToolUse.uneditableFiles[0].agnt 1:45", "unknown key" },
	{ "preToolUse: {preventAdditions: ['[']}\n", "error preToolUse.preventAdditions[0] 1:33", "range" },
	{ "preToolUse: {toolUsageValidation: [{tool: a, pattern: '[', action: block}]}\n",
	  "error preToolUse.toolUsageValidation[0].pattern 1:55", "range" },
	{ "preToolUse: {toolUsageValidation: [{tool: a, pattern: b, action: deny}]}\n",
	  "warning preToolUse.toolUsageValidation[0] 1:66", "'deny'" },
	{ "preToolUse: {toolUsageValidation: [{tool: a, pattern: b, action: allow, matchMode: some}]}\n",
	  "warning preToolUse.toolUsageValidation[0] 1:84", "'some'" },
	{ "permissionRequest: {default: deny, allow: ['[']}\n", "error permissionRequest.allow[0] 1:44",
	  "range" },
	{ "permissionRequest: {default: deny, deny: [a, '[']}\n", "error permissionRequest.deny[1] 1:46",
	  "range" },
	{ "setup: {commands: {'[': [{run: a}]}}\n", "error setup.commands[\"[\"] 1:20", "range" },
	{ "postToolUse: {commands: [{run: a, tool: '['}]}\n", "error postToolUse.commands[0].tool 1:41",
	  "range" },
	{ "userPromptSubmit: {contextRules: [{pattern: a, prompt: b}, {pattern: '[x', prompt: b}]}\n",
	  "error userPromptSubmit.contextRules[1].pattern 1:70", "invalid regular expression '[x'" },
	{ "userPromptSubmit: {commands: [{run: a, pattern: '(x'}]}\n",
	  "error userPromptSubmit.commands[0].pattern 1:49", "invalid regular expression" },
	{ "userPromptSubmit: {slashCommands: {commands: {'[': []}}}\n",
	  "error userPromptSubmit.slashCommands.commands[\"[\"] 1:47", "range" },
};

static struct policies
load(struct arena *a, const char *yaml)
{
	struct policies c;
	struct err err;

	if (conclaude_load(a, STR("f"), str_from(yaml), &c, NULL, &err) < 0)
		fail_msg("%s in:\n%s", err.msg, yaml);
	return c;
}

TEST(a_configuration_that_loads_is_checked_with_places)
{
	for (size_t i = 0; i < COUNT_OF(found); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct policies c = load(&a, found[i].yaml);
		struct config_problems list;

		conclaude_check(&a, &c, &list);
		if (list.count != (found[i].what != NULL))
			fail_msg("%zu findings in:\n%s", list.count, found[i].yaml);
		if (!found[i].what)
			continue;
		const struct config_problem *f = &list.items[0];

		CHECK_STR(str_fmt(&a, "%s " STR_FMT " %d:%d",
				  f->severity == SEVERITY_ERROR ? "error" : "warning", STR_ARG(f->path),
				  f->line, f->column),
			  found[i].what);
		CHECK_ROW(f->text.s, str_find(f->text, str_from(found[i].words)) >= 0);
	}
}

TEST(too_many_times_are_taken_as_the_largest_with_a_warning)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct policies c = load(&a,
				 QUEUE "    prefixes: [a*]\n    messages: [{text: b, times: 2147483648}]\n");
	struct config_problems list;

	conclaude_check(&a, &c, &list);
	CHECK(list.count == 2);
	CHECK_STR(list.items[0].path, "stop.promptPrefixBlocking.messages[0].times");
	CHECK_STR(list.items[0].text, "2147483648 counts as 2147483647");
	CHECK(str_find(list.items[1].text, STR("2147483647 stops")) >= 0);
}

TEST(findings_grow_with_what_is_wrong)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, KIB(8));
	struct config_problems list;

	buf_add(&b, STR("preToolUse:\n  preventAdditions:\n"));
	for (int i = 0; i < 100; i++)
		buf_add(&b, STR("    - '['\n"));
	buf_addc(&b, '\0');
	struct policies c = load(&a, buf_str(&b).s);

	conclaude_check(&a, &c, &list);
	CHECK(list.count == 100);
	CHECK_STR(list.items[99].path, "preToolUse.preventAdditions[99]");
	CHECK(list.items[99].severity == SEVERITY_ERROR && list.items[99].line == 102);
}
