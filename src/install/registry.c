/* SPDX-License-Identifier: MIT */
/* Reads the clients' settings files and answers questions about them. */
#include "install/registry.h"

#include "model/block_cap.h"
#include "os/env.h"

void
registry_load(struct arena *a, struct str project, struct registry *ret)
{
	*ret = (struct registry){ 0 };
	install_records_load(a, &ret->records);
	for (size_t k = 0; k < client_count; k++) {
		struct registry_client *c = &ret->clients[ret->count];

		if (!clients[k]->settings)
			continue;
		ret->count++;
		c->client = clients[k];
		for (int i = 0; i < SCOPE_COUNT; i++) {
			enum settings_scope scope = (enum settings_scope)i;
			struct str_list paths = settings_files(a, project, c->client, scope);

			for (size_t n = 0; n < paths.count; n++) {
				struct settings_file *f = arena_push(a, c->files, c->count);

				settings_open(a, &ret->records, c->client, paths.items[n], f);
				f->scope = scope;
				c->has_plugin |= str_list_has(&f->plugins, STR("holdfast"));
				for (size_t h = 0; h < f->hooks.count; h++)
					c->is_registered |= f->hooks.items[h].kind == HOOK_HOLDFAST;
			}
		}
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

struct settings_file *
registry_file(const struct registry *r, const struct client *c, struct str path)
{
	const struct registry_client *row = registry_find(r, c);

	for (size_t i = 0; i < row->count; i++)
		if (str_eq(row->files[i].path, path))
			return &row->files[i];
	return NULL;
}

struct settings_file *
registry_own_file(const struct registry *r, const struct client *c, enum settings_scope scope)
{
	const struct registry_client *row = registry_find(r, c);
	size_t i = 0;

	while (i < row->count && row->files[i].scope != scope)
		i++;
	/* In the home directory, two scopes have the same file, which everybody must edit as one. */
	return i < row->count ? registry_file(r, c, row->files[i].path) : NULL;
}

struct settings_file *
registry_server_file(struct arena *a, struct registry *r, const struct client *c, struct str project)
{
	if (!c->settings->server_file)
		return NULL;
	struct str path = path_join(a, project, str_from(c->settings->server_file));
	struct settings_file *f = registry_file(r, c, path);

	if (!f) {
		f = arena_new(a, struct settings_file);
		settings_open(a, &r->records, c, path, f);
		f->scope = SCOPE_PROJECT;
	}
	return f;
}

/* The first hook for the client's stops whose kind is in the bit set. */
static const struct hook_entry *
find_in(const struct settings_file *f, unsigned kinds)
{
	for (size_t i = 0; i < f->hooks.count; i++)
		if ((kinds >> f->hooks.items[i].kind & 1) &&
		    str_is_word_of(f->hooks.items[i].event, f->client->stop_names))
			return &f->hooks.items[i];
	return NULL;
}

bool
registry_has_stop(const struct registry *r, const struct client *c, bool is_for_all)
{
	for_each (row, r->clients, r->count) {
		if (c && row->client != c)
			continue;
		if (is_for_all && row->has_plugin)
			return true;
		for (size_t k = 0; k < row->count; k++)
			if ((row->files[k].scope == SCOPE_USER) == is_for_all &&
			    find_in(&row->files[k], 1U << HOOK_HOLDFAST))
				return true;
	}
	return false;
}

struct str
registry_ralph_plugin(const struct registry *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct str names = STR(RALPH_PLUGINS), name;

		while (str_next(&names, ' ', &name))
			for (size_t k = 0; k < r->clients[i].count; k++)
				if (str_list_has(&r->clients[i].files[k].plugins, name))
					return name;
	}
	return STR_NONE;
}

const struct settings_file *
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
			found = find_in(&r->clients[i].files[n], kinds);
	return found;
}

bool
registry_has_loop_hook(const struct registry *r)
{
	return registry_has_stop(r, NULL, true) || registry_has_stop(r, NULL, false) ||
	       registry_ralph_plugin(r).s || find_stop(r, 1U << HOOK_LOOP_ALONE | 1U << HOOK_RALPH_SCRIPT);
}

const struct hook_entry *
registry_foreign_stop(const struct registry *r)
{
	return find_stop(r, 1U << HOOK_CONCLAUDE | 1U << HOOK_GAUNTLET);
}

const struct hook_wanted *
always_wanted(const struct client *c, struct str event)
{
	for (size_t i = 0; i < c->settings->wanted_count; i++)
		if (str_is(event, c->settings->wanted[i].event))
			return &c->settings->wanted[i];
	return NULL;
}

const struct hook_entry *
find_rival(const struct client *c, const struct hook_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind != HOOK_OTHER && list->items[i].kind != HOOK_HOLDFAST &&
		    always_wanted(c, list->items[i].event))
			return &list->items[i];
	return NULL;
}

/* ---- the client's limit on blocks ---- */

bool
settings_has_our_cap(const struct settings_file *f)
{
	return f->recorded_cap.s && f->cap.s && str_eq(f->recorded_cap, f->cap);
}

bool
registry_cap_is_low(struct arena *a, const struct registry *r, const struct client *c, uint64_t blocks,
		    struct str cwd, struct cap_warning *ret)
{
	const struct registry_client *row = registry_find(r, c);
	const struct settings_file *file = NULL;
	struct str number = c->block_cap_env ? env_get(c->block_cap_env) : STR_NONE;
	struct str where = STR("its default");
	struct block_cap cap = { .blocks = blocks,
				 .title = c->title,
				 .cap = c->block_cap,
				 .is_reset_by_a_tool = c->is_cap_reset_by_a_tool };

	/* In settings that have variables, the last file counts, and then the environment. */
	for (size_t i = row->count; c->settings->has_env && !file && i-- > 0;)
		if (row->files[i].cap.s)
			file = &row->files[i];
	if (file)
		number = file->cap;
	/* A negative number means no limit, and anything else that is not a number is ignored. */
	if (number.s && !number_parse(number, &cap.cap) && str_starts(number, STR("-")))
		cap.cap = 0;
	cap.cap -= c->is_cap_exclusive && cap.cap > 1;
	if (!block_cap_is_low(&cap))
		return false;
	*ret = (struct cap_warning){
		.text = block_cap_text(a, &cap),
		.fix = "that limit can't be raised: configure fewer blocks for this client",
		.is_users = number.s && !(file && settings_has_our_cap(file)),
	};
	if (c->block_cap_env)
		ret->fix = str_cat(a, "raise it in the environment of ", c->title, ": ", c->block_cap_env,
				   "=", blocks == BLOCKS_ENDLESS ? 0 : blocks + c->is_cap_exclusive)
				   .s;
	if (!c->settings->has_env)
		return true;
	if (number.s)
		where = str_cat(a, c->block_cap_env, " in ",
				file ? path_shown(file->path, cwd) : STR("the environment"));
	ret->text = str_cat(a, ret->text, " (", where, ")");
	if (ret->is_users)
		ret->fix = "raise the number";
	else if (blocks == BLOCKS_ENDLESS || (row->has_plugin && !row->is_registered))
		return true;
	else
		ret->fix = init_command_of(a, c, file ? file->scope : SCOPE_PROJECT);
	return true;
}

bool
registry_cap_matters(const struct registry *r, const struct client *c)
{
	const struct registry_client *row = registry_find(r, c);

	return row->is_registered || row->has_plugin ||
	       (c == &client_claude && !registry_has_other_client(r, c));
}
