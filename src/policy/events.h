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
};

/* What all configurations say; the strictest decision counts. */
struct event_answer events_decide(const struct event_call *c);

/* Appends a denial, a question or a block to the journal of decisions. The event began at started_ms, on clock_mono_ms(). */
void event_note(const struct event_call *c, const struct event_answer *answer, int64_t started_ms);

/* ---- deciders ----
 *
 * Each looks at the one configuration in c->stop->policies, and changes the answer only to a stricter one. */
typedef void event_fn(const struct event_call *c, struct event_answer *answer);

event_fn guard_rules;        /* guards */
event_fn permission_rules;   /* permissions */
event_fn prompt_rules;       /* prompts: context and slash commands */
event_fn event_commands;     /* the event's commands */
event_fn worktree_command;   /* events.worktree_create */
event_fn guarded_after_tool; /* guards.protect of holdfast.yml, by effect */

/* ---- notices.c ---- */

enum notice { NOTICE_SUCCESS, NOTICE_FAILURE, NOTICE_OTHER };
/* A desktop notification, where the configuration wants one for the event. Never changes the answer. */
void notify(struct stop_context *s, const struct event_row *row, enum notice what, struct str context);

#endif
