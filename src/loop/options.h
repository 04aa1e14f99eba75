/* SPDX-License-Identifier: MIT */
/* What a loop's front matter says in addition to prompt, promise and iterations: how it proves its work, and when it ends early.
 * Every key is optional. A loop that has none of them pays one look at the names of its keys. Pure. */
#ifndef LOOP_OPTIONS_H
#define LOOP_OPTIONS_H

#include "client/usage.h"
#include "doc/frontmatter.h"

#define LOOP_OUTCOMES_MAX 16
#define LOOP_VERIFY_MAX 32

/* A promise, and what it means. */
struct loop_outcome {
	struct str promise;
	bool is_done; /* else the agent gives up: the loop ends, and nothing is verified */
};

/* How long the loop has not got anywhere, in iterations: kept by holdfast itself. See gather.c. */
struct loop_stuck {
	uint64_t message, tree; /* of the last iteration; 0: not known */
	uint64_t without_tool, same_message, same_tree;
};

/* Has the user typed a prompt while the loop ran? Kept by holdfast itself. */
enum loop_prompted {
	PROMPTED_NOT,
	PROMPTED_NOW,  /* and the next stop answers it */
	PROMPTED_OVER, /* that was answered: the next prompt is to go on with the loop */
};

/* A usage limit that has ended a turn: kept by holdfast itself. */
struct loop_limit {
	int64_t until_us; /* when it has passed; 0: the loop waits for none */
	uint64_t resumes; /* how often the session was resumed after one */
};

struct loop_options {
	struct str_list verify; /* commands that must pass when the promise appears, in their order */
	bool verifies_todos;    /* the agent's todo list must have no open items, before anything runs */
	bool verifies_gates;    /* the project's gates must pass, too, after the commands */
	struct loop_outcome *outcomes; /* its promises */
	size_t outcome_count;
	bool has_own_promises; /* the key `promises` is there; else the completion promise is the only one, if there is one */
	uint64_t max_minutes, max_tokens; /* 0: no limit */
	int64_t max_cost;                 /* in billionths of a US dollar; 0: no limit */
	struct model_price *prices;       /* the user's own */
	size_t price_count;
	struct usage usage; /* what was counted so far, by holdfast itself */
	uint64_t
		stuck_after; /* iterations that get nowhere before the agent is warned, and again before the end; 0: never */
	struct loop_stuck stuck;
	bool is_brief; /* refeed: brief */
	enum loop_prompted prompted;
	uint64_t resume_after_limit; /* how often the session may be resumed after a usage limit */
	struct loop_limit limit;
	struct str steer; /* goes before the next prompt, once; absent: nothing */
};

/* Is there something to verify? */
bool loop_options_verify(const struct loop_options *o);

/* "1.50": US dollars; and with all nine digits. */
struct str loop_dollars(struct arena *a, int64_t billionths);
struct str loop_dollars_exact(struct arena *a, int64_t billionths);
/* The reverse, with up to nine digits after the point. False: it is no such number, or a million or more. */
bool loop_dollars_parse(struct str text, int64_t *ret);
/* The value of the key `usage`. */
struct str loop_usage_text(struct arena *a, const struct usage *u);
/* The value of the key `prompted`. */
struct str loop_prompted_text(enum loop_prompted p);
/* The value of the key `limit`. */
struct str loop_limit_text(struct arena *a, const struct loop_limit *l);
/* The value of the key `progress`. */
struct str loop_stuck_text(struct arena *a, const struct loop_stuck *s);

/* The error names the line, the column, the key and what was expected. */
int loop_options_parse(struct arena *a, const struct frontmatter *f, struct loop_options *ret,
		       struct err *err) MUST_CHECK;

#endif
