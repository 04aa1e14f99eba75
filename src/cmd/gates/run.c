/* SPDX-License-Identifier: MIT */
/* holdfast run, check, review and clean: runs the gates for the changes, and archives their logs. */
#include "base/nearest.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/gates/gates.h"
#include "gates/console.h"
#include "gates/run.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "ui/live.h"
#include "ui/print.h"
#include "ui/report.h"

static void
draw(void *context, const struct gate_result *results, size_t count)
{
	live_draw(context, results, count, clock_mono_ms());
}

static void
print(void *context, struct str lines)
{
	live_print(context, lines);
}

struct console_view
live_view(struct live *l)
{
	return (struct console_view){ .context = l, .draw = draw, .print = print };
}

/* Writes the command and its options to the debug log. */
static void
log_call(struct arena *a, const struct gates_config *c, const struct invocation *inv,
	 const struct run_options *options)
{
	struct logdir logs = logdir_of(a, c->root, c->log_dir, c->dialect);
	struct debug_log log = debug_log_of(a, &c->sourced, &logs);
	struct buf words = BUF(a, SIZE_MAX);

	buf_cat(&words, options->base_branch.s ? " -b " : "", options->base_branch,
		options->commit.s ? " -c " : "", options->commit);
	for (size_t i = 0; i < options->gates.count; i++)
		buf_cat(&words, " -g ", options->gates.items[i]);
	if (options->is_uncommitted)
		buf_add(&words, STR(" -u"));
	debug_log(a, &log, "COMMAND %s" STR_FMT, inv->command->name, STR_ARG(buf_str(&words)));
}

/* A mistyped name must not look like a gate that passed. False: the error was printed. */
static bool
are_known_gates(struct arena *a, const struct invocation *inv, const struct gates_config *c,
		const struct run_options *o)
{
	struct str_list names = { 0 };
	struct str near[NEAREST_MAX];

	for (size_t i = 0; i < c->check_count; i++)
		*arena_push(a, names.items, names.count) = c->checks[i].name;
	for (size_t i = 0; i < c->review_count; i++)
		*arena_push(a, names.items, names.count) = c->reviews[i].name;
	for (size_t i = 0; i < o->gates.count; i++) {
		struct str name = o->gates.items[i], hint = STR("");
		bool is_check = gates_config_gate(c, GATE_CHECK, name),
		     is_review = gates_config_gate(c, GATE_REVIEW, name);

		if ((is_check && o->has_checks) || (is_review && o->has_reviews))
			continue;
		if (nearest(name, names.items, names.count, near) > 0)
			hint = str_cat(a, "; did you mean '", near[0], "'?");
		if (is_check || is_review)
			(void)gates_error(inv, "'", name, "' is a ", is_check ? "check" : "review",
					  "; 'run' runs both kinds");
		else
			(void)gates_error(inv, "there is no gate '", name, "'", hint,
					  hint.n > 0 ? " The gates are: " : "; the gates are: ",
					  str_list_join(a, &names, ", "));
		return false;
	}
	return true;
}

static struct run_options
options_of(struct arena *a, const struct invocation *inv)
{
	size_t count = option_count(inv, "gate");
	struct str_list names = { arena_array(a, count + inv->arg_count, struct str), 0 };

	/* Those that --gate and the arguments name, each once. */
	for (size_t i = 0; i < count + inv->arg_count; i++) {
		struct str name = i < count ? option_at(inv, "gate", i) : inv->args[i - count];

		if (!str_is_among(name, names.items, names.count))
			names.items[names.count++] = name;
	}
	return (struct run_options){
		.base_branch = option_str(inv, "base-branch"),
		.gates = names,
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
	struct live live;
	struct console_view view = live_view(&live);
	struct str file = option_str(inv, "report");
	struct run_options options = options_of(a, inv);
	bool has_view = tty_can_redraw(2);
	struct gates_config config;
	enum report_format format;
	struct err err;

	if (file.s && report_format(file, &format, &err) < 0)
		return usage_error(inv, "--report: ", err.msg);
	if (options.is_all && (options.is_uncommitted || options.commit.s))
		return usage_error(inv, "--all can't be combined with --",
				   options.commit.s ? "commit" : "uncommitted");
	if (gates_open(a, inv, &config) < 0)
		return 1;
	log_call(a, &config, inv, &options);
	if (!are_known_gates(a, inv, &config, &options))
		return 1;
	for (size_t i = 0; i < config.warning_count; i++)
		print_err(
			str_cat(a, config.warnings[i].position, "warning: ", config.warnings[i].text, "\n"));
	/* On a signal the lock is released and the gates are ended. */
	exit_reply_prepare(STR("\nInterrupted: the running gates were ended.\n"), EXIT_BY_SIGNAL);
	int64_t started_us = clock_real_us();

	options.shows_progress = inv->command != &run_command;
	options.view = has_view ? &view : NULL;
	if (has_view)
		live_open(&live, 2, clock_mono_ms());
	struct run_result r = execute_run(a, &config, &options);

	if (has_view)
		live_close(&live);
	if (r.error_message.s)
		(void)gates_error(inv, r.error_message);
	struct report report = {
		.status = r.status,
		.is_ok = r.status == STATUS_PASSED || r.status == STATUS_PASSED_WITH_WARNINGS ||
			 r.status == STATUS_NO_APPLICABLE_GATES || r.status == STATUS_NO_CHANGES,
		.message = r.error_message.s ? r.error_message : r.message,
		.run_number = r.run_number,
		.started_at = clock_format_millis(a, started_us),
		.elapsed_ms = r.elapsed_ms,
		.console_log_path = r.console_log_path,
		.results = r.results,
		.count = r.result_count,
	};

	if (file.s && report_write(a, &report, file, &err) < 0)
		return gates_error(inv, "the report could not be written: ", err.msg);
	return report.is_ok ? 0 : 1;
}

static int
run_reviews(struct arena *a, const struct invocation *inv)
{
	struct run_options options = options_of(a, inv);
	struct gates_config config;
	struct err err;

	if (!option_has(inv, "dry-run"))
		return run(a, inv);
	if (gates_open(a, inv, &config) < 0)
		return 1;
	options.is_dry = true;
	if (describe_reviews(a, &config, &options, &err) < 0)
		return gates_error(inv, err.msg);
	return print_end();
}

/* Logs can be archived even where a gate is invalid, or no gates are left. */
static int
run_clean(struct arena *a, const struct invocation *inv)
{
	bool is_there;
	struct str root = find_gates_root(a, &is_there);
	struct gates_config config = { .root = root };
	struct stop_settings hook;
	struct err err;

	if (!is_there && (!root.s || !fs_has(root, dialects[DIALECT_GAUNTLET].log_dir))) {
		if (gates_open(a, inv, &config) < 0)
			return 1;
	} else {
		config.dialect = gates_dialect(root);
		config.log_dir = str_from(config.dialect->log_dir);
	}
	if (is_there) {
		if (gates_load_hook(a, root, &hook, &err) < 0)
			return gates_error(inv, err.msg);
		if (hook.warning.s)
			print_err_cat(hook.warning, "\n");
		config.log_dir = hook.log_dir;
		config.sourced = hook.sourced;
	}
	log_call(a, &config, inv, &(struct run_options){ 0 });
	/* On a signal the lock is released. */
	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	if (execute_clean(a, &config, &err) < 0)
		return gates_error(inv, err.msg);
	return print_out(STR("Logs archived successfully.\n"));
}

#define RUN_OPTIONS(gate_help)                                                                               \
	BASE_OPTION,                                                                                         \
		FLAG("all", "run every gate, whatever has changed, and reuse no result", .short_name = 'a'), \
		VALUE("gate", "NAME", gate_help, .short_name = 'g', .source = SOURCE_GATES), CHANGE_OPTIONS, \
		VALUE("report", "FILE", "also write the results as JSON (.json) or JUnit XML (.xml)")

#define ONE_KIND "The same as 'run', for one kind of gates. With .gauntlet, progress goes to stdout."
#define GATE_ARGS .args = "[GATE...]", .most_args = ARGS_ANY, .arg_source = SOURCE_GATES

const struct command run_command = {
	.name = "run",
	.summary = "run the gates for the current changes, or these gates",
	.details = HELP_RUN,
	GATE_ARGS,
	TAKES(RUN_OPTIONS("run only gates with this name, if a change is for them")),
	.run = run,
};

const struct command check_command = {
	.name = "check",
	.summary = "run the checks for the current changes, or these checks",
	.details = ONE_KIND,
	GATE_ARGS,
	TAKES(RUN_OPTIONS("run only the check with this name, if a change is for it")),
	.run = run,
};

const struct command review_command = {
	.name = "review",
	.summary = "run the reviews for the current changes, or these reviews",
	.details = ONE_KIND,
	GATE_ARGS,
	TAKES(RUN_OPTIONS("run only the review with this name, if a change is for it"),
	      FLAG("dry-run", "print the command line and prompt of each review, and run nothing")),
	.run = run_reviews,
};

const struct command clean_command = {
	.name = "clean",
	.summary = "archive the logs of the gates",
	.details = "Moves the logs and the state of the last run to previous/ in the log directory, and "
		   "gives the sessions of this project their tries back. What has failed stays failed until "
		   "it passes.",
	.run = run_clean,
};
