/* SPDX-License-Identifier: MIT */
/* What a run leaves for the next one besides its results: where it ran, what it saw, how many tries are used. It is a
 * line of the journal; .execution_state, which users of agent-gauntlet know, is a copy that only the import and record_state() read. */
#ifndef RECORD_STATE_H
#define RECORD_STATE_H

#include "doc/node.h"
#include "record/logdir.h"

/* A reviewer that is not asked for a while: unhealthy_adapters. */
struct cooldown {
	struct str name, marked_at, reason;
};
/* The snapshot that a review has seen, and whether all its slots passed then: reviewed. */
struct reviewed_tree {
	struct str part; /* of the job's file names */
	struct str tree;
	struct str definition; /* the digest of the review's definition then; absent: not known */
	bool is_pass;
};
struct execution_state {
	struct str completed_at, branch, commit;
	struct str working_tree_ref; /* absent: none */
	struct str seen;             /* the last commit at which every gate had passed; absent: none */
	struct str content_commit, content_key; /* the files as the run found them; absent: not known */
	bool was_in_base;                       /* the commit was in the base branch when this was written */
	bool has_was_in_base;                   /* known: agent-gauntlet does not write it */
	bool is_partial;      /* not all gates ran on all of the change: no interval begins */
	bool is_outstanding;  /* a gate failed and has not passed since */
	bool has_outstanding; /* known */
	struct cooldown *cooldowns;
	size_t cooldown_count;
	struct reviewed_tree *reviewed;
	size_t reviewed_count;
	const struct node *document; /* all of it: keys that we do not know are kept */
};

/* False: the document is not a state. It must outlive the state. */
bool state_from_node(struct arena *a, const struct node *document, struct execution_state *ret);
struct node state_node(struct arena *a, const struct execution_state *s);

/* .execution_state. False: there is none that can be used. */
bool state_read(struct arena *a, const struct logdir *d, struct execution_state *ret);
int state_write(struct arena *a, const struct logdir *d, const struct execution_state *s,
		struct err *err) MUST_CHECK;

#endif
