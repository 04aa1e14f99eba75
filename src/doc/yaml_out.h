/* SPDX-License-Identifier: MIT */
/* The YAML writer: block style, for files that people read too. The output parses to the same tree. */
#ifndef DOC_YAML_OUT_H
#define DOC_YAML_OUT_H

#include "doc/node.h"

/* A string on one line, in quotes unless it can be taken for nothing else. Invalid UTF-8 becomes U+FFFD. */
void yaml_add_string(struct buf *b, struct str x);
/* The string in double quotes. */
struct str yaml_quote(struct arena *a, struct str x);
/* The text after `key:`, up to the end of its last line: a blank and a scalar, or the lines of a map or list, each indented
 * by that many blanks. */
void yaml_add_value(struct buf *b, const struct node *n, int indent);

#endif
