/* SPDX-License-Identifier: MIT */
/* The answer of a reviewer, parsed out of whatever a model wraps around it: prose, fences, several objects, comments,
 * trailing commas, a truncated end, the JSON of the tool that ran it. Pure; always ends, in time linear in the output. */
#ifndef REVIEW_ANSWER_H
#define REVIEW_ANSWER_H

#include "model/finding.h"

struct answer {
	bool is_pass;
	struct str message; /* of a pass; absent: none */
	/* As the reviewer gave them, without those that lack a file, a line or an issue. The status is new, whatever the
	 * reviewer wrote; a missing priority is low, an unknown one stays as it is. */
	struct finding *findings;
	size_t finding_count;
	size_t malformed; /* number of those that lack something */
	/* A failure without a readable finding: its one finding is ours (file `unknown`, line 0), so that the failure
	 * can't be lost, and quotes what was there. */
	bool is_vague;
	struct str unreadable; /* the first malformed one, on one line; absent: none */
	bool is_cut_off;       /* only the complete findings are here; never a pass */
};
/* The last object that is an answer counts. -1: there is none, it can't be read, or it contradicts itself. A pass is only
 * believed where nothing in the output contradicts it: no violations inside it or elsewhere, no failure that can't be
 * read, no object that is cut off. */
int answer_parse(struct arena *a, struct str output, struct answer *ret, struct err *err) MUST_CHECK;

/* The finding that stands for those that can't be read; `unreadable` may be absent. */
struct finding answer_vague(struct arena *a, struct str unreadable);

/* ---- answer_scan.c: where a JSON object that a model wrote begins and ends ---- */

enum object_end {
	OBJECT_WHOLE,
	OBJECT_BROKEN, /* not JSON from `end` on */
	OBJECT_OPEN,   /* the text ends first */
};

struct object_scan {
	enum object_end how;
	size_t end;     /* after the object, or where it stops being JSON */
	size_t cut;     /* after the last complete item of its violations; 0: there is none */
	bool says_fail; /* it has the status fail, or something in its violations */
};

/* The object whose opening brace is at `at`, in the loose syntax of doc/json.h. */
struct object_scan object_scan(struct str text, size_t at);

#endif
