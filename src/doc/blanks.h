/* SPDX-License-Identifier: MIT */
/* Blanks and line breaks in a text, by their offsets. Inside doc/ only. */
#ifndef DOC_BLANKS_H
#define DOC_BLANKS_H

#include "base/base.h"

/* Space and tab. */
bool is_blank(char c);
/* The offset behind the blanks. */
size_t skip_blanks(struct str x, size_t at);
/* How many bytes the line break (LF, CR LF) at the offset has; 0 when there is none. */
size_t break_at(struct str x, size_t at);

#endif
