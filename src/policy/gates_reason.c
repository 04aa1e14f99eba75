/* SPDX-License-Identifier: MIT */
/* The reason of a block by the gates. Pure: everything in it comes from the result of the run. */
#include "policy/gates.h"

#include "base/buf.h"
#include "base/capture.h"
#include "base/path.h"
#include "base/escapes.h"
#include "client/shell_words.h"
#include "gates/console.h"

/* The room for the failed gates; the rest of the text is fixed except for a path. */
#define GATES_BYTES 5500
#define LEAST_LINES_BYTES 200
#define COMMAND_BYTES 300

#define HINT_BYTES 500

/* One failed gate as it is shown. */
struct failure {
	const struct gate_result *result;
	struct str heading;
	const char *indent; /* of the details */
	bool is_fenced;
};

/* In agent-gauntlet's words. */
static struct failure
gauntlet_failure_of(struct arena *a, const struct run_result *r, const struct gate_result *g)
{
	struct buf b = BUF(a, SIZE_MAX);
	const char *title;
	struct str file = gate_result_file(g, &title);

	buf_addf(&b, "\n- %s `" STR_FMT "`: " STR_FMT "\n", g->kind == GATE_REVIEW ? "Review" : "Check",
		 STR_ARG(gate_result_name(a, g)), STR_ARG(strip_escapes_line(a, g->message)));
	if (file.s)
		buf_addf(&b, "  %s: `" STR_FMT "`\n", title,
			 STR_ARG(path_join(a, r->log_dir, path_base(file))));
	return (struct failure){ g, buf_str(&b), .indent = "  ", .is_fenced = true };
}

/* Where a check ran. */
static struct str
directory_of(struct arena *a, struct str root, const struct gate_result *g)
{
	return strip_escapes_line(a, str_is(g->dir, ".") ? root : path_from(a, root, g->dir));
}

/* The output is indented and needs no fence. */
static struct failure
failure_of(struct arena *a, const struct run_result *r, const struct gate_result *g, struct str root)
{
	struct buf b = BUF(a, SIZE_MAX);
	const char *title;
	struct str file = gate_result_file(g, &title);

	buf_addf(&b, "\n" STR_FMT, STR_ARG(g->gate));
	if (g->reviewer.s)
		buf_addf(&b, " " STR_FMT, STR_ARG(gate_result_label(a, g)));
	buf_addf(&b, ": " STR_FMT "\n", STR_ARG(strip_escapes_line(a, g->message)));
	if (g->command.s)
		buf_addf(&b, "  command: " STR_FMT "\n",
			 STR_ARG(excerpt(a, strip_escapes_line(a, g->command), COMMAND_BYTES)));
	if (g->kind == GATE_CHECK)
		buf_addf(&b, "  directory: " STR_FMT "\n", STR_ARG(directory_of(a, root, g)));
	if (file.s)
		buf_addf(&b, "  %s: " STR_FMT "\n",
			 g->json_path.s && str_eq(file, g->json_path) ? "findings" : "log",
			 STR_ARG(path_join(a, r->log_dir, path_base(file))));
	if (str_trim(g->hint).n > 0)
		buf_addf(&b, "  hint: " STR_FMT "\n",
			 STR_ARG(excerpt(a, strip_escapes_line(a, str_trim(g->hint)), HINT_BYTES)));
	if (g->changed.count > 0)
		buf_addf(&b, "  changed by its fix: " STR_FMT "\n", STR_ARG(changed_files(a, g)));
	if (g->kind == GATE_CHECK)
		buf_addf(&b, "  this gate alone: holdfast run " STR_FMT "\n",
			 STR_ARG(shell_quote(a, strip_escapes_line(a, g->gate))));
	return (struct failure){ g, buf_str(&b), .indent = "    " };
}

/* Longer than any row of backticks in the text, so that no line of it ends the block. */
static struct str
fence_for(struct arena *a, struct str text)
{
	struct buf fence = BUF(a, SIZE_MAX);
	size_t longest = 2, row = 0;

	for (size_t i = 0; i < text.n; i++) {
		row = text.s[i] == '`' ? row + 1 : 0;
		longest = row > longest ? row : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		buf_addc(&fence, '`');
	return buf_str(&fence);
}

static void
add_failure(struct buf *out, const struct failure *f, size_t room)
{
	buf_add(out, f->heading);
	if (room < LEAST_LINES_BYTES)
		return;
	struct str lines = result_details(out->arena, f->result, room), line;

	if (lines.n == 0)
		return;
	struct str fence = f->is_fenced ? fence_for(out->arena, lines) : STR_NONE;

	if (fence.s)
		buf_addf(out, "%s" STR_FMT "\n", f->indent, STR_ARG(fence));
	while (str_next(&lines, '\n', &line))
		buf_addf(out, "%s" STR_FMT "\n", f->indent, STR_ARG(line));
	if (fence.s)
		buf_addf(out, "%s" STR_FMT "\n", f->indent, STR_ARG(fence));
}

static void
add_failures(struct buf *out, const struct run_result *r, const struct reason_facts *facts)
{
	size_t end = out->n + GATES_BYTES;
	size_t to_show = gate_results_count(r->results, r->result_count, OUTCOME_FAIL) +
			 gate_results_count(r->results, r->result_count, OUTCOME_ERROR);

	if (to_show > 0 && facts->is_gauntlet)
		buf_add(out, STR("\n**Failed gates:**\n"));
	for (size_t i = 0; to_show > 0; i++) {
		const struct gate_result *g = &r->results[i];

		if (g->outcome != OUTCOME_FAIL && g->outcome != OUTCOME_ERROR)
			continue;
		struct failure f = facts->is_gauntlet ? gauntlet_failure_of(out->arena, r, g)
						      : failure_of(out->arena, r, g, facts->root);
		size_t left = end > out->n ? end - out->n : 0, share = left / to_show;

		if (left < f.heading.n) {
			buf_addf(out,
				 facts->is_gauntlet ? "\n- and %zu more: see the console log\n"
						    : "\nand %zu more: `holdfast status` names them\n",
				 to_show);
			return;
		}
		add_failure(out, &f, share > f.heading.n ? share - f.heading.n : 0);
		to_show--;
	}
}

static struct str
gauntlet_reason(struct arena *a, const struct run_result *r, const struct reason_facts *f)
{
	static const char head[] = "# GAUNTLET FAILED: YOU MUST FIX ISSUES NOW\n"
				   "\n"
				   "You cannot stop until the gauntlet passes. ";
	static const char verified[] =
		"Fix what is wrong, then stop: the stop hook will automatically re-run the gates to verify "
		"your fixes.\n";
	static const char not_verified[] =
		"Fix what is wrong before you stop: the stop after this one is not checked, because "
		"`stop_hook.reverify` is not set.\n";
	static const char rest[] =
		"\n"
		"**Review trust level: medium.** Fix issues you reasonably agree with, and those that "
		"concern correctness or security. Skip issues that are purely stylistic, subjective or out "
		"of "
		"scope.\n"
		"\n"
		"**How to fix:**\n"
		"1. Find the failed gates above or in the console output.\n"
		"2. For CHECK failures, read the `.log` file named above and fix the code.\n"
		"3. For REVIEW violations, read the `.json` file named after `Review: `. For each violation, "
		"fix the code and set `\"status\": \"fixed\"`, or set `\"status\": \"skipped\"`; say briefly "
		"in "
		"`\"result\"` what you did, or why you did nothing. Change nothing else in the file.\n"
		"\n"
		"**Termination conditions:** it ends with\n"
		"- \"Status: Passed\": all gates passed.\n"
		"- \"Status: Passed with warnings\": all gates passed, and some issues were skipped.\n"
		"- \"Status: Retry limit exceeded\": there were too many attempts.\n";
	struct buf out = BUF(a, REASON_LIMIT_BYTES);

	buf_add(&out, str_from(head));
	buf_add(&out, str_from(f->reverifies ? verified : not_verified));
	if (r->console_log_path.s)
		buf_addf(&out,
			 "\n**Console log:** `" STR_FMT "`\nRead this file for full execution output.\n",
			 STR_ARG(r->console_log_path));
	add_failures(&out, r, f);
	buf_add(&out, str_from(rest));
	return buf_str(&out);
}

static bool
has_findings(const struct run_result *r)
{
	for (size_t i = 0; i < r->result_count; i++)
		if (r->results[i].outcome == OUTCOME_FAIL && r->results[i].json_path.s)
			return true;
	return false;
}

struct str
gates_reason(struct arena *a, const struct run_result *r, const struct reason_facts *f)
{
	struct buf out = BUF(a, REASON_LIMIT_BYTES);
	size_t count = gate_results_count(r->results, r->result_count, OUTCOME_FAIL) +
		       gate_results_count(r->results, r->result_count, OUTCOME_ERROR);

	if (f->is_gauntlet)
		return gauntlet_reason(a, r, f);
	if (count == 1)
		buf_add(&out, STR("A gate of this project failed. Fix it"));
	else
		buf_addf(&out, "%zu gates of this project failed. Fix them", count);
	/* stop_hook_active lets the next stop pass, as agent-gauntlet's specification demands. */
	buf_add(&out, f->reverifies ? STR("; holdfast runs the gates again when you stop.\n")
				    : STR(" before you stop: the stop after this one is not checked, because "
					  "`stop_hook.reverify` is not set.\n"));
	add_failures(&out, r, f);
	if (has_findings(r))
		buf_add(&out,
			STR("\nFor each finding, fix the code and set \"status\": \"fixed\" in the file of "
			    "findings. Skip one that is a matter of taste or out of scope: set \"status\": "
			    "\"skipped\" and say why in \"result\". Change nothing else in the file.\n"));
	return buf_str(&out);
}
