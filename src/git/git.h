/* SPDX-License-Identifier: MIT */
/* Asking git: by argv, never a shell, with paths separated by NUL, the user's configuration kept out of what we
 * parse, and the environment of a surrounding git kept out of where we look. */
#ifndef GIT_GIT_H
#define GIT_GIT_H

#include "model/gate.h"

struct repository {
	struct str
		root; /* where gates run: paths are given relative to this directory, which may be below the top */
	int64_t deadline_ms; /* on clock_mono_ms(); 0: none */
};

/* A failure to ask is never a no: the reason for UNKNOWN is in the caller's struct err. */
enum git_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

/* Where HEAD is; branch is HEAD when detached, commit and its tree are absent in a repository without commits. Bytes of a
 * branch that are no UTF-8 are replaced, here and below: it is compared with one that was kept in a file of JSON. */
struct git_head {
	struct str branch, commit, tree;
	struct str index; /* the path of the repository's */
};
/* The branch without asking git, by reading .git/HEAD (worktrees too): for the hook's early decisions. Absent: it
 * can't be told. */
struct str git_branch_now(struct arena *a, struct str root);
/* A name that no commit can have is answered by no. */
enum git_answer git_has_commit(struct arena *a, const struct repository *r, struct str commit,
			       struct err *err) MUST_CHECK;
enum git_answer git_is_ancestor(struct arena *a, const struct repository *r, struct str commit, struct str of,
				struct err *err) MUST_CHECK;

/* What to compare. */
enum change_mode {
	CHANGES_LOCAL,       /* from where HEAD left the base to the working tree, and what is untracked */
	CHANGES_CI,          /* base...head */
	CHANGES_COMMIT,      /* what one commit did */
	CHANGES_UNCOMMITTED, /* staged, not staged, untracked */
	CHANGES_SINCE, /* everything since a snapshot or commit, committed or not, and what is untracked */
};
struct change_spec {
	enum change_mode mode;
	struct str base;        /* of LOCAL and CI */
	struct str head;        /* of CI; absent: HEAD */
	struct str commit;      /* of COMMIT and SINCE */
	struct str log_dir;     /* never part of the changes: relative to root, or absolute */
	struct str_list except; /* nor of a diff's text, a few files at most: relative to root */
};
struct change_list {
	struct str *items; /* relative to root, any bytes, sorted, each once; new and old name of a rename */
	size_t count;
	struct str
		warning; /* such as that the base does not exist and what was taken instead; absent: none */
	struct str
		base_used; /* what was compared with, for the log; "uncommitted", "root", "the empty tree" */
	struct str
		doubt; /* why each file that may differ counts as changed, without its lines; absent: none does */
	size_t added, modified, deleted;
	uint64_t lines_added, lines_removed;
};
/* By as few git processes as possible, side by side. */
int git_changes(struct arena *a, const struct repository *r, const struct change_spec *spec,
		struct change_list *ret, struct err *err) MUST_CHECK;
/* What changed, where HEAD is, and whether a commit is in the base, all asked at once. */
struct repo_status_spec {
	struct change_spec changes;
	struct str commit, base; /* absent: nobody wants to know */
};
struct repo_status {
	struct change_list changes;
	struct git_head head;
	enum git_answer is_in_base;
	struct err in_base_err; /* why that is unknown */
};
int git_status(struct arena *a, const struct repository *r, const struct repo_status_spec *spec,
	       struct repo_status *ret, struct err *err) MUST_CHECK;

/* A commit of the working tree as it is, untracked files included; head where it has the same files. Neither index nor
 * stash nor any ref is changed. What is in log_dir, outside of root or can't be read is as in the index. */
struct snapshot_spec {
	const struct git_head *head;
	struct str log_dir;
	struct str base; /* absent: nobody wants to know whether head is in it */
};
struct snapshot {
	struct str commit;
	enum git_answer is_head_in_base;
};
int git_snapshot(struct arena *a, const struct repository *r, const struct snapshot_spec *spec,
		 struct snapshot *ret, struct err *err) MUST_CHECK;

/* The text of the changes below `path`, for reviewers: unified, prefixes a/ and b/, no colour, no external tools,
 * untracked files as new ones; at most limit bytes. */
int git_diff(struct arena *a, const struct repository *r, const struct change_spec *spec, struct str path,
	     size_t limit, struct str *ret, bool *ret_is_cut, struct err *err) MUST_CHECK;

#endif
