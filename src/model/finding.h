/* SPDX-License-Identifier: MIT */
/* A finding of a review, and when two findings are the same one. Files call them "violations". Pure. */
#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H

#include "base/base.h"

struct node;

enum finding_status { FINDING_NEW, FINDING_FIXED, FINDING_SKIPPED };

struct finding {
	struct str file, issue, fix, priority; /* absent: not given */
	int64_t line;                          /* 0: unknown */
	enum finding_status status;            /* set by us and by the agent, never by the reviewer */
	struct str result;                     /* what the agent wrote about it; absent: nothing */
	const struct node
		*document; /* the object it was read from, for keys the reviewer added; NULL: none */
};

/* "new", "fixed", "skipped" */
const char *finding_status_name(enum finding_status status);
bool finding_status_parse(struct str name, enum finding_status *ret);

/* From the gravest to the least, then NULL. */
extern const char *const finding_priorities[];
/* The priority as the table spells it, in whichever case it was written; any other word as it is. */
struct str finding_priority(struct str word);
/* Is the finding less grave than `threshold`? A priority that is not in the table never is. */
bool finding_is_below(const struct finding *f, struct str threshold);

/* The number of a "line" field: 12, "12", and as models write ranges and columns, "12-15" and "12:3". 0: neither. */
int64_t finding_line(const struct node *n);
/* FINDING_KEY_OTHER: a key that a reviewer added. */
enum finding_key {
	FINDING_KEY_FILE,
	FINDING_KEY_LINE,
	FINDING_KEY_ISSUE,
	FINDING_KEY_FIX,
	FINDING_KEY_PRIORITY,
	FINDING_KEY_STATUS,
	FINDING_KEY_RESULT,
	FINDING_KEY_OTHER,
};
enum finding_key finding_key(struct str key);

/* The same finding: of the same file (a leading ./ does not count), and with the same issue, since lines shift when
 * code above them changes, or on the same known line, since a reviewer rewords its findings. Issues are compared
 * without differences in blanks, and without the finding's own line number where the text repeats it. */
bool finding_is_same(const struct finding *x, const struct finding *y);

/* Where several findings could be meant, this decides: pairs each of `now` with one of `before` that is the same, as
 * far as there are any. The closest pair comes first: identical findings, then those with the same issue (in the order
 * of their lines, and those nearest to each other), then those on the same line. So of two findings that share a line
 * or a text, one that is gone is not mistaken for the one that is still there. Repetitions of one finding all count as
 * that finding; otherwise a finding is paired once. */
struct finding_list {
	const struct finding *items;
	size_t count;
};
#define FINDING_NONE SIZE_MAX
/* The index in `before` of each of `now`, or FINDING_NONE. `is_paired`, of each of `before`, may be NULL. */
const size_t *findings_match(struct arena *a, struct finding_list now, struct finding_list before,
			     bool *is_paired);

/* 16 hexadecimal digits from file and issue, compared as above. It stays the same when lines shift. Findings of one
 * file with the same issue share it. */
struct str finding_id(struct arena *a, const struct finding *f);

#endif
