/* SPDX-License-Identifier: MIT */
/* holdfast schema: JSON schemas of the configuration files, for editors. The files in share/ are its output. */
#include "cmd/commands.h"
#include "import/gates.h"
#include "ui/print.h"

static int
run(struct arena *a, const struct invocation *inv)
{
	struct str name = inv->arg_count > 0 ? inv->args[0] : STR("holdfast");
	struct str text = file_schema_json(a, name);
	struct buf names = BUF(a, KIB(1));

	if (text.s)
		return print_out(text);
	for (size_t i = 0; i < file_schema_count; i++)
		buf_cat(&names, i > 0 ? ", " : "", file_schemas[i].name);
	return usage_error(inv, "there is no schema '", name, "'; expected one of: ", buf_str(&names));
}

static const char *const names[] = { "holdfast",        "conclaude",   "gauntlet", "gauntlet-check",
				     "gauntlet-review", "gauntlet-ci", NULL };

const struct command schema_command = {
	.name = "schema",
	.summary = "print the JSON schema of a configuration file, for editors",
	.details = "Without a name, that of holdfast.yml. The others are conclaude (.conclaude.yaml), "
		   "gauntlet (config.yml in .gauntlet or .validator), gauntlet-check, gauntlet-review and "
		   "gauntlet-ci (the files beside it). All of them are installed in share/holdfast.",
	.args = "[NAME]",
	.most_args = 1,
	.arg_choices = names,
	.run = run,
};
