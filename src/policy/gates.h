/* SPDX-License-Identifier: MIT */
/* Gates at a stop: whether they run, and the reason of a block. Pure. */
#ifndef POLICY_GATES_H
#define POLICY_GATES_H

#include "gates/run.h"

struct stop_context;

struct gates_facts {
	bool is_stop_hook_active; /* the event's flag */
	bool reverifies;          /* run even after a block */
	bool has_config;
	bool is_enabled;
	bool is_locked; /* another run is in progress, and the configuration does not say to wait for it */
	int64_t interval_minutes; /* 0: none */
	bool has_state;
	bool is_outstanding;       /* a gate failed and has not passed since */
	bool is_other_branch;      /* the state was written on another branch */
	int64_t since_last_run_us; /* negative: in the future */
};

enum gates_step {
	GATES_ACTIVE,
	GATES_NO_CONFIG,
	GATES_DISABLED,
	GATES_LOCKED,
	GATES_TOO_SOON,
	GATES_RUN,
};

enum gates_step gates_decide(const struct gates_facts *f);

/* At a prompt or at the beginning of a session: notes where work on the branch starts, if nobody has yet. */
void gates_note_start(struct stop_context *s);

struct reason_facts {
	struct str root;  /* of the project */
	bool reverifies;  /* the gates run again at the next stop */
	bool is_gauntlet; /* in the words of agent-gauntlet, which its specification demands */
};
/* The text for the agent, within REASON_LIMIT_BYTES: which gates failed, with command, directory, hint and the lines of the output
 * that say why, how to run one alone, and, if a review failed, how to answer it. */
struct str gates_reason(struct arena *a, const struct run_result *r, const struct reason_facts *f);

#endif
