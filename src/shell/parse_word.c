/* SPDX-License-Identifier: MIT */
/* Parses words: quotes, parameters, substitutions, arithmetic. */
#include "shell/parser.h"

#include "base/buf.h"

static bool
is_name_byte(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!is_first && c >= '0' && c <= '9');
}

bool
sh_is_name(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!is_name_byte(text.s[i], i == 0))
			return false;
	return text.n > 0;
}

size_t
sh_name_length(const struct sh_parser *p, size_t from)
{
	size_t n = 0;

	while (from + n < p->text.n && is_name_byte(p->text.s[from + n], n == 0))
		n++;
	return n;
}

size_t
sh_assignment_end(const struct sh_parser *p, bool *ret_appends, bool *ret_has_index)
{
	size_t at = p->at + sh_name_length(p, p->at);
	int open = 0;

	*ret_appends = *ret_has_index = false;
	if (at == p->at)
		return 0;
	if (at < p->text.n && p->text.s[at] == '[') {
		do {
			open += p->text.s[at] == '[';
			open -= p->text.s[at] == ']';
			if (p->text.s[at] == '\n')
				return 0;
		} while (++at < p->text.n && open > 0);
		*ret_has_index = true;
	}
	if (at < p->text.n && p->text.s[at] == '+') {
		*ret_appends = true;
		at++;
	}
	return at < p->text.n && p->text.s[at] == '=' ? at + 1 : 0;
}

/* ---- parts ---- */

static struct sh_part *
new_part(struct sh_parser *p, struct sh_word *w, enum sh_part_kind kind, bool is_quoted)
{
	if (++*p->nodes > SHELL_NODES_LIMIT)
		sh_fail(p, "it has too many parts");
	arena_make_room(p->arena, w->parts, w->count, &w->capacity);
	struct sh_part *part = &w->parts[w->count++];

	part->kind = kind;
	part->is_quoted = is_quoted;
	return part;
}

void
sh_add_text(struct sh_parser *p, struct sh_word *w, struct str text, bool is_quoted)
{
	new_part(p, w, SH_TEXT, is_quoted)->text = text;
}

/* ---- $ ---- */

/* $(list), <(list): after the opening parenthesis. */
static struct sh_node *
read_inside(struct sh_parser *p)
{
	struct sh_here *heres = p->heres;
	size_t count = p->here_count, capacity = p->here_capacity;
	struct sh_node *list;

	bool ends_at_brace = p->ends_at_brace;

	p->ends_at_brace = false;
	/* here-documents of the line around it begin after that line */
	p->heres = NULL;
	p->here_count = p->here_capacity = 0;
	list = sh_read_list(p);
	sh_skip_lines(p);
	if (p->here_count > 0)
		sh_fail(p, "a here-document does not begin");
	p->heres = heres;
	p->here_count = count;
	p->here_capacity = capacity;
	p->ends_at_brace = ends_at_brace;
	if (sh_peek(p, 0) != ')')
		sh_fail(p, "a substitution does not end");
	p->at += !p->failure;
	return list;
}

/* The expression between the offsets: only what is substituted in it matters. */
static void
add_arithmetic(struct sh_parser *p, struct sh_word *w, size_t start, size_t end, bool is_quoted)
{
	struct sh_parser inner = { .arena = p->arena,
				   .text = str_sub(p->text, start, end),
				   .depth = p->depth + 1,
				   .nodes = p->nodes };
	struct sh_part *part = new_part(p, w, SH_ARITH, is_quoted);

	part->text = inner.text;
	part->word = arena_new(p->arena, struct sh_word);
	sh_read_quoted(&inner, part->word, '\0');
	if (inner.failure)
		sh_fail(p, inner.failure);
}

/* Up to the parenthesis that closes; false: this is not arithmetic. */
static bool
read_arithmetic(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	size_t start = p->at + 3, end = start;
	int open = 0;

	for (; end < p->text.n; end++) {
		char c = p->text.s[end];

		if (c == ')' && open == 0)
			break;
		open += c == '(';
		open -= c == ')';
	}
	if (end + 1 >= p->text.n || p->text.s[end + 1] != ')')
		return false;
	add_arithmetic(p, w, start, end, is_quoted);
	if (!p->failure)
		p->at = end + 2;
	return true;
}

/* $[...], which bash still reads as $((...)) */
static void
read_old_arithmetic(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	size_t start = p->at + 2, end = start;
	int open = 0;

	for (; end < p->text.n; end++) {
		char c = p->text.s[end];

		if (c == ']' && open == 0)
			break;
		open += c == '[';
		open -= c == ']';
	}
	if (end == p->text.n) {
		sh_fail(p, "an arithmetic expression does not end");
		return;
	}
	add_arithmetic(p, w, start, end, is_quoted);
	if (!p->failure)
		p->at = end + 1;
}

static const char *const parameter_operators[] = { ":-", ":=", ":?", ":+", "##", "%%", "//", "/#",
						   "/%", "^^", ",,", "-",  "=",  "?",  "+",  "#",
						   "%",  "/",  "^",  ",",  "@",  ":",  "~" };

/* The word after an operator, up to the closing brace. */
static void
read_operand(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	size_t start = p->at;
	bool ends_at_brace = p->ends_at_brace;

	p->ends_at_brace = true;
	while (!sh_is_end(p) && sh_peek(p, 0) != '}') {
		size_t before = p->at;

		if (is_quoted) {
			sh_read_quoted(p, w, '}');
			break;
		}
		sh_read_word(p, w);
		/* what ends a word elsewhere is part of it here */
		if (p->at == before || (!sh_is_end(p) && sh_peek(p, 0) != '}')) {
			sh_add_text(p, w, str_sub(p->text, p->at, p->at + 1), false);
			p->at++;
		}
	}
	p->ends_at_brace = ends_at_brace;
	w->source = str_sub(p->text, start, p->at);
}

/* After ${ */
static void
read_braced(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	struct sh_part part = { .kind = SH_PARAM, .is_quoted = is_quoted };
	size_t start = p->at, n;

	if ((sh_peek(p, 0) == '!' || sh_peek(p, 0) == '#') && sh_peek(p, 1) != '}' && sh_peek(p, 1) != ':') {
		part.operator= str_sub(p->text, p->at, p->at + 1);
		p->at++;
	}
	n = sh_name_length(p, p->at);
	while (n == 0 && sh_peek(p, n) >= '0' && sh_peek(p, n) <= '9')
		n++;
	if (n == 0 && str_find_char(STR("@*#?-$!0123456789"), sh_peek(p, 0)) >= 0 && sh_peek(p, 0))
		n = 1;
	if (n == 0) {
		p->at = start;
		sh_fail(p, "${ has no name");
	}
	part.text = str_sub(p->text, p->at, p->at + n);
	p->at += p->failure ? 0 : n;
	if (sh_peek(p, 0) == '[') {
		int open = 0;

		/* an element of a list is never known */
		part.operator= STR("[");
		do {
			open += sh_peek(p, 0) == '[';
			open -= sh_peek(p, 0) == ']';
			p->at++;
		} while (!sh_is_end(p) && open > 0);
	}
	for (size_t i = 0; i < COUNT_OF(parameter_operators) && sh_peek(p, 0) != '}'; i++)
		if (sh_looks_at(p, parameter_operators[i])) {
			struct str operator= str_from(parameter_operators[i]);

			part.operator= part.operator.n> 0 ? STR("[") : operator;
			p->at += operator.n;
			part.word = arena_new(p->arena, struct sh_word);
			read_operand(p, part.word, is_quoted);
			break;
		}
	/* ${!prefix*} */
	if (part.operator.n> 0 &&(sh_peek(p, 0) == '*' || sh_peek(p, 0) == '@') && sh_peek(p, 1) == '}')
		p->at++;
	if (sh_peek(p, 0) != '}')
		sh_fail(p, "${ does not end");
	p->at += !p->failure;
	*new_part(p, w, SH_PARAM, is_quoted) = part;
}

static void
read_backticks(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	struct buf text = BUF(p->arena, SIZE_MAX);

	p->at++;
	while (!sh_is_end(p) && sh_peek(p, 0) != '`') {
		char next = sh_peek(p, 1);

		if (sh_peek(p, 0) == '\\' &&
		    (next == '`' || next == '\\' || next == '$' || (is_quoted && next == '"')))
			p->at++;
		buf_addc(&text, sh_peek(p, 0));
		p->at++;
	}
	if (sh_is_end(p))
		sh_fail(p, "` does not end");
	p->at += !p->failure;
	struct sh_node *list = p->failure ? NULL : sh_read_nested(p, buf_str(&text));

	new_part(p, w, SH_COMMAND, is_quoted)->list = list;
}

/* $ in a word; a $ that begins nothing is text. */
static void
read_dollar(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	char next = sh_peek(p, 1);
	size_t n = sh_name_length(p, p->at + 1);

	if (!sh_enter(p)) {
		sh_leave(p);
		return;
	}
	if (next == '{') {
		p->at += 2;
		read_braced(p, w, is_quoted);
	} else if (sh_looks_at(p, "$((") && read_arithmetic(p, w, is_quoted)) {
		;
	} else if (next == '[') {
		read_old_arithmetic(p, w, is_quoted);
	} else if (next == '(') {
		p->at += 2;
		struct sh_node *list = read_inside(p);

		new_part(p, w, SH_COMMAND, is_quoted)->list = list;
	} else if (n > 0 || (next && str_find_char(STR("@*#?-$!0123456789"), next) >= 0)) {
		new_part(p, w, SH_PARAM, is_quoted)->text = str_sub(p->text, p->at + 1,
								    p->at + 1 + (n > 0 ? n : 1));
		p->at += 1 + (n > 0 ? n : 1);
	} else {
		sh_add_text(p, w, STR("$"), is_quoted);
		p->at++;
	}
	sh_leave(p);
}

/* ---- quotes ---- */

void
sh_read_quoted(struct sh_parser *p, struct sh_word *w, char end)
{
	size_t start = p->at;

	while (!sh_is_end(p)) {
		char c = sh_peek(p, 0), next = sh_peek(p, 1);
		bool is_special = c == '$' || c == '`' || (c == end && end) ||
				  (c == '\\' && (next == '$' || next == '`' || next == '\\' || next == '\n' ||
						 (next == end && end)));
		/* between the braces of a quoted ${ } there may be quotes again */
		bool is_inner = end == '}' && c == '"';

		if (!is_special && !is_inner) {
			p->at++;
			continue;
		}
		if (p->at > start)
			sh_add_text(p, w, str_sub(p->text, start, p->at), true);
		if (c == end && end)
			return;
		if (c == '\\') {
			if (next != '\n')
				sh_add_text(p, w, str_sub(p->text, p->at + 1, p->at + 2), true);
			p->at += 2;
		} else if (is_inner) {
			p->at++;
		} else if (c == '$') {
			read_dollar(p, w, true);
		} else {
			read_backticks(p, w, true);
		}
		start = p->at;
	}
	if (!p->failure && p->at > start)
		sh_add_text(p, w, str_sub(p->text, start, p->at), true);
}

/* ---- words ---- */

/* @(a|b): patterns of bash are text. */
static void
read_extended_pattern(struct sh_parser *p, struct sh_word *w)
{
	size_t start = p->at, end = p->at + 2;
	int open = 1;

	for (; end < p->text.n && open > 0; end++) {
		open += p->text.s[end] == '(';
		open -= p->text.s[end] == ')';
	}
	if (open > 0)
		sh_fail(p, "a pattern does not end");
	sh_add_text(p, w, str_sub(p->text, start, end), false);
	p->at = p->failure ? p->at : end;
}

/* Quotes, expansions and patterns at the position. */
static void
read_special(struct sh_parser *p, struct sh_word *w)
{
	char c = sh_peek(p, 0), next = sh_peek(p, 1);

	if (c == '\'')
		sh_read_single(p, w);
	else if (c == '"')
		sh_read_double(p, w);
	else if (c == '$' && next == '\'') {
		p->at += 2;
		sh_read_ansi(p, w);
	} else if (c == '$' && next == '"') {
		p->at++;
		sh_read_double(p, w);
	} else if (c == '$')
		read_dollar(p, w, false);
	else if (c == '`')
		read_backticks(p, w, false);
	else if (c == '\\' && next == '\n')
		p->at += 2;
	else if (c == '\\' && next) {
		sh_add_text(p, w, str_sub(p->text, p->at + 1, p->at + 2), true);
		p->at += 2;
	} else if ((c == '<' || c == '>') && next == '(') {
		p->at += 2;
		struct sh_node *list = sh_enter(p) ? read_inside(p) : NULL;
		struct sh_part *part = new_part(p, w, SH_PROCESS, true);

		sh_leave(p);
		part->list = list;
		part->is_written = c == '>';
	} else
		read_extended_pattern(p, w);
}

/* Does something begin here that is not a plain byte of the word? */
static bool
is_special(const struct sh_parser *p)
{
	char c = sh_peek(p, 0), next = sh_peek(p, 1);

	switch (c) {
	case '\'':
	case '"':
	case '`':
	case '$':
		return true;
	case '\\':
		return next != '\0';
	case '<':
	case '>':
	case '?':
	case '*':
	case '+':
	case '@':
	case '!':
		return next == '(';
	default:
		return false;
	}
}

void
sh_read_word(struct sh_parser *p, struct sh_word *w)
{
	size_t start = p->at, from = p->at;

	while (!sh_is_end(p)) {
		char c = sh_peek(p, 0);

		if (!is_special(p)) {
			if (sh_ends_word(c) || (c == '}' && p->ends_at_brace))
				break;
			p->at++;
			continue;
		}
		if (p->at > from)
			sh_add_text(p, w, str_sub(p->text, from, p->at), false);
		read_special(p, w);
		from = p->at;
	}
	if (!p->failure && p->at > from)
		sh_add_text(p, w, str_sub(p->text, from, p->at), false);
	if (!p->failure)
		w->source = str_sub(p->text, start, p->at);
}
