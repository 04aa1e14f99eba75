/* SPDX-License-Identifier: MIT */
/* What git says, read. Pure. */
#ifndef GIT_PARSE_H
#define GIT_PARSE_H

#include "base/base.h"

#include "base/path.h"

struct change_entry {
	struct str path;   /* relative to the root */
	char status;       /* git's letter; ? is untracked */
	struct str mode;   /* of the old side, of a diff */
	struct str object; /* likewise */
	bool is_doubtful; /* git saw another time or size on disk and the same mode, and may not have looked further */
	enum { COUNTS_NONE, COUNTS_LINES, COUNTS_BINARY } counts;
	uint64_t lines_removed;
};

/* Entries in any order until change_set_settle(). Texts are views of git's answer. */
struct change_set {
	struct arena *arena;
	struct str hidden; /* this path and what is below it is left out; absent: nothing is */
	struct change_entry *items;
	size_t count, capacity;
	uint64_t lines_added, lines_removed;
};

void change_set_add(struct change_set *set, struct change_entry entry);
/* Of diff --raw --numstat -z without renames; either kind of record may be missing. */
int change_set_read_diff(struct change_set *set, struct str answer, struct err *err) MUST_CHECK;
/* Of ls-files --others -z. A repository in the repository is one path, without the slash at its end and with
 * the mode 160000. */
void change_set_read_untracked(struct change_set *set, struct str answer);
/* Takes out what git only listed because of its time: what has no counted lines is the same; of binary files and
 * of repositories that can't be told, they are moved to ret_open. */
void change_set_sift(struct change_set *set, struct change_set *ret_open);
/* Sorted by path, each path once. One that is there with several letters was modified; one that is both gone from
 * the index and untracked too. */
void change_set_settle(struct change_set *set);

/* The branch in the text of a HEAD file, or in the full name of a ref. HEAD when detached; absent when the file does
 * not tell. */
struct str branch_of_head(struct str text);
struct str branch_of_ref(struct str ref);

#endif
