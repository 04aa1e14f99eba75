/* SPDX-License-Identifier: MIT */
/* Collects the facts about a project's set-up. */
#include "cmd/setup.h"

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
	struct str *path = &s->conclaude_path;

	if (conclaude_find_in(a, s->where.dirs, s->where.count, path, &s->why_bad) < 0 ||
	    (path->s && conclaude_load(a, *path, &s->conclaude, &s->why_bad) < 0))
		s->is_conclaude_bad = true;
	else
		s->has_conclaude = path->s != NULL;
	for (size_t i = 0; i < s->where.count && !s->gauntlet_path.s; i++) {
		struct str config = fs_join(a, s->where.dirs[i], STR(".gauntlet/config.yml"));

		if (fs_kind(config.s) == FS_FILE)
			s->gauntlet_path = config;
	}
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
	uint64_t loop = 0, blocks = 0;

	for (size_t i = 0; i < s->loops.count; i++)
		if (!s->loops.items[i].is_corrupt && s->loops.items[i].state.max_iterations > loop)
			loop = s->loops.items[i].state.max_iterations;
	blocks += loop;
	if (!s->has_conclaude)
		return blocks;
	const struct conclaude_stop *stop = &s->conclaude.stop;

	if (conclaude_has_follow_ups(&s->conclaude)) {
		const struct conclaude_message *messages = stop->prefix_blocking->messages.items;

		for (size_t i = 0; i < stop->prefix_blocking->messages.count; i++)
			blocks += (uint64_t)messages[i].times;
	}
	return stop->rounds > 0 ? blocks + (uint64_t)stop->rounds - 1 : blocks;
}

struct str
settings_path(struct arena *a, const struct setup *s, enum settings_scope scope)
{
	struct str dir = env_get("CLAUDE_CONFIG_DIR"), home = env_home(a);

	switch (scope) {
	case SCOPE_PROJECT:
		return fs_join(a, s->project, STR(".claude/settings.json"));
	case SCOPE_LOCAL:
		return fs_join(a, s->project, STR(".claude/settings.local.json"));
	default:
		break;
	}
	if (dir.n > 0)
		return fs_join(a, dir, STR("settings.json"));
	return home.s ? fs_join(a, home, STR(".claude/settings.json")) : STR_NONE;
}

struct str
shown_path(struct str path, struct str dir)
{
	if (str_starts(path, dir) && path.n > dir.n + 1 && path.s[dir.n] == '/')
		return str_sub(path, dir.n + 1, path.n);
	return path;
}
