/* SPDX-License-Identifier: MIT */
/* conclaude's patterns. Parses the pattern while matching, so it needs no memory. Backtracks only to the last star. That is
 * enough: if a match exists, one exists in which each earlier star has taken as little as possible. */
#include "base/glob.h"

enum token_kind {
	TOKEN_CHAR,
	TOKEN_ANY_CHAR,
	TOKEN_CLASS,
	TOKEN_NOT_CLASS,
	TOKEN_STAR,
	TOKEN_COMPONENTS, /* ** with the slash after it */
};

struct token {
	enum token_kind kind;
	uint32_t c;       /* TOKEN_CHAR */
	struct str class; /* TOKEN_CLASS and TOKEN_NOT_CLASS: the text between the brackets */
	size_t end;       /* the start of the next token */
};

/* Returns the problem, with its offset in *ret_at, or NULL. */
static const char *
read_stars(struct str pattern, size_t at, struct token *ret, size_t *ret_at)
{
	size_t end = at;

	while (end < pattern.n && pattern.s[end] == '*')
		end++;
	*ret = (struct token){ .kind = TOKEN_STAR, .end = end };
	if (end - at == 1)
		return NULL;
	if (end - at > 2) {
		*ret_at = at + 2;
		return "wildcards are either regular `*` or recursive `**`";
	}
	ret->kind = TOKEN_COMPONENTS;
	bool begins_component = at == 0 || pattern.s[at - 1] == '/';

	if (begins_component && end == pattern.n)
		return NULL;
	if (begins_component && pattern.s[end] == '/') {
		ret->end++;
		return NULL;
	}
	*ret_at = begins_component ? end : utf8_head(pattern, at - 1).n;
	return "recursive wildcards must form a single path component";
}

static const char *
read_class(struct str pattern, size_t at, struct token *ret, size_t *ret_at)
{
	bool is_negated = at + 1 < pattern.n && pattern.s[at + 1] == '!';
	size_t from = at + 1 + is_negated, first_n = 0;

	*ret_at = at;
	if (from < pattern.n)
		(void)utf8_decode(str_rest(pattern, from), &first_n);
	/* the first character belongs to the class even if it is a bracket */
	ptrdiff_t close = str_find_char(str_rest(pattern, from + first_n), ']');

	if (first_n == 0 || close < 0)
		return "invalid range pattern";
	size_t to = from + first_n + (size_t)close;

	*ret = (struct token){
		.kind = is_negated ? TOKEN_NOT_CLASS : TOKEN_CLASS,
		.class = str_sub(pattern, from, to),
		.end = to + 1,
	};
	return NULL;
}

/* Does the character stand for itself, in one byte? */
static bool
is_plain(char c)
{
	return c > ' ' && c != '*' && c != '?' && c != '[' && c != ']';
}

static const char *
read_token(struct str pattern, size_t at, struct token *ret, size_t *ret_at)
{
	size_t n;

	switch (pattern.s[at]) {
	case '*':
		return read_stars(pattern, at, ret, ret_at);
	case '[':
		return read_class(pattern, at, ret, ret_at);
	case '?':
		*ret = (struct token){ .kind = TOKEN_ANY_CHAR, .end = at + 1 };
		return NULL;
	default:
		*ret = (struct token){ .kind = TOKEN_CHAR };
		ret->c = utf8_decode(str_rest(pattern, at), &n);
		ret->end = at + n;
		return NULL;
	}
}

int
glob_check(struct str pattern, struct err *err)
{
	struct token t;
	size_t wrong_at;

	for (size_t at = 0; at < pattern.n; at = t.end) {
		const char *wrong = read_token(pattern, at, &t, &wrong_at);

		if (wrong)
			return err_set(err, ERR_SYNTAX, "Pattern syntax error near position %zu: %s",
				       utf8_length(str_sub(pattern, 0, wrong_at)), wrong);
	}
	return 0;
}

/* Removes a character of a class, with a backslash before it. */
static uint32_t
take(struct str *class, bool has_escapes)
{
	if (has_escapes && class->n > 1)
		(void)str_skip(class, "\\");
	return utf8_take(class);
}

bool
glob_class_has(struct str class, uint32_t c, bool has_escapes)
{
	while (class.n > 0) {
		uint32_t from = take(&class, has_escapes), to = from;

		/* a - at the end stands for itself */
		if (class.n >= 2 && str_skip(&class, "-"))
			to = take(&class, has_escapes);
		if (c >= from && c <= to)
			return true;
	}
	return false;
}

static bool
token_takes(const struct token *t, uint32_t c)
{
	switch (t->kind) {
	case TOKEN_CHAR:
		return t->c == c;
	case TOKEN_CLASS:
		return glob_class_has(t->class, c, false);
	case TOKEN_NOT_CLASS:
		return !glob_class_has(t->class, c, false);
	default:
		return true;
	}
}

bool
glob_match(struct str pattern, struct str text)
{
	struct token t, star = { 0 };
	size_t p = 0, at = 0, star_at = 0, n, ignored;
	bool has_star = false;

	/* most texts end otherwise; a slash at the end may be of a star */
	if (pattern.n > 0 && is_plain(pattern.s[pattern.n - 1]) && !str_ends(pattern, STR("/")) &&
	    !str_ends(text, str_rest(pattern, pattern.n - 1)))
		return false;
	if (glob_check(pattern, IGNORED) < 0)
		return false;
	while (at < text.n || p < pattern.n) {
		if (p < pattern.n) {
			(void)read_token(pattern, p, &t, &ignored);
			if (t.kind >= TOKEN_STAR) {
				star = t;
				star_at = at;
				has_star = true;
				p = t.end;
				continue;
			}
			if (at == text.n)
				return false; /* a later start has even less text */
			if (token_takes(&t, utf8_decode(str_rest(text, at), &n))) {
				p = t.end;
				at += n;
				continue;
			}
		}
		if (!has_star || star_at == text.n)
			return false;
		/* The next position at which the rest after the star may match: any after *, after ** only the start of a
		 * component or the end. */
		do {
			(void)utf8_decode(str_rest(text, star_at), &n);
			star_at += n;
		} while (star_at < text.n &&
			 (star.kind == TOKEN_COMPONENTS
				  ? text.s[star_at - 1] != '/'
				  : star.end < pattern.n && is_plain(pattern.s[star.end]) &&
					    text.s[star_at] != pattern.s[star.end]));
		at = star_at;
		p = star.end;
	}
	return true;
}

bool
glob_match_any(const char *patterns, struct str text)
{
	struct str all = str_from(patterns), one;

	while (str_next(&all, ' ', &one))
		/* most differ in their first character */
		if ((!is_plain(one.s[0]) || (text.n > 0 && one.s[0] == text.s[0])) && glob_match(one, text))
			return true;
	return false;
}

bool
glob_has_wildcard(struct str pattern)
{
	return str_find_char(pattern, '?') >= 0 || str_find_char(pattern, '*') >= 0 ||
	       str_find_char(pattern, '[') >= 0;
}

size_t
glob_min_length(struct str pattern)
{
	struct token t;
	size_t count = 0, ignored;

	for (size_t at = 0; at < pattern.n; at = t.end) {
		if (read_token(pattern, at, &t, &ignored))
			return 0;
		if (t.kind < TOKEN_STAR)
			count++;
	}
	return count;
}
