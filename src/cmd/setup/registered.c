/* SPDX-License-Identifier: MIT */
/* Reads the clients' settings for what is registered there. */
#include "cmd/setup/registered.h"

#include "base/number.h"
#include "cmd/setup/init.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "store/installed.h"

/* The first hook for a client's stops that is of one of the kinds: a set of bits. */
static const struct hook_found *
find_in(const struct client *c, const struct hook_list *hooks, unsigned kinds)
{
	for (size_t i = 0; i < hooks->count; i++)
		if ((kinds >> hooks->items[i].kind & 1) && client_is_stop_name(c, hooks->items[i].event))
			return &hooks->items[i];
	return NULL;
}

static void
read_file(struct arena *a, struct registered_client *c, enum settings_scope scope, struct str path)
{
	struct registered_file *f = &c->files[c->count++];
	struct str text;

	*f = (struct registered_file){ .path = path, .scope = scope };
	f->is_bad = settings_read(a, path, &text, &f->root, &f->why_bad) < 0;
	f->hooks = hook_settings_list(a, &c->client->settings->shape, &f->root);
	for (size_t i = 0; i < f->hooks.count; i++)
		c->is_registered |= f->hooks.items[i].kind == HOOK_HOLDFAST;
}

void
registered_look(struct arena *a, struct str project, struct registered *ret)
{
	struct str paths[SETTINGS_FILES_MAX];

	*ret = (struct registered){ 0 };
	for (size_t k = 0; k < client_count; k++) {
		struct registered_client *c = &ret->clients[ret->count];

		if (!clients[k]->settings)
			continue;
		ret->count++;
		c->client = clients[k];
		c->files = arena_array(a, SETTINGS_FILES_MAX * SCOPE_COUNT, struct registered_file);
		for (int i = 0; i < SCOPE_COUNT; i++) {
			enum settings_scope scope = (enum settings_scope)i;
			size_t count = settings_files(a, project, c->client, scope, paths);

			for (size_t n = 0; n < count; n++)
				read_file(a, c, scope, paths[n]);
		}
	}
	ret->has_our_plugin = registered_has_plugin(ret, "holdfast");
}

const struct registered_client *
registered_of(const struct registered *r, const struct client *c)
{
	static const struct registered_client none;

	for (size_t i = 0; i < r->count; i++)
		if (r->clients[i].client == c)
			return &r->clients[i];
	return &none;
}

bool
registered_in(struct arena *a, struct str dir, const struct client *c)
{
	struct registered *r = arena_new(a, struct registered);

	registered_look(a, dir, r);
	const struct registered_client *row = registered_of(r, c);

	for (size_t i = 0; i < row->count; i++)
		if (row->files[i].scope != SCOPE_USER &&
		    find_in(c, &row->files[i].hooks, 1U << HOOK_HOLDFAST))
			return true;
	return false;
}

bool
registered_has_plugin(const struct registered *r, const char *name)
{
	const struct registered_client *claude = &r->clients[0];

	for (size_t i = 0; i < claude->count; i++)
		if (claude_settings_has_plugin(&claude->files[i].root, name))
			return true;
	return false;
}

const char *
registered_ralph_plugin(const struct registered *r)
{
	static const char *const names[] = { "ralph-wiggum", "ralph-loop" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (registered_has_plugin(r, names[i]))
			return names[i];
	return NULL;
}

const struct registered_file *
registered_off_switch(const struct registered *r)
{
	const struct registered_client *claude = &r->clients[0];

	for (size_t i = 0; i < claude->count; i++)
		if (node_get_bool(&claude->files[i].root, "disableAllHooks"))
			return &claude->files[i];
	return NULL;
}

bool
registered_elsewhere(const struct registered *r, const struct registered_client *c)
{
	for (size_t i = 0; i < r->count; i++)
		if (&r->clients[i] != c && r->clients[i].is_registered)
			return true;
	return false;
}

static const struct hook_found *
find_stop(const struct registered *r, unsigned kinds)
{
	const struct hook_found *found = NULL;

	for (size_t i = 0; i < r->count; i++)
		for (size_t n = 0; !found && n < r->clients[i].count; n++)
			found = find_in(r->clients[i].client, &r->clients[i].files[n].hooks, kinds);
	return found;
}

bool
registered_has_loop_hook(const struct registered *r)
{
	return r->has_our_plugin || registered_has_plugin(r, "ralph-wiggum") ||
	       registered_has_plugin(r, "ralph-loop") ||
	       find_stop(r, 1U << HOOK_HOLDFAST | 1U << HOOK_LOOP_ALONE | 1U << HOOK_RALPH_SCRIPT);
}

const struct hook_found *
registered_other_stop(const struct registered *r)
{
	return find_stop(r, 1U << HOOK_CONCLAUDE | 1U << HOOK_GAUNTLET);
}

static bool
has_other_line(const struct hook_list *hooks, const char *event, struct str command)
{
	for (size_t i = 0; i < hooks->count; i++) {
		const struct hook_found *f = &hooks->items[i];

		if (f->kind == HOOK_HOLDFAST && str_is(f->event, event) && !str_eq(f->command, command))
			return true;
	}
	return false;
}

const struct registered_file *
registered_beside(const struct registered *r, const struct client *c, struct str path, const char *event,
		  struct str command)
{
	const struct registered_client *row = registered_of(r, c);

	if (c->settings->runs_equal_lines)
		return NULL; /* there the user's line is always another, and decides */
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

/* A variable's number for the client's own; a negative one is none, and what is no number at all changes nothing. */
static uint64_t
cap_by(const struct client *c, struct str text)
{
	uint64_t cap = c->block_cap;

	if (text.s && !number_parse(text, &cap) && str_starts(text, STR("-")))
		cap = 0;
	return c->is_cap_exclusive && cap > 1 ? cap - 1 : cap;
}

/* How the client's number is changed by hand. */
static const char *
fix_by_hand(struct arena *a, const struct client *c, uint64_t blocks)
{
	if (!c->block_cap_env)
		return "that limit can't be raised: set up no more for this client";
	return str_fmt(a, "raise it in the environment of %s: %s=%llu", c->title, c->block_cap_env,
		       blocks == BLOCKS_ENDLESS ? 0ULL : (unsigned long long)blocks + c->is_cap_exclusive)
		.s;
}

static bool
look(struct arena *a, const struct client *c, struct str number, uint64_t blocks, struct str *ret)
{
	const struct block_cap cap = { .blocks = blocks,
				       .title = c->title,
				       .cap = cap_by(c, number),
				       .is_reset_by_a_tool = c->is_cap_reset_by_a_tool };

	if (!block_cap_is_low(&cap))
		return false;
	*ret = block_cap_text(a, &cap);
	return true;
}

bool
client_cap(struct arena *a, const struct client *c, uint64_t blocks, struct str *ret_text,
	   const char **ret_fix)
{
	struct str number = c->block_cap_env ? env_get(c->block_cap_env) : STR_NONE;

	*ret_fix = fix_by_hand(a, c, blocks);
	return look(a, c, number, blocks, ret_text);
}

/* The number that holds for Claude Code: the settings' own environment first, the later file before the earlier. */
static struct str
find_number(const struct registered *r, const struct registered_file **ret_file)
{
	const struct registered_client *claude = &r->clients[0];

	for (size_t i = claude->count; i-- > 0;) {
		struct str number = claude_settings_env(&claude->files[i].root, CLAUDE_BLOCK_CAP_NAME);

		*ret_file = &claude->files[i];
		if (number.s)
			return number;
	}
	*ret_file = NULL;
	return env_get(CLAUDE_BLOCK_CAP_NAME);
}

bool
claude_cap_is_inits(struct arena *a, struct str path, struct str number)
{
	struct installed record;
	struct err ignored;
	bool is_there;

	return installed_find(a, path, &record, &is_there, &ignored) == 0 && is_there && record.cap.s &&
	       str_eq(record.cap, number);
}

bool
claude_cap_is_users(struct arena *a, const struct registered *r)
{
	const struct registered_file *file;
	struct str number = find_number(r, &file);

	return number.s && !(file && claude_cap_is_inits(a, file->path, number));
}

bool
claude_cap(struct arena *a, const struct registered *r, uint64_t blocks, struct str cwd, struct str *ret_text,
	   const char **ret_fix)
{
	const struct registered_file *file;
	struct str number = find_number(r, &file), text, where = STR("its default");

	if (!look(a, &client_claude, number, blocks, &text))
		return false;
	if (number.s) {
		struct str shown = file ? shown_path(file->path, cwd) : STR("the environment");

		where = str_fmt(a, CLAUDE_BLOCK_CAP_NAME " in " STR_FMT, STR_ARG(shown));
	}
	*ret_text = str_fmt(a, STR_FMT " (" STR_FMT ")", STR_ARG(text), STR_ARG(where));
	if (claude_cap_is_users(a, r))
		*ret_fix = "raise the number";
	else if (blocks == BLOCKS_ENDLESS || (r->has_our_plugin && !r->clients[0].is_registered))
		*ret_fix = fix_by_hand(a, &client_claude, blocks);
	else if (!file || file->scope == SCOPE_PROJECT)
		*ret_fix = "holdfast init";
	else
		*ret_fix = str_fmt(a, "holdfast init --%s", settings_scope_names[file->scope]).s;
	return true;
}

void
registered_pretend(struct registered *r, struct str path, const struct node *root)
{
	struct registered_client *claude = &r->clients[0];

	for (size_t i = 0; i < claude->count; i++)
		if (str_eq(claude->files[i].path, path))
			claude->files[i].root = *root;
}

bool
registered_cap(struct arena *a, const struct registered *r, size_t client, uint64_t blocks, struct str cwd,
	       struct str *ret_text, const char **ret_fix)
{
	const struct registered_client *c = &r->clients[client];

	if (c->client != &client_claude)
		return c->is_registered && client_cap(a, c->client, blocks, ret_text, ret_fix);
	return (c->is_registered || r->has_our_plugin || !registered_elsewhere(r, c)) &&
	       claude_cap(a, r, blocks, cwd, ret_text, ret_fix);
}
