/* SPDX-License-Identifier: MIT */
/* Between the files of this folder: who has proposed what, and the tables. */
#ifndef RECOGNISE_RULES_H
#define RECOGNISE_RULES_H

#include "recognise/recognise.h"

/* What a gate is for, and its name. */
#define ROLE_TEST "test"
#define ROLE_LINT "lint"
#define ROLE_TYPES "types"
#define ROLE_FORMAT "format"

struct recognition {
	struct arena *arena;
	const struct project_files *files;
	struct proposals *proposals;
};

/* The first file that has the text (NULL: any), and whose name matches the pattern, in which * does not match a slash; NULL: none. */
const struct project_file *find_file(const struct recognition *r, const char *pattern, const char *text);
bool is_ci_file(struct str name);
/* Does a file of the CI have this text? */
bool ci_has(const struct recognition *r, const char *text);

struct offer {
	const char *role, *ecosystem; /* ecosystem NULL: of a runner */
	const char *name;             /* of the gate; NULL: the role */
	struct str command;
	const char *pattern; /* for `files`; NULL: every change */
	struct str from;
};
/* Proposes the gate, unless the role is taken: by a runner, by the same ecosystem, or, for a runner, by anybody. A second
 * ecosystem gets a name of its own. */
void offer_gate(struct recognition *r, const struct offer *o);

/* package.json, just, make, composer: scripts and targets whose names say what they are for. */
void offer_node(struct recognition *r);
void offer_targets(struct recognition *r);
void offer_composer(struct recognition *r);
/* Commands of the CI, where nothing else says how to test. */
void offer_ci(struct recognition *r);
/* The table of languages and tools; first the runners among them. */
void offer_ecosystems(struct recognition *r, bool are_runners);

#endif
