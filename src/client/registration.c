/* SPDX-License-Identifier: MIT */
/* Finds settings files, reads them, and recognises hooks by what they run. */
#include "client/registration.h"

#include "doc/jsonedit.h"
#include "os/env.h"
#include "os/fs.h"

/* No hook that we know has a longer command line. */
#define COMMAND_LIMIT_BYTES KIB(16)

const char *const settings_scope_names[SCOPE_COUNT] = {
	[SCOPE_USER] = "user",
	[SCOPE_PROJECT] = "project",
	[SCOPE_LOCAL] = "local",
};

/* The client's own directory in the home; absent without a home. */
static struct str
home_dir(struct arena *a, const struct client_settings *s)
{
	struct str named = s->home_env ? env_get(s->home_env) : STR_NONE, home = env_home(a);

	if (named.n > 0)
		return named;
	return home.s ? path_join(a, home, str_from(s->home_dir)) : STR_NONE;
}

struct str
settings_path(struct arena *a, struct str project, const struct client *c, enum settings_scope scope)
{
	const struct client_settings *s = c->settings;

	if (scope == SCOPE_USER) {
		struct str dir = home_dir(a, s);

		return dir.s ? path_join(a, dir, str_from(s->user_file)) : STR_NONE;
	}
	const char *file = scope == SCOPE_LOCAL ? s->local_file : s->project_file;

	return file ? path_join(a, project, str_from(file)) : STR_NONE;
}

struct str_list
settings_files(struct arena *a, struct str project, const struct client *c, enum settings_scope scope)
{
	struct str ours = settings_path(a, project, c, scope);
	struct str_list files = { 0 }, names = { 0 };

	if (!ours.s)
		return files;
	*arena_push(a, files.items, files.count) = ours;
	struct str dir = str_copy(a, path_parent(ours));

	if (!c->settings->has_many_files || fs_list(a, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return files;
	for (size_t i = 0; i < names.count && files.count < SETTINGS_FILES_MAX; i++)
		if (str_ends(names.items[i], STR(".json")) && !str_eq(names.items[i], path_base(ours)))
			*arena_push(a, files.items, files.count) = path_join(a, dir, names.items[i]);
	return files;
}

bool
settings_read(struct arena *a, struct str path, struct node *ret)
{
	const char *z;
	struct str text;

	*ret = (struct node){ .kind = NODE_NULL };
	return str_cz(a, path, &z, IGNORED) == 0 &&
	       fs_read(a, z, SETTINGS_LIMIT_BYTES, &text, IGNORED) == 0 &&
	       (str_trim(text).n == 0 || jsonedit_check(a, text, ret, IGNORED) == 0);
}

bool
client_is_installed(struct arena *a, const struct client *c)
{
	struct str dir = c->settings ? home_dir(a, c->settings) : STR_NONE;

	return (c->program && env_find_program(a, c->program).s) ||
	       (dir.s && fs_kind(str_copy(a, dir).s) == FS_DIR);
}

const char *
hook_event_name(const struct client *c, enum event_id id)
{
	const struct client_settings *s = c->settings;

	if (!s->events)
		return event_rows[id].name.s;
	for (size_t i = 0; i < s->event_count; i++)
		if (s->events[i].id == id)
			return s->events[i].name;
	return NULL;
}

const char *
init_command_of(struct arena *a, const struct client *c, enum settings_scope scope)
{
	bool is_project = scope == SCOPE_PROJECT;

	return str_cat(a, "holdfast init", c == client_default ? "" : " --client ",
		       c == client_default ? "" : c->name, is_project ? "" : " --",
		       is_project ? "" : settings_scope_names[scope])
		.s;
}

struct str
hook_guards_off(struct arena *a, struct str project, const struct client *c)
{
	enum settings_scope at_stop = SCOPE_COUNT;

	for (int scope = 0; c->settings && scope < SCOPE_COUNT; scope++) {
		struct str_list files = settings_files(a, project, c, (enum settings_scope)scope);

		for (size_t n = 0; n < files.count; n++) {
			CLEANUP(arena_free) struct arena scratch = { 0 };
			const char *z = str_copy(&scratch, files.items[n]).s;
			struct str text;

			/* Nothing is parsed: a stop has no time for that. The plugin is holdfast@MARKETPLACE. */
			if (fs_read(&scratch, z, SETTINGS_LIMIT_BYTES, &text, IGNORED) < 0 ||
			    str_find(text, STR("hook PreToolUse")) >= 0 ||
			    str_find(text, STR("\"holdfast@")) >= 0)
				return STR_NONE;
			if (str_find(text, STR("holdfast stop-hook")) >= 0)
				at_stop = (enum settings_scope)scope;
		}
	}
	if (at_stop == SCOPE_COUNT)
		return STR_NONE;
	if (!hook_event_name(c, EVENT_PreToolUse))
		return str_cat(a, "off in ", c->title, ", which has no hook for tools");
	return str_cat(a, "off in ", c->title, ", whose hook for tools is not registered: '",
		       init_command_of(a, c, at_stop), "' registers it");
}

const char *
hook_kind_name(enum hook_kind kind)
{
	static const char *const names[] = {
		[HOOK_OTHER] = "another hook",
		[HOOK_HOLDFAST] = "holdfast",
		[HOOK_LOOP_ALONE] = "holdfast's Ralph hook",
		[HOOK_CONCLAUDE] = "conclaude",
		[HOOK_GAUNTLET] = "agent-gauntlet",
		[HOOK_RALPH_SCRIPT] = "the Ralph plugin's script",
	};

	return names[kind];
}

/* The words of a hook's command line; with args, the command is one word and each argument another. */
static struct shell_words
hook_words(struct arena *a, struct str command, const struct node *args)
{
	struct shell_words words = { 0 };

	if (command.n > COMMAND_LIMIT_BYTES)
		return words;
	if (!args || args->kind != NODE_LIST)
		return shell_words(a, command);
	words.items = arena_array(a, args->count + 1, struct shell_word);
	words.items[words.count++] = (struct shell_word){ .text = command, .to = command.n };
	for (size_t i = 0; i < args->count; i++)
		if (args->items[i].kind == NODE_STRING)
			words.items[words.count++].text = args->items[i].text;
	return words;
}

static struct str
word_at(const struct shell_words *words, size_t i)
{
	return i < words->count ? words->items[i].text : STR_NONE;
}

/* What the words from this one on run: a program, its subcommand, and maybe one of that. */
static enum hook_kind
kind_at(const struct shell_words *words, size_t i)
{
	struct str program = word_at(words, i), name = path_base(program);
	struct str first = word_at(words, i + 1), second = word_at(words, i + 2);

	if (str_is(name, "holdfast")) {
		if (str_is(first, "stop-hook") || str_is(first, "hook"))
			return HOOK_HOLDFAST;
		return str_is(first, "ralph") && str_is(second, "hook") ? HOOK_LOOP_ALONE : HOOK_OTHER;
	}
	if (str_is(name, "ralph-stop-hook.sh"))
		return HOOK_LOOP_ALONE;
	if (str_is(name, "conclaude"))
		return first.n > 0 && first.s[0] >= 'A' && first.s[0] <= 'Z' ? HOOK_CONCLAUDE : HOOK_OTHER;
	if (str_is(name, "agent-gauntlet"))
		return str_is(first, "stop-hook") ? HOOK_GAUNTLET : HOOK_OTHER;
	if (str_is(name, "stop-hook.sh") && str_find(program, STR("ralph")) >= 0)
		return HOOK_RALPH_SCRIPT;
	return HOOK_OTHER;
}

enum hook_kind
hook_kind_of(struct arena *a, struct str command, const struct node *args)
{
	struct shell_words words = hook_words(a, command, args);
	enum hook_kind kind = HOOK_OTHER;

	for (size_t i = 0; i < words.count && kind == HOOK_OTHER; i++)
		kind = kind_at(&words, i);
	return kind;
}

struct str
hook_guard(struct arena *a, struct str program_word)
{
	return str_cat(a, "command -v ", program_word, " >/dev/null || exit 0; ");
}

size_t
hook_guard_length(struct arena *a, struct str command)
{
	struct shell_words words;

	if (!str_starts(command, STR("command -v ")))
		return 0;
	words = hook_words(a, command, NULL);
	if (words.count < 3)
		return 0;
	struct str guard = hook_guard(a, str_sub(command, words.items[2].from, words.items[2].to));

	return str_starts(command, guard) ? guard.n : 0;
}

/* The index of the first word that is neither of the guard nor `exec`. */
static size_t
first_of_call(struct arena *a, const struct shell_words *words, struct str command, const struct node *args)
{
	size_t guard = args ? 0 : hook_guard_length(a, command), at = 0;

	while (at < words->count && words->items[at].from < guard)
		at++;
	return at + (!args && str_is(word_at(words, at), "exec"));
}

struct str
hook_shown(struct arena *a, struct str command)
{
	struct str call = str_rest(command, hook_guard_length(a, command));

	(void)str_skip(&call, "exec ");
	return call;
}

bool
hook_runs_holdfast_first(struct arena *a, struct str command, const struct node *args, struct shell_word *ret)
{
	struct shell_words words = hook_words(a, command, args);
	size_t at = first_of_call(a, &words, command, args);

	if (kind_at(&words, at) != HOOK_HOLDFAST)
		return false;
	*ret = words.items[at];
	return true;
}

/* Is the program the first word, after guard and `exec`, and are all others its subcommand and options? A line with
 * anything else, such as `echo` or `&&`, may never reach the program. */
static bool
is_plain(struct arena *a, struct str command, const struct node *args)
{
	struct shell_words words = hook_words(a, command, args);
	size_t at = first_of_call(a, &words, command, args);

	if (kind_at(&words, at) == HOOK_OTHER)
		return false;
	for (size_t i = at; i < words.count; i++)
		if (!words.items[i].text.s || str_find_char(words.items[i].text, '$') >= 0 ||
		    str_find_char(words.items[i].text, '`') >= 0)
			return false;
	return true;
}

static bool
is_off(const struct node *n)
{
	const struct node *on = node_get(n, "enabled");

	return (on && on->kind == NODE_BOOL && !on->boolean) || node_get_bool(n, "disabled");
}

bool
settings_disable_hooks(const struct node *settings)
{
	static const char *const sections[] = { "hooks", "hooksConfig" };

	if (node_get_bool(settings, "disableAllHooks"))
		return true;
	for (size_t i = 0; i < COUNT_OF(sections); i++) {
		const struct node *section = node_get(settings, sections[i]);

		if (is_off(section) || node_get_list(section, "disabled")->count > 0)
			return true;
	}
	return false;
}

struct lister {
	struct arena *arena, scratch;
	const struct hook_shape *shape;
	const struct node *events;
	size_t event; /* index in events */
	struct hook_list list;
};

static void
add_found(struct lister *l, struct hook_entry found, const struct node *hook)
{
	const struct hook_shape *shape = l->shape;
	struct str command = node_get_str(hook, shape->command_key), type = node_get_str(hook, "type");
	const struct node *timeout = node_get(hook, shape->timeout_key);

	if (!command.s || (type.s && !str_is(type, "command")))
		return;
	found.command = command;
	found.kind = hook_kind_of(&l->scratch, command, node_get(hook, "args"));
	found.is_plain = found.kind != HOOK_OTHER && is_plain(&l->scratch, command, node_get(hook, "args"));
	found.is_disabled |= is_off(hook);
	arena_free(&l->scratch);
	/* Of a duplicate key the last one counts, for node_get() and for the clients. To look for one takes linear time, so
	 * it is only done for the few hooks that anyone acts on. */
	for (size_t k = l->event + 1; found.kind != HOOK_OTHER && k < l->events->count; k++)
		if (str_eq(l->events->entries[k].key, found.event))
			return;
	found.timeout_s = timeout && timeout->kind == NODE_INT ? timeout->integer / shape->timeout_units : 0;
	*arena_push(l->arena, l->list.items, l->list.count) = found;
}

const char *
hooks_key(const struct hook_shape *shape)
{
	return shape->hooks_key ? shape->hooks_key : "hooks";
}

struct hook_list
hooks_list(struct arena *a, const struct hook_shape *shape, const struct node *settings)
{
	struct lister l = { .arena = a, .shape = shape, .events = node_get(settings, hooks_key(shape)) };

	if (!l.events || l.events->kind != NODE_MAP)
		return l.list;
	for (; l.event < l.events->count; l.event++) {
		const struct node *groups = &l.events->entries[l.event].value;

		for (size_t g = 0; groups->kind == NODE_LIST && g < groups->count; g++) {
			const struct node *group = &groups->items[g], *hooks = node_get_list(group, "hooks");
			struct hook_entry found = { .event = l.events->entries[l.event].key,
						    .nth = l.event,
						    .group = g,
						    .is_disabled = is_off(group) ||
								   (shape->hooks_key && is_off(l.events)) };

			if (!shape->has_groups)
				add_found(&l, found, group);
			for (; shape->has_groups && found.index < hooks->count; found.index++)
				add_found(&l, found, &hooks->items[found.index]);
		}
	}
	return l.list;
}
