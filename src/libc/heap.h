/* SPDX-License-Identifier: MIT */
/* A small heap for a program with one thread that mostly ends soon. Blocks have a few sizes, and a freed block serves the
 * next request of its size. */
#ifndef LIBC_HEAP_H
#define LIBC_HEAP_H

#include <stddef.h>

/* As malloc(), calloc(), realloc() and free(): NULL with errno ENOMEM where there is no memory. */
void *heap_alloc(size_t n);
void *heap_alloc_zeroed(size_t count, size_t size);
void *heap_resize(void *p, size_t n);
void heap_free(void *p);

#endif
