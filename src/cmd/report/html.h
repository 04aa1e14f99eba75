/* SPDX-License-Identifier: MIT */
/* What the parts of the page share. Only for html.c and html_charts.c. */
#ifndef CMD_REPORT_HTML_H
#define CMD_REPORT_HTML_H

#include "base/buf.h"
#include "cmd/report/facts.h"

struct html {
	struct arena *arena;
	const struct facts *facts;
	struct buf out;
};

/* Text between tags or in a quoted attribute: on one line, without control characters, its markup escaped. */
void html_text(struct html *h, struct str text);
/* Markup of ours, which holds no text from a journal. */
void html_add(struct html *h, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The first letters of a session's id. */
struct str html_session_name(struct arena *a, const struct facts_session *s);

/* ---- html_charts.c ---- */
/* Each session over the time of the report: when it worked, and its commits. */
void html_timeline(struct html *h);
/* How long the iterations of a session took. */
void html_bars(struct html *h, const struct facts_session *s);
/* The results of each gate, stop by stop. */
void html_strips(struct html *h);

#endif
