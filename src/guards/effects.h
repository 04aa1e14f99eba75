/* SPDX-License-Identifier: MIT */
/* What a simple command does to files, by the rows of shell/programs.def. Pure. */
#ifndef GUARDS_EFFECTS_H
#define GUARDS_EFFECTS_H

#include "shell/programs.h"

enum effect_kind {
	EFFECT_READ,
	EFFECT_USE,    /* reads it, and does not print it as far as is known */
	EFFECT_WRITE,  /* makes or changes it */
	EFFECT_EMPTY,  /* leaves nothing of what was in it */
	EFFECT_DELETE, /* or moves it away */
	EFFECT_MAKE,   /* it is there afterwards: of directories */
};

/* Which files a command leaves out of those below a directory. Patterns are for a name, or for a path below. */
struct effect_filter {
	struct str_list only, except;
	bool skips_hidden, skips_ignored; /* those whose name begins with a dot; those that git ignores */
	const char *how; /* the option that leaves out a name, up to the name; NULL: it has none */
};

struct effect {
	enum effect_kind kind;
	struct sh_arg path; /* as the command has it */
	bool is_recursive;  /* everything below it too */
	bool is_move;       /* of a deletion: it is somewhere else then; of a change: that is here */
	bool is_edit;       /* of a change: the rest of the file stays, or the line itself has the new text */
	bool must_exist;    /* else it is a word of another kind, such as a branch */
	bool may_be_dir;    /* if it is a directory, the file in it with the name of `source` is meant */
	struct str source;  /* of a copy or move; absent: none */
	bool is_chosen;     /* what is below it was chosen, file by file */
	bool takes_below;   /* of chosen directories, what is in them too */
	/* of what is below it, only files of such a name, a glob; with a slash in front, of such a path; absent: all */
	struct str named;
	bool is_printed;   /* of a read: the program is one that prints what it reads */
	struct str search; /* of a read: only lines that match it are printed; absent: all of it is read */
	struct effect_filter filter;
};
struct effects {
	struct arena *arena;
	struct effect *items;
	size_t count;
};

struct effects effects_of(struct arena *a, const struct sh_words *w);

/* Adds such effects, by kind, filter and takes_below, on the files that another command chose. */
void effects_of_selection(const struct sh_command *selection, const struct effect *like, struct effects *ret);

/* ---- internal ---- */

/* Adds one, valid until the next one; the caller may say more about it. */
struct effect *effect_add(struct effects *e, enum effect_kind kind, struct sh_arg path);

#endif
