/* SPDX-License-Identifier: MIT */
/* What happens at an event other than a stop: rules decide, and commands run; and one command, which a stop may run, too. */
#ifndef POLICY_EVENTS_H
#define POLICY_EVENTS_H

#include "policy/policies.h"
#include "store/spill.h"
#include "task/command.h"

/* What all configurations say; the strictest decision counts. */
struct event_answer events_decide(struct stop_context *s);

/* Appends a denial, a question or a block to the journal of decisions. The event began at started_ms, on clock_mono_ms(). */
void event_note(struct stop_context *s, const struct event_answer *answer, int64_t started_ms);

/* ---- deciders ----
 *
 * Each looks at the one configuration in s->policies, and changes the answer only to a stricter one. */
typedef void event_fn(struct stop_context *s, struct event_answer *answer);

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

/* ---- one command of a configuration, at a stop or at another event. Inside policy/ only ---- */

/* Only blank lines and comments: nothing to run. */
bool command_is_empty(struct str run);

struct command_variable {
	const char *name; /* without CONCLAUDE_ */
	struct str value; /* absent: not set */
};
/* What every command gets, the fields of the event in addition, and `more`. */
const char *const *command_environment(struct stop_context *s, const struct command_variable *more,
				       size_t count);

/* A command that has run. */
struct command_end {
	const struct policy_command *command;
	struct proc_result process;
	/* What it printed, as far as its keys say that it is shown; absent: nothing. */
	struct str out, err;
	struct spill file;     /* all of it, in case an answer can't hold it */
	struct str file_error; /* why there is no file; absent: there is one */
};
/* Runs it in the configuration's directory, with its timeout and the hook's deadline. -1: it could not be started. */
int command_execute(struct stop_context *s, const struct policy_command *c, const char *const *env,
		    struct command_end *ret, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void command_end_close(struct command_end *e);

/* The command in messages, if its keys say that it is shown; else empty. */
struct str command_name(struct stop_context *s, const struct policy_command *c);
/* A desktop notification about it, where it wants one; the second says how it ended. */
void command_notify(struct stop_context *s, const struct event_row *row, const struct policy_command *c,
		    enum notice what, const char *words);
void command_notify_end(struct stop_context *s, const struct event_row *row, const struct command_end *e);

/* The block for a command that exited with another code than 0, or timed out. */
struct verdict command_failure(struct stop_context *s, const struct command_end *e);

/* Runs one at another event; its output and its failure are reported as the event's kind says. True: it blocks, which only one that
 * `may_block` does. */
bool event_command_blocks(struct stop_context *s, const struct policy_command *command,
			  const char *const *env, bool may_block, struct event_answer *answer);
/* Runs these until one fails. False: all passed. */
bool stop_commands_run(struct stop_context *s, const struct command_list *commands, struct verdict *ret);

#endif
