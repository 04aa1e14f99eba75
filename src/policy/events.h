/* SPDX-License-Identifier: MIT */
/* What happens at an event other than a stop: rules decide, and commands run. */
#ifndef POLICY_EVENTS_H
#define POLICY_EVENTS_H

#include "policy/chain.h"

/* One event, from its payload to the answer. */
struct event_call {
	struct stop_context *stop;
	const struct event_row *row;
	const struct node *payload;
	struct tool_call tool; /* of a tool's event */
	struct str agent;      /* who acts: the agent's type or name; main: the session's own agent */
};

/* Fills the rest of a call whose `stop`, `row` and `payload` are set. */
void event_call_init(struct event_call *c);

/* What all configurations say; the strictest decision counts. */
struct event_answer events_decide(const struct event_call *c);

/* Appends a denial, a question or a block to the journal of decisions. The event began at started_ms, on clock_mono_ms(). */
void event_note(const struct event_call *c, const struct event_answer *answer, int64_t started_ms);

/* ---- deciders ----
 *
 * Each looks at the one configuration in c->stop->conclaude (of a native one, guards decide on tools), and changes the answer only
 * to a stricter one. */
typedef void event_fn(const struct event_call *c, struct event_answer *answer);

/* Makes the answer stricter: a denial wins over a question, and that over a permission. */
void answer_decide(struct event_answer *answer, enum tool_decision decision, struct str reason);

event_fn tool_rules;         /* preToolUse of .conclaude.yaml */
event_fn guard_rules;        /* guards of holdfast.yml */
event_fn permission_rules;   /* permissionRequest */
event_fn prompt_rules;       /* userPromptSubmit: context and slash commands */
event_fn event_commands;     /* the commands of the event's section */
event_fn worktree_command;   /* worktreeCreate */
event_fn guarded_after_tool; /* guards.protect of holdfast.yml, by effect */

/* ---- notify.c ---- */

enum notice { NOTICE_SUCCESS, NOTICE_FAILURE, NOTICE_OTHER };
/* A desktop notification, where the configuration wants one for the event. Never changes the answer. */
void notify(struct stop_context *s, const struct event_row *row, enum notice what, struct str context);

/* ---- event_commands.c ---- */

struct conclaude_command;
/* Runs one; its output and its failure are reported as the event's kind says. True: it blocks, which only one that `may_block`
 * does. */
bool event_command_blocks(const struct event_call *c, const struct conclaude_command *command,
			  const char *const *env, bool may_block, struct event_answer *answer);

#endif
