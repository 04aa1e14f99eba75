/* SPDX-License-Identifier: MIT */
/* The heap: blocks are whole, aligned and apart from each other, whatever happens to those beside them. */
#include "test.h"

#include "libc/heap.h"

#include <errno.h>

#define BLOCKS 200
#define STEPS 20000

static unsigned random_state = 1;

static unsigned
next_random(void)
{
	random_state = random_state * 1103515245u + 12345u;
	return random_state >> 8;
}

static size_t
random_size(void)
{
	static const size_t limits[] = { 40, 300, 5000, 140000, 400000 };
	unsigned pick = next_random() % 100;

	return next_random() % limits[pick < 50 ? 0 : pick < 80 ? 1 : pick < 95 ? 2 : pick < 99 ? 3 : 4];
}

static bool
is_filled(const unsigned char *p, size_t n, unsigned char with)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != with)
			return false;
	return true;
}

TEST(blocks_keep_their_bytes_while_others_come_go_and_grow)
{
	struct {
		unsigned char *p, with;
		size_t n;
	} blocks[BLOCKS] = { 0 };

	for (int step = 0; step < STEPS; step++) {
		unsigned i = next_random() % BLOCKS;
		size_t n = random_size(), kept = n < blocks[i].n ? n : blocks[i].n;

		CHECK(is_filled(blocks[i].p, blocks[i].n, blocks[i].with));
		if (next_random() % 3 == 0) {
			heap_free(blocks[i].p);
			blocks[i].p = heap_alloc_zeroed(1, n);
			CHECK(is_filled(blocks[i].p, n, 0));
		} else {
			blocks[i].p = heap_resize(blocks[i].p, n);
			CHECK(is_filled(blocks[i].p, kept, blocks[i].with));
		}
		CHECK(blocks[i].p && (uintptr_t)blocks[i].p % 16 == 0);
		blocks[i].n = n;
		blocks[i].with = (unsigned char)step;
		memset(blocks[i].p, blocks[i].with, n);
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		CHECK(is_filled(blocks[i].p, blocks[i].n, blocks[i].with));
		heap_free(blocks[i].p);
	}
}

TEST(a_freed_block_serves_the_next_request_of_its_size)
{
	char *p = heap_alloc(1000);

	heap_free(p);
	CHECK(heap_alloc(990) == p);
	heap_free(p);
}

TEST(what_cannot_be_had_is_NULL_with_ENOMEM_and_free_keeps_errno)
{
	errno = 0;
	CHECK(!heap_alloc(SIZE_MAX - 8) && errno == ENOMEM);
	errno = 0;
	CHECK(!heap_alloc_zeroed(SIZE_MAX / 2, 3) && errno == ENOMEM);
	void *large = heap_alloc(1 << 20);

	errno = 0;
	CHECK(!heap_resize(large, SIZE_MAX - 8) && errno == ENOMEM);
	errno = EINTR;
	heap_free(large);
	heap_free(NULL);
	CHECK(errno == EINTR);
}
