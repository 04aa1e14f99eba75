/* SPDX-License-Identifier: MIT */
/* What a configuration that loads still has wrong or doubtful. Walks the document by the tables, so that each
 * finding has a place. Pure: never reads a file, never changes the configuration; hooks do without it. */
#include "conf/conclaude_keys.h"

#include "base/glob.h"
#include "base/regex.h"
#include "model/block_cap.h"

struct checker {
	struct arena *arena;
	struct conclaude_findings *found;
	size_t capacity;
};

static void walk_map(struct checker *k, const struct node *map, const struct field *fields, size_t count,
		     struct str path);

static struct conclaude_finding *
add(struct checker *k, struct str path, int line, int column)
{
	struct conclaude_findings *found = k->found;

	arena_make_room(k->arena, found->items, found->count, &k->capacity);
	found->items[found->count] = (struct conclaude_finding){ .path = path,
								 .line = line,
								 .column = column };
	return &found->items[found->count++];
}

static void PRINTF_LIKE(4, 5)
	warn(struct checker *k, const struct node *n, const char *path, const char *fmt, ...)
{
	struct conclaude_finding *f = add(k, str_copy(k->arena, str_from(path)), n->line, n->column);
	va_list args;

	va_start(args, fmt);
	f->text = str_vfmt(k->arena, fmt, args);
	va_end(args);
}

static void
check_glob(struct checker *k, struct str pattern, int line, int column, struct str path)
{
	struct err err;

	if (glob_check(pattern, &err) == 0)
		return;
	struct conclaude_finding *f = add(k, path, line, column);

	f->is_error = true;
	f->text = str_fmt(k->arena, "'" STR_FMT "': %s", STR_ARG(pattern), err.msg);
}

static void
check_regex(struct checker *k, const struct node *n, struct str path)
{
	struct err err;

	if (regex_check(n->text, &err) == 0)
		return;
	struct conclaude_finding *f = add(k, path, n->line, n->column);

	f->is_error = true;
	f->text = str_fmt(k->arena, "invalid regular expression '" STR_FMT "': %s", STR_ARG(n->text),
			  err.msg);
}

static void
walk_list(struct checker *k, const struct node *list, const struct field *f, struct str path)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct node *item = &list->items[i];
		struct str place = str_fmt(k->arena, STR_FMT "[%zu]", STR_ARG(path), i);

		if (item->kind == NODE_MAP)
			walk_map(k, item, f->fields, f->field_count, place);
		else if (f->read_item)
			check_glob(k, item->text, item->line, item->column, place);
	}
}

static void
walk_table(struct checker *k, const struct node *table, const struct field *f, struct str path)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct node_entry *e = &table->entries[i];
		struct str place = str_fmt(k->arena, STR_FMT "[\"" STR_FMT "\"]", STR_ARG(path),
					   STR_ARG(e->key));

		check_glob(k, e->key, e->line, e->column, place);
		walk_list(k, &e->value, f, place);
	}
}

static void
walk_value(struct checker *k, const struct node *n, const struct field *f, struct str path)
{
	if (n->kind == NODE_NULL)
		return;
	if (f->read == decode_object || f->read == decode_opt_object)
		walk_map(k, n, f->fields, f->field_count, path);
	else if (f->read == decode_list || f->read == decode_opt_list)
		walk_list(k, n, f, path);
	else if (f->read == decode_table)
		walk_table(k, n, f, path);
	else if (f->read == conclaude_read_glob)
		check_glob(k, n->text, n->line, n->column, path);
	else if (f->read == conclaude_read_regex)
		check_regex(k, n, path);
	else if (f->read == conclaude_read_filled && str_trim(n->text).n == 0)
		warn(k, n, path.s, "is blank, so the default is used");
	else if (f->read == conclaude_read_times && n->kind == NODE_INT && n->integer > f->most)
		warn(k, n, path.s, "%jd is taken as %jd", (intmax_t)n->integer, (intmax_t)f->most);
}

static void
walk_map(struct checker *k, const struct node *map, const struct field *fields, size_t count, struct str path)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct node_entry *e = &map->entries[i];
		struct str place = str_fmt(k->arena, STR_FMT "%s" STR_FMT, STR_ARG(path), path.n ? "." : "",
					   STR_ARG(e->key));
		size_t row = 0;

		while (row < count && fields[row].key && !str_is(e->key, fields[row].key))
			row++;
		if (row < count && fields[row].key)
			walk_value(k, &e->value, &fields[row], place);
		else
			add(k, place, e->line, e->column)->text = STR("unknown key, ignored");
	}
}

static void
check_prefixes(struct checker *k, const struct node *list)
{
	for (size_t i = 0; list && i < list->count; i++) {
		const struct node *n = &list->items[i];
		const char *path = str_fmt(k->arena, "stop.promptPrefixBlocking.prefixes[%zu]", i).s;

		if (glob_min_length(n->text) > CONCLAUDE_PROMPT_CHARS)
			warn(k, n, path,
			     "never matches: only the first %d characters of a prompt are looked at",
			     CONCLAUDE_PROMPT_CHARS);
		else if (!glob_has_wildcard(n->text))
			warn(k, n, path,
			     "matches only a prompt that is exactly '" STR_FMT
			     "'; to match its beginning write '" STR_FMT "*'",
			     STR_ARG(n->text), STR_ARG(n->text));
	}
}

static void
check_queue(struct checker *k, const struct conclaude_config *c, const struct node *queue)
{
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;
	const char *path = "stop.promptPrefixBlocking";

	if (!p)
		return;
	check_prefixes(k, node_get(queue, "prefixes"));
	if (!c->database.is_enabled) {
		warn(k, node_get(node_get(&c->root, "database"), "enabled"), "database.enabled",
		     "is false, so stop.promptPrefixBlocking does nothing");
		return;
	}
	if (p->prefixes.count == 0)
		warn(k, queue, path, "does nothing: it has no prefixes");
	else if (!conclaude_has_follow_ups(c))
		warn(k, queue, path, "does nothing: it has no message that is sent at least once");
}

static void
check_cap(struct checker *k, const struct conclaude_config *c, const struct node *stop)
{
	uint64_t sends = conclaude_sends(c), rounds = c->stop.rounds > 0 ? (uint64_t)c->stop.rounds - 1 : 0;
	const struct node *n = node_get(stop, rounds > 0 ? "rounds" : "promptPrefixBlocking");
	const struct block_cap cap = {
		.blocks = sends + rounds,
		.parts = str_fmt(k->arena, " (%ju by messages, %ju by rounds)", (uintmax_t)sends,
				 (uintmax_t)rounds),
		.title = "Claude Code",
		.cap = CLAUDE_BLOCK_CAP,
		.is_reset_by_a_tool = true,
	};

	struct str text = block_cap_text(k->arena, &cap);

	if (block_cap_is_low(&cap))
		warn(k, n, rounds > 0 ? "stop.rounds" : "stop.promptPrefixBlocking",
		     STR_FMT "; " CLAUDE_BLOCK_CAP_NAME " changes that", STR_ARG(text));
}

static bool
is_word(const struct node *n, const char *one, const char *other)
{
	return !n || n->kind == NODE_NULL || str_is(n->text, one) || str_is(n->text, other);
}

static void
check_tool_rules(struct checker *k, const struct node *list)
{
	for (size_t i = 0; list && i < list->count; i++) {
		const struct node *action = node_get(&list->items[i], "action");
		const struct node *mode = node_get(&list->items[i], "matchMode");
		const char *path = str_fmt(k->arena, "preToolUse.toolUsageValidation[%zu]", i).s;

		if (!is_word(action, "block", "allow"))
			warn(k, action, path,
			     "action '" STR_FMT "' is neither 'block' nor 'allow', so the rule does nothing",
			     STR_ARG(action->text));
		if (!is_word(mode, "full", "prefix"))
			warn(k, mode, path,
			     "matchMode '" STR_FMT
			     "' is neither 'full' nor 'prefix', so it is taken as 'full'",
			     STR_ARG(mode->text));
	}
}

void
conclaude_check(struct arena *a, const struct conclaude_config *c, struct conclaude_findings *ret)
{
	struct checker k = { .arena = a, .found = ret };
	const struct node *stop = node_get(&c->root, "stop");

	*ret = (struct conclaude_findings){ 0 };
	walk_map(&k, &c->root, conclaude_root.fields, conclaude_root.count, STR(""));
	check_queue(&k, c, node_get(stop, "promptPrefixBlocking"));
	check_tool_rules(&k, node_get(node_get(&c->root, "preToolUse"), "toolUsageValidation"));
	if (c->stop.rounds > 0 && c->stop.is_infinite)
		warn(&k, node_get(stop, "rounds"), "stop.rounds",
		     "rounds and infinite are both set: after the last round infinite mode keeps the agent, "
		     "and the stop "
		     "after that is round 1 again");
	check_cap(&k, c, stop);
}

/* An empty value, or a switch that is off, has no effect that anybody could miss. */
static bool
says_something(const struct node *n)
{
	bool found = n->kind != NODE_NULL && n->kind != NODE_LIST && n->kind != NODE_MAP &&
		     (n->kind != NODE_BOOL || n->boolean);

	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		found |= says_something(&n->items[i]);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count; i++)
		found |= says_something(&n->entries[i].value);
	return found;
}

static void
add_inactive(struct checker *k, const struct node *map, const char *before, const char *const *active)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct node_entry *e = &map->entries[i];
		size_t row = 0;

		while (active[row] && !str_is(e->key, active[row]))
			row++;
		if (!active[row] && says_something(&e->value))
			(void)add(k, str_fmt(k->arena, "%s" STR_FMT, before, STR_ARG(e->key)), e->line,
				  e->column);
	}
}

/* Of what a stop command may have, the one key that nothing is done for. */
static void
add_notifying(struct checker *k, const struct node *commands)
{
	for (size_t i = 0; commands && commands->kind == NODE_LIST && i < commands->count; i++) {
		const struct node *wish = node_get(&commands->items[i], "notifyPerCommand");

		if (wish && says_something(wish))
			(void)add(k, str_fmt(k->arena, "stop.commands[%zu].notifyPerCommand", i), wish->line,
				  wish->column);
	}
}

void
conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct conclaude_findings *ret)
{
	static const char *const rules[] = { "preventRootAdditions", NULL };
	const char *const sections[] = { "stop", "database", "preToolUse",
					 c->notifications.is_enabled ? NULL : "notifications", NULL };
	struct checker k = { .arena = a, .found = ret };
	const struct node *pre = node_get(&c->root, "preToolUse");

	*ret = (struct conclaude_findings){ 0 };
	add_notifying(&k, node_get(node_get(&c->root, "stop"), "commands"));
	if (pre)
		add_inactive(&k, pre, "preToolUse.", rules);
	add_inactive(&k, &c->root, "", sections);
}
