/* SPDX-License-Identifier: MIT */
/* holdfast.yml, the native configuration. It is read into the same struct as .gauntlet. Neither the environment nor the
 * user's own file changes any of it. */
#ifndef CONF_HOLDFAST_H
#define CONF_HOLDFAST_H

#include "conf/conclaude.h"
#include "conf/gauntlet.h"

#define HOLDFAST_FILE "holdfast.yml"
/* Where logs are kept. It ignores itself: see logdir_make(). */
#define HOLDFAST_LOG_DIR ".holdfast"

/* A gate as it is written. */
struct holdfast_gate {
	struct str name;
	struct str run, review; /* one of them is absent */
	struct str in;
	struct str_list by, files;
	int64_t timeout_ms; /* 0: not set */
	bool reuses;
	struct str fix; /* absent: none */
	int64_t retries;
	struct str_list needs;
	bool is_exclusive;
};

/* A stop command as it is written. */
struct holdfast_command {
	struct str run, message; /* absent: no message */
	int64_t timeout_ms;      /* 0: none */
	int64_t max_lines;
	bool shows_output;
};

/* holdfast.yml as it is written. */
struct holdfast_draft {
	struct str base; /* absent: not set */
	struct holdfast_gate *gates;
	size_t gate_count;
	int64_t tries;
	struct holdfast_command *commands;
	size_t command_count;
	struct conclaude_prefix_blocking *follow_ups; /* NULL: none */
	int64_t rounds;                               /* 0: none */
	struct str rounds_message;                    /* absent: the usual one */
	bool is_infinite;
	struct str infinite_message;
};
extern const struct holdfast_draft holdfast_draft_defaults;
extern const struct schema holdfast_schema; /* struct holdfast_draft */

/* The file of a directory, read and parsed once for all who want to know something of it. */
struct holdfast_file {
	struct str dir;
	struct str text; /* absent: it can't be read */
	struct node document;
	bool is_parsed;
	struct err err; /* why it is not */
};
const struct holdfast_file *holdfast_read(struct arena *a, struct str dir);

/* The files with prompts that it names: they are definitions as it is. Relative to its directory, each once; none if it was
 * not parsed. */
struct str_list holdfast_prompts(struct arena *a, const struct holdfast_file *file);

/* What it says besides its gates: stop commands, follow-ups, rounds. `root` is the project's. */
int holdfast_load_policies(struct arena *a, const struct holdfast_file *file, struct str root,
			   struct conclaude_config *ret, struct err *err) MUST_CHECK;

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
