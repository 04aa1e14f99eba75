/* SPDX-License-Identifier: MIT */
/* The whole screen of a terminal, drawn by ncurses. Only the process between screen_open() and screen_close() uses it; all
 * others print. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "ui/print.h"

/* A line in several styles. */
#define LINE_SPANS 16
struct styled_text {
	enum style style;
	struct str text;
};
struct styled_line {
	struct styled_text spans[LINE_SPANS];
	size_t count;
	bool is_marked; /* the user has selected it */
};

/* What the user typed: a character, or one of these. */
enum screen_key {
	SCREEN_NO_KEY = -1,
	SCREEN_UP = 1000,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_ENTER,
};

/* Can the terminal of stdin and stdout be used? Notes how it is to be restored. The error names TERM. */
int screen_prepare(struct err *err) MUST_CHECK;
/* Undoes everything that a process that is gone did to the terminal. */
void screen_restore(void);

int screen_open(bool has_colour, struct err *err) MUST_CHECK;
/* The terminal is as it was; screen_resume() draws the screen again. */
void screen_suspend(void);
void screen_resume(void);
void screen_close(void);

/* Takes over the terminal's new size. */
void screen_resize(void);
int screen_width(void);
int screen_height(void);
/* Shows these lines, the first at the top, and nothing below them. What does not fit is cut, and control characters are not shown. */
void screen_show(const struct styled_line *lines, size_t count);
/* The next key; never waits. */
int screen_key(void);

#endif
