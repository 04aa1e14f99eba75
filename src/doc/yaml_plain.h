/* SPDX-License-Identifier: MIT */
/* A quick reader for the part of YAML that configuration files are written in: ASCII, block lists and maps with plain keys, and
 * values on one line, which may be quoted, lists or maps. A hook reads its configuration before every tool, and libyaml takes fifteen
 * times as long. The fuzz target compares every tree with that of libyaml, positions included. */
#ifndef DOC_YAML_PLAIN_H
#define DOC_YAML_PLAIN_H

#include "doc/node.h"

/* Strings of the tree point into the text. False: it has something else in it, an error perhaps. Nothing is said about it then. */
bool yaml_read_plain(struct arena *a, struct str text, struct node *ret);

#endif
