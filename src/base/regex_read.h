/* SPDX-License-Identifier: MIT */
/* A regular expression while it is read. Inside regex_*.c only. */
#ifndef BASE_REGEX_READ_H
#define BASE_REGEX_READ_H

#include "base/regex_program.h"

#include "base/utf8.h"

#include <string.h>

#define RANGES_MAX 2048

struct flags {
	bool ignores_case, dot_takes_all, is_multi_line, is_verbose;
};

struct regex {
	struct arena *arena;
	struct str text;
	size_t at;
	struct flags flags;
	int depth;
	bool is_bad; /* not supported, or too large */
	struct range *ranges;
	int range_count;
	struct instruction *program;
	int count;
};

static inline char
peek(const struct regex *r)
{
	return r->at < r->text.n ? r->text.s[r->at] : '\0';
}

static inline bool
is_at_end(const struct regex *r)
{
	return r->at >= r->text.n || r->is_bad;
}

static inline bool
take(struct regex *r, const char *text)
{
	if (!str_starts(str_sub(r->text, r->at, r->text.n), str_from(text)))
		return false;
	r->at += strlen(text);
	return true;
}

static inline uint32_t
take_character(struct regex *r)
{
	size_t n;
	uint32_t c = utf8_decode(str_sub(r->text, r->at, r->text.n), &n);

	r->at += n;
	return c;
}

/* Adds to the class that is being read. */
void regex_add_range(struct regex *r, uint32_t from, uint32_t to);
/* After a backslash. True: it was a set, whose ranges are added. False: it is the character *ret. */
bool regex_take_escape(struct regex *r, uint32_t *ret);
/* After the opening bracket. */
struct instruction regex_parse_class(struct regex *r);

#endif
