/* SPDX-License-Identifier: MIT */
/* Finds the function for a command line, and reports usage errors. */
#include "cmd/command.h"

#include <stdarg.h>

#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/version_text.h"
#include "os/clock.h"
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
		buf_addf(&b, "%s%s", i > 0 ? " " : "", inv->path[i]->name);
	return buf_str(&b);
}

static void __attribute__((format(printf, 3, 0)))
print_failure(struct arena *a, const struct invocation *inv, const char *fmt, va_list args)
{
	struct str message = str_vfmt(a, fmt, args);

	print_err(str_fmt(a, "%s: " STR_FMT "\n", invocation_program(inv), STR_ARG(message)));
}

int
command_fail(const struct invocation *inv, const char *fmt, ...)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	va_list args;

	va_start(args, fmt);
	print_failure(&a, inv, fmt, args);
	va_end(args);
	return 1;
}

int
command_misuse(const struct invocation *inv, const char *fmt, ...)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	va_list args;

	va_start(args, fmt);
	print_failure(&a, inv, fmt, args);
	va_end(args);
	struct str usage = help_usage(&a, inv), name = invocation_name(&a, inv);
	struct buf b = BUF(&a, KIB(16));

	buf_addf(&b, STR_FMT "\n", STR_ARG(usage));
	if (inv->command->sub_count > 0)
		print_paragraph(&b, help_command_names(&a, inv->command), print_width(2));
	buf_addf(&b, "See '" STR_FMT " --help'.\n", STR_ARG(name));
	print_err(buf_str(&b));
	return 1;
}

static int
print_version(struct arena *a, const struct invocation *inv)
{
	return print_out(str_fmt(a, "%s %s\n", invocation_program(inv), VERSION_TEXT));
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
		return command_misuse(&inv, "%s", err.msg);
	inv.started_ms = started_ms;
	switch (parsed) {
	case PARSED_HELP:
		return help_show(a, &inv);
	case PARSED_VERSION:
		return print_version(a, &inv);
	case PARSED_RUN:
		break;
	}
	int code = inv.command->run(a, &inv);

	return code != 0 ? code : print_end();
}
