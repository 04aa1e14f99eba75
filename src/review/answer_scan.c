/* SPDX-License-Identifier: MIT */
/* One pass over a JSON object as models write them, without recursion and with bounded depth. Only tells where it ends
 * and what it looks like; reading it is doc/json.h's. */
#include "review/answer_scan.h"

enum expectation { KEY_OR_END, COLON, VALUE, VALUE_OR_END, COMMA_OR_END };

struct scanner {
	struct str text;
	size_t at;
	struct buf *strict;
	enum expectation expects;
	bool wants_comma; /* before the next key or value */
	size_t depth;
	bool is_map[JSON_DEPTH_LIMIT];
	struct str key; /* the last one of the object itself, not of what is in it; as written */
	struct object_scan result;
};

static void
emit(struct scanner *s, struct str x)
{
	if (s->strict)
		buf_add(s->strict, x);
}

static bool
end_as(struct scanner *s, enum object_end how)
{
	s->result.how = how;
	s->result.end = s->at;
	return false;
}

/* ---- blanks and comments ---- */

/* Behind the first `c` from `at` on, or the end of the text. */
static size_t
behind(struct str text, size_t at, char c)
{
	ptrdiff_t n = str_find_char(str_sub(text, at, text.n), c);

	return n < 0 ? text.n : at + (size_t)n + 1;
}

static void
skip_comment(struct scanner *s)
{
	bool is_block = s->text.s[s->at + 1] == '*';

	s->at = behind(s->text, s->at + 2, is_block ? '*' : '\n');
	while (is_block && s->at < s->text.n && s->text.s[s->at] != '/')
		s->at = behind(s->text, s->at, '*');
	if (is_block && s->at < s->text.n)
		s->at++;
}

static void
skip_space(struct scanner *s)
{
	while (s->at < s->text.n) {
		char c = s->text.s[s->at], next = s->at + 1 < s->text.n ? s->text.s[s->at + 1] : '\0';

		if (c == '/' && (next == '/' || next == '*'))
			skip_comment(s);
		else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
			s->at++;
		else
			break;
	}
}

/* ---- strings and words ---- */

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* Does JSON know what stands behind the backslash? */
static bool
is_escape(struct str behind)
{
	if (behind.n == 0 || str_find_char(STR("\"\\/bfnrtu"), behind.s[0]) < 0)
		return false;
	return behind.s[0] != 'u' || (behind.n >= 5 && is_hex(behind.s[1]) && is_hex(behind.s[2]) &&
				      is_hex(behind.s[3]) && is_hex(behind.s[4]));
}

static void
emit_string(struct scanner *s, struct str raw)
{
	buf_addc(s->strict, '"');
	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.s[i];

		if (c == '\\' && is_escape(str_sub(raw, i + 1, raw.n))) {
			buf_addc(s->strict, c);
			buf_addc(s->strict, raw.s[++i]);
		} else if (c == '\\') {
			buf_add(s->strict, STR("\\\\"));
		} else if (c == '\n') {
			buf_add(s->strict, STR("\\n"));
		} else {
			buf_addc(s->strict, (unsigned char)c < 0x20 ? ' ' : c);
		}
	}
	buf_addc(s->strict, '"');
}

/* From the opening quote. False: the text ends before the string does. */
static bool
read_string(struct scanner *s, struct str *ret)
{
	size_t begin = s->at + 1, at = begin;

	while (at < s->text.n && s->text.s[at] != '"')
		at += s->text.s[at] == '\\' ? 2 : 1;
	if (at >= s->text.n) {
		s->at = s->text.n;
		return end_as(s, OBJECT_OPEN);
	}
	*ret = str_sub(s->text, begin, at);
	s->at = at + 1;
	if (s->strict)
		emit_string(s, *ret);
	return true;
}

static bool
is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '+' || c == '.';
}

/* A number, true, false or null; that a number is well formed is told by whoever reads it. */
static bool
read_word(struct scanner *s)
{
	size_t end = s->at;

	while (end < s->text.n && is_word_byte(s->text.s[end]))
		end++;
	struct str word = str_sub(s->text, s->at, end);
	bool is_number = word.n > 0 && (word.s[0] == '-' || (word.s[0] >= '0' && word.s[0] <= '9'));

	if (!is_number && !str_is(word, "true") && !str_is(word, "false") && !str_is(word, "null"))
		return end_as(s, end == s->text.n && word.n > 0 ? OBJECT_OPEN : OBJECT_BROKEN);
	emit(s, word);
	s->at = end;
	return true;
}

/* ---- structure ---- */

static bool
is_in_violations(const struct scanner *s, size_t depth)
{
	return s->depth == depth && !s->is_map[1] && str_is(s->key, "violations");
}

static void
emit_comma(struct scanner *s)
{
	if (s->wants_comma)
		emit(s, STR(","));
	s->wants_comma = false;
}

static bool
open_bracket(struct scanner *s, bool is_map)
{
	if (s->depth == JSON_DEPTH_LIMIT)
		return end_as(s, OBJECT_BROKEN);
	s->is_map[s->depth++] = is_map;
	emit(s, is_map ? STR("{") : STR("["));
	s->at++;
	s->expects = is_map ? KEY_OR_END : VALUE_OR_END;
	return true;
}

static bool
close_bracket(struct scanner *s, bool is_map)
{
	if (s->is_map[s->depth - 1] != is_map)
		return end_as(s, OBJECT_BROKEN);
	emit(s, is_map ? STR("}") : STR("]"));
	s->at++;
	s->depth--;
	s->wants_comma = false;
	s->expects = COMMA_OR_END;
	if (s->depth == 0)
		return end_as(s, OBJECT_WHOLE);
	if (is_map && is_in_violations(s, 2))
		s->result.cut = s->at;
	return true;
}

static bool
read_value(struct scanner *s)
{
	char c = s->text.s[s->at];
	struct str value;

	emit_comma(s);
	if (is_in_violations(s, 2))
		s->result.says_fail = true;
	if (c == '{' || c == '[')
		return open_bracket(s, c == '{');
	s->expects = COMMA_OR_END;
	if (c != '"')
		return read_word(s);
	if (!read_string(s, &value))
		return false;
	if (s->depth == 1 && str_is(s->key, "status") && str_is(value, "fail"))
		s->result.says_fail = true;
	return true;
}

static bool
read_key(struct scanner *s)
{
	struct str key;

	emit_comma(s);
	s->expects = COLON;
	if (!read_string(s, &key))
		return false;
	if (s->depth == 1)
		s->key = key;
	return true;
}

static bool
is_value_due(const struct scanner *s)
{
	return s->expects == VALUE || s->expects == VALUE_OR_END;
}

/* The next token; false when the object has come to an end. */
static bool
step(struct scanner *s)
{
	char c = s->text.s[s->at];

	if ((c == '}' || c == ']') && s->expects != COLON && s->expects != VALUE)
		return close_bracket(s, c == '}');
	if (c == '"' && s->expects == KEY_OR_END)
		return read_key(s);
	if (is_value_due(s))
		return read_value(s);
	if (c == ':' && s->expects == COLON) {
		emit(s, STR(":"));
		s->expects = VALUE;
	} else if (c == ',' && s->expects == COMMA_OR_END) {
		s->wants_comma = true;
		s->expects = s->is_map[s->depth - 1] ? KEY_OR_END : VALUE_OR_END;
	} else {
		return end_as(s, OBJECT_BROKEN);
	}
	s->at++;
	return true;
}

struct object_scan
object_scan(struct str text, size_t at, struct buf *strict)
{
	struct scanner s = { .text = text, .at = at, .strict = strict };

	(void)open_bracket(&s, true);
	do {
		skip_space(&s);
		if (s.at >= text.n) {
			(void)end_as(&s, OBJECT_OPEN);
			break;
		}
	} while (step(&s));
	return s.result;
}
