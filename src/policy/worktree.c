/* SPDX-License-Identifier: MIT */
/* WorktreeCreate: the answer is the path of a new worktree, which the configured command makes. */
#include "base/path.h"
#include "git/git.h"
#include "policy/commands.h"
#include "policy/events.h"

void
worktree_command(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	struct conclaude_command command = { .run = s->conclaude->worktree_command,
					     .timeout_s = s->conclaude->worktree_timeout_s };
	CLEANUP(command_output_close) struct command_output output = { .file = SPILL_NONE };
	const char *key = s->conclaude->is_native ? "events.worktree_create" : "worktreeCreate";
	struct proc_result r;
	struct err err;

	if (!command.run.s || command_is_empty(command.run))
		return;
	const char *const *env = command_environment(s, c, NULL, 0);

	if (command_execute(s, &command, env, &output, &r, &err) < 0)
		answer->reason = str_copy(s->arena, str_from(err.msg));
	else if (r.end == PROC_TIMED_OUT)
		answer->reason = str_fmt(s->arena, "the command of %s timed out after %lld seconds", key,
					 (long long)command.timeout_s);
	else if (r.end != PROC_EXITED || r.code != 0)
		answer->reason = str_fmt(s->arena, "the command of %s failed with exit code %d: " STR_FMT,
					 key, r.end == PROC_EXITED ? r.code : 1,
					 STR_ARG(str_trim(capture_text(&r.err, s->arena, 20))));
	else
		answer->output = str_trim(capture_text(&r.out, s->arena, 0));
	if (answer->output.s && answer->output.n == 0) {
		answer->output = STR_NONE;
		answer->reason = str_fmt(s->arena, "the command of %s printed no path", key);
	}
}
