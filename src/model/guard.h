/* SPDX-License-Identifier: MIT */
/* The rules of `guards` in holdfast.yml, as they are written. What they mean is decided in guards/. */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include "base/base.h"

/* A rule about paths or commands. */
struct guard_rule {
	struct str text;    /* a pattern of paths as in .gitignore, or the leading words of a command */
	struct str_list by; /* globs of agent types; none: every agent, and the main one */
	struct str message; /* what to do instead; absent: the usual one */
};
struct guard_rule_list {
	struct guard_rule *items;
	size_t count;
};

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
