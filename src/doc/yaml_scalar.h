/* SPDX-License-Identifier: MIT */
/* The type of a plain YAML scalar: null, a boolean, a number or a string. */
#ifndef DOC_YAML_SCALAR_H
#define DOC_YAML_SCALAR_H

#include "doc/node.h"

/* Sets kind, is_empty, boolean and integer from the text. A NUL must follow a text that begins as a number may. */
void yaml_scalar_read(struct node *n);

/* The same. Most texts begin with a letter, and are not null, true or false. */
static inline void
yaml_scalar_type(struct node *n)
{
	char c = n->text.n > 0 ? (char)(n->text.s[0] | 0x20) : '\0';

	if (c >= 'a' && c <= 'z' && (n->text.n > sizeof("false") - 1 || (c != 'f' && c != 'n' && c != 't')))
		n->kind = NODE_STRING;
	else
		yaml_scalar_read(n);
}

#endif
