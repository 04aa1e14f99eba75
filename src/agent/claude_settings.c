/* SPDX-License-Identifier: MIT */
/* Edits hooks and environment in the text of Claude Code's settings. It reads and writes no file. */
#include "agent/claude_settings.h"

#include "agent/claude_hooks.h"
#include "agent/shell_words.h"
#include "base/buf.h"
#include "doc/json.h"
#include "doc/jsonedit.h"

#define STEP(name)            \
	{                     \
		.key = (name) \
	}
#define AT(i)                \
	{                    \
		.index = (i) \
	}

static bool
is_empty_container(const struct node *n)
{
	return n && (n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0;
}

static struct str
place_of(struct arena *a, const char *event)
{
	return str_fmt(a, "hooks.%s", event);
}

static struct str
json_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	json_add_string(&b, x);
	return buf_str(&b);
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
group_text(struct arena *a, struct str program, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, program);
	struct str command = json_string(a, str_fmt(a, STR_FMT " %s", STR_ARG(word), w->words));

	return str_fmt(a,
		       "{\n  \"hooks\": [\n    {\n      \"type\": \"command\",\n      \"command\": " STR_FMT
		       ",\n      \"timeout\": %lld\n    }\n  ]\n}",
		       STR_ARG(command), (long long)w->timeout_s);
}

static struct str
event_text(struct arena *a, struct str program, const struct hook_wanted *w)
{
	struct str group = indented(a, group_text(a, program, w));

	return str_fmt(a, "[\n  " STR_FMT "\n]", STR_ARG(group));
}

static struct str
hooks_text(struct arena *a, struct str program, const struct hook_wanted *wanted, size_t count)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_addc(&b, '{');
	for (size_t i = 0; i < count; i++) {
		struct str event = indented(a, event_text(a, program, &wanted[i]));

		buf_addf(&b, "%s\n  \"%s\": " STR_FMT, i > 0 ? "," : "", wanted[i].event, STR_ARG(event));
	}
	buf_add(&b, STR("\n}"));
	return buf_str(&b);
}

/* One registration under way: the text as it is by now, and the settings as they were before. */
struct edit {
	struct arena *arena;
	struct str text;
	struct str program;
	enum hook_kind kind; /* of the hooks that are ours */
	struct settings_made *made;
	struct err *err;
};

/* The command with our program as its first word; unchanged where the first word isn't holdfast. */
static struct str
with_program(struct edit *e, const struct hook_found *found, const struct node *args)
{
	struct shell_word first;

	if (!claude_hook_is_plain(e->arena, found->command, args, &first) || str_eq(first.text, e->program))
		return found->command;
	if (args)
		return e->program;
	struct str program = shell_quote(e->arena, e->program);
	struct str rest = str_sub(found->command, first.to, found->command.n);

	return str_fmt(e->arena, STR_FMT STR_FMT, STR_ARG(program), STR_ARG(rest));
}

static int
update_hook(struct edit *e, const struct node *hook, const struct hook_found *found,
	    const struct hook_wanted *w, struct hook_change *change)
{
	struct jsonedit_step path[] = { STEP("hooks"), STEP(w->event),   AT(found->group),
					STEP("hooks"), AT(found->index), STEP("command") };
	struct str command = with_program(e, found, node_get(hook, "args"));
	struct str seconds = str_fmt(e->arena, "%lld", (long long)w->timeout_s);

	*change = (struct hook_change){ w->event, CHANGE_NONE, command };
	if (!str_eq(command, found->command)) {
		change->kind = CHANGE_UPDATED;
		if (jsonedit_replace(e->arena, e->text, path, 6, json_string(e->arena, command), &e->text,
				     e->err) < 0)
			return -1;
	}
	if (found->timeout_s == w->timeout_s)
		return 0;
	change->kind = CHANGE_UPDATED;
	path[5].key = "timeout";
	if (node_get(hook, "timeout"))
		return jsonedit_replace(e->arena, e->text, path, 6, seconds, &e->text, e->err);
	return jsonedit_append(e->arena, e->text, path, 5, "timeout", seconds, &e->text, e->err);
}

static int
add_hook(struct edit *e, const struct node *groups, const struct hook_wanted *w)
{
	const struct jsonedit_step path[] = { STEP("hooks"), STEP(w->event) };

	if (!groups) {
		settings_made_note(e->made, place_of(e->arena, w->event), STR_NONE);
		return jsonedit_append(e->arena, e->text, path, 1, w->event,
				       event_text(e->arena, e->program, w), &e->text, e->err);
	}
	if (is_empty_container(groups))
		settings_made_note(e->made, place_of(e->arena, w->event), jsonedit_find(e->text, path, 2));
	return jsonedit_append(e->arena, e->text, path, 2, NULL, group_text(e->arena, e->program, w),
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

static int
put_hook(struct edit *e, const struct node *hooks, const struct hook_list *list, const struct hook_wanted *w,
	 struct hook_change *change)
{
	const struct node *groups = node_get(hooks, w->event);
	const struct hook_found *found = find_ours(list, e->kind, w->event);

	if (groups && groups->kind != NODE_LIST)
		return err_set(e->err, ERR_VALUE, "hooks.%s: expected a list, found %s", w->event,
			       node_kind_name(groups->kind));
	if (found)
		return update_hook(e, &node_get(&groups->items[found->group], "hooks")->items[found->index],
				   found, w, change);
	struct str word = shell_quote(e->arena, e->program);

	*change = (struct hook_change){ w->event, CHANGE_ADDED,
					str_fmt(e->arena, STR_FMT " %s", STR_ARG(word), w->words) };
	return add_hook(e, groups, w);
}

/* The document to begin with, and its tree. What has nothing in it is noted for the removal. */
static int
open_document(struct edit *e, struct str text, struct node *ret)
{
	bool is_blank = str_trim(text).n == 0;

	e->text = is_blank ? STR("{}\n") : text;
	if (jsonedit_check(e->arena, e->text, ret, e->err) < 0)
		return -1;
	return 0;
}

static void
note_document(struct settings_made *made, struct str text, const struct node *root)
{
	if (is_empty_container(root))
		settings_made_note(made, STR(""), text);
}

enum hook_kind
hook_wanted_kind(struct arena *a, struct str program, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, program);
	struct str command = str_fmt(a, STR_FMT " %s", STR_ARG(word), w->words);

	return claude_hook_kind(a, command, NULL) == HOOK_CONCLAUDE ? HOOK_CONCLAUDE : HOOK_HOLDFAST;
}

int
claude_settings_register(struct arena *a, struct str text, struct str program,
			 const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			 struct settings_made *made, struct str *ret, struct err *err)
{
	struct edit e = { .arena = a, .program = program, .made = made, .err = err };
	const struct jsonedit_step path[] = { STEP("hooks") };
	struct node root;

	e.kind = count > 0 ? hook_wanted_kind(a, program, &wanted[0]) : HOOK_HOLDFAST;
	if (open_document(&e, text, &root) < 0)
		return -1;
	const struct node *hooks = node_get(&root, "hooks");
	struct hook_list list = claude_settings_hooks(a, &root);

	if (hooks && hooks->kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "hooks: expected an object, found %s",
			       node_kind_name(hooks->kind));
	note_document(made, text, &root);
	if (!hooks) {
		struct str value = hooks_text(a, program, wanted, count), word = shell_quote(a, program);

		settings_made_note(made, STR("hooks"), STR_NONE);
		if (jsonedit_append(a, e.text, path, 0, "hooks", value, &e.text, err) < 0)
			return -1;
		for (size_t i = 0; i < count; i++) {
			settings_made_note(made, place_of(a, wanted[i].event), STR_NONE);
			changes[i] = (struct hook_change){ wanted[i].event, CHANGE_ADDED,
							   str_fmt(a, STR_FMT " %s", STR_ARG(word),
								   wanted[i].words) };
		}
		*ret = e.text;
		return 0;
	}
	if (is_empty_container(hooks))
		settings_made_note(made, STR("hooks"), jsonedit_find(e.text, path, 1));
	for (size_t i = 0; i < count; i++)
		if (put_hook(&e, hooks, &list, &wanted[i], &changes[i]) < 0)
			return -1;
	*ret = e.text;
	return 0;
}

/* Are the two the same but for blanks? Only used on texts without strings in them. */
static bool
is_same_but_blanks(struct str a, struct str b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && str_trim(str_sub(a, i, i + 1)).n == 0)
			i++;
		while (k < b.n && str_trim(str_sub(b, k, k + 1)).n == 0)
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (a.s[i++] != b.s[k++])
			return false;
	}
}

static const struct settings_was *
find_was(const struct settings_made *made, struct str place)
{
	for (size_t i = 0; made && i < made->count; i++)
		if (str_eq(made->items[i].place, place))
			return &made->items[i];
	return NULL;
}

/* The member at the path is empty by now: it goes, or gets the look it had. */
static int
tidy_member(struct arena *a, struct str *text, const struct jsonedit_step *path, size_t depth,
	    struct str place, const struct settings_made *made, struct err *err)
{
	const struct settings_was *was = find_was(made, place);
	struct str now = jsonedit_find(*text, path, depth);

	if (!made || (was && !was->text.s))
		return jsonedit_remove(a, *text, path, depth, text, err);
	if (was && !str_eq(now, was->text) && is_same_but_blanks(now, was->text))
		return jsonedit_replace(a, *text, path, depth, was->text, text, err);
	return 0;
}

/* The document as it was if there is nothing left in it. */
static struct str
tidy_document(struct str text, const struct node *root, const struct settings_made *made)
{
	const struct settings_was *was = find_was(made, STR(""));

	if (!was || !is_empty_container(root))
		return text;
	bool was_blank = str_trim(was->text).n == 0;

	return is_same_but_blanks(text, was_blank ? STR("{}") : was->text) ? was->text : text;
}

static bool
is_listed(struct str event, const struct str *events, size_t count)
{
	for (size_t i = 0; events && i < count; i++)
		if (str_eq(event, events[i]))
			return true;
	return !events;
}

/* Takes the last hook of ours for the events out; false when there is none. */
static int
remove_one(struct arena *a, struct str *text, const struct hook_filter *which,
	   const struct settings_made *made, bool *ret_is_removed, struct err *err)
{
	struct node root;

	*ret_is_removed = false;
	if (jsonedit_check(a, *text, &root, err) < 0)
		return -1;
	struct hook_list list = claude_settings_hooks(a, &root);

	for (size_t i = list.count; i-- > 0;) {
		const struct hook_found *f = &list.items[i];
		const char *event;

		if (f->kind != which->kind || !is_listed(f->event, which->events, which->count))
			continue;
		if (str_cz(a, f->event, &event, err) < 0)
			return -1;
		const struct jsonedit_step path[] = { STEP("hooks"), STEP(event), AT(f->group), STEP("hooks"),
						      AT(f->index) };
		const struct node *groups = node_get(node_get(&root, "hooks"), event);
		bool is_alone = node_get(&groups->items[f->group], "hooks")->count == 1;

		*ret_is_removed = true;
		if (jsonedit_remove(a, *text, path, is_alone ? 3 : 5, text, err) < 0)
			return -1;
		if (!is_alone || groups->count > 1)
			return 0;
		return tidy_member(a, text, path, 2, place_of(a, event), made, err);
	}
	return 0;
}

int
claude_settings_remove(struct arena *a, struct str text, const struct str *events, size_t count,
		       const struct settings_made *made, size_t *ret_removed, struct str *ret,
		       struct err *err)
{
	const struct hook_filter which = { HOOK_HOLDFAST, events, count };

	return claude_settings_remove_kind(a, text, &which, made, ret_removed, ret, err);
}

int
claude_settings_remove_kind(struct arena *a, struct str text, const struct hook_filter *which,
			    const struct settings_made *made, size_t *ret_removed, struct str *ret,
			    struct err *err)
{
	const struct jsonedit_step path[] = { STEP("hooks") };
	bool is_removed = true;
	size_t removed = 0;
	struct node root;

	while (is_removed) {
		if (remove_one(a, &text, which, made, &is_removed, err) < 0)
			return -1;
		removed += is_removed;
	}
	if (removed > 0) {
		if (jsonedit_check(a, text, &root, err) < 0)
			return -1;
		if (is_empty_container(node_get(&root, "hooks")) &&
		    tidy_member(a, &text, path, 1, STR("hooks"), made, err) < 0)
			return -1;
		if (jsonedit_check(a, text, &root, err) < 0)
			return -1;
		text = tidy_document(text, &root, made);
	}
	*ret_removed = removed;
	*ret = text;
	return 0;
}

struct str
claude_settings_env(const struct node *settings, const char *name)
{
	const struct node *value = node_get(node_get(settings, "env"), name);

	return value ? value->text : STR_NONE;
}

int
claude_settings_set_env(struct arena *a, struct str text, const char *name, struct str value,
			struct settings_made *made, struct str *ret, struct err *err)
{
	struct edit e = { .arena = a, .made = made, .err = err };
	const struct jsonedit_step path[] = { STEP("env"), STEP(name) };
	struct str quoted = json_string(a, value);
	struct node root;

	if (open_document(&e, text, &root) < 0)
		return -1;
	const struct node *env = node_get(&root, "env");

	if (env && env->kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "env: expected an object, found %s",
			       node_kind_name(env->kind));
	if (node_get(env, name))
		return jsonedit_replace(a, e.text, path, 2, quoted, ret, err);
	note_document(made, text, &root);
	if (!env) {
		settings_made_note(made, STR("env"), STR_NONE);
		return jsonedit_append(a, e.text, path, 0, "env",
				       str_fmt(a, "{\n  \"%s\": " STR_FMT "\n}", name, STR_ARG(quoted)), ret,
				       err);
	}
	if (is_empty_container(env))
		settings_made_note(made, STR("env"), jsonedit_find(e.text, path, 1));
	return jsonedit_append(a, e.text, path, 1, name, quoted, ret, err);
}

int
claude_settings_unset_env(struct arena *a, struct str text, const char *name, struct str value,
			  const struct settings_made *made, bool *ret_is_removed, struct str *ret,
			  struct err *err)
{
	const struct jsonedit_step path[] = { STEP("env"), STEP(name) };
	struct node root;

	if (jsonedit_check(a, text, &root, err) < 0)
		return -1;
	struct str now = claude_settings_env(&root, name);

	*ret_is_removed = now.s && str_eq(now, value);
	if (*ret_is_removed) {
		if (jsonedit_remove(a, text, path, 2, &text, err) < 0)
			return -1;
		if (node_get(&root, "env")->count == 1 &&
		    tidy_member(a, &text, path, 1, STR("env"), made, err) < 0)
			return -1;
		if (jsonedit_check(a, text, &root, err) < 0)
			return -1;
		text = tidy_document(text, &root, made);
	}
	*ret = text;
	return 0;
}

bool
claude_settings_has_plugin(const struct node *settings, const char *name)
{
	const struct node *plugins = node_get(settings, "enabledPlugins");

	for (size_t i = 0; plugins && plugins->kind == NODE_MAP && i < plugins->count; i++) {
		struct str key = plugins->entries[i].key, plugin;

		if (!str_next(&key, '@', &plugin) || !str_is(plugin, name))
			continue;
		const struct node *value = &plugins->entries[i].value;

		if (value->kind != NODE_BOOL || value->boolean)
			return true;
	}
	return false;
}
