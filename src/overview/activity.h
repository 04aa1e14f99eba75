/* SPDX-License-Identifier: MIT */
/* What a report is about, as plain data: sessions with their iterations, loops, and gates. Journals, git and transcripts are folded
 * into it (activity.c), and text, JSON and HTML are made from it. Texts are those of the journals, as they are: who
 * shows one makes it harmless. */
#ifndef OVERVIEW_ACTIVITY_H
#define OVERVIEW_ACTIVITY_H

#include "overview/decisions.h"
#include "git/git.h"
#include "model/gate_result.h"
#include "record/history.h"

struct activity_count {
	size_t commits, files; /* files: that the commits changed, each once */
	uint64_t added, removed;
};

struct activity_usage {
	bool is_known;
	int64_t tokens, cost; /* the cost in billionths of a US dollar */
};

/* A gate at a stop. */
struct activity_result {
	uint32_t gate; /* in facts.gates */
	enum gate_outcome outcome;
	int64_t ms;
	bool is_reused; /* from an earlier run: it has taken no time */
	bool is_flaky;  /* it passed on a retry */
};

/* The work between two stops, and the stop that ended it. */
struct activity_iteration {
	struct activity_iteration *next; /* of the session */
	int64_t time_us;                 /* of the stop */
	int64_t from_us;                 /* when the work began, as far as that is known; 0: it is not */
	int64_t took_ms;                 /* -1: not known */
	int64_t hook_ms;                 /* holdfast and the gates, at its end */
	bool is_block;
	struct str policy, status, message;
	int64_t number, of; /* of a loop or of rounds; 0: none */
	struct activity_result *results;
	size_t result_count;
	struct activity_count count;
	struct made_commit *commits; /* as many as are counted */
	struct activity_usage usage;
	int64_t first_message_us; /* of the model in it; 0: not known */
};

struct activity_session {
	struct str project, id, client;
	struct str transcript; /* absent: not known */
	int64_t first_us, last_us;
	struct activity_iteration *iterations, *last_iteration;
	size_t iteration_count;
	size_t blocks, denied, asked;
	struct activity_count count;
	struct activity_usage usage;
	struct str unknown_model; /* whose price is not known, so that the cost lacks it; absent: none */
	size_t id_at;             /* in facts.known */
	size_t same_id; /* the number, from 1, of the next session with this id, of another project; 0: none */
};

struct activity_loop {
	struct str project, session;
	struct str reason;            /* running, paused, or why it ended: see loop_step_reason() */
	int64_t started_us, ended_us; /* 0: not known, or not ended */
	int64_t iterations, most;     /* most: 0: no limit, or not known */
	struct activity_usage usage;
	size_t same_session; /* the number, from 1, of the next loop of this session; 0: none */
};

struct activity_gate {
	struct str project, name, in, reviewer;
	size_t runs; /* in which it ran; those below are of these */
	size_t passed, failed, errors;
	size_t reused;
	size_t flaky; /* passes on a retry, and results that changed while the files did not */
	int64_t median_ms, p95_ms, total_ms;
};

struct activity {
	struct arena *arena;
	struct str project; /* absent: all */
	int64_t since_us, until_us, now_us;
	int64_t first_us, last_us;         /* of what is there; 0: nothing is */
	struct activity_session *sessions; /* by their first stop */
	size_t session_count;
	struct activity_loop *loops; /* by their end; those that run come last */
	size_t loop_count;
	struct activity_gate *gates; /* in the order of their first result */
	size_t gate_count;
	size_t stops, blocks, denied, asked;
	struct activity_count count;
	struct activity_usage usage;
	struct session_names *known; /* the ids of all sessions, those that were left out among them */
	struct str_list notes;       /* what could not be read, for people */
	/* What they are found by. */
	struct activity_by_id {
		size_t session, loop; /* the number, from 1, of the first; 0: none */
	} * by_id;
	size_t by_id_count;
	struct strset gate_places, texts;
	struct arena of_sessions; /* the array alone, so that it grows in place */
};

/* Nothing has happened. */
struct activity activity_new(struct arena *a);
/* Also the CLEANUP function. */
void activity_free(struct activity *f);

/* ---- activity.c: pure ---- */
void activity_add_decision(struct activity *f, const struct decision *d);
/* A line of the history of loops. One of another project or time is left out. */
void activity_add_loop(struct activity *f, const struct node *line, const struct decision_filter *filter);
/* The times of the iterations, once all decisions, loops and messages are known. */
void activity_fold_times(struct activity *f);
/* Leaves only the sessions that the text means, once it is known who made which commit; their loops and gates, too. */
void activity_keep_session(struct activity *f, struct str name);
/* The sums, once everything else is known. */
void activity_fold_sums(struct activity *f);

/* Of those that ran at the stops that are known. */
void activity_add_flaky(struct activity *f, struct str project, const struct flaky_gates *found);
/* Counts and times of all gates, from the iterations. */
void activity_fold_gates(struct activity *f);
/* "lint in src by claude" */
struct str activity_gate_title(struct arena *a, const struct activity_gate *g);

/* ---- activity_commits.c: pure ---- */
/* Commits of a project, oldest first. Each belongs to the iteration of its time. */
void activity_add_commits(struct activity *f, struct str project, const struct made_commit *commits,
			  size_t count);
/* Of each project: a file counts once whichever session changed it. */
void activity_sum_commits(struct activity *f);

/* ---- activity_read.c ---- */
/* Reads journals, transcripts and reflogs. What can't be read, other than the journal of decisions, is a note. */
int activity_collect(struct activity *f, const struct decision_filter *filter, struct err *err) MUST_CHECK;

#endif
