/* SPDX-License-Identifier: MIT */
/* The console of a run: lines on stderr or stdout, and without colours in console.N.log. */
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
	struct str early; /* lines from before there was a log, which begins with them */
	struct str up;    /* from the current directory to the root, as in "../"; empty: it is the root */
	bool is_native;   /* lines do not name the original's loggers */
	bool is_silent;   /* only the log gets lines */
	bool has_colour;
	const struct console_view *view; /* may be NULL */
};

void console_init(struct console *c, struct arena *a, bool is_silent, const struct console_view *view);
/* console.<run>.log, or the next number that is free; *run becomes that number. */
int console_open(struct console *c, const struct logdir *d, int64_t *run, struct err *err) MUST_CHECK;
void console_close(struct console *c);

/* One line on stderr; the newline is added. Control characters, which could control a terminal, are removed. */
void console_stderr(struct console *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same on stdout: the progress of `check` and `review`. */
void console_stdout(struct console *c, struct str line);
/* Prints [START], [PASS], [FAIL] and [ERROR] lines as tasks begin and end. */
struct run_watcher console_watcher(struct console *c);
/* RESULTS SUMMARY: the earlier failures that were fixed or skipped, the totals and the Status line. */
void console_summary(struct console *c, const struct fix_report *fixes, const struct gate_result *results,
		     size_t count, enum status status);

/* The words after "Status: ". */
struct str summary_word(enum status status, const struct gate_result *results, size_t count);
/* The summary as text, with the blank lines around it. */
struct str summary_text(struct arena *a, const struct fix_report *fixes, const struct gate_result *results,
			size_t count, enum status status);

/* What the user is told about the reviews: what the reviewers were not shown of the change, and what they reported about
 * other lines than those that it adds. */
struct str_list review_notes(struct arena *a, const struct gate_result *results, size_t count);

#endif
