/* SPDX-License-Identifier: MIT */
/* Protected files by effect: what they were when the user sent a prompt, what they are now, and how to put them back. However a
 * file was changed, by whatever program, it shows here. */
#ifndef GUARDS_PROTECTED_PROTECTED_H
#define GUARDS_PROTECTED_PROTECTED_H

#include "model/guard.h"
#include "os/fs.h"

struct protected_file {
	struct str path;   /* relative to the root */
	enum fs_kind kind; /* nothing: it was not there, and has appeared since */
	struct fs_facts facts;
	struct str digest; /* of the content, a link's included; absent: it has none, or can't be read */
	struct str target; /* of a link */
	bool is_settled;   /* the facts are enough to know that the content is the same */
	bool is_violated;  /* it was found changed, and has not been put back since */
};
struct protected_files {
	struct protected_file *items; /* sorted by path, each once */
	size_t count;
};

/* The rules that hold by effect: those for all agents, since nobody can see who has changed a file. */
struct protected_rules {
	struct str root;
	const struct guard_rule_list *list;
	struct gate_patterns *patterns;
	struct str_list bases; /* what is below these, relative to the root, may be protected */
	bool is_wide;          /* a pattern may match anywhere, so that all directories are looked at */
};
struct protected_rules protected_rules_of(struct arena *a, struct str root,
					  const struct guard_rule_list *list);
/* What the rule for this file says to do instead; absent: nothing. */
struct str protected_message(const struct protected_rules *rules, struct str path);

/* What is there now. A digest of `then` is used again for a file that is the same. With `is_quick`, names that may be anywhere are
 * not searched for: only the files of `then`, and those below the other bases. */
int protected_look(struct arena *a, const struct protected_rules *rules, const struct protected_files *then,
		   bool is_quick, struct protected_files *ret, struct err *err) MUST_CHECK;

/* ---- comparing: pure ---- */

enum protected_how {
	PROTECTED_CHANGED,
	PROTECTED_MODE,
	PROTECTED_TYPE,
	PROTECTED_APPEARED,
	PROTECTED_VANISHED
};
struct protected_change {
	enum protected_how how;
	const struct protected_file *then, *now; /* NULL: nothing was, or is, known of it */
};
struct protected_changes {
	struct protected_change *items; /* sorted by path */
	size_t count;
};
struct protected_changes protected_compare(struct arena *a, const struct protected_files *then,
					   const struct protected_files *now);
/* Notes that these were found; others of the files are no violations, or no more. */
void protected_mark(struct arena *a, struct protected_files *files, const struct protected_changes *changes);
/* The user has accepted these: the files count as they are now. */
void protected_accept(struct arena *a, struct protected_files *files,
		      const struct protected_changes *changes);
/* After a prompt: what is there now, but what it was for files that were changed and not put back. */
struct protected_files protected_renew(struct arena *a, const struct protected_files *then,
				       const struct protected_files *now);
struct str protected_path(const struct protected_change *c);
/* "changed", "deleted", ... */
struct str protected_words(struct arena *a, const struct protected_change *c);
/* The lines that differ, with - and +, at most `lines` of them; empty where they are no text. */
struct str protected_diff(struct arena *a, struct str then, struct str now, size_t lines);

/* ---- state.c: kept outside of the project, for each session ---- */

struct protected_state {
	struct str root, owner;
	bool exists;
	struct protected_files files;
	struct str told; /* a hash of the changes that the agent was told of after a tool; absent: none */
	int64_t taken_us;
};
/* A state that can't be understood does not exist. */
void protected_load(struct arena *a, struct str root, struct str owner, struct protected_state *ret);
/* The newest one of the project, of any session. */
void protected_load_newest(struct arena *a, struct str root, struct protected_state *ret);
/* With a copy of the content of each file that has none yet. */
int protected_save(struct arena *a, const struct protected_state *s, struct err *err) MUST_CHECK;
/* At the end of a session. */
int protected_forget(struct arena *a, struct str owner, struct err *err) MUST_CHECK;
/* The content that a digest stands for; absent: there is no copy. */
struct str protected_content(struct arena *a, struct str root, struct str digest);
/* Puts one file back as it was. What is there now is kept first; *ret_kept is where, absent if nothing was there. */
int protected_restore(struct arena *a, struct str root, const struct protected_change *c,
		      struct str *ret_kept, struct err *err) MUST_CHECK;

#endif
