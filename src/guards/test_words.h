/* SPDX-License-Identifier: MIT */
/* The words by which frameworks are recognised, and what a language looks like. Inside guards/ only. */
#ifndef GUARDS_TEST_WORDS_H
#define GUARDS_TEST_WORDS_H

#include "guards/test_marks.h"

/* A word begins where no name goes on. ^ in front: it is the first on its line. ~: anywhere. !: the line itself, comments included,
 * begins with it. * stands for the rest of a name. A word that ends in a letter is a whole name. */
struct word {
	unsigned kinds;
	const char *text;
};

struct language {
	const char *extensions; /* each with a blank after it */
	const char *line_comments[2];
	bool has_block_comments; /* as in C */
	const char *quotes;      /* strings end with their line... */
	const char *long_quotes; /* ...except these */
	bool has_triple_quotes, has_lifetimes, has_inline_tests;
	const struct word *words;
	size_t word_count;
};

extern const struct language test_languages[];
extern const size_t test_language_count;

#endif
