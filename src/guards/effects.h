/* SPDX-License-Identifier: MIT */
/* What a simple command does to files, and whether it destroys work, by tables of programs. Pure. */
#ifndef GUARDS_EFFECTS_H
#define GUARDS_EFFECTS_H

#include "shell/shell.h"

enum effect_kind {
	EFFECT_READ,
	EFFECT_WRITE,  /* makes or changes it */
	EFFECT_EMPTY,  /* leaves nothing of what was in it */
	EFFECT_DELETE, /* or moves it away */
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
	bool is_move;       /* of a deletion: it is somewhere else then */
	bool must_exist;    /* else it is a word of another kind, such as a branch */
	bool may_be_dir;    /* if it is a directory, the file in it with the name of `source` is meant */
	struct str source;  /* of a copy or move; absent: none */
	bool is_chosen;     /* what is below it was chosen, file by file */
	bool takes_below;   /* of chosen directories, what is in them too */
	struct str
		named; /* of what is below it, only files of such a name, a glob; with a slash in front, of such a path; absent: all */
	struct effect_filter filter;
};
struct effects {
	struct effect *items;
	size_t count, capacity;
};

void effects_of(struct arena *a, const struct sh_command *c, struct effects *ret);

/* The same on the files that another command chose. */
void effects_of_selection(struct arena *a, const struct sh_command *selection, const struct effect *like,
			  struct effects *ret);

/* An act that destroys work. */
enum act_verdict { ACT_DENY, ACT_ASK };
struct act {
	const char *name; /* such as git-reset-hard */
	enum act_verdict verdict;
	const char *what;    /* it does */
	const char *instead; /* what to do */
	const char *option;  /* which makes it destructive: a rule that allows it names it; NULL: none */
};
/* NULL: none. What is deleted by rm and its like is in effects. */
const struct act *act_of(const struct sh_command *c);
/* The same for data outside of files: databases, services, other version control. */
const struct act *data_act_of(const struct sh_command *c);

/* Code of another language that the command has in its arguments or reads from the line; absent: none. */
struct str inline_code(const struct sh_command *c);
/* Does it have words that delete files, or that run commands? */
bool code_destroys(struct str code);
bool code_writes(struct str code);

/* ---- internal ---- */

struct effect *effect_add(struct arena *a, struct effects *e, enum effect_kind kind,
			  const struct sh_arg *path);
void effect_add_all(struct arena *a, struct effects *e, enum effect_kind kind, const struct sh_arg *list,
		    size_t count, bool is_recursive);
/* The argument without its first bytes. */
struct sh_arg effect_arg_from(const struct sh_arg *arg, size_t from);
void effect_add_git(struct arena *a, const struct sh_command *c, struct effects *e);
void effect_add_find(struct arena *a, const struct sh_command *c, struct effects *e);
/* tar and its like; the list has the operands */
void effect_add_unpacked(struct arena *a, const struct sh_command *c, struct effects *e,
			 const struct sh_arg *list, size_t count);
/* What it reads below directories; the list has the files of the command. */
void effect_add_trees(struct arena *a, const struct sh_command *c, struct effects *e,
		      const struct sh_arg *list, size_t count);
/* Is the value of the option a pattern of names that it leaves out or reads? */
bool effect_takes_pattern(const struct sh_command *c, struct str option);
/* grep -l: what is in a file is not shown. */
bool effect_prints_names_only(const struct sh_command *c);
/* curl -d @file, -F x=@file, -T file */
void effect_add_uploads(struct arena *a, const struct sh_command *c, struct effects *e);

/* ---- for rules too ---- */

/* The words of the command without options in front of the first word that is none: `git -C x push` is `git push`. */
struct words {
	struct str items[64];
	size_t count;
	uint64_t unknown; /* bit i: a part of word i is not known */
};
struct words words_of(const struct sh_command *c);
/* Is the option there: a long one by an abbreviation too, a short one in a cluster. */
bool has_option(const struct sh_command *c, const char *option);

#endif
