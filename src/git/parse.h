/* SPDX-License-Identifier: MIT */
/* Parses git's output. Pure. */
#ifndef GIT_PARSE_H
#define GIT_PARSE_H

#include "base/base.h"

struct change_entry {
	struct str path;   /* relative to the root */
	char status;       /* git's letter; ? is untracked */
	struct str mode;   /* of the old side, of a diff */
	struct str object; /* likewise */
	struct str new_mode,
		new_object; /* of the new side; the object is absent where git has not hashed the file */
	bool is_uncertain; /* git saw another time or size and the same mode; it may not have compared the content */
	enum { COUNTS_NONE, COUNTS_LINES, COUNTS_BINARY } counts;
	uint64_t lines_removed;
};

/* Entries in any order until change_set_settle(). Texts are views of git's answer. */
struct change_set {
	struct arena *arena;
	struct str
		hidden; /* this path and everything below it are left out, as loop files are; absent: none is */
	struct change_entry *items;
	size_t count, capacity;
	uint64_t lines_added, lines_removed;
};

void change_set_add(struct change_set *set, struct change_entry entry);
/* Reads diff --raw --numstat -z without renames; either kind of record may be missing. */
int change_set_read_diff(struct change_set *set, struct str answer, struct err *err) MUST_CHECK;
/* Reads ls-files --others -z. A nested repository is one path, without its trailing slash and with mode 160000. */
void change_set_read_untracked(struct change_set *set, struct str answer);
/* Removes files that git listed only because of their times: those without counted lines are unchanged. Binary files and
 * repositories may have changed; they are moved to ret_open. */
void change_set_sift(struct change_set *set, struct change_set *ret_open);
/* Sorts by path and merges entries of one path. Entries with different letters become 'M', also 'D' and untracked. */
void change_set_settle(struct change_set *set);

/* The branch in the text of a HEAD file, or in the full name of a ref. "HEAD" if detached; absent if the file does not
 * contain it. */
struct str branch_of_head(struct str text);
struct str branch_of_ref(struct str ref);

#endif
