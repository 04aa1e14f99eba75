/* SPDX-License-Identifier: MIT */
/* The simple commands that a command line comes to: those in loops, functions and substitutions too, and those that programs such
 * as env, xargs, find and sh run. What only the shell will know is marked. Runs nothing, and asks no file system. */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "base/base.h"

/* Bytes that stand for a text of any length in a word. */
#define SH_HOLE '\xFF'     /* the outcome of a command */
#define SH_HOLE_ENV '\xFE' /* a variable that the line does not set */

struct sh_arg {
	struct str text; /* quotes removed, variables filled in as far as they are known */
	struct str source;
	bool is_unknown; /* it has a hole */
	bool has_glob;   /* files may be matched */
};

struct sh_file {
	struct sh_arg path;
	bool is_read, is_written, is_appended;
};

struct sh_command {
	struct sh_arg *args; /* the program and its arguments; none: only redirections */
	size_t count;
	struct sh_file *files; /* of redirections, apart from those to descriptors */
	size_t file_count;
	struct str_list assignments; /* name=value before the program */
	struct str cwd;              /* absolute; it may have a hole */
	bool may_be_elsewhere;       /* a cd before it may have failed: then it runs where the line began */
	bool is_wrapper;             /* it only runs the command after it */
	bool is_nested;              /* a program or a shell in the line runs it */
	bool is_in_script;           /* a file that the line names runs it */
	bool is_elsewhere; /* on another machine or in a container: its files are not those of here */
	bool is_piped;     /* it reads what another command prints */
	bool has_text;     /* a here-document of its own is its input */
	bool is_fed; /* what is unknown in its arguments comes from a list that it is given: of xargs, of read */
	const struct sh_command *selection; /* has chosen what is unknown in its arguments; or NULL */
	struct str input;   /* what it reads from stdin, as far as that is in the line; absent: not known */
	struct str problem; /* why it is unknown what this runs; absent: it is known */
};

struct sh_script {
	struct sh_command *items;
	size_t count;
	struct str problem; /* why the line could not be parsed; absent: it could */
};

struct sh_facts {
	struct str cwd;  /* absolute */
	struct str home; /* absent: not known */
	/* The text of a script that a command runs, at an absolute path; absent: it is not looked into. NULL: none is. */
	struct str (*script)(void *data, struct arena *a, struct str path);
	void *data;
	struct str root; /* of the work tree; absent: not known */
};

struct sh_script sh_commands(struct arena *a, struct str text, const struct sh_facts *facts);

/* The program's name without its directory. */
struct str sh_program(const struct sh_command *c);
bool sh_has_hole(struct str text);
/* What the command itself prints, wherever that goes. */
struct str sh_printed(struct arena *a, const struct sh_command *c, struct str root);
/* The program of awk in its arguments; absent: it is in a file. */
struct str sh_awk_program(const struct sh_command *c);

#endif
