/* SPDX-License-Identifier: MIT */
/* The version command. The number itself is the build's. */
#include "cmd/version.h"

#include "cmd/commands.h"
#include "cmd/version_text.h"
#include "ui/print.h"

struct str
version_line(struct arena *a, const struct invocation *inv)
{
	return str_fmt(a, "%s %s\n", invocation_program(inv), VERSION_TEXT);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return print_out(version_line(a, inv));
}

const struct command version_command = {
	.name = "version",
	.summary = "print the version",
	.run = run,
};
