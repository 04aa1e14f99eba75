/* SPDX-License-Identifier: MIT */
/* Looks into a client's own settings for the other registration. It changes nothing, and only looks where the client
 * is one that reads two sets of settings. */
#include "cmd/hook_double.h"

#include "cmd/init.h"
#include "cmd/setup.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/upward.h"

static enum hook_kind
kind_of(enum door door)
{
	switch (door) {
	case DOOR_GAUNTLET:
		return HOOK_GAUNTLET;
	case DOOR_RALPH:
		return HOOK_LOOP_ALONE;
	case DOOR_CONCLAUDE:
		return HOOK_CONCLAUDE;
	case DOOR_HOLDFAST:
		break;
	}
	return HOOK_HOLDFAST;
}

/* Does the command name the client? Without that it could be this very call, and nobody would decide. */
static bool
names_client(struct arena *a, struct str command, const struct client *c)
{
	return str_find(command, str_fmt(a, "--client %s", c->name)) >= 0 ||
	       str_find(command, str_fmt(a, "--client=%s", c->name)) >= 0;
}

static bool
is_registered(struct arena *a, struct str path, const struct client *c, enum hook_kind kind)
{
	struct str text;
	struct node root;
	struct err ignored;

	if (settings_read(a, path, &text, &root, &ignored) < 0)
		return false;
	struct hook_list list = hook_settings_list(a, &c->settings->shape, &root);

	for (size_t i = 0; i < list.count; i++) {
		const struct hook_found *f = &list.items[i];

		if (f->kind == kind && client_is_stop_name(c, f->event) && names_client(a, f->command, c))
			return true;
	}
	return false;
}

bool
hook_is_double(struct arena *a, const struct event *e, enum door door)
{
	const struct client *c = e->client;
	struct str start = str_starts(e->cwd, STR("/")) ? str_copy(a, e->cwd) : fs_cwd(a);
	struct str files[SETTINGS_FILES_MAX];
	struct upward where;

	if (!c->settings || !c->settings->reads_claude_settings)
		return false;
	upward_find(&where, start, STR_NONE);
	struct str project = where.repository.s ? where.repository : start;

	/* Where the client itself says that its project is, that is where it looks. */
	if (c->env_mark && str_starts(env_get(c->env_mark), STR("/")))
		project = env_get(c->env_mark);
	for (int scope = 0; scope < SCOPE_COUNT; scope++) {
		size_t count = settings_files(a, project, c, (enum settings_scope)scope, files);

		for (size_t i = 0; i < count; i++)
			if (is_registered(a, files[i], c, kind_of(door)))
				return true;
	}
	return false;
}
