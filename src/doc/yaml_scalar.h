/* SPDX-License-Identifier: MIT */
/* The type of a plain YAML scalar: null, a boolean, a number or a string. */
#ifndef DOC_YAML_SCALAR_H
#define DOC_YAML_SCALAR_H

#include "doc/node.h"

/* Sets kind, is_empty, boolean and integer from the text, which must be terminated. */
void yaml_scalar_type(struct node *n);

#endif
