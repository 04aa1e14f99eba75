/* SPDX-License-Identifier: MIT */
/* Reads sets of characters in a regular expression: [a-z], \d, \p{L}. */
#include "base/regex_read.h"

void
regex_add_range(struct regex *r, uint32_t from, uint32_t to)
{
	if (r->range_count == RANGES_MAX)
		r->is_bad = true;
	else if (from <= to)
		r->ranges[r->range_count++] = (struct range){ from, to };
}

static const struct range digits[] = { { '0', '9' } };
static const struct range blanks[] = { { '\t', '\r' },     { ' ', ' ' },       { 0x85, 0x85 },
				       { 0xA0, 0xA0 },     { 0x1680, 0x1680 }, { 0x2000, 0x200A },
				       { 0x2028, 0x2029 }, { 0x202F, 0x202F }, { 0x205F, 0x205F },
				       { 0x3000, 0x3000 } };
static const struct range letters[] = { { 'A', 'Z' },
					{ 'a', 'z' },
					{ 0xAA, 0xAA },
					{ 0xB5, 0xB5 },
					{ 0xBA, 0xBA },
					{ 0xC0, 0x1FFF },
					{ 0x2C00, LAST_CHARACTER } };
const struct range regex_words[] = { { '0', '9' },   { 'A', 'Z' },     { '_', '_' },
				     { 'a', 'z' },   { 0xAA, 0xAA },   { 0xB5, 0xB5 },
				     { 0xBA, 0xBA }, { 0xC0, 0x1FFF }, { 0x2C00, LAST_CHARACTER } };
const struct range regex_upper[] = { { 'A', 'Z' }, { 0xC0, 0xDE }, { 0x391, 0x3A9 }, { 0x410, 0x42F } };
const struct range regex_lower[] = { { 'a', 'z' }, { 0xDF, 0xFF }, { 0x3B1, 0x3C9 }, { 0x430, 0x44F } };
const size_t regex_word_count = COUNT_OF(regex_words), regex_upper_count = COUNT_OF(regex_upper),
	     regex_lower_count = COUNT_OF(regex_lower);
static const struct range punctuation[] = {
	{ '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' }, { 0x2010, 0x2027 }
};

/* The table is sorted. */
static void
add_table(struct regex *r, const struct range *table, size_t count, bool is_negated)
{
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_negated)
			regex_add_range(r, table[i].from, table[i].to);
		else if (table[i].from > next)
			regex_add_range(r, next, table[i].from - 1);
		next = table[i].to + 1;
	}
	if (is_negated && next <= LAST_CHARACTER)
		regex_add_range(r, next, LAST_CHARACTER);
}
#define ADD_TABLE(r, table, is_negated) add_table(r, table, COUNT_OF(table), is_negated)

static void
add_property(struct regex *r, bool is_negated)
{
	struct str name;

	if (take(r, "{")) {
		size_t from = r->at;

		while (!is_at_end(r) && peek(r) != '}')
			r->at++;
		name = str_sub(r->text, from, r->at++);
	} else {
		name = str_sub(r->text, r->at, r->at + 1);
		r->at++;
	}
	if (str_starts(name, STR("^"))) {
		name = str_sub(name, 1, name.n);
		is_negated = !is_negated;
	}
	if (str_is_word(name, "L") || str_is_word(name, "Letter") || str_is_word(name, "Alphabetic"))
		ADD_TABLE(r, letters, is_negated);
	else if (str_is_word(name, "Lu") || str_is_word(name, "Uppercase"))
		ADD_TABLE(r, regex_upper, is_negated);
	else if (str_is_word(name, "Ll") || str_is_word(name, "Lowercase"))
		ADD_TABLE(r, regex_lower, is_negated);
	else if (str_is_word(name, "N") || str_is_word(name, "Nd") || str_is_word(name, "Number"))
		ADD_TABLE(r, digits, is_negated);
	else if (str_is_word(name, "P") || str_is_word(name, "Punctuation"))
		ADD_TABLE(r, punctuation, is_negated);
	else
		r->is_bad = true;
}

static uint32_t
take_hex(struct regex *r, size_t digits_wanted)
{
	bool has_brace = take(r, "{");
	uint32_t value = 0;

	for (size_t i = 0; !is_at_end(r) && (has_brace ? peek(r) != '}' : i < digits_wanted); i++) {
		char c = r->text.s[r->at++];
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
				 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
							: 16;

		if (digit == 16 || value > LAST_CHARACTER)
			r->is_bad = true;
		value = value * 16 + digit;
	}
	if (has_brace)
		r->at++;
	return value;
}

bool
regex_take_escape(struct regex *r, uint32_t *ret)
{
	uint32_t c = take_character(r);
	bool is_negated = c < 128 && strchr("DSWP", (int)c) && c;

	switch (c) {
	case 'd':
	case 'D':
		ADD_TABLE(r, digits, is_negated);
		return true;
	case 's':
	case 'S':
		ADD_TABLE(r, blanks, is_negated);
		return true;
	case 'w':
	case 'W':
		ADD_TABLE(r, regex_words, is_negated);
		return true;
	case 'p':
	case 'P':
		add_property(r, is_negated);
		return true;
	case 'n':
		c = '\n';
		break;
	case 't':
		c = '\t';
		break;
	case 'r':
		c = '\r';
		break;
	case 'f':
		c = '\f';
		break;
	case 'v':
		c = '\v';
		break;
	case 'a':
		c = '\a';
		break;
	case 'x':
		c = take_hex(r, 2);
		break;
	case 'u':
		c = take_hex(r, 4);
		break;
	case 'U':
		c = take_hex(r, 8);
		break;
	default:
		break;
	}
	*ret = c;
	return false;
}

static bool
take_named_class(struct regex *r)
{
	static const struct {
		const char *name;
		const struct range ranges[5];
	} classes[] = {
		{ "alpha", { { 'A', 'Z' }, { 'a', 'z' } } },
		{ "digit", { { '0', '9' } } },
		{ "alnum", { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } } },
		{ "upper", { { 'A', 'Z' } } },
		{ "lower", { { 'a', 'z' } } },
		{ "space", { { '\t', '\r' }, { ' ', ' ' } } },
		{ "blank", { { '\t', '\t' }, { ' ', ' ' } } },
		{ "punct", { { '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' } } },
		{ "word", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } } },
		{ "xdigit", { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } } },
	};
	size_t start = r->at;

	if (!take(r, "[:"))
		return false;
	bool is_negated = take(r, "^");

	for (size_t i = 0; i < COUNT_OF(classes); i++) {
		size_t at = r->at, count = 0;

		if (!take(r, classes[i].name) || !take(r, ":]")) {
			r->at = at;
			continue;
		}
		while (count < COUNT_OF(classes[i].ranges) && classes[i].ranges[count].to)
			count++;
		add_table(r, classes[i].ranges, count, is_negated);
		return true;
	}
	r->at = start;
	return false;
}

struct instruction
regex_parse_class(struct regex *r)
{
	struct instruction i = { .op = OP_CLASS, .x = r->range_count };
	bool is_first = true;

	i.is_negated = take(r, "^");
	for (; !is_at_end(r) && (peek(r) != ']' || is_first); is_first = false) {
		uint32_t from, to;

		if (take_named_class(r))
			continue;
		/* Sets of sets are not supported. */
		if (peek(r) == '[' || (!is_first && (take(r, "&&") || take(r, "~~") || take(r, "--")))) {
			r->is_bad = true;
			break;
		}
		if (take(r, "\\")) {
			if (regex_take_escape(r, &from))
				continue;
		} else {
			from = take_character(r);
		}
		to = from;
		if (peek(r) == '-' && r->at + 1 < r->text.n && r->text.s[r->at + 1] != ']') {
			r->at++;
			if (take(r, "\\")) {
				if (regex_take_escape(r, &to))
					r->is_bad = true;
			} else {
				to = take_character(r);
			}
		}
		regex_add_range(r, from, to);
	}
	r->at++;
	i.y = r->range_count;
	return i;
}
