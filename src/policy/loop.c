/* SPDX-License-Identifier: MIT */
/* The loop's policy, and the verification of its promise. The commands come from the loop's file, so they run only where stop
 * commands would: in a project that may run its definitions, from a file that did not come with the repository. */
#include "base/escapes.h"
#include "base/path.h"
#include "loop/adopt.h"
#include "loop/loop.h"
#include "os/proc.h"
#include "output/failing_lines.h"
#include "policy/policies.h"
#include "policy/sources.h"

#include <inttypes.h>

/* From TERM to KILL: all processes of a command are gone within a second. */
#define GRACE_MS 500
#define COMMAND_BYTES 300

static struct loop_verified
unknown(struct stop_context *s, const char *why)
{
	return (struct loop_verified){ PROOF_UNKNOWN, str_copy(s->arena, str_from(why)) };
}

static struct str
shown(struct stop_context *s, struct str command)
{
	return excerpt(s->arena, strip_escapes_line(s->arena, str_trim(command)), COMMAND_BYTES);
}

/* The first line says what failed, the others why. */
static struct loop_verified
failed(struct stop_context *s, struct str what, struct str output)
{
	struct str lines = failing_lines(s->arena, output, FAILING_BYTES_MAX), line;
	struct buf b = BUF(s->arena, SIZE_MAX);

	buf_addf(&b, STR_FMT "%s", STR_ARG(what), lines.n > 0 ? ":\n" : ".");
	while (str_next(&lines, '\n', &line))
		buf_addf(&b, "\n    " STR_FMT, STR_ARG(line));
	return (struct loop_verified){ PROOF_FAILED, buf_str(&b) };
}

static void
add_output(void *context, int stream, struct str bytes)
{
	(void)stream;
	capture_put(context, bytes);
}

static struct loop_verified
run_command(struct stop_context *s, struct str dir, struct str command)
{
	struct capture output;
	struct err err;
	const char *script;

	capture_init(&output, s->arena, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	if (str_cz(s->arena, command, &script, &err) < 0)
		return unknown(s, err.msg);
	const char *const argv[] = { "bash", "-e", "-c", script, NULL };
	/* An agent that a command runs stops too, and that stop must not run the commands again. */
	static const char *const env[] = { "GAUNTLET_STOP_HOOK_ACTIVE=1", NULL };
	struct proc_spec spec = {
		.argv = argv,
		.dir = dir.s,
		.env = env,
		.deadline_ms = s->deadline_ms,
		.grace_ms = GRACE_MS,
		.output = add_output,
		.owner = &output,
		.forgets_output = true,
	};
	struct proc_result r;
	struct str name = shown(s, command);

	if (proc_run(s->arena, &spec, &r, &err) < 0)
		return unknown(s, err.msg);
	struct str text = capture_text(&output, s->arena, 0);

	switch (r.end) {
	case PROC_EXITED:
		if (r.code == 0)
			return (struct loop_verified){ PROOF_PASSED, STR_NONE };
		return failed(
			s, str_fmt(s->arena, "`" STR_FMT "` failed with exit code %d", STR_ARG(name), r.code),
			text);
	case PROC_SIGNALED:
		return failed(
			s, str_fmt(s->arena, "`" STR_FMT "` was ended by signal %d", STR_ARG(name), r.code),
			text);
	case PROC_TIMED_OUT:
	case PROC_DEADLINE:
		return unknown(s, str_fmt(s->arena, "`" STR_FMT "` did not end before the hook's deadline",
					  STR_ARG(name))
					  .s);
	case PROC_LOST:
		break;
	}
	return unknown(s,
		       str_fmt(s->arena, "the result of `" STR_FMT "` could not be read", STR_ARG(name)).s);
}

/* Gates that do not apply have nothing against the promise. */
static struct loop_verified
run_gates(struct stop_context *s)
{
	struct verdict v = { 0 };

	if (!chain_ask_gates(s, &v))
		return unknown(s, "'verify' names the gates, and the project has none that can be run");
	struct str message = v.message.s ? v.message : status_message(v.status);

	switch (v.status) {
	case STATUS_PASSED:
	case STATUS_PASSED_WITH_WARNINGS:
	case STATUS_NO_APPLICABLE_GATES:
	case STATUS_NO_CHANGES:
	case STATUS_UNCHANGED:
		return (struct loop_verified){ PROOF_PASSED, STR_NONE };
	case STATUS_RETRY_LIMIT_EXCEEDED: /* the loop has a limit of its own */
		return failed(s, STR("a gate failed"), message);
	default:
		if (!status_blocks(v.status))
			return unknown(s, message.s);
	}
	return (struct loop_verified){ PROOF_FAILED, str_fmt(s->arena, "a gate failed:\n\n" STR_FMT,
							     STR_ARG(str_trim(v.reason))) };
}

/* Why nothing of the loop's file may be run; absent: it may. */
static struct str
refusal(struct stop_context *s, struct str path, struct str root)
{
	struct str problem = loop_adoption_problem(s->arena, path);

	if (problem.s)
		return str_fmt(s->arena, STR_FMT ": " STR_FMT, STR_ARG(path), STR_ARG(problem));
	if (!stop_may_run(s, root))
		return str_fmt(s->arena,
			       STR_FMT " is not trusted, so nothing was run; 'holdfast trust " STR_FMT
				       "' allows it",
			       STR_ARG(root), STR_ARG(root));
	return STR_NONE;
}

static struct str
names_of(struct stop_context *s, const struct loop_options *o)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	for (size_t i = 0; i < o->verify.count; i++)
		buf_addf(&b, "%s`" STR_FMT "`", i > 0 ? ", " : "", STR_ARG(shown(s, o->verify.items[i])));
	if (o->verifies_gates)
		buf_addf(&b, "%sthe gates", b.n > 0 ? ", " : "");
	if (b.n > 0)
		buf_add(&b, STR(" passed"));
	if (o->verifies_todos)
		buf_addf(&b, "%sall todos are done", b.n > 0 ? ", and " : "");
	return buf_str(&b);
}

static struct loop_verified
verify_todos(struct stop_context *s)
{
	struct open_todos todos = todos_look(s);

	if (todos.problem.s)
		return unknown(s, todos.problem.s);
	if (todos.count == 0)
		return (struct loop_verified){ PROOF_PASSED, STR_NONE };
	return (struct loop_verified){ PROOF_FAILED, str_fmt(s->arena, STR_FMT ":\n\n" STR_FMT,
							     STR_ARG(todos_in_words(s->arena, todos.count)),
							     STR_ARG(todos.text)) };
}

static struct loop_verified
run_all(struct stop_context *s, struct str path, const struct loop_options *o)
{
	struct str root = str_copy(s->arena, path_parent(path_parent(path)));
	struct str why = o->verify.count > 0 ? refusal(s, path, root) : STR_NONE;

	if (why.s)
		return unknown(s, why.s);
	if (!s->is_dry && o->verify.count > 0)
		stop_prepare_interrupted(s);
	for (size_t i = 0; i < o->verify.count; i++) {
		struct loop_verified one = { PROOF_PASSED, STR_NONE };

		if (s->is_dry)
			buf_addf(&s->would_run, "verify: " STR_FMT "\n",
				 STR_ARG(shown(s, o->verify.items[i])));
		else
			one = run_command(s, root, o->verify.items[i]);
		if (one.proof != PROOF_PASSED)
			return one;
	}
	/* A dry run asks the gates later in the chain. */
	if (!o->verifies_gates || s->is_dry)
		return (struct loop_verified){ PROOF_PASSED, STR_NONE };
	return run_gates(s);
}

static struct loop_verified
verify(void *context, struct str path, const struct loop_options *o)
{
	struct stop_context *s = context;
	struct loop_verified v = { PROOF_PASSED, STR_NONE };

	if (o->verifies_todos)
		v = verify_todos(s);
	if (v.proof == PROOF_PASSED && (o->verifies_gates || o->verify.count > 0))
		v = run_all(s, path, o);
	if (v.proof == PROOF_PASSED)
		v.text = names_of(s, o);
	return v;
}

bool
loop_policy(struct stop_context *s, struct verdict *ret)
{
	const struct loop_call call = {
		.event = s->event, .is_dry = s->is_dry, .verify = verify, .context = s
	};

	if (!s->is_main || !loop_stop(s->arena, &s->where, &call, ret))
		return false;
	if (ret->status == STATUS_LOOP_NOT_OWNED && !ret->is_quiet)
		ret->is_quiet = stop_told_before(s, STOP_NOTICE_LOOP);
	return true;
}

void
loop_hear_prompt(struct stop_context *s)
{
	struct err err;

	/* Without a source it may be our own reason. */
	if (s->is_main && str_is(s->event->prompt_source, "user") &&
	    loop_note_prompt(s->arena, &s->where, s->event->session_id, &err) < 0)
		stop_warn(s, "%s", err.msg);
}

void
loop_hear_failure(struct stop_context *s, struct str error)
{
	struct err err;

	if (s->is_main && str_is(error, "rate_limit") &&
	    loop_note_limit(s->arena, &s->where, s->event->session_id, s->event->last_message, &err) < 0)
		stop_warn(s, "%s", err.msg);
}
