/* SPDX-License-Identifier: MIT */
/* Cuts comments short. A line that begins with '#' is a part of a string only inside of quotes or, if it is indented, in a block
 * of literal text. So this looks for lines that may leave a quote open, and for those that may begin such a block; it never has to
 * understand them. */
#include "doc/yaml_comments.h"

/* Below this nothing is won. */
#define LEAST_BYTES 512

struct lines {
	bool may_be_quoted; /* the lines after this one */
	bool may_be_block;  /* the indented ones */
};

static size_t
skip_blanks(struct str line, size_t i)
{
	while (i < line.n && line.s[i] == ' ')
		i++;
	return i;
}

/* To the value: after the '-' of list items and one plain key. */
static size_t
skip_to_value(struct str line)
{
	size_t i = skip_blanks(line, 0), end;

	while (i + 1 < line.n && line.s[i] == '-' && line.s[i + 1] == ' ')
		i = skip_blanks(line, i + 1);
	for (end = i; end < line.n && (is_letter(line.s[end]) || is_digit(line.s[end]) ||
				       str_find_char(STR("_-."), line.s[end]) >= 0);)
		end++;
	return end > i && end + 1 < line.n && line.s[end] == ':' && line.s[end + 1] == ' '
		       ? skip_blanks(line, end + 1)
		       : i;
}

/* After a quoted string without escapes that begins at i; 0: there is none. */
static size_t
skip_string(struct str line, size_t i)
{
	char quote = i < line.n ? line.s[i] : '\0';
	size_t end = i + 1;

	if (quote != '"' && quote != '\'')
		return 0;
	while (end < line.n && line.s[end] != quote && line.s[end] != '\\')
		end++;
	if (end >= line.n || line.s[end] == '\\' || (end + 1 < line.n && line.s[end + 1] == quote))
		return 0;
	return skip_blanks(line, end + 1);
}

/* Are the quotes of the line those of a string, or of a list of strings, that is all of its value? */
static bool
closes_its_quotes(struct str line)
{
	size_t i = 0;

	/* A comment at the end of the line may have quotes, too. */
	while (i < line.n && line.s[i] != '"' && line.s[i] != '\'' &&
	       !(line.s[i] == ' ' && i + 1 < line.n && line.s[i + 1] == '#'))
		i++;
	if (i == line.n || line.s[i] == ' ')
		return true;
	i = skip_to_value(line);
	bool is_list = i < line.n && line.s[i] == '[';

	if (is_list)
		i = skip_blanks(line, i + 1);
	for (;;) {
		i = skip_string(line, i);
		if (i == 0)
			return false;
		if (i == line.n || line.s[i] != ',')
			break;
		i = skip_blanks(line, i + 1);
		if (i == line.n)
			return true; /* an item of a list that began before */
	}
	if (is_list && i < line.n && line.s[i] == ']')
		i = skip_blanks(line, i + 1);
	return i == line.n;
}

/* Ends the line like `key: |` or `key: >-2`? A comment may follow. */
static bool
may_begin_block(struct str line)
{
	for (size_t i = 0; i < line.n; i++) {
		size_t end = i + 1;

		if ((line.s[i] != '|' && line.s[i] != '>') ||
		    (i > 0 && line.s[i - 1] != ' ' && line.s[i - 1] != '\t'))
			continue;
		while (end < line.n && (line.s[end] == '+' || line.s[end] == '-' || is_digit(line.s[end])))
			end++;
		end = skip_blanks(line, end);
		if (end == line.n || line.s[end] == '#' || line.s[end] == '\t' || line.s[end] == '\r')
			return true;
	}
	return false;
}

/* Only if it has no characters that libyaml takes for the end of a line, or does not accept. */
static bool
is_comment(const struct lines *l, struct str line, size_t begin)
{
	if (begin == line.n || line.s[begin] != '#' || l->may_be_quoted || (begin > 0 && l->may_be_block))
		return false;
	for (size_t i = skip_printable(line, begin); i < line.n; i = skip_printable(line, i + 1))
		if (line.s[i] != '\t')
			return false;
	return true;
}

void
yaml_shorten(struct arena *a, struct str text, struct yaml_short *ret)
{
	struct lines l = { 0 };
	struct str rest = text, line;
	size_t removed = 0, n = 0;
	char *bytes;

	*ret = (struct yaml_short){ .text = text };
	if (text.n < LEAST_BYTES || !memchr(text.s, '#', text.n))
		return;
	bytes = arena_bytes(a, text.n + 1);
	while (str_next(&rest, '\n', &line)) {
		size_t begin = skip_blanks(line, 0), kept = line.n;

		if (is_comment(&l, line, begin)) {
			kept = begin + 1;
		} else if (!l.may_be_quoted) {
			bool is_block = may_begin_block(line);

			l.may_be_block |= is_block;
			/* The document itself may be such a block, whose lines are not indented. */
			l.may_be_quoted = !closes_its_quotes(line) ||
					  (is_block && skip_to_value(line) == begin);
		}
		memcpy(bytes + n, line.s, kept);
		n += kept;
		if (kept < line.n) {
			removed += line.n - kept;
			*arena_push(a, ret->cuts, ret->count) = (struct yaml_cut){ n, removed };
		}
		if (line.s + line.n < text.s + text.n)
			bytes[n++] = '\n';
	}
	bytes[n] = '\0';
	ret->text = (struct str){ bytes, n };
}
