/* SPDX-License-Identifier: MIT */
/* The log of one gate, written as output arrives, in the format of agent-gauntlet: entries of a time and a text. */
#ifndef RECORD_GATELOG_H
#define RECORD_GATELOG_H

#include "base/capture.h"
#include "record/logdir.h"

struct gatelog {
	int fd;          /* -1: it could not be opened, or is closed */
	struct str path; /* as shown: below the log directory as configured */
	bool is_at_line_start;
	bool is_in_output; /* the entry that output goes to is open */
	uint64_t written;  /* of output */
	uint64_t limit;    /* from here on only the end is kept */
	struct capture tail;
	struct arena *arena;
};

/* <log dir>/<part>.<run>.log; never an existing file. */
int gatelog_open(struct arena *a, const struct logdir *d, struct str part, int64_t run, struct gatelog *ret,
		 struct err *err) MUST_CHECK;
/* One entry: the time, the text, and a newline where the text has none at its end. A log that can't be written is
 * given up silently: the gate's outcome does not depend on it. */
void gatelog_entry(struct gatelog *l, struct str text);
/* The same, put together from pieces as by str_cat(). */
#define gatelog_add(l, ...) ((l)->fd < 0 ? (void)0 : gatelog_entry((l), str_cat((l)->arena, __VA_ARGS__)))
/* Output of the gate as it arrives, any bytes, all in one entry. From GATE_LOG_LIMIT_BYTES on only the end is kept;
 * the next entry, or gatelog_close(), writes it after a line that says how much is missing. */
void gatelog_output(struct gatelog *l, struct str bytes);
void gatelog_close(struct gatelog *l);

/* The text after the time that an entry begins with; absent: the line does not begin an entry. */
struct str gatelog_entry_text(struct str line);

/* The end of a log: its last bytes, at most `limit`. Empty where it can't be read. */
struct str log_read_tail(struct arena *a, const char *path, size_t limit, bool *ret_is_cut);
/* The same of its beginning. */
struct str log_read_head(struct arena *a, const char *path, size_t limit);

/* How a gate ended, by the word that the text begins with: pass, fail or error; else OUTCOME_WAITING, as it is not known. */
enum gate_outcome log_end_parse(struct str text);
/* The same of the last `Result: ...` in the text. Of a log that was not written entry by entry, any line may be one. */
enum gate_outcome log_last_result(struct str text, bool has_entries);

#endif
