/* SPDX-License-Identifier: MIT */
/* The table of commands. Dispatch, --help, shell completions and the check of the man pages all read it, so nothing about a
 * command is written twice. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "base/base.h"

struct invocation;

/* Returns the exit code: 0, or 1 after an error; 2 only where a client's protocol demands it. */
typedef int command_fn(struct arena *a, const struct invocation *inv);

struct option_row {
	const char *name;           /* without the dashes */
	char short_name;            /* 0: none */
	const char *arg_name;       /* in the help: FILE; NULL: a flag */
	const char *help;           /* one line, lower case, no full stop */
	const char *const *choices; /* the allowed values, NULL-terminated; NULL: any text */
	const char *source; /* for completion: a command that prints the values, one per line; NULL: none */
};

/* An option without and with a value; further members of the row may follow. */
#define FLAG(name_, help_, ...)                               \
	{                                                     \
		.name = (name_), .help = (help_), __VA_ARGS__ \
	}
#define VALUE(name_, arg_, help_, ...)                                            \
	{                                                                         \
		.name = (name_), .arg_name = (arg_), .help = (help_), __VA_ARGS__ \
	}

/* The allowed values of an option. */
#define CHOICES(...)                     \
	.choices = (const char *const[]) \
	{                                \
		__VA_ARGS__, NULL        \
	}

/* Sources of values, in syntax that all shells share. */
#define SOURCE_GATES "holdfast list --names"
#define SOURCE_BRANCHES "git for-each-ref \"--format=%(refname:short)\" refs/heads refs/remotes"

#define ARGS_ANY SIZE_MAX

/* Subcommands under a title: as many as `count` of those that follow the group before. */
struct command_group {
	const char *title;
	size_t count;
};

struct command {
	char name[24];                    /* in the row: every start compares them, and so reads one page */
	const char *summary;              /* one line, lower case, no full stop */
	const char *details;              /* paragraphs for --help, separated by blank lines; NULL: none */
	const char *args;                 /* in the usage line: "[PROMPT...]"; NULL: none */
	size_t least_args, most_args;     /* the number of arguments; the most may be ARGS_ANY */
	const char *const *arg_choices;   /* values of the first argument, for completion; NULL-terminated */
	const char *arg_source;           /* likewise, for all of them: see option_row.source; NULL: none */
	bool has_command_args;            /* its arguments name commands: for completion */
	const struct option_row *options; /* without --help, which every command has */
	size_t option_count;
	command_fn *run;                   /* NULL: a subcommand is required */
	const struct command *const *subs; /* subcommands */
	size_t sub_count;
	const struct command_group *groups; /* how its help groups them, in their order; NULL: it does not */
	bool is_hidden;                     /* works, but is not in help and completions */
	bool needs_cwd;                     /* it fails where the current directory no longer exists */
};

/* Parts of a row: options by their table, or as rows. */
#define OPTIONS(table) .options = (table), .option_count = COUNT_OF(table)
#define TAKES(...)                                             \
	.options = (const struct option_row[]){ __VA_ARGS__ }, \
	.option_count = COUNT_OF(((const struct option_row[]){ __VA_ARGS__ }))
#define SUBCOMMANDS(table) .subs = (table), .sub_count = COUNT_OF(table)

/* Root, command, subcommand. */
#define COMMAND_DEPTH_MAX 3

struct option_value {
	const struct option_row *row;
	struct str value; /* absent for a flag */
};

/* One call of a command. All strings stay valid until the process ends. */
struct invocation {
	const struct command *path[COMMAND_DEPTH_MAX]; /* from the program's root to the command */
	size_t depth;                                  /* entries of path, at least 1 */
	const struct command *command;                 /* the last of path */
	struct str *args;
	size_t arg_count;
	struct str cwd;               /* if the row asks for it */
	int64_t started_ms;           /* when the program began, on clock_mono_ms() */
	struct option_value *options; /* in the order in which they were given */
	size_t option_count;
};

/* Options are looked up by their long name, which must be in the command's table. */
bool option_has(const struct invocation *inv, const char *name);
/* The last value; absent: the option was not given. */
struct str option_str(const struct invocation *inv, const char *name);
/* How often it was given, and the value of the i-th. */
size_t option_count(const struct invocation *inv, const char *name);
struct str option_at(const struct invocation *inv, const char *name, size_t i);
/* An integer from `least` to `most`; `ret` does not change if the option was not given. The error names the option, the value
 * and the bounds. */
int option_number(const struct invocation *inv, const char *name, uint64_t least, uint64_t most,
		  uint64_t *ret, struct err *err) MUST_CHECK;

/* `holdfast`, `conclaude`, ...: the program's name, for messages. */
const char *invocation_program(const struct invocation *inv);
/* `holdfast ralph start` */
struct str invocation_name(struct arena *a, const struct invocation *inv);

/* Prints `PROGRAM: MESSAGE` on stderr, the message made of pieces as by str_cat(), and returns 1: a command that fails ends in
 * `return command_error(...)`. */
#define command_error(inv, ...) command_error_list((inv), CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
int command_error_list(const struct invocation *inv, const struct str *pieces, size_t count);
/* The same for a usage error, with a pointer to the command's help. */
#define usage_error(inv, ...) usage_error_list((inv), CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
int usage_error_list(const struct invocation *inv, const struct str *pieces, size_t count);

/* The row of that name; NULL when there is none. */
const struct command *command_find(const struct command *c, struct str name);
/* For an unknown command: "; did you mean 'a' or 'b'?", or nothing. */
struct str command_suggestion(struct arena *a, const struct command *c, struct str word);

/* Parses the command line by the tables below `root` and runs the command. Returns the exit code of the process. */
int command_main(struct arena *a, const struct command *root, int argc, char *const *argv);

enum parsed { PARSED_RUN, PARSED_HELP, PARSED_VERSION };

/* Parses strictly: a word that the table does not allow is an error. Fills `ret` as far as possible even on failure, so that
 * the caller can show the right usage line.
 *
 * `--x=y` and `--x y` are the same, `-x y` and `-xy` too, flags may be bundled (`-ab`). A value that begins with
 * a dash must be given by `=`. `--` ends the options. -h and --help ask for help on every command, -V and
 * --version for the version on the root; the words after them are ignored. */
int options_parse(struct arena *a, const struct command *root, int argc, char *const *argv,
		  struct invocation *ret, enum parsed *ret_parsed, struct err *err) MUST_CHECK;

/* ---- help.c ---- */

/* Prints the page for the command at the end of the invocation's path. */
command_fn help_show;
/* `usage: holdfast ralph start [OPTIONS] [PROMPT...]` */
struct str help_usage(struct arena *a, const struct invocation *inv);
/* `commands: start, status, cancel` */
struct str help_command_names(struct arena *a, const struct command *c);

#endif
