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
log_call(struct arena *a, const struct gates_config *c, const struct invocation *inv,
	 const struct run_options *options)
{
	static const struct {
		const char *name;
		char letter;
	} rows[] = { { "base-branch", 'b' }, { "commit", 'c' } };
	struct logdir logs = logdir_of(a, c->root, c->log_dir);
	struct debug_log log = debug_log_of(a, &c->sourced, &logs);
	struct buf words = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str value = option_str(inv, rows[i].name);

		if (value.s)
			buf_addf(&words, " -%c " STR_FMT, rows[i].letter, STR_ARG(value));
	}
	for (size_t i = 0; i < options->gates.count; i++)
		buf_addf(&words, " -g " STR_FMT, STR_ARG(options->gates.items[i]));
	if (options->is_uncommitted)
		buf_add(&words, STR(" -u"));
	debug_log(a, &log, "COMMAND %s" STR_FMT, inv->command->name, STR_ARG(buf_str(&words)));
}

/* An unknown name: which one may be meant, and which there are. */
static void
fail_unknown(struct arena *a, const struct invocation *inv, const struct gates_config *c, struct str name)
{
	struct str_list names = { arena_array(a, c->check_count + c->review_count, struct str), 0 };
	struct str near[NEAREST_MAX];

	for (size_t i = 0; i < c->check_count; i++)
		names.items[names.count++] = c->checks[i].name;
	for (size_t i = 0; i < c->review_count; i++)
		names.items[names.count++] = c->reviews[i].name;
	struct str all = str_list_join(a, &names, ", ");
	struct str hint = nearest(name, names.items, names.count, near) > 0
				  ? str_fmt(a, "; did you mean '" STR_FMT "'?", STR_ARG(near[0]))
				  : STR("");

	(void)gauntlet_fail(invocation_program(inv), "there is no gate '" STR_FMT "'" STR_FMT "%s" STR_FMT,
			    STR_ARG(name), STR_ARG(hint),
			    hint.n > 0 ? " The gates are: " : "; the gates are: ", STR_ARG(all));
}

/* A mistyped name must not look like a gate that passed. False: the error was printed. */
static bool
are_known_gates(struct arena *a, const struct invocation *inv, const struct gates_config *c,
		const struct run_options *o)
{
	for (size_t i = 0; i < o->gates.count; i++) {
		struct str name = o->gates.items[i];
		bool is_check = gates_config_check(c, name), is_review = gates_config_review(c, name);

		if ((is_check && o->has_checks) || (is_review && o->has_reviews))
			continue;
		if (is_check || is_review)
			(void)gauntlet_fail(invocation_program(inv),
					    "'" STR_FMT "' is a %s; 'run' runs both kinds", STR_ARG(name),
					    is_check ? "check" : "review");
		else
			fail_unknown(a, inv, c, name);
		return false;
	}
	return true;
}

/* Those that --gate and the arguments name, each once. */
static struct str_list
gates_of(struct arena *a, const struct invocation *inv)
{
	size_t count = option_count(inv, "gate");
	struct str_list names = { arena_array(a, count + inv->arg_count, struct str), 0 };

	for (size_t i = 0; i < count + inv->arg_count; i++) {
		struct str name = i < count ? option_at(inv, "gate", i) : inv->args[i - count];

		if (!str_is_among(name, names.items, names.count))
			names.items[names.count++] = name;
	}
	return names;
}

static struct run_options
options_of(struct arena *a, const struct invocation *inv)
{
	return (struct run_options){
		.base_branch = option_str(inv, "base-branch"),
		.gates = gates_of(a, inv),
		.is_all = option_has(inv, "all"),
		.runs_named = inv->arg_count > 0,
		.shows_output = str_is(str_from(invocation_program(inv)), "holdfast"),
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
	struct run_options options = options_of(a, inv);
	struct gates_config config;
	enum report_format format;
	struct err err;

	if (report.s && report_format(report, &format, &err) < 0)
		return command_misuse(inv, "--report: %s", err.msg);
	if (options.is_all && (options.is_uncommitted || options.commit.s))
		return command_misuse(inv, "--all can't be combined with --%s",
				      options.commit.s ? "commit" : "uncommitted");
	if (gauntlet_open(a, invocation_program(inv), &config) < 0)
		return 1;
	log_call(a, &config, inv, &options);
	if (!are_known_gates(a, inv, &config, &options))
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
		(void)gauntlet_fail(invocation_program(inv), STR_FMT, STR_ARG(r.error_message));
	if (report.s && write_report(a, report, &r, started_us, &err) < 0)
		return gauntlet_fail(invocation_program(inv), "the report could not be written: %s", err.msg);
	return is_success(r.status) ? 0 : 1;
}

static int
print_reviews(struct arena *a, const struct invocation *inv)
{
	struct run_options options = options_of(a, inv);
	struct gates_config config;
	struct str_list lines;
	struct err err;

	if (gauntlet_open(a, invocation_program(inv), &config) < 0)
		return 1;
	options.is_dry = true;
	if (describe_reviews(a, &config, &options, &lines, &err) < 0)
		return gauntlet_fail(invocation_program(inv), "%s", err.msg);
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
open_logs(struct arena *a, const struct invocation *inv, struct gates_config *ret)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);
	struct gauntlet_hook_config hook;
	struct err err;

	if (!is_there && (!root.s || fs_kind(path_join(a, root, STR(GAUNTLET_LOG_DIR)).s) != FS_DIR))
		return gauntlet_open(a, invocation_program(inv), ret);
	*ret = (struct gates_config){ .root = root, .log_dir = STR(GAUNTLET_LOG_DIR) };
	if (!is_there)
		return 0;
	if (gates_load_hook(a, root, &hook, &err) < 0) {
		(void)gauntlet_fail(invocation_program(inv), "%s", err.msg);
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

	if (open_logs(a, inv, &config) < 0)
		return 1;
	log_call(a, &config, inv, &(struct run_options){ 0 });
	/* On a signal the lock is released. */
	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	if (execute_clean(a, &config, &err) < 0)
		return gauntlet_fail(invocation_program(inv), "%s", err.msg);
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
			{ .name = "all",                                                            \
			  .short_name = 'a',                                                        \
			  .help = "run every gate, whatever has changed, and reuse no result" },    \
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

static const struct option_row run_options[] = OPTIONS(
	"run only gates with this name, if a change is for them", );
static const struct option_row check_options[] = OPTIONS(
	"run only the check with this name, if a change is for it", );
static const struct option_row review_options[] = OPTIONS(
	"run only the review with this name, if a change is for it",
	{ .name = "dry-run", .help = "print the command line and prompt of each review, and run nothing" }, );

#define ONE_KIND "The same as 'run', for one kind of gates. With .gauntlet, progress goes to stdout."
#define GATE_ARGS .args = "[GATE...]", .most_args = ARGS_ANY, .arg_source = SOURCE_GATES

const struct command run_command = {
	.name = "run",
	.summary = "run the gates for the current changes, or these gates",
	.details = "Without arguments, runs the gates for the files that changed, and those that have "
		   "failed before. A gate that is named runs even if nothing that it is for has changed. "
		   "Of what fails, shows the lines that say why, and the path of the log.\n\n"
		   "The results count at the next stop: what fails must pass, and what passed need not "
		   "run again for the same content.\n\n"
		   "All output goes to stderr and to the log directory. The exit code is 0 if all "
		   "gates passed or there was nothing to run, otherwise 1.",
	GATE_ARGS,
	.options = run_options,
	.option_count = COUNT_OF(run_options),
	.run = run,
};

const struct command check_command = {
	.name = "check",
	.summary = "run the checks for the current changes, or these checks",
	.details = ONE_KIND,
	GATE_ARGS,
	.options = check_options,
	.option_count = COUNT_OF(check_options),
	.run = run,
};

const struct command review_command = {
	.name = "review",
	.summary = "run the reviews for the current changes, or these reviews",
	.details = ONE_KIND,
	GATE_ARGS,
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
