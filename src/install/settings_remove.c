/* SPDX-License-Identifier: MIT */
/* Removes hooks and variables from a settings text, and restores what the undo log has noted. */
#include "install/settings_edit.h"

#include "doc/jsonedit.h"

/* Only used on texts without strings in them. */
static bool
differ_in_blanks_only(struct str a, struct str b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && str_is_blank(a.s[i]))
			i++;
		while (k < b.n && str_is_blank(b.s[k]))
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (a.s[i++] != b.s[k++])
			return false;
	}
}

/* A set of members or elements to be removed. */
struct marks {
	const struct node *list;
	bool *is_marked;
	size_t left; /* how many stay */
};

static struct marks
marks_of(struct jsonedit *j, const struct node *list)
{
	return (struct marks){ list, arena_array(j->edit.arena, list->count, bool), list->count };
}

static void
mark(struct marks *m, size_t nth)
{
	m->left -= !m->is_marked[nth];
	m->is_marked[nth] = true;
}

/* The member with that key, the last where it is there twice; the number of members where there is none. */
static size_t
find_member(const struct node *map, struct str key)
{
	for (size_t i = map->count; i-- > 0;)
		if (str_eq(map->entries[i].key, key))
			return i;
	return map->count;
}

static void
mark_key(struct marks *m, const char *key)
{
	size_t nth = find_member(m->list, str_from(key));

	if (nth < m->list->count)
		mark(m, nth);
}

/* Removes what is marked. If nothing is left and the place was empty before the registration, it gets its old text.
 * Returns true, and removes nothing, if it was missing: then its member is to be removed. */
static bool
remove_marked(struct settings_edit *e, struct jsonedit *j, const struct marks *m, struct str place)
{
	const struct undo_entry *was = undo_log_find(e->undo, place);

	if (m->left == 0 && (!e->undo || (was && !was->text.s)))
		return true;
	jsonedit_remove(j, m->list, m->is_marked);
	if (m->left == 0 && was &&
	    differ_in_blanks_only(edit_apply_span(&j->edit, j->edit.arena, m->list->span), was->text))
		jsonedit_replace(j, m->list, was->text);
	return false;
}

/* Applies the edit, of which the last step is to remove members of the document. If nothing is left in it, it becomes
 * what it was before the registration. */
static void
apply_removal(struct settings_edit *e, struct jsonedit *j, const struct marks *members)
{
	const struct undo_entry *was = undo_log_find(e->undo, STR(""));

	jsonedit_remove(j, members->list, members->is_marked);
	if (j->edit.count > 0)
		e->text = edit_apply(&j->edit, e->arena);
	if (was && members->left == 0 &&
	    differ_in_blanks_only(e->text, str_trim(was->text).n == 0 ? STR("{}") : was->text))
		e->text = was->text;
}

/* Removes the hooks of one event, which are those from *at on. */
static void
remove_of_event(struct settings_edit *e, struct jsonedit *j, const struct hook_list *list, size_t *at,
		struct marks *events)
{
	struct str event = list->items[*at].event;
	size_t nth = find_member(events->list, event);
	const struct node *groups = &events->list->entries[nth].value;
	struct marks marks = marks_of(j, groups);

	while (*at < list->count && str_eq(list->items[*at].event, event)) {
		size_t group = list->items[*at].group;

		if (!e->shape->has_groups) {
			mark(&marks, group);
			(*at)++;
			continue;
		}
		struct marks hooks = marks_of(j, node_get(&groups->items[group], "hooks"));

		for (; *at < list->count && str_eq(list->items[*at].event, event) &&
		       list->items[*at].group == group;
		     (*at)++)
			mark(&hooks, list->items[*at].index);
		if (hooks.left == 0)
			mark(&marks, group);
		else
			jsonedit_remove(j, hooks.list, hooks.is_marked);
	}
	if (remove_marked(e, j, &marks,
			  str_fmt(j->edit.arena, "%s." STR_FMT, hooks_key(e->shape), STR_ARG(event))))
		mark(events, nth);
}

int
settings_edit_remove(struct settings_edit *e, const struct hook_filter *which, size_t *ret_removed,
		     struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct undo_entry *version = undo_log_find(e->undo, STR("version"));
	const char *key = hooks_key(e->shape);
	struct jsonedit j;

	if (jsonedit_open(&scratch, e->text, &j, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &j.root);
	size_t count = 0;

	for (size_t i = 0; i < list.count; i++) {
		const struct hook_entry *f = &list.items[i];

		if (f->kind == which->kind && (!which->events || name_set_has(which->events, f->event)))
			list.items[count++] = *f;
	}
	list.count = *ret_removed = count;
	if (count == 0)
		return 0;
	struct marks members = marks_of(&j, &j.root), events = marks_of(&j, node_get(&j.root, key));

	for (size_t i = 0; i < count;)
		remove_of_event(e, &j, &list, &i, &events);
	if (remove_marked(e, &j, &events, str_from(key)))
		mark_key(&members, key);
	/* Hooks from before our registration did without a version; later ones may need it. */
	if (version && !version->text.s && (events.left == 0 || !undo_log_find(e->undo, str_from(key))))
		mark_key(&members, "version");
	apply_removal(e, &j, &members);
	return 0;
}

/* Gives one member of a hook its old text; false where it is not what the registration made it. */
static bool
restore_member(struct settings_edit *e, struct jsonedit *j, const struct node *hook, const char *event,
	       const char *key)
{
	const struct undo_entry *was = undo_log_find(e->undo, str_fmt(j->edit.arena, "%s.%s", event, key));
	const struct node *now = node_get(hook, key);

	if (!was || !was->now.s || !now ||
	    !str_eq(was->now, str_sub(j->edit.text, now->span.begin, now->span.end)))
		return false;
	if (was->text.s) {
		jsonedit_replace(j, now, was->text);
		return true;
	}
	struct marks members = marks_of(j, hook);

	mark_key(&members, key);
	jsonedit_remove(j, hook, members.is_marked);
	return true;
}

int
settings_edit_restore(struct settings_edit *e, size_t *ret_restored, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct jsonedit j;

	*ret_restored = 0;
	if (!e->undo || str_trim(e->text).n == 0)
		return 0;
	if (jsonedit_open(&scratch, e->text, &j, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &j.root);

	for (size_t i = 0; i < list.count; i++) {
		const struct hook_entry *f = &list.items[i];
		const char *event = str_copy(&scratch, f->event).s;
		const struct node *groups = node_get(node_get(&j.root, hooks_key(e->shape)), event);
		const struct node *group = &groups->items[f->group];
		const struct node *hook = e->shape->has_groups ? &node_get(group, "hooks")->items[f->index]
							       : group;

		if (f->kind != HOOK_HOLDFAST)
			continue;
		bool is_command_old = restore_member(e, &j, hook, event, e->shape->command_key);
		bool is_timeout_old = restore_member(e, &j, hook, event, e->shape->timeout_key);
		bool is_status_old = restore_member(e, &j, hook, event, STATUS_KEY);

		*ret_restored += is_command_old || is_timeout_old || is_status_old;
	}
	if (j.edit.count > 0)
		e->text = edit_apply(&j.edit, e->arena);
	return 0;
}

/* Removes a member of an object of the document. */
static void
remove_from_object(struct settings_edit *e, struct jsonedit *j, const char *object, const char *name)
{
	struct marks members = marks_of(j, &j->root), inner = marks_of(j, node_get(&j->root, object));

	mark_key(&inner, name);
	if (remove_marked(e, j, &inner, str_from(object)))
		mark_key(&members, object);
	apply_removal(e, j, &members);
}

int
settings_edit_unset_env(struct settings_edit *e, const char *name, struct str value, bool *ret_is_removed,
			struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct jsonedit j;

	if (jsonedit_open(&scratch, e->text, &j, err) < 0)
		return -1;
	struct str now = settings_env(&j.root, name);

	*ret_is_removed = now.s && str_eq(now, value);
	if (*ret_is_removed)
		remove_from_object(e, &j, "env", name);
	return 0;
}

/* It has the program and `mcp`, and nothing that somebody has added. */
static bool
is_as_written(const struct node *server)
{
	const struct node *args = node_get(server, "args");

	return server->count == 2 && args->count == 1;
}

int
settings_edit_remove_server(struct settings_edit *e, bool is_exact, bool *ret_is_removed, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct jsonedit j;
	struct str command;

	if (jsonedit_open(&scratch, e->text, &j, err) < 0)
		return -1;
	const struct node *server = settings_server(&j.root, &command);

	*ret_is_removed = server && command.s && (!is_exact || is_as_written(server));
	if (*ret_is_removed)
		remove_from_object(e, &j, SERVERS_KEY, SERVER_NAME);
	return 0;
}
