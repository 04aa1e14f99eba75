/* SPDX-License-Identifier: MIT */
/* Memory that is freed all at once. A zeroed struct arena is empty. Allocation never returns NULL: when memory is exhausted,
 * the handler set below runs and the process ends. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* the newest, linked to older ones */
};

struct arena_mark {
	struct arena_chunk *chunk;
	size_t used;
};

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t count, size_t size);
/* Not zeroed, no alignment: for text. */
char *arena_bytes(struct arena *a, size_t n);
/* Grows `old`, which is NULL or from the arena, to `n` bytes and keeps the first `used`. A large text that was allocated
 * last grows without leaving its old bytes in the arena. */
char *arena_extend(struct arena *a, char *old, size_t used, size_t n);

#define arena_new(a, type) ((type *)arena_alloc((a), 1, sizeof(type)))
#define arena_array(a, count, type) ((type *)arena_alloc((a), (count), sizeof(type)))

/* Makes room for one more item, zeroed, after the `count` items of an array. A full array grows to twice its size and may move.
 * An empty one may be NULL, with a capacity of 0. */
#define arena_make_room(a, items, count, capacity) \
	((items) = arena_grown((a), (items), (count), sizeof(*(items)), (capacity)))
void *arena_grown(struct arena *a, void *items, size_t count, size_t size, size_t *capacity);
/* The same, and counts it, for an array that begins as NULL and only grows in this way: then its capacity follows from its count.
 * The value is the new item: *arena_push(a, list.items, list.count) = x; */
#define arena_push(a, items, count) \
	((items) = arena_pushed((a), (items), (count), sizeof(*(items))), &(items)[(count)++])
void *arena_pushed(struct arena *a, void *items, size_t count, size_t size);

/* Frees everything allocated since the mark: for loop bodies on a scratch arena. */
struct arena_mark arena_mark(const struct arena *a);
void arena_reset(struct arena *a, struct arena_mark mark);

/* Moves the content of `from`, which is empty then, into the arena. */
void arena_adopt(struct arena *a, struct arena *from);

/* Also the CLEANUP function. */
void arena_free(struct arena *a);

/* From now on large chunks are returned to the kernel as soon as they are freed, and grow without being copied. By default
 * glibc keeps more and more of them. */
void arena_return_large_chunks(void);

/* Called when memory is exhausted, before the process aborts. */
void arena_on_exhaustion(void (*handler)(void));

#endif
