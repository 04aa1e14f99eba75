/* SPDX-License-Identifier: MIT */
/* The files that define what runs in a project: holdfast.yml and the prompts that it names, .conclaude.yaml, and everything in
 * .gauntlet. Reads them and compares them; which of them count is decided in trust.h. */
#ifndef PROJECT_DEFINITIONS_H
#define PROJECT_DEFINITIONS_H

#include "base/base.h"

struct holdfast_file;

struct definition {
	struct str
		name; /* what they are sorted by; relative to the root; control characters are replaced by '?' */
	struct str path;   /* relative to the root, as it is; absent where only the name is known */
	struct str digest; /* of the content; "-": the file can't be read; absent: ask definition_digest() */
	struct str text;   /* the content of a file that is loaded at every stop; absent: not kept */
};
struct definitions {
	struct definition *items; /* sorted by name */
	size_t count;
	const struct holdfast_file *native; /* as it was read; NULL: there is none */
};

/* Those below the root. A log_dir that config.yml puts into .gauntlet or .validator is left out. An error where there are more
 * than DEFINITIONS_LIMIT files or DEFINITIONS_LIMIT_BYTES. */
int definitions_read(struct arena *a, struct str root, struct definitions *ret, struct err *err) MUST_CHECK;
/* The same of texts at these paths; an absent one is no file. */
int definitions_of_texts(struct arena *a, struct str root, const struct str_list *paths,
			 const struct str *texts, struct definitions *ret, struct err *err) MUST_CHECK;
/* To compute it takes longer than all else that is done before a tool, where nobody asks for it. `a` lives as long as the
 * definition, which keeps it. */
struct str definition_digest(struct arena *a, struct definition *d);
/* The text of the file at a path relative to the root; absent: it was not kept. */
struct str definitions_kept(const struct definitions *d, struct str path);
/* The paths that they are below, relative to the root: those that may exist in any project, and the prompts. NULL-terminated.
 */
const char *const *definitions_paths(struct arena *a, const struct definitions *d);
/* Is there any file of definitions, without reading one? */
bool definitions_exist(struct str root);

/* May what the definitions say be run? The root, each directory in .gauntlet and each file must be safe
 * (fs_check_safe()). The error names the first that is not. */
int definitions_check_safe(struct arena *a, struct str root, const struct definitions *d,
			   struct err *err) MUST_CHECK;

/* A line for each file: its digest, a blank, its name. The same definitions give the same text. */
struct str definitions_text(struct arena *a, const struct definitions *d);
/* The reverse; a line of another form is skipped. The names and digests point into the text. */
struct definitions definitions_parse(struct arena *a, struct str text);
/* The names of those that were changed, added or removed, sorted. Pure. */
struct str_list definitions_changed(struct arena *a, const struct definitions *old,
				    const struct definitions *new);
/* The same as a text for messages: a, b, c and 4 more. Absent: none. */
struct str definitions_changed_text(struct arena *a, const struct definitions *old,
				    const struct definitions *new);

#endif
