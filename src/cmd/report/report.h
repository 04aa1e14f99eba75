/* SPDX-License-Identifier: MIT */
/* How the activity of a span of time is shown: as text, as JSON, as a page for a browser. */
#ifndef CMD_REPORT_REPORT_H
#define CMD_REPORT_REPORT_H

#include "overview/activity.h"

/* ---- text.c: facts as words, pure ---- */
/* 850 ms, 12.3 s, 4 min 05 s, 2 h 07 min; "-" if it is not known */
struct str words_span(struct arena *a, int64_t ms);
/* 950, 12.3k, 1.2M */
struct str words_tokens(struct arena *a, int64_t tokens);
/* "1 commit", "2 commits" */
struct str words_count(struct arena *a, size_t count, const char *one, const char *several);
/* A sentence for the reason of a loop, empty for an unknown one; and whether a loop ends so that has done its work. */
struct str words_reason(struct str reason, bool *ret_is_good);
/* `"reasons":{`REASON`:{"sentence":`...`,"good":`...`}}`: the table of reasons, for the page. */
void words_add_reasons(struct buf *b);

/* ---- the report, which may be longer than memory should hold ---- */

struct report {
	const struct activity *facts;
	int fd;
	struct arena arena; /* of what has not been written */
	struct buf text;
	bool is_html;
	bool has_failed;
	struct err *err;
};

static inline struct report
report_new(const struct activity *f, int fd, struct err *err)
{
	return (struct report){ .facts = f, .fd = fd, .err = err, .text.limit = SIZE_MAX };
}
/* Writes what there is if it is much, and frees what it took: after each part of a report. */
void report_pass(struct report *r);

/* Each writes to the descriptor. */
int activity_text(const struct activity *f, int fd, int width, bool has_colour, struct err *err) MUST_CHECK;
int activity_json(const struct activity *f, int fd, struct err *err) MUST_CHECK;
/* One page that needs nothing else: share/report.html with the facts. */
int activity_html(const struct activity *f, int fd, struct err *err) MUST_CHECK;
/* Writes the rest. */
int report_end(struct report *r) MUST_CHECK;

#endif
