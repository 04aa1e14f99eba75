/* SPDX-License-Identifier: MIT */
/* Parses words: quotes, parameters, substitutions, arithmetic. */
#include "shell/parser.h"

size_t
sh_name_length(struct str text, size_t from)
{
	size_t n = from;

	while (n < text.n && (is_letter(text.s[n]) || text.s[n] == '_' || (n > from && is_digit(text.s[n]))))
		n++;
	return n - from;
}

bool
sh_is_name(struct str text)
{
	return text.n > 0 && sh_name_length(text, 0) == text.n;
}

size_t
sh_assignment_end(const struct sh_parser *p, bool *ret_appends, bool *ret_has_index)
{
	struct str text = p->text;
	size_t name = sh_name_length(text, p->at), at = p->at + name;

	*ret_has_index = name > 0 && at < text.n && text.s[at] == '[';
	if (*ret_has_index)
		at += sh_closing(str_before(str_rest(text, at), '\n'), 1, '[', ']');
	at += *ret_has_index && at < text.n && text.s[at] == ']';
	*ret_appends = at < text.n && text.s[at] == '+';
	at += *ret_appends;
	return name > 0 && at < text.n && text.s[at] == '=' ? at + 1 : 0;
}

static void read_quoted(struct sh_parser *p, struct sh_word *w, char end);

/* ---- parts ---- */

static struct sh_part *
new_part(struct sh_parser *p, struct sh_word *w, enum sh_part_kind kind, bool is_quoted)
{
	if (++*p->nodes > SHELL_NODES_LIMIT)
		sh_fail(p, "it has too many parts");
	struct sh_part *part = arena_push(p->arena, w->parts, w->count);

	part->kind = kind;
	part->is_quoted = is_quoted;
	return part;
}

void
sh_add_text(struct sh_parser *p, struct sh_word *w, struct str text, bool is_quoted)
{
	new_part(p, w, SH_TEXT, is_quoted)->text = text;
}

void
sh_read_apart(struct sh_parser *p, struct sh_word *w, struct str text)
{
	struct sh_parser inner = {
		.arena = p->arena, .text = text, .depth = p->depth + 1, .nodes = p->nodes
	};

	read_quoted(&inner, w, '\0');
	if (inner.failure)
		sh_fail(p, inner.failure);
}

/* ---- $ ---- */

/* $(list), <(list): after the opening parenthesis. */
static struct sh_node *
read_inside(struct sh_parser *p)
{
	struct sh_parser outer = *p;
	struct sh_node *list;

	p->ends_at_brace = false;
	/* here-documents of the line around it begin after that line */
	p->heres = NULL;
	p->here_count = 0;
	list = sh_read_list(p);
	sh_skip_lines(p);
	if (p->here_count > 0)
		sh_fail(p, "a here-document does not begin");
	p->heres = outer.heres;
	p->here_count = outer.here_count;
	p->ends_at_brace = outer.ends_at_brace;
	sh_expect(p, ')', "a substitution does not end");
	return list;
}

size_t
sh_closing(struct str text, size_t at, char open, char close)
{
	int level = 0;

	for (; at < text.n && (level > 0 || text.s[at] != close); at++)
		level += text.s[at] == open ? 1 : text.s[at] == close ? -1 : 0;
	return at;
}

/* $((...)), and $[...], which bash still reads so: only what is substituted in it matters. False: this is not arithmetic. */
static bool
read_arithmetic(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	bool is_old = sh_peek(p, 1) == '[';
	size_t start = p->at + (is_old ? 2 : 3);
	size_t end = is_old ? sh_closing(p->text, start, '[', ']') : sh_closing(p->text, start, '(', ')');

	if (!str_starts(str_rest(p->text, end), is_old ? STR("]") : STR("))"))) {
		if (is_old)
			sh_fail(p, "an arithmetic expression does not end");
		return is_old;
	}
	struct sh_part *part = new_part(p, w, SH_ARITH, is_quoted);

	part->word = arena_new(p->arena, struct sh_word);
	sh_read_apart(p, part->word, str_sub(p->text, start, end));
	if (!p->failure)
		p->at = end + (is_old ? 1 : 2);
	return true;
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
			read_quoted(p, w, '}');
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
		part.op = str_sub(p->text, p->at, p->at + 1);
		p->at++;
	}
	n = sh_name_length(p->text, p->at);
	if (n == 0 && str_find_char(STR("@*#?-$!0123456789"), sh_peek(p, 0)) >= 0 && sh_peek(p, 0))
		n = 1;
	if (n == 0) {
		p->at = start;
		sh_fail(p, "${ has no name");
	}
	part.text = str_sub(p->text, p->at, p->at + n);
	p->at += p->failure ? 0 : n;
	if (sh_peek(p, 0) == '[') {
		/* an element of a list is never known */
		part.op = STR("[");
		p->at = sh_closing(p->text, p->at + 1, '[', ']');
		p->at += p->at < p->text.n;
	}
	for (size_t i = 0; i < COUNT_OF(parameter_operators) && sh_peek(p, 0) != '}'; i++)
		if (sh_looks_at(p, parameter_operators[i])) {
			struct str op = str_from(parameter_operators[i]);

			part.op = part.op.n > 0 ? STR("[") : op;
			p->at += op.n;
			part.word = arena_new(p->arena, struct sh_word);
			read_operand(p, part.word, is_quoted);
			break;
		}
	/* ${!prefix*} */
	if (part.op.n > 0 && (sh_peek(p, 0) == '*' || sh_peek(p, 0) == '@') && sh_peek(p, 1) == '}')
		p->at++;
	sh_expect(p, '}', "${ does not end");
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
	sh_expect(p, '`', "` does not end");
	struct sh_node *list = p->failure ? NULL : sh_read_nested(p, buf_str(&text));

	new_part(p, w, SH_COMMAND, is_quoted)->list = list;
}

/* $ in a word; a $ that begins nothing is text. */
static void
read_dollar(struct sh_parser *p, struct sh_word *w, bool is_quoted)
{
	char next = sh_peek(p, 1);
	size_t n = sh_name_length(p->text, p->at + 1);

	if (!sh_enter(p))
		return;
	if (next == '{') {
		p->at += 2;
		read_braced(p, w, is_quoted);
	} else if ((next == '[' || sh_looks_at(p, "$((")) && read_arithmetic(p, w, is_quoted)) {
		;
	} else if (next == '(') {
		p->at += 2;
		struct sh_node *list = read_inside(p);

		new_part(p, w, SH_COMMAND, is_quoted)->list = list;
	} else if (n > 0 || (next && str_find_char(STR("@*#?-$!0123456789"), next) >= 0)) {
		n += n == 0;
		new_part(p, w, SH_PARAM, is_quoted)->text = str_sub(p->text, p->at + 1, p->at + 1 + n);
		p->at += 1 + n;
	} else {
		sh_add_text(p, w, STR("$"), is_quoted);
		p->at++;
	}
	p->depth--;
}

/* ---- quotes ---- */

/* Text that is expanded as between double quotes, up to the end or an unquoted `end`, which is not read; 0: no such byte. */
static void
read_quoted(struct sh_parser *p, struct sh_word *w, char end)
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

static size_t
add_number(struct sh_parser *p, struct buf *b, unsigned base, size_t most, bool is_code_point)
{
	uint32_t value = 0;
	size_t n = 0;

	for (; n < most; n++) {
		char c = sh_peek(p, n);
		ptrdiff_t digit = str_find_char(STR("0123456789abcdef"), is_letter(c) ? (char)(c | 0x20) : c);

		if (digit < 0 || digit >= (ptrdiff_t)base)
			break;
		value = value * base + (uint32_t)digit;
	}
	p->at += n;
	if (is_code_point) {
		char bytes[4];

		buf_add(b, (struct str){ bytes, utf8_encode(value, bytes) });
	} else {
		buf_addc(b, (char)(value & 0xFF));
	}
	return n;
}

/* $'...', after the quote. */
static void
read_ansi(struct sh_parser *p, struct sh_word *w)
{
	static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	struct buf b = BUF(p->arena, SIZE_MAX);

	while (!sh_is_end(p) && sh_peek(p, 0) != '\'') {
		char c = sh_peek(p, 1);
		ptrdiff_t known = str_find_char(str_from(from), c);

		if (sh_peek(p, 0) != '\\') {
			buf_addc(&b, sh_peek(p, 0));
			p->at++;
			continue;
		}
		p->at += 2;
		if (c == 'x' || c == 'u' || c == 'U') {
			if (add_number(p, &b, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8, c != 'x') == 0)
				b.n = 0; /* whatever it is, it is nothing sensible */
		} else if (c >= '0' && c <= '7') {
			p->at--;
			(void)add_number(p, &b, 8, 3, false);
		} else if (c == 'c') {
			buf_addc(&b, (char)(sh_peek(p, 0) & 0x1F));
			p->at++;
		} else if (known >= 0) {
			buf_addc(&b, to[known]);
		} else {
			buf_addc(&b, '\\');
			buf_addc(&b, c);
		}
	}
	sh_expect(p, '\'', "a quote does not end");
	/* the first NUL ends it */
	sh_add_text(p, w, str_before(buf_str(&b), '\0'), true);
}

static void
read_double(struct sh_parser *p, struct sh_word *w)
{
	p->at++;
	/* "" is a word */
	sh_add_text(p, w, STR(""), true);
	read_quoted(p, w, '"');
	sh_expect(p, '"', "a quote does not end");
}

/* ---- words ---- */

/* Quotes, expansions and patterns at the position. */
static void
read_special(struct sh_parser *p, struct sh_word *w)
{
	char c = sh_peek(p, 0), next = sh_peek(p, 1);

	if (c == '\'') {
		struct str text = str_before(str_rest(p->text, p->at + 1), '\'');

		p->at += 1 + text.n;
		sh_add_text(p, w, text, true);
		sh_expect(p, '\'', "a quote does not end");
	} else if (c == '"')
		read_double(p, w);
	else if (c == '$' && next == '\'') {
		p->at += 2;
		read_ansi(p, w);
	} else if (c == '$' && next == '"') {
		p->at++;
		read_double(p, w);
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

		p->depth--;
		part->list = list;
		part->is_written = c == '>';
	} else {
		/* @(a|b): patterns of bash are text */
		size_t end = sh_closing(p->text, p->at + 2, '(', ')');

		if (end == p->text.n)
			sh_fail(p, "a pattern does not end");
		sh_add_text(p, w, str_sub(p->text, p->at, end + 1), false);
		p->at = p->failure ? p->at : end + 1;
	}
}

/* Does something begin here that is not a plain byte of the word? */
static bool
is_special(const struct sh_parser *p)
{
	char c = sh_peek(p, 0), next = sh_peek(p, 1);

	return str_find_char(STR("'\"`$"), c) >= 0 || (c == '\\' && next) ||
	       (next == '(' && str_find_char(STR("<>?*+@!"), c) >= 0);
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
