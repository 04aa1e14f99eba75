/* SPDX-License-Identifier: MIT */
/* The files that can configure a project, and every fact in which a project with one of them differs from a project with
 * another. Code asks for the fact that it needs, never for the file's origin. */
#ifndef MODEL_DIALECT_H
#define MODEL_DIALECT_H

#include "base/base.h"

struct dialect {
	/* ---- files, from the root; NULL: it has none ---- */
	const char *file;             /* is there where the project has this configuration */
	const char *dir;              /* holds all of its files; `file` where that is the only one */
	const char *checks, *reviews; /* directories of gates */
	const char *ci;               /* what runs in CI */
	bool configures_alone; /* it has gates and policies, each of them optional; other files have no effect */

	/* ---- defaults ---- */
	const char *log_dir;
	const char *rerun_threshold;
	int64_t interval_minutes; /* after a run, in which a stop does not run the gates again; 0: none */
	int64_t check_timeout_ms; /* -1: not set */
	bool checks_are_parallel;
	bool reverifies; /* a stop after a block runs the gates again */

	/* ---- runs ---- */
	bool waits_for_run; /* a stop waits for a run that is in progress and shares its results; else it is allowed */
	bool reuses_passes; /* a stop does not run a gate again for the content for which it has passed */
	bool starts_with_all_files; /* before the first run, every file counts as changed */
	bool fills_in_files;        /* {files} in a command is the changed files */
	bool drops_context_mark;    /* {{CONTEXT}} is taken out of prompts */
	bool may_have_no_places;    /* an empty list of entry points is no error */
	bool has_own_ignore;        /* the log directory has a .gitignore that ignores all of it */
	const char *lock;           /* a file in the log directory */

	/* ---- words ---- */
	bool has_plain_texts; /* messages, console and lists are holdfast's own; else as scripts expect them from the original */
	bool shows_ids;  /* a gate is named by its id, check:.:lint */
	const char *app; /* in notifications */
	const char *worktree_key, *permissions_key, *additions_key; /* in messages */
	const char *denied;                                         /* a tool */
};

enum dialect_id { DIALECT_HOLDFAST, DIALECT_GAUNTLET, DIALECT_VALIDATOR, DIALECT_CONCLAUDE, DIALECT_COUNT };
extern const struct dialect dialects[DIALECT_COUNT];

#endif
