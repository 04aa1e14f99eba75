/* SPDX-License-Identifier: MIT */
/* May the agent use this tool? A decision by the rules of `guards`, the parsed command line or the paths, and the answers of
 * the world of files in world.c. It writes nothing and has no clock. */
#ifndef GUARDS_RULES_H
#define GUARDS_RULES_H

#include "git/git.h"
#include "guards/effects.h"
#include "model/guard.h"
#include "os/fs.h"

enum guard_verdict { GUARD_ALLOW, GUARD_ASK, GUARD_DENY };

struct guard_request {
	struct str command;               /* of a shell; absent: none */
	struct str_list paths;            /* of other tools */
	bool reads, writes;               /* what such a tool does with them */
	struct str tool;                  /* its name */
	const char *const *aliases;       /* Claude Code's names for a tool like that, NULL-terminated */
	struct str agent;                 /* its type; main: the session's own */
	struct str root;                  /* of the project; absolute and resolved */
	struct str cwd, home;             /* home absent: not known */
	const struct guard_verdicts *own; /* of the user, for all projects; NULL: none */
	int64_t deadline_ms;              /* for questions to git, on clock_mono_ms() */
};

/* What a rule says about one thing. */
struct guard_finding {
	enum guard_verdict verdict;
	struct str rule; /* protect[0], commands.deny[1], rules[2], unknown, or the name of a built-in rule */
	const char *set; /* of a built-in rule; else NULL */
	struct str subject; /* the path or command */
	struct str message; /* for the agent */
	struct str pattern; /* of one of `rules`: what matched; absent: nothing in particular */
};

struct guard_decision {
	enum guard_verdict verdict;
	struct str message; /* what the agent is told; absent: nothing */
	struct guard_finding *findings;
	size_t count;
	struct sh_script script; /* of a command line */
	size_t names;            /* that were looked at below directories */
	struct str_list known;   /* what was found out about files, for people */
};

struct guard_decision guard_decide(struct arena *a, const struct guards_config *config,
				   const struct guard_request *request);

const char *guard_verdict_name(enum guard_verdict verdict);

/* ---- internal ---- */

struct guard_case {
	struct arena *arena;
	const struct guards_config *config;
	const struct guard_request *request;
	struct repository repository; /* for questions to git */
	struct guard_decision *decision;
	struct str subject; /* the path or command that is looked at, for findings */
	struct guard_memory *memory;
	bool ignores_unknown; /* what can't be known is not reported */
	bool ignores_new;     /* new files may be anywhere */
	bool ignores_secrets;
	bool loads; /* an earlier command loads something from elsewhere */
};

/* What is known of the line so far. */
struct guard_memory {
	struct str_list unsaved;  /* as git_unsaved() has them */
	int questions;            /* to git; after the second, the list is of the whole work tree */
	struct str top;           /* of the work tree */
	struct str dir, real_dir; /* the last directory whose links were resolved */
	bool is_late;             /* git has not answered in time */
	bool has_none;            /* git has nothing: there is no repository */
	struct str_list made;     /* paths that the line makes */
	struct str_list moved;    /* where it moves something, and what, in turn */
};

/* ---- world.c: questions about files, whose paths are absolute ---- */

enum fs_kind guard_kind(struct str path);
/* With the links of all parent directories resolved, and of the file itself; the path as it is where that fails. */
struct str guard_real(struct arena *a, struct str path);
/* The same, faster where many files of one directory are asked for. */
struct str guard_real_in(struct guard_case *c, struct str path);
/* The files that a pattern of the shell matches, bounded. */
struct str_list guard_matches(struct arena *a, struct str pattern);
/* Files below a directory, those near to it first; bounded, and without those of git and of installed packages. */
struct str_list guard_below(struct guard_case *c, struct str dir);
/* A file at or below the path whose content git does not have, ignored ones apart; absent: none. With `name`, a glob, only files of such
 * a name count; with a slash in front, of such a path below it. tracked_only: not new ones. *ret_late: there was no time to find out. */
struct str guard_unsaved(struct guard_case *c, struct str path, struct str name, bool tracked_only,
			 bool *ret_late);
/* The text of a small file of the project; absent: it is none. The first argument is the guard_case. */
struct str guard_script(void *data, struct arena *a, struct str path);
/* Does a line of the file match the regular expression? If that can't be told, it does. */
bool guard_would_print(struct arena *a, struct str path, struct str pattern);
/* The first lines of a file, at most as many; absent: there is no such file, or it is too large. */
struct str guard_head(struct arena *a, struct str path, size_t lines);

/* ---- the rules ---- */

/* False: it is known already. */
bool guard_find(struct guard_case *c, enum guard_verdict verdict, struct str rule, struct str message);
/* Is the rule for the agent? */
bool guard_is_for(const struct guard_case *c, const struct guard_rule *rule);
/* `rules`: the first that denies ends it. */
void guard_check_tool(struct guard_case *c);
/* What this does to a file at a path that is absolute and resolved. */
void guard_check_path(struct guard_case *c, enum effect_kind kind, struct str path);
/* What an effect does to the files that it may mean. */
void guard_check_effect(struct guard_case *c, const struct sh_command *command, const struct effect *e);
/* What it does to files below a directory that is absolute and resolved. */
void guard_check_below(struct guard_case *c, const struct effect *e, struct str dir);
/* Code of another language in the command: texts in quotes are looked at as paths. */
void guard_check_code(struct guard_case *c, const struct sh_words *w);
/* A command of a script or of code: only what it does for certain counts. */
void guard_check_scripted(struct guard_case *c, const struct sh_command *command);
bool guard_is_secret(struct str path);
/* Is it of the agent's own settings, or a directory that has them? */
bool guard_is_setting(const struct guard_case *c, struct str path, bool is_deleted);
/* Is the rule in force? */
bool guard_has(const struct guard_case *c, enum sh_act_id id);
/* It is broken: the text says what the command does, as "This deletes x". */
void guard_break(struct guard_case *c, enum sh_act_id id, struct str text);
/* What deleting or overwriting this would lose is asked of git. */
void guard_loses(struct guard_case *c, enum sh_act_id id, struct str path, struct str name,
		 bool tracked_only);
void guard_unknown(struct guard_case *c, struct str why);
/* The text with this in place of what is not known. */
struct str guard_fill(struct arena *a, struct str text, const char *with);
/* The command as it is shown to people. */
struct str guard_shown(struct arena *a, const struct sh_command *c);

#endif
