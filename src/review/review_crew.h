/* SPDX-License-Identifier: MIT */
/* The reviewers of a run: who is there, who is well, and who rests. Each is looked at once. */
#ifndef REVIEW_REVIEW_CREW_H
#define REVIEW_REVIEW_CREW_H

#include "client/reviewer.h"
#include "record/logdir.h"

/* So long a reviewer rests whose usage limit was reached. */
#define REVIEWER_REST_US INT64_C(3600000000)

enum member_state {
	MEMBER_READY,
	MEMBER_STRANGER, /* no reviewer has this name */
	MEMBER_MISSING,  /* its program is not there */
	MEMBER_UNWELL,
};

struct member {
	struct str name;
	const struct reviewer *reviewer; /* NULL: a stranger */
	enum member_state state;
	struct str message;   /* of one that is not ready: why */
	struct str marked_at; /* since when it rests; absent: it does not */
};

struct crew {
	struct arena *arena;
	const struct gauntlet_config *config;
	struct reviewer_list reviewers;
	const struct execution_state *state; /* who was put to rest; NULL: nobody */
	int64_t deadline_ms;                 /* for calls that try a reviewer; 0: none */
	bool tries;                          /* makes such calls, where the configuration wants them */
	struct member *items;
	size_t count, capacity;
};

void crew_open(struct crew *c, struct arena *a, const struct gauntlet_config *config,
	       const struct execution_state *state, bool tries, int64_t deadline_ms);
/* Looks at those that were not looked at yet; calls that try them are made side by side. */
void crew_look_at(struct crew *c, struct str_list names);
/* One that was looked at. */
struct member *crew_member(struct crew *c, struct str name);
/* The i-th that is ready, counting round and round in the order of the names; NULL: none is. */
struct member *crew_pick(struct crew *c, struct str_list names, size_t i);
/* `claude: Command not found; codex: Usage limit exceeded`: those that are not ready. */
struct str crew_troubles(struct crew *c, struct str_list names);

/* It said so in the middle of a run: it is not asked again, and rests if it is a limit. */
void crew_give_up(struct crew *c, struct member *m, enum reviewer_refusal refusal);
/* Who rests, for the next runs: those of before whose time is not over, and those of this run. */
void crew_leave(struct crew *c, struct execution_state *s);

#endif
