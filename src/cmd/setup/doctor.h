/* SPDX-License-Identifier: MIT */
/* doctor's findings, each with what to do about it. */
#ifndef CMD_SETUP_DOCTOR_H
#define CMD_SETUP_DOCTOR_H

#include "cmd/command.h"
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
	const char *topic; /* of the check that is made */
	struct doctor_finding findings[FINDINGS_MAX];
	size_t count;
};

/* What a check has found, under its topic, and what it says about the next stop. The text is made of pieces, as by str_cat(). */
#define doctor_add(d, level, fix, ...) \
	doctor_add_text((d), (level), (d)->topic, (fix), str_cat((d)->arena, __VA_ARGS__))
#define doctor_next(d, ...) \
	doctor_add_text((d), FINDING_NOTE, TOPIC_NEXT, NULL, str_cat((d)->arena, __VA_ARGS__))
void doctor_add_text(struct doctor *d, enum finding_level level, const char *topic, const char *fix,
		     struct str text);

void doctor_check_hooks(struct doctor *d); /* is each hook registered exactly once, and can it run? */
/* Which policies are active, may what they run be run, is their configuration valid, and what will a stop do? */
void doctor_check_policies(struct doctor *d);
void doctor_check_cap(struct doctor *d); /* are the clients' limits on blocks high enough? */

#endif
