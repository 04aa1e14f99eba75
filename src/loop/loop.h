/* SPDX-License-Identifier: MIT */
/* Loops on disk: finds their files, changes them under their locks, ends them. */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "model/event.h"
#include "model/status.h"
#include "os/locked.h"
#include "project/project.h"
#include "loop/state.h"

#define LOOP_LOCK_MS 5000

/* dir/.claude/ralph-loop.local.md, or, for a session that is not the first in the project,
 * dir/.claude/ralph-loop.<session>.local.md. */
struct str loop_path(struct arena *a, struct str dir);
struct str loop_session_path(struct arena *a, struct str dir, struct str session);

/* A state file, open and locked. */
struct loop {
	struct locked_file file; /* fd -1: there is no file */
	struct str link;         /* the symbolic link to it; absent: none */
	struct str text;
	struct loop_state state;
	bool is_corrupt;
	struct err why_corrupt;
	bool is_dry; /* nothing is written */
};
/* A file that can't be opened or locked is an error; one that does not parse is_corrupt. */
int loop_open(struct arena *a, struct str path, struct loop *ret, struct err *err) MUST_CHECK;
void loop_close(struct loop *l);

/* Ends the loop: records that and removes its file. `iterations` were completed. */
int loop_end(struct arena *a, struct loop *l, struct str path, uint64_t iterations, const char *reason,
	     struct err *err) MUST_CHECK;

/* Writes a new loop in place of the one that is there, whose end is recorded. */
int loop_replace(struct arena *a, struct str path, struct str text, struct err *err) MUST_CHECK;

/* Ends a loop whose file is corrupt: renames the file to *ret, so that it no longer counts and can still be repaired. */
int loop_set_aside(struct arena *a, const struct loop *l, struct str path, struct str *ret,
		   struct err *err) MUST_CHECK;

/* How the verification of a promise ended, in words: what passed, what failed with the lines that say why, or why nothing was
 * run. */
struct loop_verified {
	enum loop_proof proof;
	struct str text;
};
/* A stop. */
struct loop_call {
	const struct event *event;
	bool is_dry; /* nothing is changed */
	/* Runs what the loop in the file verifies. The loop is not locked meanwhile. */
	struct loop_verified (*verify)(void *context, struct str path, const struct loop_options *o);
	void *context;
};
/* The verdict on this stop by the loop that the session owns; the nearest loop counts. False: no loop concerns this stop. */
bool loop_stop(struct arena *a, const struct project_dirs *where, const struct loop_call *call,
	       struct verdict *ret);

/* The user has typed a prompt in the session: its loops let the stop through that answers it. */
int loop_note_prompt(struct arena *a, const struct project_dirs *where, struct str session,
		     struct err *err) MUST_CHECK;

/* A usage limit has ended the session's turn, with this message: its loops note when it passes, if they are to go on then. */
int loop_note_limit(struct arena *a, const struct project_dirs *where, struct str session, struct str message,
		    struct err *err) MUST_CHECK;
/* When the limit passes, by the client's message. False: that does not say. Asks only for the time zone. */
bool loop_limit_time(struct str message, int64_t now_us, int64_t *ret_us);

/* What is wrong with a file: PATH:LINE:COLUMN: what, or PATH: what. */
struct str loop_problem(struct arena *a, struct str path, const struct err *why);

/* "3 of 50"; "3" without a limit. */
struct str loop_progress(struct arena *a, uint64_t iteration, uint64_t max);

/* A loop of the project, read without its lock. */
struct loop_ref {
	struct str path;
	struct loop_state state;
	bool is_corrupt;
	struct err why_corrupt;
};
struct loop_refs {
	struct loop_ref *items;
	size_t count;
};
/* Every .claude/ralph-loop*.local.md in the directories, nearest first. Directories that can't be read are skipped. */
void loops_find(struct arena *a, const struct project_dirs *where, struct loop_refs *ret);

#endif
