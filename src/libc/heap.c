/* SPDX-License-Identifier: MIT */
/* Sizes are the powers of two and the values half-way between them. Above LARGE_BYTES a block is a mapping of its own, which
 * the kernel moves when it grows and takes back when it is freed. */
#include "libc/heap.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGE_BYTES ((size_t)128 << 10)
#define POOL_BYTES ((size_t)1 << 20)
#define PAGE_BYTES ((size_t)64 << 10) /* of the largest pages that kernels use */
#define SMALLEST_BYTES 32
#define CLASSES 64

struct block {
	size_t size; /* with this head */
	_Alignas(16) struct block *next_free;
};
#define HEAD_BYTES offsetof(struct block, next_free)

static char *pool;
static size_t pool_left;
static struct block *freed[CLASSES];

/* 2^b < n <= 2^(b+1): the size is the middle of both, or the upper one. */
static unsigned
class_of(size_t n, size_t *ret_size)
{
	unsigned b = 63u - (unsigned)__builtin_clzl(n - 1);
	size_t middle = (size_t)3 << (b - 1);

	*ret_size = n <= middle ? middle : (size_t)2 << b;
	return 2 * (b - 4) + (n > middle);
}

static struct block *
map(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		return p;
	errno = ENOMEM;
	return NULL;
}

/* What the kernel has set aside after the program's data, at an address that cannot be known; a mapping would need more page
 * tables. NULL: there is none, or the C library's own heap has it. */
static char *
first_pool(void)
{
#ifdef __GLIBC__
	return NULL;
#else
	intptr_t end = syscall(SYS_brk, 0), wanted = end + (intptr_t)POOL_BYTES;

	return syscall(SYS_brk, wanted) == wanted ? (char *)end : NULL;
#endif
}

static size_t
mapped_size(size_t n)
{
	return (n + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static struct block *
take(size_t n)
{
	size_t size;
	unsigned class = class_of(n < SMALLEST_BYTES ? SMALLEST_BYTES : n, &size);
	struct block *b = freed[class];

	if (b) {
		freed[class] = b->next_free;
		return b;
	}
	if (pool_left < size) {
		char *next = pool ? NULL : first_pool();

		if (!next)
			next = (char *)map(POOL_BYTES);
		if (!next)
			return NULL;
		pool = next;
		pool_left = POOL_BYTES;
	}
	b = (struct block *)(void *)pool;
	pool += size;
	pool_left -= size;
	b->size = size;
	return b;
}

static struct block *
block_of(void *p)
{
	return (struct block *)(void *)((char *)p - HEAD_BYTES);
}

void *
heap_alloc(size_t n)
{
	struct block *b = NULL;

	if (n > SIZE_MAX / 2)
		errno = ENOMEM;
	else if (n + HEAD_BYTES <= LARGE_BYTES)
		b = take(n + HEAD_BYTES);
	else if ((b = map(mapped_size(n + HEAD_BYTES))))
		b->size = mapped_size(n + HEAD_BYTES);
	return b ? (char *)b + HEAD_BYTES : NULL;
}

void *
heap_alloc_zeroed(size_t count, size_t size)
{
	size_t n;
	void *p = __builtin_mul_overflow(count, size, &n) ? heap_alloc(SIZE_MAX) : heap_alloc(n);

	/* The kernel has cleared a mapping. */
	if (p && block_of(p)->size <= LARGE_BYTES)
		memset(p, 0, n);
	return p;
}

void *
heap_resize(void *p, size_t n)
{
	struct block *b = p ? block_of(p) : NULL;

	if (!b)
		return heap_alloc(n);
	if (n <= b->size - HEAD_BYTES)
		return p;
	if (b->size > LARGE_BYTES && n <= SIZE_MAX / 2) {
		void *moved = mremap(b, b->size, mapped_size(n + HEAD_BYTES), MREMAP_MAYMOVE);

		if (moved == MAP_FAILED) {
			errno = ENOMEM;
			return NULL;
		}
		b = moved;
		b->size = mapped_size(n + HEAD_BYTES);
		return (char *)b + HEAD_BYTES;
	}
	void *larger = heap_alloc(n);

	if (!larger)
		return NULL;
	memcpy(larger, p, b->size - HEAD_BYTES);
	heap_free(p);
	return larger;
}

void
heap_free(void *p)
{
	int saved = errno; /* free() keeps it */
	struct block *b = p ? block_of(p) : NULL;
	size_t size;

	if (!b)
		return;
	if (b->size > LARGE_BYTES) {
		(void)munmap(b, b->size);
		errno = saved;
		return;
	}
	unsigned class = class_of(b->size, &size);

	b->next_free = freed[class];
	freed[class] = b;
}
