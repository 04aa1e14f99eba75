/* SPDX-License-Identifier: MIT */
/* holdfast.yml, the native configuration. It is read into the same struct as .gauntlet. Neither the environment nor the
 * user's own file changes any of it. */
#ifndef CONF_HOLDFAST_H
#define CONF_HOLDFAST_H

#include "conf/policies.h"
#include "conf/loader.h"
#include "model/guard.h"

#define HOLDFAST_FILE "holdfast.yml"

/* At which .debug.log is moved aside. */
#define HOLDFAST_DEBUG_LOG_BYTES (10 * (int64_t)MIB(1))

/* A gate as it is written. */
struct holdfast_gate {
	struct gate gate;
	struct str
		review; /* a built-in prompt, or a file; absent: the gate has a command or a prompt of its own */
	struct {
		struct entry_point *items; /* which name no gate */
		size_t count;
	} in; /* none: the root */
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
	int64_t max_parallel; /* 0: see runner_places() */
	bool runs_at_stop;
	struct reviewer_config *reviewers;
	size_t reviewer_count;
	bool checks_usage_limit;
	struct str rerun_threshold;
	int64_t debug_enabled, debug_max_bytes;
	bool keeps_journal;
	struct holdfast_loop loop;
	struct policies policies; /* all that is not about gates */
};
extern const struct holdfast_draft holdfast_draft_defaults;
extern const struct schema holdfast_schema; /* struct holdfast_draft */
extern const struct schema
	holdfast_import_schema; /* the same: a document that was imported may say nothing */

/* The file of a directory, read, parsed and walked once for all who want to know something of it. */
struct holdfast_file {
	struct str dir;
	struct str text; /* absent: it can't be read */
	struct node document;
	bool is_parsed;
	struct err err;                  /* why it is not */
	struct holdfast_draft draft;     /* its values, and defaults for what is not set or not valid */
	struct config_problems problems; /* which the schema has found */
};
const struct holdfast_file *holdfast_read(struct arena *a, struct str dir);
/* The same for a given text. */
const struct holdfast_file *holdfast_parse(struct arena *a, struct str dir, struct str text);

/* What the stop hook needs before it loads gates. */
struct stop_settings {
	struct str root;
	struct str project; /* of which `root` is a pinned copy; absent: it is no copy */
	const struct dialect *dialect;
	struct sourced_values sourced;
	struct str log_dir;
	struct str warning;   /* about the user's own file, which is then ignored; absent: none */
	struct node document; /* the file, for the rest of its keys */
	const struct holdfast_file
		*file; /* holdfast.yml, for holdfast_load_rest(); NULL: it is another one */
};
/* For `holdfast config`: every value and its origin, in the order of the files. */
struct config_value {
	struct str key;  /* stop_hook.enabled, checks.lint.timeout */
	struct str json; /* the value as JSON; null: none */
	enum value_source source;
	struct str origin; /* FILE:LINE, a file or a variable; empty: the default */
};
struct config_values {
	struct config_value *items;
	size_t count;
};
struct value_lister {
	struct walker walk;
	struct arena *arena;
	struct str file;     /* with the values */
	bool lists_defaults; /* also keys below the top that are not set */
	struct config_values values;
};
/* Adds the values of a struct that was read from a document; `at` is before their keys. */
void list_values(struct value_lister *l, const struct schema *s, const struct config_path *at,
		 const struct node *document, void *values);
/* The files with prompts that it names: they are definitions as it is. Relative to its directory, each once; none if it was
 * not parsed. */
struct str_list holdfast_prompts(struct arena *a, const struct holdfast_file *file);

/* Reads a document that was imported; what `policies` has in addition to its keys is not set. `file` is for errors. */
int policies_read(struct arena *a, const struct node *document, struct str file, struct holdfast_draft *d,
		  struct err *err) MUST_CHECK;

/* What it says besides its gates: stop commands, follow-ups, rounds. `root` is the project's. */
int holdfast_load_policies(struct arena *a, const struct holdfast_file *file, struct str root,
			   struct policies *ret, struct err *err) MUST_CHECK;

/* Its loop; fails as holdfast_load_policies(). */
int holdfast_load_loop(struct arena *a, const struct holdfast_file *file, struct holdfast_loop *ret,
		       struct err *err) MUST_CHECK;

/* Its guards alone: mistakes elsewhere in the file do not turn them off. NULL: it has none. */
int holdfast_load_guards(struct arena *a, const struct holdfast_file *file, const struct guards_config **ret,
			 struct err *err) MUST_CHECK;

/* What is wrong with its events and prompts, apart from what the schema knows. */
void holdfast_check_events(struct config_loader *l, const struct node *document, const struct policies *c);

/* Makes gates of its values, and checks it as a whole. *ret_problems are all that it has. */
void holdfast_interpret(struct arena *a, const struct holdfast_file *file, struct gates_config *ret,
			struct config_problems *ret_problems);

/* The functions of import/gates.h for a root that has a holdfast.yml. */
int holdfast_load_hook(const struct holdfast_file *file, struct stop_settings *ret,
		       struct err *err) MUST_CHECK;
int holdfast_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret,
		       struct err *err) MUST_CHECK;
bool holdfast_check_all(struct arena *a, struct str root, struct gates_config *ret,
			struct config_problems *ret_problems);
int holdfast_values(struct arena *a, struct str root, struct config_values *ret, struct err *err) MUST_CHECK;

#endif
