/* SPDX-License-Identifier: MIT */
/* Internal to the reader of .gauntlet: the schemas of its files and the structs that they are read into. */
#ifndef IMPORT_GAUNTLET_SCHEMA_H
#define IMPORT_GAUNTLET_SCHEMA_H

#include "conf/loader.h"
#include "import/gauntlet.h"
#include "import/import.h"

/* A number or boolean that is not set. */
#define UNSET INT64_MIN

/* Values that both the project and the user may set. */
struct shared_values {
	int64_t enabled, run_interval_minutes, reverify;
	int64_t debug_enabled, debug_max_bytes;
};

/* A gate as its file describes it. */
struct gate_draft {
	struct gate gate;                            /* a timeout that is not set is -1 */
	struct str fix_path, fix_path_alias;         /* of a check */
	struct str prompt_file, skill_name, builtin; /* of a review */
	const struct schema *schema;                 /* of its values */
	struct node node;                            /* its values */
	struct str yaml;                             /* of a file: from which it was parsed */
};

/* The files as written, before the other sources are applied. */
struct config_draft {
	struct gates_config config;
	struct shared_values shared;
	struct gate_draft *gates; /* those that could be read, the checks first */
	size_t gate_count;
};
extern const struct config_draft config_draft_defaults;
struct config_draft config_draft_of(const struct dialect *dialect);

/* The list of an entry point that names such gates. */
static inline const char *
gate_list_key(enum gate_kind kind)
{
	return kind == GATE_CHECK ? "checks" : "reviews";
}

extern const struct schema gauntlet_config_schema; /* struct config_draft */
extern const struct schema gauntlet_hook_schema; /* struct config_draft: the part that the stop hook needs */
extern const struct schema gauntlet_global_schema;     /* struct config_draft: the user's own file */
extern const struct schema gauntlet_check_schema;      /* struct gate_draft */
extern const struct schema gauntlet_review_schema;     /* struct gate_draft: front matter */
extern const struct schema gauntlet_review_yml_schema; /* struct gate_draft: a YAML file */
extern const struct schema gauntlet_ci_schema;         /* struct ci_config */

/* Adds the gates of a kind, sorted by name; `document` is config.yml. One with a problem is included, so that references to it are
 * not reported too. Reviews need the configuration's default_preference. */
void loader_read_gates(struct config_loader *l, const struct node *document, enum gate_kind kind,
		       struct config_draft *d);
/* Reads config.yml from its tree (NULL: it could not be read), then the gates. *d contains the defaults. */
void loader_read_all(struct config_loader *l, const struct node *document, struct config_draft *d);
/* The same for a project whose config.yml was read. */
struct config_draft gauntlet_read(struct arena *a, const struct stop_settings *hook,
				  struct config_problems *problems);

/* Chooses between environment, project and the user's own file, for each value. The warning is about the user's file, which is
 * then ignored; absent: none. */
struct sourced_values gauntlet_resolve(struct arena *a, const struct dialect *dialect,
				       const struct shared_values *project, struct str *ret_warning);

/* ---- as a document of holdfast.yml ---- */

/* Where a gate comes from. */
struct gate_source {
	const struct gate_draft *draft;
	int line; /* of the first entry point that names it, in config.yml; 0: none */
};
struct gauntlet_import {
	struct import import;        /* its document has all keys but `gates` */
	struct node gates;           /* the value of that key; each has its places in the file of the gate */
	struct gate_source *sources; /* one for each of them */
};
/* The files must have no fatal problem. Fails if holdfast.yml can't express them. */
int gauntlet_import(struct arena *a, const struct config_draft *d, const struct node *document,
		    struct gauntlet_import *ret, struct err *err) MUST_CHECK;

#endif
