/* SPDX-License-Identifier: MIT */
/* Blanks, lines and columns of a text, by byte offsets. */
#ifndef DOC_TEXT_H
#define DOC_TEXT_H

#include "base/base.h"

/* A space or a tab. */
bool is_blank(char c);
/* The offset after the blanks. */
size_t skip_blanks(struct str x, size_t at);
/* The length of the line break (LF, CR LF) at the offset; 0 when there is none. */
size_t break_at(struct str x, size_t at);

/* The offsets where the line at the offset begins, and where the next one begins. */
size_t line_start(struct str x, size_t at);
size_t line_after(struct str x, size_t at);

/* A position as editors count. */
struct place {
	int line, column; /* from 1; the column counts code points, without a byte order mark at the start */
};
/* Linear in the offset: for errors, not for every node. */
struct place place_of(struct str text, size_t offset);

#endif
