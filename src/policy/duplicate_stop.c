/* SPDX-License-Identifier: MIT */
/* Looks in the client's settings for the other registration. Reads files only where the client may run two. */
#include "policy/chain.h"

#include "client/registration.h"
#include "os/env.h"
#include "os/fs.h"

/* The registration that is looked for. The command line must have one of `words`, unless both are absent, and must not have
 * `unwanted`: without that it could be the line that made this very call, and then no call would decide. */
struct wanted_line {
	enum hook_kind kind;
	struct str words[2], unwanted;
	bool is_plain; /* holdfast is its first word: it is run, and not only named */
};

static bool
fits(struct str command, const struct wanted_line *w)
{
	if (w->unwanted.s && str_find(command, w->unwanted) >= 0)
		return false;
	if (!w->words[0].s && !w->words[1].s)
		return true;
	for (size_t i = 0; i < COUNT_OF(w->words); i++)
		if (w->words[i].s && str_find(command, w->words[i]) >= 0)
			return true;
	return false;
}

static bool
is_plain(struct arena *a, struct str command)
{
	struct shell_word ignored;

	return hook_runs_holdfast_first(a, command, NULL, &ignored);
}

/* A program that does not exist decides nothing; one that the shell has to find is assumed to exist. */
static bool
can_run(struct arena *a, struct str command)
{
	struct shell_word word;
	const char *path;
	struct err ignored;

	if (!hook_runs_holdfast_first(a, command, NULL, &word) || !str_starts(word.text, STR("/")) ||
	    str_cz(a, word.text, &path, &ignored) < 0)
		return true;
	return fs_kind(path) == FS_FILE;
}

static bool
is_in_scope(struct arena *a, struct str project, const struct client *c, enum settings_scope scope,
	    const struct wanted_line *w)
{
	struct str files[SETTINGS_FILES_MAX];
	size_t count = settings_files(a, project, c, scope, files);

	for (size_t n = 0; n < count; n++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct str text;
		struct node root;
		struct err ignored;

		if (settings_read(&scratch, &scratch, files[n], &text, &root, &ignored) < 0)
			continue;
		struct hook_list list = hooks_list(&scratch, &c->settings->shape, &root);

		for (size_t i = 0; i < list.count; i++) {
			const struct hook_entry *f = &list.items[i];

			if (f->kind == w->kind && client_is_stop_name(c, f->event) && fits(f->command, w) &&
			    (!w->is_plain || is_plain(a, f->command)) && can_run(a, f->command))
				return true;
		}
	}
	return false;
}

/* Looks, of these scopes, in those that the client reads, and where it does: in the project that its variable names, else in
 * the repository's root or here. */
static bool
is_registered_in(struct arena *a, const struct event *e, const struct wanted_line *w, unsigned scopes)
{
	const struct client *c = e->client;
	struct str start = str_starts(e->cwd, STR("/")) ? str_copy(a, e->cwd) : fs_cwd(a);
	struct str named = c->project_env ? env_get(c->project_env) : STR_NONE;
	struct project_dirs where;

	if (c->settings->scopes_read)
		scopes &= c->settings->scopes_read(a);

	project_find_above(&where, start, WITHIN_REPOSITORY);
	struct str project = str_starts(named, STR("/")) ? named
			     : where.repository.s        ? where.repository
							 : start;

	for (int scope = 0; scope < SCOPE_COUNT; scope++)
		if ((scopes >> scope & 1) && is_in_scope(a, project, c, (enum settings_scope)scope, w))
			return true;
	return false;
}

static bool
is_registered(struct arena *a, const struct event *e, const struct wanted_line *w)
{
	return is_registered_in(a, e, w, ALL_SCOPES);
}

bool
registered_in_project(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .is_plain = true };

	return e->client->settings && is_registered_in(a, e, &line, 1U << SCOPE_PROJECT | 1U << SCOPE_LOCAL);
}

bool
registered_for_all(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST };

	return e->client->settings && is_registered_in(a, e, &line, 1U << SCOPE_USER);
}

bool
registered_by_client(struct arena *a, const struct event *e, enum front_end front_end)
{
	static const enum hook_kind kinds[] = {
		[FRONT_END_HOLDFAST] = HOOK_HOLDFAST,
		[FRONT_END_CONCLAUDE] = HOOK_CONCLAUDE,
		[FRONT_END_GAUNTLET] = HOOK_GAUNTLET,
		[FRONT_END_RALPH] = HOOK_LOOP_ALONE,
	};
	const struct client *c = e->client;
	const struct wanted_line line = {
		.kind = kinds[front_end],
		.words = { str_fmt(a, "--client %s", c->name), str_fmt(a, "--client=%s", c->name) },
	};

	return c->settings && c->settings->reads_claude_settings && is_registered(a, e, &line);
}

bool
registered_in_settings(struct arena *a, const struct event *e)
{
	/* A line that was copied from the plugin looks for another one, too. */
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .unwanted = STR("--plugin") };

	return e->client->settings && e->client->settings->plugins_key && is_registered(a, e, &line);
}

bool
registered_by_user(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .words = { STR("--user") } };
	const struct client *c = e->client;

	return c->settings && c->settings->runs_equal_lines && is_in_scope(a, STR_NONE, c, SCOPE_USER, &line);
}
