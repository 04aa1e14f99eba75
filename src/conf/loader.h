/* SPDX-License-Identifier: MIT */
/* Reads the files of a configuration and notes what is wrong with them. */
#ifndef CONF_LOADER_H
#define CONF_LOADER_H

#include "conf/schema.h"
#include "model/gate.h"

struct config_loader {
	struct arena *arena;
	struct str root;
	struct str project; /* of which `root` is a pinned copy; absent: it is no copy */
	const struct dialect *dialect;
	struct str file; /* being read, relative to the root */
	struct config_problems *problems;
};
/* Adds the file to those that were read; following problems are in it. */
void loader_begin_file(struct config_loader *l, struct str file);
/* Adds a problem, a text of pieces. n: its position; NULL: none. */
#define loader_note(l, severity, n, path, ...)                                                             \
	problem_add((l)->arena, (l)->problems, &(const struct problem_at){ severity, (l)->file, path, n }, \
		    str_cat((l)->arena, __VA_ARGS__))
/* The same at a key of a map. */
#define loader_note_key(l, severity, map, key, ...) \
	loader_note(l, severity, node_get(map, key), str_from(key), __VA_ARGS__)
/* The item of a list, for its position; NULL: there is none. */
const struct node *item_of(const struct node *list, size_t i);
/* The file, as text or as a tree. False: it does not exist, or can't be read or parsed, which is then added as a problem. */
bool loader_read_text(struct config_loader *l, struct str *ret);
bool loader_parse(struct config_loader *l, struct str text, struct node *ret);
bool loader_read_yaml(struct config_loader *l, struct node *ret);
/* Places are relative to the project, also where its files are read from a copy. */
static inline struct str
loader_project(const struct config_loader *l)
{
	return l->project.s ? l->project : l->root;
}
/* Where a file leads by links, if that is outside the project; absent: it is in the project, or does not exist. */
struct str loader_leads_out(struct config_loader *l, const char *path);

/* The prompt of a review that holdfast brings along, in share/prompts; absent: there is none of this name. */
struct str builtin_prompt(struct str name);
/* Their names, for messages. */
struct str builtin_names(struct arena *a);

/* A reviewer as the files describe it. */
extern const struct field reviewer_item; /* struct reviewer_config */
extern const struct reviewer_config reviewer_defaults;
/* Notes reviewers that are not built in and have no command. `map` is under that key. */
void loader_check_reviewers(struct config_loader *l, const struct gates_config *c, const struct node *map,
			    const char *key);

#endif
