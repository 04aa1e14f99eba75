/* SPDX-License-Identifier: MIT */
/* holdfast run, check, review and clean: runs the gates for the changes, and archives their logs. */
#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "cmd/gates/run_live.h"
#include "gates/run.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "ui/print.h"
#include "ui/report.h"

#include <stdio.h>

static bool
is_success(enum status s)
{
	return s == STATUS_PASSED || s == STATUS_PASSED_WITH_WARNINGS || s == STATUS_NO_APPLICABLE_GATES ||
	       s == STATUS_NO_CHANGES;
}

static int
write_report(struct arena *a, struct str file, const struct run_result *r, int64_t started_us,
	     struct err *err)
{
	struct report report = {
		.status = r->status,
		.is_ok = is_success(r->status),
		.message = r->error_message.s ? r->error_message : r->message,
		.run_number = r->run_number,
		.started_at = clock_format_millis(a, started_us),
		.elapsed_ms = r->elapsed_ms,
		.console_log_path = r->console_log_path,
		.results = r->results,
		.count = r->result_count,
	};

	return report_write(a, &report, file, err);
}

/* Writes the command and its options to the debug log. */
static void
log_command(struct arena *a, const struct gates_config *c, const struct invocation *inv)
{
	static const struct {
		const char *name;
		char letter;
	} rows[] = { { "base-branch", 'b' }, { "gate", 'g' }, { "commit", 'c' } };
	struct logdir logs = logdir_of(a, c->root, c->log_dir);
	struct debug_log log = debug_log_of(a, &c->sourced, &logs);
	struct buf words = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str value = option_str(inv, rows[i].name);

		if (value.s)
			buf_addf(&words, " -%c " STR_FMT, rows[i].letter, STR_ARG(value));
	}
	if (option_has(inv, "uncommitted"))
		buf_add(&words, STR(" -u"));
	debug_log(a, &log, "COMMAND %s" STR_FMT, inv->command->name, STR_ARG(buf_str(&words)));
}

static struct str
nearest_gate(struct arena *a, const struct gates_config *c, struct str name)
{
	struct str *names = arena_array(a, c->check_count + c->review_count, struct str), near[NEAREST_MAX];
	size_t count = 0;

	for (size_t i = 0; i < c->check_count; i++)
		names[count++] = c->checks[i].name;
	for (size_t i = 0; i < c->review_count; i++)
		names[count++] = c->reviews[i].name;
	return nearest(name, names, count, near) > 0 ? near[0] : STR_NONE;
}

/* A mistyped name must not look like a gate that passed. False: the error was printed. */
static bool
is_known_gate(struct arena *a, const struct gates_config *c, const struct run_options *o)
{
	bool is_check = gates_config_check(c, o->gate), is_review = gates_config_review(c, o->gate);
	struct str hint, near;

	if (!o->gate.s || (is_check && o->has_checks) || (is_review && o->has_reviews))
		return true;
	near = nearest_gate(a, c, o->gate);
	if (is_check || is_review)
		hint = str_fmt(a, "is a %s; 'holdfast run' runs both kinds", is_check ? "check" : "review");
	else if (near.s)
		hint = str_fmt(a, "is not a check or review; did you mean '" STR_FMT "'?", STR_ARG(near));
	else
		hint = STR("is not a check or review; 'holdfast list' shows their names");
	(void)gauntlet_fail("--gate: '" STR_FMT "' " STR_FMT, STR_ARG(o->gate), STR_ARG(hint));
	return false;
}

static struct run_options
options_of(const struct invocation *inv)
{
	return (struct run_options){
		.base_branch = option_str(inv, "base-branch"),
		.gate = option_str(inv, "gate"),
		.commit = option_str(inv, "commit"),
		.is_uncommitted = option_has(inv, "uncommitted"),
		.has_checks = inv->command != &review_command,
		.has_reviews = inv->command != &check_command,
	};
}

static int
run(struct arena *a, const struct invocation *inv)
{
	CLEANUP(run_live_close) struct run_live live = { 0 };
	struct str report = option_str(inv, "report");
	struct run_options options = options_of(inv);
	struct gates_config config;
	enum report_format format;
	struct err err;

	if (report.s && report_format(report, &format, &err) < 0)
		return command_misuse(inv, "--report: %s", err.msg);
	if (gauntlet_open(a, &config) < 0)
		return 1;
	log_command(a, &config, inv);
	if (!is_known_gate(a, &config, &options))
		return 1;
	for (size_t i = 0; i < config.warning_count; i++)
		print_err(str_fmt(a, STR_FMT "warning: " STR_FMT "\n", STR_ARG(config.warnings[i].position),
				  STR_ARG(config.warnings[i].text)));
	/* On a signal the lock is released and the gates are ended. */
	exit_reply_prepare(STR("\nInterrupted: the running gates were ended.\n"), EXIT_BY_SIGNAL);
	int64_t started_us = clock_real_us();

	options.shows_progress = inv->command != &run_command;
	options.view = run_live_open(&live);
	struct run_result r = execute_run(a, &config, &options);

	run_live_close(&live);
	if (r.error_message.s)
		print_err(str_fmt(a, "Error: " STR_FMT "\n", STR_ARG(r.error_message)));
	if (report.s && write_report(a, report, &r, started_us, &err) < 0)
		return gauntlet_fail("the report could not be written: %s", err.msg);
	return is_success(r.status) ? 0 : 1;
}

static int
print_reviews(struct arena *a, const struct invocation *inv)
{
	struct run_options options = options_of(inv);
	struct gates_config config;
	struct str_list lines;
	struct err err;

	if (gauntlet_open(a, &config) < 0)
		return 1;
	options.is_dry = true;
	if (describe_reviews(a, &config, &options, &lines, &err) < 0)
		return gauntlet_fail("%s", err.msg);
	for (size_t i = 0; i < lines.count; i++)
		if (print_out(lines.items[i]) != 0)
			return 1;
	return 0;
}

static int
run_reviews(struct arena *a, const struct invocation *inv)
{
	return option_has(inv, "dry-run") ? print_reviews(a, inv) : run(a, inv);
}

/* The configuration that clean needs. Logs can be archived even where a gate is invalid, or no gates are left. -1: the
 * error was printed. */
static int
open_logs(struct arena *a, struct gates_config *ret)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);
	struct gauntlet_hook_config hook;
	struct err err;

	if (!is_there && (!root.s || fs_kind(path_join(a, root, STR(GAUNTLET_LOG_DIR)).s) != FS_DIR))
		return gauntlet_open(a, ret);
	*ret = (struct gates_config){ .root = root, .log_dir = STR(GAUNTLET_LOG_DIR) };
	if (!is_there)
		return 0;
	if (gates_load_hook(a, root, NULL, &hook, &err) < 0) {
		(void)gauntlet_fail("%s", err.msg);
		return -1;
	}
	if (hook.warning.s)
		print_err(str_fmt(a, STR_FMT "\n", STR_ARG(hook.warning)));
	ret->log_dir = hook.log_dir;
	ret->sourced = hook.sourced;
	return 0;
}

static int
run_clean(struct arena *a, const struct invocation *inv)
{
	struct gates_config config;
	struct err err;

	if (open_logs(a, &config) < 0)
		return 1;
	log_command(a, &config, inv);
	/* On a signal the lock is released. */
	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	if (execute_clean(a, &config, &err) < 0)
		return gauntlet_fail("%s", err.msg);
	print_outf("Logs archived successfully.\n");
	return 0;
}

#define OPTIONS(gate_help, ...)                                                                     \
	{                                                                                           \
		{ .name = "base-branch",                                                            \
		  .short_name = 'b',                                                                \
		  .arg_name = "BRANCH",                                                             \
		  .source = SOURCE_BRANCHES,                                                        \
		  .help = "compare with this branch instead of base_branch" },                      \
			{ .name = "gate",                                                           \
			  .short_name = 'g',                                                        \
			  .arg_name = "NAME",                                                       \
			  .help = (gate_help),                                                      \
			  .source = SOURCE_GATES },                                                 \
			{ .name = "commit",                                                         \
			  .short_name = 'c',                                                        \
			  .arg_name = "SHA",                                                        \
			  .help = "use the changes of this commit" },                               \
			{ .name = "uncommitted",                                                    \
			  .short_name = 'u',                                                        \
			  .help = "use only uncommitted changes: staged, unstaged and untracked" }, \
			{ .name = "report",                                                         \
			  .arg_name = "FILE",                                                       \
			  .help = "also write the results as JSON (.json) or JUnit XML (.xml)" },   \
			__VA_ARGS__                                                                 \
	}

static const struct option_row run_options[] = OPTIONS("run only gates with this name", );
static const struct option_row check_options[] = OPTIONS("run only the check with this name", );
static const struct option_row review_options[] = OPTIONS(
	"run only the review with this name",
	{ .name = "dry-run", .help = "print the command line and prompt of each review, and run nothing" }, );

#define ONE_KIND                                                                                            \
	"Lists the changes and gates on stdout; other output goes to stderr. All of it is kept in the log " \
	"directory. The exit code is the same as for 'run'."

const struct command run_command = {
	.name = "run",
	.summary = "run the gates for the current changes",
	.details = "All output goes to stderr and to the log directory. The exit code is 0 if all "
		   "gates passed or there was nothing to run, otherwise 1.",
	.options = run_options,
	.option_count = COUNT_OF(run_options),
	.run = run,
};

const struct command check_command = {
	.name = "check",
	.summary = "run the checks for the current changes",
	.details = ONE_KIND,
	.options = check_options,
	.option_count = COUNT_OF(check_options),
	.run = run,
};

const struct command review_command = {
	.name = "review",
	.summary = "run the reviews for the current changes",
	.details = ONE_KIND,
	.options = review_options,
	.option_count = COUNT_OF(review_options),
	.run = run_reviews,
};

const struct command clean_command = {
	.name = "clean",
	.summary = "archive the logs of the gates",
	.details = "Moves the logs and the state of the last run to previous/ in the log directory, "
		   "and gives the sessions of this project their tries back. What has failed stays "
		   "failed until it passes.",
	.run = run_clean,
};
