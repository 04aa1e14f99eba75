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

/* dir/.claude/ralph-loop.<session>.local.md; without a session dir/.claude/ralph-loop.local.md, which is that of the first one in the
 * project. */
struct str loop_path(struct arena *a, struct str dir, struct str session);

/* A state file, open and locked. */
struct loop {
	struct locked_file file; /* fd -1: there is no file */
	struct str link;         /* the symbolic link to it; absent: none */
	struct str text;
	struct loop_state state;
	bool is_corrupt;
	struct err why_corrupt;
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

/* Why a session may not adopt a loop whose file names none; absent: it may. Not a file that came with the repository, nor one that
 * somebody else could have written: its prompt would become the agent's. Asks git. */
struct str loop_adoption_problem(struct arena *a, struct str path);

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

/* A usage limit has ended the session's turn, with this message: its loops note when it passes, if they are to go on then. Without
 * a message the user has typed a prompt in the session: its loops let the stop through that answers it. */
int loop_note(struct arena *a, const struct project_dirs *where, struct str session, struct str message,
	      struct err *err) MUST_CHECK;

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

/* ---- gather.c: the facts about a stop, from the event, the transcript, the clock and git ---- */

/* What follows from the facts, and those of them that people are told. */
struct loop_decision {
	enum loop_step step;
	const struct loop_outcome *promised; /* NULL: nothing */
	struct usage usage;                  /* with what is new since the last stop */
	struct str uncounted;    /* why a limit can't be checked; absent: it can, or there is none */
	uint64_t stuck_for;      /* so many iterations in a row got nowhere */
	const char *stuck_how;   /* what the last iterations have in common; NULL: they get somewhere */
	struct loop_edits edits; /* to be written with the next iteration */
};
/* `path` is the loop's file, `refusal` why the session may not adopt the loop; absent: it may. */
struct loop_decision loop_gather(struct arena *a, const struct loop_state *s, struct str path,
				 struct str refusal, const struct event *event, enum loop_proof proof);

/* ---- does the loop still get anywhere? By facts, not by what the agent says ---- */

/* What an iteration did. 0: not known. */
struct loop_trace {
	uint64_t message, tree; /* hashes of the final message and of the files that git does not ignore */
	bool has_no_tool;       /* it is certain that no tool was called */
};
/* The counts after an iteration that did this. Pure. */
struct loop_stuck loop_stuck_next(const struct loop_stuck *before, const struct loop_trace *now);
/* The longest of them, and what it is about, in words: "called no tool". Pure. */
uint64_t loop_stuck_longest(const struct loop_stuck *s, const char **ret_what);

/* ---- arguments.c: a prompt and options in the text after a slash command, which never went through a shell. Pure ---- */

struct loop_arguments {
	struct str prompt; /* byte for byte, without enclosing quotes; empty: none was given */
	struct str max_iterations, completion_promise, prompt_file, mode; /* absent: not given */
	bool is_forced;
};

/* A word outside quotes that begins with -- is an option, wherever it is. Its value follows = or is the next word, which may be
 * quoted. An unknown option is an error, so that a mistyped limit never becomes part of the prompt. After a lone --
 * everything is the prompt.
 *
 * The plugin's commands put a line %% before and after the text. Where the second is missing, part of the text was lost, which
 * is an error. Between the two, the backslash that the client puts before a ! at the start of a word is removed. */
int loop_arguments_parse(struct arena *a, struct str text, struct loop_arguments *ret,
			 struct err *err) MUST_CHECK;

#endif
