/* SPDX-License-Identifier: MIT */
/* Stop commands, follow-ups, rounds, infinite mode and permissions of .conclaude.yaml as keys of holdfast.yml. */
#include "conf/migrate_parts.h"

#include "base/glob.h"

#define INDENT 2

static struct str
number(struct arena *a, int64_t n)
{
	return str_fmt(a, "%lld", (long long)n);
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
		add_command_item(&commands, command, &(struct old_map){ t, at }, NULL, INDENT);
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

/* The patterns that match something, on one line; absent: there are none. */
static struct str
usable_patterns(struct arena *a, const struct str_list *list, const struct old_map *from, const char *key,
		struct config_problems *notes)
{
	struct str_list usable = { arena_array(a, list->count, struct str), 0 };

	for (size_t i = 0; i < list->count; i++) {
		struct err err;

		if (glob_check(list->items[i], &err) == 0)
			usable.items[usable.count++] = list->items[i];
		else
			migrate_note(a, notes, from->text->file, item_of(node_get(from->map, key), i),
				     str_fmt(a, "permissionRequest.%s[%zu]", key, i),
				     "it matches nothing: %s", err.msg);
	}
	return usable.count > 0 ? flow_list(a, &usable) : STR_NONE;
}

/* conclaude's `default: allow` leaves the question to the client, as holdfast's `ask` does. */
static void
add_permissions(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		struct config_problems *notes)
{
	const struct conclaude_permissions *p = c->permissions;
	struct old_map from = { t, node_get(&c->root, "permissionRequest") };

	if (!p)
		return;
	struct str allow = usable_patterns(b->arena, &p->allow, &from, "allow", notes);
	struct str deny = usable_patterns(b->arena, &p->deny, &from, "deny", notes);

	add_key(b, 0, STR("permissions"), STR(""), &(struct old_map){ t, &c->root }, "permissionRequest");
	add_key(b, INDENT, STR("default"), str_is(p->otherwise, "deny") ? STR("deny") : STR("ask"), &from,
		"default");
	if (allow.s)
		add_key(b, INDENT, STR("allow"), allow, &from, "allow");
	if (deny.s)
		add_key(b, INDENT, STR("deny"), deny, &from, "deny");
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
	const struct node *in_root = node_get(node_get(&c->root, "preToolUse"), "preventRootAdditions");

	if (in_root && c->pre_tool_use.prevents_root_additions)
		migrate_note(a, notes, file, in_root, STR("preToolUse.preventRootAdditions"),
			     "before a tool it is not in force; if it shall be, add to guards: create: "
			     "[\"*/**\"]");
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
	add_permissions(b, c, t, notes);
	add_events(b, c, t, notes);
	note_inactive(b->arena, c, t->file, notes);
}
