/* SPDX-License-Identifier: MIT */
/* Looks into a client's settings for the other registration. It changes nothing, and only looks where there can be two. */
#include "cmd/hook/hook_double.h"

#include "client/client_claude.h"
#include "cmd/setup/init.h"
#include "cmd/setup/setup.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/upward.h"

#define ALL_SCOPES ((1U << SCOPE_COUNT) - 1)

static enum hook_kind
kind_of(enum front_end front_end)
{
	switch (front_end) {
	case FRONT_END_GAUNTLET:
		return HOOK_GAUNTLET;
	case FRONT_END_RALPH:
		return HOOK_LOOP_ALONE;
	case FRONT_END_CONCLAUDE:
		return HOOK_CONCLAUDE;
	case FRONT_END_HOLDFAST:
		break;
	}
	return HOOK_HOLDFAST;
}

typedef bool counts_fn(struct arena *a, struct str command, const struct client *c);

/* Does the command name the client? Without that it could be this very call, and nobody would decide. */
static bool
names_client(struct arena *a, struct str command, const struct client *c)
{
	return str_find(command, str_fmt(a, "--client %s", c->name)) >= 0 ||
	       str_find(command, str_fmt(a, "--client=%s", c->name)) >= 0;
}

/* Where that is not said, it could be this very call. */
static bool
says_user(struct arena *a, struct str command, const struct client *c)
{
	(void)a;
	(void)c;
	return str_find(command, STR("--user")) >= 0;
}

/* What somebody has copied out of the plugin looks for another one, too. */
static bool
is_not_plugins(struct arena *a, struct str command, const struct client *c)
{
	(void)a;
	(void)c;
	return str_find(command, STR("--plugin")) < 0;
}

/* A program that is not there decides nothing; one that the shell has to find is taken to be there. */
static bool
can_run(struct arena *a, struct str command)
{
	struct shell_word word;
	const char *path;
	struct err ignored;

	if (!claude_hook_is_plain(a, command, NULL, &word) || !str_starts(word.text, STR("/")) ||
	    str_cz(a, word.text, &path, &ignored) < 0)
		return true;
	return fs_kind(path) == FS_FILE;
}

static bool
is_in_file(struct arena *a, struct str path, const struct client *c, enum hook_kind kind, counts_fn *counts)
{
	struct str text;
	struct node root;
	struct err ignored;

	if (settings_read(a, path, &text, &root, &ignored) < 0)
		return false;
	struct hook_list list = hook_settings_list(a, &c->settings->shape, &root);

	for (size_t i = 0; i < list.count; i++) {
		const struct hook_found *f = &list.items[i];

		if (f->kind == kind && client_is_stop_name(c, f->event) && counts(a, f->command, c) &&
		    can_run(a, f->command))
			return true;
	}
	return false;
}

static bool
is_in_scope(struct arena *a, struct str project, const struct client *c, enum settings_scope scope,
	    enum hook_kind kind, counts_fn *counts)
{
	struct str files[SETTINGS_FILES_MAX];
	size_t count = settings_files(a, project, c, scope, files);

	for (size_t i = 0; i < count; i++)
		if (is_in_file(a, files[i], c, kind, counts))
			return true;
	return false;
}

/* Whether a word stands in a list that commas separate. */
static bool
is_listed(struct str list, const char *word)
{
	struct str item;

	while (str_next(&list, ',', &item))
		if (str_is(str_trim(item), word))
			return true;
	return false;
}

/* Which of its settings Claude Code reads: all, or what it was told on its command line, as SDKs do. A hook is not told,
 * but for the process that runs it. */
static unsigned
scopes_read(struct arena *a)
{
	struct str words = claude_process_file(a, "cmdline"), word, list = STR_NONE;
	struct str option = STR("--setting-sources");
	unsigned scopes = 0;

	while (words.s && str_next(&words, '\0', &word)) {
		if (str_eq(word, option) && !str_next(&words, '\0', &list))
			return ALL_SCOPES;
		if (str_starts(word, option) && word.n > option.n && word.s[option.n] == '=')
			list = str_sub(word, option.n + 1, word.n);
	}
	for (int i = 0; i < SCOPE_COUNT; i++)
		if (!list.s || is_listed(list, settings_scope_names[i]))
			scopes |= 1U << i;
	return scopes;
}

/* Looks where the client itself looks: where it says that its project is, else in the repository's root or here. */
static bool
is_registered(struct arena *a, const struct event *e, const char *project_env, unsigned scopes,
	      enum hook_kind kind, counts_fn *counts)
{
	struct str start = str_starts(e->cwd, STR("/")) ? str_copy(a, e->cwd) : fs_cwd(a);
	struct upward where;

	upward_find(&where, start, STR_NONE);
	struct str project = where.repository.s ? where.repository : start;

	if (project_env && str_starts(env_get(project_env), STR("/")))
		project = env_get(project_env);
	for (int scope = 0; scope < SCOPE_COUNT; scope++)
		if ((scopes >> scope & 1) &&
		    is_in_scope(a, project, e->client, (enum settings_scope)scope, kind, counts))
			return true;
	return false;
}

bool
hook_is_double(struct arena *a, const struct event *e, enum front_end front_end)
{
	const struct client *c = e->client;

	return c->settings && c->settings->reads_claude_settings &&
	       is_registered(a, e, c->env_mark, ALL_SCOPES, kind_of(front_end), names_client);
}

bool
hook_is_in_settings(struct arena *a, const struct event *e)
{
	return e->client == &client_claude &&
	       is_registered(a, e, "CLAUDE_PROJECT_DIR", scopes_read(a), HOOK_HOLDFAST, is_not_plugins);
}

bool
hook_is_users(struct arena *a, const struct event *e)
{
	const struct client *c = e->client;

	return c->settings && c->settings->runs_equal_lines &&
	       is_in_scope(a, STR_NONE, c, SCOPE_USER, HOOK_HOLDFAST, says_user);
}
