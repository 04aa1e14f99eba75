/* SPDX-License-Identifier: MIT */
/* holdfast uninstall: picks the clients and the settings files, and removes what init put there. */
#include "install/register.h"

#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "ui/print.h"

static int
run(struct arena *a, const struct invocation *inv)
{
	struct project_facts *facts = arena_new(a, struct project_facts);
	struct registry *registry = arena_new(a, struct registry);
	struct buf out = BUF(a, MIB(1));
	struct removal removal = { .arena = a,
				   .cwd = inv->cwd,
				   .is_dry = option_has(inv, "dry-run"),
				   .removes_all = option_has(inv, "all"),
				   .out = &out };
	bool is_any = false;
	int code = 0;

	project_facts_load(a, removal.cwd, facts);
	registry_load(a, facts->project, registry);
	for (int i = 0; i < SCOPE_COUNT; i++)
		is_any |= option_has(inv, settings_scope_names[i]);
	for (size_t c = 0; c < registry->count; c++) {
		const struct client *client = registry->clients[c].client;
		bool is_picked = option_count(inv, "client") == 0;

		for (size_t i = 0; i < option_count(inv, "client"); i++)
			is_picked |= str_is(option_at(inv, "client", i), client->name);
		for (int i = 0; i < SCOPE_COUNT && is_picked; i++) {
			struct settings_file *files[] = {
				registry_own_file(registry, client, (enum settings_scope)i),
				i == SCOPE_PROJECT ? registry_server_file(a, registry, client, facts->project)
						   : NULL,
			};
			struct err err;

			if (is_any ? !option_has(inv, settings_scope_names[i]) : i == SCOPE_USER)
				continue;
			for (size_t k = 0; k < COUNT_OF(files); k++)
				if (files[k] && (k == 0 || files[k] != files[0]) &&
				    remove_from_file(&removal, files[k], &err) < 0)
					code = command_error(inv, err.msg);
		}
	}
	remove_empty_dirs(&removal);
	if (!removal.has_found && code == 0)
		buf_add(&out, is_any ? STR("holdfast is not registered there.\n")
				     : STR("holdfast is not registered in this project; --user looks at your "
					   "own settings.\n"));
	return print_out(buf_str(&out)) != 0 ? 1 : code;
}

const struct command uninstall_command = {
	.name = "uninstall",
	.summary = "remove holdfast's hooks from the clients' settings",
	.details = HELP_UNINSTALL,
	TAKES(VALUE("client", "NAME", "only this client's settings; may be repeated", .short_name = 'c',
		    .choices = client_settings_names),
	      FLAG("project", "only the project's settings, such as .claude/settings.json"),
	      FLAG("local", "only your own settings for the project, .claude/settings.local.json"),
	      FLAG("user", "only your settings for all projects, such as ~/.claude/settings.json"),
	      FLAG("all", "also remove holdfast's hooks and server that 'holdfast init' did not add",
		   .short_name = 'a'),
	      FLAG("dry-run", "only show what would be done", .short_name = 'n')),
	.needs_cwd = true,
	.run = run,
};
