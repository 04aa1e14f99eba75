/* SPDX-License-Identifier: MIT */
/* A view of the running gates at the bottom of a terminal. It is redrawn in place, below the lines that stay. The cursor
 * is always on the line below it, so that the terminal is usable however this process ends. */
#ifndef UI_LIVE_H
#define UI_LIVE_H

#include "model/gate_result.h"

struct live_page {
	int width, height; /* of the terminal */
	bool has_colour;
	int64_t started_ms, now_ms; /* on clock_mono_ms() */
};

/* The view as lines: each running gate with its time, and the number of gates by outcome. No line is wider, and there
 * are no more lines, than the page allows. Pure. */
struct str live_render(struct arena *a, const struct gate_result *results, size_t count,
		       const struct live_page *page);

struct live {
	int fd;
	int64_t started_ms;
	size_t lines;       /* that are on the terminal */
	struct arena arena; /* of the frame */
	struct str frame;   /* what is on the terminal; absent: nothing */
};

/* A closed one is empty, and can be used again. */
void live_open(struct live *l, int fd, int64_t started_ms);
void live_draw(struct live *l, const struct gate_result *results, size_t count, int64_t now_ms);
/* Prints lines that stay, above the view. */
void live_print(struct live *l, struct str lines);
/* Erases the view. */
void live_close(struct live *l);

#endif
