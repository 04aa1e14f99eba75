/* SPDX-License-Identifier: MIT */
/* A long text made to fit: its beginning and, since the end of an output says what went wrong, more of its end. */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

#include "base/base.h"

/* The text itself if it has at most `max` bytes; else a third of that from its beginning, a line
 * `... (N bytes omitted)`, and the rest from its end, cut at line ends where there are any near. Valid UTF-8 stays
 * valid. At most max bytes, if max is at least EXCERPT_LEAST_BYTES. */
#define EXCERPT_LEAST_BYTES 120
struct str excerpt(struct arena *a, struct str text, size_t max);

#endif
