/* SPDX-License-Identifier: MIT */
/* Splits command lines to see what they run. It expands nothing and does not check the syntax. */
#include "client/shell_words.h"

#include "base/buf.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_operator(char c)
{
	return c == ';' || c == '&' || c == '|' || c == '<' || c == '>' || c == '(' || c == ')' || c == '\n';
}

/* Inside double quotes a backslash counts only before these. */
static bool
is_escapable(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`' || c == '\n';
}

/* Reads one word from *at on; a quote that never closes ends with the line. */
static struct str
read_word(struct arena *a, struct str line, size_t *at)
{
	struct buf b = BUF(a, line.n + 1);
	char quote = 0;
	size_t i = *at;

	for (; i < line.n; i++) {
		char c = line.s[i];

		if (!quote && (is_blank(c) || is_operator(c)))
			break;
		if (quote && c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		else if (c == '\\' && quote != '\'' && i + 1 < line.n &&
			 (!quote || is_escapable(line.s[i + 1])))
			buf_addc(&b, line.s[++i]);
		else
			buf_addc(&b, c);
	}
	*at = i;
	return buf_str(&b);
}

struct shell_words
shell_words(struct arena *a, struct str line)
{
	struct shell_words words = { .items = arena_array(a, line.n + 1, struct shell_word) };
	size_t at = 0;

	while (at < line.n) {
		if (is_blank(line.s[at])) {
			at++;
			continue;
		}
		struct shell_word *word = &words.items[words.count++];

		word->from = at;
		if (is_operator(line.s[at]))
			at++;
		else
			word->text = read_word(a, line, &at);
		word->to = at;
	}
	return words;
}

struct str
shell_quote(struct arena *a, struct str word)
{
	struct buf b = BUF(a, word.n * 4 + 3);
	bool is_plain = word.n > 0;

	for (size_t i = 0; i < word.n && is_plain; i++) {
		char c = word.s[i];

		is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			   c == '/' || c == '.' || c == '_' || c == '-' || c == '+' || c == ',' || c == ':' ||
			   c == '@' || c == '%';
	}
	if (is_plain)
		return word;
	buf_addc(&b, '\'');
	for (size_t i = 0; i < word.n; i++) {
		if (word.s[i] == '\'')
			buf_add(&b, STR("'\\''"));
		else
			buf_addc(&b, word.s[i]);
	}
	buf_addc(&b, '\'');
	return buf_str(&b);
}
