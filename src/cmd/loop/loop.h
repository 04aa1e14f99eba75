/* SPDX-License-Identifier: MIT */
/* What the subcommands of `holdfast ralph` share: which loops there are, and their texts in two languages. */
#ifndef CMD_LOOP_LOOP_H
#define CMD_LOOP_LOOP_H

#include "cmd/command.h"
#include "project/project.h"
#include "loop/find.h"

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

/* What people read; the words that go to the model are not among them. */
enum ralph_text {
	TEXT_NONE,
	TEXT_FOREIGN,   /* path, session */
	TEXT_OWNERLESS, /* path */
	TEXT_AMBIGUOUS, /* how many */
	TEXT_CANCELLED, /* iteration */
	TEXT_CANCELLED_CORRUPT,
	TEXT_COMPLETED,   /* passes, max, elapsed */
	TEXT_PAUSED,      /* iteration */
	TEXT_RESUMED,     /* iteration */
	TEXT_NOT_PAUSED,  /* iteration */
	TEXT_PASS,        /* TEXT_PASS_NUMBER, and TEXT_PASS_PAUSED or nothing */
	TEXT_PASS_NUMBER, /* iteration, of how many */
	TEXT_PASS_PAUSED,
	TEXT_STATE_FILE, /* path */
	TEXT_OWNER,      /* session, or TEXT_OWNER_FIRST */
	TEXT_OWNER_FIRST,
	TEXT_ENDS_BY_PROMISE, /* promise */
	TEXT_ENDS_AT_LIMIT,
	TEXT_ENDS_NEVER,
	TEXT_RUNNING, /* how long */
	TEXT_PROMPT,  /* its first line */
	TEXT_IS_ACTIVE,
	TEXT_IS_PAUSED,
	TEXT_IS_CORRUPT,
	TEXT_CORRUPT, /* where and why */
	TEXT_COUNT
};
/* A format for printf, in the language of --lang, LC_ALL, LC_MESSAGES or LANG; in English without an invocation (NULL). */
const char *ralph_text(const struct invocation *inv, enum ralph_text text);

/* Where the project is, seen from where the command was typed. */
void ralph_where(struct arena *a, struct project_dirs *ret);
/* --session, else the session that the command runs in; absent when neither is known. */
struct str ralph_session(const struct invocation *inv);

/* A line whose text takes at most one %s. */
void ralph_print_line(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str what);
/* The lines about a loop that its beginning and its status have in common; the beginning's are English (NULL), as the model
 * reads them, too. */
void ralph_print(struct arena *a, const struct invocation *inv, struct str path, struct str owner,
		 struct str promise, uint64_t max_iterations);
/* Of one that can't be understood: why. */
void ralph_print_corrupt(struct arena *a, const struct invocation *inv, struct str path,
			 const struct err *why);
/* "1 h 02 min" since the loop began; absent when that is not known. */
struct str ralph_elapsed(struct arena *a, const struct loop_state *s);

#endif
