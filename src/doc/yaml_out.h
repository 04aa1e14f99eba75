/* SPDX-License-Identifier: MIT */
/* YAML out: block style, for files that people read too. What is written is read back as the same tree. */
#ifndef DOC_YAML_OUT_H
#define DOC_YAML_OUT_H

#include "base/buf.h"
#include "doc/node.h"

/* A string, without quotes where nobody could take it for anything else. Valid on one line whatever the bytes; invalid
 * UTF-8 becomes U+FFFD. */
void yaml_add_string(struct buf *b, struct str x);
/* What stands behind `key:` and up to the end of its last line: a blank and a scalar, or the lines of a map or list,
 * each indented by so many blanks. */
void yaml_add_value(struct buf *b, const struct node *n, int indent);

#endif
