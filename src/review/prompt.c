/* SPDX-License-Identifier: MIT */
/* Composes the prompt of a review. Quotes foreign text (the diff, earlier findings) so that it cannot pass for ours: the
 * diff between two marks that it does not contain, everything else on single lines. */
#include "review/review_rules.h"
#include "review/slot.h"

#include <inttypes.h>

/* For findings, hidden files and our own text around them. */
#define FRAME_BYTES KIB(8)

/* ---- a rerun ---- */

static void
add_detail(struct arena *a, struct buf *b, struct str title, struct str text)
{
	text = str_trim(text);
	if (text.n == 0)
		return;
	buf_cat(b, title, strip_escapes_line(a, text), "\n");
}

/* The findings that the agent marked as fixed, or those that it did not mark; the title only where there are any. */
static size_t
add_list(struct arena *a, struct buf *b, const struct review_prompt_facts *f, bool is_fixed, struct str title)
{
	size_t count = 0;

	for_each (v, f->previous.items, f->previous.count) {
		if (v->status != (is_fixed ? FINDING_FIXED : FINDING_NEW))
			continue;
		if (count == 0)
			buf_add(b, title);
		buf_cat(b, ++count, ". ", strip_escapes_line(a, v->file), ":",
			v->line > 0 ? str_cat(a, v->line) : STR("?"), " - ", strip_escapes_line(a, v->issue),
			"\n");
		add_detail(a, b, STR("   Suggested fix: "), v->fix);
		add_detail(a, b, STR("   Agent result: "), v->result);
		buf_addc(b, '\n');
	}
	return count;
}

#define RULE "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n"

static void
add_rerun(struct arena *a, struct buf *b, const struct review_prompt_facts *f)
{
	struct strset files = strset_new(a, f->previous.count);
	const char *separator = "";

	buf_add(b,
		STR(RULE "RERUN: VERIFY ONLY\n" RULE
			 "You have reviewed this change before. Now check whether its findings are fixed.\n\n"
			 "PREVIOUS VIOLATIONS TO VERIFY (the agent says that these are fixed):\n\n"));
	if (add_list(a, b, f, true, STR("")) == 0)
		buf_add(b, STR("(None was marked as fixed.)\n\n"));
	(void)add_list(a, b, f, false, STR("UNADDRESSED VIOLATIONS (these were not marked as fixed):\n\n"));
	buf_add(b,
		STR("RULES OF THE RERUN:\n"
		    "- Look at the code for each violation to verify; the agent's own statement proves "
		    "nothing.\n"
		    "- Report each one that is not fixed again, with its file, its line as it is now, and "
		    "its issue.\n"
		    "- Report each unaddressed violation again unless the code no longer has it.\n"
		    "- Report a new problem only if one of the fixes caused it, and only in these files: "));
	/* Each file once, in the order of the findings. */
	for_each (v, f->previous.items, f->previous.count) {
		if (v->status == FINDING_SKIPPED || !strset_add(&files, v->file.s ? v->file : STR("")))
			continue;
		buf_cat(b, separator, strip_escapes_line(a, v->file));
		separator = ", ";
	}
	buf_add(b, STR("\n- Answer pass only if everything above is resolved.\n" RULE));
}

#define NOT_SHOWN_MAX 100

struct str
review_prompt(struct arena *a, const struct review_prompt_facts *f)
{
	/* Nothing else is allocated next to the buffer, so that it grows in place. */
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf b = BUF(a, SIZE_MAX);
	const struct str_list *hidden = &f->not_shown;

	buf_reserve(&b, f->gate->prompt.n + sizeof(REVIEW_RULES) + f->diff.n + FRAME_BYTES);
	buf_add(&b, f->gate->prompt);
	if (f->previous.count > 0) {
		buf_add(&b, STR("\n\n"));
		add_rerun(&scratch, &b, f);
	}
	/* The forms of an answer in them are deliberately not valid JSON, so that a tool that prints the prompt has not answered. */
	buf_cat(&b, "\n" REVIEW_RULES);
	if (hidden->count > 0)
		buf_cat(&b, "\nNOT SHOWN\nThese have changed, too, but the diff does not show how. Read them "
			    "if your "
			    "tools can:\n");
	for (size_t i = 0; i < hidden->count && i < NOT_SHOWN_MAX; i++)
		buf_cat(&b, "- ", hidden->items[i], "\n");
	if (hidden->count > NOT_SHOWN_MAX)
		buf_cat(&b, "- and ", hidden->count - NOT_SHOWN_MAX, " more\n");
	/* The diff lies between two marks that are not in it. They depend on every byte of the diff, so that a diff cannot be
	 * written to contain them; should one contain them all the same, the next mark is tried. */
	uint64_t hash = str_hash(STR_HASH_START, f->diff);
	struct str mark;

	do {
		mark = str_fmt(&scratch, "%016" PRIx64, hash);
		hash = (hash ^ hash >> 29) * 0x9E3779B97F4A7C15u + 1;
	} while (str_find(f->diff, mark) >= 0);

	buf_cat(&b, "\nThe diff begins after the line [begin ", mark, "] and ends before the line [end ",
		mark, "].\n\n\n--- DIFF ---\n[begin ", mark, "]\n", f->diff);
	if (!str_ends(f->diff, STR("\n")))
		buf_addc(&b, '\n');
	buf_cat(&b, "[end ", mark, "]\n\nNow answer with the one JSON object.\n");
	return buf_str(&b);
}
