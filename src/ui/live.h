/* SPDX-License-Identifier: MIT */
/* A view of what is under way, at the bottom of a terminal: redrawn in place, and out of the way of lines that stay.
 * The cursor is always on the line below it, so that a terminal is in order however we end. */
#ifndef UI_LIVE_H
#define UI_LIVE_H

#include "base/base.h"

enum live_state { LIVE_WAITING, LIVE_RUNNING, LIVE_PASSED, LIVE_FAILED, LIVE_ERROR, LIVE_STATES };

struct live_row {
	struct str name;
	enum live_state state;
	int64_t elapsed_ms;
};

struct live_page {
	int width, height; /* of the terminal */
	bool has_colour;
	int64_t elapsed_ms; /* of all of it */
};

/* The view as lines: what runs, each with its time, and how many of each state there are; no line wider and no more
 * lines than the page has. Pure. */
struct str live_render(struct arena *a, const struct live_row *rows, size_t count,
		       const struct live_page *page);

struct live {
	int fd;
	size_t lines;       /* that are on the terminal */
	struct arena arena; /* of the frame */
	struct str frame;   /* what is there; absent: nothing */
};

/* A closed one is empty, and can be used again. */
void live_open(struct live *l, int fd);
void live_draw(struct live *l, const struct live_row *rows, size_t count, int64_t elapsed_ms);
/* Lines that stay, above the view. */
void live_say(struct live *l, struct str text);
/* Takes the view away. */
void live_close(struct live *l);

#endif
