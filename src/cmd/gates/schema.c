/* SPDX-License-Identifier: MIT */
/* holdfast schema: a JSON Schema of holdfast.yml for editors. Not in the help: share/holdfast-schema.json is its output. */
#include "cmd/commands.h"
#include "conf/holdfast.h"
#include "ui/print.h"

static int
run(struct arena *a, const struct invocation *inv)
{
	(void)inv;
	return print_out(schema_json(a, &holdfast_schema, "What must pass before a coding agent may stop."));
}

const struct command schema_command = {
	.name = "schema",
	.summary = "print a JSON Schema of holdfast.yml",
	.is_hidden = true,
	.run = run,
};
