/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "install/registry.h"
#include "os/fs.h"

#include <stdlib.h>

static const struct {
	const char *settings, *plugin; /* NULL: none */
} plugins[] = {
	{ "{\"enabledPlugins\":{\"ralph-loop@official\":true,\"off@x\":false}}", "ralph-loop" },
	{ "{\"enabledPlugins\":{\"ralph-wiggum@x\":true}}", "ralph-wiggum" },
	{ "{\"enabledPlugins\":{\"ralph-loop@official\":false}}", NULL },
	{ "{\"enabledPlugins\":{\"ralph@official\":true}}", NULL },
	{ "{\"enabledPlugins\":[]}", NULL },
	{ "{}", NULL },
};

TEST(a_plugin_is_enabled_by_its_name_before_the_at)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = str_fmt(&a, "%s/.claude/settings.json", dir).s;
	struct err made;

	CHECK(setenv("HOME", dir, 1) == 0);
	CHECK(fs_make_parents(&a, str_from(file), 0755, &made) == 0);
	for (size_t i = 0; i < COUNT_OF(plugins); i++) {
		struct registry *r = arena_new(&a, struct registry);
		struct err err;

		CHECK(fs_replace(&a, file, str_from(plugins[i].settings), 0644, &err) == 0);
		registry_load(&a, str_from(dir), r);
		struct str found = registry_ralph_plugin(r);

		CHECK_ROW(plugins[i].settings,
			  plugins[i].plugin ? str_is(found, plugins[i].plugin) : !found.s);
	}
}
