/* SPDX-License-Identifier: MIT */
/* Puts hooks into the text of a client's settings. It reads and writes no file, and knows no client. */
#include "client/hook_settings.h"

#include "client/settings_text.h"
#include "client/shell_words.h"
#include "base/buf.h"
#include "doc/jsonedit.h"

/* The list as it grows. */
struct lister {
	struct arena *arena;
	const struct hook_shape *shape;
	const struct node *events;
	size_t event; /* the one that is looked at */
	struct hook_list list;
	size_t capacity;
};

/* Of a key that stands twice the last counts, as it does for node_get() and for the clients. */
static bool
has_later(const struct node *map, size_t i)
{
	for (size_t k = i + 1; k < map->count; k++)
		if (str_eq(map->entries[k].key, map->entries[i].key))
			return true;
	return false;
}

static void
add_found(struct lister *l, struct hook_found found, const struct node *hook)
{
	const struct hook_shape *shape = l->shape;
	struct str command = node_get_str(hook, shape->command_key), type = node_get_str(hook, "type");
	const struct node *timeout = node_get(hook, shape->timeout_key);

	if (!command.s || (type.s && !str_is(type, "command")))
		return;
	found.command = command;
	found.kind = claude_hook_kind(l->arena, command, node_get(hook, "args"));
	/* Asked of the few that somebody acts on: a look at all events for each of them takes its time. */
	if (found.kind != HOOK_OTHER && has_later(l->events, l->event))
		return;
	found.timeout_s = timeout && timeout->kind == NODE_INT ? timeout->integer / shape->timeout_units : 0;
	arena_make_room(l->arena, l->list.items, l->list.count, &l->capacity);
	l->list.items[l->list.count++] = found;
}

static void
add_groups(struct lister *l, const struct node_entry *event)
{
	const struct node *groups = &event->value;

	for (size_t g = 0; groups->kind == NODE_LIST && g < groups->count; g++) {
		struct hook_found found = { .event = event->key, .group = g };
		const struct node *hooks = node_get(&groups->items[g], "hooks");

		if (!l->shape->has_groups) {
			add_found(l, found, &groups->items[g]);
			continue;
		}
		for (; hooks && hooks->kind == NODE_LIST && found.index < hooks->count; found.index++)
			add_found(l, found, &hooks->items[found.index]);
	}
}

struct hook_list
hook_settings_list(struct arena *a, const struct hook_shape *shape, const struct node *settings)
{
	struct lister l = { .arena = a, .shape = shape, .events = node_get(settings, "hooks") };

	if (!l.events || l.events->kind != NODE_MAP)
		return l.list;
	for (; l.event < l.events->count; l.event++)
		add_groups(&l, &l.events->entries[l.event]);
	return l.list;
}

static struct str
place_of(struct arena *a, const char *event)
{
	return str_fmt(a, "hooks.%s", event);
}

/* The lines of a value, those behind the first moved in by two blanks. */
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
command_of(struct arena *a, struct str program, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, program);

	return str_fmt(a, "%s" STR_FMT " %s", w->is_exec ? "exec " : "", STR_ARG(word), w->words);
}

/* The hook, in its group where there are groups. */
static struct str
entry_text(struct arena *a, const struct hooks_request *r, const struct hook_wanted *w)
{
	const struct hook_shape *shape = r->shape;
	struct str command = settings_json_string(a, command_of(a, r->program, w));
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_add(&b, STR("{\n"));
	if (shape->has_type)
		buf_add(&b, STR("  \"type\": \"command\",\n"));
	buf_addf(&b, "  \"%s\": " STR_FMT ",\n  \"%s\": %lld", shape->command_key, STR_ARG(command),
		 shape->timeout_key, (long long)(w->timeout_s * shape->timeout_units));
	if (w->more)
		buf_addf(&b, ",\n  %s", w->more);
	buf_add(&b, STR("\n}"));
	if (!shape->has_groups)
		return buf_str(&b);
	struct str hook = indented(a, indented(a, buf_str(&b)));

	return str_fmt(a, "{\n  \"hooks\": [\n    " STR_FMT "\n  ]\n}", STR_ARG(hook));
}

static struct str
event_text(struct arena *a, const struct hooks_request *r, const struct hook_wanted *w)
{
	struct str entry = indented(a, entry_text(a, r, w));

	return str_fmt(a, "[\n  " STR_FMT "\n]", STR_ARG(entry));
}

static struct str
hooks_text(struct arena *a, const struct hooks_request *r)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_addc(&b, '{');
	for (size_t i = 0; i < r->count; i++) {
		struct str event = indented(a, event_text(a, r, &r->wanted[i]));

		buf_addf(&b, "%s\n  \"%s\": " STR_FMT, i > 0 ? "," : "", r->wanted[i].event, STR_ARG(event));
	}
	buf_add(&b, STR("\n}"));
	return buf_str(&b);
}

/* One registration under way: the text as it is by now. */
struct edit {
	struct arena *arena;
	const struct hooks_request *request;
	struct str text;
	enum hook_kind kind; /* of the hooks that are ours */
	struct settings_made *made;
	struct err *err;
};

/* The command with our program as its first word; unchanged where something else than holdfast is run first. */
static struct str
with_program(struct edit *e, const struct hook_found *found, const struct node *args)
{
	struct str program = e->request->program;
	struct shell_word first;

	if (!claude_hook_is_plain(e->arena, found->command, args, &first) || str_eq(first.text, program))
		return found->command;
	if (args)
		return program;
	struct str word = shell_quote(e->arena, program);
	struct str before = str_sub(found->command, 0, first.from);
	struct str rest = str_sub(found->command, first.to, found->command.n);

	return str_fmt(e->arena, STR_FMT STR_FMT STR_FMT, STR_ARG(before), STR_ARG(word), STR_ARG(rest));
}

/* The path to a hook, with room for one of its members; how many steps it has. */
#define HOOK_PATH_MAX 6
static size_t
hook_path(const struct hook_shape *shape, const char *event, const struct hook_found *f,
	  struct jsonedit_step path[HOOK_PATH_MAX])
{
	path[0] = (struct jsonedit_step)STEP("hooks");
	path[1] = (struct jsonedit_step)STEP(event);
	path[2] = (struct jsonedit_step)AT(f->group);
	if (!shape->has_groups)
		return 3;
	path[3] = (struct jsonedit_step)STEP("hooks");
	path[4] = (struct jsonedit_step)AT(f->index);
	return 5;
}

static int
update_hook(struct edit *e, const struct node *hook, const struct hook_found *found,
	    const struct hook_wanted *w, struct hook_change *change)
{
	const struct hook_shape *shape = e->request->shape;
	struct jsonedit_step path[HOOK_PATH_MAX];
	size_t depth = hook_path(shape, w->event, found, path);
	struct str command = with_program(e, found, node_get(hook, "args"));
	struct str time = str_fmt(e->arena, "%lld", (long long)(w->timeout_s * shape->timeout_units));

	*change = (struct hook_change){ w->event, CHANGE_NONE, command };
	path[depth] = (struct jsonedit_step)STEP(shape->command_key);
	if (!str_eq(command, found->command)) {
		change->kind = CHANGE_UPDATED;
		if (jsonedit_replace(e->arena, e->text, path, depth + 1,
				     settings_json_string(e->arena, command), &e->text, e->err) < 0)
			return -1;
	}
	if (found->timeout_s == w->timeout_s)
		return 0;
	change->kind = CHANGE_UPDATED;
	path[depth].key = shape->timeout_key;
	if (node_get(hook, shape->timeout_key))
		return jsonedit_replace(e->arena, e->text, path, depth + 1, time, &e->text, e->err);
	return jsonedit_append(e->arena, e->text, path, depth, shape->timeout_key, time, &e->text, e->err);
}

static int
add_hook(struct edit *e, const struct node *groups, const struct hook_wanted *w)
{
	const struct jsonedit_step path[] = { STEP("hooks"), STEP(w->event) };

	if (!groups) {
		settings_made_note(e->made, place_of(e->arena, w->event), STR_NONE);
		return jsonedit_append(e->arena, e->text, path, 1, w->event,
				       event_text(e->arena, e->request, w), &e->text, e->err);
	}
	if (settings_is_empty(groups))
		settings_made_note(e->made, place_of(e->arena, w->event), jsonedit_find(e->text, path, 2));
	return jsonedit_append(e->arena, e->text, path, 2, NULL, entry_text(e->arena, e->request, w),
			       &e->text, e->err);
}

static const struct hook_found *
find_ours(const struct hook_list *list, enum hook_kind kind, const char *event)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == kind && str_is(list->items[i].event, event))
			return &list->items[i];
	return NULL;
}

static const struct node *
hook_node(const struct hook_shape *shape, const struct node *groups, const struct hook_found *f)
{
	const struct node *entry = &groups->items[f->group];

	return shape->has_groups ? &node_get(entry, "hooks")->items[f->index] : entry;
}

static int
put_hook(struct edit *e, const struct node *hooks, const struct hook_list *list, const struct hook_wanted *w,
	 struct hook_change *change)
{
	const struct node *groups = node_get(hooks, w->event);
	const struct hook_found *found = find_ours(list, e->kind, w->event);

	if (groups && groups->kind != NODE_LIST)
		return err_set(e->err, ERR_VALUE, "%d:%d: hooks.%s: expected a list, found %s", groups->line,
			       groups->column, w->event, node_kind_name(groups->kind));
	if (found)
		return update_hook(e, hook_node(e->request->shape, groups, found), found, w, change);
	*change = (struct hook_change){ w->event, CHANGE_ADDED,
					command_of(e->arena, e->request->program, w) };
	return add_hook(e, groups, w);
}

enum hook_kind
hook_wanted_kind(struct arena *a, struct str program, const struct hook_wanted *w)
{
	return claude_hook_kind(a, command_of(a, program, w), NULL) == HOOK_CONCLAUDE ? HOOK_CONCLAUDE
										      : HOOK_HOLDFAST;
}

/* The version that the client asks for, where the document has none. */
static int
put_version(struct edit *e, const struct node *root)
{
	const struct hook_shape *shape = e->request->shape;

	if (shape->version == 0 || node_get(root, "version"))
		return 0;
	settings_made_note(e->made, STR("version"), STR_NONE);
	return jsonedit_append(e->arena, e->text, NULL, 0, "version", str_fmt(e->arena, "%d", shape->version),
			       &e->text, e->err);
}

static int
put_all_hooks(struct edit *e, struct hook_change *changes)
{
	const struct hooks_request *r = e->request;

	settings_made_note(e->made, STR("hooks"), STR_NONE);
	for (size_t i = 0; i < r->count; i++) {
		settings_made_note(e->made, place_of(e->arena, r->wanted[i].event), STR_NONE);
		changes[i] = (struct hook_change){ r->wanted[i].event, CHANGE_ADDED,
						   command_of(e->arena, r->program, &r->wanted[i]) };
	}
	return jsonedit_append(e->arena, e->text, NULL, 0, "hooks", hooks_text(e->arena, r), &e->text,
			       e->err);
}

int
hook_settings_register(struct arena *a, struct str text, const struct hooks_request *r,
		       struct hook_change *changes, struct settings_made *made, struct str *ret,
		       struct err *err)
{
	struct edit e = { .arena = a, .request = r, .made = made, .err = err };
	const struct jsonedit_step path[] = { STEP("hooks") };
	struct node root;

	e.kind = r->count > 0 ? hook_wanted_kind(a, r->program, &r->wanted[0]) : HOOK_HOLDFAST;
	if (settings_open(a, text, &e.text, &root, err) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	struct hook_list list = hook_settings_list(a, r->shape, &root);

	if (hooks && hooks->kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "%d:%d: hooks: expected an object, found %s", hooks->line,
			       hooks->column, node_kind_name(hooks->kind));
	settings_note_document(made, text, &root);
	if (put_version(&e, &root) < 0)
		return -1;
	if (!hooks) {
		if (put_all_hooks(&e, changes) < 0)
			return -1;
		*ret = e.text;
		return 0;
	}
	if (settings_is_empty(hooks))
		settings_made_note(made, STR("hooks"), jsonedit_find(e.text, path, 1));
	for (size_t i = 0; i < r->count; i++)
		if (put_hook(&e, hooks, &list, &r->wanted[i], &changes[i]) < 0)
			return -1;
	*ret = e.text;
	return 0;
}

/* Takes the last hook of ours for the events out; false when there is none. */
static int
remove_one(struct arena *a, const struct hook_shape *shape, struct str *text, const struct hook_filter *which,
	   const struct settings_made *made, bool *ret_is_removed, struct err *err)
{
	struct node root;

	*ret_is_removed = false;
	if (jsonedit_check(a, *text, &root, err) < 0)
		return -1;
	struct hook_list list = hook_settings_list(a, shape, &root);

	for (size_t i = list.count; i-- > 0;) {
		const struct hook_found *f = &list.items[i];
		struct jsonedit_step path[HOOK_PATH_MAX];
		const char *event;

		if (f->kind != which->kind || (which->events && !str_set_has(which->events, f->event)))
			continue;
		if (str_cz(a, f->event, &event, err) < 0)
			return -1;
		size_t depth = hook_path(shape, event, f, path);
		const struct node *groups = node_get(node_get(&root, "hooks"), event);
		bool is_alone = !shape->has_groups || node_get(&groups->items[f->group], "hooks")->count == 1;

		*ret_is_removed = true;
		if (jsonedit_remove(a, *text, path, is_alone ? 3 : depth, text, err) < 0)
			return -1;
		if (!is_alone || groups->count > 1)
			return 0;
		return settings_tidy_member(a, text, path, 2, place_of(a, event), made, err);
	}
	return 0;
}

/* What the hooks leave behind. */
static int
tidy(struct arena *a, const struct hook_shape *shape, struct str *text, const struct settings_made *made,
     struct err *err)
{
	const struct jsonedit_step hooks[] = { STEP("hooks") }, version[] = { STEP("version") };
	struct node root;

	if (jsonedit_check(a, *text, &root, err) < 0)
		return -1;
	if (settings_is_empty(node_get(&root, "hooks")) &&
	    settings_tidy_member(a, text, hooks, 1, STR("hooks"), made, err) < 0)
		return -1;
	if (jsonedit_check(a, *text, &root, err) < 0)
		return -1;
	const struct node *left = node_get(&root, "hooks");
	/* Hooks that were there before us did without a version; others may be there because of it. */
	bool is_unused = !left || settings_is_empty(left) || !settings_was_noted(made, STR("hooks"));

	if (shape->version > 0 && is_unused && settings_was_absent(made, STR("version")) &&
	    node_get(&root, "version") && jsonedit_remove(a, *text, version, 1, text, err) < 0)
		return -1;
	if (jsonedit_check(a, *text, &root, err) < 0)
		return -1;
	*text = settings_tidy_document(*text, &root, made);
	return 0;
}

int
hook_settings_remove(struct arena *a, const struct hook_shape *shape, struct str text,
		     const struct hook_filter *which, const struct settings_made *made, size_t *ret_removed,
		     struct str *ret, struct err *err)
{
	bool is_removed = true;
	size_t removed = 0;

	while (is_removed) {
		if (remove_one(a, shape, &text, which, made, &is_removed, err) < 0)
			return -1;
		removed += is_removed;
	}
	if (removed > 0 && tidy(a, shape, &text, made, err) < 0)
		return -1;
	*ret_removed = removed;
	*ret = text;
	return 0;
}
