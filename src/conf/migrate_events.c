/* SPDX-License-Identifier: MIT */
/* What .conclaude.yaml says about events other than a stop, as `events`, `prompts` and `notify` of holdfast.yml; and its commands, also
 * those of a stop. */
#include "conf/migrate_parts.h"

#include "base/duration.h"
#include "base/regex.h"

#define INDENT 2

/* ---- commands ---- */

/* An item of a list: the lines of a map, the first of which begins with a dash. */
void
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

void
add_command_item(struct buf *b, const struct conclaude_command *c, const struct old_map *from,
		 const struct only_for *only, int indent)
{
	struct arena *a = b->arena;
	struct buf lines = BUF(a, SIZE_MAX);

	add_key_text(&lines, 0, STR("run"), c->run, from, "run");
	if (only && only->value.s && (only->says_all || !str_is(only->value, "*")))
		add_key_text(&lines, 0, str_from(only->key), only->value, from, only->old_key);
	if (c->ignores_case)
		add_key(&lines, 0, STR("ignore_case"), STR("true"), from, "caseInsensitive");
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
		add_key(&lines, 0, STR("max_lines"), str_fmt(a, "%lld", (long long)c->max_output_lines), from,
			"maxOutputLines");
	if (!c->shows_command)
		add_key(&lines, 0, STR("show_command"), STR("false"), from, "showCommand");
	if (c->notifies)
		add_key(&lines, 0, STR("notify"), STR("true"), from, "notifyPerCommand");
	add_item(b, buf_str(&lines), indent);
}

/* ---- events ---- */

static void
add_list(struct buf *b, const struct conclaude_command *commands, size_t count, struct str match,
	 const struct old_map *from)
{
	for (size_t i = 0; i < count; i++) {
		const struct only_for only = { "match", match.s ? match : commands[i].tool, "tool", false };

		if (str_trim(commands[i].run).n > 0)
			add_command_item(b, &commands[i],
					 &(struct old_map){ from->text, item_of(from->map, i) }, &only,
					 2 * INDENT);
	}
}

/* Those for every subject run first. */
static void
add_section(struct buf *b, const struct conclaude_section *s, const struct node *commands, struct old_text *t)
{
	add_list(b, s->commands, s->count, STR_NONE, &(struct old_map){ t, commands });
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->pattern_count; i++) {
			const struct conclaude_patterns *p = &s->patterns[i];
			struct old_map from = { t, node_get(commands, str_copy(b->arena, p->pattern).s) };

			if (str_is(p->pattern, "*") == (pass == 0))
				add_list(b, p->commands, p->count, p->pattern, &from);
		}
}

static void
add_worktree(struct buf *b, const struct conclaude_config *c, struct old_text *t)
{
	struct old_map from = { t, node_get(&c->root, "worktreeCreate") };
	struct buf lines = BUF(b->arena, SIZE_MAX);

	if (str_trim(c->worktree_command).n == 0)
		return;
	add_key_text(&lines, 0, STR("run"), c->worktree_command, &from, "command");
	if (old_entry(&from, "timeout"))
		add_key(&lines, 0, STR("timeout"), duration_text(b->arena, c->worktree_timeout_s * 1000),
			&from, "timeout");
	add_item(b, buf_str(&lines), 2 * INDENT);
}

static void
add_at_events(struct buf *b, const struct conclaude_config *c, struct old_text *t)
{
	struct buf all = BUF(b->arena, SIZE_MAX);

	for (size_t i = 0; i < EVENT_COUNT; i++) {
		const struct event_row *row = &event_rows[i];
		struct buf items = BUF(b->arena, SIZE_MAX);

		if (row->id == EVENT_UserPromptSubmit || !row->section)
			continue;
		add_section(&items, &c->sections[i], node_get(node_get(&c->root, row->section), "commands"),
			    t);
		if (row->id == EVENT_WorktreeCreate)
			add_worktree(&items, c, t);
		if (items.n > 0)
			buf_addf(&all, "%*s%s:\n" STR_FMT, INDENT, "", row->native, STR_ARG(buf_str(&items)));
	}
	if (all.n > 0)
		buf_addf(b, "events:\n" STR_FMT, STR_ARG(buf_str(&all)));
}

/* ---- prompts ---- */

/* Does the pattern match anything? */
static bool
is_usable(struct arena *a, struct str pattern, const struct node *at, struct str path, struct old_text *t,
	  struct config_problems *notes)
{
	struct err err;

	if (!pattern.s || regex_check(pattern, &err) == 0)
		return true;
	migrate_note(a, notes, t->file, at, path, "it matches nothing: %s", err.msg);
	return false;
}

static void
add_context_rules(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		  struct config_problems *notes)
{
	const struct node *list = node_get(node_get(&c->root, "userPromptSubmit"), "contextRules");

	for (size_t i = 0; i < c->context_rules.count; i++) {
		const struct conclaude_context_rule *r = &c->context_rules.items[i];
		const struct node *at = item_of(list, i);
		struct old_map from = { t, at };
		struct buf lines = BUF(b->arena, SIZE_MAX);
		struct str path = str_fmt(b->arena, "userPromptSubmit.contextRules[%zu]", i);

		if (!r->is_enabled || str_trim(r->prompt).n == 0)
			migrate_note(b->arena, notes, t->file, at, path, "%s",
				     r->is_enabled ? "it adds nothing" : "it is turned off");
		else if (is_usable(b->arena, r->pattern, at, path, t, notes)) {
			add_comments_above(b, t, at ? at->line : 0, INDENT);
			add_key_text(&lines, 0, STR("matches"), r->pattern, &from, "pattern");
			if (r->ignores_case)
				add_key(&lines, 0, STR("ignore_case"), STR("true"), &from, "caseInsensitive");
			add_key_text(&lines, 0, STR("add"), r->prompt, &from, "prompt");
			add_item(b, buf_str(&lines), INDENT);
		}
	}
}

static void
add_slash_commands(struct buf *b, const struct conclaude_config *c, struct old_text *t)
{
	const struct node *prompt = node_get(&c->root, "userPromptSubmit");
	const struct node *map = node_get(node_get(prompt, "slashCommands"), "commands");

	for (size_t i = 0; i < c->slash_commands.pattern_count; i++) {
		const struct conclaude_patterns *p = &c->slash_commands.patterns[i];
		const struct node *list = node_get(map, str_copy(b->arena, p->pattern).s);
		struct str name = str_starts(p->pattern, STR("/")) ? str_sub(p->pattern, 1, p->pattern.n)
								   : p->pattern;

		for (size_t k = 0; k < p->count; k++)
			if (name.n > 0 && str_trim(p->commands[k].run).n > 0)
				add_command_item(b, &p->commands[k], &(struct old_map){ t, item_of(list, k) },
						 &(struct only_for){ "slash", name, "", true }, INDENT);
	}
}

static void
add_prompts(struct buf *b, const struct conclaude_config *c, struct old_text *t,
	    struct config_problems *notes)
{
	const struct node *prompt = node_get(&c->root, "userPromptSubmit"),
			  *list = node_get(prompt, "commands");
	const struct conclaude_section *s = &c->sections[EVENT_UserPromptSubmit];
	struct buf all = BUF(b->arena, SIZE_MAX);

	add_context_rules(&all, c, t, notes);
	add_slash_commands(&all, c, t);
	for (size_t i = 0; i < s->count; i++) {
		const struct conclaude_command *command = &s->commands[i];
		const struct node *at = item_of(list, i);
		struct str path = str_fmt(b->arena, "userPromptSubmit.commands[%zu]", i);

		if (str_trim(command->run).n > 0 && is_usable(b->arena, command->pattern, at, path, t, notes))
			add_command_item(&all, command, &(struct old_map){ t, at },
					 &(struct only_for){ "matches", command->pattern, "pattern", true },
					 INDENT);
	}
	if (all.n > 0)
		buf_addf(b, "prompts:\n" STR_FMT, STR_ARG(buf_str(&all)));
}

/* ---- notifications ---- */

static void
add_notifications(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		  struct config_problems *notes)
{
	const struct conclaude_notifications *n = &c->notifications;
	struct old_map from = { t, node_get(&c->root, "notifications") };
	struct str at[EVENT_COUNT + 1], show[3];
	struct str_list events = { at, 0 }, ends = { show, 0 };
	const struct node *hooks = node_get(from.map, "hooks");

	if (n->shows_errors)
		show[ends.count++] = STR("failed");
	if (n->shows_success)
		show[ends.count++] = STR("passed");
	if (n->shows_system_events)
		show[ends.count++] = STR("started");
	for (size_t i = 0; n->is_enabled && i < n->hooks.count; i++) {
		const struct event_row *row = event_find(n->hooks.items[i]);
		struct str name = str_is(n->hooks.items[i], "*") ? STR("all")
				  : row                          ? str_from(row->native)
								 : STR_NONE;

		if (!name.s)
			migrate_note(b->arena, notes, t->file, item_of(hooks, i),
				     str_fmt(b->arena, "notifications.hooks[%zu]", i),
				     "there is no event '" STR_FMT "'", STR_ARG(n->hooks.items[i]));
		else if (!str_is_among(name, at, events.count))
			at[events.count++] = name;
	}
	if (!n->is_enabled)
		return;
	if (events.count == 0 || ends.count == 0) {
		migrate_note(b->arena, notes, t->file, from.map, STR("notifications"),
			     "it shows nothing: it has no %s",
			     events.count == 0 ? "hooks" : "showErrors, showSuccess or showSystemEvents");
		return;
	}
	add_key(b, 0, STR("notify"), STR(""), &(struct old_map){ t, &c->root }, "notifications");
	add_key(b, INDENT, STR("at"), flow_list(b->arena, &events), &from, "hooks");
	add_key(b, INDENT, STR("show"), flow_list(b->arena, &ends), &from, "showErrors");
}

void
add_events(struct buf *b, const struct conclaude_config *c, struct old_text *t, struct config_problems *notes)
{
	const struct node *display = node_get(&c->root, "messageDisplay");

	add_prompts(b, c, t, notes);
	add_at_events(b, c, t);
	add_notifications(b, c, t, notes);
	if (c->sections[EVENT_MessageDisplay].count > 0 && !c->shows_only_final)
		migrate_note(b->arena, notes, t->file, node_get(display, "onlyFinal"),
			     STR("messageDisplay.onlyFinal"),
			     "with holdfast.yml the commands run for the last piece of a message only");
}
