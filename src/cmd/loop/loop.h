/* SPDX-License-Identifier: MIT */
/* What the subcommands of `holdfast ralph` share: their texts in two languages, and where the loops are. */
#ifndef CMD_LOOP_LOOP_H
#define CMD_LOOP_LOOP_H

#include "cmd/command.h"
#include "loop/loop.h"
#include "project/project.h"

#define LANG_OPTION                                                                       \
	{                                                                                 \
		.name = "lang", .arg_name = "LANG", .help = "the language of the output", \
		.choices = ralph_languages                                                \
	}
#define SESSION_OPTION                                                                                \
	{                                                                                             \
		.name = "session", .arg_name = "ID",                                                  \
		.help = "only the loop of this session (default: the session that runs the command; " \
			"outside a session, the only loop)"                                           \
	}

extern const char *const ralph_languages[];

/* What people read. Texts for the model are not among them. */
enum ralph_text {
	TEXT_NONE,
	TEXT_FOREIGN,   /* path, session */
	TEXT_OWNERLESS, /* path */
	TEXT_AMBIGUOUS, /* number of loops */
	TEXT_CANCELLED, /* iteration */
	TEXT_CANCELLED_CORRUPT,
	TEXT_COMPLETED,       /* number of iterations, with limit and elapsed time */
	TEXT_PAUSED,          /* iteration */
	TEXT_RESUMED,         /* iteration */
	TEXT_NOT_PAUSED,      /* iteration */
	TEXT_STEERED,         /* iteration */
	TEXT_EXTENDED,        /* iteration, limits */
	TEXT_ADOPTED,         /* progress, session */
	TEXT_ADOPTED_BY_NEXT, /* progress */
	TEXT_ALREADY_OWNED,   /* session */
	TEXT_AMBIGUOUS_OWNER, /* number of loops */
	TEXT_STATUS,          /* progress, and TEXT_STATUS_PAUSED or nothing */
	TEXT_STATUS_PAUSED,
	TEXT_PROGRESS,   /* iteration, limit */
	TEXT_STATE_FILE, /* path */
	TEXT_OWNER,      /* session, or TEXT_OWNER_FIRST */
	TEXT_OWNER_FIRST,
	TEXT_ENDS_BY_PROMISE, /* promise */
	TEXT_ENDS_AT_LIMIT,
	TEXT_ENDS_NEVER,
	TEXT_VERIFIED_BY, /* commands */
	TEXT_GATES,
	TEXT_LIMITS,  /* limits of time, tokens and cost */
	TEXT_USED,    /* tokens, dollars */
	TEXT_WAITS,   /* for a usage limit: time */
	TEXT_RUNNING, /* elapsed time */
	TEXT_PROMPT,  /* its first line */
	TEXT_IS_ACTIVE,
	TEXT_IS_PAUSED,
	TEXT_IS_CORRUPT,
	TEXT_CORRUPT, /* position and reason */
	TEXT_COUNT
};
/* The text in the language of --lang, LC_ALL, LC_MESSAGES or LANG, or in English without an invocation (NULL), with the values
 * filled in and control characters removed from them. Values that the text does not use are ignored. */
struct str ralph_text(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str first,
		      struct str second);
/* The text as a line on stdout. */
void ralph_print(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str value);
struct str ralph_number(struct arena *a, uint64_t number);

/* The project directories, as seen from the current directory. */
void ralph_where(struct arena *a, struct project_dirs *ret);
/* --session, else the session in which the command runs; absent when neither is known. */
struct str ralph_session(const struct invocation *inv);

/* The lines about a loop that `start` and `status` share. Those of `start` are English (NULL), because the model reads them. */
/* ralph resume --wait */
int ralph_wait(struct arena *a, const struct invocation *inv);
void ralph_print_loop(struct arena *a, const struct invocation *inv, struct str path,
		      const struct loop_state *s);
/* What a command does to a loop, which is open and may be corrupt. */
typedef int ralph_change_fn(struct arena *a, const struct invocation *inv, struct loop *l, struct str path,
			    struct err *err);
/* Selects loops by --session and --all, as every command does that changes one, and changes each. The exit code. */
int ralph_change(struct arena *a, const struct invocation *inv, ralph_change_fn *change);
/* Writes the new text of a loop's file. */
int ralph_write(struct arena *a, struct loop *l, struct str path, struct str text, struct err *err);

/* "1 h 02 min" since the loop began; absent when that is not known. */
struct str ralph_elapsed(struct arena *a, const struct loop_state *s);

#endif
