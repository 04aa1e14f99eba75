/* SPDX-License-Identifier: MIT */
/* The text of a block by the gates. Pure: everything in it comes from the run's result. */
#include "policy/gauntlet_reason.h"

#include "base/buf.h"
#include "base/excerpt.h"

/* The room for the gates' own lines; the rest of the text is fixed but for two paths. */
#define GATES_BYTES 5500
#define LEAST_LINES_BYTES 200

static void
add_gate(struct buf *out, const struct failed_gate *g, size_t room)
{
	bool is_review = str_starts(g->id, STR("review:"));

	buf_addf(out, "\n- %s `" STR_FMT "`: " STR_FMT "\n  %s: `" STR_FMT "`\n",
		 is_review ? "Review" : "Check", STR_ARG(g->id), STR_ARG(g->message),
		 g->has_findings ? "Review" : "Log", STR_ARG(g->log_path));
	if (g->last_lines.n == 0 || room < LEAST_LINES_BYTES)
		return;
	struct str lines = excerpt(out->arena, g->last_lines, room), line;

	buf_add(out, STR("  ```\n"));
	while (str_next(&lines, '\n', &line))
		buf_addf(out, "  " STR_FMT "\n", STR_ARG(line));
	buf_add(out, STR("  ```\n"));
}

static void
add_gates(struct buf *out, const struct run_result *r)
{
	size_t end = out->n + GATES_BYTES;

	buf_add(out, STR("\n**Failed gates:**\n"));
	for (size_t i = 0; i < r->failed_count; i++) {
		const struct failed_gate *g = &r->failed[i];
		size_t heading = g->id.n + g->message.n + g->log_path.n + 40;
		size_t left = end > out->n ? end - out->n : 0, gates = r->failed_count - i;

		if (left < heading) {
			buf_addf(out, "\n- and %zu more: see the console log\n", gates);
			return;
		}
		add_gate(out, g, left / gates > heading ? left / gates - heading : 0);
	}
}

struct str
gauntlet_reason(struct arena *a, const struct run_result *r)
{
	struct buf out = BUF(a, REASON_LIMIT_BYTES);

	buf_add(&out, STR("# GAUNTLET FAILED: YOU MUST FIX ISSUES NOW\n\n"
			  "You cannot stop until the gauntlet passes. Fix what is wrong, then stop: the stop "
			  "hook will "
			  "automatically re-run the gates to verify your fixes.\n"));
	if (r->console_log_path.s)
		buf_addf(&out,
			 "\n**Console log:** `" STR_FMT "`\nRead this file for full execution output.\n",
			 STR_ARG(r->console_log_path));
	if (r->failed_count > 0)
		add_gates(&out, r);
	buf_add(&out,
		STR("\n**Review trust level: medium.** Fix issues you reasonably agree with, and those that "
		    "concern "
		    "correctness or security. Skip issues that are purely stylistic, subjective or out of "
		    "scope.\n"
		    "\n**How to fix:**\n"
		    "1. Find the failed gates above or in the console output.\n"
		    "2. For CHECK failures, read the `.log` file that is named and fix the code.\n"
		    "3. For REVIEW violations, read the `.json` file that is named behind `Review: `. For "
		    "each violation, "
		    "fix the code and set `\"status\": \"fixed\"`, or set `\"status\": \"skipped\"`; put a "
		    "short account of what "
		    "you did, or why you did not, into `\"result\"`. Change nothing else in the file.\n"
		    "\n**Termination conditions:** it ends with\n"
		    "- \"Status: Passed\": all gates passed.\n"
		    "- \"Status: Passed with warnings\": all gates passed, and some issues were skipped.\n"
		    "- \"Status: Retry limit exceeded\": there were too many attempts; `agent-gauntlet "
		    "clean`, or `holdfast clean`, archives the logs so that work can go on.\n"));
	return buf_str(&out);
}
