/* SPDX-License-Identifier: MIT */
/* Finds, loads and checks conclaude's configuration. Every stop searches for it, so the search only tests whether names exist. */
#include "import/conclaude.h"

#include "base/glob.h"
#include "conf/holdfast.h"
#include "doc/yaml.h"
#include "model/block_cap.h"
#include "os/fs.h"

struct str
conclaude_find(struct arena *a, const struct str *dirs, size_t count)
{
	static const char *const names[] = { ".conclaude.yaml", ".conclaude.yml" };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < COUNT_OF(names); k++)
			if (fs_has(dirs[i], names[k]))
				return path_join(a, dirs[i], str_from(names[k]));
	return STR_NONE;
}

int
conclaude_read(struct arena *a, struct str path, struct str *ret, struct err *err)
{
	struct str text;
	const char *name;

	if (str_cz(a, path, &name, err) < 0 || fs_read(a, name, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "%s: no such file", name);
	*ret = text;
	return 0;
}

int
conclaude_document(struct arena *a, struct str path, struct str text, struct node *ret,
		   struct config_problems *ret_problems, struct err *err)
{
	struct err syntax;

	*ret_problems = (struct config_problems){ 0 };
	if (yaml_parse(a, text, ret, &syntax) < 0)
		problem_add_err(a, ret_problems, path, &syntax);
	else
		schema_read(a, &conclaude_schema, ret, NULL, path, ret_problems);
	return problems_fail(a, STR(""), ret_problems, err);
}

/* ---- the words of its guards ---- */

#define KEY_AND_PATTERN(key) "Blocked {tool} operation: file matches " key " pattern '{pattern}'"
static const struct guard_words tool_words[GUARD_TEXT_COUNT] = {
	[GUARD_TEXT_COMMAND] = { "preToolUse.toolUsageValidation",
				 "Bash command blocked by preToolUse.toolUsageValidation rule: {pattern}" },
	[GUARD_TEXT_COMMAND_ONLY] = { "preToolUse.toolUsageValidation",
				      "Bash command blocked: does not match preToolUse.toolUsageValidation "
				      "allow rule pattern: {pattern}" },
	[GUARD_TEXT_PATH] = { "preToolUse.toolUsageValidation",
			      "Tool usage blocked by preToolUse.toolUsageValidation rule: {pattern}" },
	[GUARD_TEXT_PATH_ONLY] = { "preToolUse.toolUsageValidation",
				   "Tool usage blocked by preToolUse.toolUsageValidation rule: {pattern}" },
	[GUARD_TEXT_FILE] = { "preToolUse.uneditableFiles",
			      KEY_AND_PATTERN("preToolUse.uneditableFiles") "{scope} File: {file_path}" },
	[GUARD_TEXT_NEW] = { "preToolUse.preventAdditions",
			     KEY_AND_PATTERN("preToolUse.preventAdditions") ". File: {file_path}" },
	[GUARD_TEXT_ROOT] = { "preToolUse.preventRootAdditions",
			      "Blocked {tool} operation: preToolUse.preventRootAdditions setting prevents "
			      "creating files at repository root. File: {file_path}" },
	[GUARD_TEXT_IGNORED] = { "preToolUse.preventUpdateGitIgnored",
				 "File operation blocked: Path is git-ignored\n\nFile: {file_path}\n"
				 "Matched pattern in .gitignore: {pattern}\n\n"
				 "This file is protected by 'preventUpdateGitIgnored: true'\n\n"
				 "To allow modifications:\n"
				 "  1. Remove the pattern from .gitignore\n"
				 "  2. Add an exception to .gitignore: !{name}\n"
				 "  3. Set 'preventUpdateGitIgnored: false' in .conclaude.yaml" },
	[GUARD_TEXT_GENERATED] = { "preToolUse.preventGeneratedFileEdits",
				   "BLOCKED: File '{file_path}' is auto-generated (contains '{marker}'). "
				   "This file should NEVER be edited directly. Change what generates it, and "
				   "generate it again." },
};

/* preventRootAdditions is true unless the file says otherwise. */
static struct guard_tool_rule usual_rule = { .file = STR("root"), .action = STR("deny") };
static const struct guards_config usual_guards = { .rules = { &usual_rule, 1 },
						   .words = tool_words,
						   .unknown = STR("allow") };

/* ---- the policies ---- */

int
conclaude_load(struct arena *a, struct str path, struct str text, struct policies *ret,
	       struct config_problems *ret_problems, struct err *err)
{
	struct holdfast_draft *d = arena_new(a, struct holdfast_draft);
	struct policies *c = &d->policies;
	struct config_problems problems;
	struct node document;
	struct str dir = path_parent(path);

	if (!text.s && conclaude_read(a, path, &text, err) < 0)
		return -1;
	int status = conclaude_document(a, path, text, &document, &problems, err);

	if (ret_problems)
		*ret_problems = problems;
	if (status < 0)
		return -1;
	struct import m = conclaude_import(a, path, &document);
	const struct node *database = node_get(&document, "database");
	const struct node_entry *enabled = import_entry(database, "enabled");
	const struct node *queue = node_get(node_get(&document, "stop"), "promptPrefixBlocking");
	const struct node_entry *only_final = import_entry(node_get(&document, "messageDisplay"),
							   "onlyFinal");

	if (policies_read(a, &m.document, path, d, err) < 0)
		return -1;
	if (c->guards) {
		struct guards_config *guards = arena_new(a, struct guards_config);

		*guards = *c->guards;
		guards->words = tool_words;
		c->guards = guards;
	} else if (!import_entry(&document, "preToolUse")) {
		c->guards = &usual_guards;
		c->has_usual_guards = true;
	}
	c->lacks_database = enabled && !enabled->value.boolean && node_get_list(queue, "prefixes")->count > 0;
	c->database_path = import_text(database, "path");
	c->shows_every_piece = only_final && !only_final->value.boolean;
	c->original = document;
	c->found = problems;
	c->dialect = &dialects[DIALECT_CONCLAUDE];
	c->path = path;
	c->dir = str_copy(a, dir.s ? dir : STR("."));
	*ret = *c;
	return 0;
}

/* ---- keys that contradict each other or have no effect ---- */

uint64_t
conclaude_messages(const struct node *queue)
{
	const struct node *messages = node_get_list(queue, "messages");
	uint64_t sum = 0;

	for (size_t i = 0; i < messages->count; i++) {
		const struct node_entry *times = import_entry(&messages->items[i], "times");

		sum += !times                             ? 1
		       : times->value.integer < INT32_MAX ? (uint64_t)times->value.integer
							  : INT32_MAX;
	}
	return sum;
}

static void
check_prefixes(struct import *k, const struct node *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct node *n = &list->items[i];
		struct str path = str_cat(k->arena, "stop.promptPrefixBlocking.prefixes[", i, "]");

		if (glob_min_length(n->text) > PROMPT_CHARS)
			import_note(k, n, path, "never matches: only the first ", PROMPT_CHARS,
				    " characters of a prompt are compared");
		else if (!glob_has_wildcard(n->text))
			import_note(k, n, path, "matches only a prompt that is exactly '", n->text,
				    "'; to match its start write '", n->text, "*'");
	}
}

/* Returns how many stops the queue can block. */
static uint64_t
check_queue(struct import *k, const struct policies *c, const struct node *queue)
{
	const struct node_entry *enabled = import_entry(node_get(&c->original, "database"), "enabled");
	struct str path = STR("stop.promptPrefixBlocking");
	uint64_t sends = conclaude_messages(queue);

	if (!queue || queue->kind != NODE_MAP)
		return 0;
	check_prefixes(k, node_get_list(queue, "prefixes"));
	if (enabled && !enabled->value.boolean)
		import_note(k, &enabled->value, STR("database.enabled"),
			    "is false, so stop.promptPrefixBlocking does nothing");
	else if (node_get_list(queue, "prefixes")->count == 0)
		import_note(k, queue, path, "does nothing: it has no prefixes");
	else if (sends == 0)
		import_note(k, queue, path, "does nothing: it has no message that is sent at least once");
	else
		return sends;
	return 0;
}

static bool
is_one_of(struct str text, const char *one, const char *other)
{
	return !text.s || str_is(text, one) || str_is(text, other);
}

void
conclaude_check(struct arena *a, const struct policies *c, struct config_problems *ret)
{
	struct import k = { .arena = a, .file = c->path, .notes = c->found };
	const struct node *stop = node_get(&c->original, "stop");

	/* added problems go into a new array */
	k.notes.capacity = k.notes.count;
	uint64_t sends = check_queue(&k, c, node_get(stop, "promptPrefixBlocking"));

	const struct node *list = node_get_list(node_get(&c->original, "preToolUse"), "toolUsageValidation");

	for (size_t i = 0; i < list->count; i++) {
		struct str action = import_text(&list->items[i], "action");
		struct str mode = import_text(&list->items[i], "matchMode");
		struct str path = str_cat(k.arena, "preToolUse.toolUsageValidation[", i, "]");

		if (!is_one_of(action, "block", "allow"))
			import_note(&k, node_get(&list->items[i], "action"), path, "action '", action,
				    "' is neither 'block' nor 'allow', so the rule does nothing");
		if (!is_one_of(mode, "full", "prefix"))
			import_note(&k, node_get(&list->items[i], "matchMode"), path, "matchMode '", mode,
				    "' is neither 'full' nor 'prefix', so it counts as 'full'");
	}
	if (c->rounds > 0 && c->is_infinite)
		import_note(&k, node_get(stop, "rounds"), STR("stop.rounds"), ROUNDS_AND_INFINITE);
	uint64_t rounds = c->rounds > 0 ? (uint64_t)c->rounds - 1 : 0;
	const struct block_cap cap = {
		.blocks = sends + rounds,
		.parts = str_cat(k.arena, " (", sends, " by messages, ", rounds, " by rounds)"),
		.title = "Claude Code",
		.cap = CLAUDE_BLOCK_CAP,
		.is_reset_by_a_tool = true,
	};
	struct str text = block_cap_text(k.arena, &cap);
	const char *key = rounds > 0 ? "rounds" : "promptPrefixBlocking";

	if (block_cap_is_low(&cap))
		import_note(&k, node_get(stop, key), str_cat(k.arena, "stop.", key), text,
			    "; " CLAUDE_BLOCK_CAP_NAME " changes that");
	*ret = k.notes;
}
