/* SPDX-License-Identifier: MIT */
/* What a run says: to stderr, for people and agents, or to stdout, and without colours into console.N.log. */
#ifndef GATES_CONSOLE_H
#define GATES_CONSOLE_H

#include "record/record.h"
#include "task/runner.h"
#include "model/status.h"

/* A live view at the bottom of the terminal: it shows what runs, and prints lines above itself. */
struct console_view {
	void *context;
	void (*draw)(void *context, const struct gate_result *results, size_t count);
	void (*print)(void *context, struct str lines);
};

struct console {
	struct arena *arena;
	int fd;           /* of console.N.log; -1: none yet, or none any more */
	struct str path;  /* absolute; absent: none yet */
	struct str early; /* what was said before there was a log, which begins with it */
	bool is_silent;   /* the log alone */
	bool has_colour;
	const struct console_view *view; /* may be NULL */
};

void console_init(struct console *c, struct arena *a, bool is_silent, const struct console_view *view);
/* console.<run>.log, or the next number that is free; *run becomes that number. */
int console_open(struct console *c, const struct logdir *d, int64_t *run, struct err *err) MUST_CHECK;
void console_close(struct console *c);

/* One line; the newline is added. Control characters, which could command a terminal, do not get through. */
void console_say(struct console *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same on stdout: what `check` and `review` tell of their progress. */
void console_tell(struct console *c, struct str line);
/* [START], [PASS], [FAIL] and [ERROR] lines as tasks begin and end. */
struct run_watcher console_watcher(struct console *c);
/* RESULTS SUMMARY: what became of earlier failures, the totals and the Status line. */
void console_summary(struct console *c, const struct history_tale *tale, const struct gate_result *results,
		     size_t count, enum status status);

/* The words behind "Status: ". */
struct str summary_word(enum status status, const struct gate_result *results, size_t count);
/* The whole summary as text, with the blank lines around it. */
struct str summary_text(struct arena *a, const struct history_tale *tale, const struct gate_result *results,
			size_t count, enum status status);

#endif
