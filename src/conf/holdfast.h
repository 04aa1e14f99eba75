/* SPDX-License-Identifier: MIT */
/* holdfast.yml, the native configuration. It is read into the same struct as .gauntlet. Neither the environment nor the
 * user's own file changes any of it. */
#ifndef CONF_HOLDFAST_H
#define CONF_HOLDFAST_H

#include "conf/conclaude.h"
#include "conf/gauntlet.h"
#include "model/guard.h"

#define HOLDFAST_FILE "holdfast.yml"
/* Where logs are kept. It ignores itself: see logdir_make(). */
#define HOLDFAST_LOG_DIR ".holdfast"

/* Where a gate applies. */
struct holdfast_place {
	struct str path;
	struct str_list except;
};

/* At which .debug.log is moved aside. */
#define HOLDFAST_DEBUG_LOG_BYTES (10 * (int64_t)MIB(1))

/* A gate as it is written. */
struct holdfast_gate {
	struct str name;
	struct str run, review, prompt; /* two of them are absent */
	struct {
		struct holdfast_place *items;
		size_t count;
	} in; /* none: the root */
	struct str_list by, files;
	int64_t timeout_ms; /* 0: not set */
	bool reuses;
	struct str fix, rerun; /* absent: none */
	struct str working_directory;
	struct str hint; /* told when it fails; absent: nothing */
	int64_t retries;
	struct str_list needs;
	bool is_exclusive, is_parallel, fails_fast, runs_locally, runs_in_ci;
	struct str model; /* absent: the reviewer's own */
	int64_t num_reviews;
	bool is_enabled;
};

/* A stop command as it is written. */
struct holdfast_command {
	struct str run, message; /* absent: no message */
	int64_t timeout_ms;      /* 0: none */
	int64_t max_lines;       /* 0: no limit */
	struct str output;       /* true, false, stdout or stderr */
	bool shows_command, notifies;
};

/* A rule for prompts as it is written: a text, or a command. */
struct holdfast_prompt {
	struct str add;                  /* absent: none */
	struct holdfast_command command; /* without `run`: none */
	struct str matches;              /* a regular expression; absent: every prompt */
	bool ignores_case;
	struct str slash; /* a glob; absent: it is not for slash commands */
};

/* A command at another event, as it is written. */
struct holdfast_event_command {
	struct holdfast_command command;
	struct str match;      /* a glob; absent: every subject or tool */
	struct str_list files; /* patterns of changed files; none: every file */
	bool is_gate;          /* whatever its failure, it blocks, as often as `tries` says */
	bool is_background;
};

struct holdfast_outcome {
	struct str name;    /* the promise */
	struct str meaning; /* done, stopped */
};

/* In thousandths of a US dollar per million tokens. */
struct holdfast_price {
	struct str name; /* of the model, or its beginning */
	int64_t input, output, cache_read;
};

/* What 'holdfast ralph start' takes where its command line says nothing. */
struct holdfast_loop {
	int64_t max_iterations;     /* 0: no limit; -1: not set */
	struct str promise, prompt; /* absent: not set */
	struct holdfast_outcome *promises;
	size_t promise_count;
	struct str_list verify;
	int64_t max_minutes, max_tokens, max_cost; /* the last in thousandths of a US dollar; 0: not set */
	struct holdfast_price *prices;
	size_t price_count;
	int64_t stuck_after;        /* 0: not set */
	int64_t resume_after_limit; /* 0: not set */
	struct str refeed;          /* full, brief; absent: not set */
	struct str todos;           /* done; absent: not set */
	/* All of `loop` as it was written: keys that a loop's file has in the same form are copied from it. NULL: there is none. */
	const struct node *node;
};

/* holdfast.yml as it is written. */
struct holdfast_draft {
	struct str base; /* absent: not set */
	struct holdfast_gate *gates;
	size_t gate_count;
	int64_t tries;
	int64_t max_parallel; /* 0: see runner_places() */
	bool runs_at_stop;
	struct reviewer_config *reviewers;
	size_t reviewer_count;
	bool checks_usage_limit;
	struct str rerun_threshold;
	int64_t debug_enabled, debug_max_bytes;
	bool keeps_root_clean;
	bool keeps_journal;
	struct holdfast_command *commands;
	size_t command_count;
	struct {
		struct holdfast_event_command *items;
		size_t count;
	} events[EVENT_COUNT];
	struct {
		struct holdfast_prompt *items;
		size_t count;
	} prompts;
	struct conclaude_prefix_blocking *follow_ups; /* NULL: none */
	struct str todos;                             /* done; absent: they do not matter */
	int64_t rounds;                               /* 0: none */
	struct str rounds_message;                    /* absent: the usual one */
	bool is_infinite;
	struct str infinite_message;
	struct holdfast_loop loop;
	struct conclaude_permissions *permissions; /* NULL: none */
	struct guards_config *guards;              /* NULL: none */
	struct notify_config *notify;              /* NULL: none */
};
extern const struct holdfast_draft holdfast_draft_defaults;
extern const struct schema holdfast_schema;        /* struct holdfast_draft */
extern const struct schema holdfast_hook_schema;   /* the same: what a stop needs before it loads gates */
extern const struct schema holdfast_gates_schema;  /* the same: the gates alone */
extern const struct schema holdfast_guards_schema; /* the same: what is asked before a tool runs */

/* The file of a directory, read and parsed once for all who want to know something of it. */
struct holdfast_file {
	struct str dir;
	struct str text; /* absent: it can't be read */
	struct node document;
	bool is_parsed;
	struct err err; /* why it is not */
	struct sourced_values sourced;
};
const struct holdfast_file *holdfast_read(struct arena *a, struct str dir);

/* The files with prompts that it names: they are definitions as it is. Relative to its directory, each once; none if it was
 * not parsed. */
struct str_list holdfast_prompts(struct arena *a, const struct holdfast_file *file);

/* What it says besides its gates: stop commands, follow-ups, rounds. `root` is the project's. */
int holdfast_load_policies(struct arena *a, const struct holdfast_file *file, struct str root,
			   struct conclaude_config *ret, struct err *err) MUST_CHECK;

/* Its loop; fails as holdfast_load_policies(). */
int holdfast_load_loop(struct arena *a, const struct holdfast_file *file, struct holdfast_loop *ret,
		       struct err *err) MUST_CHECK;

/* Does it turn the journal of decisions off? */
bool holdfast_keeps_no_journal(const struct holdfast_file *file);

/* Its guards alone: mistakes elsewhere in the file do not turn them off. NULL: it has none. */
int holdfast_load_guards(struct arena *a, const struct holdfast_file *file, const struct guards_config **ret,
			 struct err *err) MUST_CHECK;

/* What is wrong with its events and prompts, apart from what the schema knows. */
struct gauntlet_loader;
void holdfast_check_events(struct gauntlet_loader *l, const struct node *document,
			   const struct holdfast_draft *d);

/* Reads the document by its schema, and checks it as a whole; *d contains the defaults. */
void holdfast_interpret(struct gauntlet_loader *l, const struct node *document, struct holdfast_draft *d,
			struct gates_config *ret);

/* The functions of conf/gates.h for a root that has a holdfast.yml. */
int holdfast_load_hook(const struct holdfast_file *file, struct gauntlet_hook_config *ret,
		       struct err *err) MUST_CHECK;
int holdfast_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		       struct err *err) MUST_CHECK;
bool holdfast_check_all(struct arena *a, struct str root, struct gates_config *ret,
			struct config_problems *ret_problems);
int holdfast_values(struct arena *a, struct str root, struct gauntlet_values *ret,
		    struct err *err) MUST_CHECK;

#endif
