/* SPDX-License-Identifier: MIT */
/* The definition of a gate as one digest. It is made of the document and of the files that the document names, never of
 * members of a struct, so that a new key is part of it from its first day. Pure. */
#ifndef MODEL_GATE_DEFINITION_H
#define MODEL_GATE_DEFINITION_H

#include "doc/node.h"

/* What a gate was read from. */
struct gate_definition {
	struct str dialect;       /* of the document */
	const struct node *gate;  /* its value in the document; NULL: none */
	struct str text;          /* of the file that it names: a prompt, instructions; absent: none */
	struct str_list names;    /* of the reviewers that it may ask; their order is the gate's own affair */
	const struct node *named; /* map from the name of a reviewer to its value; NULL: none */
	struct str threshold;     /* from which a finding counts when it is asked again; absent: of a check */
};
/* Positions, comments and quotes in the document are no part of it. */
struct str gate_definition_digest(struct arena *a, const struct gate_definition *d);

/* In place of a digest, of a result that was imported from logs: they do not say what the gate was. */
#define DEFINITION_IMPORTED "imported"

#endif
