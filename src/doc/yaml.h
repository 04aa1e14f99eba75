/* SPDX-License-Identifier: MIT */
/* The YAML reader: every node has its line, column and span. The only file that uses libyaml. One document, core-schema typing
 * as serde_yaml 0.9 does it, aliases resolved within limits, no merge keys. */
#ifndef DOC_YAML_H
#define DOC_YAML_H

#include "doc/node.h"

/* An empty document is a null node. Strings of the tree may point into the text. The error says LINE:COLUMN: what. */
int yaml_parse(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

#endif
