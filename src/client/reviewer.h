/* SPDX-License-Identifier: MIT */
/* Reviewers: command-line tools that put a prompt to a model. How each is called, how it takes the prompt, what its
 * environment must not contain, and how it reports that it cannot answer. */
#ifndef CLIENT_REVIEWER_H
#define CLIENT_REVIEWER_H

#include "model/gate.h"
#include "os/proc.h"

struct reviewer {
	struct str name;     /* claude */
	struct str program;  /* a name in PATH, or a path from the project's directory */
	bool takes_argument; /* the prompt is an argument, else it is on stdin */
	bool is_built_in;    /* false also for a built-in name whose command the user replaced */
};

/* The built-in reviewers in the order of model/reviewer.def, then the user's own. A command in the configuration
 * replaces the built-in one of that name. */
struct reviewer_list {
	struct reviewer *items;
	size_t count;
};
struct reviewer_list reviewers(struct arena *a, const struct gates_config *c);
const struct reviewer *reviewer_find(const struct reviewer_list *l, struct str name);

/* Fills what the process for one review runs, its input, where it runs and what its environment has and lacks: not the variables
 * of the surrounding session, but credentials. The model is the gate's, else the reviewer's; a tool without an option for it gets
 * none. `gate` may be NULL. A NUL in an argument becomes a blank.
 *
 * Without a prompt it is a probe, and has a timeout: a cheap call that shows whether the reviewer is logged in and within its
 * limits; for a user's own command, that command. */
void reviewer_call(struct arena *a, const struct reviewer *r, const struct gates_config *c,
		   const struct gate *gate, struct str prompt, struct proc_spec *ret);

/* Why a call gave no answer, by its exit code and its output. A review may mention limits, too, so ask this only where
 * the output holds no answer. Searches only the end of each stream, and not stderr of a call that succeeded, since some
 * tools repeat the prompt there. */
enum reviewer_refusal { REFUSAL_NONE, REFUSAL_USAGE_LIMIT, REFUSAL_NOT_LOGGED_IN };
enum reviewer_refusal reviewer_refusal(const struct reviewer *r, int exit_code, struct str out,
				       struct str err);
/* Tokens and cost on one line for the log, where the tool reports them; absent: it does not. Tries the formats of all
 * tools, since a user's own command may wrap any of them. */
struct str reviewer_usage(struct arena *a, struct str out, struct str err);

#endif
