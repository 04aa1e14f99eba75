/* SPDX-License-Identifier: MIT */
/* May the agent stop? The policies in their order; the first that blocks wins. */
#ifndef POLICY_CHAIN_H
#define POLICY_CHAIN_H

#include "client/client.h"
#include "conf/policies.h"
#include "model/event.h"
#include "model/gate_result.h"
#include "model/status.h"
#include "project/project.h"
#include "project/trust.h"
#include "store/session.h"

/* The program whose command was called. It decides which policies are asked, and the format of the answer. */
enum front_end { FRONT_END_HOLDFAST, FRONT_END_CONCLAUDE, FRONT_END_GAUNTLET, FRONT_END_RALPH };

/* The project that the client names, and one that is nearer to the event's directory. */
#define STOP_CONFIGS 2
/* Kinds of news, see notices.c. */
#define STOP_NOTICES 3
/* Who decided, see policy.def. */
enum stop_policy {
#define POLICY(id, ...) POLICY_##id,
#define OTHER(id, ...) POLICY_##id,
#include "policy/policy.def"
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
	struct str unread; /* why the event could not be read: nothing is known of it; absent: it was read */
	/* Of an event that is no stop; else the row is NULL. */
	const struct event_row *row;
	const struct node *payload;
	struct tool_call tool;

	bool is_main;        /* the session's main thread: follow-ups and rounds belong to it alone */
	struct str agent;    /* conclaude --agent; absent: none */
	int64_t deadline_ms; /* when the answer must be sent, on clock_mono_ms() */
	struct project_dirs where;

	/* Directories with definitions, and those of them whose gates and whose .conclaude.yaml are used at this stop. */
	struct source sources[2 * STOP_CONFIGS];
	size_t source_count;
	struct source_list {
		struct source *items[STOP_CONFIGS];
		size_t count;
	} gates;
	const struct policies *configs[STOP_CONFIGS];
	size_t config_count;
	/* Those that the policy which is being asked uses; NULL where there is none, or none that can be used. */
	const struct source *gates_source;
	const struct policies *policies;

	bool is_dry;          /* nothing is run, counted or written */
	struct buf would_run; /* then: what would be run, a line each */
	/* How this call is registered: --client, --user, --plugin. The last two are for all projects. */
	bool names_client, is_from_user, is_from_plugin;
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

	enum status decided; /* for the notices */
	/* What the user is told of by `notify`, by the kind of news; absent: not of that. */
	struct str notices[STOP_NOTICES];
	struct str terminal_sequence; /* for the client to write to its terminal; absent: none */
	bool is_gate_turned_red;      /* a gate failed at this stop, and none had before */

	/* Sent in addition to the verdict: progress, details of a failure, and warnings that did not change the
	 * decision. Each line ends in a newline. */
	struct buf progress, details, warnings;
};

/* Finds the project and what it defines, starting at the event's directory, or at the current one where the event names none. A
 * configuration that does not parse becomes a warning. The caller has set front_end, is_dry and how the call is registered, and all
 * else is zero. */
void stop_context_init(struct stop_context *s, struct arena *a, const struct event *event);

/* The time to wait: `most`, but not past the deadline. */
int64_t stop_wait_ms(const struct stop_context *s, int64_t most);
/* The answer in the client's dialect. */
struct reply stop_reply(const struct stop_context *s, const struct verdict *v,
			const struct reply_notes *notes);
/* Prepares the answer that goes out if a signal ends this process before it has decided: this verdict. Not in a dry run. */
void stop_prepare(const struct stop_context *s, const struct verdict *v);
/* The same with the usual one: the stop is allowed, and the user told that nothing was decided. */
void stop_prepare_interrupted(const struct stop_context *s);
/* Whose tries and blocks are counted: the session; without one, the project. */
struct str stop_owner(const struct stop_context *s, struct str root);
/* Opens the file of that owner, which a dry run does not create, and waits for it no longer than this stop may take. */
int stop_session(const struct stop_context *s, struct str root, bool creates, struct session *ret,
		 struct err *err) MUST_CHECK;
/* Has the user turned holdfast off here? */
bool stop_is_off(struct stop_context *s, struct verdict *ret);
/* Was the user told this before in the session? Notes that it is so now. */
bool stop_told_before(struct stop_context *s, enum session_told what);
/* A warning, put together from pieces as by str_cat(). */
#define stop_warn(s, ...) stop_add_warning((s), str_cat((s)->arena, __VA_ARGS__))
void stop_add_warning(struct stop_context *s, struct str text);
/* Warns that these files differ from the pinned definitions. */
void stop_warn_pinned(struct stop_context *s, struct str differs, struct str root);

/* The verdict on this stop. A block always has a reason that is not blank. */
struct verdict chain_decide(struct stop_context *s);
/* Prepares the line of the journal for a signal that ends this process while a policy runs something: with this verdict. */
void stop_note_prepare(const struct stop_context *s, const struct verdict *v);
/* Appends the decision to the journal, unless the configuration turns that off or nothing is configured. It began at
 * started_ms, on clock_mono_ms(). */
void stop_note(const struct stop_context *s, const struct verdict *v, int64_t started_ms);

/* ---- sources.c ---- */

/* Fills s->gates and s->configs. What the user should know about the definitions becomes a
 * warning: that they differ from the pinned ones, or have changed since the session began or since a failure that is
 * outstanding, or are gone. */
void stop_find_sources(struct stop_context *s, struct str start);
/* May what is in this directory be run, whether it has definitions or not? */
bool stop_may_run(struct stop_context *s, struct str root);
/* The verdict where only a project that is not trusted has something to say. The user is told once in a session. */
struct verdict not_trusted_verdict(struct stop_context *s);

/* ---- notices.c: tells the user what has happened at a stop, as `notify` in holdfast.yml says. It never delays the answer ---- */

/* Finds what the user is told of this decision. Call it before the answer, of which the terminal's sequence is a part. */
void notices_find(struct stop_context *s, const struct verdict *v);
/* Starts the other ways, in the background. Call it after the answer. */
void notices_send(struct stop_context *s);

/* ---- duplicate_stop.c ----
 *
 * A client may run holdfast more than once for one stop: from its own settings and from Claude Code's, from the settings
 * and from the plugin, from the project's settings and from the user's. Exactly one of these calls decides. A call leaves the
 * decision only to a line that plainly calls holdfast and that the client runs, as far as its settings say; where that
 * is not certain, it decides too. */

/* The line that decides in place of this call, with its file; absent: there is none. For a call without --client, which may come
 * from Claude Code's settings, one with --client in the client's own settings; for one from the plugin, one in Claude Code's
 * settings; for one that may come from a project's settings, one with --user in the user's own. */
struct str registered_elsewhere(const struct stop_context *s, const struct event *e);

/* Is this call for all projects, or do the user's settings for all of them run holdfast at a stop, while neither those of the project
 * nor the user's own for it do? Else the client has asked its user whether the project is trusted. */
bool registered_for_all_alone(const struct stop_context *s);

/* Warns, once in a session, that there are guards and the client does not ask holdfast before its tools. */
void warn_of_guards_off(struct stop_context *s);

#endif
