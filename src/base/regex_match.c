/* SPDX-License-Identifier: MIT */
/* Matches regular expressions: all states of a program move over the text at once, so that the time is bounded by program times
 * text. */
#include "base/regex.h"

#include "base/regex_program.h"
#include "base/utf8.h"

static bool
is_in(const struct range *ranges, size_t count, uint32_t c)
{
	for (size_t i = 0; i < count; i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return true;
	return false;
}

static uint32_t
other_case(uint32_t c)
{
	if (is_in(regex_upper, regex_upper_count, c) && c != 0xD7)
		return c + 32;
	return is_in(regex_lower, regex_lower_count, c) && c != 0xF7 && c != 0xDF && c != 0xFF ? c - 32 : c;
}

static bool
takes(const struct regex_program *r, const struct instruction *i, uint32_t c)
{
	const struct range *ranges = r->ranges + i->x;
	bool has = is_in(ranges, (size_t)(i->y - i->x), c) ||
		   (i->ignores_case && is_in(ranges, (size_t)(i->y - i->x), other_case(c)));

	return has != i->is_negated;
}

/* A place in the text: the characters around it; LAST_CHARACTER + 1: there is none. */
#define NONE (LAST_CHARACTER + 1)
struct place {
	uint32_t before, after;
};

static bool
holds(enum op op, struct place p)
{
	bool is_word = is_in(regex_words, regex_word_count, p.before) !=
		       is_in(regex_words, regex_word_count, p.after);

	switch (op) {
	case OP_START:
		return p.before == NONE;
	case OP_END:
		return p.after == NONE;
	case OP_LINE_START:
		return p.before == NONE || p.before == '\n';
	case OP_LINE_END:
		return p.after == NONE || p.after == '\n';
	case OP_WORD:
		return is_word;
	case OP_NOT_WORD:
		return !is_word;
	default:
		return true;
	}
}

struct states {
	int *list; /* of instructions that take a character */
	int count;
	int *seen; /* the step at which an instruction was added */
	int step;
};

/* Adds all that can be reached without taking a character. True: the end of the program is among it. */
static bool
add_state(const struct regex_program *r, struct states *s, int *stack, int start, struct place place)
{
	int depth = 0;

	stack[depth++] = start;
	while (depth > 0) {
		int at = stack[--depth];
		const struct instruction *i = &r->items[at];

		if (s->seen[at] == s->step)
			continue;
		s->seen[at] = s->step;
		if (i->op == OP_MATCH)
			return true;
		if (i->op == OP_CLASS) {
			s->list[s->count++] = at;
		} else if (i->op == OP_SPLIT || i->op == OP_JUMP) {
			stack[depth++] = i->x;
			if (i->op == OP_SPLIT)
				stack[depth++] = i->y;
		} else if (holds(i->op, place)) {
			stack[depth++] = at + 1;
		}
	}
	return false;
}

static uint32_t
next_character(struct str text, size_t at, size_t *ret_n)
{
	return at < text.n ? utf8_decode(str_sub(text, at, text.n), ret_n) : NONE;
}

static bool
run(struct arena *a, const struct regex_program *r, struct str text)
{
	int *stack = arena_array(a, 2 * (size_t)r->count + 2, int);
	struct states now = { arena_array(a, (size_t)r->count, int), 0, arena_array(a, (size_t)r->count, int),
			      0 };
	struct states next = { arena_array(a, (size_t)r->count, int), 0, now.seen, 0 };
	size_t at = 0, n = 0;
	struct place place = { NONE, next_character(text, 0, &n) };

	now.step = 1;
	if (add_state(r, &now, stack, 0, place))
		return true;
	for (int step = 2; at < text.n; step++) {
		uint32_t c = place.after;
		struct states old = now;

		at += n;
		place = (struct place){ c, next_character(text, at, &n) };
		next.count = 0;
		next.step = step;
		for (int i = 0; i < now.count; i++)
			if (takes(r, &r->items[now.list[i]], c) &&
			    add_state(r, &next, stack, now.list[i] + 1, place))
				return true;
		/* A match may also begin here. */
		if (add_state(r, &next, stack, 0, place))
			return true;
		now = next;
		next = old;
	}
	return false;
}

bool
regex_match(struct arena *a, struct str pattern, struct str text, bool ignores_case)
{
	struct regex_program program;
	struct err ignored;

	return regex_check(pattern, &ignored) == 0 && regex_compile(a, pattern, ignores_case, &program) &&
	       run(a, &program, utf8_head(text, REGEX_TEXT_BYTES));
}
