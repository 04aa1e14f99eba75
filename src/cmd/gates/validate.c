/* SPDX-License-Identifier: MIT */
/* validate: agent-gauntlet's checks the configuration of the gates, holdfast's checks every configuration of the project. Changes
 * nothing. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/compat/conclaude.h"
#include "cmd/gates/gates.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(4)

static void
add_problem(struct buf *b, struct str root, const struct config_problem *p)
{
	struct str text = problem_text(b->arena, p);

	buf_add(b, problem_position(b->arena, root, p));
	if (p->severity != SEVERITY_FATAL)
		print_styled(b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
	buf_addf(b, STR_FMT "\n", STR_ARG(text));
}

/* Prints the problems in the configuration of the gates. Returns 1 if one of them is an error. */
static int
check_gates(struct arena *a, struct str root, bool is_there)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems p;
	struct gates_config c;
	struct str warning;
	bool is_bad = false;

	if (!is_there) {
		buf_addf(&b,
			 "Validation failed: Configuration file not found at " STR_FMT
			 "/.gauntlet/config.yml\n",
			 STR_ARG(root));
		print_err(buf_str(&b));
		return 1;
	}
	bool is_usable = gates_check_all(a, root, &c, &p, &warning);

	for (size_t i = 0; i < p.count; i++)
		if (p.items[i].severity == SEVERITY_FATAL) {
			buf_add(&b, is_bad ? STR("") : STR("Validation failed: "));
			add_problem(&b, root, &p.items[i]);
			is_bad = true;
		}
	for (size_t i = 0; i < p.count; i++)
		if (p.items[i].severity != SEVERITY_FATAL)
			add_problem(&b, root, &p.items[i]);
	if (is_usable && warning.s)
		buf_addf(&b, STR_FMT "\n", STR_ARG(warning));
	struct str_list replaced = gates_replaced(a, root);

	for (size_t i = 0; i < replaced.count; i++) {
		buf_addf(&b, STR_FMT "/" STR_FMT ": ", STR_ARG(root), STR_ARG(replaced.items[i]));
		print_styled(&b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
		buf_add(&b, STR("has no effect: holdfast.yml configures this project alone\n"));
	}
	print_err(buf_str(&b));
	return is_bad;
}

static int
print_valid(void)
{
	return print_out(STR("All config files are valid.\n"));
}

static int
run_gauntlet(struct arena *a, const struct invocation *inv)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);

	if (!root.s)
		return command_fail(inv, "the current directory no longer exists");
	return check_gates(a, root, is_there) != 0 ? 1 : print_valid();
}

/* Checks every configuration. If there is none, reports .conclaude.yaml as missing, with the places that were searched. */
static int
run_all(struct arena *a, const struct invocation *inv)
{
	bool has_gates, has_path = option_has(inv, "config-path");
	struct str root = gauntlet_root(a, &has_gates), conclaude = STR_NONE;
	int code = 0;

	if (!has_path) {
		struct str cwd = fs_cwd(a);
		struct project_dirs u;

		conclaude_places(&u, inv, cwd.s ? cwd : root);
		conclaude = conclaude_find(a, u.dirs, u.count);
		if (conclaude.s && gates_replace(u.dirs, u.count, conclaude))
			conclaude = STR_NONE;
	}
	bool is_nothing_there = !has_path && !has_gates && !conclaude.s;

	if (!has_path && has_gates)
		code = check_gates(a, root, true);
	if (has_path || !has_gates || conclaude.s)
		code |= conclaude_validate_command.run(a, inv);
	if (code != 0 && is_nothing_there)
		print_err(STR("For gates, 'holdfast init --gates' writes .gauntlet.\n"));
	return code == 0 && !has_path && has_gates ? print_valid() : code;
}

const struct command gauntlet_validate_command = {
	.name = "validate",
	.summary = "check the files of .gauntlet",
	.details = "Errors are reported on stderr as FILE:LINE:COLUMN and cause exit code 1. "
		   "Suspicious settings are warnings.",
	.run = run_gauntlet,
};

static const struct option_row options[] = {
	{ .name = "config-path",
	  .arg_name = "PATH",
	  .help = "check only a .conclaude.yaml: a file of any name, or a directory to start the "
		  "search from" },
};

const struct command validate_command = {
	.name = "validate",
	.summary = "check holdfast.yml, .conclaude.yaml and .gauntlet",
	.details = "Reads the files that a stop would use. Errors are reported as FILE:LINE:COLUMN "
		   "and cause exit code 1. Suspicious settings, and settings that have no effect, "
		   "are warnings. Prints a summary of the effective settings.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run_all,
};
