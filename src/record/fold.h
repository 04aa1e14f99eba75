/* SPDX-License-Identifier: MIT */
/* The parts of the record that its own files share: the fold of the journal's lines (fold.c), their text (lines.c), and the
 * files that the agent edits (review_read.c). */
#ifndef RECORD_FOLD_H
#define RECORD_FOLD_H

#include "record/gatelog.h"
#include "record/record.h"

struct journal_line {
	struct str text;
	bool is_needed; /* what the record says depends on it */
};

struct record_fold {
	struct journal_line *lines; /* as the file has them */
	size_t line_count;
	size_t journal_bytes;
	uint32_t *table; /* of latest, by key: its index + 1, or 0 */
	size_t table_size, latest_capacity;
	size_t *sources; /* of latest: its line + 1, or 0 */
	size_t source_capacity;
	size_t state_source, clear_source;
	struct fix_line *report;
	size_t report_count;
	/* Lines that the next append writes first: of an import, or of what the agent skipped. */
	struct buf pending;
	/* Where the lines and the latest results grow: while they are read, in arenas of their own, so that no array leaves its
	 * smaller copies behind. */
	struct arena *of_lines, *of_latest;
};

/* ---- fold.c ---- */

/* The result of the same gate or slot that is there; NULL: there is none. One whose log did not name its gate is found by
 * its file name. */
struct past_result *fold_find(const struct record *r, const struct past_result *p);
/* Makes `line` the one that *source needs, in place of the one before unless that is still needed. */
void fold_set_source(struct record *r, size_t *source, size_t line, bool keeps_old);
/* `line` is that of the journal, + 1; 0: it is not there yet, or is needed in any case. */
void fold_result(struct record *r, const struct past_result *p, size_t line);
/* The logs were archived, with the state where `with_state`: of each result only the outcome and its key stay. `line` as
 * above. */
void fold_clear(struct record *r, bool with_state, size_t line);
void fold_report_fixed(struct record *r, const struct past_result *p, struct str_list texts);
void fold_report_skipped(struct record *r, const struct past_result *p, const struct finding *v);
struct finding_list past_all_findings(struct arena *a, const struct past_result *p);
/* What the newest result of a slot has fixed of what was open, as texts. A check has one failure, which a pass fixes. */
struct str_list fold_fixed_by(struct record *r, const struct past_result *now);

/* A run has ended, and its results with it. Their keys that are not among these are forgotten. */
void fold_run_end(struct record *r, const struct str_list *keys, int64_t ended_ms);

/* ---- import.c ---- */

/* Adds each result that the logs tell of, those of one gate or slot in the order of their runs. */
void import_logs(struct record *r);
/* Adds failures that older versions kept in .execution_state, for logs that are gone. */
void import_failures(struct record *r);

/* ---- lines.c ---- */

void line_begin(struct buf *b, const char *event);
void line_add_result(struct buf *b, const struct new_result *n, struct str_list fixed);
void line_add_skip(struct buf *b, const struct past_result *p, const struct finding *v);
void line_add_state(struct record *r, struct buf *b, const struct execution_state *s,
		    const struct str_list *keys);
/* Adds what a line says to the fold. */
void fold_read_line(struct record *r, struct arena *scratch, struct str text);

/* ---- review_read.c: the files of a slot: its review file, which the agent edits, and its log ---- */

struct slot_read {
	enum gate_outcome end; /* OUTCOME_WAITING: not known */
	int64_t pass_run;   /* of a slot that was skipped because it had passed in that run; 0: it was not */
	struct str adapter; /* absent: the file does not name it */
	/* Of a failure all of them, of a pass those that were skipped. */
	struct finding *findings;
	size_t count;
	bool is_incomplete;    /* a failure: there may have been more findings than these */
	struct str file_error; /* why the review file can't be used; absent: it can, or there is none */
	struct str_list warnings;
};

/* What can't be read counts as failed, never as passed: a file that the agent breaks or deletes loses nothing as long as
 * the log is there, and what is missing then is known to be missing. Of a slot that the journal knows to have failed, `p` has
 * the ids of what it found; where it has none, the files that it names are all that is known. */
void slot_read(struct arena *a, const struct logdir *logs, const struct past_result *p,
	       struct slot_read *ret);

/* ---- record.c ---- */

/* Takes over what the files of its slot say. */
void past_take_findings(struct arena *a, struct past_result *r, const struct slot_read *read);
void record_import(struct record *r, const struct past_result *imported);

#endif
