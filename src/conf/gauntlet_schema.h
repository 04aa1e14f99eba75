/* SPDX-License-Identifier: MIT */
/* The schemas of .gauntlet's files, and the structs they are read into. */
#ifndef CONF_GAUNTLET_SCHEMA_H
#define CONF_GAUNTLET_SCHEMA_H

#include "conf/gauntlet.h"

#define GAUNTLET_CONFIG_FILE ".gauntlet/config.yml"

/* A number or boolean that is not set. */
#define UNSET INT64_MIN

/* What both the project and the user may set. */
struct shared_values {
	int64_t enabled, run_interval_minutes, reverify;
	int64_t debug_enabled, debug_max_bytes;
};

/* config.yml as it is written, before the other sources come in. */
struct config_draft {
	struct gates_config config;
	struct shared_values shared;
};
extern const struct config_draft config_draft_defaults;

/* A timeout of the two below is -1 where it is not set. */

/* A check's file; the fix instructions are still a path. */
struct check_draft {
	struct check_gate gate;
	struct str fix_path, fix_path_alias;
};
extern const struct check_draft check_draft_defaults;

struct review_draft {
	struct review_gate gate;
	struct str prompt_file, skill_name, builtin;
};
extern const struct review_draft review_draft_defaults;

extern const struct schema gauntlet_config_schema; /* struct config_draft */
extern const struct schema gauntlet_hook_schema;   /* struct config_draft: what the stop hook needs of it */
extern const struct schema gauntlet_global_schema; /* struct config_draft: the user's own file */
extern const struct schema gauntlet_check_schema;  /* struct check_draft */
extern const struct schema gauntlet_review_schema; /* struct review_draft: front matter */
extern const struct schema gauntlet_review_yml_schema; /* struct review_draft: a file of its own */
extern const struct schema gauntlet_ci_schema;         /* struct ci_config */

/* One load of the files of a project. */
struct gauntlet_loader {
	struct arena *arena;
	struct str root;
	struct str file; /* that is being read, relative to the root */
	struct config_problems *problems;
	/* Called with each file after it was read, as long as nothing fatal was found: the key that its values are
	 * below, its tree, and the struct that it was read into. NULL: not wanted. */
	void (*on_file)(struct gauntlet_loader *l, const struct schema *s, const struct config_path *at,
			const struct node *document, void *values);
};
/* From here on, problems are in this file, which is read. */
void loader_begin_file(struct gauntlet_loader *l, struct str file);
/* n: where it is; NULL: the file as such. */
void loader_note(struct gauntlet_loader *l, enum severity severity, const struct node *n, struct str path,
		 const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The item of a list, for its place; NULL: there is none. */
const struct node *item_of(const struct node *list, size_t i);
/* The file as a tree. False: it is not there, or it can't be read or parsed, which is noted. */
bool loader_read_yaml(struct gauntlet_loader *l, struct node *ret);

/* Each fills its part of the configuration, sorted by name; a gate with a problem is there too, so that references to
 * it are not wrong as well. Reviews need c->default_preference. */
void loader_read_checks(struct gauntlet_loader *l, struct gates_config *c);
void loader_read_reviews(struct gauntlet_loader *l, struct gates_config *c);
/* All of it: config.yml from its tree (NULL: it could not be read), then the gates. *d holds the defaults. */
void loader_read_all(struct gauntlet_loader *l, const struct node *document, struct config_draft *d);

/* Which of the environment, the project and the user's own file counts, field by field. The warning is about the user's
 * file, which is ignored then; absent: none. */
struct sourced_values gauntlet_resolve(struct arena *a, const struct shared_values *project,
				       struct str *ret_warning);

#endif
