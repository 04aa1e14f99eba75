/* SPDX-License-Identifier: MIT */
/* Internal to the reader of .gauntlet: the schemas of its files and the structs that they are read into. */
#ifndef CONF_GAUNTLET_SCHEMA_H
#define CONF_GAUNTLET_SCHEMA_H

#include "conf/gauntlet.h"

/* A number or boolean that is not set. */
#define UNSET INT64_MIN

/* Values that both the project and the user may set. */
struct shared_values {
	int64_t enabled, run_interval_minutes, reverify;
	int64_t debug_enabled, debug_max_bytes;
};

/* config.yml as written, before the other sources are applied. */
struct config_draft {
	struct gates_config config;
	struct shared_values shared;
};
extern const struct config_draft config_draft_defaults;
struct config_draft config_draft_of(const struct gauntlet_kind *kind);

/* A check's file. In drafts, a timeout that is not set is -1, and fix instructions are a path. */
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

/* A reviewer under cli.adapters, or under reviewers of holdfast.yml. */
extern const struct field reviewer_item; /* struct reviewer_config */
extern const struct reviewer_config reviewer_defaults;

extern const struct schema gauntlet_config_schema; /* struct config_draft */
extern const struct schema gauntlet_hook_schema; /* struct config_draft: the part that the stop hook needs */
extern const struct schema gauntlet_global_schema;     /* struct config_draft: the user's own file */
extern const struct schema gauntlet_check_schema;      /* struct check_draft */
extern const struct schema gauntlet_review_schema;     /* struct review_draft: front matter */
extern const struct schema gauntlet_review_yml_schema; /* struct review_draft: a YAML file */
extern const struct schema gauntlet_ci_schema;         /* struct ci_config */

/* Loads the files of a project. */
struct gauntlet_loader {
	struct arena *arena;
	struct str root;
	struct str project; /* of which `root` is a pinned copy; absent: it is no copy */
	const struct gauntlet_kind *kind;
	struct str file; /* being read, relative to the root */
	struct config_problems *problems;
	/* Called after each file was read, unless there is a fatal problem, with the key that contains its values, its tree,
	 * and the struct that it was read into. May be NULL. */
	void (*on_file)(struct gauntlet_loader *l, const struct schema *s, const struct config_path *at,
			const struct node *document, void *values);
};
/* Adds the file to those that were read; following problems are in it. */
void loader_begin_file(struct gauntlet_loader *l, struct str file);
/* Adds a problem. n: its position; NULL: none. */
void loader_note(struct gauntlet_loader *l, enum severity severity, const struct node *n, struct str path,
		 const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The item of a list, for its position; NULL: there is none. */
const struct node *item_of(const struct node *list, size_t i);
/* The file as a tree. False: it does not exist, or can't be read or parsed, which is then added as a problem. */
bool loader_read_yaml(struct gauntlet_loader *l, struct node *ret);

/* Notes reviewers that are not built in and have no command. `map` is under that key. */
void loader_check_reviewers(struct gauntlet_loader *l, const struct gates_config *c, const struct node *map,
			    const char *key);
/* Of a Markdown file: the front matter as a tree with the file's line numbers, and the rest. False: it does not parse, which is
 * added as a problem. */
bool loader_split_markdown(struct gauntlet_loader *l, struct str text, struct node *ret,
			   struct str *ret_prompt);
/* A built-in prompt; `n` has the key. Absent: there is none, which is added as a problem. */
struct str loader_builtin(struct gauntlet_loader *l, const struct node *n, struct str name);
/* agent-validator puts a text of its command line into prompts; there is none at a stop. */
struct str loader_without_context(struct gauntlet_loader *l, struct str prompt);

/* Notes a log directory that is the project itself or is outside it. */
void loader_check_log_dir(struct gauntlet_loader *l, const struct node *document, struct str log_dir);
/* Notes files in it that are not logs. */
void loader_check_log_files(struct gauntlet_loader *l, const struct node *document, struct str log_dir);
/* Notes a check's working directory that is outside the project; absent: it has none. */
void loader_check_directory(struct gauntlet_loader *l, const struct node *gate, struct str dir);
/* Where a file leads by links, if that is outside the project; absent: it is in the project, or does not exist. */
struct str loader_leads_out(struct gauntlet_loader *l, const char *path);

/* Each fills its part of the configuration, sorted by name. A gate with a problem is included, so that references to it are not
 * reported too. Reviews need c->default_preference. */
void loader_read_checks(struct gauntlet_loader *l, const struct node *document, struct gates_config *c);
void loader_read_reviews(struct gauntlet_loader *l, const struct node *document, struct gates_config *c);
/* Reads config.yml from its tree (NULL: it could not be read), then the gates. *d contains the defaults. */
void loader_read_all(struct gauntlet_loader *l, const struct node *document, struct config_draft *d);

/* Chooses between environment, project and the user's own file, for each value. The warning is about the user's file, which is
 * then ignored; absent: none. */
struct sourced_values gauntlet_resolve(struct arena *a, const struct gauntlet_kind *kind,
				       const struct shared_values *project, struct str *ret_warning);

#endif
