/* SPDX-License-Identifier: MIT */
/* Findings of reviews, called "violations" in files, and how they are matched between runs. Pure. */
#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H

#include "base/base.h"

struct node;

enum finding_status { FINDING_NEW, FINDING_FIXED, FINDING_SKIPPED };

struct finding {
	struct str file, issue, fix, priority; /* absent: not given */
	int64_t line;                          /* 0: unknown */
	enum finding_status status;            /* set by holdfast and the agent, never by the reviewer */
	struct str result;                     /* what the agent wrote about it; absent: nothing */
	const struct node *document;           /* the object it was read from, for other keys; NULL: none */
};

/* "new", "fixed", "skipped" */
const char *finding_status_name(enum finding_status status);
bool finding_status_parse(struct str name, enum finding_status *ret);

/* The most severe first; ends in NULL. */
extern const char *const finding_priorities[];
/* The priority as the table spells it, ignoring case; any other word unchanged. */
struct str finding_priority(struct str word);
/* Is the finding less severe than `threshold`? False for a priority that is not in the table. */
bool finding_is_below(const struct finding *f, struct str threshold);

/* The number of a "line" field: 12, "12", and, because models write ranges and columns, "12-15" and "12:3". 0: none. */
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

/* Pairs each finding of `now` with the same finding of `before`, if there is one. Two findings are the same if they are in the
 * same file (a leading ./ is ignored) and have the same issue, because lines shift, or the same known line, because reviewers
 * reword findings. Issues are compared ignoring differences in blanks and the finding's own line number. The closest pairs come
 * first: identical findings, then those with the same issue (by order and distance of their lines), then those on the same
 * line. So if two findings share a line or a text and one is gone, the other is still recognised. Repetitions of one finding
 * count as that finding; otherwise a finding is paired once. */
struct finding_list {
	const struct finding *items;
	size_t count;
};
#define FINDING_NONE SIZE_MAX
/* The index in `before` of each of `now`, or FINDING_NONE. `is_paired`, of each of `before`, may be NULL. */
const size_t *findings_match(struct arena *a, struct finding_list now, struct finding_list before,
			     bool *is_paired);

/* 16 hexadecimal digits from file and issue, compared as above, so that it does not change when lines shift. Findings of one
 * file with the same issue share it. */
struct str finding_id(struct arena *a, const struct finding *f);

#endif
