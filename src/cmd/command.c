/* SPDX-License-Identifier: MIT */
/* Finds the function for a command line, and reports usage errors. */
#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/version_text.h"
#include "os/clock.h"
#include "os/fs.h"
#include "ui/print.h"

const char *
invocation_program(const struct invocation *inv)
{
	return inv->path[0]->name;
}

struct str
invocation_name(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < inv->depth; i++)
		buf_cat(&b, i > 0 ? " " : "", inv->path[i]->name);
	return buf_str(&b);
}

int
command_error_list(const struct invocation *inv, const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	print_err(str_cat(&a, invocation_program(inv), ": ", str_cat_list(&a, pieces, count), "\n"));
	return 1;
}

int
usage_error_list(const struct invocation *inv, const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, KIB(16));

	(void)command_error_list(inv, pieces, count);
	buf_cat(&b, help_usage(&a, inv), "\n");
	if (inv->command->sub_count > 0)
		print_paragraph(&b, help_command_names(&a, inv->command), print_width(2));
	buf_cat(&b, "See '", invocation_name(&a, inv), " --help'.\n");
	print_err(buf_str(&b));
	return 1;
}

static int
print_version(struct arena *a, const struct invocation *inv)
{
	return print_out(str_cat(a, invocation_program(inv), " ", VERSION_TEXT, "\n"));
}

const struct command version_command = {
	.name = "version",
	.summary = "print the version",
	.run = print_version,
};

int
command_main(struct arena *a, const struct command *root, int argc, char *const *argv)
{
	int64_t started_ms = clock_mono_ms();
	struct invocation inv;
	enum parsed parsed;
	struct err err;

	if (options_parse(a, root, argc, argv, &inv, &parsed, &err) < 0)
		return usage_error(&inv, err.msg);
	inv.started_ms = started_ms;
	switch (parsed) {
	case PARSED_HELP:
		return help_show(a, &inv);
	case PARSED_VERSION:
		return print_version(a, &inv);
	case PARSED_RUN:
		break;
	}
	if (inv.command->needs_cwd) {
		inv.cwd = fs_cwd(a);
		if (!inv.cwd.s)
			return command_error(&inv, "the current directory no longer exists");
	}
	int code = inv.command->run(a, &inv);

	return code != 0 ? code : print_end();
}
