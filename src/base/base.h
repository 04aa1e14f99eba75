/* SPDX-License-Identifier: MIT */
/* Included by every file: compiler attributes, the basic types, memory, texts and paths, <stdlib.h> and <string.h>. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define CLEANUP(fn) __attribute__((cleanup(fn), unused))
/* For code that runs where allocation is not possible. */
#define NOT_SANITIZED __attribute__((no_sanitize_address))
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#include "base/arena.h"
#include "base/cat.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "base/utf8.h"

/* A loop over an array, which may be NULL if it is empty: `p` points to the item. The count is asked for before the first. */
#define for_each(p, items, count) \
	for (__typeof__((items)[0]) *p = (items), *p##_end = (count) > 0 ? p + (count) : p; p < p##_end; p++)

/* qsort(), also of no items, whose array may be NULL. */
#define sort(items, count, compare) sort_items((items), (count), sizeof(*(items)), (compare))
static inline void
sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, compare);
}

#endif
