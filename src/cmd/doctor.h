/* SPDX-License-Identifier: MIT */
/* What doctor finds: a list of findings, each with what to do about it. */
#ifndef CMD_DOCTOR_H
#define CMD_DOCTOR_H

#include "cmd/setup.h"

enum finding_level { FINDING_OK, FINDING_NOTE, FINDING_WARNING, FINDING_ERROR, FINDING_LEVEL_COUNT };

struct finding {
	enum finding_level level;
	const char *topic;
	struct str text;
	const char *fix; /* what to do about it; NULL: nothing */
};

#define FINDINGS_MAX 256
#define TOPIC_HOOKS "hooks"
#define TOPIC_ACTIVE "active here"
#define TOPIC_NEXT "at the next stop"

/* A settings file of a client, as it is. */
struct doctor_settings {
	struct str path, shown;
	struct node root; /* a null node where there is no file or none that can be read */
	struct hook_list hooks;
};

/* A client and its files, the later of which counts more. */
struct doctor_client {
	const struct client *client;
	struct doctor_settings *files;
	size_t count;
	bool is_registered; /* a hook of ours is in one of them */
};

struct doctor {
	struct arena *arena;
	struct str cwd;
	struct setup *setup;
	struct doctor_client clients[CLIENTS_MAX]; /* Claude Code first */
	size_t client_count;
	struct finding findings[FINDINGS_MAX];
	size_t count;
};

void doctor_add(struct doctor *d, enum finding_level level, const char *topic, const char *fix,
		const char *fmt, ...) PRINTF_LIKE(5, 6);

/* Are the hooks registered, once each, and can they be run? */
void doctor_look_at_hooks(struct doctor *d);
/* What turns which policy on, and is it in order? */
void doctor_look_at_policies(struct doctor *d);
/* The gates' part of that. */
void doctor_look_at_gates(struct doctor *d);
/* Do the clients let through as many blocks as there may be? */
void doctor_look_at_cap(struct doctor *d);

#endif
