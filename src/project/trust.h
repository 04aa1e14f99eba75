/* SPDX-License-Identifier: MIT */
/* Which definitions of a directory count: those in the working tree or a pinned copy, and whether the user has agreed to
 * them. Nothing here runs them. */
#ifndef PROJECT_TRUST_H
#define PROJECT_TRUST_H

#include "project/definitions.h"
#include "store/trust.h"

/* What counts of the definitions in one directory. */
struct source {
	struct str root;                    /* the directory */
	struct str dir;                     /* where to read them: the root, or the pinned copy */
	const struct holdfast_file *native; /* of that directory; NULL: there is none */
	struct str problem;                 /* why none of them may be used; absent: they may */
	bool is_trusted;                    /* the user has agreed; else only the client may have asked */
	struct str since;                   /* when; absent: never */
	bool is_pinned;                     /* the copy is used */
	struct str from;                    /* the branch that the copy is of, where nobody has agreed */
	struct definitions now;             /* in the working tree */
	struct str differs; /* from the copy: names, for messages; absent: none, or not pinned */
};
/* Where to look which definitions a directory has: in its pinned copy, or in itself. Absent: the copy is gone. `has_pins`
 * is trust_has_pins(). */
struct str source_dir(struct arena *a, struct str root, bool has_pins);
/* Never fails: what could not be found out is a problem. */
void source_find(struct arena *a, struct str root, struct source *ret);

struct stop_settings;

/* As gates_load_hook(), of what source_find() has read: what was compared with earlier definitions is what is used. */
int source_load_gates(struct arena *a, const struct source *source, struct stop_settings *ret,
		      struct err *err) MUST_CHECK;

/* Where the pinned copy differs: has a fetch brought the definitions of the working tree, and does the remote's base branch, as
 * the copy names it, have them? Then the team has accepted them, and they are pinned now: *source is changed, and *ret_ref is that
 * branch. */
bool source_renew(struct arena *a, struct source *source, int64_t deadline_ms, struct str *ret_ref);

/* Where there is no record: pins what the remote's default branch defines here, as a fetch or the clone brought it. It is no
 * agreement of the user's. Without such a branch or definitions nothing happens. */
void source_pin_fetched(struct arena *a, struct str root, int64_t deadline_ms);

/* What is recorded of this directory: with its repository, for all work trees, or by its path alone. As trust_find(). */
int project_record(struct arena *a, struct str root, struct trust *ret, struct err *err) MUST_CHECK;
/* Forgets it, as trust_revoke(). */
int project_revoke(struct arena *a, struct str root, bool *ret_was_there, struct err *err) MUST_CHECK;

/* Records that the user agrees to these definitions. */
enum pin_wish { PIN_AS_BEFORE, PIN_YES, PIN_NO };
int project_trust(struct arena *a, struct str root, const struct definitions *d, enum pin_wish wish,
		  bool *ret_is_pinned, struct err *err) MUST_CHECK;

#endif
