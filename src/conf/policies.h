/* SPDX-License-Identifier: MIT */
/* What holdfast.yml says besides its gates: commands, follow-ups, rounds, guards, prompts, permissions, notifications. The schema of
 * holdfast.yml fills these structs directly. */
#ifndef CONF_POLICIES_H
#define CONF_POLICIES_H

#include "conf/schema.h"
#include "model/dialect.h"
#include "model/event.h"
#include "model/guard.h"

/* A command at a stop, at another event or for prompts, or a text that is added to prompts. */
struct policy_command {
	struct str run;
	struct str message; /* absent: none */
	struct str output;  /* what is shown of what it printed: true, false, stdout or stderr */
	int64_t max_lines;  /* of each output; 0: no limit */
	int64_t timeout_ms; /* 0: none */
	bool shows_command;
	bool notifies; /* a desktop notification for this command */
	struct str
		match; /* at events, a glob for the subject, or for the tool where there is none; absent: any */
	struct str_list files; /* patterns: only if a changed file matches; none: always */
	bool is_background;    /* nobody waits for it */
	bool is_gate;          /* any failure blocks, as often as `tries` says */
	struct str add;        /* the text, instead of `run`; absent: it is a command */
	struct str matches;    /* of prompts: a regular expression; absent: every prompt */
	bool ignores_case;
	struct str slash; /* a glob for the slash command; absent: it is not for slash commands */
};
struct command_list {
	struct policy_command *items;
	size_t count;
};
/* Is this stream of its output shown, stdout or stderr? */
static inline bool
command_shows(const struct policy_command *c, const char *stream)
{
	return str_is(c->output, "true") || str_is(c->output, stream);
}
/* In whole seconds, for messages. */
static inline int64_t
command_timeout_s(const struct policy_command *c)
{
	return (c->timeout_ms + 999) / 1000;
}

struct follow_up {
	struct str text; /* never blank */
	int64_t times;   /* 0..INT32_MAX */
};

struct follow_ups {
	struct str_list prefixes; /* globs; some of them may be malformed */
	struct {
		struct follow_up *items;
		size_t count;
	} messages;
};

struct permissions {
	struct str otherwise; /* deny; ask: the client asks */
	struct str_list allow, deny;
};

/* How the user is told what has happened. */
struct notify_config {
	struct str_list on;  /* loop_ended, gate_failed, stop_allowed */
	struct str terminal; /* true, false, osc9, osc99, osc777 or bell */
	bool is_on_desktop;
	struct str command;       /* absent: none */
	struct str_list at, show; /* events by their names in holdfast.yml, or all; failed, passed, started */
};

struct policies {
	struct str path;      /* of the file, as found */
	struct str dir;       /* its directory */
	struct node document; /* as it was read, or imported */
	const struct dialect *dialect;
	int64_t tries;                /* of the gates, also at events, and of open todos */
	struct str todos;             /* done; absent: they do not matter */
	struct command_list commands; /* at a stop */
	bool keeps_root_clean;
	bool is_infinite;
	struct str infinite_message;         /* never blank */
	int64_t rounds;                      /* 0: off */
	struct str rounds_message;           /* absent: the usual one */
	struct follow_ups *follow_ups;       /* NULL: off */
	struct command_list at[EVENT_COUNT]; /* by event; those of Stop have become part of `commands` */
	struct command_list prompts;
	struct permissions *permissions;    /* NULL: none */
	const struct guards_config *guards; /* NULL: none */
	const struct notify_config *notify; /* NULL: nobody is told */
	bool resumes_after_limit;           /* loops do, so StopFailure matters */
	/* Of a file that was imported: */
	bool has_usual_guards;    /* `guards` are in force though nobody wrote them */
	bool lacks_database;      /* follow-ups are configured, and the database that counts them is off */
	struct str database_path; /* of the follow-ups, as written; absent: the default */
	bool shows_every_piece;   /* of MessageDisplay; else its commands run for the last one only */
	struct node original;     /* the document that was imported, for checks */
	struct config_problems found; /* in it; none of them fatal */
};

/* Only the first characters of a prompt are stored and matched. */
#define PROMPT_CHARS 100
/* How many stops the queue of follow-ups can block: 0 without a pattern or a message. */
uint64_t policies_follow_ups(const struct policies *c);

/* Does `notify.at` name the event? */
bool policies_notify(const struct policies *c, enum event_id event);

/* Did somebody write rules for tools? */
bool policies_guard_tools(const struct policies *c);

/* A warning. */
#define ROUNDS_AND_INFINITE                                                                      \
	"rounds and infinite are both set: after the last round infinite mode blocks the stop, " \
	"and the stop after that is round 1 again"

/* The built-in sets of guards, NULL-terminated, and the keys of guards.verdicts, of a struct guards_config. */
extern const char *const guard_sets[];
extern const struct field guard_verdict_fields[3];

#endif
