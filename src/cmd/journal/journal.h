/* SPDX-License-Identifier: MIT */
/* What the commands that show the journal share: which decisions they are about. */
#ifndef CMD_JOURNAL_JOURNAL_H
#define CMD_JOURNAL_JOURNAL_H

#include "cmd/command.h"
#include "overview/decisions.h"

/* Where a person is: the project whose decisions are shown unless others are asked for. */
struct str decisions_project(struct arena *a);

/* The options that say which decisions a command is about, and what they say. Not 0: the error was printed. */
#define DECISION_PLACE_OPTIONS                                                                           \
	FLAG("all", "of all projects, with their paths"), VALUE("project", "DIR", "of another project"), \
		VALUE("session", "ID", "of sessions whose id is shown or begins like this")
#define DECISION_TIME_OPTIONS                                                  \
	VALUE("since", "TIME", "not before: 2h ago, or 2026-11-15T04:17:39Z"), \
		VALUE("until", "TIME", "before that time, likewise")
int decision_filter_read(struct arena *a, const struct invocation *inv, struct decision_filter *ret);

#endif
