/* SPDX-License-Identifier: MIT */
/* The answer of a reviewer, parsed out of whatever a model wraps around it: prose, fences, several objects, comments,
 * trailing commas, a truncated end, the JSON of the tool that ran it. Pure; always ends, in time linear in the output. */
#ifndef REVIEW_ANSWER_H
#define REVIEW_ANSWER_H

#include "review/diff_lines.h"
#include "model/finding.h"

struct answer {
	bool is_pass;
	struct str message; /* of a pass; absent: none */
	/* As the reviewer gave them, those without file, line or issue left out. The status is new, whatever the
	 * reviewer says; a priority that is not given is low, one of an unknown name stays as it is. */
	struct finding *findings;
	size_t finding_count;
	size_t malformed; /* that were left out */
	/* A failure that names nothing that can be read: its one violation is ours (of the file `unknown`, line 0), so
	 * that it can't be lost, and says what stood in its place. */
	bool is_vague;
	struct str unreadable; /* the first of those left out, on one line; absent: none */
	bool is_cut_off;       /* only the violations that are whole are here; never a pass */
};
/* The last object that is an answer counts. -1: there is none, it can't be read, or it contradicts itself; never taken
 * for a pass. A pass is only believed where nothing else in the output speaks against it: no violations in it or beside
 * it, no failure that can't be read, no object that is cut off. */
int answer_parse(struct arena *a, struct str output, struct answer *ret, struct err *err) MUST_CHECK;

/* The finding that stands for those that can't be read; `unreadable` may be absent. */
struct finding answer_vague(struct arena *a, struct str unreadable);

#endif
