/* SPDX-License-Identifier: MIT */
/* Adds and updates hooks and variables in a settings text. Before something is put into an empty or missing
 * object or list, that is noted, so that its removal restores the same bytes. */
#include "install/settings_edit.h"

#include "base/path.h"
#include "doc/json.h"
#include "doc/jsonedit.h"

static int
expect(const struct node *n, enum node_kind kind, const char *what, struct err *err)
{
	if (!n || n->kind == kind)
		return 0;
	return err_at(err, ERR_VALUE, n->line, n->column, "%s: expected %s, found %s", what,
		      kind == NODE_MAP ? "an object" : "a list", node_kind_name(n->kind));
}

/* Notes what the place contained before the edit; absent: nothing. */
static void
note_old(struct settings_edit *e, struct str place, struct str text)
{
	if (!undo_log_find(e->undo, place))
		undo_log_add(e->undo,
			     (struct undo_entry){ str_copy(e->arena, place),
						  text.s ? str_copy(e->arena, text) : STR_NONE, STR_NONE });
}

/* Opens the text for additions; a blank one becomes an empty document. */
static int
open_for_additions(struct settings_edit *e, struct arena *scratch, struct jsonedit *ret, struct err *err)
{
	if (jsonedit_open(scratch, str_trim(e->text).n == 0 ? STR("{}\n") : e->text, ret, err) < 0)
		return -1;
	if (ret->root.count == 0)
		note_old(e, STR(""), e->text);
	return 0;
}

/* Notes the object or list (NULL: it is missing) if it is empty. */
static void
note_if_empty(struct settings_edit *e, const struct jsonedit *j, struct str place, const struct node *n)
{
	if (!n)
		note_old(e, place, STR_NONE);
	else if (n->count == 0)
		note_old(e, place, str_sub(j->edit.text, n->span.begin, n->span.end));
}

static void
apply(struct settings_edit *e, struct jsonedit *j)
{
	if (j->edit.count > 0)
		e->text = edit_apply(&j->edit, e->arena);
}

/* Which hooks count as the program's own: conclaude's, or else holdfast's, whatever this program's file is called. */
static enum hook_kind
kind_of(struct arena *a, struct str command)
{
	return hook_kind_of(a, command, NULL) == HOOK_CONCLAUDE ? HOOK_CONCLAUDE : HOOK_HOLDFAST;
}

/* ---- the text of new hooks, laid out as jsonedit_append() expects it ---- */

static struct str
json_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	json_add_string(&b, x);
	return buf_str(&b);
}

static struct str
indented(struct arena *a, struct str value)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	for (size_t i = 0; i < value.n; i++) {
		buf_addc(&b, value.s[i]);
		if (value.s[i] == '\n')
			buf_add(&b, STR("  "));
	}
	return buf_str(&b);
}

static struct str
hook_command_line(struct arena *a, const struct hooks_request *r, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, r->program);

	if (!r->is_guarded)
		return str_fmt(a, STR_FMT " %s", STR_ARG(word), w->words);
	return str_fmt(a, STR_FMT "%s" STR_FMT " %s%s", STR_ARG(hook_guard(a, word)),
		       w->always_succeeds ? "" : "exec ", STR_ARG(word), w->words,
		       w->always_succeeds ? " || true" : "");
}

static struct str
hook_text(struct arena *a, const struct hook_shape *shape, const struct hooks_request *r,
	  const struct hook_wanted *w)
{
	struct str command = json_string(a, hook_command_line(a, r, w));
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_add(&b, STR("{\n"));
	if (shape->has_type)
		buf_add(&b, STR("  \"type\": \"command\",\n"));
	buf_addf(&b, "  \"%s\": " STR_FMT ",\n  \"%s\": %lld", shape->command_key, STR_ARG(command),
		 shape->timeout_key, (long long)(w->timeout_s * shape->timeout_units));
	if (w->more)
		buf_addf(&b, ",\n  %s", w->more);
	if (w->status_message)
		buf_addf(&b, ",\n  \"" STATUS_KEY "\": " STR_FMT,
			 STR_ARG(json_string(a, str_from(w->status_message))));
	buf_add(&b, STR("\n}"));
	if (!shape->has_groups)
		return buf_str(&b);
	struct str hook = indented(a, indented(a, buf_str(&b)));

	struct str matcher = w->matcher ? str_fmt(a, "\n  \"matcher\": " STR_FMT ",",
						  STR_ARG(json_string(a, str_from(w->matcher))))
					: STR("");

	return str_fmt(a, "{" STR_FMT "\n  \"hooks\": [\n    " STR_FMT "\n  ]\n}", STR_ARG(matcher),
		       STR_ARG(hook));
}

static struct str
hook_event_text(struct arena *a, const struct hook_shape *shape, const struct hooks_request *r,
		const struct hook_wanted *w)
{
	struct str hook = indented(a, hook_text(a, shape, r, w));

	return str_fmt(a, "[\n  " STR_FMT "\n]", STR_ARG(hook));
}

static struct str
hooks_text(struct arena *a, const struct hook_shape *shape, const struct hooks_request *r)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_addc(&b, '{');
	for (size_t i = 0; i < r->count; i++) {
		struct str event = indented(a, hook_event_text(a, shape, r, &r->wanted[i]));

		buf_addf(&b, "%s\n  \"%s\": " STR_FMT, i > 0 ? "," : "", r->wanted[i].event, STR_ARG(event));
	}
	buf_add(&b, STR("\n}"));
	return buf_str(&b);
}

/* ---- registering ---- */

/* The hook's command with our program as its first word, and with the guard if wanted; unchanged where it runs something else
 * first. */
static struct str
command_wanted(struct arena *a, const struct hook_entry *found, const struct node *args,
	       const struct hooks_request *r)
{
	struct str command = found->command;
	struct shell_word first;

	if (!hook_runs_holdfast_first(a, command, args, &first))
		return command;
	if (args)
		return str_eq(first.text, r->program) ? command : r->program;
	size_t guard = hook_guard_length(a, command);
	struct str before = str_sub(command, guard, first.from);
	struct str word = str_eq(first.text, r->program) ? str_sub(command, first.from, first.to)
							 : shell_quote(a, r->program);
	bool is_guarded = guard > 0 || r->is_guarded;

	if (guard == 0 && is_guarded && before.n == 0 && found->is_plain)
		before = STR("exec ");
	return str_fmt(a, STR_FMT STR_FMT STR_FMT STR_FMT,
		       STR_ARG(is_guarded ? hook_guard(a, word) : STR("")), STR_ARG(before), STR_ARG(word),
		       STR_ARG(str_sub(command, first.to, command.n)));
}

/* A registration in progress: the edit, and what is added to the document and to its hooks when all hooks are known. */
struct registering {
	struct settings_edit *settings;
	struct jsonedit edit;
	struct arena *scratch;
	const struct node *hooks; /* NULL: the document has none */
	struct hook_list list;
	struct json_item members[2], *events;
	size_t member_count, event_count;
};

/* Changes a member of a hook that is there, and notes what it was and what it is now. */
static void
set_member(struct registering *g, const struct node *hook, const char *key, struct str value,
	   struct hook_change *change)
{
	struct arena *a = g->settings->arena;
	const struct node *old = node_get(hook, key);
	struct str was = old ? str_sub(g->edit.edit.text, old->span.begin, old->span.end) : STR_NONE;

	change->kind = CHANGE_UPDATED;
	change->old = str_fmt(a, STR_FMT "%s%s was " STR_FMT, STR_ARG(change->old), change->old.s ? ", " : "",
			      key, STR_ARG(was.s ? was : STR("missing")));
	if (g->settings->undo)
		undo_log_add(g->settings->undo,
			     (struct undo_entry){ str_fmt(a, "%s.%s", change->event, key),
						  was.s ? str_copy(a, was) : STR_NONE, str_copy(a, value) });
	if (old)
		jsonedit_replace(&g->edit, old, value);
	else
		jsonedit_append(&g->edit, hook, &(struct json_item){ key, value }, 1);
}

/* Is the hook's status message missing, or an older one of ours? */
static bool
is_status_ours(const struct node *hook)
{
	const struct node *n = node_get(hook, STATUS_KEY);

	return !n || str_starts(n->text, STR(STATUS_PREFIX));
}

static void
set_status(struct registering *g, const struct node *hook, const char *message, struct hook_change *change)
{
	if (message && is_status_ours(hook) && !str_is(node_get_str(hook, STATUS_KEY), message))
		set_member(g, hook, STATUS_KEY, json_string(g->scratch, str_from(message)), change);
}

static const struct node *
hook_at(const struct registering *g, const struct node *groups, const struct hook_entry *found)
{
	const struct node *group = &groups->items[found->group];

	return g->settings->shape->has_groups ? &node_get(group, "hooks")->items[found->index] : group;
}

/* The matcher of a group that has no other hook; an empty one lets everything through. A matcher of the user's for an event that
 * is always registered stays. */
static void
set_matcher(struct registering *g, const struct node *group, const struct hook_wanted *w,
	    struct hook_change *change)
{
	const struct node *hooks = node_get(group, "hooks");
	struct str now = node_get_str(group, "matcher"), wanted = w->matcher ? str_from(w->matcher) : STR("");

	if (!g->settings->shape->has_groups || !hooks || hooks->count != 1 || str_eq(now, wanted) ||
	    (!w->matcher && (now.n == 0 || !w->is_optional)))
		return;
	set_member(g, group, "matcher", json_string(g->scratch, wanted), change);
}

/* Gives the program's hook in the groups of an event the wanted program, timeout and status message. */
static void
update_hook(struct registering *g, const struct node *groups, const struct hook_entry *found,
	    const struct hooks_request *r, const struct hook_wanted *w, struct hook_change *change)
{
	const struct hook_shape *shape = g->settings->shape;
	const struct node *hook = hook_at(g, groups, found);
	struct str now = command_wanted(g->scratch, found, node_get(hook, "args"), r);

	change->kind = CHANGE_NONE;
	change->command = str_copy(g->settings->arena, now);
	if (!str_eq(now, found->command))
		set_member(g, hook, shape->command_key, json_string(g->scratch, now), change);
	if (found->timeout_s != w->timeout_s)
		set_member(g, hook, shape->timeout_key,
			   str_fmt(g->scratch, "%lld", (long long)(w->timeout_s * shape->timeout_units)),
			   change);
	set_status(g, hook, w->status_message, change);
	set_matcher(g, &groups->items[found->group], w, change);
}

static int
put_hook(struct registering *g, const struct hooks_request *r, const struct hook_wanted *w,
	 struct hook_change *change, struct err *err)
{
	const struct hook_shape *shape = g->settings->shape;
	const struct node *groups = node_get(g->hooks, w->event);
	struct str place = str_fmt(g->settings->arena, "%s.%s", hooks_key(shape), w->event);

	*change = (struct hook_change){ w->event, CHANGE_ADDED, hook_command_line(g->settings->arena, r, w),
					STR_NONE };
	if (expect(groups, NODE_LIST, place.s, err) < 0)
		return -1;
	enum hook_kind kind = kind_of(g->scratch, change->command);

	for (size_t i = 0; i < g->list.count; i++) {
		if (g->list.items[i].kind == kind && str_is(g->list.items[i].event, w->event)) {
			update_hook(g, groups, &g->list.items[i], r, w, change);
			return 0;
		}
	}
	note_if_empty(g->settings, &g->edit, place, groups);
	if (groups) {
		struct json_item item = { NULL, hook_text(g->scratch, shape, r, w) };

		jsonedit_append(&g->edit, groups, &item, 1);
	} else if (g->hooks) {
		g->events[g->event_count++] = (struct json_item){ w->event,
								  hook_event_text(g->scratch, shape, r, w) };
	}
	return 0;
}

int
settings_edit_register(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
		       struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct registering g = { .settings = e, .scratch = &scratch };
	const char *key = hooks_key(e->shape);

	if (open_for_additions(e, &scratch, &g.edit, err) < 0)
		return -1;
	g.hooks = node_get(&g.edit.root, key);
	g.list = hooks_list(&scratch, e->shape, &g.edit.root);
	g.events = arena_array(&scratch, r->count, struct json_item);
	if (expect(g.hooks, NODE_MAP, key, err) < 0)
		return -1;
	if (e->shape->version > 0 && !node_get(&g.edit.root, "version")) {
		note_old(e, STR("version"), STR_NONE);
		g.members[g.member_count++] = (struct json_item){ "version", str_fmt(&scratch, "%d",
										     e->shape->version) };
	}
	note_if_empty(e, &g.edit, str_from(key), g.hooks);
	for (size_t i = 0; i < r->count; i++)
		if (put_hook(&g, r, &r->wanted[i], &changes[i], err) < 0)
			return -1;
	if (g.hooks)
		jsonedit_append(&g.edit, g.hooks, g.events, g.event_count);
	else
		g.members[g.member_count++] = (struct json_item){ key, hooks_text(&scratch, e->shape, r) };
	jsonedit_append(&g.edit, &g.edit.root, g.members, g.member_count);
	apply(e, &g.edit);
	return 0;
}

int
settings_edit_set_status(struct settings_edit *e, const char *event, const char *message, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct registering g = { .settings = e, .scratch = &scratch };
	struct hook_change change = { .event = event };

	if (open_for_additions(e, &scratch, &g.edit, err) < 0)
		return -1;
	const struct node *groups = node_get(node_get(&g.edit.root, hooks_key(e->shape)), event);

	g.list = hooks_list(&scratch, e->shape, &g.edit.root);
	for (size_t i = 0; i < g.list.count; i++)
		if (g.list.items[i].kind == HOOK_HOLDFAST && str_is(g.list.items[i].event, event))
			set_status(&g, hook_at(&g, groups, &g.list.items[i]), message, &change);
	apply(e, &g.edit);
	return 0;
}

/* ---- replacing older forms ---- */

/* Does the command begin with the program, whatever its path? */
static bool
has_no_wrapper(struct arena *a, const struct hook_entry *f)
{
	struct shell_words words = shell_words(a, f->command);
	struct str program = words.count > 0 && words.items[0].text.s ? words.items[0].text : STR("");
	struct str alone = str_fmt(a, STR_FMT " Stop", STR_ARG(shell_quote(a, program)));

	return hook_kind_of(a, alone, NULL) == f->kind;
}

/* Are there hooks of that kind for the event, none of them wrapped, that differ from the wanted one? */
static bool
is_stale(struct arena *a, const struct hook_list *list, struct str command, const struct hook_wanted *w)
{
	enum hook_kind kind = kind_of(a, command);
	size_t exact = 0, others = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct hook_entry *f = &list->items[i];

		if (f->kind != kind || !str_is(f->event, w->event))
			continue;
		if (!has_no_wrapper(a, f))
			return false;
		bool is_exact = str_eq(f->command, command) && f->timeout_s == w->timeout_s;

		exact += is_exact;
		others += !is_exact;
	}
	return others > 0 || exact > 1;
}

int
settings_edit_renew(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
		    struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct settings_edit result = *e;
	struct name_set stale = { 0 };
	struct hook_filter which = { .events = &stale };
	struct jsonedit j;
	size_t removed;

	if (open_for_additions(&result, &scratch, &j, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &j.root);

	for (size_t i = 0; i < r->count; i++) {
		struct str command = hook_command_line(e->arena, r, &r->wanted[i]);

		which.kind = kind_of(e->arena, command);
		if (is_stale(&scratch, &list, command, &r->wanted[i]))
			name_set_add(e->arena, &stale, str_from(r->wanted[i].event));
	}
	arena_free(&scratch);
	if (stale.count > 0 && settings_edit_remove(&result, &which, &removed, err) < 0)
		return -1;
	if (settings_edit_register(&result, r, changes, err) < 0)
		return -1;
	for (size_t i = 0; i < r->count; i++)
		if (name_set_has(&stale, str_from(r->wanted[i].event)))
			changes[i].kind = CHANGE_UPDATED;
	e->text = result.text;
	return 0;
}

/* ---- environment ---- */

struct str
settings_env(const struct node *settings, const char *name)
{
	const struct node *value = node_get(node_get(settings, "env"), name);

	return value ? value->text : STR_NONE;
}

/* Sets a member of an object of the document, adding the object where it is missing. `value` is laid out as
 * jsonedit_append() expects it. */
static int
set_in_object(struct settings_edit *e, const char *object, const char *name, struct str value,
	      struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct json_item member = { name, value };
	struct jsonedit j;

	if (open_for_additions(e, &scratch, &j, err) < 0)
		return -1;
	const struct node *map = node_get(&j.root, object), *old = node_get(map, name);

	if (expect(map, NODE_MAP, object, err) < 0)
		return -1;
	note_if_empty(e, &j, str_from(object), map);
	if (old) {
		jsonedit_replace(&j, old, value);
	} else if (map) {
		jsonedit_append(&j, map, &member, 1);
	} else {
		struct str text = str_fmt(&scratch, "{\n  \"%s\": " STR_FMT "\n}", name,
					  STR_ARG(indented(&scratch, value)));

		jsonedit_append(&j, &j.root, &(struct json_item){ object, text }, 1);
	}
	apply(e, &j);
	return 0;
}

int
settings_edit_set_env(struct settings_edit *e, const char *name, struct str value, struct err *err)
{
	return set_in_object(e, "env", name, json_string(e->arena, value), err);
}

/* ---- the server ---- */

const struct node *
settings_server(const struct node *settings, struct str *ret_command)
{
	const struct node *server = node_get(node_get(settings, SERVERS_KEY), SERVER_NAME);
	const struct node *args = node_get(server, "args");
	struct str command = node_get_str(server, "command");

	*ret_command = str_is(path_base(command), "holdfast") && args && args->kind == NODE_LIST &&
				       args->count > 0 && str_is(args->items[0].text, "mcp")
			       ? command
			       : STR_NONE;
	return server;
}

int
settings_edit_add_server(struct settings_edit *e, struct str command, struct err *err)
{
	struct str text = str_fmt(e->arena, "{\n  \"command\": " STR_FMT ",\n  \"args\": [\"mcp\"]\n}",
				  STR_ARG(json_string(e->arena, command)));

	return set_in_object(e, SERVERS_KEY, SERVER_NAME, text, err);
}
