/* SPDX-License-Identifier: MIT */
/* The reviewers of a run: which are installed, which are healthy, and which have a cooldown. Each is checked once. */
#ifndef REVIEW_REVIEWER_POOL_H
#define REVIEW_REVIEWER_POOL_H

#include "client/reviewer.h"
#include "record/state.h"

/* A reviewer that reached its usage limit is not asked for this long. */
#define REVIEWER_COOLDOWN_US INT64_C(3600000000)

enum reviewer_health {
	REVIEWER_READY,
	REVIEWER_UNKNOWN, /* no reviewer has this name */
	REVIEWER_MISSING, /* its program is not installed */
	REVIEWER_UNHEALTHY,
};

struct pooled_reviewer {
	struct str name;
	const struct reviewer *reviewer; /* NULL: unknown */
	enum reviewer_health health;
	struct str message;        /* why it is not ready */
	struct str cooldown_since; /* absent: it has none */
};

struct reviewer_pool {
	struct arena *arena;
	const struct gates_config *config;
	struct reviewer_list known;
	const struct execution_state *state; /* cooldowns of earlier runs; NULL: none */
	int64_t deadline_ms;                 /* for probes; 0: none */
	bool probes;
	struct pooled_reviewer *items;
	size_t count, capacity;
};

/* `may_probe`: reviewers may be called to see whether they answer, where the configuration asks for that. */
void reviewer_pool_init(struct reviewer_pool *p, struct arena *a, const struct gates_config *config,
			const struct execution_state *state, bool may_probe, int64_t deadline_ms);
/* Checks those that were not checked yet; probes run in parallel. */
void reviewer_pool_check(struct reviewer_pool *p, struct str_list names);
/* One that was checked; NULL: it was not. */
struct pooled_reviewer *reviewer_pool_find(struct reviewer_pool *p, struct str name);
/* The reviewer of the i-th slot: those that are ready take turns, in the order of the names. NULL: none is ready. */
struct pooled_reviewer *reviewer_pool_pick(struct reviewer_pool *p, struct str_list names, size_t i);
/* `claude: Command not found; codex: Usage limit exceeded`: why the others are not ready. */
struct str reviewer_pool_problems(struct reviewer_pool *p, struct str_list names);

/* It refused to answer: it is not asked again in this run, and has a cooldown if it reached a limit. */
void reviewer_pool_retire(struct reviewer_pool *p, struct pooled_reviewer *m, enum reviewer_refusal refusal);
/* Adds this run's cooldowns to the state, and removes those that are over. */
void reviewer_pool_store(struct reviewer_pool *p, struct execution_state *s);

#endif
