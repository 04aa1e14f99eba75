/* SPDX-License-Identifier: MIT */
/* Reviewers' output: any bytes come to an end; a pass names no violations and is none any more when something speaks
 * against it; a failure always has something to show that no filter takes away; prose around an answer changes nothing.
 * The bytes are taken for a diff, too. */
#include "base/buf.h"
#include "base/utf8.h"
#include "review/answer.h"
#include "review/diff.h"
#include "review/slot.h"
#include "review/decide.h"

#include <stdlib.h>

#define DIFF "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -0,0 +1,3 @@\n+x\n+y\n+z\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check_violations(struct arena *a, const struct answer *x)
{
	struct verify_facts f = { .answer = x, .lines = diff_lines_of(a, STR("")) };
	struct verified all = review_verify(a, &f);

	f.lines = diff_lines_of(a, STR(DIFF));
	f.threshold = STR("high");
	struct verified few = review_verify(a, &f);

	if (x->finding_count == 0 || all.count != x->finding_count ||
	    few.count + few.out_of_scope + few.below_threshold < x->finding_count)
		abort();
	if ((x->is_vague || x->malformed) && few.count == 0)
		abort();
	for (size_t i = 0; i < x->finding_count; i++) {
		const struct finding *v = &x->findings[i];

		if (v->file.n == 0 || v->issue.n == 0 || v->priority.n == 0 || v->status != FINDING_NEW ||
		    (v->line <= 0) != x->is_vague || !utf8_is_valid(v->issue))
			abort();
	}
}

/* What is behind a pass, or before it, can take it back. */
static void
check_pass(struct arena *a, struct str text)
{
	static const struct {
		const char *before, *behind;
	} doubts[] = {
		{ "", "\n{\"status\":\"fail\",\"violations\":[{" },
		{ "", "\n{\"status\":\"fail\",\"violations\":[{\"issue\":\"a \"b\"\"}]}" },
		{ "", "\n{\"file\":\"a\",\"line\":1,\"issue\":\"x\"}" },
		{ "", "\n{\"sta" },
		{ "{\"status\":\"fail\",x}\n", "" },
		{ "{\"file\":\"a\",\"line\":1,\"issue\":\"x\"}\n", "" },
	};

	for (size_t i = 0; i < COUNT_OF(doubts); i++) {
		struct buf b = BUF(a, SIZE_MAX);
		struct answer x;
		struct err err;

		buf_add(&b, str_from(doubts[i].before));
		buf_add(&b, text);
		buf_add(&b, str_from(doubts[i].behind));
		if (answer_parse(a, buf_str(&b), &x, &err) == 0 && x.is_pass)
			abort();
	}
}

static void
check_diff(struct arena *a, struct str diff)
{
	struct gate gate = { .prompt = STR("x") };
	struct answer x;
	struct err err;
	bool is_cut;
	struct str_list left_out;

	for (int has_more = 0; has_more <= 1; has_more++)
		if (diff_cut(a, diff, 100, has_more, &is_cut, &left_out).n > 100 ||
		    is_cut != (has_more || diff.n > 100))
			abort();
	(void)diff_lines_has(diff_lines_of(a, diff), STR("a.c"), 1);
	/* A tool that prints what it was asked has not passed, whatever the change holds. */
	struct str prompt = review_prompt(a, &(struct review_prompt_facts){ .gate = &gate, .diff = diff });

	if (answer_parse(a, prompt, &x, &err) == 0 && x.is_pass)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = { (const char *)data, n };
	struct answer x, again;
	struct err err;

	check_diff(&a, text);
	if (answer_parse(&a, text, &x, &err) < 0)
		return 0;
	if (x.is_pass && (x.finding_count > 0 || x.malformed > 0 || x.is_vague || x.is_cut_off))
		abort();
	if (x.is_pass)
		check_pass(&a, text);
	else
		check_violations(&a, &x);
	struct buf b = BUF(&a, SIZE_MAX);

	buf_add(&b, STR("My review:\n```json\n"));
	buf_add(&b, text);
	if (!x.is_cut_off)
		buf_add(&b, STR("\n```\nThat is all.\n"));
	if (answer_parse(&a, buf_str(&b), &again, &err) < 0 || again.is_pass != x.is_pass ||
	    again.finding_count != x.finding_count)
		abort();
	return 0;
}
