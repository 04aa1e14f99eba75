/* SPDX-License-Identifier: MIT */
/* Does the loop continue, and does a message keep its promise? Pure. */
#ifndef LOOP_DECIDE_H
#define LOOP_DECIDE_H

#include "base/base.h"

struct loop_state;

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
