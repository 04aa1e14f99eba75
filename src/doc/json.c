/* SPDX-License-Identifier: MIT */
/* The JSON reader: RFC 8259 and nothing beside it. Linear in the text, bounded in depth, and never keeps a pointer
 * into the text. */
#include "doc/json.h"

#include "base/number.h"
#include "base/utf8.h"
#include "doc/place.h"

#include <endian.h>
#include <string.h>

struct reader {
	struct str text;
	const char *at, *end;
	const char *
		line_start; /* moved along by each byte that begins no code point, so that columns come out right */
	int line, depth;
	size_t values_left;
	struct arena *arena;
	struct node_stack *stack;
	struct err *err;
};

enum byte_class { PLAIN, STOPS, HIGH };

/* Bytes of a string that need a closer look: quote, backslash and controls; and those that are not ASCII. */
static const unsigned char byte_classes[256] = {
	[0x00 ... 0x1F] = STOPS,
	['"'] = STOPS,
	['\\'] = STOPS,
	[0x80 ... 0xFF] = HIGH,
};

static int read_value(struct reader *r, struct node *ret);

static int
fail_at(struct reader *r, const char *at, enum err_code code, const char *what)
{
	struct place p = place_of(r->text, (size_t)(at - r->text.s));

	return err_set(r->err, code, "%d:%d: %s", p.line, p.column, what);
}

/* Something else stands where `what` should be. */
static int
fail_expected(struct reader *r, const char *what)
{
	struct place p = place_of(r->text, (size_t)(r->at - r->text.s));

	if (r->at == r->end)
		return err_set(r->err, ERR_SYNTAX, "%d:%d: expected %s, not the end of the text", p.line,
			       p.column, what);
	unsigned char c = (unsigned char)*r->at;

	if (c > ' ' && c < 0x7F)
		return err_set(r->err, ERR_SYNTAX, "%d:%d: expected %s, not '%c'", p.line, p.column, what, c);
	return err_set(r->err, ERR_SYNTAX, "%d:%d: expected %s, not byte 0x%02X", p.line, p.column, what, c);
}

static void
skip_blanks(struct reader *r)
{
	for (; r->at < r->end; r->at++) {
		if (*r->at == '\n') {
			r->line++;
			r->line_start = r->at + 1;
		} else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
			break;
		}
	}
}

static int
column_of(const struct reader *r)
{
	return (int)(r->at - r->line_start) + 1;
}

static bool
read_hex4(const char *at, const char *end, uint32_t *ret)
{
	return end - at >= 4 && number_parse_hex((struct str){ at, 4 }, ret);
}

/* From behind `\u`; a half of a pair that lacks its other half is U+FFFD. */
static int
read_unicode_escape(struct reader *r, const char **at, const char *end, char **to)
{
	uint32_t cp, low;

	if (!read_hex4(*at, end, &cp))
		return fail_at(r, *at - 2, ERR_SYNTAX, "expected four hexadecimal digits behind \\u");
	*at += 4;
	if (cp >= 0xD800 && cp <= 0xDBFF && end - *at >= 2 && (*at)[0] == '\\' && (*at)[1] == 'u' &&
	    read_hex4(*at + 2, end, &low) && low >= 0xDC00 && low <= 0xDFFF) {
		cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
		*at += 6;
	}
	*to += utf8_encode(cp, *to);
	return 0;
}

#define WORD_BYTES sizeof(uint64_t)
#define EACH_BYTE(x) (UINT64_MAX / 0xFF * (x))

/* Eight bytes at once. What is found in them is a mark in the highest bit of a byte; behind the first mark there may be
 * some that mean nothing, as borrows go that way. */
static uint64_t
load_word(const char *at)
{
	uint64_t word;

	memcpy(&word, at, WORD_BYTES);
	return le64toh(word);
}

static uint64_t
mark_byte(uint64_t word, unsigned char c)
{
	uint64_t other = word ^ EACH_BYTE((uint64_t)c);

	return (other - EACH_BYTE(1)) & ~other & EACH_BYTE(0x80);
}

static uint64_t
mark_special(uint64_t word)
{
	return mark_byte(word, '"') | mark_byte(word, '\\') |
	       (((word - EACH_BYTE(' ')) | word) & EACH_BYTE(0x80));
}

static size_t
bytes_before(uint64_t marks)
{
	return marks ? (size_t)__builtin_ctzll(marks) / 8 : WORD_BYTES;
}

/* The first byte that is not PLAIN, or the end. */
static const char *
skip_plain(const char *at, const char *end)
{
	while ((size_t)(end - at) >= WORD_BYTES) {
		uint64_t marks = mark_special(load_word(at));

		at += bytes_before(marks);
		if (marks)
			return at;
	}
	while (at < end && byte_classes[(unsigned char)*at] == PLAIN)
		at++;
	return at;
}

/* Copies up to a backslash. There is room for a word behind what is left. */
static void
copy_plain(const char **at, const char *end, char **to)
{
	while ((size_t)(end - *at) >= WORD_BYTES) {
		uint64_t marks = mark_byte(load_word(*at), '\\');
		size_t n = bytes_before(marks);

		memcpy(*to, *at, WORD_BYTES);
		*to += n;
		*at += n;
		if (marks)
			return;
	}
	while (*at < end && **at != '\\')
		*(*to)++ = *(*at)++;
}

/* The text between the quotes without its escapes, which never makes it longer. */
static int
unescape(struct reader *r, struct arena *a, struct str raw, struct str *ret)
{
	static const char plain[128] = {
		['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
	};
	char *begin = arena_bytes(a, raw.n + WORD_BYTES), *to = begin;
	const char *at = raw.s, *end = raw.s + raw.n;

	for (;;) {
		copy_plain(&at, end, &to);
		if (at == end)
			break;
		unsigned char c = (unsigned char)at[1];

		at += 2;
		if (c == 'u') {
			if (read_unicode_escape(r, &at, end, &to) < 0)
				return -1;
		} else if (c < 128 && plain[c]) {
			*to++ = plain[c];
		} else {
			return fail_at(r, at - 2, ERR_SYNTAX, "unknown escape in a string");
		}
	}
	*to = '\0';
	*ret = (struct str){ begin, (size_t)(to - begin) };
	return 0;
}

/* Only strings hold bytes above ASCII, so only here can a column and a byte count part. */
static void
count_columns(struct reader *r, struct str raw)
{
	for (size_t i = 0; i < raw.n; i++)
		r->line_start += ((unsigned char)raw.s[i] & 0xC0) == 0x80;
}

/* From behind the opening quote. */
static int
read_string(struct reader *r, struct str *ret)
{
	const char *begin = r->at, *at = begin;
	bool has_escape = false, has_high = false;

	for (;; at++) {
		at = skip_plain(at, r->end);
		if (at == r->end)
			return fail_at(r, begin - 1, ERR_SYNTAX, "a string that never ends");
		if (*at == '"')
			break;
		if (byte_classes[(unsigned char)*at] == HIGH) {
			has_high = true;
		} else if (*at == '\\' && at + 1 < r->end) {
			has_escape = true;
			at++;
		} else if (*at != '\\') {
			return fail_at(r, at, ERR_SYNTAX, "a control character in a string");
		}
	}
	struct str raw = { begin, (size_t)(at - begin) };

	r->at = at + 1;
	if (has_high)
		count_columns(r, raw);
	if (!has_high || utf8_is_valid(raw)) {
		if (has_escape)
			return unescape(r, r->arena, raw, ret);
		*ret = str_copy(r->arena, raw);
		return 0;
	}
	CLEANUP(arena_free) struct arena scratch = { 0 };

	if (has_escape && unescape(r, &scratch, raw, &raw) < 0)
		return -1;
	*ret = utf8_clean(r->arena, raw);
	return 0;
}

static size_t
skip_digits(struct reader *r)
{
	const char *begin = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return (size_t)(r->at - begin);
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? */
static int
read_number(struct reader *r, struct node *ret)
{
	const char *begin = r->at;
	bool is_negative = *r->at == '-', is_whole = true;
	uint64_t value;

	r->at += is_negative;
	if (r->at < r->end && *r->at == '0')
		r->at++;
	else if (skip_digits(r) == 0)
		return fail_expected(r, "a digit");
	struct str digits = { begin + is_negative, (size_t)(r->at - begin) - is_negative };

	if (r->at < r->end && *r->at == '.') {
		is_whole = false;
		r->at++;
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit");
	}
	if (r->at < r->end && (*r->at | 0x20) == 'e') {
		is_whole = false;
		r->at++;
		if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
			r->at++;
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit");
	}
	ret->kind = NODE_FLOAT;
	ret->text = str_copy(r->arena, (struct str){ begin, (size_t)(r->at - begin) });
	if (is_whole && number_parse(digits, &value) && value <= (uint64_t)INT64_MAX + is_negative) {
		ret->kind = NODE_INT;
		ret->integer = is_negative ? (int64_t)(0 - value) : (int64_t)value;
	}
	return 0;
}

static int
read_word(struct reader *r, struct node *ret)
{
	static const struct {
		struct str word;
		enum node_kind kind;
		bool boolean;
	} words[] = {
		{ { "true", 4 }, NODE_BOOL, true },
		{ { "false", 5 }, NODE_BOOL, false },
		{ { "null", 4 }, NODE_NULL, false },
	};
	struct str rest = { r->at, (size_t)(r->end - r->at) };

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (!str_starts(rest, words[i].word))
			continue;
		ret->kind = words[i].kind;
		ret->boolean = words[i].boolean;
		r->at += words[i].word.n;
		return 0;
	}
	return fail_expected(r, "a value");
}

static int
read_key(struct reader *r)
{
	struct node key = { 0 };

	if (r->at == r->end || *r->at != '"')
		return fail_expected(r, "a key in double quotes");
	if (read_value(r, &key) < 0)
		return -1;
	node_stack_push(r->stack, &key);
	skip_blanks(r);
	if (r->at == r->end || *r->at != ':')
		return fail_expected(r, "':'");
	r->at++;
	skip_blanks(r);
	return 0;
}

/* From behind the opening bracket. */
static int
read_items(struct reader *r, char closing, struct node *ret)
{
	size_t first = r->stack->count;

	skip_blanks(r);
	if (r->at < r->end && *r->at == closing) {
		r->at++;
		return 0;
	}
	for (;;) {
		struct node value = { 0 };

		if ((ret->kind == NODE_MAP && read_key(r) < 0) || read_value(r, &value) < 0)
			return -1;
		node_stack_push(r->stack, &value);
		skip_blanks(r);
		if (r->at == r->end || (*r->at != ',' && *r->at != closing))
			return fail_expected(r, ret->kind == NODE_MAP ? "',' or '}'" : "',' or ']'");
		if (*r->at++ == closing)
			break;
		skip_blanks(r);
	}
	node_stack_close(r->stack, r->arena, first, ret);
	return 0;
}

static int
read_token(struct reader *r, struct node *ret)
{
	char c = r->at < r->end ? *r->at : '\0';

	if (c == '"') {
		r->at++;
		ret->kind = NODE_STRING;
		return read_string(r, &ret->text);
	}
	if (c == '{' || c == '[') {
		if (++r->depth > JSON_DEPTH_LIMIT)
			return fail_at(r, r->at, ERR_LIMIT, "nested too deeply");
		r->at++;
		ret->kind = c == '{' ? NODE_MAP : NODE_LIST;
		if (read_items(r, c == '{' ? '}' : ']', ret) < 0)
			return -1;
		r->depth--;
		return 0;
	}
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r, ret);
	return read_word(r, ret);
}

/* A key or a value. */
static int
read_value(struct reader *r, struct node *ret)
{
	const char *begin = r->at;

	if (r->values_left-- == 0)
		return fail_at(r, begin, ERR_LIMIT, "too many values");
	ret->line = r->line;
	ret->column = column_of(r);
	ret->span.begin = (uint32_t)(begin - r->text.s);
	if (read_token(r, ret) < 0)
		return -1;
	ret->span.end = (uint32_t)(r->at - r->text.s);
	return 0;
}

int
json_parse(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	struct node_stack stack;
	struct node root = { 0 };
	struct reader r = { .text = text, .line = 1, .arena = a, .stack = &stack, .err = err };

	if (text.n == 0)
		return err_set(err, ERR_SYNTAX, "1:1: expected a value, not the end of the text");
	r.at = utf8_skip_mark(text).s;
	r.end = text.s + text.n;
	r.line_start = r.at;
	r.values_left = VALUES_LIMIT(text.n);
	node_stack_init(&stack);
	skip_blanks(&r);
	int result = read_value(&r, &root);

	if (result == 0) {
		skip_blanks(&r);
		if (r.at < r.end)
			result = fail_expected(&r, "nothing behind the value");
	}
	node_stack_free(&stack);
	if (result == 0)
		*ret = root;
	return result;
}
