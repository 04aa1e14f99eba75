/* SPDX-License-Identifier: MIT */
/* The reason of a block by the gates. Pure: everything in it comes from the result of the run. */
#include "policy/policies.h"

#include "base/capture.h"
#include "client/shell_words.h"
#include "gates/console.h"
#include "policy/reason_how_to_fix.h"

/* The room for the failed gates; the rest of the text is fixed except for a path. */
#define GATES_BYTES 5500
#define LEAST_LINES_BYTES 200
#define COMMAND_BYTES 300

#define HINT_BYTES 500

/* In agent-gauntlet's words. */
static struct str
markdown_heading(struct arena *a, const struct run_result *r, const struct gate_result *g)
{
	const char *title;
	struct str file = gate_result_file(g, &title), line = STR("");

	if (file.s)
		line = str_cat(a, "  ", title, ": `", path_join(a, r->log_dir, path_base(file)), "`\n");
	return str_cat(a, "\n- ", g->kind == GATE_REVIEW ? "Review" : "Check", " `", gate_result_name(a, g),
		       "`: ", strip_escapes_line(a, g->message), "\n", line);
}

static struct str
heading_of(struct arena *a, const struct run_result *r, const struct gate_result *g, struct str root)
{
	struct buf b = BUF(a, SIZE_MAX);
	const char *title;
	struct str file = gate_result_file(g, &title);

	buf_cat(&b, "\n", g->gate);
	if (g->reviewer.s)
		buf_cat(&b, " ", gate_result_label(a, g));
	buf_cat(&b, ": ", strip_escapes_line(a, g->message), "\n");
	if (g->command.s)
		buf_cat(&b, "  command: ", excerpt(a, strip_escapes_line(a, g->command), COMMAND_BYTES),
			"\n");
	if (g->kind == GATE_CHECK)
		buf_cat(&b, "  directory: ",
			strip_escapes_line(a, str_is(g->dir, ".") ? root : path_from(a, root, g->dir)), "\n");
	if (file.s)
		buf_cat(&b, "  ", g->json_path.s && str_eq(file, g->json_path) ? "findings" : "log", ": ",
			path_join(a, r->log_dir, path_base(file)), "\n");
	if (str_trim(g->hint).n > 0)
		buf_cat(&b, "  hint: ", excerpt(a, strip_escapes_line(a, str_trim(g->hint)), HINT_BYTES),
			"\n");
	if (g->changed.count > 0)
		buf_cat(&b, "  changed by its fix: ", name_some(a, g->changed), "\n");
	if (g->kind == GATE_CHECK)
		buf_cat(&b, "  this gate alone: holdfast run ",
			shell_quote(a, strip_escapes_line(a, g->gate)), "\n");
	return buf_str(&b);
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

/* The lines that say why. Indented as deep as a code block they need no fence. */
static void
add_lines(struct buf *out, const struct gate_result *g, bool is_fenced, size_t room)
{
	struct str lines = room < LEAST_LINES_BYTES ? STR("") : result_details(out->arena, g, room);
	const char *indent = is_fenced ? "  " : "    ";

	if (lines.n == 0)
		return;
	struct str fence = is_fenced ? str_cat(out->arena, indent, fence_for(out->arena, lines), "\n")
				     : STR("");

	buf_add(out, fence);
	buf_lines(out, indent, lines);
	buf_add(out, fence);
}

static void
add_failures(struct buf *out, const struct run_result *r, const struct reason_facts *facts, size_t to_show)
{
	size_t end = out->n + GATES_BYTES;
	bool is_markdown = facts->is_gauntlet;

	if (to_show > 0 && is_markdown)
		buf_cat(out, "\n**Failed gates:**\n");
	for (size_t i = 0; to_show > 0; i++) {
		const struct gate_result *g = &r->results[i];

		if (g->outcome != OUTCOME_FAIL && g->outcome != OUTCOME_ERROR)
			continue;
		struct str heading = is_markdown ? markdown_heading(out->arena, r, g)
						 : heading_of(out->arena, r, g, facts->root);
		size_t left = end > out->n ? end - out->n : 0, share = left / to_show;

		if (left < heading.n) {
			buf_cat(out, is_markdown ? "\n- and " : "\nand ", to_show,
				is_markdown ? " more: see the console log\n"
					    : " more: `holdfast status` names them\n");
			return;
		}
		buf_add(out, heading);
		add_lines(out, g, is_markdown, share > heading.n ? share - heading.n : 0);
		to_show--;
	}
}

static struct str
gauntlet_reason(struct arena *a, const struct run_result *r, const struct reason_facts *f, size_t count)
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
	struct buf out = BUF(a, REASON_LIMIT_BYTES);

	buf_cat(&out, head);
	buf_cat(&out, f->reverifies ? verified : not_verified);
	if (r->console_log_path.s)
		buf_cat(&out, "\n**Console log:** `", r->console_log_path,
			"`\nRead this file for full execution output.\n");
	add_failures(&out, r, f, count);
	buf_cat(&out, REASON_HOW_TO_FIX);
	return buf_str(&out);
}

struct str
gates_reason(struct arena *a, const struct run_result *r, const struct reason_facts *f)
{
	struct buf out = BUF(a, REASON_LIMIT_BYTES);
	size_t count = gate_results_count(r->results, r->result_count, OUTCOME_FAIL) +
		       gate_results_count(r->results, r->result_count, OUTCOME_ERROR);
	bool has_findings = false;

	if (f->is_gauntlet)
		return gauntlet_reason(a, r, f, count);
	for (size_t i = 0; i < r->result_count; i++)
		has_findings |= r->results[i].outcome == OUTCOME_FAIL && r->results[i].json_path.s;
	if (count == 1)
		buf_cat(&out, "A gate of this project failed. Fix it");
	else
		buf_cat(&out, count, " gates of this project failed. Fix them");
	/* stop_hook_active lets the next stop pass, as agent-gauntlet's specification demands. */
	buf_add(&out, f->reverifies ? STR("; holdfast runs the gates again when you stop.\n")
				    : STR(" before you stop: the stop after this one is not checked, because "
					  "`stop_hook.reverify` is not set.\n"));
	add_failures(&out, r, f, count);
	if (has_findings)
		buf_cat(&out, "\nFor each finding, fix the code and set \"status\": \"fixed\" in the file of "
			      "findings. Skip one that is a matter of taste or out of scope: set \"status\": "
			      "\"skipped\" and say why in \"result\". Change nothing else in the file.\n");
	return buf_str(&out);
}
