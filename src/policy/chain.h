/* SPDX-License-Identifier: MIT */
/* May the agent stop? The policies in their order; the first that blocks wins. */
#ifndef POLICY_CHAIN_H
#define POLICY_CHAIN_H

#include "base/buf.h"
#include "client/client.h"
#include "conf/conclaude.h"
#include "model/event.h"
#include "model/status.h"
#include "project/project.h"

/* The program whose command was called. It decides which policies are asked, and the format of the answer. */
enum front_end { FRONT_END_HOLDFAST, FRONT_END_CONCLAUDE, FRONT_END_GAUNTLET, FRONT_END_RALPH };

/* One stop, from the first byte of the event to the answer. */
struct stop_context {
	struct arena *arena;
	enum front_end front_end;
	const struct client *client; /* to be answered; after the event was read, the client of the event */
	const struct event *event;
	bool is_main;        /* the session's main thread: follow-ups and rounds belong to it alone */
	struct str agent;    /* conclaude --agent; absent: none */
	int64_t deadline_ms; /* when the answer must be sent, on clock_mono_ms() */
	struct project_dirs where;

	/* .conclaude.yaml; NULL: there is none, or it is invalid. */
	const struct conclaude_config *conclaude;

	/* Sent in addition to the verdict: progress, details of a failure, and warnings that did not change the
	 * decision. Each line ends in a newline. */
	struct buf progress, details, warnings;
};

/* Finds the project and loads .conclaude.yaml, starting at the event's directory, or at the current one where the event
 * names none. A configuration that does not parse becomes a warning. */
void stop_context_init(struct stop_context *s, struct arena *a, const struct event *event,
		       enum front_end front_end);

/* The time to wait: `most`, but not past the deadline. */
int64_t stop_wait_ms(const struct stop_context *s, int64_t most);
/* The answer in the client's dialect. */
struct reply stop_reply(const struct stop_context *s, const struct verdict *v,
			const struct reply_notes *notes);
/* Prepares the answer that goes out if a signal ends this process before it has decided: this verdict. */
void stop_prepare(const struct stop_context *s, const struct verdict *v);
/* The same with the usual one: the stop is allowed, and the user told that nothing was decided. */
void stop_prepare_interrupted(const struct stop_context *s);
/* Whose tries and blocks are counted: the session; without one, the project. */
struct str stop_owner(const struct stop_context *s, struct str root);
void stop_warn(struct stop_context *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The verdict on this stop. A block always has a reason that is not blank. */
struct verdict chain_decide(struct stop_context *s);

/* ---- duplicate_stop.c ----
 *
 * A client may run holdfast more than once for one stop: from its own settings and from Claude Code's, from the settings
 * and from the plugin, from the project's settings and from the user's. Exactly one of these calls decides. */

/* For a call without --client, which may come from Claude Code's settings: do the client's own settings register the same
 * front end with --client? Then that call decides. */
bool registered_by_client(struct arena *a, const struct event *e, enum front_end front_end);
/* For a call from the plugin: is holdfast registered in Claude Code's settings, too? Then that call decides. */
bool registered_in_settings(struct arena *a, const struct event *e);
/* For a call that may come from a project's settings: do the user's own settings register holdfast with --user? Then that
 * call decides. */
bool registered_by_user(struct arena *a, const struct event *e);

#endif
