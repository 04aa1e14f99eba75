/* SPDX-License-Identifier: MIT */
/* holdfast stop-hook: decides on a stop, from stdin to stdout. Whatever goes wrong lets the agent stop, with the reason. */
#include "cmd/commands.h"
#include "cmd/hook/hook_io.h"
#include "base/escapes.h"
#include "conf/gates.h"
#include "os/env.h"
#include "os/exit_reply.h"
#include "os/fs.h"
#include "record/logdir.h"
#include "policy/chain.h"
#include "policy/notices.h"

#define GAUNTLET_DEADLINE_S 290
/* The gate policy's error messages begin with the same words. */
#define ERROR_WORDS "⚠ Stop hook error — "

/* ---- a dry run ---- */

static void
add_indented(struct buf *b, struct str lines)
{
	struct str line;

	while (str_next(&lines, '\n', &line))
		buf_addf(b, "  " STR_FMT "\n", STR_ARG(line));
}

static struct str
dry_text(const struct stop_context *s, const struct verdict *v)
{
	bool runs = s->would_run.n > 0, blocks = status_blocks(v->status);
	/* What commands and gates would come to is not known. */
	bool is_open = runs && (v->status == STATUS_PASSED || v->status == STATUS_COMMANDS_PASSED);
	struct str message = v->message.s ? v->message : status_message(v->status);
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (runs) {
		buf_add(&b, STR("This stop would run:\n"));
		add_indented(&b, buf_str(&s->would_run));
	}
	buf_add(&b, runs ? STR("If all of it passes, the stop") : STR("The stop"));
	buf_add(&b, blocks ? STR(" would be blocked") : STR(" would be allowed"));
	if (is_open)
		buf_add(&b, STR(".\n"));
	else
		buf_addf(&b, " (" STR_FMT "): " STR_FMT "\n", STR_ARG(status_name(v->status)),
			 STR_ARG(strip_escapes(s->arena, message)));
	if (blocks) {
		buf_add(&b, STR("The agent would be told:\n"));
		add_indented(&b, strip_escapes(s->arena, v->reason));
	}
	buf_add(&b, STR("Nothing was run, counted or written.\n"));
	return buf_str(&b);
}

static struct str
dry_warnings(const struct stop_context *s)
{
	struct buf b = BUF(s->arena, SIZE_MAX);
	struct str lines = buf_str(&s->warnings), line;

	while (str_next(&lines, '\n', &line))
		buf_addf(&b, "holdfast: warning: " STR_FMT "\n", STR_ARG(strip_escapes_line(s->arena, line)));
	return buf_str(&b);
}

/* The session of an event that nobody sent. */
#define DRY_SESSION "dry-run"

/* The event on stdin; where there is none, the stop of a session in this directory. */
static int
dry_event(struct arena *a, const struct invocation *inv, struct event *ret, struct err *err)
{
	struct node none = { .kind = NODE_MAP };
	struct str session = client_session(env_get);

	if (!tty_is(0)) {
		if (hook_read_event(a, inv, NULL, ret, err) == 0)
			return 0;
		if (!str_is(str_from(err->msg), EVENT_EMPTY))
			return -1;
	}
	*ret = client_event(hook_client(inv, &none), &none);
	ret->session_id = session.n > 0 ? session : STR(DRY_SESSION);
	return 0;
}

/* ---- answers ---- */

/* The answer to the client; of a dry run, what it would be, for people. */
static int
answer_with(const struct stop_context *s, const struct verdict *v)
{
	struct reply_notes notes = hook_notes(s);
	struct reply r = s->is_dry ? (struct reply){ dry_text(s, v), dry_warnings(s), 0 }
				   : stop_reply(s, v, &notes);

	return hook_answer(&r);
}

static int
answer(const struct stop_context *s, enum status status, struct str message)
{
	return answer_with(s, &(struct verdict){ .status = status, .message = message });
}

/* A gate or a reviewer runs this session; agent-gauntlet has words of its own. */
static struct str
nested_message(const struct stop_context *s)
{
	return s->front_end == FRONT_END_HOLDFAST
		       ? STR("nothing is checked: a gate or a review runs this agent")
		       : STR_NONE;
}

/* agent-gauntlet registers its hook with a timeout of 300 seconds, whatever the client would allow. */
static int64_t
usual_deadline_s(const struct stop_context *s)
{
	int64_t allowed_s = s->client->deadline_s;

	return s->front_end == FRONT_END_GAUNTLET && allowed_s > GAUNTLET_DEADLINE_S ? GAUNTLET_DEADLINE_S
										     : allowed_s;
}

/* Allows the stops that no policy is asked about; false where the policies must decide. */
static bool
is_settled(const struct stop_context *s, const struct event *e, int *ret_exit_code)
{
	struct arena *a = s->arena;
	uint64_t cap = e->client->block_cap;

	if (e->is_subagent)
		*ret_exit_code = answer(s, STATUS_SUBAGENT, STR_NONE);
	else if (e->name.n > 0 && !str_is(e->name, "Stop"))
		*ret_exit_code = answer(s, STATUS_INVALID_INPUT,
					str_fmt(a, "the hook's input is the event '" STR_FMT "', not a stop",
						STR_ARG(e->name)));
	else if (e->is_given_up)
		*ret_exit_code = answer(s, STATUS_NO_CONFIG,
					STR("the turn was ended by the user or by an error"));
	else if (cap > 0 && e->follow_ups >= cap)
		*ret_exit_code = answer(
			s, STATUS_RETRY_LIMIT_EXCEEDED,
			str_fmt(a, "%s allows %llu follow-ups per turn, and all of them are used",
				e->client->title, (unsigned long long)cap));
	else
		return false;
	return true;
}

/* The other registration of holdfast that decides on the same stop; absent: this one does. */
static struct str
decided_elsewhere(const struct stop_context *s, const struct invocation *inv, const struct event *event)
{
	struct str line = STR_NONE;

	if (!option_has(inv, "client"))
		line = registered_by_client(s->arena, event, s->front_end);
	if (!line.s && option_has(inv, "plugin"))
		line = registered_in_settings(s->arena, event);
	if (!line.s && s->front_end == FRONT_END_HOLDFAST && !option_has(inv, "user"))
		line = registered_by_user(s->arena, event);
	return line;
}

/* Prints nothing for the client. For people there is a line on stderr, and one in the debug log if that is enabled. */
static int
step_aside(const struct stop_context *s, const struct event *event, struct str line)
{
	struct arena *a = s->arena;
	struct str start = str_starts(event->cwd, STR("/")) ? event->cwd : fs_cwd(a), root;
	struct gauntlet_hook_config config;
	struct project_dirs where;
	struct err ignored;

	line = strip_escapes_line(a, line);
	project_find(&where, start, WITHIN_REPOSITORY);
	root = gates_find(a, where.dirs, where.count);
	if (root.s && gates_load_hook(a, root, &config, &ignored) == 0) {
		struct logdir logs = logdir_of(a, root, config.log_dir);
		struct debug_log log = debug_log_of(a, &config.sourced, &logs);

		debug_log(a, &log, "STOP_HOOK decision=none reason=registered_twice: " STR_FMT,
			  STR_ARG(line));
	}
	struct reply silence = { STR(""),
				 str_fmt(a,
					 "holdfast: another registration decides on this stop: " STR_FMT "\n",
					 STR_ARG(line)),
				 0 };

	return hook_answer(&silence);
}

/* Is the registration that made this call one for all projects? */
static bool
is_for_all(const struct stop_context *s, const struct invocation *inv)
{
	return s->front_end == FRONT_END_HOLDFAST && (option_has(inv, "user") || option_has(inv, "plugin"));
}

/* stop-hook --dry-run: the same decision, with nothing run, counted or written. */
static int
play(struct arena *a, const struct invocation *inv)
{
	struct stop_context s = { .arena = a, .front_end = FRONT_END_HOLDFAST, .is_dry = true };
	struct event event;
	struct err err;
	int exit_code;

	if (hook_is_nested())
		return answer(&s, STATUS_STOP_HOOK_ACTIVE, nested_message(&s));
	if (dry_event(a, inv, &event, &err) < 0)
		return command_fail(inv, "the event on stdin can't be read: %s", err.msg);
	s.client = event.client;
	if (is_settled(&s, &event, &exit_code))
		return exit_code;
	stop_context_init(&s, a, &event,
			  (struct stop_call){ .front_end = FRONT_END_HOLDFAST,
					      .is_for_all_projects = is_for_all(&s, inv),
					      .is_dry = true });
	struct verdict v = chain_decide(&s);

	return answer_with(&s, &v);
}

int
stop_hook_run(struct arena *a, const struct invocation *inv, enum front_end front_end)
{
	int64_t deadline_ms;
	struct stop_context s = { .arena = a, .front_end = front_end, .client = hook_client(inv, NULL) };
	struct event event;
	struct err err;
	int exit_code;

	if (inv->command == &stop_hook_command && option_has(inv, "dry-run"))
		return play(a, inv);
	if (!hook_is_called_by_client(inv))
		return 1;
	stop_prepare_interrupted(&s);
	if (hook_is_nested())
		return answer(&s, STATUS_STOP_HOOK_ACTIVE, nested_message(&s));
	if (hook_read_event(a, inv, NULL, &event, &err) < 0) {
		struct str why = status_message(STATUS_INVALID_INPUT);

		return answer(&s, STATUS_INVALID_INPUT, str_fmt(a, STR_FMT " (%s)", STR_ARG(why), err.msg));
	}
	if (event.client != s.client) {
		s.client = event.client;
		stop_prepare_interrupted(&s);
	}
	if (hook_deadline(inv, usual_deadline_s(&s), &deadline_ms, &err) < 0)
		return answer(&s, STATUS_ERROR, str_fmt(a, ERROR_WORDS "%s", err.msg));
	if (is_settled(&s, &event, &exit_code))
		return exit_code;
	struct str other = decided_elsewhere(&s, inv, &event);

	if (other.s)
		return step_aside(&s, &event, other);
	stop_context_init(
		&s, a, &event,
		(struct stop_call){ .front_end = front_end, .is_for_all_projects = is_for_all(&s, inv) });
	s.deadline_ms = deadline_ms;
	struct verdict v = chain_decide(&s);

	notices_find(&s, &v);
	exit_code = answer_with(&s, &v);
	stop_note(&s, &v, inv->started_ms);
	notices_send(&s, &v);
	return exit_code;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return stop_hook_run(a, inv,
			     inv->command == &ralph_hook_command           ? FRONT_END_RALPH
			     : inv->command == &gauntlet_stop_hook_command ? FRONT_END_GAUNTLET
									   : FRONT_END_HOLDFAST);
}

static const struct option_row options[] = {
	CLIENT_OPTION,
	DEADLINE_OPTION,
	{ .name = "user",
	  .help = "for your own settings: this registration decides, and the project's does not" },
	{ .name = "plugin",
	  .help = "for the plugin: do nothing if Claude Code's settings also register holdfast" },
	{ .name = "dry-run",
	  .help = "say what would be decided and run, for people; run, count and write nothing" },
};

const struct command stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop (the Stop hook)",
	.details =
		"Reads a Stop event as JSON from stdin and prints one answer. Asks the policies "
		"in this order, and the first one that blocks decides: protected files, Ralph loop, "
		"follow-up messages, open todos, stop commands, honest tests, gates, rounds, infinite "
		"mode.\n\n"
		"The client is recognized by the fields of the event and by the environment, and "
		"gets an answer in its own format. Events that match no other client are treated "
		"as Claude Code's. With --client generic, a block prints the reason as JSON on "
		"stdout and as text on stderr, with exit code 2; no output allows the stop.\n\n"
		"Otherwise the exit code is always 0. If holdfast cannot decide, it lets the "
		"agent stop and says why, unless a gate is known to fail.\n\n"
		"With --dry-run no gate and no stop command runs: it says which would, and what would be "
		"decided if they pass. No try, iteration, follow-up or round is counted. Without an event on "
		"stdin it plays the stop of a new session in the current directory.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

static const struct option_row one_policy_options[] = { CLIENT_OPTION, DEADLINE_OPTION };

const struct command gauntlet_stop_hook_command = {
	.name = "stop-hook",
	.summary = "decide whether the agent may stop, by the gates alone",
	.options = one_policy_options,
	.option_count = COUNT_OF(one_policy_options),
	.run = run,
};

const struct command ralph_hook_command = {
	.name = "hook",
	.summary = "decide whether the agent may stop, by the Ralph loop alone",
	.details = "For a client that runs only the Ralph loop's hook. A block prints decision, "
		   "reason and systemMessage; if the loop does not block, the output may be empty.",
	.options = one_policy_options,
	.option_count = COUNT_OF(one_policy_options),
	.run = run,
};
