/* SPDX-License-Identifier: MIT */
/* Reads a rule of `guards` from the document. The keys are those of conf/holdfast_schema.c. */
#include "model/guard.h"

static struct str
text_of(const struct node *n)
{
	return n && n->kind != NODE_NULL ? n->text : STR_NONE;
}

struct guard_rule
guard_rule_of(const struct node *n)
{
	if (n->kind != NODE_MAP)
		return (struct guard_rule){ .text = n->text };
	const struct node *path = node_get(n, "path");

	return (struct guard_rule){
		.text = text_of(path ? path : node_get(n, "command")),
		.by = node_get(n, "by"),
		.message = text_of(node_get(n, "message")),
	};
}
