/* SPDX-License-Identifier: MIT */
/* The arena: the only file that calls malloc. Under AddressSanitizer each allocation is a chunk of its own, so
 * that an overflow still hits a red zone. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

struct arena_chunk {
	struct arena_chunk *older;
	size_t size, used;
	_Alignas(ALIGNMENT) char data[];
};

static void (*on_exhaustion)(void);

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
		size_t size = ONE_EACH || n > CHUNK_BYTES / 4 ? n : CHUNK_BYTES - sizeof(*c);

		c = malloc(sizeof(*c) + size);
		if (!c)
			exhausted();
		*c = (struct arena_chunk){ .older = a->chunk, .size = size };
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
	void *p = take(a, count * size, ALIGNMENT);

	memset(p, 0, count * size);
	return p;
}

void *
arena_grown(struct arena *a, void *items, size_t count, size_t size, size_t *capacity)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity ? 2 * *capacity : 16;
	void *larger = arena_alloc(a, *capacity, size);

	if (count > 0)
		memcpy(larger, items, count * size);
	return larger;
}

char *
arena_bytes(struct arena *a, size_t n)
{
	return take(a, n, 1);
}

struct arena_mark
arena_mark(const struct arena *a)
{
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
arena_free(struct arena *a)
{
	arena_reset(a, (struct arena_mark){ NULL, 0 });
}
