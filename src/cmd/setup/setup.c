/* SPDX-License-Identifier: MIT */
/* Collects the facts about a project's set-up. */
#include "cmd/setup/setup.h"

#include "conf/gauntlet.h"
#include "model/block_cap.h"
#include "os/access.h"
#include "os/env.h"
#include "os/fs.h"

const char *const settings_scope_names[SCOPE_COUNT] = {
	[SCOPE_USER] = "user",
	[SCOPE_PROJECT] = "project",
	[SCOPE_LOCAL] = "local",
};

static void
find_configs(struct arena *a, struct setup *s)
{
	struct str path = conclaude_find(a, s->where.dirs, s->where.count);

	s->conclaude_path = path;
	s->is_conclaude_bad = path.s && conclaude_load(a, path, &s->conclaude, &s->why_bad) < 0;
	s->has_conclaude = path.s && !s->is_conclaude_bad;
	s->gauntlet_root = gauntlet_find(a, s->where.dirs, s->where.count);
}

void
setup_look(struct arena *a, struct str dir, struct setup *ret)
{
	*ret = (struct setup){ 0 };
	upward_find(&ret->where, dir, env_get("CLAUDE_PROJECT_DIR"));
	ret->project = ret->where.repository.s ? ret->where.repository : dir;
	loops_find(a, &ret->where, &ret->loops);
	find_configs(a, ret);
}

uint64_t
setup_blocks(const struct setup *s)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < s->loops.count; i++) {
		uint64_t passes = s->loops.items[i].state.max_iterations;

		if (s->loops.items[i].is_corrupt)
			continue;
		if (passes == 0)
			return BLOCKS_ENDLESS;
		if (passes - 1 > blocks)
			blocks = passes - 1; /* the last pass may stop */
	}
	if (!s->has_conclaude)
		return blocks;
	int64_t rounds = s->conclaude.stop.rounds;

	return blocks + conclaude_sends(&s->conclaude) + (rounds > 0 ? (uint64_t)rounds - 1 : 0);
}

/* The client's own directory in the home; absent without a home. */
static struct str
home_dir(struct arena *a, const struct client_settings *s)
{
	struct str named = s->home_env ? env_get(s->home_env) : STR_NONE, home = env_home(a);

	if (named.n > 0)
		return named;
	return home.s ? fs_join(a, home, str_from(s->home_dir)) : STR_NONE;
}

struct str
settings_path(struct arena *a, struct str project, const struct client *c, enum settings_scope scope)
{
	const struct client_settings *s = c->settings;

	if (scope == SCOPE_USER) {
		struct str dir = home_dir(a, s);

		return dir.s ? fs_join(a, dir, str_from(s->user_file)) : STR_NONE;
	}
	const char *file = scope == SCOPE_LOCAL ? s->local_file : s->project_file;

	return file ? fs_join(a, project, str_from(file)) : STR_NONE;
}

size_t
settings_files(struct arena *a, struct str project, const struct client *c, enum settings_scope scope,
	       struct str ret[SETTINGS_FILES_MAX])
{
	struct str ours = settings_path(a, project, c, scope);
	struct fs_names names = { 0 };
	struct err ignored;
	size_t count = 0;

	if (!ours.s)
		return 0;
	ret[count++] = ours;
	if (!c->settings->has_many_files)
		return count;
	struct str dir = str_copy(a, fs_parent(ours));

	if (fs_list(a, dir.s, SETTINGS_FILES_MAX - 1, &names, &ignored) < 0)
		return count;
	for (size_t i = 0; i < names.count; i++)
		if (str_ends(names.items[i], STR(".json")) && !str_eq(names.items[i], fs_base(ours)))
			ret[count++] = fs_join(a, dir, names.items[i]);
	return count;
}

bool
setup_has_client(struct arena *a, const struct client *c)
{
	struct str dir = c->settings ? home_dir(a, c->settings) : STR_NONE;

	return (c->program && access_find_program(a, c->program).s) ||
	       (dir.s && fs_kind(str_copy(a, dir).s) == FS_DIR);
}

struct str
shown_path(struct str path, struct str dir)
{
	if (str_starts(path, dir) && path.n > dir.n + 1 && path.s[dir.n] == '/')
		return str_sub(path, dir.n + 1, path.n);
	return path;
}
