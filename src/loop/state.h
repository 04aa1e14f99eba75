/* SPDX-License-Identifier: MIT */
/* The loop's state file: front matter with the counters and options, followed by the prompt; and the loop's rules. Reading is strict
 * about the keys that limit the loop and lenient otherwise; unknown content is kept byte for byte. Pure. */
#ifndef LOOP_STATE_H
#define LOOP_STATE_H

#include "client/usage.h"
#include "doc/frontmatter.h"

/* ---- options.c: the optional keys, how a loop proves its work and when it ends early. A loop that has none of them pays one look
 * at the names of its keys ---- */

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
/* The values of the key `prompted`, by enum loop_prompted. */
extern const char *const loop_prompted_names[];
/* The value of the key `limit`. */
struct str loop_limit_text(struct arena *a, const struct loop_limit *l);
/* The value of the key `progress`. */
struct str loop_stuck_text(struct arena *a, const struct loop_stuck *s);

/* The error names the line, the column, the key and what was expected. */
int loop_options_parse(struct arena *a, const struct frontmatter *f, struct loop_options *ret,
		       struct err *err) MUST_CHECK;

/* ---- state.c ---- */

#define LOOP_DEFAULT_MAX 50
#define LOOP_DEFAULT_PROMISE STR("COMPLETE")

struct loop_state {
	struct frontmatter doc;
	uint64_t iteration;      /* the one in progress, from 1 */
	uint64_t max_iterations; /* 0: no limit */
	struct str promise;      /* completion_promise; absent: none */
	bool is_strict;          /* promise_match: strict */
	bool is_paused;          /* active: false, or a halted status */
	bool has_halted_status;  /* status: paused, cancelled */
	bool waits_for_background;
	uint64_t waits;           /* stops in a row that background tasks have let through */
	struct str session_id;    /* absent: no owner */
	struct str started_at;    /* absent: not known */
	int64_t started_us;       /* the same on clock_real_us(); 0: not known */
	struct str prompt;        /* as it goes to the model */
	struct str duplicate_key; /* of which the first counts; absent: none */
	struct loop_options options;
};

/* The error names the line, the key, the value and what was expected. */
int loop_state_parse(struct arena *a, struct str text, struct loop_state *ret, struct err *err) MUST_CHECK;

/* A key's new value, as YAML. */
struct loop_edit {
	const char *key;
	struct str value;
};
struct loop_edits {
	struct loop_edit items[8];
	size_t count;
};
/* The state file's text with new values. An absent value, and everything else, stays as it is; but a new iteration begins with
 * no waits. */
struct str loop_state_with_iteration(struct arena *a, const struct loop_state *s, uint64_t iteration,
				     struct str session_id, const struct loop_edits *more);
/* The text of a state file with other values. */
struct str loop_text_with(struct arena *a, struct str text, const struct loop_edits *edits);
struct str loop_state_with_active(struct arena *a, const struct loop_state *s, bool is_active);

struct loop_spec {
	struct str prompt;
	uint64_t max_iterations;
	struct str promise; /* absent: none */
	struct str session_id;
	struct str started_at;
	struct str options; /* lines for loop_options_parse(), each with its newline; may be absent */
};
/* A new state file, with a comment for each key. Its promise is matched strictly. */
struct str loop_state_new(struct arena *a, const struct loop_spec *spec);

/* The promise that the message keeps, the first of several; NULL: none. */
const struct loop_outcome *loop_promised(const struct loop_state *s, struct str message);
/* Its promises, in a row; absent: it has none. */
struct str loop_promises(struct arena *a, const struct loop_options *o, const char *between);
/* How the model ends the loop, in lines without a newline at the end. Absent: it can't. */
struct str loop_promise_rule(struct arena *a, const struct loop_options *o);
/* What the model gets at a new iteration: the notes, which are absent or end in a blank line; the prompt, or what stands for it
 * (`brief`, absent: nothing does); and the rule where that does not have the promise. */
struct str loop_instruction(struct arena *a, const struct loop_state *s, struct str notes, struct str brief);
/* Does this iteration get the whole prompt? With `refeed: brief` only some do. */
bool loop_is_full(const struct loop_options *o, uint64_t iteration);

/* ---- decide.c: does the loop continue, and does a message keep its promise? ---- */

#define LOOP_NUMBER_MAX INT32_MAX
/* So many stops in a row are let through because of background tasks. A task that never ends must not end the loop. */
#define LOOP_WAITS_MAX 10

/* What the answer promises. */
enum loop_promised { PROMISED_NOTHING, PROMISED_DONE, PROMISED_STOPPED };
/* Is it proved that the work is done? */
enum loop_proof {
	PROOF_NOT_ASKED, /* the loop verifies nothing */
	PROOF_DUE,       /* it does, and that has not been run at this stop */
	PROOF_PASSED,
	PROOF_FAILED,
	PROOF_UNKNOWN, /* it could not be run */
};

/* What is not in the loop's file. */
struct loop_facts {
	struct str session;      /* of this stop; absent or empty: not known */
	bool is_nested;          /* an agent of another session started this one */
	bool is_refused;         /* without an owner it may not be adopted */
	size_t background_tasks; /* and scheduled wake-ups */
	enum loop_promised promised;
	enum loop_proof proof;
	/* Since the loop began. What is not known is 0. */
	uint64_t minutes, tokens;
	int64_t cost;
	uint64_t idle; /* iterations in a row that got nowhere */
};

enum loop_step {
	LOOP_NOT_OWNED,
	LOOP_PAUSED,
	LOOP_WAITS,    /* for background tasks, which wake the session when they end */
	LOOP_HELD,     /* for a prompt of the user */
	LOOP_VERIFIES, /* the proof is due: run it, and decide again */
	LOOP_COMPLETE,
	LOOP_UNVERIFIED, /* the promise was made, and could not be verified */
	LOOP_STOPPED,    /* the agent gave up, with a promise that means that */
	LOOP_STUCK,      /* it got nowhere, and a warning did not help */
	LOOP_LIMIT,      /* of iterations */
	LOOP_TIME,       /* the minutes are used up */
	LOOP_TOKENS,
	LOOP_COST,
	LOOP_CONTINUES,
};

enum loop_step loop_decide(const struct loop_state *s, const struct loop_facts *f);
/* The name of the reason for which a step ends the loop; NULL: it does not. Part of the history, so it never changes. */
const char *loop_step_reason(enum loop_step step);
/* All reasons: those of the steps from LOOP_COMPLETE on, and those outside of a stop; NULL-terminated. */
#define LOOP_CANCELLED "cancelled"
#define LOOP_REPLACED "replaced"
#define LOOP_CORRUPT_STATE "corrupt_state"
extern const char *const loop_end_names[];

/* Does the message contain <promise>PHRASE</promise>? White space at the ends is ignored and any run of it equals one
 * space, on both sides; everything else is compared byte for byte. A second opening tag replaces the first. A blank phrase
 * is never kept. When strict, the tag must end the last line that is not blank and be a sentence of its own: nothing precedes
 * it on that line but whole sentences, without "not yet" among them. So neither a quotation in backticks nor a part of a
 * sentence counts ("I must not say <promise>X</promise> yet"). */
bool promise_is_kept(struct str message, struct str phrase, bool is_strict);

#endif
