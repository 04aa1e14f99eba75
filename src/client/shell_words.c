/* SPDX-License-Identifier: MIT */
/* Splits command lines to see what they run. It expands nothing and does not check the syntax. */
#include "client/shell_words.h"

#define BLANKS " \t\r"
#define OPERATORS ";&|<>()\n"

static bool
is_in(char c, struct str set)
{
	return str_find_char(set, c) >= 0;
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

		if (!quote && is_in(c, STR(BLANKS OPERATORS)))
			break;
		if (quote && c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		else if (c == '\\' && quote != '\'' && i + 1 < line.n &&
			 (!quote ||
			  is_in(line.s[i + 1], STR("\"\\$`\n")))) /* between quotes, only before these */
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
		if (is_in(line.s[at], STR(BLANKS))) {
			at++;
			continue;
		}
		struct shell_word *word = &words.items[words.count++];

		word->from = at;
		if (is_in(line.s[at], STR(OPERATORS)))
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
	bool is_plain = word.n > 0;

	for (size_t i = 0; i < word.n && is_plain; i++) {
		char c = word.s[i];

		is_plain = is_letter(c) || is_digit(c) || is_in(c, STR("/._-+,:@%"));
	}
	if (is_plain)
		return word;
	return str_cat(a, "'", str_replace(a, word, STR("'"), STR("'\\''")), "'");
}
