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
	bool may_be_wrapped; /* holdfast may only be named in it, and hooks may be switched off */
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

/* What the settings of a client say about the line. */
struct registration {
	struct str where; /* `FILE: COMMAND`; absent: it is not registered */
	bool is_disabled; /* a file switches hooks off */
};

static void
look_in_scope(struct arena *a, struct str project, const struct client *c, enum settings_scope scope,
	      const struct wanted_line *w, struct registration *ret)
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
		ret->is_disabled |= settings_disable_hooks(&root);
		struct hook_list list = hooks_list(&scratch, &c->settings->shape, &root);

		for (size_t i = 0; i < list.count && w; i++) {
			const struct hook_entry *f = &list.items[i];

			if (f->kind == w->kind && (w->may_be_wrapped || (f->is_plain && !f->is_disabled)) &&
			    client_is_stop_name(c, f->event) && fits(f->command, w) && can_run(a, f->command))
				ret->where = str_fmt(a, STR_FMT ": " STR_FMT, STR_ARG(files[n]),
						     STR_ARG(f->command));
		}
	}
}

/* Looks where the client itself does: in the project that its variable names, else in the repository's root or here.
 * A line that the client may not run, because hooks are switched off, is none: then this call decides. */
static struct str
find_line(struct arena *a, const struct event *e, unsigned wanted_scopes, const struct wanted_line *w)
{
	const struct client *c = e->client;
	struct str start = str_starts(e->cwd, STR("/")) ? str_copy(a, e->cwd) : fs_cwd(a);
	struct str named = c->project_env ? env_get(c->project_env) : STR_NONE;
	unsigned scopes = c->settings->scopes_read ? c->settings->scopes_read(a) : ALL_SCOPES;
	struct registration r = { 0 };
	struct project_dirs where;

	project_find_above(&where, start, WITHIN_REPOSITORY);
	struct str project = str_starts(named, STR("/")) ? named
			     : where.repository.s        ? where.repository
							 : start;

	for (int scope = 0; scope < SCOPE_COUNT; scope++)
		if (scopes >> scope & 1)
			look_in_scope(a, project, c, (enum settings_scope)scope,
				      wanted_scopes >> scope & 1 ? w : NULL, &r);
	return r.is_disabled && !w->may_be_wrapped ? STR_NONE : r.where;
}

bool
registered_in_project(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST };

	return e->client->settings && find_line(a, e, 1U << SCOPE_PROJECT | 1U << SCOPE_LOCAL, &line).s;
}

bool
registered_for_all(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .may_be_wrapped = true };

	return e->client->settings && find_line(a, e, 1U << SCOPE_USER, &line).s;
}

struct str
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

	return c->settings && c->settings->reads_claude_settings ? find_line(a, e, ALL_SCOPES, &line)
								 : STR_NONE;
}

struct str
registered_in_settings(struct arena *a, const struct event *e)
{
	/* A line that was copied from the plugin looks for another one, too. */
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .unwanted = STR("--plugin") };

	return e->client->settings && e->client->settings->plugins_key ? find_line(a, e, ALL_SCOPES, &line)
								       : STR_NONE;
}

struct str
registered_by_user(struct arena *a, const struct event *e)
{
	const struct wanted_line line = { .kind = HOOK_HOLDFAST, .words = { STR("--user") } };
	const struct client *c = e->client;

	return c->settings && c->settings->runs_equal_lines ? find_line(a, e, 1U << SCOPE_USER, &line)
							    : STR_NONE;
}
