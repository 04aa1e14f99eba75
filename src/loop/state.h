/* SPDX-License-Identifier: MIT */
/* The loop's state file: front matter with the counters, followed by the prompt. Reading is strict about the keys that limit
 * the loop and lenient otherwise; unknown content is kept byte for byte. Pure. */
#ifndef LOOP_STATE_H
#define LOOP_STATE_H

#include "doc/frontmatter.h"
#include "loop/decide.h"
#include "loop/options.h"

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
/* The same iteration with other values. */
struct str loop_state_with(struct arena *a, const struct loop_state *s, const struct loop_edits *edits);
struct str loop_state_set(struct arena *a, const struct loop_state *s, const char *key, struct str value);
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

#endif
