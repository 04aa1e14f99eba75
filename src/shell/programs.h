/* SPDX-License-Identifier: MIT */
/* The table of all programs that are known by name, programs.def: its rows, and the words and options of a command that they are compared
 * with. Pure. */
#ifndef SHELL_PROGRAMS_H
#define SHELL_PROGRAMS_H

#include "shell/shell.h"

/* The words of a command without options in front of the verbs of its program: `git -C x push` is `git push`. */
struct sh_words {
	const struct sh_command *command;
	struct str items[64]; /* the first: the program without its directory */
	uint8_t at[64];       /* the index of the argument; at most 255 */
	size_t count;
	const char *own, *values; /* options that take a value: of the program, and of its verb */
};
struct sh_words sh_words_of(const struct sh_command *c);

/* One argument, as the program takes it. A loop over all of them:
 *
 *     for (struct sh_option o = sh_options(c, values); sh_next_option(&o);)
 *
 * `values` are the options that take one: letters, then long names. `--` ends the options. */
struct sh_option {
	struct str name;     /* -x, --long; absent: it is an operand */
	char letter;         /* of a short one that takes a value, which may be in a cluster */
	struct sh_arg value; /* the operand, or the value of the option; without a text: it has none */
	size_t at;           /* the argument after it and its value */
	const struct sh_command *command;
	const char *values;
	bool is_over; /* only operands follow */
};
struct sh_option sh_options(const struct sh_command *c, const char *values);
bool sh_next_option(struct sh_option *o);
/* Is it one of the options, which are written like `values`? */
bool sh_is_option(const struct sh_option *o, const char *options);
/* Is it one of them, with a value? */
bool sh_is_value(const struct sh_option *o, const char *options);
/* Is one of the options there: a letter in a cluster too, a long one by an abbreviation of five bytes or more? */
bool sh_has_option(const struct sh_command *c, const char *options);
/* The same without abbreviations. */
bool sh_has_exactly(const struct sh_command *c, const char *options);
/* The same after the verb, where values of options are no options, and abbreviations may have two letters. */
bool sh_has(const struct sh_words *w, const char *options);
/* Does it only say what it would do, or how it is used? */
bool sh_is_dry(const struct sh_words *w);

/* ---- the rows ---- */

enum sh_row_kind {
	SH_VERBS,
	SH_RUN,
	SH_SAYS,
	SH_PRINTS,
	SH_SELECTS,
	SH_FILTERS,
	SH_SETTINGS_OF,
	SH_FILES,
	SH_TREE,
	SH_CODE,
	SH_ACT
};

/* How a program takes the command after its options and operands. */
enum sh_how {
	SH_RUNS_REST,    /* as arguments */
	SH_RUNS_JOINED,  /* as a text */
	SH_RUNS_EACH,    /* each argument as a text */
	SH_RUNS_NOTHING, /* not at all */
};
/* Flags of RUN. */
#define SH_ASSIGNS 1U /* name=value may come before the command */
#define SH_THERE 2U   /* it runs on another machine or in a container */
#define SH_KEEPS 4U   /* the command begins with the last word of the row */
#define SH_ALL 8U     /* the text goes on up to the end of the line */
/* Flags of TREE. */
#define SH_HERE 1U      /* without operands it reads the working directory */
#define SH_TO_LAST 2U   /* the last operand is written */
#define SH_OLD_STYLE 4U /* options may be letters without a dash */
#define SH_MANY 8U      /* an option takes all words up to the next option */
#define SH_RIPGREP 16U  /* it leaves out what git ignores; -g '!x' leaves out x */
#define SH_SILVER 32U   /* the same without -g */

struct sh_eval;
/* A row may have a function: it runs what the program runs. is_wrapper, which is set, may be taken back. */
enum sh_ran {
	SH_RAN_NOTHING, /* or something in addition to what the program itself does */
	SH_RAN,         /* the command itself is to be added */
	SH_RAN_ADDED,   /* it has been */
};
typedef enum sh_ran sh_handler(struct sh_eval *e, struct sh_command *c);
typedef bool sh_condition(const struct sh_words *w);

/* What a program does with its operands. */
enum sh_does {
	SH_READS,    /* all of them: so does a program that is not known */
	SH_NOTHING,  /* they are no files */
	SH_WRITES,   /* all of them */
	SH_TEES,     /* all of them, with what it reads */
	SH_EMPTIES,  /* all of them */
	SH_MAKES,    /* all of them, as directories */
	SH_DELETES,  /* all of them */
	SH_DESTROYS, /* all of them, with what is below */
	SH_COPIES,   /* reads all, writes the last */
	SH_MOVES,    /* deletes all, writes the last */
	SH_CHANGES, /* the first is a script, unless -e or -f has it; the others are read, and written with -i */
	SH_AWK,     /* the same, where the script may be code */
	SH_SEARCHES, /* the first is a pattern, unless -e or -f has it; the others are read */
	SH_UNPACKS,  /* into the directory of -C or -d */
	SH_REPLACES, /* writes all, unless it only shows or checks */
	SH_FORMATS,  /* reads all, and writes them if an option says so */
	SH_GIT,
	SH_FINDS,
	SH_LOADS, /* curl and wget */
};
/* What a program prints. */
enum sh_prints {
	SH_PRINTS_WORDS,     /* its arguments */
	SH_PRINTS_FORMAT,    /* the first, with the others in it */
	SH_PRINTS_FILES,     /* their content */
	SH_PRINTS_INPUT,     /* what it reads */
	SH_PRINTS_DIRECTORY, /* where it runs */
	SH_PRINTS_ROOT,      /* the root of the project */
	SH_PRINTS_TEMPORARY, /* a new name below /tmp */
	SH_PRINTS_NAME,      /* its argument, or where that is */
	SH_PRINTS_NOTHING
};

/* How a program chooses files. */
enum sh_chooses { SH_BY_FIND, SH_BY_FD, SH_BY_LS, SH_BY_GIT };

/* What a command destroys. */
enum sh_act_id {
#define ACT_TEXT(id, ...) SH_##id,
#include "shell/acts.def"
};

struct sh_row {
	enum sh_row_kind kind;
	const char *const *names;
	const char *words;
	/* Those that take a value; of SAYS, SELECTS, TREE, CODE and ACT: those that the row is about. NULL in a TREE row: the
	 * program always reads directories. */
	const char *options;
	union {
		struct {
			enum sh_how how;
			size_t operands;  /* words before the command */
			const char *text; /* options whose value is run as a text */
			unsigned flags;
			sh_handler *handler; /* in place of all this */
		} run;
		struct {
			const char *starts; /* what comes before the command, separated by bars */
			bool is_fed;        /* it reads what the program has read */
		} says;
		enum sh_prints prints;
		enum sh_chooses chooses;
		struct {
			enum sh_does does;
			/* options whose value is a file that is written, or read; x= stands for an operand x=file */
			const char *written, *read;
		} files;
		struct {
			const char *quiet; /* with one of these it prints no content */
			/* values of these, with their dashes, are patterns of what it leaves out, or reads */
			const char *except, *only;
			const char *untold; /* what these leave out is not followed: then nothing is said */
			const char *how;    /* the option that leaves out a name */
			unsigned flags;
		} tree;
		struct {
			const char *without, *allows;
			enum sh_act_id id;
			const char *args;   /* one of these must be there; NULL: none */
			sh_condition *when; /* NULL: always */
		} act;
	};
};

/* Is the word among those that have bars between them? x* begins so, *x ends so, *x* has it. To ignore case, the list must be in small
 * letters. */
bool sh_is_listed(struct str list, struct str word, bool ignores_case);

/* The next row of this kind after `after` (NULL: the first) that is about the command; NULL: there is none. ret_next, if any: the
 * argument after its words. */
const struct sh_row *sh_next_row(const struct sh_words *w, enum sh_row_kind kind, const struct sh_row *after,
				 size_t *ret_next);
/* The first one. */
const struct sh_row *sh_row_of(const struct sh_command *c, enum sh_row_kind kind);
/* The row of kind SH_FILES; of a program that is not known, one by which it reads its operands. */
const struct sh_row *sh_files_of(const struct sh_words *w);

/* ---- acts.c ---- */

/* An act that destroys work. */
enum sh_verdict { SH_DENY, SH_ASK };
struct sh_act {
	const char *set;  /* such as git */
	const char *name; /* such as git-reset-hard */
	enum sh_verdict verdict;
	const char *what;    /* it does */
	const char *instead; /* what to do */
};
/* NULL: none. What is deleted by rm and its like is in the rows FILES. *ret_option makes it destructive: a rule that allows it names it;
 * NULL: nothing in particular does. */
const struct sh_act *sh_act_of(const struct sh_words *w, const char **ret_option);
const struct sh_act *sh_act(enum sh_act_id id);

/* ---- functions of rows ---- */

sh_condition sh_forces_by_refspec, sh_checks_out_files, sh_turns_off_hooks, sh_takes_back, sh_deletes_by_sql,
	sh_sends_delete, sh_changes_everything, sh_kills_everything, sh_names_device, sh_writes_device;
/* Commands of the shell that change what later words mean. */
sh_handler sh_change_directory, sh_declare, sh_forget, sh_print_to_variable, sh_look_at_subscripts;
/* Those that take a text as commands. */
sh_handler sh_run_shell, sh_run_later, sh_run_source, sh_run_eval, sh_run_trap, sh_run_command;
sh_handler sh_run_given, sh_run_sed, sh_run_awk, sh_run_git, sh_run_dashed_git;
/* Targets of make, recipes of just, scripts of package.json. */
sh_handler sh_run_make, sh_run_script;
/* They run a command for the files that were chosen. */
sh_handler sh_run_xargs, sh_run_parallel, sh_run_find, sh_run_fd;

#endif
