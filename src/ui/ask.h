/* SPDX-License-Identifier: MIT */
/* Questions on stdout, answers by the line from stdin, which may be a terminal, a pipe or a file. */
#ifndef UI_ASK_H
#define UI_ASK_H

#include "base/base.h"

struct asker {
	char bytes[1024];
	size_t begin, end;
	bool is_over;
};
/* The trimmed line; empty at the end of input. */
struct str ask(struct arena *a, struct asker *q, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* y or yes, in any case; all else is a no. */
bool ask_yes(struct arena *a, struct asker *q, const char *question);

#endif
