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

struct str activity_text(struct arena *a, const struct activity *f, int width, bool has_colour);
struct str activity_json(struct arena *a, const struct activity *f);
/* One page that needs nothing else: share/report.html with the facts. */
struct str activity_html(struct arena *a, const struct activity *f);

#endif
