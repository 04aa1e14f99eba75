/* SPDX-License-Identifier: MIT */
/* Searches for a byte, sixteen at a time where the processor can: transcripts and outputs are long. */
#ifndef LIBC_SCAN_H
#define LIBC_SCAN_H

#include <stddef.h>

/* As memchr() and memrchr(). */
void *scan_forward(const void *text, int byte, size_t n);
void *scan_back(const void *text, int byte, size_t n);

#endif
