/* SPDX-License-Identifier: MIT */
/* What .conclaude.yaml says, as a document of holdfast.yml. What never has an effect, such as a pattern that is malformed, is left out
 * with a note. Reads no file. */
#include "import/conclaude.h"

#include "base/glob.h"
#include "base/regex.h"
#include "model/event.h"

/* ---- commands ---- */

static const struct import_row run_row[] = { { "run", "run", IMPORT_TEXT } };
static const struct import_row message_row[] = { { "message", "message", IMPORT_FILLED } };
static const struct import_row condition_rows[] = {
	{ "tool", "match", IMPORT_PATTERN },
	{ "pattern", "matches", IMPORT_TEXT },
	{ "caseInsensitive", "ignore_case", IMPORT_IF_TRUE },
	{ "message", "message", IMPORT_FILLED },
	{ "timeout", "timeout", IMPORT_SECONDS },
};
static const struct import_row manner_rows[] = {
	{ "showCommand", "show_command", IMPORT_IF_FALSE },
	{ "notifyPerCommand", "notify", IMPORT_IF_TRUE },
};
#define ROWS(rows) (rows), COUNT_OF(rows)

/* showStdout and showStderr are one key of holdfast.yml. There all output is shown, but not all lines of it. */
static void
add_output(struct import *m, const struct node *command, struct node *to)
{
	bool out = node_get_bool(command, "showStdout"), err = node_get_bool(command, "showStderr");
	const struct node_entry *lines = import_entry(command, "maxOutputLines");
	struct node none = { .kind = NODE_INT };

	if (!out && !err)
		import_add(m, to, "output", import_bool(false), import_entry(command, "showStdout"));
	else if (out != err)
		import_add(m, to, "output", node_text(out ? STR("stdout") : STR("stderr")),
			   import_entry(command, out ? "showStdout" : "showStderr"));
	if (out || err)
		import_add(m, to, "max_lines", lines ? lines->value : none, lines);
}

/* Adds a command that is for `only`, by this key; NULL: for everything. */
static void
push_command(struct import *m, const struct node *command, struct str path, const char *key, struct str only,
	     struct node *list)
{
	struct node to = { 0 };
	struct err err;

	if (str_trim(import_text(command, "run")).n == 0) {
		import_note(m, command, path, "it runs nothing");
		return;
	}
	if (import_text(command, "pattern").s && regex_check(import_text(command, "pattern"), &err) < 0) {
		import_note(m, command, path, "it matches nothing: ", err.msg);
		return;
	}
	import_rows(m, command, ROWS(run_row), &to);
	if (key)
		import_add(m, &to, key, node_text(only), NULL);
	import_rows(m, command, ROWS(condition_rows), &to);
	add_output(m, command, &to);
	import_rows(m, command, ROWS(manner_rows), &to);
	import_push(m, list, to, command);
}

static void
push_commands(struct import *m, const struct node *commands, struct str path, const char *key,
	      struct str only, struct node *list)
{
	for (size_t i = 0; i < commands->count; i++)
		push_command(m, &commands->items[i], str_cat(m->arena, path, "[", i, "]"), key, only, list);
}

/* * first, the others in the order of their bytes. */
static bool
comes_after(struct str x, struct str y)
{
	return !str_is(x, "*") && (str_is(y, "*") || str_cmp(x, y) > 0);
}

/* Lists of commands by pattern, in the order in which conclaude runs them. */
static void
push_by_pattern(struct import *m, const struct node *map, struct str path, const char *key, struct node *list)
{
	const struct node_entry **sorted = arena_array(m->arena, map->count, const struct node_entry *);
	bool is_slash = str_is(str_from(key), "slash");

	for (size_t i = 0; i < map->count; i++) {
		size_t at = i;

		for (; at > 0 && comes_after(sorted[at - 1]->key, map->entries[i].key); at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = &map->entries[i];
	}
	for (size_t i = 0; i < map->count; i++) {
		const struct node *commands = &sorted[i]->value;
		struct str only = sorted[i]->key;
		struct str at = str_cat(m->arena, path, "[\"", only, "\"]");

		if (is_slash && str_starts(only, STR("/")))
			only = str_sub(only, 1, only.n);
		if (commands->kind == NODE_LIST && only.n > 0)
			push_commands(m, commands, at, is_slash || !str_is(only, "*") ? key : NULL, only,
				      list);
	}
}

/* ---- stop ---- */

static void
add_follow_ups(struct import *m, const struct node *document)
{
	static const struct import_row rows[] = { { "text", "text", IMPORT_TEXT },
						  { "times", "times", IMPORT_NUMBER } };
	const struct node_entry *from = import_entry(node_get(document, "stop"), "promptPrefixBlocking");
	const struct node_entry *enabled = import_entry(node_get(document, "database"), "enabled");
	struct node when = { 0 }, messages = { 0 }, follow_ups = { 0 };

	if (!from)
		return;
	const struct node *prefixes = node_get_list(&from->value, "prefixes");
	const struct node *list = node_get_list(&from->value, "messages");
	bool is_off = enabled && !enabled->value.boolean;

	if (is_off || prefixes->count == 0 || conclaude_messages(&from->value) == 0) {
		import_note(m, &from->value, STR("stop.promptPrefixBlocking"),
			    is_off ? "it sends nothing, because the database is disabled"
				   : "it sends nothing: it has no prefix or no message");
		return;
	}
	for (size_t i = 0; i < prefixes->count; i++) {
		struct err err;

		import_push(m, &when, node_text(prefixes->items[i].text), &prefixes->items[i]);
		if (glob_check(prefixes->items[i].text, &err) < 0)
			import_note(m, &prefixes->items[i],
				    str_cat(m->arena, "stop.promptPrefixBlocking.prefixes[", i, "]"),
				    "it matches nothing: ", err.msg);
	}
	for (size_t i = 0; i < list->count; i++) {
		struct node message = { 0 };

		import_rows(m, &list->items[i], ROWS(rows), &message);
		import_push(m, &messages, message, &list->items[i]);
	}
	import_add(m, &follow_ups, "when", when, import_entry(&from->value, "prefixes"));
	import_add(m, &follow_ups, "messages", messages, import_entry(&from->value, "messages"));
	import_add(m, &m->document, "follow_ups", follow_ups, from);
}

/* ---- preToolUse ---- */

static void
add_agent(struct import *m, const struct node *rule, struct node *to)
{
	const struct node_entry *agent = import_entry(rule, "agent");
	struct node by = { 0 };

	if (!agent || str_is(agent->value.text, "*"))
		return;
	import_push(m, &by, node_text(agent->value.text), NULL);
	import_add(m, to, "by", by, agent);
}

static void
push_tool_rule(struct import *m, const struct node *rule, size_t index, struct node *rules)
{
	static const struct import_row rows[] = {
		{ "tool", "tool", IMPORT_TEXT },
		{ "pattern", "path", IMPORT_TEXT },
		{ "commandPattern", "command", IMPORT_TEXT },
	};
	struct str action = import_text(rule, "action");
	struct str path = str_cat(m->arena, "preToolUse.toolUsageValidation[", index, "]");
	struct node to = { 0 };

	if (str_trim(import_text(rule, "tool")).n == 0) {
		import_note(m, rule, path, "its tool is blank");
		return;
	}
	if (!str_is(action, "block") && !str_is(action, "allow")) {
		import_note(m, rule, path, "its action is neither 'block' nor 'allow', so it does nothing");
		return;
	}
	import_rows(m, rule, ROWS(rows), &to);
	if (str_is(import_text(rule, "matchMode"), "prefix"))
		import_add(m, &to, "match", node_text(STR("prefix")), import_entry(rule, "matchMode"));
	add_agent(m, rule, &to);
	if (str_is(action, "allow"))
		import_add(m, &to, "action", node_text(STR("only")), import_entry(rule, "action"));
	import_rows(m, rule, ROWS(message_row), &to);
	import_push(m, rules, to, rule);
}

/* A rule for a kind of files that a key turns on. */
static void
push_file_rule(struct import *m, const struct node *section, const char *key, const char *file,
	       const char *message, struct node *rules)
{
	const struct import_row row = { message, "message", IMPORT_FILLED };
	const struct node_entry *from = import_entry(section, key);
	struct node to = { 0 };

	import_add(m, &to, "file", node_text(str_from(file)), from);
	if (message)
		import_rows(m, section, &row, 1, &to);
	import_push(m, rules, to, NULL);
}

/* In the order in which conclaude asks them. Its rules look into no command line, so nothing is unknown to them. */
static void
add_guards(struct import *m, const struct node *document)
{
	const struct node_entry *from = import_entry(document, "preToolUse");
	const struct node *section = from ? &from->value : NULL;
	const struct node *uses = node_get_list(section, "toolUsageValidation");
	const struct node *files = node_get_list(section, "uneditableFiles");
	const struct node *places = node_get_list(section, "preventAdditions");
	const struct node_entry *root = import_entry(section, "preventRootAdditions");
	struct node rules = { 0 }, guards = { 0 };

	for (size_t i = 0; i < uses->count; i++)
		push_tool_rule(m, &uses->items[i], i, &rules);
	if (node_get_bool(section, "preventUpdateGitIgnored"))
		push_file_rule(m, section, "preventUpdateGitIgnored", "ignored", NULL, &rules);
	if (section && (!root || root->value.boolean))
		push_file_rule(m, section, "preventRootAdditions", "root", "preventRootAdditionsMessage",
			       &rules);
	for_each (rule, files->items, files->count) {
		struct node to = { 0 };

		import_add(m, &to, "path",
			   node_text(rule->kind == NODE_MAP ? import_text(rule, "pattern") : rule->text),
			   import_entry(rule, "pattern"));
		add_agent(m, rule, &to);
		import_rows(m, rule, ROWS(message_row), &to);
		import_push(m, &rules, to, rule);
	}
	for (size_t i = 0; i < places->count; i++) {
		struct node to = { 0 };

		import_add(m, &to, "file", node_text(STR("new")), NULL);
		import_add(m, &to, "path", node_text(places->items[i].text), NULL);
		import_push(m, &rules, to, &places->items[i]);
	}
	if (node_get_bool(section, "preventGeneratedFileEdits"))
		push_file_rule(m, section, "preventGeneratedFileEdits", "generated", "generatedFileMessage",
			       &rules);
	if (rules.count == 0)
		return;
	import_add(m, &guards, "rules", rules, NULL);
	import_add(m, &guards, "unknown", node_text(STR("allow")), NULL);
	import_add(m, &m->document, "guards", guards, from);
}

/* ---- other events ---- */

/* conclaude's `default: allow` leaves the question to the client, as holdfast's `ask` does. */
static void
add_permissions(struct import *m, const struct node *document)
{
	static const char *const keys[] = { "allow", "deny" };
	const struct node_entry *from = import_entry(document, "permissionRequest");
	struct node to = { 0 };

	if (!from)
		return;
	bool denies = str_is_word(import_text(&from->value, "default"), "deny");

	import_add(m, &to, "default", node_text(denies ? STR("deny") : STR("ask")),
		   import_entry(&from->value, "default"));
	for (size_t k = 0; k < COUNT_OF(keys); k++) {
		const struct node *list = node_get_list(&from->value, keys[k]);
		struct node usable = { 0 };
		struct err err;

		for (size_t i = 0; i < list->count; i++)
			if (glob_check(list->items[i].text, &err) == 0)
				import_push(m, &usable, node_text(list->items[i].text), NULL);
			else
				import_note(m, &list->items[i],
					    str_cat(m->arena, "permissionRequest.", keys[k], "[", i, "]"),
					    "it matches nothing: ", err.msg);
		import_add(m, &to, keys[k], usable, import_entry(&from->value, keys[k]));
	}
	import_add(m, &m->document, "permissions", to, from);
}

static void
add_prompts(struct import *m, const struct node *document)
{
	const struct node *section = node_get(document, "userPromptSubmit");
	const struct node_entry *slash = import_entry(node_get(section, "slashCommands"), "commands");
	const struct node *list = node_get_list(section, "contextRules");
	struct node prompts = { 0 };
	static const struct import_row rows[] = {
		{ "pattern", "matches", IMPORT_TEXT },
		{ "caseInsensitive", "ignore_case", IMPORT_IF_TRUE },
		{ "prompt", "add", IMPORT_TEXT },
	};

	for (size_t i = 0; i < list->count; i++) {
		const struct node *rule = &list->items[i];
		const struct node_entry *enabled = import_entry(rule, "enabled");
		struct str path = str_cat(m->arena, "userPromptSubmit.contextRules[", i, "]");
		struct node to = { 0 };
		struct err err;

		if (enabled && !enabled->value.boolean) {
			import_note(m, rule, path, "it is turned off");
		} else if (str_trim(import_text(rule, "prompt")).n == 0) {
			import_note(m, rule, path, "it adds nothing");
		} else if (regex_check(import_text(rule, "pattern"), &err) < 0) {
			import_note(m, rule, path, "it matches nothing: ", err.msg);
		} else {
			import_rows(m, rule, ROWS(rows), &to);
			import_push(m, &prompts, to, rule);
		}
	}
	if (slash)
		push_by_pattern(m, &slash->value, STR("userPromptSubmit.slashCommands.commands"), "slash",
				&prompts);
	push_commands(m, node_get_list(section, "commands"), STR("userPromptSubmit.commands"), NULL, STR_NONE,
		      &prompts);
	import_add(m, &m->document, "prompts", prompts, NULL);
}

static void
push_worktree(struct import *m, const struct node *section, struct node *list)
{
	static const struct import_row rows[] = { { "command", "run", IMPORT_TEXT },
						  { "timeout", "timeout", IMPORT_SECONDS } };
	struct node to = { 0 };

	if (str_trim(import_text(section, "command")).n == 0)
		return;
	import_rows(m, section, ROWS(rows), &to);
	import_push(m, list, to, NULL);
}

static void
add_events(struct import *m, const struct node *document)
{
	struct node events = { 0 };

	for_each (row, event_rows, EVENT_COUNT) {
		const struct node_entry *from = row->section ? import_entry(document, row->section) : NULL;
		const struct node_entry *commands = from ? import_entry(&from->value, "commands") : NULL;
		struct str path = str_cat(m->arena, row->section ? row->section : "", ".commands");
		struct node list = { 0 };

		if (row->id == EVENT_Stop || row->id == EVENT_UserPromptSubmit)
			continue;
		if (from && row->id == EVENT_WorktreeCreate)
			push_worktree(m, &from->value, &list);
		else if (commands && commands->value.kind == NODE_MAP)
			push_by_pattern(m, &commands->value, path, "match", &list);
		else if (commands && commands->value.kind == NODE_LIST)
			push_commands(m, &commands->value, path, NULL, STR_NONE, &list);
		if (list.count > 0)
			import_add(m, &events, row->native, list, from);
	}
	import_add(m, &m->document, "events", events, NULL);
}

static void
add_notifications(struct import *m, const struct node *document)
{
	const struct node_entry *from = import_entry(document, "notifications");
	const struct node *section = from ? &from->value : NULL, *hooks = node_get_list(section, "hooks");
	const struct node_entry *begins = import_entry(section, "showSystemEvents");
	struct node show = { 0 }, notify = { 0 };
	struct str_list at = { 0 };

	if (!node_get_bool(section, "enabled"))
		return;
	if (node_get_bool(section, "showErrors"))
		import_push(m, &show, node_text(STR("failed")), NULL);
	if (node_get_bool(section, "showSuccess"))
		import_push(m, &show, node_text(STR("passed")), NULL);
	if (!begins || begins->value.boolean)
		import_push(m, &show, node_text(STR("started")), NULL);
	for (size_t i = 0; i < hooks->count; i++) {
		const struct node *hook = &hooks->items[i];
		const struct event_row *row = event_find(hook->text);
		struct str name = str_is(hook->text, "*") ? STR("all")
				  : row                   ? str_from(row->native)
							  : STR_NONE;

		if (!name.s)
			import_note(m, hook, str_cat(m->arena, "notifications.hooks[", i, "]"),
				    "there is no event '", hook->text, "'");
		else
			str_list_add_new(m->arena, &at, name);
	}
	if (at.count == 0 || show.count == 0) {
		import_note(m, section, STR("notifications"), "it shows nothing: it has no ",
			    at.count == 0 ? "hooks" : "showErrors, showSuccess or showSystemEvents");
		return;
	}
	import_add(m, &notify, "at", import_texts(m, &at), import_entry(section, "hooks"));
	import_add(m, &notify, "show", show, import_entry(section, "showErrors"));
	import_add(m, &m->document, "notify", notify, from);
}

/* ---- the document ---- */

struct import
conclaude_import(struct arena *a, struct str file, const struct node *document)
{
	struct import m = { .arena = a, .file = file, .document = { .kind = NODE_MAP } };
	const struct node *display = node_get(document, "messageDisplay");
	const struct node_entry *only_final = import_entry(display, "onlyFinal");
	const struct node_entry *path = import_entry(node_get(document, "database"), "path");

	add_follow_ups(&m, document);
	static const struct import_row rows[] = { { "infinite", "infinite", IMPORT_IF_TRUE } };
	static const struct import_row message_rows[] = { { "infiniteMessage", "infinite_message",
							    IMPORT_FILLED } };
	const struct node *stop = node_get(document, "stop");
	const struct node_entry *rounds = import_entry(stop, "rounds");
	const struct node_entry *root = import_entry(node_get(document, "preToolUse"),
						     "preventRootAdditions");
	struct node commands = { 0 };

	push_commands(&m, node_get_list(stop, "commands"), STR("stop.commands"), NULL, STR_NONE, &commands);
	if (commands.count > 0) {
		import_add(&m, &m.document, "commands", commands, import_entry(stop, "commands"));
		if (!root || root->value.boolean)
			import_add(&m, &m.document, "keep_root_clean", import_bool(true), root);
	}
	if (rounds)
		import_add(&m, &m.document, "rounds", rounds->value, rounds);
	import_rows(&m, stop, ROWS(rows), &m.document);
	if (node_get_bool(stop, "infinite"))
		import_rows(&m, stop, ROWS(message_rows), &m.document);
	add_guards(&m, document);
	add_permissions(&m, document);
	add_prompts(&m, document);
	add_events(&m, document);
	add_notifications(&m, document);
	if (node_get_list(display, "commands")->count > 0 && only_final && !only_final->value.boolean)
		import_note(&m, &only_final->value, STR("messageDisplay.onlyFinal"),
			    "with holdfast.yml the commands run for the last piece of a message only");
	if (path)
		import_note(&m, &path->value, STR("database.path"),
			    "follow-ups are counted in holdfast's own directory");
	return m;
}
