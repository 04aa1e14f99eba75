/* SPDX-License-Identifier: MIT */
/* Runs of git, several side by side. */
#ifndef GIT_GIT_SPAWN_H
#define GIT_GIT_SPAWN_H

#include "base/buf.h"
#include "git/git.h"
#include "os/proc.h"

#define GIT_ARGS_MAX 32

/* One run: filled with git_args(), git_arg() and, where wanted, the next five; the rest is what came of it. */
struct git_job {
	const char *args[GIT_ARGS_MAX];
	size_t count;
	const char *index;        /* another index file; NULL: the repository's own */
	struct str_list settings; /* KEY=VALUE each, over those of ours and the user's */
	struct str input;         /* absent: none */
	size_t limit;             /* of its output; 0: GIT_OUTPUT_LIMIT_BYTES */
	bool may_be_cut;          /* what is beyond the limit is not wanted; else it is an error */
	struct buf out, stderr_text;
	struct proc_result end;
	int code; /* its exit code */
};

/* The words of a list that ends in NULL. They are not copied. */
void git_args(struct git_job *job, const char *const *words);
void git_arg(struct git_job *job, const char *word);
#define GIT_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The words of the questions that more than one asks. */
#define GIT_NAMES_OPTIONS "--raw", "--no-abbrev", "-z", "--no-renames", "--relative"
#define GIT_DIFF_OPTIONS GIT_NAMES_OPTIONS, "--numstat", "--no-ext-diff", "--no-textconv"
#define GIT_TREE_ARGS "diff-tree", "--root", "-r", "--no-commit-id", "--diff-merges=first-parent"
#define GIT_UNTRACKED_ARGS "ls-files", "--others", "--exclude-standard", "-z"

/* Fails when one could not be run to its end; its exit code is for the caller to judge. */
int git_run(struct arena *a, const struct repository *r, struct git_job *jobs, size_t count,
	    struct err *err) MUST_CHECK;
/* One alone, which must end with code 0. */
int git_run_one(struct arena *a, const struct repository *r, struct git_job *job, struct err *err) MUST_CHECK;
/* The error of one that ended with a code that can't be right: what git said. Always -1. */
int git_error(const struct git_job *job, struct err *err);
/* The first line of what it said, without its end; empty where there is none. */
struct str git_line(struct arena *a, const struct git_job *job);

/* Can it be given to git as a name of a commit? Not what could be an option, a range or several lines. */
bool git_is_commit_name(struct str name);

/* log_dir relative to root, without needless parts; absent when it is none of the root's. */
struct str git_log_dir(struct arena *a, struct str root, struct str log_dir);

#endif
