/* SPDX-License-Identifier: MIT */
/* Where a JSON object that a model wrote begins and ends. Inside review/ only. */
#ifndef REVIEW_ANSWER_SCAN_H
#define REVIEW_ANSWER_SCAN_H

#include "base/base.h"

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
