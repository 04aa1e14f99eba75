/* SPDX-License-Identifier: MIT */
/* Every x86-64 processor has SSE2, so nothing has to be found out at the start. Blocks are compared whole; what is left over is
 * compared byte by byte. */
#include "libc/scan.h"

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#define BLOCK 16
#define PAGE 4096

/* Bit i: the byte at[i] is the one that is looked for. */
static unsigned
compare(const char *at, __m128i wanted)
{
	__m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);

	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted));
}
#endif

/* The C library calls it with a length beyond the end of the text, even SIZE_MAX, where it knows that the byte is there. So no
 * block may reach into a page that does not have to exist, and no address may be computed from the length. */
void *
scan_forward(const void *text, int byte, size_t n)
{
	const char *at = text;

#ifdef __SSE2__
	__m128i wanted = _mm_set1_epi8((char)byte);

	if (n >= BLOCK && (uintptr_t)at % PAGE <= PAGE - BLOCK) {
		unsigned found = compare(at, wanted);
		size_t done = BLOCK - (uintptr_t)at % BLOCK;

		if (found)
			return (void *)(size_t)(at + __builtin_ctz(found));
		at += done;
		n -= done;
	}
	for (; n >= BLOCK && (uintptr_t)at % BLOCK > 0; at++, n--)
		if (*at == (char)byte)
			return (void *)(size_t)at;
	for (; n >= BLOCK; at += BLOCK, n -= BLOCK) {
		unsigned found = compare(at, wanted);

		if (found)
			return (void *)(size_t)(at + __builtin_ctz(found));
	}
	/* The rest is in the last block of the text, with bytes that were compared already. */
	if (n > 0 && (size_t)(at - (const char *)text) + n >= BLOCK) {
		const char *last = at + n - BLOCK;
		unsigned found = compare(last, wanted);

		return found ? (void *)(size_t)(last + __builtin_ctz(found)) : NULL;
	}
#endif
	for (; n > 0; at++, n--)
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
