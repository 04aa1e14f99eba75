/* SPDX-License-Identifier: MIT */
/* The parts of `holdfast watch`. What it shows, on a screen or as text, is made from facts alone, without clock, terminal or file. */
#ifndef CMD_WATCH_WATCH_H
#define CMD_WATCH_WATCH_H

#include "overview/overview.h"
#include "ui/screen.h"

#include <sys/types.h>

/* ---- view.c, page.c: from facts to lines ---- */

enum row_kind { ROW_TEXT, ROW_LOOP, ROW_GATE, ROW_SESSION };

/* A line, and what it is about: the user selects loops, gates and sessions. */
struct view_row {
	struct styled_line line;
	enum row_kind kind;
	struct str id;   /* a loop's path, a gate's name, a session's id */
	struct str root; /* of its project */
};
struct view_rows {
	struct view_row *items;
	size_t count, capacity;
};

/* All rows, none wider than `width` columns. */
void view_rows(struct arena *a, const struct overviews *f, size_t width, struct view_rows *ret);

/* What stays the same for the user while rows come and go: the selected thing. */
struct view_choice {
	enum row_kind kind;
	struct str id, root; /* of its row; absent: nothing is selected */
	size_t row;          /* where it was last */
};
/* The row of the choice; where that is gone, the nearest that can be selected. rows->count: there is none. */
size_t view_find(const struct view_rows *rows, const struct view_choice *c);
/* The choice that this row is; its texts are the facts'. */
struct view_choice view_choice_of(const struct view_rows *rows, size_t row);
/* `by` rows that can be selected further down, or up if negative; stops at the ends. */
size_t view_move(const struct view_rows *rows, size_t row, int by);

struct view_page {
	size_t width, height;
	struct str title;   /* the project, or that all are shown */
	struct str clock;   /* the time of day */
	struct str message; /* an answer to the last key, or a question; absent: none */
	size_t selected;    /* a row; at least the number of rows: none */
	size_t top;         /* the first row that is shown */
	bool has_help;      /* explains the keys in place of the rows */
};
/* The screen: exactly `height` lines. Moves page->top so that the selected row is visible. */
void view_screen(struct arena *a, const struct overviews *f, const struct view_rows *rows,
		 struct view_page *page, struct styled_line *ret);

/* 4.2 s, 42 s, 3 min 05 s, 2 h 10 min */
struct str view_time(struct arena *a, int64_t ms);

/* The rows as text. */
struct str view_text(struct arena *a, const struct view_rows *rows, bool has_colour);
/* The facts for scripts. */
struct str view_json(struct arena *a, const struct overviews *f);

/* ---- act.c: what the keys do; each answers with a line for the user ---- */

/* Pauses the loop of this file, continues or cancels it. */
enum act { ACT_PAUSE, ACT_RESUME, ACT_CANCEL };
struct str act_on_loop(struct arena *a, struct str path, enum act what);

/* A run of a gate in the background. It is a run like any other, and does not end with us. */
struct act_run {
	pid_t pid; /* 0: none */
	int fd;    /* of what it prints */
	char gate[64];
};
struct str act_run_gate(struct arena *a, const struct overview *p, struct str gate, struct act_run *ret);
/* Absent: it has not ended. */
struct str act_run_ended(struct arena *a, struct act_run *r);

/* Shows a file, or the decisions of a session, with $PAGER on the terminal, as job_run() does. Absent: that went well. */
struct str act_page_file(struct arena *a, struct str path, int signals);
struct str act_page_session(struct arena *a, struct str root, struct str session, int signals);

/* ---- statusline.c ---- */

/* What a session should know about its project: its loop, the gates, what the next stop will do. Empty: nothing is
 * configured. Pure. */
struct str statusline_text(struct arena *a, const struct overview *p, struct str session, int64_t now_us,
			   bool has_colour);

#endif
