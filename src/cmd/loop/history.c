/* SPDX-License-Identifier: MIT */
/* holdfast ralph history: the loops that have ended. Only reads. */
#include "base/escapes.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "doc/json.h"
#include "store/loop_journal.h"
#include "ui/print.h"

#include <inttypes.h>

/* Does the loop belong to this project? */
static bool
is_here(const struct project_dirs *where, const struct node *n)
{
	struct str project = node_get_str(n, "project");

	for (size_t i = 0; i < where->count; i++)
		if (str_eq(where->dirs[i], project))
			return true;
	return false;
}

static struct str
shown(struct arena *a, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);

	return text.n > 0 ? strip_escapes_line(a, text) : STR("-");
}

static void
print_line(struct arena *a, const struct node *n, bool has_project)
{
	const struct node *passes = node_get(n, "passes"), *tokens = node_get(n, "tokens"),
			  *cost = node_get(n, "cost_usd");
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, STR_FMT "  %-14.*s %4" PRId64 " iterations  " STR_FMT, STR_ARG(shown(a, n, "time")),
		 STR_ARG(shown(a, n, "reason")), passes && passes->kind == NODE_INT ? passes->integer : 0,
		 STR_ARG(shown(a, n, "session")));
	if (tokens && tokens->kind == NODE_INT)
		buf_addf(&b, "  %" PRId64 " tokens", tokens->integer);
	if (cost) {
		/* With cents: the rest is in --json. */
		ptrdiff_t point = str_find_char(cost->text, '.');

		buf_addf(&b, ", $" STR_FMT,
			 STR_ARG(str_sub(cost->text, 0, point < 0 ? cost->text.n : (size_t)point + 3)));
	}
	if (has_project)
		buf_addf(&b, "  " STR_FMT, STR_ARG(shown(a, n, "project")));
	print_outf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	bool is_all = option_has(inv, "all"), is_json = option_has(inv, "json");
	struct str reason = option_str(inv, "reason");
	struct buf json = BUF(a, SIZE_MAX);
	struct project_dirs where;
	struct node *items;
	size_t count, printed = 0;
	struct err err;

	if (loop_journal_read(a, &items, &count, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	ralph_where(a, &where);
	for (size_t i = 0; i < count; i++) {
		if ((!is_all && !is_here(&where, &items[i])) ||
		    (reason.s && !str_eq(reason, node_get_str(&items[i], "reason"))))
			continue;
		if (is_json) {
			buf_add(&json, printed > 0 ? STR(",") : STR(""));
			json_add_node(&json, &items[i]);
		} else {
			print_line(a, &items[i], is_all);
		}
		printed++;
	}
	if (is_json)
		print_outf("[" STR_FMT "]\n", STR_ARG(buf_str(&json)));
	else if (printed == 0)
		print_outf("No Ralph loop has ended %s.\n", is_all ? "yet" : "in this project yet");
	return 0;
}

static const struct option_row options[] = {
	{ .name = "all", .help = "the loops of all projects" },
	{ .name = "reason",
	  .arg_name = "NAME",
	  .help = "those that ended for this reason",
	  .choices = loop_end_names },
	{ .name = "json", .help = "print a JSON array, for scripts" },
};

const struct command ralph_history_command = {
	.name = "history",
	.summary = "list the loops of this project that have ended, and why each did",
	.details = "Oldest first: when the loop ended, the reason, its iterations, its session and, if they "
		   "were "
		   "counted, its tokens and their cost.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
