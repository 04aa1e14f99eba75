/* SPDX-License-Identifier: MIT */
/* Where a JSON object that a model wrote begins and ends. Inside review/ only. */
#ifndef REVIEW_ANSWER_SCAN_H
#define REVIEW_ANSWER_SCAN_H

#include "base/buf.h"

enum object_end {
	OBJECT_WHOLE,
	OBJECT_BROKEN, /* it is no JSON from `end` on */
	OBJECT_OPEN,   /* the text ends before it does */
};

struct object_scan {
	enum object_end how;
	size_t end;     /* behind the object, or where it went wrong */
	size_t cut;     /* behind the last whole item of its violations; 0: there is none */
	bool says_fail; /* it has the status fail, or something in its violations */
};

/* The object whose opening brace is at `at`. JSON, and beside that: comments, a comma before a closing bracket, line
 * breaks and other control characters in strings, and a backslash before what needs none. `strict`, which may be NULL,
 * gets it as JSON without these, as far as it goes. */
struct object_scan object_scan(struct str text, size_t at, struct buf *strict);

#endif
