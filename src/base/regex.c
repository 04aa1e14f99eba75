/* SPDX-License-Identifier: MIT */
/* Rejects what Rust's regex crate rejects: look-around, backreferences, unknown escapes, unbalanced brackets, repetitions of
 * nothing. Accepts a pattern if only the crate's tables could decide. One pass, allocates nothing. */
#include "base/regex.h"

#include "base/utf8.h"

#include <string.h>

/* The result for an escape that is not a known character. */
#define UNKNOWN_CHARACTER (-1)
#define SET_OF_CHARACTERS (-2)
#define FAILED (-3)

/* The length of the longest named class, [:^xdigit:]. */
#define NAMED_CLASS_BYTES 11

struct parser {
	struct str text;
	size_t at;
	const char *problem; /* NULL: none yet */
	size_t problem_at;
	int depth;       /* open groups */
	bool is_verbose; /* the flag x is set: blanks and comments are ignored */
};

static int
fail(struct parser *p, size_t at, const char *what)
{
	p->problem = what;
	p->problem_at = at;
	return FAILED;
}

static bool
is_among(char c, const char *set)
{
	return c && strchr(set, c);
}

/* The byte here; 0: the end. */
static char
peek(const struct parser *p)
{
	return p->at < p->text.n ? p->text.s[p->at] : '\0';
}

static bool
follows(const struct parser *p, const char *text)
{
	return str_starts(str_sub(p->text, p->at, p->text.n), str_from(text));
}

/* Moves past the next occurrence of the text. False: there is none. */
static bool
skip_past(struct parser *p, const char *text)
{
	ptrdiff_t found = str_find(str_sub(p->text, p->at, p->text.n), str_from(text));

	p->at = found < 0 ? p->text.n : p->at + (size_t)found + strlen(text);
	return found >= 0;
}

static int
take_character(struct parser *p)
{
	size_t n;
	uint32_t c = utf8_decode(str_sub(p->text, p->at, p->text.n), &n);

	p->at += n;
	return (int)c;
}

/* At a backslash. */
static int
parse_escape(struct parser *p, bool is_in_class)
{
	size_t from = p->at++;
	char c = peek(p);

	if (p->at == p->text.n)
		return fail(p, from, "incomplete escape sequence, reached end of pattern prematurely");
	if (is_among(c, "0123456789"))
		return fail(p, from, "backreferences are not supported");
	p->at++;
	/* \b{start} and the like */
	if (c == 'b' && (follows(p, "{s") || follows(p, "{e")))
		(void)skip_past(p, "}");
	if (is_among(c, "AzbB<>"))
		return is_in_class ? fail(p, from, "invalid escape sequence found in character class")
				   : UNKNOWN_CHARACTER;
	if (is_among(c, "xuUpP") && peek(p) == '{' && !skip_past(p, "}"))
		return fail(p, from, "incomplete escape sequence, reached end of pattern prematurely");
	if (is_among(c, "dswDSWpP"))
		return SET_OF_CHARACTERS;
	if (is_among(c, "xuUaftnrv"))
		return UNKNOWN_CHARACTER;
	if (is_among(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") || (unsigned char)c >= 0x80)
		return fail(p, from, "unrecognized escape sequence");
	return c;
}

/* ---- classes ---- */

/* Moves past the start of a class, in which a first ']' is a character. */
static void
open_class(struct parser *p)
{
	p->at++;
	if (peek(p) == '^')
		p->at++;
	if (peek(p) == ']')
		p->at++;
	while (peek(p) == '-')
		p->at++;
}

/* A character or escape of a class, or a range of two. */
static int
parse_range(struct parser *p)
{
	size_t from = p->at;
	int first = peek(p) == '\\' ? parse_escape(p, true) : take_character(p);

	if (first == FAILED || peek(p) != '-' || follows(p, "-]") || follows(p, "--"))
		return first;
	p->at++;
	int last = peek(p) == '\\' ? parse_escape(p, true) : take_character(p);

	if (last == FAILED)
		return FAILED;
	if (first == SET_OF_CHARACTERS || last == SET_OF_CHARACTERS)
		return fail(p, from, "invalid range boundary, must be a literal");
	if (last >= 0 && first > last)
		return fail(p, from, "invalid character class range, the start must be <= the end");
	return 0;
}

/* Classes may be nested. */
static int
parse_class(struct parser *p)
{
	size_t from = p->at;
	int depth = 1;

	open_class(p);
	while (depth > 0) {
		if (p->at >= p->text.n)
			return fail(p, from, "unclosed character class");
		if (follows(p, "[:") &&
		    str_find(str_sub(p->text, p->at, p->at + NAMED_CLASS_BYTES), STR(":]")) > 0) {
			(void)skip_past(p, ":]");
		} else if (peek(p) == '[') {
			open_class(p);
			depth++;
		} else if (peek(p) == ']') {
			p->at++;
			depth--;
		} else if (follows(p, "&&") || follows(p, "--") || follows(p, "~~")) {
			p->at += 2;
		} else if (parse_range(p) == FAILED) {
			return FAILED;
		}
	}
	return 0;
}

/* ---- groups and repetitions ---- */

static int
open_group(struct parser *p)
{
	size_t from = p->at;
	bool is_negated = false;

	p->depth++;
	if (follows(p, "(?=") || follows(p, "(?!") || follows(p, "(?<=") || follows(p, "(?<!"))
		return fail(p, from, "look-around, including look-ahead and look-behind, is not supported");
	if (follows(p, "(?P<") || follows(p, "(?<"))
		return skip_past(p, ">") ? 0 : fail(p, from, "unclosed capture group name");
	p->at++;
	if (peek(p) != '?')
		return 0;
	for (p->at++; is_among(peek(p), "imsUuxR-"); p->at++) {
		is_negated |= peek(p) == '-';
		p->is_verbose |= peek(p) == 'x' && !is_negated;
	}
	if (peek(p) != ':' && peek(p) != ')')
		return fail(p, p->at, p->at == p->text.n ? "unclosed group" : "unrecognized flag");
	if (p->at == from + 2 && peek(p) == ')')
		return fail(p, from, "repetition operator missing expression");
	p->depth -= peek(p) == ')';
	p->at++;
	return 0;
}

static bool
take_count(struct parser *p, uint64_t *ret)
{
	size_t from = p->at;

	for (*ret = 0; is_among(peek(p), "0123456789") && *ret <= UINT32_MAX; p->at++)
		*ret = *ret * 10 + (uint64_t)(peek(p) - '0');
	return p->at > from && *ret <= UINT32_MAX;
}

/* At {n}, {n,} or {n,m}. */
static int
parse_count(struct parser *p)
{
	size_t from = p->at++;
	uint64_t least, most = UINT32_MAX;

	if (!take_count(p, &least))
		return fail(p, from, "repetition quantifier expects a valid decimal");
	if (peek(p) == ',') {
		p->at++;
		if (peek(p) != '}' && !take_count(p, &most))
			return fail(p, from, "repetition quantifier expects a valid decimal");
	}
	if (peek(p) != '}')
		return fail(p, from, "unclosed counted repetition");
	if (least > most)
		return fail(p, from, "invalid repetition count range, the start must be <= the end");
	p->at++;
	return 0;
}

/* ---- patterns ---- */

/* Parses one element. Returns whether it can be repeated; has_item: whether the one before it can. */
static bool
parse_element(struct parser *p, bool has_item)
{
	char c = peek(p);

	if (is_among(c, "*+?{") && !has_item)
		(void)fail(p, p->at, "repetition operator missing expression");
	else if (c == '{')
		(void)parse_count(p);
	else if (c == '(')
		return open_group(p) == FAILED;
	else if (c == '[')
		(void)parse_class(p);
	else if (c == '\\')
		(void)parse_escape(p, false);
	else if (c == ')' && --p->depth < 0)
		(void)fail(p, p->at, "unopened group");
	else
		(void)take_character(p);
	return c != '|';
}

int
regex_check(struct str pattern, struct err *err)
{
	struct parser p = { .text = pattern };
	bool has_item = false;

	while (p.at < pattern.n && !p.problem) {
		if (p.is_verbose && str_is_blank(peek(&p)))
			p.at++;
		else if (p.is_verbose && peek(&p) == '#')
			(void)skip_past(&p, "\n");
		else
			has_item = parse_element(&p, has_item);
	}
	if (!p.problem && p.depth > 0)
		(void)fail(&p, pattern.n, "unclosed group");
	if (!p.problem)
		return 0;
	return err_set(err, ERR_SYNTAX, "%s at offset %zu", p.problem, p.problem_at);
}
