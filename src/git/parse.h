/* SPDX-License-Identifier: MIT */
/* Parses git's output. Pure. */
#ifndef GIT_PARSE_H
#define GIT_PARSE_H

#include "git/git.h"

struct change_entry {
	struct str path;              /* relative to the root */
	char status;                  /* git's letter; ? is untracked */
	struct changed_file old, new; /* both sides */
	bool is_compared;             /* the content is known to differ from that of HEAD */
};

/* Entries in any order until change_set_settle(). Texts are views of git's answer. */
struct change_set {
	struct arena *arena;
	struct str
		hidden; /* this path and everything below it are left out, as loop files are; absent: none is */
	struct change_entry *items;
	size_t count;
};

void change_set_add(struct change_set *set, struct change_entry entry);
/* Reads diff --raw -z without renames. */
int change_set_read_diff(struct change_set *set, struct str answer, struct err *err) MUST_CHECK;
/* Reads status --porcelain=v2 -z --branch without renames, of which the paths are relative to the top of the work tree:
 * `prefix` is the root's own, with a slash at its end. The old side is HEAD's. */
int change_set_read_status(struct change_set *set, struct str answer, struct str prefix,
			   struct err *err) MUST_CHECK;
/* The commit of HEAD in such an answer; absent: there is none. */
struct str head_of_status(struct str answer);
/* Reads ls-files --others -z. A nested repository is one path, without its trailing slash and with mode 160000. */
void change_set_read_untracked(struct change_set *set, struct str answer);
/* Sorts by path and merges entries of one path. Entries with different letters become 'M', or '?' if one of them is untracked;
 * the old side is that of the first, the new one that of the last. */
void change_set_settle(struct change_set *set);

/* What to do with files that are in the index in one way and in the working tree in another. */
struct join_rules {
	bool keeps_staged;       /* what is staged counts, even if it was undone in the working tree */
	bool compares_untracked; /* an untracked file that the old side has counts only if it differs */
};
/* Joins the changes from some tree to HEAD (`trees`) with those from HEAD to the working tree (`files`); both are settled.
 * Those about which git has not said whether the content differs go to ret_open. */
void change_set_join(const struct change_set *trees, const struct change_set *files,
		     const struct join_rules *rules, struct change_set *ret, struct change_set *ret_open);

/* A record of --numstat, "<added> TAB <removed> TAB <path>"; 0 for the dashes of a binary file. False: it is none. */
bool numstat_read(struct str record, struct str *ret_path, struct line_counts *ret);

/* Is it the whole name of an object? */
bool is_object_name(struct str x);
/* The branch in the text of a HEAD file, or in the full name of a ref. "HEAD" if detached; absent if the file does not
 * contain it. */
struct str branch_of_head(struct str text);
struct str branch_of_ref(struct str ref);

#endif
