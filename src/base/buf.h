/* SPDX-License-Identifier: MIT */
/* A growing text with a limit. Bytes beyond the limit are dropped, and `is_cut` is set. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/base.h"

struct buf {
	struct arena *arena;
	char *s;
	size_t n, capacity, limit;
	bool is_cut;
};

#define BUF(arena_, limit_) ((struct buf){ .arena = (arena_), .limit = (limit_) })

/* Makes room for n more bytes, if the size is known in advance. */
void buf_reserve(struct buf *b, size_t n);
void buf_add(struct buf *b, struct str x);
void buf_addc(struct buf *b, char c);
/* For numbers with leading zeros and the like; else buf_cat() of base/cat.h. */
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Each line of the text, with a mark before it. */
void buf_lines(struct buf *b, const char *mark, struct str text);
/* Never absent; valid until the next addition. */
struct str buf_str(const struct buf *b);

#endif
