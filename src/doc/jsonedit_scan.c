/* SPDX-License-Identifier: MIT */
/* Finds values, members and commas by their offsets. Reads only; that the text is well formed is jsonedit_check()'s to
 * say. */
#include "doc/jsonedit_scan.h"

#include "base/utf8.h"
#include "doc/json.h"
#include "doc/jsonedit.h"

static char
byte_at(struct str text, size_t at)
{
	return at < text.n ? text.s[at] : '\0';
}

size_t
scan_comment(struct str text, size_t at)
{
	char second = byte_at(text, at + 1);
	struct str closing = second == '*' ? STR("*/") : STR("\n");

	if (byte_at(text, at) != '/' || (second != '/' && second != '*'))
		return at;
	ptrdiff_t n = str_find(str_sub(text, at + 2, text.n), closing);

	if (second == '/')
		return n < 0 ? text.n : at + 2 + (size_t)n;
	return n < 0 ? NOWHERE : at + 4 + (size_t)n;
}

size_t
scan_space(struct str text, size_t at, size_t *ret_comment_end)
{
	*ret_comment_end = NOWHERE;
	while (at < text.n) {
		char c = text.s[at];
		size_t end = scan_comment(text, at);

		if (end == NOWHERE)
			return text.n;
		if (end > at && text.s[at + 1] == '/')
			*ret_comment_end = end;
		if (end == at && c != ' ' && c != '\t' && c != '\r' && c != '\n')
			break;
		at = end > at ? end : at + 1;
	}
	return at;
}

static size_t
skip_space(struct str text, size_t at)
{
	size_t comment_end;

	return scan_space(text, at, &comment_end);
}

/* From the opening quote to behind the closing one. */
static size_t
skip_string(struct str text, size_t at)
{
	for (at++; at < text.n && text.s[at] != '"'; at++)
		at += text.s[at] == '\\';
	return at < text.n ? at + 1 : text.n;
}

static size_t
skip_brackets(struct str text, size_t at)
{
	size_t depth = 0;

	while (at < text.n) {
		char c = text.s[at];

		if (c == '"') {
			at = skip_string(text, at);
			continue;
		}
		if (scan_comment(text, at) != at) {
			at = skip_space(text, at);
			continue;
		}
		at++;
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			break;
	}
	return at;
}

static size_t
skip_value(struct str text, size_t at)
{
	char c = byte_at(text, at);

	if (c == '{' || c == '[')
		return skip_brackets(text, at);
	if (c == '"')
		return skip_string(text, at);
	while (at < text.n && str_find_char(STR(",]} \t\r\n/"), text.s[at]) < 0)
		at++;
	return at;
}

struct span
scan_root(struct str text)
{
	size_t begin = skip_space(text, text.n - utf8_skip_mark(text).n);

	return (struct span){ (uint32_t)begin, (uint32_t)skip_value(text, begin) };
}

struct scan
scan_begin(struct str text, struct span container)
{
	char c = byte_at(text, container.begin);

	return (struct scan){ .text = str_sub(text, 0, container.end),
			      .is_map = c == '{',
			      .at = c == '{' || c == '[' ? container.begin + 1 : container.end,
			      .comma = NOWHERE };
}

bool
scan_next(struct scan *s, struct item *ret)
{
	struct item i = { .begin = skip_space(s->text, s->at),
			  .comma_before = s->comma,
			  .comma_after = NOWHERE };
	char c = byte_at(s->text, i.begin);

	if (i.begin >= s->text.n || c == ']' || c == '}')
		return false;
	i.value = i.begin;
	if (s->is_map) {
		if (c != '"')
			return false;
		size_t end = skip_string(s->text, i.begin);

		i.key = str_sub(s->text, i.begin + 1, end - 1);
		end = skip_space(s->text, end);
		if (byte_at(s->text, end) != ':')
			return false;
		i.value = skip_space(s->text, end + 1);
	}
	i.end = skip_value(s->text, i.value);
	if (i.end == i.value)
		return false;
	s->at = skip_space(s->text, i.end);
	if (byte_at(s->text, s->at) == ',')
		i.comma_after = s->comma = s->at++;
	else
		s->at = s->text.n; /* the last one, or an error */
	*ret = i;
	return true;
}

static bool
key_is(const struct item *i, const char *key)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err err;

	/* What json_parse() would change: escapes and bad UTF-8. */
	if (str_find_char(i->key, '\\') < 0 && utf8_is_valid(i->key))
		return str_is(i->key, key);
	struct str quoted = { i->key.s - 1, i->key.n + 2 };

	return json_parse(&scratch, quoted, &n, &err) == 0 && str_is(n.text, key);
}

bool
scan_find(struct str text, struct span container, const struct jsonedit_step *step, struct item *ret)
{
	struct scan s = scan_begin(text, container);
	struct item i;
	bool is_found = false;

	if (s.is_map != (step->key != NULL))
		return false;
	for (size_t index = 0; scan_next(&s, &i); index++) {
		if (step->key ? !key_is(&i, step->key) : index != step->index)
			continue;
		*ret = i;
		is_found = true;
	}
	return is_found;
}

bool
scan_path(struct str text, const struct jsonedit_step *path, size_t depth, struct span *ret)
{
	struct span s = scan_root(text);
	struct item i;

	for (size_t k = 0; k < depth; k++) {
		if (!scan_find(text, s, &path[k], &i))
			return false;
		s = (struct span){ (uint32_t)i.value, (uint32_t)i.end };
	}
	*ret = s;
	return s.end > s.begin;
}
