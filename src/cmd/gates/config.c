/* SPDX-License-Identifier: MIT */
/* holdfast config: every effective value of the gates' configuration, and where it comes from. holdfast schema: JSON schemas of the
 * configuration files, for editors; the files in share/ are its output. */
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "import/gates.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct config_values v;
	bool is_there;
	struct str warning = STR_NONE, root = find_gates_root(a, &is_there);
	struct err err;

	if (!is_there)
		root = STR_NONE;
	if (gates_values(a, root, &v, &warning, &err) < 0)
		return command_error(inv, err.msg);
	if (warning.s)
		print_err_cat(warning, "\n");
	if (!option_has(inv, "json")) {
		bool has_colour = tty_wants_colour(1);
		struct str cwd = fs_cwd(b.arena);
		size_t width = 0;

		if (!root.s)
			buf_add(&b, STR("No holdfast.yml or .gauntlet/config.yml here or above; these are "
					"the values "
					"for a .gauntlet that sets none.\n"));
		for (size_t i = 0; i < v.count; i++)
			width = v.items[i].key.n > width ? v.items[i].key.n : width;
		for_each (x, v.items, v.count) {
			struct str origin = cwd.s ? path_shown(x->origin, cwd) : x->origin;
			struct str from = str_cat(b.arena, value_source_name(x->source), origin.n ? ", " : "",
						  origin);

			buf_addf(&b, "%-*.*s  " STR_FMT "  ", (int)width, STR_ARG(x->key), STR_ARG(x->json));
			print_styled_line(&b, has_colour, STYLE_DIM, str_cat(b.arena, "(", from, ")"));
		}
		return print_out(buf_str(&b));
	}
	json_open(&b, NULL, '{');
	json_add(&b, "root", root.s ? json_text(root) : JSON(STR("null")));
	json_open(&b, "values", '[');
	for_each (x, v.items, v.count)
		json_add_object(&b, NULL, "key", x->key, "value", JSON(x->json), "source",
				value_source_name(x->source), "origin", JSON_IF(x->origin.n > 0, x->origin));
	json_close(&b, "]}\n");
	return print_out(buf_str(&b));
}

const struct command config_command = {
	.name = "config",
	.summary = "show every effective value of the gates' configuration and where it is set",
	.details = "What is set in holdfast.yml counts alone. With .gauntlet, the environment overrides the "
		   "project's files, these override the user's own file (agent-gauntlet/config.yml in the "
		   "configuration directory), and that overrides the defaults. Each value is shown with its "
		   "source.",
	TAKES(FLAG("json", "print one line of JSON")),
	.run = run,
};

/* ---- holdfast schema ---- */

static int
run_schema(struct arena *a, const struct invocation *inv)
{
	struct str name = inv->arg_count > 0 ? inv->args[0] : str_from(invocation_program(inv));
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
	.run = run_schema,
};

const struct command conclaude_schema_command = {
	.name = "schema",
	.summary = "print a JSON Schema of .conclaude.yaml",
	.is_hidden = true,
	.run = run_schema,
};
