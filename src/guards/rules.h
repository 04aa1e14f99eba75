/* SPDX-License-Identifier: MIT */
/* May the agent use this tool? A decision by the rules of `guards`, the parsed command line or the paths, and the answers of a
 * world of files. Pure but for that world: it writes nothing and has no clock. */
#ifndef GUARDS_RULES_H
#define GUARDS_RULES_H

#include "base/buf.h"
#include "model/guard.h"
#include "shell/shell.h"

enum guard_verdict { GUARD_ALLOW, GUARD_ASK, GUARD_DENY };

enum guard_file { GUARD_NOTHING, GUARD_FILE, GUARD_DIRECTORY };

/* Questions about files. Paths are absolute. */
struct guard_world {
	void *data;
	/* With the links of all parent directories resolved, and of the file itself; the path as it is where that fails. */
	struct str (*real)(void *data, struct arena *a, struct str path);
	enum guard_file (*kind)(void *data, struct str path);
	/* The files that a pattern of the shell matches, bounded. */
	struct str_list (*matches)(void *data, struct arena *a, struct str pattern);
	/* Files below a directory, those near to it first; bounded, and without those of git and of installed packages. */
	struct str_list (*below)(void *data, struct arena *a, struct str dir);
	/* Does git have the file? */
	bool (*tracks)(void *data, struct str path);
	/* A file at or below the path whose content git does not have, ignored ones apart; absent: none. With `name`, a glob, only
	 * files of such a name count; with a slash in front, of such a path below it. */
	struct str (*unsaved)(void *data, struct arena *a, struct str path, struct str name);
	/* The text of a small file of the project; absent: it is none. */
	struct str (*script)(void *data, struct arena *a, struct str path);
};

struct guard_request {
	struct str command;    /* of a shell; absent: none */
	struct str_list paths; /* of other tools */
	bool reads, writes;    /* what such a tool does with them */
	struct str agent;      /* its type; main: the session's own */
	struct str root;       /* of the project; absolute and resolved */
	struct str cwd, home;  /* home absent: not known */
};

/* What a rule says about one thing. */
struct guard_finding {
	enum guard_verdict verdict;
	struct str rule;    /* protect[0], commands.deny[1], destructive, secrets, unknown */
	struct str subject; /* the path or command */
	struct str message; /* for the agent */
};

struct guard_decision {
	enum guard_verdict verdict;
	struct str message; /* what the agent is told; absent: nothing */
	struct guard_finding *findings;
	size_t count, capacity;
	struct sh_script script; /* of a command line */
};

struct guard_decision guard_decide(struct arena *a, const struct guards_config *config,
				   const struct guard_request *request, const struct guard_world *world);

const char *guard_verdict_name(enum guard_verdict verdict);

/* ---- internal ---- */

struct guard_case {
	struct arena *arena;
	const struct guards_config *config;
	const struct guard_request *request;
	const struct guard_world *world;
	struct guard_decision *decision;
	bool is_destructive, has_secrets; /* the sets that are used */
	bool ignores_unknown;             /* what can't be known is not reported */
};
struct effect;

void guard_find(struct guard_case *c, enum guard_verdict verdict, struct str rule, struct str subject,
		struct str message);
/* Is the rule for the agent? */
bool guard_is_for(const struct guard_case *c, const struct guard_rule *rule);
/* A file at a path that is absolute and resolved. */
void guard_check_write(struct guard_case *c, struct str path, struct str subject);
void guard_check_delete(struct guard_case *c, struct str path, struct str subject);
void guard_check_read(struct guard_case *c, struct str path, struct str subject);
/* What an effect does to the files that it may mean. */
void guard_check_effect(struct guard_case *c, const struct sh_command *command, const struct effect *e);
/* What it does to files below a directory that is absolute and resolved. */
void guard_check_below(struct guard_case *c, const struct effect *e, struct str dir, struct str subject);
bool guard_is_secret(struct str path);
void guard_unknown(struct guard_case *c, struct str subject, struct str why);
/* The command as it is shown to people. */
struct str guard_shown(struct arena *a, const struct sh_command *c);

#endif
