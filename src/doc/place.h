/* SPDX-License-Identifier: MIT */
/* Where a byte stands in a text, as editors count. */
#ifndef DOC_PLACE_H
#define DOC_PLACE_H

#include "base/base.h"

struct place {
	int line, column; /* from 1; the column counts code points, a byte order mark at the start is none */
};

/* Linear in the offset: for errors, not for every node. */
struct place place_of(struct str text, size_t offset);

#endif
