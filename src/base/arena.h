/* SPDX-License-Identifier: MIT */
/* Memory that is given back all at once. A zeroed struct arena is an empty one. Allocation cannot fail visibly:
 * when there is no memory left the handler set below runs and the process ends. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* the newest; older ones behind it */
};

struct arena_mark {
	struct arena_chunk *chunk;
	size_t used;
};

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t count, size_t size);
/* Not zeroed, no alignment: for text. */
char *arena_bytes(struct arena *a, size_t n);
/* The same bytes with room for `n`, of which the first `used` are kept; `old` is NULL or from arena_bytes(). Large texts
 * that were allocated last grow without leaving their old bytes in the arena. */
char *arena_extend(struct arena *a, char *old, size_t used, size_t n);

#define arena_new(a, type) ((type *)arena_alloc((a), 1, sizeof(type)))
#define arena_array(a, count, type) ((type *)arena_alloc((a), (count), sizeof(type)))

/* Room for one more after the `count` items of an array, zeroed. A full array grows to twice its size and may move.
 * An empty one may be NULL, with a capacity of 0. */
#define arena_make_room(a, items, count, capacity) \
	((items) = arena_grown((a), (items), (count), sizeof(*(items)), (capacity)))
void *arena_grown(struct arena *a, void *items, size_t count, size_t size, size_t *capacity);

/* All that was allocated since the mark is given back; used by loop bodies on a scratch arena. */
struct arena_mark arena_mark(const struct arena *a);
void arena_reset(struct arena *a, struct arena_mark mark);

/* Moves all that `from` holds into the arena; `from` is empty then. */
void arena_adopt(struct arena *a, struct arena *from);

/* Also the CLEANUP function. */
void arena_free(struct arena *a);

/* From here on large chunks go back to the kernel as soon as they are freed, and grow without being copied. glibc keeps more
 * and more of them otherwise. */
void arena_return_large_chunks(void);

/* What to do when memory has run out, before the process aborts. */
void arena_on_exhaustion(void (*handler)(void));

#endif
