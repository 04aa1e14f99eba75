/* SPDX-License-Identifier: MIT */
/* What the keys of `holdfast watch` do. Each answers with a line for the user. */
#ifndef CMD_WATCH_ACT_H
#define CMD_WATCH_ACT_H

#include "overview/overview.h"

#include <sys/types.h>

/* Pauses the loop of this file, continues or cancels it. */
enum act { ACT_PAUSE, ACT_RESUME, ACT_CANCEL };
struct str act_on_loop(struct arena *a, struct str path, enum act what);

/* A run of a gate in the background. It is a run like any other, and does not end with us. */
struct act_run {
	pid_t pid; /* 0: none */
	int fd;    /* of what it prints */
	char gate[64];
};
struct str act_run_gate(struct arena *a, const struct overview *p, struct str gate, struct act_run *ret);
/* Absent: it has not ended. */
struct str act_run_ended(struct arena *a, struct act_run *r);

/* Shows a file, or the decisions of a session, with $PAGER on the terminal. Absent: that went well. */
struct str act_page_file(struct arena *a, struct str path);
struct str act_page_session(struct arena *a, struct str root, struct str session);

#endif
