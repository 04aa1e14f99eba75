/* SPDX-License-Identifier: MIT */
/* What doctor finds: a list of findings, each with what to do about it. */
#ifndef CMD_SETUP_DOCTOR_H
#define CMD_SETUP_DOCTOR_H

#include "cmd/command.h"
#include "install/project_facts.h"
#include "install/registry.h"

enum finding_level { FINDING_OK, FINDING_NOTE, FINDING_WARNING, FINDING_ERROR, FINDING_LEVEL_COUNT };

struct doctor_finding {
	enum finding_level level;
	const char *topic;
	struct str text;
	const char *fix; /* what to do about it; NULL: nothing */
};

#define FINDINGS_MAX 256
#define TOPIC_HOOKS "hooks"
#define TOPIC_ACTIVE "active here"
#define TOPIC_NEXT "at the next stop"

struct doctor {
	struct arena *arena;
	const struct command *root;
	struct str cwd;
	struct project_facts *facts;
	struct registry registry;
	struct doctor_finding findings[FINDINGS_MAX];
	size_t count;
};

void doctor_add(struct doctor *d, enum finding_level level, const char *topic, const char *fix,
		const char *fmt, ...) PRINTF_LIKE(5, 6);

/* Are the hooks registered, once each, and can they be run? */
void doctor_check_hooks(struct doctor *d);
/* What turns which policy on, and is it in order? */
void doctor_check_policies(struct doctor *d);
/* The gates' part of that. */
void doctor_check_gates(struct doctor *d);
/* Do the clients let through as many blocks as there may be? */
void doctor_check_cap(struct doctor *d);

#endif
