/* SPDX-License-Identifier: MIT */
/* The words of a command line as a shell would see them, as far as that can be told without running it. */
#ifndef CLIENT_SHELL_WORDS_H
#define CLIENT_SHELL_WORDS_H

#include "base/base.h"

struct shell_word {
	struct str
		text; /* without quotes; absent where an operator (; & | < > or a newline) parts two commands */
	size_t from, to; /* its bytes in the line */
};
struct shell_words {
	struct shell_word *items;
	size_t count;
};

/* Quotes and backslashes are undone; variables and substitutions stay as they are written. */
struct shell_words shell_words(struct arena *a, struct str line);
/* The word as a shell reads it back, quoted only where it has to be. */
struct str shell_quote(struct arena *a, struct str word);

#endif
