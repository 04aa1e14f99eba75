/* SPDX-License-Identifier: MIT */
/* Starts the commands of a project, each in the same way. */
#include "task/command.h"

static const char *const shells[][4] = {
	[COMMAND_SH] = { "/bin/sh", "-c" },
	[COMMAND_BASH] = { "bash", "-c" },
	[COMMAND_BASH_STRICT] = { "bash", "-e", "-c" },
};

static const char mark[] = COMMAND_MARK;

int
command_prepare(struct arena *a, struct command_call *call, struct err *err)
{
	const char *const *shell = shells[call->shell], *const *env = call->process.env;
	const char **argv = arena_array(a, call->arguments.count + 6, const char *), **all;
	size_t n = 0, count = 0;

	if (!call->script.s)
		return 0;
	for (; shell[n]; n++)
		argv[n] = shell[n];
	if (str_cz(a, call->script, &argv[n++], err) < 0)
		return -1;
	if (call->arguments.count > 0)
		argv[n++] = "sh"; /* $0 */
	for (size_t i = 0; i < call->arguments.count; i++)
		if (str_cz(a, call->arguments.items[i], &argv[n++], err) < 0)
			return -1;
	while (env && env[count] && env[count] != mark) /* it is there when the call is prepared again */
		count++;
	all = arena_array(a, count + 2, const char *);
	for (size_t i = 0; i < count; i++)
		all[i] = env[i];
	all[count] = mark;
	call->process.argv = argv;
	call->process.env = all;
	return 0;
}

static void
add_output(void *owner, int stream, struct str bytes)
{
	(void)stream;
	capture_put(owner, bytes);
}

int
command_run(struct arena *a, struct command_call *call, struct proc_result *ret, struct err *err)
{
	struct proc_spec *process = &call->process;

	if (command_prepare(a, call, err) < 0)
		return -1;
	if (call->output) {
		capture_init(call->output, a, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
		process->output = add_output;
		process->owner = call->output;
		process->forgets_output = true;
	}
	return proc_run(a, process, ret, err);
}

bool
command_passed(const struct proc_result *r)
{
	return r->end == PROC_EXITED && r->code == 0;
}

int
command_code(const struct proc_result *r)
{
	return r->end == PROC_EXITED ? r->code : 1;
}
