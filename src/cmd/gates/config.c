/* SPDX-License-Identifier: MIT */
/* holdfast config: every effective value of the gates' configuration, and where it comes from. */
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "install/project_facts.h"
#include "doc/json.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

static void
add_json(struct buf *b, struct str root, const struct gauntlet_values *v)
{
	buf_addc(b, '{');
	json_add_key(b, "root");
	if (root.s)
		json_add_string(b, root);
	else
		buf_add(b, STR("null"));
	json_add_key(b, "values");
	buf_addc(b, '[');
	for (size_t i = 0; i < v->count; i++) {
		const struct gauntlet_value *x = &v->items[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "key", x->key);
		json_add_key(b, "value");
		buf_add(b, x->json);
		json_add_member(b, "source", str_from(value_source_name(x->source)));
		if (x->origin.n > 0)
			json_add_member(b, "origin", x->origin);
		buf_addc(b, '}');
	}
	buf_add(b, STR("]}\n"));
}

static void
add_text(struct buf *b, struct str root, const struct gauntlet_values *v)
{
	bool has_colour = tty_wants_colour(1);
	struct str cwd = fs_cwd(b->arena);
	size_t width = 0;

	if (!root.s)
		buf_add(b, STR("No holdfast.yml or .gauntlet/config.yml here or above; these are the values "
			       "for a .gauntlet that sets none.\n"));
	for (size_t i = 0; i < v->count; i++)
		width = v->items[i].key.n > width ? v->items[i].key.n : width;
	for (size_t i = 0; i < v->count; i++) {
		const struct gauntlet_value *x = &v->items[i];
		struct str origin = cwd.s ? shown_path(x->origin, cwd) : x->origin;
		struct str from = str_fmt(b->arena, "%s%s" STR_FMT, value_source_name(x->source),
					  origin.n ? ", " : "", STR_ARG(origin));

		buf_addf(b, "%-*.*s  " STR_FMT "  ", (int)width, STR_ARG(x->key), STR_ARG(x->json));
		print_styled(b, has_colour, STYLE_DIM, str_fmt(b->arena, "(" STR_FMT ")", STR_ARG(from)));
		buf_addc(b, '\n');
	}
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct gauntlet_values v;
	struct str warning = STR_NONE, root;
	bool is_there;
	struct err err;

	root = gauntlet_root(a, &is_there);
	if (!is_there)
		root = STR_NONE;
	if (gates_values(a, root, &v, &warning, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	if (warning.s)
		print_err(str_fmt(a, STR_FMT "\n", STR_ARG(warning)));
	if (option_has(inv, "json"))
		add_json(&b, root, &v);
	else
		add_text(&b, root, &v);
	return print_out(buf_str(&b));
}

static const struct option_row options[] = {
	{ .name = "json", .help = "print one line of JSON" },
};

const struct command config_command = {
	.name = "config",
	.summary = "show every effective value of the gates' configuration and where it is set",
	.details = "What is set in holdfast.yml counts alone. With .gauntlet, the environment overrides the "
		   "project's files, these override the user's own "
		   "file (agent-gauntlet/config.yml in the configuration directory), and that "
		   "overrides the defaults. Each value is shown with its source.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
