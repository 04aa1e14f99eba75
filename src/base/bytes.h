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

/* Bit i: byte i is not zero. Each is 0 or 255, as a comparison makes them. */
static inline unsigned
bytes16_mask(bytes16 x)
{
#ifdef __SSE2__
	typedef char signed16 __attribute__((vector_size(16)));

	return (unsigned)__builtin_ia32_pmovmskb128((signed16)x);
#else
	unsigned mask = 0;

	for (unsigned i = 0; i < sizeof(x); i++)
		mask |= (x[i] & 1u) << i;
	return mask;
#endif
}

#endif
