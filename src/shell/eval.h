/* SPDX-License-Identifier: MIT */
/* Internal to the evaluation of command lines. */
#ifndef SHELL_EVAL_H
#define SHELL_EVAL_H

#include "shell/programs.h"
#include "shell/syntax.h"

/* A text of which nothing is known. */
#define SH_UNKNOWN STR("\xFF")

/* Newest first, so that a list before a subshell is still there after it. */
struct sh_var {
	struct str name, value;
	struct sh_node *body; /* of a function */
	const struct sh_var *next;
	bool is_local;   /* of a function */
	bool is_matched; /* the value is a pattern, and stands for a file that it matches */
};

struct sh_args {
	struct sh_arg *items;
	size_t count;
};

/* What is left for the whole line. */
struct sh_budget {
	size_t steps, bytes;
};

struct sh_eval {
	struct arena *arena;
	struct sh_budget *budget;
	struct sh_budget *scripts; /* what is left for all scripts and recipes that the line runs */
	const struct sh_facts *facts;
	struct sh_script *script;
	const struct sh_var *vars, *functions, *aliases;
	struct sh_args positional;     /* $1 ... */
	struct str zero;               /* $0; absent: not known */
	struct str_list *traps;        /* what runs at the end */
	const struct sh_var **written; /* files that the line writes, by absolute path, with their content */
	int depth, script_depth;
	struct sh_command now; /* what a command that runs now begins with, such as its input */
	const struct sh_command
		*substituted; /* which has chosen what the last substitution prints; NULL: none */
	bool is_harmless;     /* what the last substitution prints is known to be settings of a shell */
	struct buf *output;   /* what the commands print, as far as it is known; NULL: nobody wants to know */
};

/* Does nothing but note a problem when the depth is reached. */
void sh_eval_node(struct sh_eval *e, const struct sh_node *n);
/* A text that is run as a command line. */
void sh_eval_text(struct sh_eval *e, struct str text);
/* A command whose words are expanded: what it runs, it adds. */
void sh_eval_command(struct sh_eval *e, struct sh_command *c);
void sh_add_command(struct sh_eval *e, const struct sh_command *c);
void sh_add_problem(struct sh_eval *e, const struct sh_command *c, const char *problem);

/* The newest of that name; NULL: there is none. */
const struct sh_var *sh_found(const struct sh_var *list, struct str name);
struct str sh_value(const struct sh_eval *e, struct str name);
void sh_set(struct sh_eval *e, struct str name, struct str value);
/* The list with one more at its start. */
struct sh_var *sh_added(struct sh_eval *e, const struct sh_var *to, struct str name, struct str value);

/* Expansions in the subscript of a name: test -v 'x[$(cmd)]'. */
void sh_eval_subscript(struct sh_eval *e, struct str text);
/* The files that the command writes; what is not known of their content is a hole. */
void sh_note_written(struct sh_eval *e, const struct sh_command *c);

/* Adds what the command prints to the output. */
void sh_add_output(struct sh_eval *e, const struct sh_command *c);

/* The arguments from `first` on. */
static inline struct sh_args
sh_args_from(const struct sh_command *c, size_t first)
{
	return first < c->count ? (struct sh_args){ c->args + first, c->count - first }
				: (struct sh_args){ 0 };
}
void sh_add_arg(struct sh_eval *e, struct sh_args *to, struct sh_arg arg);
/* The words of a command; each may become several, or none. */
void sh_expand(struct sh_eval *e, const struct sh_word *w, struct sh_args *ret);
/* As one word: the value of an assignment, the target of a redirection. */
struct sh_arg sh_expand_one(struct sh_eval *e, const struct sh_word *w);

/* What the rows of programs.def say about the command is done; false: it has not been added. */
bool sh_eval_program(struct sh_eval *e, struct sh_command *c);
/* Variables whose value is a command that the program may run. */
void sh_eval_assignments(struct sh_eval *e, const struct sh_command *c);
/* The path of a name in the directory; if the beginning of the name is not known, the name itself. */
struct str sh_path(struct sh_eval *e, struct str dir, struct str name);
/* A file that a command reads or writes, as a redirection of its own. */
void sh_add_file(struct sh_eval *e, const struct sh_command *c, struct str name, bool is_read);
/* The text of a file that a command takes as a script; absent: it is not known. */
struct str sh_text_of_file(struct sh_eval *e, const struct sh_command *c, struct str file);
/* The command that has chosen what the commands from `first` on print; `before` has chosen what they read. NULL: none. */
const struct sh_command *sh_selection(struct sh_eval *e, size_t first, const struct sh_command *before);
/* A script in a file, which the command runs with the arguments from `first` on. What it sets is not known after it. */
void sh_eval_script(struct sh_eval *e, const struct sh_command *c, struct str file, size_t first);
/* What a command runs because an option says so. */
void sh_eval_options(struct sh_eval *e, const struct sh_command *c);
/* A text that a program runs; what it defines stays. */
void sh_run_text(struct sh_eval *e, struct str text, struct str input);
/* The arguments from `first` on as a command. */
void sh_run_rest(struct sh_eval *e, const struct sh_command *c, size_t first);
/* The arguments with blanks between them. */
struct str sh_joined(struct sh_eval *e, struct sh_args args);

#endif
