/* SPDX-License-Identifier: MIT */
/* conclaude schema: a JSON Schema of .conclaude.yaml for editors. Not in the help: share/conclaude-schema.json is its
 * output. */
#include "cmd/commands.h"
#include "conf/conclaude.h"
#include "ui/print.h"

static int
run(struct arena *a, const struct invocation *inv)
{
	(void)inv;
	return print_out(
		schema_json(a, &conclaude_schema, "What happens when a coding agent wants to stop."));
}

const struct command conclaude_schema_command = {
	.name = "schema",
	.summary = "print a JSON Schema of .conclaude.yaml",
	.is_hidden = true,
	.run = run,
};
