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
	int fd;               /* of console.N.log; -1: none yet, or none any more */
	struct str path;      /* absolute; absent: none yet */
	struct str early;     /* lines from before there was a log, which begins with them */
	struct str up;        /* from the current directory to the root, as in "../"; empty: it is the root */
	bool has_plain_texts; /* see struct dialect */
	bool shows_output;    /* what failed is followed by the lines of its output that matter */
	bool shows_progress;  /* of `check` and `review`, in the original's words */
	bool is_silent;       /* only the log gets lines */
	bool has_colour;
	const struct console_view *view; /* may be NULL */
};

void console_init(struct console *c, struct arena *a, bool is_silent, const struct console_view *view);
/* console.<run>.log, or the next number that is free; *run becomes that number. */
int console_open(struct console *c, const struct logdir *d, int64_t *run, struct err *err) MUST_CHECK;
void console_close(struct console *c);

/* One line on stderr, put together from pieces as by str_cat(); the newline is added. Control characters, which could control a
 * terminal, are removed. */
#define console_line(c, ...) console_log((c), NULL, NULL, str_cat((c)->arena, __VA_ARGS__))
#define console_warn(c, who, ...) console_log((c), "WARNING", (who), str_cat((c)->arena, __VA_ARGS__))
/* With a level, in the original's form `[WARNING][gauntlet.WHO] text`, or in holdfast's own: `warning: text`. */
void console_log(struct console *c, const char *level, const char *who, struct str text);
/* The same on stdout, where progress is shown. */
void console_progress(struct console *c, struct str line);
/* Prints lines as tasks begin and end: [START], [PASS], [FAIL] and [ERROR] in the original's style. */
struct run_watcher console_watcher(struct console *c);
/* What a run came to. */
struct run_summary {
	const struct fix_report *fixes;
	const struct gate_result *results;
	size_t count;
	size_t reused_count; /* gates that did not run, since they passed for the same content */
	enum status status;
};
void console_summary(struct console *c, const struct run_summary *s);

/* The words after "Status: ". */
struct str summary_word(enum status status, const struct gate_result *results, size_t count);
/* RESULTS SUMMARY: the earlier failures that were fixed or skipped, the totals and the Status line, with the blank lines
 * around it. */
struct str summary_text(struct arena *a, const struct run_summary *s);
/* In holdfast's own style: what was not run and why, what the agent skipped, and "5 gates: 3 passed, 2 failed". */
struct str summary_native(struct arena *a, const struct run_summary *s);

/* What a failed gate says: the findings of a review, else the lines of the output that matter. At most `room` bytes. */
struct str result_details(struct arena *a, const struct gate_result *g, size_t room);

/* Some files or findings for a note, each once, and how many more there are. */
struct str name_some(struct arena *a, struct str_list names);
/* What the user is told about the reviews: what the reviewers were not shown of the change, and what they reported about
 * other lines than those that it adds. */
struct str_list review_notes(struct arena *a, const struct gate_result *results, size_t count);
/* Adds to these notes those about the checks: what their fixes changed, and which are flaky. */
void add_check_notes(struct arena *a, const struct gate_result *results, size_t count,
		     struct str_list *notes);

#endif
