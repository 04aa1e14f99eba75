/* SPDX-License-Identifier: MIT */
/* holdfast report: what happened in a span of time, as text, JSON, or a page for a browser. Changes nothing but the file that it
 * writes. */
#include "cmd/report/report.h"
#include "cmd/commands.h"
#include "cmd/journal/journal.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#define FILE_MODE 0644

static int
run(struct arena *a, const struct invocation *inv)
{
	struct decision_filter filter;
	struct activity f = { .arena = a };
	struct str file = option_str(inv, "html"); /* or - for stdout */
	struct err err;

	if (file.s && option_has(inv, "json"))
		return usage_error(inv, "--html and --json exclude each other");
	if (file.s && file.n == 0)
		return usage_error(inv, "--html needs the name of a file, or - for standard output");
	if (decision_filter_read(a, inv, &filter) != 0)
		return 1;
	if (activity_collect(&f, &filter, &err) < 0)
		return command_error(inv, err.msg);
	if (option_has(inv, "json"))
		return print_out(activity_json(a, &f));
	if (file.s && str_is(file, "-"))
		return print_out(activity_html(a, &f));
	if (file.s) {
		if (fs_kind(file.s) == FS_DIR)
			return command_error(inv, "--html: ", file, " is a directory; name a file, such as ",
					     file, "/report.html");
		if (fs_replace(a, file.s, activity_html(a, &f), FILE_MODE, &err) < 0)
			return command_error(inv, "--html: ", err.msg);
		print_cat("wrote ", file, "\n");
		return 0;
	}
	if (f.session_count == 0 && f.loop_count == 0) {
		print_cat("no decision on record", filter.project.s ? " in " : "",
			  filter.project.s ? filter.project : STR(""), "\n");
		return 0;
	}
	return print_out(activity_text(a, &f, print_width(1), tty_wants_colour(1)));
}

static const struct option_row options[] = {
	VALUE("html", "FILE", "write a page for a browser, that needs nothing else; - for standard output"),
	DECISION_TIME_OPTIONS,
	DECISION_PLACE_OPTIONS,
	FLAG("json", "print JSON, for scripts"),
};

const struct command report_command = {
	.name = "report",
	.summary = "what happened: iterations, commits, gates, tokens, why loops ended",
	.details = "Each session with its stops: how long the work took that each ended, which commits were "
		   "made in that time and how many files they changed, what was decided and what failed. "
		   "Then the gates, with the slowest and the flakiest, and each loop with the reason for "
		   "which it ended. Without options, all that the journal has about this project; '--since "
		   "12h' shows a night.\n\n"
		   "It reads the journal of decisions (see 'holdfast log'), the results of the gates, the "
		   "history of loops, the reflog of the work tree, and, for tokens and cost, the transcripts "
		   "of Claude Code. What is no longer there is not in the report.",
	OPTIONS(options),
	.run = run,
};
