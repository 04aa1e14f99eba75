/* SPDX-License-Identifier: MIT */
/* The parts of `agent-gauntlet init`: questions, files, agents' commands. */
#ifndef CMD_COMPAT_GAUNTLET_INIT_H
#define CMD_COMPAT_GAUNTLET_INIT_H

#include "base/buf.h"
#include "model/gate.h"

struct gauntlet_init_options {
	const char *program; /* that the agents' command runs */
	bool is_asking;      /* asks the questions, else uses the defaults */
	/* For `holdfast init`: writes the gates where no reviewer is installed, and into a .gauntlet without a configuration. */
	bool is_holdfast;
	struct str root; /* where .gauntlet goes; absent: the current directory */
	struct str_list
		declined; /* the names of clients that the user does not want: they do not review either */
};
/* All of `agent-gauntlet init`. Returns the exit code. */
int gauntlet_init(struct arena *a, const struct gauntlet_init_options *o);

#define REVIEWERS_MAX 8
/* How often a question is repeated. */
#define TRIES_MAX 10

/* Questions on stdout, answers by the line from stdin, which may be a terminal, a pipe or a file. */
struct asker {
	char bytes[1024];
	size_t begin, end;
	bool is_over;
};
/* The trimmed line; empty at the end of input. */
struct str ask(struct arena *a, struct asker *q, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* y or yes, in any case; all else is a no. */
bool ask_yes(struct arena *a, struct asker *q, const char *question);

/* A check that was asked for. */
struct init_check {
	const char *name, *question, *command_question;
	bool is_wanted;
	struct str command; /* empty: to be filled in later */
};
#define INIT_CHECKS 2

struct init {
	struct arena *arena;
	struct str program; /* that the agents' command runs */
	struct asker asker;
	bool is_asking;
	struct str root;                                       /* where .gauntlet goes */
	const struct known_reviewer *reviewers[REVIEWERS_MAX]; /* those to configure */
	size_t reviewer_count;
	struct str source;
	struct init_check checks[INIT_CHECKS];
};

/* Prints at once: what comes next may be a question. */
void init_print(const struct init *i, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The text of the agents' command `gauntlet`. */
struct str init_command_text(const struct init *i);
/* Writes the files in .gauntlet and reports each. */
int init_write_files(const struct init *i, struct err *err) MUST_CHECK;
/* Adds the log directory to .gitignore, where there is a repository. */
void init_ignore_logs(const struct init *i);
/* Installs the command `gauntlet` for the agents that the user picks. A file that can't be written is reported. */
void init_install_commands(struct init *i);
/* Registers the hook in Claude Code's local settings, if the user wants that. */
void init_install_hook(struct init *i);

/* Lists the names and asks for a selection until the answer is valid. False: there was no valid answer, and none is
 * selected. `ret` has `count` elements. */
bool init_ask_choice(struct init *i, const char *title, const char *const *names, size_t count,
		     struct str question, bool *ret);

#endif
