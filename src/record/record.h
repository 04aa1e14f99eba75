/* SPDX-License-Identifier: MIT */
/* What is known about earlier runs of a project: the fold of its journal. Every gate that ends adds a line, so that a
 * run that is killed has recorded all that it found. Logs are read only by the import (import.c), review files only
 * because the agent marks findings in them (review_read.h). */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "model/finding.h"
#include "record/journal.h"
#include "record/state.h"

/* The newest result of a gate, or of a slot of a review. A result that the gate could not be run leaves a failure before it
 * as it was. */
struct past_result {
	enum gate_kind kind;
	enum gate_outcome outcome;
	struct str name,
		place; /* place: the directory of a check, the entry point of a review; absent: not known */
	struct str file_part; /* of the job: check_src_lint */
	int64_t slot;         /* 0: a check, or a review without slots */
	struct str adapter;   /* the reviewer of a slot */
	int64_t run;
	int64_t pass_run;            /* in which it passed; 0: it did not */
	struct str file, log;        /* names in the log directory; absent: none */
	struct str_list finding_ids; /* of a slot that failed */
	struct str key;        /* of the definition and the content that it is about; absent: not known */
	struct str definition; /* the digest of the gate's definition then; absent: not known */
	struct str
		base; /* the commit that the change was compared with, of a failed review when it first failed; absent: not known */
	struct str program; /* that a check started with when it last ran; absent: not known */
	int64_t ended_ms;   /* when its run ended, on the real clock; 0: it has not, or was killed */
	/* Of a failure, once record_read_findings() has read them; a failed check has one. */
	struct finding_list open;    /* that are new or fixed */
	struct finding_list skipped; /* by the agent, with a reason */
	struct str file_error;       /* why its review file can't be used; absent: it can */
	struct str_list warnings;    /* about its review file */
	const struct past_result
		*failure; /* that this pass ends once its key is confirmed; NULL: there was none */
	/* Flags together: thousands of old results are kept in memory. */
	bool is_incomplete; /* there may have been more findings than these: the review has to start over */
	bool is_read;       /* the findings have been read */
	bool is_unconfirmed; /* the run has not said yet that the content stayed as it was: the key does not count */
	bool is_archived; /* its logs are: it says only whether the gate passed, and for which key */
};
struct past_results {
	struct past_result *items; /* in the order in which they were first recorded */
	size_t count;
};
static inline bool
past_is_failure(const struct past_result *r)
{
	return r->outcome == OUTCOME_FAIL || r->failure;
}
/* Gates that have failed, what is open about them, and what was skipped, of all gates. */
size_t past_failures(const struct past_results *p);
size_t past_violations(const struct past_results *p);
size_t past_skipped(const struct past_results *p);

/* What became of each run's failures, for the summary. */
struct fix_line {
	int64_t run;
	bool is_skip;      /* else fixed */
	struct str text;   /* review_._quality (1) - src/a.txt:2 Bad line */
	struct str reason; /* of a skip; absent: none */
	struct str part;   /* what it is sorted by in a run */
	int64_t slot;
};
struct fix_report {
	struct fix_line *items; /* by run, what was fixed before what was skipped */
	size_t count;
	size_t runs, fixed, skipped;
};

struct record {
	struct arena *arena;
	struct logdir logs;
	struct journal journal;
	struct log_listing listing;
	struct execution_state
		state; /* of the last run that ended; where there was none, at most `seen` and its branch */
	bool has_state;
	struct past_results latest;
	size_t result_count;      /* since the logs were last archived */
	bool is_local;            /* lines went to the log directory */
	struct record_fold *fold; /* record.c's own */
};

/* Reads the journal; where there is none, imports the log directory. Changes nothing on disk. */
int record_load(struct record *r, struct arena *a, struct str root, const struct logdir *d,
		struct err *err) MUST_CHECK;
/* Reads the review files of slots that have failed, as the agent has left them. */
void record_read_findings(struct record *r);

/* How a gate, or a slot of a review, ended. */
struct new_result {
	struct past_result result;     /* with its violations and what was skipped */
	struct str job, tree, session; /* tree: the snapshot that a review looked at; absent: none */
	int64_t elapsed_ms;
};
int record_add(struct record *r, const struct new_result *n, struct err *err) MUST_CHECK;
/* The results since the last call count for their keys only if these are among `keys`: the files that they are about stayed as they
 * were from the start of the gates to their end. A pass with another key does not end a failure before it. */
void record_confirm(struct record *r, const struct str_list *keys);
/* Confirms the same keys, and adds the state as a line of the journal and as .execution_state. */
int record_add_state(struct record *r, const struct execution_state *s, const struct str_list *keys,
		     struct err *err) MUST_CHECK;
/* Nothing is known: no results, and no state. */
bool record_is_empty(const struct record *r);
/* Archives the logs, and the state where `with_state`. What has failed stays outstanding, a pass stays known for its key, and
 * so does the commit that was last seen. In memory alone where `is_dry`. */
int record_clear(struct record *r, bool with_state, bool is_dry, struct err *err) MUST_CHECK;
/* Rewrites a journal that has grown long. Only under the lock, before anything is added. */
void record_compact(struct record *r);

void record_report(const struct record *r, struct fix_report *ret);

/* The gates that have failed and not passed since, as their ids, each once. */
struct str_list record_failures(const struct record *r);

/* The state that the next run begins with. False: there is none. */
bool record_state(const struct record *r, struct execution_state *ret);

#endif
