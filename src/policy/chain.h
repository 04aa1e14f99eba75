/* SPDX-License-Identifier: MIT */
/* May the agent stop? The policies in their order; the first that blocks wins. */
#ifndef POLICY_CHAIN_H
#define POLICY_CHAIN_H

#include "base/buf.h"
#include "client/client.h"
#include "conf/conclaude.h"
#include "model/event.h"
#include "model/gate_result.h"
#include "model/status.h"
#include "project/project.h"
#include "project/trust.h"

/* The program whose command was called. It decides which policies are asked, and the format of the answer. */
enum front_end { FRONT_END_HOLDFAST, FRONT_END_CONCLAUDE, FRONT_END_GAUNTLET, FRONT_END_RALPH };

/* The project that the client names, and one that is nearer to the event's directory. */
#define STOP_CONFIGS 2
/* Kinds of news, see policy/notices.c. */
#define STOP_NOTICES 3
/* Who decided: the policies in their order, and what comes before and after them. */
enum stop_policy {
	POLICY_OFF,       /* the user has turned holdfast off */
	POLICY_PROTECTED, /* files that may not be changed */
	POLICY_LOOP,
	POLICY_FOLLOW_UPS,
	POLICY_TODOS, /* the agent's own list of what is to be done */
	POLICY_COMMANDS,
	POLICY_TESTS, /* tests that were weakened */
	POLICY_GATES,
	POLICY_ROUNDS,
	POLICY_INFINITE,
	POLICY_TRUST,       /* a project that is not trusted */
	POLICY_BLOCK_LIMIT, /* too many blocks in a row */
	POLICY_GUARDS,      /* not at a stop: rules for tools */
	POLICY_EVENTS,      /* not at a stop: the commands of an event */
	POLICY_COUNT,
};
/* Their names in the journal; NULL-terminated. */
extern const char *const policy_names[];

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

	/* Directories with definitions, and those of them whose gates and whose .conclaude.yaml are used at this stop. */
	struct source sources[2 * STOP_CONFIGS];
	size_t source_count;
	struct source *gates[STOP_CONFIGS];
	size_t gates_count;
	const struct conclaude_config *configs[STOP_CONFIGS];
	size_t config_count;
	/* Those that the policy which is being asked uses; NULL where there is none, or none that can be used. */
	const struct source *gates_source;
	const struct conclaude_config *conclaude;

	bool is_dry;              /* nothing is run, counted or written */
	struct buf would_run;     /* then: what would be run, a line each */
	bool is_for_all_projects; /* the call says that it is registered for all projects */
	bool is_registration_known, is_registered_for_all;
	bool is_block_counted; /* among the blocks in a row, before it was known whether the stop blocks */
	struct str untrusted_root; /* has definitions that were not run; absent: none has */

	enum stop_policy asked; /* the policy that is being asked */

	/* For the journal of decisions: the policies that had a verdict, and what the gates found. */
	struct stop_step {
		enum stop_policy policy;
		struct verdict verdict;
	} steps[POLICY_COUNT];
	size_t step_count;
	const struct gate_result *results;
	size_t result_count;
	int64_t tries, max_tries; /* of the session, with this one; 0: none was counted */

	/* What the user is told of by `notify`, by the kind of news; absent: not of that. */
	struct str notices[STOP_NOTICES];
	struct str terminal_sequence; /* for the client to write to its terminal; absent: none */
	bool is_gate_turned_red;      /* a gate failed at this stop, and none had before */

	/* Sent in addition to the verdict: progress, details of a failure, and warnings that did not change the
	 * decision. Each line ends in a newline. */
	struct buf progress, details, warnings;
};

/* Finds the project and loads .conclaude.yaml, starting at the event's directory, or at the current one where the event
 * names none. A configuration that does not parse becomes a warning. */
struct stop_call {
	enum front_end front_end;
	bool is_for_all_projects; /* --user or --plugin */
	bool is_dry;              /* --dry-run */
};
void stop_context_init(struct stop_context *s, struct arena *a, const struct event *event,
		       struct stop_call call);

/* A warning: which files differ, and the project's root. */
#define STOP_PINNED_DIFFER                                                                                   \
	"the definitions differ from the pinned ones, which are used: " STR_FMT "; 'holdfast trust " STR_FMT \
	"' accepts the change"

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
/* Has the user turned holdfast off here? */
bool stop_is_off(struct stop_context *s, struct verdict *ret);
/* Was the user told this before in the session? Notes that it is so now. */
enum stop_notice { STOP_NOTICE_UNTRUSTED, STOP_NOTICE_LOOP };
bool stop_told_before(struct stop_context *s, enum stop_notice notice);
void stop_warn(struct stop_context *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The verdict on this stop. A block always has a reason that is not blank. */
struct verdict chain_decide(struct stop_context *s);
/* Prepares the line of the journal for a signal that ends this process while a policy runs something: with this verdict. */
void stop_note_prepare(const struct stop_context *s, const struct verdict *v);
/* Appends the decision to the journal, unless the configuration turns that off or nothing is configured. It began at
 * started_ms, on clock_mono_ms(). */
void stop_note(const struct stop_context *s, const struct verdict *v, int64_t started_ms);

/* ---- duplicate_stop.c ----
 *
 * A client may run holdfast more than once for one stop: from its own settings and from Claude Code's, from the settings
 * and from the plugin, from the project's settings and from the user's. Exactly one of these calls decides. A call leaves the
 * decision only to a line that plainly calls holdfast and that the client runs, as far as its settings say; where that
 * is not certain, it decides too. These return the line with its file; absent: there is none. */

/* For a call without --client, which may come from Claude Code's settings: do the client's own settings register the same
 * front end with --client? Then that call decides. */
struct str registered_by_client(struct arena *a, const struct event *e, enum front_end front_end);
/* For a call from the plugin: is holdfast registered in Claude Code's settings, too? Then that call decides. */
struct str registered_in_settings(struct arena *a, const struct event *e);
/* For a call that may come from a project's settings: do the user's own settings register holdfast with --user? Then that
 * call decides. */
struct str registered_by_user(struct arena *a, const struct event *e);

/* Do the settings of the project, or the user's own for it, run holdfast at a stop? Then the client has asked its user
 * whether the project is trusted. */
bool registered_in_project(struct arena *a, const struct event *e);
/* Do the user's settings for all projects? */
bool registered_for_all(struct arena *a, const struct event *e);

#endif
