/* SPDX-License-Identifier: MIT */
/* Reviewers: command lines of models, each a row: how it is called, how it takes the prompt, what its environment must
 * lack, and how it says that it can't. A reviewer that the user defines is a row like the others. */
#ifndef CLIENT_REVIEWER_H
#define CLIENT_REVIEWER_H

#include "model/gate.h"

enum prompt_way { PROMPT_STDIN, PROMPT_ARGUMENT };

struct reviewer {
	struct str name;    /* claude */
	struct str program; /* looked up in PATH, or a path from the project's directory */
	enum prompt_way way;
	bool is_built_in; /* false also for one of a known name whose command is the user's */
};

/* All that the configuration knows: the built-in ones in the order of model/reviewer.def, then the user's own. A
 * command in the configuration takes the place of the built-in one of that name. */
struct reviewer_list {
	struct reviewer *items;
	size_t count;
};
struct reviewer_list reviewers(struct arena *a, const struct gauntlet_config *c);
const struct reviewer *reviewer_find(const struct reviewer_list *l, struct str name);

/* What is run for one review. */
struct reviewer_call {
	const char *const *argv;  /* NULL-terminated; to be run in the project's directory */
	struct str input;         /* on stdin; absent: the prompt is an argument */
	const char *const *env;   /* additions */
	const char *const *unset; /* what a client or a nested session set; credentials stay */
	int64_t timeout_ms;       /* of a trial; 0: not ours to say */
};
/* The model is the gate's, else the reviewer's; neither is given to a tool that has no option for it. `gate` may be
 * NULL. An argument holds no NUL: one in the prompt becomes a blank. */
struct reviewer_call reviewer_call(struct arena *a, const struct reviewer *r, const struct gauntlet_config *c,
				   const struct review_gate *gate, struct str prompt);
/* The cheap call that tells whether it is logged in and within its limits. One that the user defined is asked by its own
 * command. */
struct reviewer_call reviewer_probe(struct arena *a, const struct reviewer *r,
				    const struct gauntlet_config *c);

/* What an output, together with the exit code, says beside a review. A review may speak of limits, too: ask this only
 * where there is no answer in the output. Only the ends of both are looked at, and of the errors of a call that went
 * well nothing: some tools repeat the prompt there. */
enum reviewer_trouble { REVIEWER_FINE, REVIEWER_USAGE_LIMIT, REVIEWER_NOT_LOGGED_IN };
enum reviewer_trouble reviewer_trouble(const struct reviewer *r, int exit_code, struct str out,
				       struct str err);
/* Tokens and cost where the tool reports them, on one line for the log; absent: it does not. Whose output it is does not
 * matter: a user's own command may be any of the tools. */
struct str reviewer_usage(struct arena *a, struct str out, struct str err);

#endif
