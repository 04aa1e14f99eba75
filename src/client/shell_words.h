/* SPDX-License-Identifier: MIT */
/* The words of a command line, as a shell would split it. */
#ifndef CLIENT_SHELL_WORDS_H
#define CLIENT_SHELL_WORDS_H

#include "base/base.h"

struct shell_word {
	struct str text; /* without quotes; absent for an operator (; & | < > or a newline) */
	size_t from, to; /* its byte range in the line */
};
struct shell_words {
	struct shell_word *items;
	size_t count;
};

/* Removes quotes and backslashes; expands nothing. */
struct shell_words shell_words(struct arena *a, struct str line);
/* The word for a shell, quoted only where necessary. */
struct str shell_quote(struct arena *a, struct str word);

#endif
