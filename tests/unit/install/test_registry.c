/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "doc/json.h"
#include "install/registry.h"

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

	for (size_t i = 0; i < COUNT_OF(plugins); i++) {
		struct registry_file file = { .scope = SCOPE_PROJECT };
		struct registry *r = arena_new(&a, struct registry);
		struct err err;

		r->clients[r->count++] = (struct registry_client){ &client_claude, &file, 1, false, false };
		CHECK(json_parse(&a, str_from(plugins[i].settings), &file.root, &err) == 0);
		const char *found = registry_ralph_plugin(r);

		CHECK_ROW(plugins[i].settings,
			  plugins[i].plugin ? found && str_is(str_from(found), plugins[i].plugin) : !found);
	}
}
