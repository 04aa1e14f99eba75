/* SPDX-License-Identifier: MIT */
/* The gates' own files: checks/ and reviews/. */
#ifndef CONF_GAUNTLET_GATES_H
#define CONF_GAUNTLET_GATES_H

#include "conf/gauntlet_collect.h"

/* A YAML file below the root, as a tree. False: it is not there, or it can't be read or parsed, which is noted. */
bool gates_read_yaml(struct collector *k, struct str root, struct str file, struct node *ret);

/* The same for the file of a review, which may be Markdown; its prompt is absent where the file is YAML. */
bool gates_read_review(struct collector *k, struct str root, struct str file, struct node *ret,
		       struct str *ret_prompt);

/* ci.yml, where there is one; defined beside gauntlet_load_ci(). */
void gates_check_ci(struct collector *k, struct str root);

/* Each fills its part of the configuration, sorted by name; a gate with a problem is there too, so that what refers
 * to it is not wrong as well. Of c, default_preference counts. */
void gates_load_checks(struct collector *k, struct gauntlet_config *c);
void gates_load_reviews(struct collector *k, struct gauntlet_config *c);

#endif
