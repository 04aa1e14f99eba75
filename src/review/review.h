/* SPDX-License-Identifier: MIT */
/* Review gates: a reviewer is shown a prompt and the changes, and its findings must be fixed or skipped with a reason. */
#ifndef REVIEW_REVIEW_H
#define REVIEW_REVIEW_H

#include "client/reviewer.h"
#include "git/git.h"
#include "record/record.h"
#include "task/runner.h"

/* The run that the reviews belong to. */
struct review_facts {
	const struct gates_config *config;
	struct repository repository;
	const struct git_head *head;
	struct change_spec requested_changes;
	struct change_spec all_changes; /* since the base */
	bool covers_all_changes;
	struct str base_commit; /* that all_changes are compared with; absent: not known */
	const struct past_results *past;
	const struct execution_state *state; /* of the previous run */
	struct str base_branch;
	int64_t deadline_ms;
	bool is_dry; /* nothing will run: no reviewer is probed, no snapshot is made */
	/* A line for stderr and the console log; NULL: neither. */
	void (*log)(void *context, const char *level, const char *who, struct str text);
	void *log_context;
};

/* The reviews of one run. */
struct reviews;
struct reviews *reviews_open(struct arena *a, const struct review_facts *f);

struct task_list {
	struct task *items;
	size_t count;
};
/* The tasks of one job: one for each slot, in their order. One for all of them where there is nothing to review, or
 * where no reviewer can be asked. */
struct task_list review_prepare(struct reviews *r, const struct job *job);

/* After the run: adds cooldowns, and the tree that each review has seen. */
void reviews_store(struct reviews *r, struct execution_state *s);

/* What the task would run: the command line and the exact prompt. */
struct str review_describe(struct arena *a, const struct task *t);

/* ---- reviewer_pool.c: which reviewers are installed, which are healthy, and which have a cooldown. Each is checked once ---- */

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
