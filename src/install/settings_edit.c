/* SPDX-License-Identifier: MIT */
/* Adds, updates and removes hooks and variables in a settings text. Before something is put into an empty or missing
 * object or list, that is noted, so that its removal restores the same bytes. */
#include "install/settings_edit.h"

#include "doc/jsonedit.h"

static bool
is_empty(const struct node *n)
{
	return n && (n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0;
}

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
		undo_log_add(e->undo, place, text.s ? str_copy(e->arena, text) : STR_NONE);
}

/* Opens the text for additions; a blank one becomes an empty document. */
static int
open_for_additions(struct settings_edit *e, struct arena *scratch, struct jsonedit *ret, struct err *err)
{
	if (jsonedit_open(scratch, str_trim(e->text).n == 0 ? STR("{}\n") : e->text, ret, err) < 0)
		return -1;
	if (is_empty(&ret->root))
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

static struct str
place_of(struct arena *a, const char *event)
{
	return str_fmt(a, "hooks.%s", event);
}

/* Which hooks count as the program's own: conclaude's, or else holdfast's, whatever this program's file is called. */
static enum hook_kind
kind_of(struct arena *a, struct str command)
{
	return hook_kind_of(a, command, NULL) == HOOK_CONCLAUDE ? HOOK_CONCLAUDE : HOOK_HOLDFAST;
}

/* ---- registering ---- */

/* The command with our program as its first word; unchanged where it runs something else first. */
static struct str
with_program(struct arena *a, struct str command, const struct node *args, struct str program)
{
	struct shell_word first;

	if (!hook_runs_holdfast_first(a, command, args, &first) || str_eq(first.text, program))
		return command;
	if (args)
		return program;
	struct str before = str_sub(command, 0, first.from), rest = str_sub(command, first.to, command.n);
	struct str word = shell_quote(a, program);

	return str_fmt(a, STR_FMT STR_FMT STR_FMT, STR_ARG(before), STR_ARG(word), STR_ARG(rest));
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

/* Gives the program's hook in the groups of an event the wanted program and timeout. */
static void
update_hook(struct registering *g, const struct node *groups, const struct hook_entry *found,
	    struct str program, const struct hook_wanted *w, struct hook_change *change)
{
	const struct hook_shape *shape = g->settings->shape;
	const struct node *group = &groups->items[found->group];
	const struct node *hook = shape->has_groups ? &node_get(group, "hooks")->items[found->index] : group;
	const struct node *timeout = node_get(hook, shape->timeout_key);
	struct str now = with_program(g->scratch, found->command, node_get(hook, "args"), program);

	change->kind = CHANGE_NONE;
	change->command = str_copy(g->settings->arena, now);
	if (!str_eq(now, found->command)) {
		change->kind = CHANGE_UPDATED;
		jsonedit_replace(&g->edit, node_get(hook, shape->command_key), json_string(g->scratch, now));
	}
	if (found->timeout_s == w->timeout_s)
		return;
	struct json_item time = { shape->timeout_key,
				  str_fmt(g->scratch, "%lld",
					  (long long)(w->timeout_s * shape->timeout_units)) };

	change->kind = CHANGE_UPDATED;
	if (timeout)
		jsonedit_replace(&g->edit, timeout, time.value);
	else
		jsonedit_append(&g->edit, hook, &time, 1);
}

static int
put_hook(struct registering *g, struct str program, const struct hook_wanted *w, struct hook_change *change,
	 struct err *err)
{
	const struct hook_shape *shape = g->settings->shape;
	const struct node *groups = node_get(g->hooks, w->event);
	struct str place = place_of(g->settings->arena, w->event);

	*change = (struct hook_change){ w->event, CHANGE_ADDED,
					hook_command_line(g->settings->arena, program, w) };
	if (expect(groups, NODE_LIST, place.s, err) < 0)
		return -1;
	enum hook_kind kind = kind_of(g->scratch, change->command);

	for (size_t i = 0; i < g->list.count; i++) {
		if (g->list.items[i].kind == kind && str_is(g->list.items[i].event, w->event)) {
			update_hook(g, groups, &g->list.items[i], program, w, change);
			return 0;
		}
	}
	note_if_empty(g->settings, &g->edit, place, groups);
	if (groups) {
		struct json_item item = { NULL, hook_text(g->scratch, shape, program, w) };

		jsonedit_append(&g->edit, groups, &item, 1);
	} else if (g->hooks) {
		g->events[g->event_count++] = (struct json_item){ w->event, hook_event_text(g->scratch, shape,
											    program, w) };
	}
	return 0;
}

int
settings_edit_register(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
		       struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct registering g = { .settings = e, .scratch = &scratch };

	if (open_for_additions(e, &scratch, &g.edit, err) < 0)
		return -1;
	g.hooks = node_get(&g.edit.root, "hooks");
	g.list = hooks_list(&scratch, e->shape, &g.edit.root);
	g.events = arena_array(&scratch, r->count, struct json_item);
	if (expect(g.hooks, NODE_MAP, "hooks", err) < 0)
		return -1;
	if (e->shape->version > 0 && !node_get(&g.edit.root, "version")) {
		note_old(e, STR("version"), STR_NONE);
		g.members[g.member_count++] = (struct json_item){ "version", str_fmt(&scratch, "%d",
										     e->shape->version) };
	}
	note_if_empty(e, &g.edit, STR("hooks"), g.hooks);
	for (size_t i = 0; i < r->count; i++)
		if (put_hook(&g, r->program, &r->wanted[i], &changes[i], err) < 0)
			return -1;
	if (g.hooks)
		jsonedit_append(&g.edit, g.hooks, g.events, g.event_count);
	else
		g.members[g.member_count++] = (struct json_item){ "hooks",
								  hooks_text(&scratch, e->shape, r) };
	jsonedit_append(&g.edit, &g.edit.root, g.members, g.member_count);
	apply(e, &g.edit);
	return 0;
}

/* ---- removing ---- */

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
	apply(e, j);
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
	if (remove_marked(e, j, &marks, str_fmt(j->edit.arena, "hooks." STR_FMT, STR_ARG(event))))
		mark(events, nth);
}

int
settings_edit_remove(struct settings_edit *e, const struct hook_filter *which, size_t *ret_removed,
		     struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct undo_entry *version = undo_log_find(e->undo, STR("version"));
	struct jsonedit j;

	if (jsonedit_open(&scratch, e->text, &j, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &j.root);
	size_t count = 0;

	for (size_t i = 0; i < list.count; i++) {
		const struct hook_entry *f = &list.items[i];

		if (f->kind == which->kind && (!which->events || str_set_has(which->events, f->event)))
			list.items[count++] = *f;
	}
	list.count = *ret_removed = count;
	if (count == 0)
		return 0;
	struct marks members = marks_of(&j, &j.root), events = marks_of(&j, node_get(&j.root, "hooks"));

	for (size_t i = 0; i < count;)
		remove_of_event(e, &j, &list, &i, &events);
	if (remove_marked(e, &j, &events, STR("hooks")))
		mark_key(&members, "hooks");
	/* Hooks from before our registration did without a version; later ones may need it. */
	if (version && !version->text.s && (events.left == 0 || !undo_log_find(e->undo, STR("hooks"))))
		mark_key(&members, "version");
	apply_removal(e, &j, &members);
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
	struct str_set stale = { 0 };
	struct hook_filter which = { .events = &stale };
	struct jsonedit j;
	size_t removed;

	if (open_for_additions(&result, &scratch, &j, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &j.root);

	for (size_t i = 0; i < r->count; i++) {
		struct str command = hook_command_line(e->arena, r->program, &r->wanted[i]);

		which.kind = kind_of(e->arena, command);
		if (is_stale(&scratch, &list, command, &r->wanted[i]))
			str_set_add(e->arena, &stale, str_from(r->wanted[i].event));
	}
	arena_free(&scratch);
	if (stale.count > 0 && settings_edit_remove(&result, &which, &removed, err) < 0)
		return -1;
	if (settings_edit_register(&result, r, changes, err) < 0)
		return -1;
	for (size_t i = 0; i < r->count; i++)
		if (str_set_has(&stale, str_from(r->wanted[i].event)))
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

int
settings_edit_set_env(struct settings_edit *e, const char *name, struct str value, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct json_item variable = { name, json_string(&scratch, value) };
	struct jsonedit j;

	if (open_for_additions(e, &scratch, &j, err) < 0)
		return -1;
	const struct node *env = node_get(&j.root, "env"), *old = node_get(env, name);

	if (expect(env, NODE_MAP, "env", err) < 0)
		return -1;
	note_if_empty(e, &j, STR("env"), env);
	if (old) {
		jsonedit_replace(&j, old, variable.value);
	} else if (env) {
		jsonedit_append(&j, env, &variable, 1);
	} else {
		struct str text = str_fmt(&scratch, "{\n  \"%s\": " STR_FMT "\n}", name,
					  STR_ARG(variable.value));

		jsonedit_append(&j, &j.root, &(struct json_item){ "env", text }, 1);
	}
	apply(e, &j);
	return 0;
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
	if (!*ret_is_removed)
		return 0;
	struct marks members = marks_of(&j, &j.root), variables = marks_of(&j, node_get(&j.root, "env"));

	mark_key(&variables, name);
	if (remove_marked(e, &j, &variables, STR("env")))
		mark_key(&members, "env");
	apply_removal(e, &j, &members);
	return 0;
}
