/* SPDX-License-Identifier: MIT */
/* Sixteen bytes that are compared at once. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char bytes16 __attribute__((vector_size(16)));

static inline bytes16
bytes16_at(const char *from)
{
	bytes16 x;

	memcpy(&x, from, sizeof(x));
	return x;
}

/* Is any of them not zero? */
static inline bool
bytes16_any(bytes16 x)
{
	uint64_t halves[2];

	memcpy(halves, &x, sizeof(halves));
	return halves[0] | halves[1];
}

#endif
