/* SPDX-License-Identifier: MIT */
/* The rules of `guards` in holdfast.yml, as they are written. What they mean is decided in guards/. */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include "doc/node.h"

/* A rule about paths or commands. */
struct guard_rule {
	struct str text; /* a pattern of paths as in .gitignore, or the leading words of a command */
	const struct node
		*by; /* a glob of agent types, or a list of them; NULL: every agent, and the main one */
	struct str message; /* what to do instead; absent: the usual one */
};
/* Rules stay in the document, where most are only a text: a copy of a thousand would take longer to make than to use. */
struct guard_rule_list {
	const struct node *items; /* texts and maps, which the schema has checked */
	size_t count;
};
struct guard_rule guard_rule_of(const struct node *n);
/* Its text alone. */
static inline struct str
guard_rule_text(const struct node *n)
{
	return n->kind == NODE_STRING ? n->text : guard_rule_of(n).text;
}

/* A change of tests that is allowed. */
struct guard_exception {
	struct str file; /* a pattern of paths */
	struct str reason;
};

struct guard_tests {
	bool is_enabled;
	struct {
		struct guard_exception *items;
		size_t count;
	} allow;
};

struct guards_config {
	struct str_list use; /* built-in sets: destructive, secrets */
	struct guard_rule_list protect, create;
	struct {
		struct guard_rule_list deny, ask, allow;
	} commands;
	struct str unknown;        /* allow, ask or deny: what an unknown command means */
	struct guard_tests *tests; /* NULL: off */
};

#endif
