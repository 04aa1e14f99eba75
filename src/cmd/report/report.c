/* SPDX-License-Identifier: MIT */
/* holdfast report: what happened in a span of time, as text, JSON, or a page for a browser. Changes nothing but the file that it
 * writes. */
#include "cmd/commands.h"
#include "cmd/report/facts.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#define FILE_MODE 0644

/* A name of a file, or - for stdout. */
static int
write_page(struct arena *a, const struct invocation *inv, const struct facts *f)
{
	struct str file = option_str(inv, "html"), page = facts_html(a, f);
	struct err err;

	if (str_is(file, "-"))
		return print_out(page);
	if (fs_kind(file.s) == FS_DIR)
		return command_fail(inv,
				    "--html: " STR_FMT " is a directory; name a file, such as " STR_FMT
				    "/report.html",
				    STR_ARG(file), STR_ARG(file));
	if (fs_replace(a, file.s, page, FILE_MODE, &err) < 0)
		return command_fail(inv, "--html: %s", err.msg);
	print_outf("wrote " STR_FMT "\n", STR_ARG(file));
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct decision_filter filter;
	struct facts f = { .arena = a };
	struct err err;

	if (option_has(inv, "html") && option_has(inv, "json"))
		return command_misuse(inv, "--html and --json exclude each other");
	if (option_has(inv, "html") && option_str(inv, "html").n == 0)
		return command_misuse(inv, "--html needs the name of a file, or - for standard output");
	if (decision_filter_read(a, inv, &filter) != 0)
		return 1;
	if (facts_collect(&f, &filter, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	if (option_has(inv, "html"))
		return write_page(a, inv, &f);
	if (option_has(inv, "json"))
		return print_out(facts_json(a, &f));
	if (f.session_count == 0 && f.loop_count == 0) {
		print_outf("no decision on record%s" STR_FMT "\n", filter.project.s ? " in " : "",
			   STR_ARG(filter.project.s ? filter.project : STR("")));
		return 0;
	}
	return print_out(facts_text(a, &f, print_width(1), tty_wants_colour(1)));
}

static const struct option_row options[] = {
	{ .name = "html",
	  .arg_name = "FILE",
	  .help = "write a page for a browser, that needs nothing else; - for standard output" },
	DECISION_TIME_OPTIONS,
	DECISION_PLACE_OPTIONS,
	{ .name = "json", .help = "print JSON, for scripts" },
};

const struct command report_command = {
	.name = "report",
	.summary = "what happened: iterations, commits, gates, tokens, why loops ended",
	.details =
		"Each session with its stops: how long the work took that each ended, which commits were "
		"made "
		"in that time and how many files they changed, what was decided and what failed. Then the "
		"gates, with the slowest and the flakiest, and each loop with the reason for which it ended. "
		"Without options, all that the journal has about this project; '--since 12h' shows a "
		"night.\n\n"
		"It reads the journal of decisions (see 'holdfast log'), the results of the gates, the "
		"history "
		"of loops, the reflog of the work tree, and, for tokens and cost, the transcripts of Claude "
		"Code. What is no longer there is not in the report.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
