/* SPDX-License-Identifier: MIT */
/* The arena. The only file that calls malloc. Under AddressSanitizer each allocation has its own chunk, so that an overflow
 * hits a red zone. */
#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define ONE_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_EACH 1
#endif
#endif
#ifndef ONE_EACH
#define ONE_EACH 0
#endif

#define CHUNK_BYTES ((size_t)16 << 10)
#define ALIGNMENT 16u
/* Of an array that grows. */
#define FIRST_ITEMS 16

struct arena_chunk {
	struct arena_chunk *older;
	size_t size, used;
	bool is_single; /* holds one allocation */
	bool is_marked; /* an arena_mark points here: the chunk must not move */
	_Alignas(ALIGNMENT) char data[];
};

static void (*on_exhaustion)(void);

void
arena_return_large_chunks(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, 128 << 10);
	/* Scratch memory that is freed and needed again for the next file stays. */
	(void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void
arena_on_exhaustion(void (*handler)(void))
{
	on_exhaustion = handler;
}

static void
exhausted(void)
{
	if (on_exhaustion)
		on_exhaustion();
	abort();
}

static char *
take(struct arena *a, size_t n, size_t alignment)
{
	struct arena_chunk *c = a->chunk;
	size_t at = c ? (c->used + alignment - 1) & ~(alignment - 1) : 0;

	if (n > SIZE_MAX / 2)
		exhausted();
	if (!c || ONE_EACH || at > c->size || n > c->size - at) {
		bool is_single = ONE_EACH || n > CHUNK_BYTES / 4;
		size_t size = is_single ? n : CHUNK_BYTES - sizeof(*c);

		c = malloc(sizeof(*c) + size);
		if (!c)
			exhausted();
		*c = (struct arena_chunk){ .older = a->chunk, .size = size, .is_single = is_single };
		a->chunk = c;
		at = 0;
	}
	c->used = at + n;
	return c->data + at;
}

void *
arena_alloc(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		exhausted();
	return memset(take(a, count * size, ALIGNMENT), 0, count * size);
}

char *
arena_bytes(struct arena *a, size_t n)
{
	return take(a, n, 1);
}

/* A chunk that holds only `old` is reallocated. When it is large the kernel moves its pages instead of copying them, so
 * that no byte is in memory twice. */
char *
arena_extend(struct arena *a, char *old, size_t used, size_t n)
{
	struct arena_chunk *c = a->chunk;

	if (c && c->is_single && !c->is_marked && old == c->data && n > c->size && n <= SIZE_MAX / 2) {
		c = realloc(c, sizeof(*c) + n);
		if (!c)
			exhausted();
		c->size = c->used = n;
		a->chunk = c;
		return c->data;
	}
	char *larger = take(a, n, ALIGNMENT);

	if (used)
		memcpy(larger, old, used);
	return larger;
}

void *
arena_grown(struct arena *a, void *items, size_t count, size_t size, size_t *capacity)
{
	if (count == *capacity) {
		size_t larger = count ? 2 * count : FIRST_ITEMS;

		if (larger > SIZE_MAX / 2 / size)
			exhausted();
		items = arena_extend(a, items, count * size, larger * size);
		*capacity = larger;
	}
	memset((char *)items + count * size, 0, size);
	return items;
}

void *
arena_pushed(struct arena *a, void *items, size_t count, size_t size)
{
	/* Full with 0, 16, 32, 64, ... items. */
	bool is_full = count == 0 || (count >= FIRST_ITEMS && (count & (count - 1)) == 0);
	size_t capacity = is_full ? count : SIZE_MAX;

	return arena_grown(a, items, count, size, &capacity);
}

struct arena_mark
arena_mark(const struct arena *a)
{
	if (a->chunk)
		a->chunk->is_marked = true;
	return (struct arena_mark){ a->chunk, a->chunk ? a->chunk->used : 0 };
}

void
arena_reset(struct arena *a, struct arena_mark mark)
{
	while (a->chunk != mark.chunk) {
		struct arena_chunk *older = a->chunk->older;

		free(a->chunk);
		a->chunk = older;
	}
	if (a->chunk)
		a->chunk->used = mark.used;
}

void
arena_adopt(struct arena *a, struct arena *from)
{
	struct arena_chunk **oldest = &from->chunk;

	while (*oldest)
		oldest = &(*oldest)->older;
	*oldest = a->chunk;
	a->chunk = from->chunk;
	from->chunk = NULL;
}

void
arena_free(struct arena *a)
{
	arena_reset(a, (struct arena_mark){ NULL, 0 });
}
