/* SPDX-License-Identifier: MIT */
/* Which gates apply to a set of changes. Pure. */
#ifndef GATES_PLAN_H
#define GATES_PLAN_H

#include "base/pathglob.h"
#include "git/git.h"
#include "model/gate.h"

struct plan_facts {
	const struct gates_config *config;
	const struct str *changes; /* relative to the root, sorted */
	size_t change_count;
	bool is_ci;
	struct str_list gates; /* only gates of these names; empty: all */
	bool is_all; /* whatever has changed: `changes` are all files, and every gate applies in all of its directories */
	bool has_checks, has_reviews; /* which kinds to plan */
	/* Is the path a directory? Asked for entry points that end in a single star: each stands for every directory
	 * that matches it and contains a change. NULL: every such path is a directory. */
	bool (*is_directory)(const void *context, struct str path);
	const void *context;
};

/* In the order of the entry points, but the root first; for each entry point its checks and then its reviews. Where
 * several entry points have the same check in one working directory, or the same review for one path, it is planned
 * once. Several entries for one path each apply their own exclusions. */
struct job_list plan_jobs(struct arena *a, const struct plan_facts *f);
/* The same, after jobs that are planned already. */
void plan_add_jobs(struct arena *a, const struct plan_facts *f, struct job_list *jobs);

/* ---- parts of a plan, for gates that run whatever has changed ---- */

struct plan_builder {
	struct arena *arena;
	const struct plan_facts *facts;
	struct job_list jobs;
	size_t capacity;
	struct strset ids, parts;     /* of the jobs */
	const struct gate **gates[2]; /* the configuration's of each kind, sorted by name */
};
/* Begins with jobs that are planned already. */
struct plan_builder plan_builder(struct arena *a, const struct plan_facts *f, const struct job_list *jobs);

/* Adds the gates of an entry point at a path, except those already planned. */
void plan_add_entry(struct plan_builder *b, const struct entry_point *e, struct str path, struct str reason);

/* Which files are an entry point's, without its exclusions. */
struct plan_reach {
	struct str path; /* tidy */
	bool is_pattern;
	struct pathglob glob;
};
struct plan_reach plan_reach_of(struct arena *a, struct str path);
bool plan_reaches(const struct plan_reach *r, struct str file);
/* The range of the sorted files in which all those are that it reaches. */
struct plan_range {
	size_t from, to;
};
struct plan_range plan_range_of(const struct plan_reach *r, const struct str *files, size_t count);

/* Does the path end in a single star, so that it stands for directories? */
bool plan_is_for_directories(struct str path);

/* Where the check runs for an entry point, relative to the root. */
struct str plan_check_directory(const struct gate *c, struct str entry);

/* The id as part of a file name: every character except letters, digits, dots, dashes and underscores becomes an
 * underscore. A very long one is cut, and ends in a hash of all of it. */
struct str plan_file_part(struct arena *a, struct str id);

/* ---- key.c: what a result is about: a gate's definition and the files that it covers, as they were ---- */

/* Of everything that changed; absent where what it was compared with is not known. The contents must have been read. */
struct str content_key(struct arena *a, const struct change_list *changes);
/* The files that the last job was about. */
struct key_memory {
	const struct change_list *changes; /* NULL: there was no job yet */
	struct str entry;
	const struct str_list *patterns;
	struct str key;
};
/* Of a job; absent likewise. */
struct str job_key(struct arena *a, struct key_memory *m, const struct job *job,
		   const struct change_list *changes);

#endif
