/* SPDX-License-Identifier: MIT */
/* The policies. One that is not configured has no verdict, and finds that out cheaply. */
#ifndef POLICY_POLICIES_H
#define POLICY_POLICIES_H

#include "gates/run.h"
#include "guards/rules.h"
#include "policy/chain.h"
#include "store/queue.h"

/* False: the policy does not apply to this stop. True: *ret is its verdict, which may block or allow. */
typedef bool policy_fn(struct stop_context *s, struct verdict *ret);

#define POLICY(id, name, ...) policy_fn name##_policy;
#define OTHER(...)
#include "policy/policy.def"

/* The verdict of the gates of all configurations, for a policy that needs it before their turn. False: there are none. */
bool chain_ask_gates(struct stop_context *s, struct verdict *ret);

/* What is open in the agent's todo list. */
struct open_todos {
	size_t count;
	struct str text;    /* a line each, in the order of the list, the rest counted */
	struct str problem; /* why the list can't be read; absent: it was */
};
struct open_todos todos_look(struct stop_context *s);
/* "1 item of your todo list is open" */
struct str todos_in_words(struct arena *a, size_t count);
/* At the end of a session. */
int rounds_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;
int todos_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

/* The rule of rounds. Pure. */
struct rounds_step {
	bool is_last;   /* allow this stop, and start over with the next */
	uint64_t round; /* the round that this stop completes */
};
struct rounds_step rounds_decide(uint64_t completed, uint64_t max);

/* The rule of follow-up messages: the one that is due, NULL: none is; and the row goes on to the place that is stored before the
 * message is sent. Messages are sent in order, each exactly as often as configured. A place that another version or configuration
 * stored never causes a message to be sent more often. Pure. */
const struct follow_up *follow_up_take(struct queue_row *row, const struct follow_ups *c);

/* Lets a prompt that a person has typed hold the session's loop for one turn, or, where the turn has failed with this error, notes
 * in the loop that a usage limit has ended it. */
void loop_hear(struct stop_context *s, struct str error);
/* Stores the first prompt of a session, for its stops to compare with the patterns. */
void follow_up_store_prompt(struct stop_context *s);

/* ---- block_limit.c: how often gates, guards and stop commands may block, and what a user's prompt resets ---- */

#define BLOCKS_MAX 20

/* The verdict, or an allowed stop in place of a block by gates or stop commands that goes beyond BLOCKS_MAX or can't be
 * counted. A stop that is allowed resets the count. */
struct verdict block_limit(struct stop_context *s, struct verdict v);

/* What a session remembers of the reason of its last block. */
struct str reason_hash(struct arena *a, struct str reason);
/* Did a person write this prompt? Clients also send prompts by themselves: a task's end, the reason of a block, or an empty one
 * after a tool. Pure. */
bool prompt_is_users(struct arena *a, const struct event *e, struct str last_reason);
/* At a prompt of the user the counts of the session start at zero. False: the client has sent this prompt by itself. */
bool block_limit_prompt(struct stop_context *s);

/* ---- tries: the blocks of a session by gates and guards in a project since the user's last prompt. When they are used up, a stop
 * is allowed. The project is the one that is being asked: s->gates_source ---- */

/* Where the configuration can't be read. */
#define TRIES_DEFAULT 3

struct tries {
	int64_t max;
	bool is_counted; /* this stop has been counted as a try */
};

/* How a block that uses a try goes out: from the end of the chain, where blocks in a row are counted, or prepared, for a signal
 * that ends this process before that. */
enum block_sent { SENT_BY_CHAIN, SENT_BY_SIGNAL };

/* Counts a try before the block that it bounds goes out, with the block's reason. False: the tries are used up, or can't be
 * counted; *ret_why says which. */
bool tries_count(struct stop_context *s, struct tries *t, struct str reason, enum block_sent sent,
		 struct str *ret_why);
/* After a stop that did not block: a pass starts the tries again at zero, and anything else gives back the one that was counted in
 * advance. */
void tries_give_back(struct stop_context *s, const struct tries *t, bool has_passed);
bool tries_are_used_up(struct stop_context *s, const struct tries *t);

/* ---- gates at a stop: whether they run, and the reason of a block. Pure, but for the last ---- */

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

/* ---- guards.c ---- */

/* The guards of the holdfast.yml that is being asked; NULL: it has none, or they can't be read, which the gates report. Costs
 * next to nothing where the file has none. */
const struct guards_config *stop_guards(struct stop_context *s);

/* Blocks with the reason, as often as there are tries; then allows, and `names` says to the user what was not fixed. */
struct verdict guard_block(struct stop_context *s, enum status status, struct str names, struct str reason);

/* guarded_files.c: at a prompt of the user, and where nothing is known of protected files yet, they count as they are then. */
void guarded_note_work(struct stop_context *s, bool is_users_prompt);

/* What the guards are asked about a tool. `root` is the project's, `cwd` that of the tool; the agent is of this type or name; empty:
 * it is the session's own. Has no deadline yet. */
struct guard_request guard_request_of(struct arena *a, const struct tool_call *tool, struct str agent,
				      struct str root, struct str cwd);

#endif
