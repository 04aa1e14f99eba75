/* SPDX-License-Identifier: MIT */
/* A regular expression as a program. Inside regex_*.c only. */
#ifndef BASE_REGEX_PROGRAM_H
#define BASE_REGEX_PROGRAM_H

#include "base/base.h"

#define LAST_CHARACTER 0x10FFFF

enum op {
	OP_CLASS,
	OP_SPLIT,
	OP_JUMP,
	OP_START,
	OP_END,
	OP_LINE_START,
	OP_LINE_END,
	OP_WORD,
	OP_NOT_WORD,
	OP_MATCH
};

struct instruction {
	enum op op;
	int x, y; /* targets; of a class, its ranges: first and end */
	bool is_negated, ignores_case;
};

struct range {
	uint32_t from, to;
};

struct regex_program {
	struct range *ranges; /* of all classes */
	struct instruction *items;
	int count;
};
/* False: the pattern has something that is not supported, or is too large. It has passed regex_check(). */
bool regex_compile(struct arena *a, struct str pattern, bool ignores_case, struct regex_program *ret);

/* Sets of characters, sorted. */
extern const struct range regex_words[], regex_upper[], regex_lower[];
extern const size_t regex_word_count, regex_upper_count, regex_lower_count;

#endif
