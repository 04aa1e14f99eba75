/* SPDX-License-Identifier: MIT */
/* Stop commands, follow-ups, rounds and infinite mode of .conclaude.yaml as keys of holdfast.yml. */
#include "conf/migrate_parts.h"

#include "base/duration.h"
#include "base/glob.h"
#include "base/path.h"

#define INDENT 2

static struct str
number(struct arena *a, int64_t n)
{
	return str_fmt(a, "%lld", (long long)n);
}

/* An item of a list: the lines of a map, the first of which begins with a dash. */
static void
add_item(struct buf *b, struct str lines, int indent)
{
	struct str line;
	bool is_first = true;

	while (str_next(&lines, '\n', &line)) {
		bool is_comment = str_starts(str_trim(line), STR("#"));

		if (is_comment && is_first)
			buf_addf(b, "%*s" STR_FMT "\n", indent, "", STR_ARG(str_trim(line)));
		else if (line.n == 0)
			buf_addc(b, '\n');
		else
			buf_addf(b, "%*s%s" STR_FMT "\n", indent, "", is_first ? "- " : "  ", STR_ARG(line));
		is_first &= is_comment;
	}
}

/* `match` is absent for a stop command, and where it is for every subject. */
static void
add_command(struct buf *b, const struct conclaude_command *c, const struct old_map *from, struct str match,
	    int indent)
{
	struct arena *a = b->arena;
	struct buf lines = BUF(a, SIZE_MAX);

	add_key_text(&lines, 0, STR("run"), c->run, from, "run");
	if (match.s && !str_is(match, "*"))
		add_key_text(&lines, 0, STR("match"), match, from, "tool");
	if (c->message.s)
		add_key_text(&lines, 0, STR("message"), c->message, from, "message");
	if (c->timeout_s > 0)
		add_key(&lines, 0, STR("timeout"), duration_text(a, c->timeout_s * 1000), from, "timeout");
	if (c->shows_stdout != c->shows_stderr)
		add_key(&lines, 0, STR("output"), c->shows_stdout ? STR("stdout") : STR("stderr"), from,
			c->shows_stdout ? "showStdout" : "showStderr");
	else if (!c->shows_stdout)
		add_key(&lines, 0, STR("output"), STR("false"), from, "showStdout");
	if (c->shows_stdout || c->shows_stderr)
		add_key(&lines, 0, STR("max_lines"), number(a, c->max_output_lines), from, "maxOutputLines");
	if (!c->shows_command)
		add_key(&lines, 0, STR("show_command"), STR("false"), from, "showCommand");
	add_item(b, buf_str(&lines), indent);
}

static void
add_commands(struct buf *b, const struct conclaude_config *c, struct old_text *t,
	     struct config_problems *notes)
{
	const struct node *stop = node_get(&c->root, "stop"), *list = node_get(stop, "commands");
	struct old_map pre = { t, node_get(&c->root, "preToolUse") };
	struct buf commands = BUF(b->arena, SIZE_MAX);

	for (size_t i = 0; i < c->stop.commands.count; i++) {
		const struct conclaude_command *command = &c->stop.commands.items[i];
		const struct node *at = item_of(list, i);

		if (str_trim(command->run).n == 0) {
			migrate_note(b->arena, notes, t->file, at, str_fmt(b->arena, "stop.commands[%zu]", i),
				     "it runs nothing");
			continue;
		}
		add_comments_above(&commands, t, at ? at->line : 0, INDENT);
		add_command(&commands, command, &(struct old_map){ t, at }, STR_NONE, INDENT);
	}
	if (commands.n == 0)
		return;
	add_key(b, 0, STR("commands"), STR(""), &(struct old_map){ t, stop }, "commands");
	buf_add(b, buf_str(&commands));
	if (c->pre_tool_use.prevents_root_additions)
		add_key(b, 0, STR("keep_root_clean"), STR("true"), &pre, "preventRootAdditions");
}

static void
add_messages(struct buf *b, const struct conclaude_prefix_blocking *p, struct old_text *t,
	     const struct node *list)
{
	struct arena *a = b->arena;

	for (size_t i = 0; i < p->messages.count; i++) {
		const struct conclaude_message *m = &p->messages.items[i];
		const struct node *at = item_of(list, i);
		struct old_map from = { t, at };
		struct buf lines = BUF(a, SIZE_MAX);

		if (m->times == 0)
			continue;
		add_comments_above(b, t, at ? at->line : 0, 2 * INDENT);
		add_key_text(&lines, 0, STR("text"), m->text, &from, "text");
		if (m->times > 1)
			add_key(&lines, 0, STR("times"), number(a, m->times), &from, "times");
		add_item(b, buf_str(&lines), 2 * INDENT);
	}
}

static void
add_follow_ups(struct buf *b, const struct conclaude_config *c, struct old_text *t,
	       struct config_problems *notes)
{
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;
	const struct node *stop = node_get(&c->root, "stop"), *at = node_get(stop, "promptPrefixBlocking");
	struct arena *a = b->arena;
	struct old_map from = { t, at };

	if (!p)
		return;
	if (conclaude_follow_ups(c) == 0) {
		migrate_note(a, notes, t->file, at, STR("stop.promptPrefixBlocking"),
			     c->database.is_enabled ? "it sends nothing: it has no prefix or no message"
						    : "it sends nothing, because the database is disabled");
		return;
	}
	struct str_list when = { arena_array(a, p->prefixes.count, struct str), 0 };

	for (size_t i = 0; i < p->prefixes.count; i++) {
		struct err err;

		if (glob_check(p->prefixes.items[i], &err) == 0)
			when.items[when.count++] = p->prefixes.items[i];
		else
			migrate_note(a, notes, t->file, item_of(node_get(at, "prefixes"), i),
				     str_fmt(a, "stop.promptPrefixBlocking.prefixes[%zu]", i),
				     "it matches nothing: %s", err.msg);
	}
	if (when.count == 0)
		return;
	add_key(b, 0, STR("follow_ups"), STR(""), &(struct old_map){ t, stop }, "promptPrefixBlocking");
	add_key(b, INDENT, STR("when"), flow_list(a, &when), &from, "prefixes");
	add_key(b, INDENT, STR("messages"), STR(""), &from, "messages");
	add_messages(b, p, t, node_get(at, "messages"));
}

/* Those that add_guards() writes. */
static bool
is_guard(struct str path)
{
	static const struct str keys[] = { STR("preToolUse.uneditableFiles"),
					   STR("preToolUse.preventAdditions"),
					   STR("preToolUse.toolUsageValidation") };

	return str_is_among(path, keys, COUNT_OF(keys));
}

static void
add_list(struct buf *b, const struct conclaude_command *commands, size_t count, struct str match,
	 const struct node *list, struct old_text *t)
{
	for (size_t i = 0; i < count; i++) {
		const struct node *at = item_of(list, i);

		if (str_trim(commands[i].run).n > 0)
			add_command(b, &commands[i], &(struct old_map){ t, at },
				    match.s ? match : commands[i].tool, 2 * INDENT);
	}
}

/* Those for every subject run first. */
static void
add_section(struct buf *b, const struct conclaude_section *s, const struct node *commands, struct old_text *t)
{
	add_list(b, s->commands, s->count, STR_NONE, commands, t);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->pattern_count; i++) {
			const struct conclaude_patterns *p = &s->patterns[i];

			if (str_is(p->pattern, "*") == (pass == 0))
				add_list(b, p->commands, p->count, p->pattern,
					 node_get(commands, str_copy(b->arena, p->pattern).s), t);
		}
}

/* The commands of other events. Those for certain prompts have no key in holdfast.yml. */
static void
add_events(struct buf *b, const struct conclaude_config *c, struct old_text *t)
{
	struct buf all = BUF(b->arena, SIZE_MAX);

	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct event_row *row = &event_rows[i];
		struct buf items = BUF(b->arena, SIZE_MAX);

		if (row->id == EVENT_UserPromptSubmit || !row->section)
			continue;
		add_section(&items, &c->sections[i], node_get(node_get(&c->root, row->section), "commands"),
			    t);
		if (items.n > 0)
			buf_addf(&all, "%*s%s:\n" STR_FMT, INDENT, "", row->native, STR_ARG(buf_str(&items)));
	}
	if (all.n > 0)
		buf_addf(b, "events:\n" STR_FMT, STR_ARG(buf_str(&all)));
}

/* Keys that holdfast.yml does not have. */
static void
note_inactive(struct arena *a, const struct conclaude_config *c, struct str file,
	      struct config_problems *notes)
{
	struct config_problems inactive = { 0 };
	const struct node *path = node_get(node_get(&c->root, "database"), "path");

	conclaude_inactive(a, c, &inactive);
	for (size_t i = 0; i < inactive.count; i++) {
		const struct config_problem *p = &inactive.items[i];

		if (is_guard(p->path))
			continue;
		migrate_note(a, notes, file, &(struct node){ .line = p->line, .column = p->column }, p->path,
			     "holdfast.yml has no such key; keep .conclaude.yaml, or write a gate or a guard "
			     "instead");
	}
	if (path && path->kind == NODE_STRING)
		migrate_note(a, notes, file, path, STR("database.path"),
			     "follow-ups are counted in holdfast's own directory");
}

void
add_policies(struct buf *b, const struct conclaude_config *c, struct old_text *t,
	     struct config_problems *notes)
{
	struct old_map stop = { t, node_get(&c->root, "stop") };

	add_follow_ups(b, c, t, notes);
	add_commands(b, c, t, notes);
	if (c->stop.rounds > 0)
		add_key(b, 0, STR("rounds"), number(b->arena, c->stop.rounds), &stop, "rounds");
	if (c->stop.is_infinite) {
		add_key(b, 0, STR("infinite"), STR("true"), &stop, "infinite");
		if (old_entry(&stop, "infiniteMessage"))
			add_key_text(b, 0, STR("infinite_message"), c->stop.infinite_message, &stop,
				     "infiniteMessage");
	}
	add_guards(b, c, t, notes);
	add_events(b, c, t);
	note_inactive(b->arena, c, t->file, notes);
}
