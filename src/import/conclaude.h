/* SPDX-License-Identifier: MIT */
/* Finds, reads and checks the configuration of conclaude, .conclaude.yaml, with every key of every version of it, and imports it. */
#ifndef IMPORT_CONCLAUDE_H
#define IMPORT_CONCLAUDE_H

#include "conf/policies.h"
#include "import/import.h"

extern const struct schema conclaude_schema; /* it only checks */

/* The first .conclaude.yaml or .conclaude.yml, in this order in each directory; absent: none. */
struct str conclaude_find(struct arena *a, const struct str *dirs, size_t count);
/* The content of the file; fails if there is none. */
int conclaude_read(struct arena *a, struct str path, struct str *ret, struct err *err) MUST_CHECK;

/* Parses and checks a text; `path` is only a name. Error: `FILE:LINE:COL: path.to.key: the problem, the value, the nearest names`. A
 * malformed glob or regular expression is not an error: such a pattern never matches. *ret_problems gets all problems, even on
 * failure. */
int conclaude_document(struct arena *a, struct str path, struct str text, struct node *ret,
		       struct config_problems *ret_problems, struct err *err) MUST_CHECK;
/* What such a document says in the words of holdfast.yml. `file` is for the notes. */
struct import conclaude_import(struct arena *a, struct str file, const struct node *document);

/* The policies of a file, imported. Its text may have been read before; absent: it is read. ret_problems may be NULL; it is not
 * set where there is nothing to read. */
int conclaude_load(struct arena *a, struct str path, struct str text, struct policies *ret,
		   struct config_problems *ret_problems, struct err *err) MUST_CHECK;

/* How many messages promptPrefixBlocking sends. */
uint64_t conclaude_messages(const struct node *queue);
/* The problems of a configuration that loads: those of single keys in the order of the file, then those of several keys. An error
 * makes `validate` fail. */
void conclaude_check(struct arena *a, const struct policies *c, struct config_problems *ret);

#endif
