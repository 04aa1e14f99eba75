/* SPDX-License-Identifier: MIT */
/* Looks in the client's settings for the other registration. Reads files only where the client may run two. */
#include "policy/chain.h"

#include "client/registration.h"
#include "os/env.h"
#include "os/fs.h"

/* The registration that is looked for. The command line must have one of `words`, unless they are absent, and must not have
 * `unwanted`: without that it could be the line that made this very call, and then no call would decide. */
struct wanted_line {
	enum hook_kind kind;
	struct str words[2], unwanted;
	bool may_be_wrapped; /* holdfast may only be named in it, and hooks may be switched off */
};

static bool
fits(struct arena *a, const struct client *c, const struct hook_entry *f, const struct wanted_line *w)
{
	struct shell_word word;
	bool has_word = !w->words[0].s;
	const char *path;

	if (f->kind != w->kind || (!w->may_be_wrapped && (!f->is_plain || f->is_disabled)) ||
	    !str_is_word_of(f->event, c->stop_names) ||
	    (w->unwanted.s && str_find(f->command, w->unwanted) >= 0))
		return false;
	for (size_t i = 0; i < COUNT_OF(w->words); i++)
		has_word |= w->words[i].s && str_find(f->command, w->words[i]) >= 0;
	/* A program that does not exist decides nothing; one that the shell has to find is assumed to exist. */
	return has_word &&
	       (!hook_runs_holdfast_first(a, f->command, NULL, &word) || !str_starts(word.text, STR("/")) ||
		str_cz(a, word.text, &path, IGNORED) < 0 || fs_kind(path) == FS_FILE);
}

/* Where the client itself looks for a project's settings: in the project that its variable names, else in the repository's root or
 * here. */
static struct str
settings_project(struct arena *a, const struct event *e)
{
	struct str start = str_starts(e->cwd, STR("/")) ? str_copy(a, e->cwd) : fs_cwd(a);
	struct str named = e->client->project_env ? env_get(e->client->project_env) : STR_NONE;
	struct project_dirs where;

	if (str_starts(named, STR("/")))
		return named;
	project_find_above(&where, start, WITHIN_REPOSITORY);
	return str_copy(a, where.repository.s ? where.repository : start);
}

/* The line with its file. A line that the client may not run, because hooks are switched off, is none: then this call decides. */
static struct str
find_line(struct arena *a, const struct event *e, unsigned wanted_scopes, const struct wanted_line *w)
{
	const struct client *c = e->client;
	struct str project = settings_project(a, e), found = STR_NONE;
	unsigned scopes = c->settings->scopes_read ? c->settings->scopes_read(a) : ALL_SCOPES;
	bool is_disabled = false;

	for (int scope = 0; scope < SCOPE_COUNT; scope++) {
		struct str_list files = settings_files(a, project, c, (enum settings_scope)scope);

		for (size_t n = 0; n < files.count && scopes >> scope & 1; n++) {
			CLEANUP(arena_free) struct arena scratch = { 0 };
			struct node root;

			if (!settings_read(&scratch, files.items[n], &root))
				continue;
			is_disabled |= settings_disable_hooks(&root);
			struct hook_list list = hooks_list(&scratch, &c->settings->shape, &root);

			for (size_t i = 0; i < list.count && wanted_scopes >> scope & 1; i++)
				if (fits(a, c, &list.items[i], w))
					found = str_cat(a, files.items[n], ": ", list.items[i].command);
		}
	}
	return is_disabled && !w->may_be_wrapped ? STR_NONE : found;
}

bool
registered_for_all_alone(const struct stop_context *s)
{
	static const struct wanted_line in_project = { .kind = HOOK_HOLDFAST },
					for_all = { .kind = HOOK_HOLDFAST, .may_be_wrapped = true };
	const struct event *e = s->event;
	bool has_settings = e->client->settings != NULL, is_for_all = s->is_from_user || s->is_from_plugin;

	if (has_settings && !is_for_all)
		is_for_all = find_line(s->arena, e, 1U << SCOPE_USER, &for_all).s != NULL;
	return is_for_all &&
	       !(has_settings &&
		 find_line(s->arena, e, 1U << SCOPE_PROJECT | 1U << SCOPE_LOCAL, &in_project).s);
}

struct str
registered_elsewhere(const struct stop_context *s, const struct event *e)
{
	static const enum hook_kind kinds[] = {
		[FRONT_END_HOLDFAST] = HOOK_HOLDFAST,
		[FRONT_END_CONCLAUDE] = HOOK_CONCLAUDE,
		[FRONT_END_GAUNTLET] = HOOK_GAUNTLET,
		[FRONT_END_RALPH] = HOOK_LOOP_ALONE,
	};
	struct arena *a = s->arena;
	const struct client *c = e->client;
	const struct wanted_line for_client = {
		.kind = kinds[s->front_end],
		.words = { str_cat(a, "--client ", c->name), str_cat(a, "--client=", c->name) },
	};
	/* A line that was copied from the plugin looks for another one, too. */
	const struct wanted_line no_plugin = { .kind = HOOK_HOLDFAST, .unwanted = STR("--plugin") };
	const struct wanted_line for_user = { .kind = HOOK_HOLDFAST, .words = { STR("--user") } };
	struct str line = STR_NONE;

	if (!c->settings)
		return STR_NONE;
	if (!s->names_client && c->settings->reads_claude_settings)
		line = find_line(a, e, ALL_SCOPES, &for_client);
	if (!line.s && s->is_from_plugin && c->settings->plugins_key)
		line = find_line(a, e, ALL_SCOPES, &no_plugin);
	if (!line.s && s->front_end == FRONT_END_HOLDFAST && !s->is_from_user &&
	    c->settings->runs_equal_lines)
		line = find_line(a, e, 1U << SCOPE_USER, &for_user);
	return line;
}

void
warn_of_guards_off(struct stop_context *s)
{
	bool has_guards = false;

	for (size_t i = 0; i < s->config_count; i++)
		has_guards |= policies_guard_tools(s->configs[i]);
	/* The plugin registers both. */
	struct str line = has_guards && !s->is_from_plugin
				  ? hook_guards_off(s->arena, settings_project(s->arena, s->event), s->client)
				  : STR_NONE;

	if (line.s && !stop_told_before(s, TOLD_OF_GUARDS))
		stop_warn(s, "the guards are ", line);
}
