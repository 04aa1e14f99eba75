/* SPDX-License-Identifier: MIT */
/* Reads the journal of decisions, for the commands that show it. */
#ifndef CMD_JOURNAL_DECISIONS_H
#define CMD_JOURNAL_DECISIONS_H

#include "cmd/command.h"
#include "doc/node.h"

/* Which decisions; absent: all of them. */
struct decision_filter {
	struct str project; /* exactly */
	struct str session; /* its beginning */
	struct str policy;
	struct str decision; /* block, allow, deny or ask */
	struct str event;
	int64_t since_us, until_us; /* on clock_real_us(); 0: no bound */
};

struct decision {
	struct node fields; /* of the line, into which it points */
	int64_t time_us;
};

/* False: the line is not a decision, or does not pass the filter. */
bool decision_read(struct arena *a, struct str line, const struct decision_filter *f, struct decision *ret);

/* The lines of the journal that pass, oldest first, those that were moved aside among them. A line that is not complete
 * is left out. */
int decisions_load(struct arena *a, const struct decision_filter *f, struct str_list *ret,
		   struct err *err) MUST_CHECK;

/* Where a person is: the project whose decisions are shown unless others are asked for. */
struct str decisions_project(struct arena *a);

/* The options that say which decisions a command is about, and what they say. Not 0: the error was printed. */
#define DECISION_PLACE_OPTIONS                                                                       \
	{ .name = "all", .help = "of all projects, with their paths" },                              \
		{ .name = "project", .arg_name = "DIR", .help = "of another project" },              \
	{                                                                                            \
		.name = "session", .arg_name = "ID", .help = "of sessions whose id begins like this" \
	}
#define DECISION_TIME_OPTIONS                                                                           \
	{ .name = "since", .arg_name = "TIME", .help = "not before: 2h ago, or 2026-11-15T04:17:39Z" }, \
	{                                                                                               \
		.name = "until", .arg_name = "TIME", .help = "before that time, likewise"               \
	}
int decision_filter_read(struct arena *a, const struct invocation *inv, struct decision_filter *ret);

#endif
