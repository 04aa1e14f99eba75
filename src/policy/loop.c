/* SPDX-License-Identifier: MIT */
/* The loop's policy, and the verification of its promise. The commands come from the loop's file, so they run only where stop
 * commands would: in a project that may run its definitions, from a file that did not come with the repository. */
#include "loop/loop.h"
#include "output/failing_lines.h"
#include "policy/policies.h"
#include "task/command.h"

#define COMMAND_BYTES 300

static struct loop_verified
unknown(struct stop_context *s, const char *why)
{
	return (struct loop_verified){ PROOF_UNKNOWN, str_cat(s->arena, why) };
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

	buf_cat(&b, what, lines.n > 0 ? ":\n" : ".");
	while (str_next(&lines, '\n', &line))
		buf_cat(&b, "\n    ", line);
	return (struct loop_verified){ PROOF_FAILED, buf_str(&b) };
}

static struct loop_verified
run_command(struct stop_context *s, struct str dir, struct str command)
{
	struct capture output;
	struct proc_result r;
	struct err err;
	struct command_call call = {
		.shell = COMMAND_BASH_STRICT,
		.script = command,
		.output = &output,
		.process = { .dir = dir.s, .deadline_ms = s->deadline_ms, .grace_ms = COMMAND_GRACE_MS },
	};
	struct str name = str_cat(s->arena, "`", shown(s, command), "`");

	if (command_run(s->arena, &call, &r, &err) < 0)
		return unknown(s, err.msg);
	if (command_passed(&r))
		return (struct loop_verified){ PROOF_PASSED, STR_NONE };
	if (r.end == PROC_LOST)
		return unknown(s, str_cat(s->arena, "the result of ", name, " could not be read").s);
	if (r.end != PROC_EXITED && r.end != PROC_SIGNALED)
		return unknown(s, str_cat(s->arena, name, " did not end before the hook's deadline").s);
	return failed(s,
		      str_cat(s->arena, name,
			      r.end == PROC_EXITED ? " failed with exit code " : " was ended by signal ",
			      r.code),
		      capture_text(&output, s->arena, 0));
}

/* Gates that do not apply have nothing against the promise. */
static struct loop_verified
run_gates(struct stop_context *s)
{
	struct verdict v = { 0 };

	if (!chain_ask_gates(s, &v))
		return unknown(s, "'verify' names the gates, and the project has none that can be run");
	struct str message = verdict_message(&v);

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
	return (struct loop_verified){ PROOF_FAILED,
				       str_cat(s->arena, "a gate failed:\n\n", str_trim(v.reason)) };
}

static struct str
names_of(struct stop_context *s, const struct loop_options *o)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	for (size_t i = 0; i < o->verify.count; i++)
		buf_cat(&b, i > 0 ? ", " : "", "`", shown(s, o->verify.items[i]), "`");
	if (o->verifies_gates)
		buf_cat(&b, b.n > 0 ? ", " : "", "the gates");
	if (b.n > 0)
		buf_cat(&b, " passed");
	if (o->verifies_todos)
		buf_cat(&b, b.n > 0 ? ", and " : "", "all todos are done");
	return buf_str(&b);
}

/* The commands, unless nothing of the loop's file may be run. */
static struct loop_verified
run_commands(struct stop_context *s, struct str path, const struct str_list *commands)
{
	struct str root = str_copy(s->arena, path_parent(path_parent(path)));
	struct str problem = loop_adoption_problem(s->arena, path);
	struct loop_verified v = { PROOF_PASSED, STR_NONE };

	if (problem.s)
		return unknown(s, str_cat(s->arena, path, ": ", problem).s);
	if (!stop_may_run(s, root))
		return unknown(s, str_cat(s->arena, root,
					  " is not trusted, so nothing was run; 'holdfast trust ", root,
					  "' allows it")
					  .s);
	stop_prepare_interrupted(s);
	for (size_t i = 0; i < commands->count && v.proof == PROOF_PASSED; i++) {
		if (s->is_dry)
			buf_cat(&s->would_run, "verify: ", shown(s, commands->items[i]), "\n");
		else
			v = run_command(s, root, commands->items[i]);
	}
	return v;
}

static struct loop_verified
verify(void *context, struct str path, const struct loop_options *o)
{
	struct stop_context *s = context;
	struct loop_verified v = { PROOF_PASSED, STR_NONE };
	struct open_todos todos = o->verifies_todos ? todos_look(s) : (struct open_todos){ 0 };

	if (todos.problem.s)
		return unknown(s, todos.problem.s);
	if (todos.count > 0)
		return (struct loop_verified){ PROOF_FAILED,
					       str_cat(s->arena, todos_in_words(s->arena, todos.count),
						       ":\n\n", todos.text) };
	if (o->verify.count > 0)
		v = run_commands(s, path, &o->verify);
	/* A dry run asks the gates later in the chain. */
	if (v.proof == PROOF_PASSED && o->verifies_gates && !s->is_dry)
		v = run_gates(s);
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
		ret->is_quiet = stop_told_before(s, TOLD_OF_LOOP);
	return true;
}

void
loop_hear(struct stop_context *s, struct str error)
{
	const struct event *e = s->event;
	struct str message = e->last_message.s ? e->last_message : STR("");
	struct err err;
	/* A prompt without a source may be our own reason. */
	bool is_heard = error.s ? str_is(error, "rate_limit") : str_is(e->prompt_source, "user");

	if (s->is_main && is_heard &&
	    loop_note(s->arena, &s->where, e->session_id, error.s ? message : STR_NONE, &err) < 0)
		stop_warn(s, err.msg);
}
