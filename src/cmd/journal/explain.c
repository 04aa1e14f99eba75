/* SPDX-License-Identifier: MIT */
/* holdfast explain: why the last stop was blocked or allowed, and what would change that. */
#include "base/duration.h"
#include "base/escapes.h"
#include "cmd/commands.h"
#include "cmd/journal/decisions.h"
#include "cmd/journal/explain.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "policy/chain.h"
#include "ui/print.h"

static const char *const deciders[POLICY_COUNT] = {
	[POLICY_OFF] = "'holdfast off'",
	[POLICY_PROTECTED] = "the guard of protected files",
	[POLICY_LOOP] = "the loop",
	[POLICY_FOLLOW_UPS] = "the follow-up messages",
	[POLICY_TODOS] = "the agent's todo list",
	[POLICY_COMMANDS] = "the stop commands",
	[POLICY_TESTS] = "the guard of tests",
	[POLICY_GATES] = "the gates",
	[POLICY_ROUNDS] = "the rounds",
	[POLICY_INFINITE] = "infinite mode",
	[POLICY_TRUST] = "the rule that only trusted projects run commands",
	[POLICY_BLOCK_LIMIT] = "the limit of blocks in a row",
	[POLICY_GUARDS] = "the guards",
	[POLICY_EVENTS] = "a command of the event",
};

/* What would change the decision. */
static const char *const changes[STATUS_COUNT] = {
	[STATUS_NOT_TRUSTED] = "Read what the project would run, then 'holdfast trust' lets it.",
	[STATUS_OFF] = "'holdfast on' ends it.",
	[STATUS_ERROR] = "Fix what the message names; 'holdfast doctor' shows what else is wrong.",
	[STATUS_INFRASTRUCTURE_ERROR] = "Let the command run: the message says what kept it from that.",
	[STATUS_LOOP_CONTINUES] =
		"The loop ends with its promise, at its limit, or by 'holdfast ralph cancel'; "
		"'holdfast ralph pause' lets the agent stop in between.",
	[STATUS_LOOP_COMPLETE] = "'holdfast ralph start' starts another loop.",
	[STATUS_LOOP_LIMIT_REACHED] = "'holdfast ralph start --max-iterations N' starts it again with more.",
	[STATUS_LOOP_PAUSED] = "'holdfast ralph resume' continues the loop.",
	[STATUS_LOOP_NOT_OWNED] = "'holdfast ralph adopt' gives the loop to another session.",
	[STATUS_LOOP_CORRUPT] = "Start the loop again with 'holdfast ralph start'; its old file was kept.",
	[STATUS_LOOP_UNWRITABLE] = "Make the loop's file writable: what can't be counted can't go on.",
	[STATUS_FOLLOW_UP] = "After the last message the stop is allowed; 'follow_ups' in holdfast.yml lists "
			     "them.",
	[STATUS_TODOS_OPEN] =
		"The stop is allowed when the list has no open items, or when 'tries' blocks have not "
		"changed it.",
	[STATUS_TODOS_DONE] = "An item that is pending or in progress blocks the stop.",
	[STATUS_TODOS_LEFT] = "A change of the list, or your next prompt, starts the count of blocks again.",
	[STATUS_TODOS_UNKNOWN] =
		"Only the transcripts of Claude Code can be read; 'todos' in holdfast.yml turns "
		"it on.",
	[STATUS_COMMAND_FAILED] = "The stop is allowed when the command passes.",
	[STATUS_ROOT_ADDITIONS] = "The stop is allowed when the new files are gone from the project's root.",
	[STATUS_BLOCK_LIMIT_REACHED] = "The next prompt of the user starts the count again.",
	[STATUS_PROTECTED_CHANGED] =
		"'holdfast restore' puts the files back; your next prompt accepts nothing while they "
		"differ.",
	[STATUS_TESTS_WEAKENED] = "The stop is allowed when the tests are as strong as before, or when "
				  "'guards.tests.allow' in holdfast.yml names the file with a reason.",
	[STATUS_LOOP_STOPPED] =
		"'holdfast ralph history' has the reason; 'holdfast ralph start' starts another loop.",
	[STATUS_COMMANDS_PASSED] = "A stop command that fails blocks the stop.",
	[STATUS_FAILED] = "The stop is allowed when these pass, or when all tries are used.",
	[STATUS_PASSED] = "When files change, the gates run again.",
	[STATUS_PASSED_WITH_WARNINGS] = "When files change, the gates run again.",
	[STATUS_NO_APPLICABLE_GATES] = "A change of files that a gate is for lets it run.",
	[STATUS_NO_CHANGES] = "A change of files lets the gates run.",
	[STATUS_UNCHANGED] = "A change of files lets the gates run.",
	[STATUS_RETRY_LIMIT_EXCEEDED] = "The next prompt of the user gives all tries again; 'tries' in "
					"holdfast.yml says how many.",
	[STATUS_INTERVAL_NOT_ELAPSED] = "After the interval (run_interval_minutes) the gates run again.",
	[STATUS_LOCK_EXISTS] = "When the other run has ended, a stop runs the gates again.",
	[STATUS_STOP_HOOK_DISABLED] = "stop_hook.enabled (run_at_stop in holdfast.yml) turns the gates on.",
	[STATUS_ROUND_COMPLETED] = "The stop after the last round is allowed.",
	[STATUS_ROUNDS_FINISHED] = "The next stop begins with the first round again.",
	[STATUS_INFINITE] = "'infinite: false' in the configuration ends it, or 'holdfast off'.",
};

static struct str
decider_of(struct str policy)
{
	for (size_t i = 0; i < POLICY_COUNT; i++)
		if (str_is(policy, policy_names[i]))
			return str_from(deciders[i]);
	return policy;
}

static struct str
change_of(struct str status)
{
	for (int i = 0; i < STATUS_COUNT; i++)
		if (str_eq(status, status_name((enum status)i)) && changes[i])
			return str_from(changes[i]);
	return STR_NONE;
}

static struct str
text_of(struct arena *a, const struct node *n, const char *key)
{
	return strip_escapes_line(a, node_get_str(n, key));
}

static int64_t
number_of(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT ? value->integer : 0;
}

/* "iteration 2 of 5, try 1 of 3"; empty: nothing is counted. */
static struct str
counts_of(struct arena *a, const struct node *n)
{
	int64_t number = number_of(n, "number"), of = number_of(n, "of");
	struct str policy = node_get_str(n, "policy");
	struct buf b = BUF(a, SIZE_MAX);

	if (number > 0)
		buf_addf(&b, "%s %lld",
			 str_is(policy, "loop")    ? "iteration"
			 : str_is(policy, "todos") ? "block"
						   : "round",
			 (long long)number);
	if (number > 0 && of > 0)
		buf_addf(&b, " of %lld", (long long)of);
	if (number_of(n, "max_tries") > 0)
		buf_addf(&b, "%stry %lld of %lld", b.n > 0 ? ", " : "", (long long)number_of(n, "tries"),
			 (long long)number_of(n, "max_tries"));
	return buf_str(&b);
}

static void
add_gates(struct arena *a, struct buf *b, const struct node *gates)
{
	for (size_t i = 0; gates && gates->kind == NODE_LIST && i < gates->count; i++) {
		const struct node *g = &gates->items[i];
		struct str in = text_of(a, g, "in"), reviewer = text_of(a, g, "reviewer");
		bool has_place = in.n > 0 && !str_is(in, ".");

		buf_addf(b,
			 "               " STR_FMT "%s" STR_FMT "%s" STR_FMT "  " STR_FMT "  " STR_FMT "\n",
			 STR_ARG(text_of(a, g, "gate")), has_place ? " in " : "",
			 STR_ARG(has_place ? in : STR("")), reviewer.n > 0 ? " by " : "",
			 STR_ARG(reviewer.n > 0 ? reviewer : STR("")), STR_ARG(text_of(a, g, "outcome")),
			 STR_ARG(duration_text(a, number_of(g, "ms"))));
	}
}

/* What runs the failed gates by hand; empty: none failed. */
static struct str
rerun_text(struct arena *a, const struct node *gates)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str last = STR_NONE;

	for (size_t i = 0; gates && gates->kind == NODE_LIST && i < gates->count; i++) {
		struct str name = text_of(a, &gates->items[i], "gate");

		if (!str_is(node_get_str(&gates->items[i], "outcome"), "fail") || str_eq(name, last))
			continue;
		buf_addf(&b, "%s" STR_FMT, b.n > 0 ? " " : "'holdfast run ", STR_ARG(name));
		last = name;
	}
	if (b.n > 0)
		buf_add(&b, STR("' runs what failed by hand."));
	return buf_str(&b);
}

static struct str
as_text(struct arena *a, const struct decision *d, bool has_colour)
{
	const struct node *n = &d->fields, *steps = node_get(n, "policies");
	bool blocks = str_is(node_get_str(n, "decision"), "block");
	struct str change = change_of(node_get_str(n, "status")), counts = counts_of(a, n);
	struct str end = text_of(a, n, "loop_end");
	struct str rerun = rerun_text(a, node_get(n, "gates"));
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, "The stop of session " STR_FMT " (" STR_FMT ") at " STR_FMT " was ",
		 STR_ARG(text_of(a, n, "session")), STR_ARG(text_of(a, n, "client")),
		 STR_ARG(clock_format_seconds(a, d->time_us)));
	print_styled(&b, has_colour, STYLE_BOLD, blocks ? STR("blocked") : STR("allowed"));
	buf_addf(&b, " by " STR_FMT " (" STR_FMT ").\n", STR_ARG(decider_of(text_of(a, n, "policy"))),
		 STR_ARG(text_of(a, n, "status")));
	/* A line with one policy does not list it. */
	bool has_steps = steps && steps->kind == NODE_LIST;

	for (size_t i = 0; i < (has_steps ? steps->count : 1); i++) {
		const struct node *step = has_steps ? &steps->items[i] : n;
		struct str policy = text_of(a, step, "policy");

		buf_addf(&b, "  %-11.*s  " STR_FMT ": " STR_FMT "\n", STR_ARG(policy),
			 STR_ARG(text_of(a, step, "status")), STR_ARG(text_of(a, step, "message")));
		if (str_is(policy, policy_names[POLICY_GATES]))
			add_gates(a, &b, node_get(n, "gates"));
	}
	if (end.n > 0)
		buf_addf(&b, "The loop has ended: " STR_FMT ".\n", STR_ARG(end));
	if (counts.n > 0)
		buf_addf(&b, "This was " STR_FMT ".\n", STR_ARG(counts));
	if (change.s)
		buf_addf(&b, STR_FMT "\n", STR_ARG(change));
	if (blocks && rerun.n > 0)
		buf_addf(&b, STR_FMT "\n", STR_ARG(rerun));
	return buf_str(&b);
}

static struct str
as_json(struct arena *a, struct str line, const struct decision *d)
{
	struct str change = change_of(node_get_str(&d->fields, "status"));
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, str_sub(line, 0, line.n - 1)); /* without the brace that closes it */
	json_add_member(&b, "change", change.s ? change : STR(""));
	buf_add(&b, STR("}\n"));
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct decision_filter filter = { .event = STR("Stop") };
	struct str_list lines;
	struct decision d;
	struct err err;

	if (option_has(inv, "tool") || option_has(inv, "command"))
		return inv->arg_count > 0 ? command_misuse(inv, "the guards are the same for every session")
					  : explain_tool(a, inv);
	if (inv->arg_count > 0)
		filter.session = inv->args[0];
	else
		filter.project = decisions_project(a);
	if (decisions_load(a, &filter, &lines, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	if (lines.count == 0 && inv->arg_count > 0)
		return command_fail(inv, "no decision of a session '" STR_FMT "' is on record",
				    STR_ARG(inv->args[0]));
	if (lines.count == 0)
		return command_fail(inv,
				    "no decision is on record in " STR_FMT
				    "; 'holdfast doctor' shows what is active there",
				    STR_ARG(filter.project));
	struct str line = lines.items[lines.count - 1];

	if (!decision_read(a, line, &filter, &d))
		return command_fail(inv, "the last line of the journal can't be read");
	return print_out(option_has(inv, "json") ? as_json(a, line, &d)
						 : as_text(a, &d, tty_wants_colour(1)));
}

static const struct option_row options[] = {
	{ .name = "command", .arg_name = "LINE", .help = "what the guards say about this command line" },
	{ .name = "tool",
	  .arg_name = "JSON",
	  .help = "what they say about the event of a tool, as a client sends it" },
	{ .name = "agent",
	  .arg_name = "TYPE",
	  .help = "as if an agent of this type asked them; by default main" },
	{ .name = "json", .help = "print JSON, for scripts" },
};

const struct command explain_command = {
	.name = "explain",
	.summary = "why the last stop was blocked or allowed, or what the guards say",
	.details =
		"Shows the last decision of this project, or of the session whose id begins with SESSION: "
		"each "
		"policy that had something to say, in the order in which they were asked, what the gates "
		"found, and what would change the decision. 'holdfast log' lists earlier ones, and 'holdfast "
		"stop-hook --dry-run' says what would be decided now.\n\n"
		"With --command or --tool: the commands that the line comes to, each rule of `guards` in "
		"holdfast.yml with what it says, and the verdict: allow, ask or deny. Runs nothing.",
	.args = "[SESSION]",
	.most_args = 1,
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
