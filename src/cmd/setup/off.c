/* SPDX-License-Identifier: MIT */
/* holdfast off and on: for a while, let the agent stop without asking any policy. */
#include "cmd/commands.h"
#include "base/duration.h"
#include "client/client.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "project/project.h"
#include "store/off.h"
#include "ui/print.h"

/* The repository around the current directory, or the directory itself. */
static struct str
here(struct arena *a)
{
	struct project_dirs where;

	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	return str_copy(a, project_root(&where));
}

static int
turn_off(struct arena *a, const struct invocation *inv)
{
	struct str root = here(a), span = option_str(inv, "for");
	int64_t ms = 0, now_ms = clock_real_us() / 1000;
	struct err err;

	if (client_agent_runs_us(env_has))
		return command_error(inv, "an agent runs this command, and only you can turn holdfast off; "
					  "type it in a terminal of your own");
	if (span.s && (!duration_parse(span, &ms) || ms <= 0))
		return usage_error(inv, "--for: expected a time with a unit, 30m or 2h, not '", span, "'");
	int64_t until_ms = span.s ? now_ms + ms : OFF_NO_END;

	if (off_set(a, root, until_ms, &err) < 0)
		return command_error(inv, err.msg);
	if (span.s)
		print_cat("holdfast is off in ", root, " until ", clock_format_seconds(a, until_ms * 1000),
			  ". 'holdfast on' ends that earlier.\n");
	else
		print_cat("holdfast is off in ", root, " until you type 'holdfast on'.\n");
	return 0;
}

static int
turn_on(struct arena *a, const struct invocation *inv)
{
	struct str root = here(a);
	bool was_off;
	struct err err;

	if (off_clear(a, root, &was_off, &err) < 0)
		return command_error(inv, err.msg);
	print_cat("holdfast ", was_off ? "is" : "was", " on in ", root, ".\n");
	return 0;
}

const struct command off_command = {
	.name = "off",
	.summary = "let the agent stop in this project, for a while",
	.details =
		"Until then no policy is asked at a stop, and you are told so each time. Nothing in the "
		"project changes, and what is outstanding stays so. An agent can't run this command for you.",
	TAKES(VALUE("for", "TIME", "how long: 30m, 2h (default: until 'holdfast on')")),
	.run = turn_off,
};

const struct command on_command = {
	.name = "on",
	.summary = "end what 'holdfast off' began",
	.run = turn_on,
};
