/* SPDX-License-Identifier: MIT */
/* Adds, updates and removes hooks and variables in a settings text. Before something is put into an empty or missing
 * object or list, that is noted, so that its removal restores the same bytes. */
#include "install/settings_edit.h"

#include "doc/jsonedit.h"
#include "install/settings_work.h"

#define KEY(name) ((struct jsonedit_step){ .key = (name) })
#define INDEX(i) ((struct jsonedit_step){ .index = (i) })

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
parse(struct work *w, struct arena *a, struct node *ret, struct err *err)
{
	struct str text = str_trim(w->text).n == 0 ? STR("{}\n") : w->text;

	if (jsonedit_check(a, text, ret, err) < 0)
		return -1;
	if (is_empty(ret))
		work_note_old(w, STR(""), w->text);
	w->text = text;
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

/* What is to be done for one wanted hook, once the tree is gone. */
struct hook_step {
	const struct hook_wanted *wanted;
	struct str command;      /* of a new hook */
	struct hook_entry found; /* the program's hook for the event, of which the texts are not kept */
	bool is_found, has_new_command, has_timeout;
	bool has_event, is_event_empty; /* the list of the event's hooks */
};

static int
update_hook(struct work *w, const struct hook_step *step, struct hook_change *change, struct err *err)
{
	struct jsonedit_step path[HOOK_PATH_MAX];
	int64_t wanted_s = step->wanted->timeout_s;
	size_t depth = hook_path(w->shape, step->wanted->event, &step->found, path);
	struct str time = str_fmt(w->arena, "%lld", (long long)(wanted_s * w->shape->timeout_units));

	if (step->has_new_command) {
		change->kind = CHANGE_UPDATED;
		path[depth] = KEY(w->shape->command_key);
		if (work_replace(w, path, depth + 1, json_string(w->arena, change->command), err) < 0)
			return -1;
	}
	if (step->found.timeout_s == wanted_s)
		return 0;
	change->kind = CHANGE_UPDATED;
	path[depth] = KEY(w->shape->timeout_key);
	return step->has_timeout ? work_replace(w, path, depth + 1, time, err)
				 : work_append(w, path, depth, w->shape->timeout_key, time, err);
}

static int
add_hook(struct work *w, const struct hook_step *step, struct str program, struct err *err)
{
	const char *event = step->wanted->event;
	const struct jsonedit_step path[] = { KEY("hooks"), KEY(event) };

	if (!step->has_event) {
		work_note_old(w, place_of(w->arena, event), STR_NONE);
		return work_append(w, path, 1, event,
				   hook_event_text(w->arena, w->shape, program, step->wanted), err);
	}
	if (step->is_event_empty)
		work_note_old(w, place_of(w->arena, event), jsonedit_find(w->text, path, 2));
	return work_append(w, path, 2, NULL, hook_text(w->arena, w->shape, program, step->wanted), err);
}

static int
plan_hook(struct work *w, const struct node *hooks, const struct hook_list *list, struct str program,
	  struct hook_step *step, struct err *err)
{
	const char *event = step->wanted->event;
	const struct node *groups = node_get(hooks, event);

	step->command = hook_command_line(w->arena, program, step->wanted);
	step->has_event = groups != NULL;
	step->is_event_empty = is_empty(groups);
	if (expect(groups, NODE_LIST, place_of(w->arena, event).s, err) < 0)
		return -1;
	enum hook_kind kind = kind_of(w->arena, step->command);

	for (size_t i = 0; i < list->count && !step->is_found; i++) {
		const struct hook_entry *found = &list->items[i];

		if (found->kind != kind || !str_is(found->event, event))
			continue;
		const struct node *group = &groups->items[found->group];
		const struct node *hook = w->shape->has_groups
						  ? &node_get(group, "hooks")->items[found->index]
						  : group;
		struct str now = with_program(w->arena, found->command, node_get(hook, "args"), program);

		step->is_found = true;
		step->found = *found;
		step->has_new_command = !str_eq(now, found->command);
		step->has_timeout = node_get(hook, w->shape->timeout_key) != NULL;
		step->command = str_copy(w->arena, now);
	}
	return 0;
}

/* The steps for all wanted hooks, and whether the document has an object of hooks and a version. */
struct hooks_plan {
	struct hook_step *steps;
	bool has_hooks, is_empty, has_version;
};

static int
plan_hooks(struct work *w, const struct hooks_request *r, struct hooks_plan *ret, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (parse(w, &scratch, &root, err) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	struct hook_list list = hooks_list(&scratch, w->shape, &root);

	if (expect(hooks, NODE_MAP, "hooks", err) < 0)
		return -1;
	*ret = (struct hooks_plan){ .steps = arena_array(w->arena, r->count, struct hook_step),
				    .has_hooks = hooks != NULL,
				    .is_empty = is_empty(hooks),
				    .has_version = node_get(&root, "version") != NULL };
	for (size_t i = 0; i < r->count; i++) {
		ret->steps[i].wanted = &r->wanted[i];
		if (plan_hook(w, hooks, &list, r->program, &ret->steps[i], err) < 0)
			return -1;
	}
	return 0;
}

static int
put_hooks(struct work *w, const struct hooks_request *r, struct hook_change *changes, struct err *err)
{
	const struct jsonedit_step path[] = { KEY("hooks") };
	struct hooks_plan plan;

	if (plan_hooks(w, r, &plan, err) < 0)
		return -1;
	if (w->shape->version > 0 && !plan.has_version) {
		work_note_old(w, STR("version"), STR_NONE);
		if (work_append(w, NULL, 0, "version", str_fmt(w->arena, "%d", w->shape->version), err) < 0)
			return -1;
	}
	if (!plan.has_hooks || plan.is_empty)
		work_note_old(w, STR("hooks"), plan.has_hooks ? jsonedit_find(w->text, path, 1) : STR_NONE);
	for (size_t i = 0; i < r->count; i++) {
		const struct hook_step *step = &plan.steps[i];

		changes[i] = (struct hook_change){ step->wanted->event,
						   step->is_found ? CHANGE_NONE : CHANGE_ADDED,
						   step->command };
		if (!plan.has_hooks)
			work_note_old(w, place_of(w->arena, step->wanted->event), STR_NONE);
		else if ((step->is_found ? update_hook(w, step, &changes[i], err)
					 : add_hook(w, step, r->program, err)) < 0)
			return -1;
	}
	return plan.has_hooks ? 0 : work_append(w, NULL, 0, "hooks", hooks_text(w->arena, w->shape, r), err);
}

int
settings_edit_register(struct settings_edit *e, const struct hooks_request *r, struct hook_change *changes,
		       struct err *err)
{
	CLEANUP(work_free) struct work work = work_begin(e);

	if (put_hooks(&work, r, changes, err) < 0)
		return -1;
	work_finish(e, &work);
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
tidy_member(struct work *w, const struct jsonedit_step *path, size_t depth, struct str place, struct err *err)
{
	const struct undo_entry *was = undo_log_find(w->undo, place);
	struct str now = jsonedit_find(w->text, path, depth);

	if (!w->undo || (was && !was->text.s))
		return work_remove(w, path, depth, err);
	if (was && !str_eq(now, was->text) && differ_in_blanks_only(now, was->text))
		return work_replace(w, path, depth, was->text, err);
	return 0;
}

/* Restores the document if nothing is left in it. */
static int
tidy_document(struct work *w, struct err *err)
{
	const struct undo_entry *was = undo_log_find(w->undo, STR(""));
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (jsonedit_check(&scratch, w->text, &root, err) < 0)
		return -1;
	if (was && is_empty(&root)) {
		bool was_blank = str_trim(was->text).n == 0;

		if (differ_in_blanks_only(w->text, was_blank ? STR("{}") : was->text))
			w->text = was->text;
	}
	return 0;
}

/* Removes the last hook that the filter matches. */
static int
remove_last(struct work *w, const struct hook_filter *which, bool *ret_is_removed, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	*ret_is_removed = false;
	if (jsonedit_check(&scratch, w->text, &root, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, w->shape, &root);

	for (size_t i = list.count; i-- > 0;) {
		const struct hook_entry *f = &list.items[i];
		struct jsonedit_step path[HOOK_PATH_MAX];
		const char *event;

		if (f->kind != which->kind || (which->events && !str_set_has(which->events, f->event)))
			continue;
		if (str_cz(w->arena, f->event, &event, err) < 0)
			return -1;
		size_t depth = hook_path(w->shape, event, f, path);
		const struct node *groups = node_get(node_get(&root, "hooks"), event);
		bool is_alone = !w->shape->has_groups ||
				node_get(&groups->items[f->group], "hooks")->count == 1;
		bool is_last = is_alone && groups->count == 1;

		arena_free(&scratch);
		*ret_is_removed = true;
		if (work_remove(w, path, is_alone ? 3 : depth, err) < 0)
			return -1;
		return is_last ? tidy_member(w, path, 2, place_of(w->arena, event), err) : 0;
	}
	return 0;
}

/* Removes the members that only our hooks needed. */
static int
tidy_hooks(struct work *w, struct err *err)
{
	const struct jsonedit_step hooks_path[] = { KEY("hooks") }, version_path[] = { KEY("version") };
	const struct undo_entry *version = undo_log_find(w->undo, STR("version"));
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	if (jsonedit_check(&scratch, w->text, &root, err) < 0)
		return -1;
	bool has_none = is_empty(node_get(&root, "hooks"));

	arena_free(&scratch);
	if (has_none && tidy_member(w, hooks_path, 1, STR("hooks"), err) < 0)
		return -1;
	if (jsonedit_check(&scratch, w->text, &root, err) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	/* Hooks from before our registration did without a version; later ones may need it. */
	bool is_unused = !hooks || is_empty(hooks) || !undo_log_find(w->undo, STR("hooks"));
	bool has_version = node_get(&root, "version") != NULL;

	arena_free(&scratch);
	if (is_unused && version && !version->text.s && has_version &&
	    work_remove(w, version_path, 1, err) < 0)
		return -1;
	return tidy_document(w, err);
}

int
settings_edit_remove(struct settings_edit *e, const struct hook_filter *which, size_t *ret_removed,
		     struct err *err)
{
	CLEANUP(work_free) struct work work = work_begin(e);
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
	work_finish(e, &work);
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
	struct work work = work_begin(e);
	struct str_set stale = { 0 };
	struct hook_filter which = { .events = &stale };
	struct node root;
	size_t removed;

	if (parse(&work, &scratch, &root, err) < 0)
		return -1;
	struct hook_list list = hooks_list(&scratch, e->shape, &root);

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
	const struct jsonedit_step path[] = { KEY("env"), KEY(name) };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(work_free) struct work work = work_begin(e);
	struct str quoted = json_string(e->arena, value);
	struct node root;
	int result;

	if (parse(&work, &scratch, &root, err) < 0)
		return -1;
	const struct node *env = node_get(&root, "env");
	bool has_env = env, has_name = node_get(env, name), is_env_empty = is_empty(env);

	if (expect(env, NODE_MAP, "env", err) < 0)
		return -1;
	arena_free(&scratch);
	if (!has_env || is_env_empty)
		work_note_old(&work, STR("env"), has_env ? jsonedit_find(work.text, path, 1) : STR_NONE);
	if (has_name)
		result = work_replace(&work, path, 2, quoted, err);
	else if (has_env)
		result = work_append(&work, path, 1, name, quoted, err);
	else
		result = work_append(&work, path, 0, "env",
				     str_fmt(e->arena, "{\n  \"%s\": " STR_FMT "\n}", name, STR_ARG(quoted)),
				     err);
	if (result == 0)
		work_finish(e, &work);
	return result;
}

int
settings_edit_unset_env(struct settings_edit *e, const char *name, struct str value, bool *ret_is_removed,
			struct err *err)
{
	const struct jsonedit_step path[] = { KEY("env"), KEY(name) };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(work_free) struct work work = work_begin(e);
	struct node root;

	if (jsonedit_check(&scratch, work.text, &root, err) < 0)
		return -1;
	struct str now = settings_env(&root, name);
	bool is_removed = now.s && str_eq(now, value),
	     is_alone = is_removed && node_get(&root, "env")->count == 1;

	arena_free(&scratch);
	if (is_removed &&
	    (work_remove(&work, path, 2, err) < 0 ||
	     (is_alone && tidy_member(&work, path, 1, STR("env"), err) < 0) || tidy_document(&work, err) < 0))
		return -1;
	*ret_is_removed = is_removed;
	work_finish(e, &work);
	return 0;
}
