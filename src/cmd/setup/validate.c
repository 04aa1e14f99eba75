/* SPDX-License-Identifier: MIT */
/* validate: agent-gauntlet's checks the configuration of the gates, holdfast's checks every configuration of the project. Changes
 * nothing. */
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "cmd/help_texts.h"
#include "conf/holdfast.h"
#include "import/conclaude.h"
#include "os/fs.h"
#include "os/env.h"
#include "project/project.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(4)

static void
add_problem(struct buf *b, struct str root, const struct config_problem *p)
{
	struct str text = problem_text(b->arena, p);

	buf_add(b, problem_position(b->arena, root, p));
	if (p->severity != SEVERITY_FATAL)
		print_styled(b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
	buf_cat(b, text, "\n");
}

/* Prints the problems in the configuration of the gates. Returns 1 if one of them is an error. `start` is what the original
 * begins with. */
static int
check_gates(struct arena *a, struct str root, struct str start)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems p;
	struct gates_config c;
	struct str warning;
	bool is_bad = false;

	bool is_usable = gates_check_all(a, root, &c, &p, &warning);

	for (size_t i = 0; i < p.count; i++)
		if (p.items[i].severity == SEVERITY_FATAL) {
			buf_add(&b, is_bad ? STR("") : start);
			add_problem(&b, root, &p.items[i]);
			is_bad = true;
		}
	for (size_t i = 0; i < p.count; i++)
		if (p.items[i].severity != SEVERITY_FATAL)
			add_problem(&b, root, &p.items[i]);
	if (is_usable && warning.s)
		buf_cat(&b, warning, "\n");
	struct str_list replaced = gates_replaced(a, root);

	for (size_t i = 0; i < replaced.count; i++) {
		buf_cat(&b, root, "/", replaced.items[i], ": ");
		print_styled(&b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
		buf_add(&b, STR("has no effect: holdfast.yml configures this project alone\n"));
	}
	print_err(buf_str(&b));
	return is_bad;
}

static int
run_gauntlet(struct arena *a, const struct invocation *inv)
{
	bool is_there;
	struct str root = find_gates_root(a, &is_there);

	if (!root.s)
		return command_error(inv, "the current directory no longer exists");
	if (!is_there) {
		print_err_cat("Validation failed: Configuration file not found at ", root,
			      "/.gauntlet/config.yml\n");
		return 1;
	}
	return check_gates(a, root, STR("Validation failed: ")) != 0
		       ? 1
		       : print_out(STR("All config files are valid.\n"));
}

static int
say_valid(struct str root)
{
	print_cat(root, "/", gates_dialect(root)->dir, ": valid\n");
	return 0;
}

/* The directory of the holdfast.yml that --config-path names, or of one in the directory that it names; absent: it names
 * neither. */
static struct str
named_root(struct arena *a, struct str path)
{
	struct str real = fs_real(a, str_copy(a, path).s);

	if (real.s && fs_kind(real.s) == FS_DIR && gates_dialect(real)->configures_alone)
		return real;
	return real.s && str_is(path_base(real), HOLDFAST_FILE) ? str_copy(a, path_parent(real)) : STR_NONE;
}

/* Checks every configuration. */
static int
run_all(struct arena *a, const struct invocation *inv)
{
	bool has_gates, has_path = option_has(inv, "config-path");
	struct str root = find_gates_root(a, &has_gates), conclaude = STR_NONE;
	struct str named = has_path ? named_root(a, option_str(inv, "config-path")) : STR_NONE;
	struct gates_config config;
	struct err err;
	int code = 0;

	if (option_has(inv, "json") && !option_has(inv, "prove"))
		return usage_error(inv, "--json is for --prove");
	if (option_has(inv, "prove")) {
		if (gates_open(a, inv, &config) < 0)
			return 1;
		code = prove_gates(a, &config, option_has(inv, "json"), &err);
		return code < 0 ? command_error(inv, err.msg) : code;
	}
	if (named.s)
		return check_gates(a, named, STR("")) != 0 ? 1 : say_valid(named);
	if (!has_path) {
		struct str cwd = fs_cwd(a);
		struct project_dirs u;

		project_find(&u, cwd.s ? cwd : root, WITHIN_REPOSITORY);
		conclaude = conclaude_find(a, u.dirs, u.count);
		if (conclaude.s && gates_replace(u.dirs, u.count, conclaude))
			conclaude = STR_NONE;
	}
	if (!has_path && !has_gates && !conclaude.s)
		return root.s ? command_error(inv,
					      "there is no holdfast.yml, .gauntlet/config.yml or "
					      ".conclaude.yaml in ",
					      root, " or above it; 'holdfast init' writes holdfast.yml")
			      : command_error(inv, "the current directory no longer exists");
	if (!has_path && has_gates)
		code = check_gates(a, root, STR(""));
	if (has_path || conclaude.s)
		code |= conclaude_validate_command.run(a, inv);
	return code == 0 && !has_path && has_gates ? say_valid(root) : code;
}

const struct command gauntlet_validate_command = {
	.name = "validate",
	.summary = "check the files of .gauntlet",
	.details = "Errors are reported on stderr as FILE:LINE:COLUMN and cause exit code 1. Suspicious "
		   "settings are warnings.",
	.run = run_gauntlet,
};

const struct command validate_command = {
	.name = "validate",
	.summary = "check holdfast.yml, .conclaude.yaml and .gauntlet",
	.details = HELP_VALIDATE,
	TAKES(VALUE("config-path", "PATH",
		    "check only a holdfast.yml, or a .conclaude.yaml of any name; or a directory to start "
		    "the "
		    "search from"),
	      FLAG("prove", "run each check in a copy of the work tree with broken files: it must fail"),
	      FLAG("json", "with --prove: a JSON object")),
	.run = run_all,
};
