/* SPDX-License-Identifier: MIT */
/* doctor's findings, each with what to do about it. */
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

/* Is each hook registered exactly once, and can it run? */
void doctor_check_hooks(struct doctor *d);
/* May what is defined here run? */
void doctor_check_trust(struct doctor *d);
/* Which policies are active, and is their configuration valid? */
void doctor_check_policies(struct doctor *d);
/* The gates' part of that. */
void doctor_check_gates(struct doctor *d);
/* Are the clients' limits on blocks high enough? */
void doctor_check_cap(struct doctor *d);

#endif
