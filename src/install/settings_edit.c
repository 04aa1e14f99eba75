/* SPDX-License-Identifier: MIT */
/* Adds, updates and removes hooks and variables in a settings text. Before something is put into an empty or missing
 * object or list, that is noted, so that its removal restores the same bytes. */
#include "install/settings_edit.h"

#include "doc/jsonedit.h"

#define KEY(name) ((struct jsonedit_step){ .key = (name) })
#define INDEX(i) ((struct jsonedit_step){ .index = (i) })

static int
append(struct settings_edit *e, const struct jsonedit_step *path, size_t depth, const char *key,
       struct str value, struct err *err)
{
	return jsonedit_append(e->arena, e->text, path, depth, key, value, &e->text, err);
}

static int
replace(struct settings_edit *e, const struct jsonedit_step *path, size_t depth, struct str value,
	struct err *err)
{
	return jsonedit_replace(e->arena, e->text, path, depth, value, &e->text, err);
}

static int
remove_at(struct settings_edit *e, const struct jsonedit_step *path, size_t depth, struct err *err)
{
	return jsonedit_remove(e->arena, e->text, path, depth, &e->text, err);
}

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

/* Parses the text into the arena; a blank one becomes an empty document. */
static int
parse(struct settings_edit *e, struct arena *a, struct node *ret, struct err *err)
{
	struct str text = str_trim(e->text).n == 0 ? STR("{}\n") : e->text;

	if (jsonedit_check(a, text, ret, err) < 0)
		return -1;
	if (is_empty(ret))
		undo_log_add(e->undo, STR(""), e->text);
	e->text = text;
	return 0;
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

/* The path to a hook, with room for one of its members; returns its number of steps. */
#define HOOK_PATH_MAX 6
static size_t
hook_path(const struct hook_shape *shape, const char *event, const struct hook_entry *f,
	  struct jsonedit_step path[HOOK_PATH_MAX])
{
	path[0] = KEY("hooks");
	path[1] = KEY(event);
	path[2] = INDEX(f->group);
	if (!shape->has_groups)
		return 3;
	path[3] = KEY("hooks");
	path[4] = INDEX(f->index);
	return 5;
}

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

static int
update_hook(struct settings_edit *e, const struct node *hook, const struct hook_entry *found,
	    const struct hook_wanted *w, struct hook_change *change, struct err *err)
{
	struct jsonedit_step path[HOOK_PATH_MAX];
	size_t depth = hook_path(e->shape, w->event, found, path);
	struct str time = str_fmt(e->arena, "%lld", (long long)(w->timeout_s * e->shape->timeout_units));

	if (!str_eq(change->command, found->command)) {
		change->kind = CHANGE_UPDATED;
		path[depth] = KEY(e->shape->command_key);
		if (replace(e, path, depth + 1, json_string(e->arena, change->command), err) < 0)
			return -1;
	}
	if (found->timeout_s == w->timeout_s)
		return 0;
	change->kind = CHANGE_UPDATED;
	path[depth] = KEY(e->shape->timeout_key);
	return node_get(hook, e->shape->timeout_key)
		       ? replace(e, path, depth + 1, time, err)
		       : append(e, path, depth, e->shape->timeout_key, time, err);
}

static int
add_hook(struct settings_edit *e, const struct node *groups, struct str program, const struct hook_wanted *w,
	 struct err *err)
{
	const struct jsonedit_step path[] = { KEY("hooks"), KEY(w->event) };

	if (!groups) {
		undo_log_add(e->undo, place_of(e->arena, w->event), STR_NONE);
		return append(e, path, 1, w->event, hook_event_text(e->arena, e->shape, program, w), err);
	}
	if (is_empty(groups))
		undo_log_add(e->undo, place_of(e->arena, w->event), jsonedit_find(e->text, path, 2));
	return append(e, path, 2, NULL, hook_text(e->arena, e->shape, program, w), err);
}

/* The hooks before the registration. */
struct old_hooks {
	const struct node *node;
	struct hook_list list;
};

static int
put_hook(struct settings_edit *e, const struct old_hooks *old, struct str program,
	 const struct hook_wanted *w, struct hook_change *change, struct err *err)
{
	const struct node *groups = node_get(old->node, w->event);
	struct str command = hook_command_line(e->arena, program, w);
	enum hook_kind kind = kind_of(e->arena, command);

	if (expect(groups, NODE_LIST, place_of(e->arena, w->event).s, err) < 0)
		return -1;
	for (size_t i = 0; i < old->list.count; i++) {
		const struct hook_entry *found = &old->list.items[i];

		if (found->kind != kind || !str_is(found->event, w->event))
			continue;
		const struct node *group = &groups->items[found->group];
		const struct node *hook = e->shape->has_groups
						  ? &node_get(group, "hooks")->items[found->index]
						  : group;
		struct str now = with_program(e->arena, found->command, node_get(hook, "args"), program);

		*change = (struct hook_change){ w->event, CHANGE_NONE, now };
		return update_hook(e, hook, found, w, change, err);
	}
	*change = (struct hook_change){ w->event, CHANGE_ADDED, command };
	return add_hook(e, groups, program, w, err);
}

static int
put_hooks(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
	  struct err *err)
{
	const struct jsonedit_step path[] = { KEY("hooks") };
	struct node root;

	if (parse(e, e->arena, &root, err) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	const struct old_hooks old = { hooks, hooks_list(e->arena, e->shape, &root) };

	if (expect(hooks, NODE_MAP, "hooks", err) < 0)
		return -1;
	if (e->shape->version > 0 && !node_get(&root, "version")) {
		undo_log_add(e->undo, STR("version"), STR_NONE);
		if (append(e, NULL, 0, "version", str_fmt(e->arena, "%d", e->shape->version), err) < 0)
			return -1;
	}
	if (!hooks || is_empty(hooks))
		undo_log_add(e->undo, STR("hooks"), hooks ? jsonedit_find(e->text, path, 1) : STR_NONE);
	for (size_t i = 0; hooks && i < r->count; i++)
		if (put_hook(e, &old, r->program, &r->wanted[i], &changes[i], err) < 0)
			return -1;
	if (hooks)
		return 0;
	for (size_t i = 0; i < r->count; i++) {
		undo_log_add(e->undo, place_of(e->arena, r->wanted[i].event), STR_NONE);
		changes[i] = (struct hook_change){ r->wanted[i].event, CHANGE_ADDED,
						   hook_command_line(e->arena, r->program, &r->wanted[i]) };
	}
	return append(e, NULL, 0, "hooks", hooks_text(e->arena, e->shape, r), err);
}

int
settings_edit_register(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
		       struct err *err)
{
	struct settings_edit work = *e;

	if (put_hooks(&work, r, changes, err) < 0)
		return -1;
	e->text = work.text;
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

/* Removes or restores the member at the path, which has become empty. */
static int
tidy_member(struct settings_edit *e, const struct jsonedit_step *path, size_t depth, struct str place,
	    struct err *err)
{
	const struct undo_entry *was = undo_log_find(e->undo, place);
	struct str now = jsonedit_find(e->text, path, depth);

	if (!e->undo || (was && !was->text.s))
		return remove_at(e, path, depth, err);
	if (was && !str_eq(now, was->text) && differ_in_blanks_only(now, was->text))
		return replace(e, path, depth, was->text, err);
	return 0;
}

/* Restores the document if nothing is left in it. */
static int
tidy_document(struct settings_edit *e, struct err *err)
{
	const struct undo_entry *was = undo_log_find(e->undo, STR(""));
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (jsonedit_check(&scratch, e->text, &root, err) < 0)
		return -1;
	if (was && is_empty(&root)) {
		bool was_blank = str_trim(was->text).n == 0;

		if (differ_in_blanks_only(e->text, was_blank ? STR("{}") : was->text))
			e->text = was->text;
	}
	return 0;
}

/* Removes the last hook that the filter matches. */
static int
remove_last(struct settings_edit *e, const struct hook_filter *which, bool *ret_is_removed, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	*ret_is_removed = false;
	if (jsonedit_check(&scratch, e->text, &root, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &root);

	for (size_t i = list.count; i-- > 0;) {
		const struct hook_entry *f = &list.items[i];
		struct jsonedit_step path[HOOK_PATH_MAX];
		const char *event;

		if (f->kind != which->kind || (which->events && !str_set_has(which->events, f->event)))
			continue;
		if (str_cz(e->arena, f->event, &event, err) < 0)
			return -1;
		size_t depth = hook_path(e->shape, event, f, path);
		const struct node *groups = node_get(node_get(&root, "hooks"), event);
		bool is_alone = !e->shape->has_groups ||
				node_get(&groups->items[f->group], "hooks")->count == 1;

		*ret_is_removed = true;
		if (remove_at(e, path, is_alone ? 3 : depth, err) < 0)
			return -1;
		if (!is_alone || groups->count > 1)
			return 0;
		return tidy_member(e, path, 2, place_of(e->arena, event), err);
	}
	return 0;
}

/* Removes the members that only our hooks needed. */
static int
tidy_hooks(struct settings_edit *e, struct err *err)
{
	const struct jsonedit_step hooks_path[] = { KEY("hooks") }, version_path[] = { KEY("version") };
	const struct undo_entry *version = undo_log_find(e->undo, STR("version"));
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (jsonedit_check(&scratch, e->text, &root, err) < 0)
		return -1;
	if (is_empty(node_get(&root, "hooks")) && tidy_member(e, hooks_path, 1, STR("hooks"), err) < 0)
		return -1;
	arena_free(&scratch);
	if (jsonedit_check(&scratch, e->text, &root, err) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	/* Hooks from before our registration did without a version; later ones may need it. */
	bool is_unused = !hooks || is_empty(hooks) || !undo_log_find(e->undo, STR("hooks"));

	if (is_unused && version && !version->text.s && node_get(&root, "version") &&
	    remove_at(e, version_path, 1, err) < 0)
		return -1;
	return tidy_document(e, err);
}

int
settings_edit_remove(struct settings_edit *e, const struct hook_filter *which, size_t *ret_removed,
		     struct err *err)
{
	struct settings_edit work = *e;
	bool is_removed = true;
	size_t removed = 0;

	while (is_removed) {
		if (remove_last(&work, which, &is_removed, err) < 0)
			return -1;
		removed += is_removed;
	}
	if (removed > 0 && tidy_hooks(&work, err) < 0)
		return -1;
	*ret_removed = removed;
	e->text = work.text;
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
	struct settings_edit work = *e;
	struct str_set stale = { 0 };
	struct hook_filter which = { .events = &stale };
	struct node root;
	size_t removed;

	if (parse(&work, &scratch, &root, err) < 0)
		return -1;
	struct hook_list list = hooks_list(e->arena, e->shape, &root);

	for (size_t i = 0; i < r->count; i++) {
		struct str command = hook_command_line(e->arena, r->program, &r->wanted[i]);

		which.kind = kind_of(e->arena, command);
		if (is_stale(e->arena, &list, command, &r->wanted[i]))
			str_set_add(e->arena, &stale, str_from(r->wanted[i].event));
	}
	work.text = e->text;
	if (stale.count > 0 && settings_edit_remove(&work, &which, &removed, err) < 0)
		return -1;
	if (settings_edit_register(&work, r, changes, err) < 0)
		return -1;
	for (size_t i = 0; i < r->count; i++)
		if (str_set_has(&stale, str_from(r->wanted[i].event)))
			changes[i].kind = CHANGE_UPDATED;
	e->text = work.text;
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
	const struct jsonedit_step path[] = { KEY("env"), KEY(name) };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct settings_edit work = *e;
	struct str quoted = json_string(e->arena, value);
	struct node root;
	int result;

	if (parse(&work, &scratch, &root, err) < 0)
		return -1;
	const struct node *env = node_get(&root, "env");

	if (expect(env, NODE_MAP, "env", err) < 0)
		return -1;
	if (!env || is_empty(env))
		undo_log_add(e->undo, STR("env"), env ? jsonedit_find(work.text, path, 1) : STR_NONE);
	if (node_get(env, name))
		result = replace(&work, path, 2, quoted, err);
	else if (env)
		result = append(&work, path, 1, name, quoted, err);
	else
		result = append(&work, path, 0, "env",
				str_fmt(e->arena, "{\n  \"%s\": " STR_FMT "\n}", name, STR_ARG(quoted)), err);
	if (result == 0)
		e->text = work.text;
	return result;
}

int
settings_edit_unset_env(struct settings_edit *e, const char *name, struct str value, bool *ret_is_removed,
			struct err *err)
{
	const struct jsonedit_step path[] = { KEY("env"), KEY(name) };
	struct settings_edit work = *e;
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (jsonedit_check(&scratch, work.text, &root, err) < 0)
		return -1;
	struct str now = settings_env(&root, name);
	bool is_removed = now.s && str_eq(now, value);

	if (is_removed) {
		if (remove_at(&work, path, 2, err) < 0 ||
		    (node_get(&root, "env")->count == 1 &&
		     tidy_member(&work, path, 1, STR("env"), err) < 0) ||
		    tidy_document(&work, err) < 0)
			return -1;
	}
	*ret_is_removed = is_removed;
	e->text = work.text;
	return 0;
}
