/* SPDX-License-Identifier: MIT */
/* Strings, blanks and comments of JSON. Knows nothing of its grammar. */
#include "doc/json_lex.h"

#include <endian.h>

#define WORD_BYTES sizeof(uint64_t)
#define EACH_BYTE(x) (UINT64_MAX / 0xFF * (x))

const char *
json_skip_plain(const char *at, const char *end)
{
	/* Eight bytes at once. A byte that is found has a mark in its highest bit; after the first mark there may be false ones,
	 * because borrows go that way. */
	while ((size_t)(end - at) >= WORD_BYTES) {
		uint64_t word, marks;

		memcpy(&word, at, WORD_BYTES);
		word = le64toh(word);
		/* A byte that is not ASCII is marked in any case, so that what the subtractions make of it does not matter. */
		marks = (((word ^ EACH_BYTE((uint64_t)'"')) - EACH_BYTE(1)) |
			 ((word ^ EACH_BYTE((uint64_t)'\\')) - EACH_BYTE(1)) | (word - EACH_BYTE(' ')) |
			 word) &
			EACH_BYTE(0x80);
		if (marks)
			return at + __builtin_ctzll(marks) / 8;
		at += WORD_BYTES;
	}
	while (at < end && (unsigned char)*at >= ' ' && (unsigned char)*at < 0x80 && *at != '"' &&
	       *at != '\\')
		at++;
	return at;
}

struct json_lexer
json_lexer(struct str text, enum json_syntax syntax)
{
	const char *at = text.n ? utf8_skip_mark(text).s : "";

	return (struct json_lexer){
		.at = at, .end = text.n ? text.s + text.n : at, .syntax = syntax, .line = 1, .line_start = at
	};
}

size_t
json_comment_end(struct str text, size_t at)
{
	struct str rest = str_rest(text, at + 2);
	bool is_line = str_starts(str_rest(text, at), STR("//"));

	if (!is_line && !str_starts(str_rest(text, at), STR("/*")))
		return at;
	ptrdiff_t n = is_line ? str_find_char(rest, '\n') : str_find(rest, STR("*/"));

	if (is_line)
		return n < 0 ? text.n : at + 2 + (size_t)n;
	return n < 0 ? SIZE_MAX : at + 4 + (size_t)n;
}

/* Columns count code points. */
static void
count_columns(struct json_lexer *l, const char *from, const char *to)
{
	for (; from < to; from++)
		l->line_start += utf8_is_continuation(*from);
}

static bool
skip_comment(struct json_lexer *l)
{
	size_t n = json_comment_end((struct str){ l->at, (size_t)(l->end - l->at) }, 0);

	if (n == SIZE_MAX)
		return false;
	const char *end = l->at + n;

	for (const char *newline; (newline = memchr(l->at, '\n', (size_t)(end - l->at)));) {
		l->line++;
		l->at = l->line_start = newline + 1;
	}
	/* At the end of a line, the column does not matter any more. */
	if (end == l->end || *end != '\n')
		count_columns(l, l->at, end);
	l->at = end;
	return true;
}

bool
json_lex_blanks(struct json_lexer *l)
{
	for (; l->at < l->end; l->at++) {
		if (*l->at == ' ')
			continue; /* the most frequent: documents are indented */
		if (*l->at == '\n') {
			l->line++;
			l->line_start = l->at + 1;
		} else if (*l->at == '/' && l->syntax != JSON_STRICT) {
			const char *begin = l->at;

			if (!skip_comment(l))
				return false;
			if (l->at == begin)
				break;
			l->at--;
		} else if (*l->at != '\t' && *l->at != '\r') {
			break;
		}
	}
	return true;
}

enum json_string_end
json_lex_string(struct json_lexer *l, struct json_string *ret)
{
	const char *begin = l->at + 1, *at = begin;
	struct json_string s = { .is_ascii = true };

	for (;; at++) {
		if (at < l->end)
			at = json_skip_plain(at, l->end);
		if (at >= l->end)
			return JSON_OPEN;
		if (*at == '"')
			break;
		if (*at == '\\') {
			s.has_escape = true;
			at++;
		} else if ((unsigned char)*at >= 0x80) {
			s.is_ascii = false;
		} else if (l->syntax == JSON_LOOSE) {
			s.has_control = true;
		} else {
			l->at = at;
			return JSON_CONTROL;
		}
	}
	s.raw = (struct str){ begin, (size_t)(at - begin) };
	if (!s.is_ascii)
		count_columns(l, begin, at);
	l->at = at + 1;
	*ret = s;
	return JSON_CLOSED;
}

static bool
read_hex4(const char *at, const char *end, uint32_t *ret)
{
	return end - at >= 4 && number_parse_hex((struct str){ at, 4 }, ret);
}

/* From after `\u`; half of a surrogate pair is U+FFFD. */
static bool
add_unicode(const char **at, const char *end, char **to)
{
	uint32_t cp, low;

	if (!read_hex4(*at, end, &cp))
		return false;
	*at += 4;
	if (cp >= 0xD800 && cp <= 0xDBFF && end - *at >= 2 && (*at)[0] == '\\' && (*at)[1] == 'u' &&
	    read_hex4(*at + 2, end, &low) && low >= 0xDC00 && low <= 0xDFFF) {
		cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
		*at += 6;
	}
	*to += utf8_encode(cp, *to);
	return true;
}

/* Without escapes the text never gets longer. */
static bool
unescape(struct arena *a, struct str raw, bool is_loose, struct str *ret, const char **ret_bad)
{
	static const char plain[128] = {
		['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
	};
	char *begin = arena_bytes(a, raw.n + 1), *to = begin;
	const char *at = raw.s, *end = raw.s + raw.n, *escape;

	for (; (escape = memchr(at, '\\', (size_t)(end - at)));) {
		unsigned char c = escape + 1 < end ? (unsigned char)escape[1] : 0x80;

		to = (char *)memcpy(to, at, (size_t)(escape - at)) + (escape - at);
		at = escape + 2;
		if (c < 128 && plain[c]) {
			*to++ = plain[c];
		} else if (c != 'u' || !add_unicode(&at, end, &to)) {
			*ret_bad = escape;
			if (!is_loose)
				return false;
			*to++ = '\\';
			at = escape + 1;
		}
	}
	to = (char *)memcpy(to, at, (size_t)(end - at)) + (end - at);
	*to = '\0';
	*ret = (struct str){ begin, (size_t)(to - begin) };
	return true;
}

bool
json_unescape(struct arena *a, const struct json_string *s, enum json_syntax syntax, struct str *ret,
	      const char **ret_bad)
{
	struct str raw = s->raw;
	bool is_valid = s->is_ascii || syntax == JSON_SETTINGS || utf8_is_valid(raw);
	bool is_loose = syntax == JSON_LOOSE;

	if (is_valid && !s->has_escape && !s->has_control) {
		*ret = str_copy(a, raw);
		return true;
	}
	CLEANUP(arena_free) struct arena scratch = { 0 };

	if (s->has_control) {
		char *copy = arena_bytes(&scratch, raw.n);

		/* a line break stays, any other control character becomes a blank */
		for (size_t i = 0; i < raw.n; i++)
			copy[i] = (unsigned char)raw.s[i] < ' ' && raw.s[i] != '\n' ? ' ' : raw.s[i];
		raw.s = copy;
	}
	if (is_valid)
		return unescape(a, raw, is_loose, ret, ret_bad);
	if (s->has_escape && !unescape(&scratch, raw, is_loose, &raw, ret_bad))
		return false;
	*ret = utf8_clean(a, raw);
	return true;
}
