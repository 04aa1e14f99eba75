/* SPDX-License-Identifier: MIT */
/* Every x86-64 processor has SSE2, so nothing has to be found out at the start. Blocks are compared whole and read unaligned;
 * what is left over is compared byte by byte. */
#include "libc/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#define BLOCK 16

/* Bit i: the byte at[i] is the one that is looked for. */
static unsigned
compare(const char *at, __m128i wanted)
{
	__m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);

	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted));
}
#endif

void *
scan_forward(const void *text, int byte, size_t n)
{
	const char *at = text, *end = at + n;

#ifdef __SSE2__
	__m128i wanted = _mm_set1_epi8((char)byte);

	for (; end - at >= BLOCK; at += BLOCK) {
		unsigned found = compare(at, wanted);

		if (found)
			return (void *)(size_t)(at + __builtin_ctz(found));
	}
#endif
	for (; at < end; at++)
		if (*at == (char)byte)
			return (void *)(size_t)at;
	return NULL;
}

void *
scan_back(const void *text, int byte, size_t n)
{
	const char *begin = text, *end = begin + n;

#ifdef __SSE2__
	__m128i wanted = _mm_set1_epi8((char)byte);

	for (; end - begin >= BLOCK; end -= BLOCK) {
		unsigned found = compare(end - BLOCK, wanted);

		if (found)
			return (void *)(size_t)(end - BLOCK + (31 - __builtin_clz(found)));
	}
#endif
	while (end > begin)
		if (*--end == (char)byte)
			return (void *)(size_t)end;
	return NULL;
}
