/* SPDX-License-Identifier: MIT */
/* The results journal of a project: one file of JSON lines to which runs append. It lies under the user's state
 * directory, where `git clean` and `rm -rf` in the project do not reach it. Where that can't be written, lines go to
 * .results.jsonl in the log directory until it can be. Writers hold the lock of the log directory. */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include "os/fs.h"
#include "record/logdir.h"

struct journal {
	struct str path;  /* under the state directory; absent: there is no home directory */
	struct str local; /* in the log directory */
	bool is_ready; /* this process has appended to the first: it ends with a line, and the other one is gone */
	struct fs_facts read,
		local_read; /* both files as they were when they were read; empty: there was none */
};
/* Another file about the project, next to the journal; absent: there is no home directory. */
struct str journal_beside(struct arena *a, struct str root, const char *name);
struct journal journal_of(struct arena *a, struct str root, const struct logdir *d);

/* Every line; absent: there is no journal. A last line that is not complete is left out. */
int journal_read(struct arena *a, struct journal *j, struct str *ret, struct err *err) MUST_CHECK;
/* It has been read, and nobody has written to it since. */
bool journal_is_as_read(const struct journal *j);
/* Lines, each with its newline, in one write. *ret_is_local: they went to the log directory. */
int journal_append(struct arena *a, struct journal *j, struct str lines, bool *ret_is_local,
		   struct err *err) MUST_CHECK;
/* Puts these lines in the place of all others. */
int journal_replace(struct arena *a, const struct journal *j, struct str lines, struct err *err) MUST_CHECK;

/* ---- where work started, or where all gates had passed last: a small file beside the journal ---- */

/* What stands for a session in place of a branch; absent without a session. No branch has such a name. */
struct str start_key_of_session(struct arena *a, struct str session);
/* The commit that is noted for the branch; absent: none. */
struct str start_commit(struct arena *a, struct str root, struct str branch);
/* Notes a commit. One that is noted already stays, unless `replaces`. */
int start_note(struct arena *a, struct str root, struct str branch, struct str commit, bool replaces,
	       struct err *err) MUST_CHECK;

#endif
