/* SPDX-License-Identifier: MIT */
/* Finds the end of a JSON object in one pass, without recursion and with bounded depth. Values are read by doc/json.h. */
#include "review/answer.h"

#include "doc/json_lex.h"

enum expectation { KEY_OR_END, COLON, VALUE, VALUE_OR_END, COMMA_OR_END };

struct scanner {
	struct str text;
	struct json_lexer in;
	enum expectation expects;
	size_t depth;
	bool is_map[JSON_DEPTH_LIMIT];
	struct str key; /* the last key of the outermost object, as written */
	struct object_scan result;
};

static size_t
offset(const struct scanner *s)
{
	return (size_t)(s->in.at - s->text.s);
}

static bool
end_as(struct scanner *s, enum object_end how)
{
	s->result.how = how;
	s->result.end = how == OBJECT_OPEN ? s->text.n : offset(s);
	return false;
}

static bool
read_string(struct scanner *s, struct str *ret)
{
	struct json_string string;

	if (json_lex_string(&s->in, &string) != JSON_CLOSED)
		return end_as(s, OBJECT_OPEN);
	*ret = string.raw;
	return true;
}

/* A number, true, false or null. The JSON reader checks that a number is well formed. */
static bool
read_word(struct scanner *s)
{
	const char *end = s->in.at;

	while (end < s->in.end &&
	       (is_letter(*end) || is_digit(*end) || *end == '-' || *end == '+' || *end == '.'))
		end++;
	struct str word = { s->in.at, (size_t)(end - s->in.at) };
	bool is_number = word.n > 0 && (word.s[0] == '-' || is_digit(word.s[0]));

	if (!is_number && !str_is(word, "true") && !str_is(word, "false") && !str_is(word, "null"))
		return end_as(s, end == s->in.end && word.n > 0 ? OBJECT_OPEN : OBJECT_BROKEN);
	s->in.at = end;
	return true;
}

static bool
is_in_violations(const struct scanner *s)
{
	return s->depth == 2 && !s->is_map[1] && str_is(s->key, "violations");
}

static bool
open_bracket(struct scanner *s, bool is_map)
{
	if (s->depth == JSON_DEPTH_LIMIT)
		return end_as(s, OBJECT_BROKEN);
	s->is_map[s->depth++] = is_map;
	s->in.at++;
	s->expects = is_map ? KEY_OR_END : VALUE_OR_END;
	return true;
}

static bool
close_bracket(struct scanner *s, bool is_map)
{
	if (s->is_map[s->depth - 1] != is_map)
		return end_as(s, OBJECT_BROKEN);
	s->in.at++;
	s->depth--;
	s->expects = COMMA_OR_END;
	if (s->depth == 0)
		return end_as(s, OBJECT_WHOLE);
	if (is_map && is_in_violations(s))
		s->result.cut = offset(s);
	return true;
}

static bool
read_value(struct scanner *s)
{
	char c = *s->in.at;
	struct str value;

	if (is_in_violations(s))
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

	s->expects = COLON;
	if (!read_string(s, &key))
		return false;
	if (s->depth == 1)
		s->key = key;
	return true;
}

/* The next token. False: the object has ended. */
static bool
step(struct scanner *s)
{
	char c = *s->in.at;

	if ((c == '}' || c == ']') && s->expects != COLON && s->expects != VALUE)
		return close_bracket(s, c == '}');
	if (c == '"' && s->expects == KEY_OR_END)
		return read_key(s);
	if (s->expects == VALUE || s->expects == VALUE_OR_END)
		return read_value(s);
	if (c == ':' && s->expects == COLON)
		s->expects = VALUE;
	else if (c == ',' && s->expects == COMMA_OR_END)
		s->expects = s->is_map[s->depth - 1] ? KEY_OR_END : VALUE_OR_END;
	else
		return end_as(s, OBJECT_BROKEN);
	s->in.at++;
	return true;
}

struct object_scan
object_scan(struct str text, size_t at)
{
	struct scanner s = { .text = text, .in = json_lexer(str_rest(text, at), JSON_LOOSE) };

	(void)open_bracket(&s, true);
	do {
		if (!json_lex_blanks(&s.in) || s.in.at == s.in.end) {
			(void)end_as(&s, OBJECT_OPEN);
			break;
		}
	} while (step(&s));
	return s.result;
}
