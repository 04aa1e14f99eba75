/* SPDX-License-Identifier: MIT */
/* The life of a loop on disk: finding its file, changing it under its lock, ending it. */
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
	struct locked_file file; /* fd -1: there is none at the path */
	struct str link;         /* the link that led to it; absent: none did */
	struct str text;
	struct loop_state state;
	bool is_corrupt;
	struct err why_corrupt;
};
/* A file that can't be opened or locked is an error; one that can't be understood is_corrupt. */
int loop_open(struct arena *a, struct str path, struct loop *ret, struct err *err) MUST_CHECK;
void loop_close(struct loop *l);

/* Ends the loop: into the history, and its file away. `passes` are those that were completed. */
int loop_end(struct arena *a, struct loop *l, struct str path, uint64_t passes, const char *reason,
	     struct err *err) MUST_CHECK;

/* This stop's verdict by the loop that the session owns, the nearest first. False: no loop here is anybody's
 * business at this stop. */
bool loop_stop(struct arena *a, const struct project_dirs *where, const struct event *event,
	       struct verdict *ret);

/* What is wrong with a file: PATH:LINE:COLUMN: what, or PATH: what. */
struct str loop_problem(struct arena *a, struct str path, const struct err *why);

/* "3 of 50", "3" without a limit. */
struct str loop_pass(struct arena *a, uint64_t iteration, uint64_t max);

#endif
