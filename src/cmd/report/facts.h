/* SPDX-License-Identifier: MIT */
/* What a report is about, as plain data: sessions with their iterations, loops, and gates. Journals, git and transcripts are folded
 * into it (facts.c, facts_gates.c), and text, JSON and HTML are made from it. Texts are those of the journals, as they are: who
 * shows one makes it harmless. */
#ifndef CMD_REPORT_FACTS_H
#define CMD_REPORT_FACTS_H

#include "cmd/journal/decisions.h"
#include "git/git.h"
#include "model/gate_result.h"
#include "record/flaky.h"

struct facts_count {
	size_t commits, files; /* files: that the commits changed, each once */
	uint64_t added, removed;
};

struct facts_usage {
	bool is_known;
	int64_t tokens, cost; /* the cost in billionths of a US dollar */
};

/* A gate at a stop. */
struct facts_result {
	size_t gate; /* in facts.gates */
	enum gate_outcome outcome;
	int64_t ms;
	bool is_reused; /* from an earlier run: it has taken no time */
	bool is_flaky;  /* it passed on a retry */
};

/* The work between two stops, and the stop that ended it. */
struct facts_iteration {
	int64_t time_us; /* of the stop */
	int64_t from_us; /* when the work began, as far as that is known; 0: it is not */
	int64_t took_ms; /* -1: not known */
	int64_t hook_ms; /* holdfast and the gates, at its end */
	bool is_block;
	struct str policy, status, message;
	int64_t number, of; /* of a loop or of rounds; 0: none */
	struct facts_result *results;
	size_t result_count;
	struct facts_count count;
	struct made_commit *commits; /* as many as are counted */
	struct facts_usage usage;
	int64_t first_message_us; /* of the model in it; 0: not known */
};

struct facts_session {
	struct str project, id, client;
	struct str transcript; /* absent: not known */
	int64_t first_us, last_us;
	struct facts_iteration *iterations;
	size_t iteration_count, capacity;
	size_t blocks, denied, asked;
	struct facts_count count;
	struct facts_usage usage;
	struct str unknown_model; /* whose price is not known, so that the cost lacks it; absent: none */
};

struct facts_loop {
	struct str project, session;
	struct str reason;            /* running, paused, or why it ended: see loop_step_reason() */
	int64_t started_us, ended_us; /* 0: not known, or not ended */
	int64_t iterations, most;     /* most: 0: no limit, or not known */
	struct facts_usage usage;
};

struct facts_gate {
	struct str project, name, in, reviewer;
	size_t runs; /* in which it ran; those below are of these */
	size_t passed, failed, errors;
	size_t reused;
	size_t flaky; /* passes on a retry, and results that changed while the files did not */
	int64_t median_ms, p95_ms, total_ms;
};

struct facts {
	struct arena *arena;
	struct str project; /* absent: all */
	int64_t since_us, until_us, now_us;
	int64_t first_us, last_us;      /* of what is there; 0: nothing is */
	struct facts_session *sessions; /* by their first stop */
	size_t session_count, session_capacity;
	struct facts_loop *loops; /* by their end; those that run come last */
	size_t loop_count, loop_capacity;
	struct facts_gate *gates; /* in the order of their first result */
	size_t gate_count, gate_capacity;
	size_t stops, blocks, denied, asked;
	struct facts_count count;
	struct facts_usage usage;
	struct str_list notes; /* what could not be read, for people */
	size_t note_capacity;
};

/* ---- facts.c: pure ---- */
void facts_add_decision(struct facts *f, const struct decision *d);
/* A line of the history of loops. One of another project or time is left out. */
void facts_add_loop(struct facts *f, const struct node *line, const struct decision_filter *filter);
/* The times of the iterations, once all decisions, loops and messages are known. */
void facts_fold_times(struct facts *f);
/* Commits of a project, oldest first. Each belongs to the iteration of its time. */
void facts_add_commits(struct facts *f, struct str project, const struct made_commit *commits, size_t count);
/* Leaves only the sessions whose id begins like this, once it is known who made which commit; their loops and gates, too. */
void facts_keep_session(struct facts *f, struct str beginning);
/* The sums, once everything else is known. */
void facts_fold_sums(struct facts *f);

/* ---- facts_gates.c: pure ---- */
/* The gate of a project by its name, place and reviewer; a new one where there is none. */
size_t facts_gate_index(struct facts *f, const struct facts_gate *like);
/* Of those that ran at the stops that are known. */
void facts_add_flaky(struct facts *f, struct str project, const struct flaky_gates *found);
/* Counts and times of all gates, from the iterations. */
void facts_fold_gates(struct facts *f);
/* The gate with the longest median of those that ran, and the one that is flaky most often; NULL: none. */
const struct facts_gate *facts_slowest(const struct facts *f);
const struct facts_gate *facts_flakiest(const struct facts *f);
/* "lint in src by claude" */
struct str facts_gate_title(struct arena *a, const struct facts_gate *g);

/* ---- collect.c ---- */
/* Reads journals, transcripts and reflogs. What can't be read, other than the journal of decisions, is a note. */
int facts_collect(struct facts *f, const struct decision_filter *filter, struct err *err) MUST_CHECK;

/* ---- words.c: facts as words, pure ---- */
/* 850 ms, 12.3 s, 4 min 05 s, 2 h 07 min; "-" if it is not known */
struct str words_span(struct arena *a, int64_t ms);
/* 950, 12.3k, 1.2M */
struct str words_tokens(struct arena *a, int64_t tokens);
/* $1.50 */
struct str words_dollars(struct arena *a, int64_t billionths);
/* "1 commit", "2 commits" */
struct str words_count(struct arena *a, size_t count, const char *one, const char *several);
/* A sentence for the reason of a loop. */
struct str words_reason(struct str reason);
/* The gates that failed at this stop, else what the policy said, on one line and harmless. */
struct str words_why(struct arena *a, const struct facts *f, const struct facts_iteration *i);
/* 22:04:11 on the day of the report's first stop, else with the date: 11-16 04:17:39. */
struct str words_time(struct arena *a, const struct facts *f, int64_t time_us);
/* Is that how a loop ends that has done its work? */
bool words_reason_is_good(struct str reason);

/* ---- text.c, json.c, html.c ---- */
struct str facts_text(struct arena *a, const struct facts *f, int width, bool has_colour);
struct str facts_json(struct arena *a, const struct facts *f);
/* One page that needs nothing else, neither network nor JavaScript. */
struct str facts_html(struct arena *a, const struct facts *f);

#endif
