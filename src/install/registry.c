/* SPDX-License-Identifier: MIT */
/* Reads the clients' settings files and answers questions about them. */
#include "install/registry.h"

#include "install/project_facts.h"
#include "install/settings_edit.h"
#include "model/block_cap.h"
#include "os/env.h"

/* The first hook for the client's stops whose kind is in the bit set. */
static const struct hook_entry *
find_in(const struct client *c, const struct hook_list *hooks, unsigned kinds)
{
	for (size_t i = 0; i < hooks->count; i++)
		if ((kinds >> hooks->items[i].kind & 1) && client_is_stop_name(c, hooks->items[i].event))
			return &hooks->items[i];
	return NULL;
}

static const char *const plugin_names[PLUGIN_COUNT] = {
	[PLUGIN_HOLDFAST] = "holdfast",
	[PLUGIN_RALPH_WIGGUM] = "ralph-wiggum",
	[PLUGIN_RALPH_LOOP] = "ralph-loop",
};

/* Plugins are enabled as NAME@MARKETPLACE. */
static void
note_plugins(const struct node *plugins, bool ret[PLUGIN_COUNT])
{
	for (size_t k = 0; plugins && plugins->kind == NODE_MAP && k < plugins->count; k++) {
		const struct node *value = &plugins->entries[k].value;
		struct str key = plugins->entries[k].key, plugin;

		if (!str_next(&key, '@', &plugin) || (value->kind == NODE_BOOL && !value->boolean))
			continue;
		for (size_t i = 0; i < PLUGIN_COUNT; i++)
			ret[i] |= str_is(plugin, plugin_names[i]);
	}
}

/* Copies the hooks that anyone asks about. */
static struct hook_list
keep_hooks(struct arena *a, const struct hook_list *all)
{
	struct hook_list kept = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct hook_entry *h = &all->items[i];

		if (h->kind == HOOK_OTHER && str_find(h->command, STR("holdfast")) < 0)
			continue;
		arena_make_room(a, kept.items, kept.count, &capacity);
		kept.items[kept.count++] = *h;
	}
	for (size_t i = 0; i < kept.count; i++) {
		struct hook_entry *h = &kept.items[i];
		bool is_same_event = i > 0 && str_eq(h->event, kept.items[i - 1].event);

		h->event = is_same_event ? kept.items[i - 1].event : str_copy(a, h->event);
		h->command = str_copy(a, h->command);
	}
	return kept;
}

static void
read_file(struct arena *a, struct registry_client *c, enum settings_scope scope, struct str path)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct client_settings *s = c->client->settings;
	struct registry_file *f = &c->files[c->count++];
	struct node root = { .kind = NODE_NULL };
	struct str text, cap;

	*f = (struct registry_file){ .path = path, .scope = scope };
	f->is_bad = settings_read(&scratch, &scratch, path, &text, &root, &f->why_bad) < 0;
	struct hook_list all = hooks_list(&scratch, &s->shape, &root);

	f->hooks = keep_hooks(a, &all);
	for (size_t i = 0; i < f->hooks.count; i++)
		c->is_registered |= f->hooks.items[i].kind == HOOK_HOLDFAST;
	cap = s->has_env ? settings_env(&root, c->client->block_cap_env) : STR_NONE;
	f->cap = cap.s ? str_copy(a, cap) : STR_NONE;
	f->is_disabling = s->disable_key && node_get_bool(&root, s->disable_key);
	if (s->plugins_key)
		note_plugins(node_get(&root, s->plugins_key), f->has_plugin);
}

static bool
has_plugin(const struct registry_client *c, enum plugin plugin)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->files[i].has_plugin[plugin])
			return true;
	return false;
}

void
registry_load(struct arena *a, struct str project, struct registry *ret)
{
	struct str paths[SETTINGS_FILES_MAX];

	*ret = (struct registry){ 0 };
	for (size_t k = 0; k < client_count; k++) {
		struct registry_client *c = &ret->clients[ret->count];

		if (!clients[k]->settings)
			continue;
		ret->count++;
		c->client = clients[k];
		c->files = arena_array(a, SETTINGS_FILES_MAX * SCOPE_COUNT, struct registry_file);
		for (int i = 0; i < SCOPE_COUNT; i++) {
			enum settings_scope scope = (enum settings_scope)i;
			size_t count = settings_files(a, project, c->client, scope, paths);

			for (size_t n = 0; n < count; n++)
				read_file(a, c, scope, paths[n]);
		}
		c->has_plugin = has_plugin(c, PLUGIN_HOLDFAST);
	}
}

const struct registry_client *
registry_find(const struct registry *r, const struct client *c)
{
	static const struct registry_client none;

	for (size_t i = 0; i < r->count; i++)
		if (r->clients[i].client == c)
			return &r->clients[i];
	return &none;
}

bool
registry_has_stop_in(struct arena *a, struct str dir, const struct client *c)
{
	struct registry *r = arena_new(a, struct registry);

	registry_load(a, dir, r);
	const struct registry_client *row = registry_find(r, c);

	for (size_t i = 0; i < row->count; i++)
		if (row->files[i].scope != SCOPE_USER &&
		    find_in(c, &row->files[i].hooks, 1U << HOOK_HOLDFAST))
			return true;
	return false;
}

const char *
registry_ralph_plugin(const struct registry *r)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t n = PLUGIN_RALPH_WIGGUM; n <= PLUGIN_RALPH_LOOP; n++)
			if (has_plugin(&r->clients[i], (enum plugin)n))
				return plugin_names[n];
	return NULL;
}

const struct registry_file *
registry_disabled_by(const struct registry *r)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t n = 0; n < r->clients[i].count; n++)
			if (r->clients[i].files[n].is_disabling)
				return &r->clients[i].files[n];
	return NULL;
}

bool
registry_has_other_client(const struct registry *r, const struct client *c)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->clients[i].client != c && r->clients[i].is_registered)
			return true;
	return false;
}

static const struct hook_entry *
find_stop(const struct registry *r, unsigned kinds)
{
	const struct hook_entry *found = NULL;

	for (size_t i = 0; i < r->count; i++)
		for (size_t n = 0; !found && n < r->clients[i].count; n++)
			found = find_in(r->clients[i].client, &r->clients[i].files[n].hooks, kinds);
	return found;
}

bool
registry_has_loop_hook(const struct registry *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->clients[i].has_plugin)
			return true;
	return registry_ralph_plugin(r) ||
	       find_stop(r, 1U << HOOK_HOLDFAST | 1U << HOOK_LOOP_ALONE | 1U << HOOK_RALPH_SCRIPT);
}

const struct hook_entry *
registry_foreign_stop(const struct registry *r)
{
	return find_stop(r, 1U << HOOK_CONCLAUDE | 1U << HOOK_GAUNTLET);
}

const struct hook_entry *
find_rival(const struct client *c, const struct hook_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct hook_entry *f = &list->items[i];

		if (f->kind == HOOK_OTHER || f->kind == HOOK_HOLDFAST)
			continue;
		for (size_t k = 0; k < c->settings->wanted_count; k++)
			if (str_is(f->event, c->settings->wanted[k].event))
				return f;
	}
	return NULL;
}

static bool
has_other_line(const struct hook_list *hooks, const char *event, struct str command)
{
	for (size_t i = 0; i < hooks->count; i++) {
		const struct hook_entry *f = &hooks->items[i];

		if (f->kind == HOOK_HOLDFAST && str_is(f->event, event) && !str_eq(f->command, command))
			return true;
	}
	return false;
}

const struct registry_file *
registry_duplicate(const struct registry *r, const struct client *c, struct str path, const char *event,
		   struct str command)
{
	const struct registry_client *row = registry_find(r, c);

	if (c->settings->runs_equal_lines)
		return NULL; /* the user's line always differs there, and it alone decides */
	for (size_t i = 0; i < row->count; i++)
		if (!str_eq(row->files[i].path, path) && has_other_line(&row->files[i].hooks, event, command))
			return &row->files[i];
	return NULL;
}

const char *
init_command_of(struct arena *a, const struct client *c)
{
	return c == &client_claude ? "holdfast init" : str_fmt(a, "holdfast init --client %s", c->name).s;
}

void
registry_override_cap(struct registry *r, const struct client *c, struct str path, struct str cap)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t n = 0; r->clients[i].client == c && n < r->clients[i].count; n++)
			if (str_eq(r->clients[i].files[n].path, path))
				r->clients[i].files[n].cap = cap;
}

/* ---- the client's limit on blocks ---- */

/* The limit after the variable: a negative number means no limit, and anything else that is not a number is ignored. */
static uint64_t
effective_cap(const struct client *c, struct str variable)
{
	uint64_t cap = c->block_cap;

	if (variable.s && !number_parse(variable, &cap) && str_starts(variable, STR("-")))
		cap = 0;
	return c->is_cap_exclusive && cap > 1 ? cap - 1 : cap;
}

static const char *
fix_by_hand(struct arena *a, const struct client *c, uint64_t blocks)
{
	if (!c->block_cap_env)
		return "that limit can't be raised: configure fewer blocks for this client";
	return str_fmt(a, "raise it in the environment of %s: %s=%llu", c->title, c->block_cap_env,
		       blocks == BLOCKS_ENDLESS ? 0ULL : (unsigned long long)blocks + c->is_cap_exclusive)
		.s;
}

/* The variable's value: from the settings where the client has variables there, the last file first, else from the
 * environment. *ret_file is NULL for the environment. */
static struct str
find_variable(const struct registry *r, const struct client *c, const struct registry_file **ret_file)
{
	const struct registry_client *row = registry_find(r, c);

	for (size_t i = row->count; c->settings->has_env && i-- > 0;) {
		*ret_file = &row->files[i];
		if (row->files[i].cap.s)
			return row->files[i].cap;
	}
	*ret_file = NULL;
	return c->block_cap_env ? env_get(c->block_cap_env) : STR_NONE;
}

bool
install_record_has_cap(struct arena *a, struct str path, struct str number)
{
	struct install_record record;
	struct err ignored;
	bool is_there;

	return install_record_find(a, path, &record, &is_there, &ignored) == 0 && is_there && record.cap.s &&
	       str_eq(record.cap, number);
}

bool
registry_cap_is_users(struct arena *a, const struct registry *r, const struct client *c)
{
	const struct registry_file *file;
	struct str number = find_variable(r, c, &file);

	return number.s && !(file && install_record_has_cap(a, file->path, number));
}

bool
registry_cap_is_low(struct arena *a, const struct registry *r, const struct client *c, uint64_t blocks,
		    struct str cwd, struct cap_warning *ret)
{
	const struct registry_client *row = registry_find(r, c);
	const struct registry_file *file;
	struct str number = find_variable(r, c, &file), where = STR("its default");
	const struct block_cap cap = { .blocks = blocks,
				       .title = c->title,
				       .cap = effective_cap(c, number),
				       .is_reset_by_a_tool = c->is_cap_reset_by_a_tool };

	if (!block_cap_is_low(&cap))
		return false;
	*ret = (struct cap_warning){ block_cap_text(a, &cap), fix_by_hand(a, c, blocks) };
	if (!c->settings->has_env)
		return true;
	if (number.s) {
		struct str shown = file ? shown_path(file->path, cwd) : STR("the environment");

		where = str_fmt(a, "%s in " STR_FMT, c->block_cap_env, STR_ARG(shown));
	}
	ret->text = str_fmt(a, STR_FMT " (" STR_FMT ")", STR_ARG(ret->text), STR_ARG(where));
	if (registry_cap_is_users(a, r, c))
		ret->fix = "raise the number";
	else if (blocks == BLOCKS_ENDLESS || (row->has_plugin && !row->is_registered))
		return true;
	else if (!file || file->scope == SCOPE_PROJECT)
		ret->fix = init_command_of(a, c);
	else
		ret->fix = str_fmt(a, "%s --%s", init_command_of(a, c), settings_scope_names[file->scope]).s;
	return true;
}

bool
registry_cap_matters(const struct registry *r, const struct client *c)
{
	const struct registry_client *row = registry_find(r, c);

	return row->is_registered || row->has_plugin ||
	       (c == &client_claude && !registry_has_other_client(r, c));
}
