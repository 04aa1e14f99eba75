/* SPDX-License-Identifier: MIT */
/* Front matter: finds the block, finds a key in it, reads its value (plain, '...', "...", and the block scalars | and >) and
 * replaces it. Accepts any bytes. Never changes a byte that is not part of the value. */
#include "doc/frontmatter.h"

#include "base/buf.h"
#include "base/cat.h"
#include "base/utf8.h"
#include "doc/text.h"
#include "doc/yaml.h"

static struct str
take_line(struct str *rest)
{
	size_t n = line_after(*rest, 0);
	struct str line = str_sub(*rest, 0, n);

	*rest = str_rest(*rest, n);
	return line;
}

static bool
is_marker(struct str line)
{
	return str_starts(line, STR("---")) && str_trim(str_rest(line, 3)).n == 0;
}

int
frontmatter_parse(struct str text, struct frontmatter *ret, struct err *err)
{
	struct str rest = utf8_skip_mark(text), line;
	int opening = 0;

	do {
		if (rest.n == 0)
			return err_at(err, ERR_SYNTAX, opening + 1, 1,
				      "no line '---' that begins the front matter");
		line = take_line(&rest);
		opening++;
		struct str words = str_trim(line);

		if (words.n > 0 && words.s[0] != '#' && !is_marker(line))
			return err_at(err, ERR_SYNTAX, opening, 1,
				      "expected a line '---' that begins the front matter");
	} while (!is_marker(line));
	struct frontmatter f = { .text = text, .has_crlf = str_ends(line, STR("\r\n")), .block = rest };

	do {
		if (rest.n == 0)
			return err_at(err, ERR_SYNTAX, opening, 1,
				      "the front matter that begins here has no end");
		line = take_line(&rest);
	} while (!is_marker(line));
	f.block.n = (size_t)(line.s - f.block.s);
	if (f.block.n > FRONT_MATTER_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "%d:1: the front matter is longer than %zu KiB", opening,
			       FRONT_MATTER_LIMIT_BYTES / 1024);
	f.body = rest;
	*ret = f;
	return 0;
}

/* ---- values ---- */

/* A value and the bytes of the block that it was read from. One that YAML would reject has a problem, and its extent all the same,
 * so that it can be replaced. */
struct scalar {
	struct str value;
	bool is_null;
	const char *problem;         /* NULL when the value can be read */
	size_t begin, end;           /* its bytes in the block, without blanks and comment around it */
	size_t more_begin, more_end; /* further lines that belong to it, after the line of `end` */
};

/* The end of the line's text, without its line ending and trailing blanks, but not before `at`. */
static size_t
text_end(struct str x, size_t at)
{
	size_t end = line_after(x, at);

	while (end > at && (x.s[end - 1] == '\n' || x.s[end - 1] == '\r' || is_blank(x.s[end - 1])))
		end--;
	return end;
}

static bool
is_empty_line(struct str x, size_t at)
{
	return skip_blanks(x, at) >= text_end(x, at);
}

static bool
is_indented(struct str x, size_t at)
{
	return at < x.n && is_blank(x.s[at]);
}

/* Does the line continue the value above it: is it indented, or an item of a list? */
static bool
is_continuation(struct str x, size_t at)
{
	size_t first = skip_blanks(x, at);

	if (is_empty_line(x, at))
		return false;
	if (first > at)
		return x.s[first] != '#';
	return x.s[at] == '-' &&
	       (at + 1 == x.n || is_blank(x.s[at + 1]) || x.s[at + 1] == '\r' || x.s[at + 1] == '\n');
}

/* Finds the lines from `from` on that continue the value. Comments and empty lines between them belong to it. */
static void
find_more(struct str block, size_t from, struct scalar *s)
{
	size_t at = from;

	s->more_begin = s->more_end = from;
	while (at < block.n &&
	       (is_empty_line(block, at) || is_indented(block, at) || is_continuation(block, at))) {
		size_t next = line_after(block, at);

		if (is_continuation(block, at))
			s->more_end = next;
		at = next;
	}
	if (s->more_end > s->more_begin && !s->problem)
		s->problem = "expected a value on one line";
}

static struct scalar
plain_at(struct arena *a, struct str block, size_t at, size_t begin)
{
	size_t end = begin, line_end = text_end(block, begin);

	for (size_t i = begin; i < line_end; i++) {
		if (block.s[i] == '#' && is_blank(block.s[i - 1]))
			break;
		if (!is_blank(block.s[i]))
			end = i + 1;
	}
	struct scalar s = { .value = str_copy(a, str_sub(block, begin, end)), .begin = begin, .end = end };

	if (begin == end)
		s.begin = s.end = at;
	s.is_null = s.value.n == 0 || str_is_word_of(s.value, "~ null Null NULL");
	find_more(block, line_after(block, begin), &s);
	return s;
}

/* Folds line breaks inside quotes: one becomes a blank, and of several the first is dropped. Blanks around them are dropped,
 * but none of the first `kept` bytes. Returns where the text continues, or 0 if the next line is not part of the value. */
static size_t
fold_break(struct str block, size_t at, struct buf *out, size_t kept)
{
	size_t breaks = 0;

	while (out->n > kept && is_blank(out->s[out->n - 1]))
		out->n--;
	for (size_t n = break_at(block, at); n > 0; n = break_at(block, at)) {
		breaks++;
		at += n;
		if (!is_indented(block, at) && !is_empty_line(block, at))
			return 0;
		at = skip_blanks(block, at);
	}
	if (breaks == 1)
		buf_addc(out, ' ');
	for (size_t i = 1; i < breaks; i++)
		buf_addc(out, '\n');
	return at;
}

static void
add_code_point(struct buf *out, uint32_t cp)
{
	char bytes[4];

	buf_add(out, (struct str){ bytes, utf8_encode(cp, bytes) });
}

/* `at` is the offset after the backslash; returns the offset after the escape. An unknown escape is kept as written. */
static size_t
add_escape(struct str block, size_t at, struct buf *out)
{
	static const struct {
		char letter;
		uint16_t cp;
	} escapes[] = {
		{ '0', 0 },   { 'a', 7 },     { 'b', 8 },    { 't', 9 },    { '\t', 9 },     { 'n', 10 },
		{ 'v', 11 },  { 'f', 12 },    { 'r', 13 },   { 'e', 27 },   { ' ', ' ' },    { '"', '"' },
		{ '/', '/' }, { '\\', '\\' }, { 'N', 0x85 }, { '_', 0xA0 }, { 'L', 0x2028 }, { 'P', 0x2029 },
	};
	char c = at < block.n ? block.s[at] : '\0';
	size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
	uint32_t cp;

	struct str hex = str_sub(block, at + 1, at + 1 + digits);

	if (digits && hex.n == digits && number_parse_hex(hex, &cp)) {
		add_code_point(out, cp);
		return at + 1 + digits;
	}
	for (size_t i = 0; i < COUNT_OF(escapes); i++) {
		if (escapes[i].letter == c) {
			add_code_point(out, escapes[i].cp);
			return at + 1;
		}
	}
	buf_addc(out, '\\');
	return at;
}

/* A backslash at the end of a line joins it with the next one. Returns where the text continues; 0: the line does not end. */
static size_t
join_lines(struct str block, size_t at)
{
	size_t n = break_at(block, at);

	return n > 0 && is_indented(block, at + n) ? skip_blanks(block, at + n) : 0;
}

/* Adds the text between the quotes. Returns the offset after the closing one; 0: it is missing. */
static size_t
unquote(struct str block, size_t at, char quote, struct buf *out)
{
	size_t kept = 0; /* a blank from an escape is not dropped before a line break */

	while (at < block.n) {
		char c = block.s[at];

		if (break_at(block, at) > 0) {
			at = fold_break(block, at, out, kept);
			if (at == 0)
				return 0;
		} else if (c == quote && quote == '\'' && at + 1 < block.n && block.s[at + 1] == '\'') {
			buf_addc(out, '\'');
			at += 2;
		} else if (c == quote) {
			return at + 1;
		} else if (c == '\\' && quote == '"') {
			size_t joined = join_lines(block, at + 1);

			at = joined ? joined : add_escape(block, at + 1, out);
			kept = out->n;
		} else {
			buf_addc(out, c);
			at++;
		}
	}
	return 0;
}

static struct scalar
quoted_at(struct arena *a, struct str block, size_t begin)
{
	struct buf out = BUF(a, SIZE_MAX);
	size_t end = unquote(block, begin + 1, block.s[begin], &out);
	struct scalar s = { .begin = begin, .end = end };

	if (end == 0) {
		s.problem = "a quote that never closes";
		s.end = text_end(block, begin);
	} else {
		size_t rest = skip_blanks(block, end), line_end = text_end(block, end);

		if (rest < line_end && !(block.s[rest] == '#' && rest > end)) {
			s.problem = "text after the closing quote";
			s.end = line_end;
		}
	}
	s.value = str_copy(a, buf_str(&out));
	find_more(block, line_after(block, s.end), &s);
	return s;
}

struct block_style {
	bool is_folded;
	char chomp;    /* '+', '-' or 0 */
	size_t indent; /* 0: that of the first line */
};

/* Adds the lines from `at` on. Returns the offset after the last one with text. */
static size_t
read_block(struct str block, size_t at, struct block_style style, struct buf *out)
{
	size_t breaks = 0, end = at;
	bool has_text = false, was_deeper = false;

	for (; at < block.n && (is_indented(block, at) || is_empty_line(block, at));
	     at = line_after(block, at)) {
		if (is_empty_line(block, at)) {
			breaks++;
			continue;
		}
		size_t spaces = at;

		while (block.s[spaces] == ' ' && (style.indent == 0 || spaces - at < style.indent))
			spaces++;
		if (style.indent == 0)
			style.indent = spaces > at ? spaces - at : SIZE_MAX;
		bool is_deeper = is_blank(block.s[spaces]);
		/* the break between two lines with text is a blank, unless there are more of them */
		bool is_folded = style.is_folded && has_text && !was_deeper && !is_deeper;

		if (is_folded && breaks == 0)
			buf_addc(out, ' ');
		for (breaks += has_text && !is_folded; breaks > 0; breaks--)
			buf_addc(out, '\n');
		end = line_after(block, at);
		struct str line = str_sub(block, spaces, end);

		line.n -= str_ends(line, STR("\n"));
		line.n -= str_ends(line, STR("\r"));
		buf_add(out, line);
		has_text = true;
		was_deeper = is_deeper;
	}
	if (has_text && style.chomp != '-')
		buf_addc(out, '\n');
	for (size_t i = 0; i < breaks && style.chomp == '+'; i++)
		buf_addc(out, '\n');
	return end;
}

/* Is there `|` or `>` with its indicators, and nothing after them? */
static bool
is_block_header(struct str block, size_t begin, struct block_style *style, size_t *ret_end)
{
	size_t at = begin + 1, line_end = text_end(block, begin);

	*style = (struct block_style){ .is_folded = block.s[begin] == '>' };
	for (; at < line_end; at++) {
		char c = block.s[at];

		if ((c == '+' || c == '-') && !style->chomp)
			style->chomp = c;
		else if (c >= '1' && c <= '9' && style->indent == 0)
			style->indent = (size_t)(c - '0');
		else
			break;
	}
	*ret_end = at;
	return at == line_end || (is_blank(block.s[at]) && block.s[skip_blanks(block, at)] == '#');
}

/* `at` is the offset after the key's colon. */
static struct scalar
scalar_at(struct arena *a, struct str block, size_t at)
{
	size_t begin = skip_blanks(block, at), end;
	char c = begin < text_end(block, at) ? block.s[begin] : '\0';
	struct block_style style;

	if (c == '"' || c == '\'')
		return quoted_at(a, block, begin);
	if ((c != '|' && c != '>') || !is_block_header(block, begin, &style, &end))
		return plain_at(a, block, at, begin);
	struct buf out = BUF(a, SIZE_MAX);
	size_t first = line_after(block, begin);
	struct scalar s = { .begin = begin, .end = end };

	find_more(block, read_block(block, first, style, &out), &s);
	s.more_begin = first;
	s.value = str_copy(a, buf_str(&out));
	return s;
}

/* ---- keys ---- */

/* The offset after the colon if the line begins with the key, quoted or not; else 0. */
static size_t
value_offset(struct str line, struct str key)
{
	size_t quoted = line.n > 0 && (line.s[0] == '"' || line.s[0] == '\'');
	size_t at = quoted + key.n;

	if (!str_starts(str_rest(line, quoted), key))
		return 0;
	if (quoted && (at >= line.n || line.s[at] != line.s[0]))
		return 0;
	at += quoted;
	at = skip_blanks(line, at);
	if (at >= line.n || line.s[at] != ':')
		return 0;
	at++;
	return at == line.n || str_find_char(STR(" \t\r\n"), line.s[at]) >= 0 ? at : 0;
}

/* The offset in the block after the key's colon, searched from `from` on; 0 where the key is missing. */
static size_t
find_key(struct str block, size_t from, const char *key)
{
	struct str rest = str_rest(block, from);

	while (rest.n > 0) {
		struct str line = take_line(&rest);
		size_t at = value_offset(line, str_from(key));

		if (at > 0)
			return (size_t)(line.s - block.s) + at;
	}
	return 0;
}

int
frontmatter_get(struct arena *a, const struct frontmatter *f, const char *key, struct frontmatter_value *ret,
		bool *ret_is_twice, struct err *err)
{
	size_t at = find_key(f->block, 0, key);

	if (at == 0) {
		*ret = (struct frontmatter_value){ .value = STR_NONE };
		*ret_is_twice = false;
		return 0;
	}
	struct scalar s = scalar_at(a, f->block, at);
	int line = place_of(f->text, (size_t)(f->block.s - f->text.s) + at).line;

	if (s.problem)
		return err_at(err, ERR_SYNTAX, line, 1, "%s: %s", key, s.problem);
	*ret = (struct frontmatter_value){
		.is_there = true, .is_null = s.is_null, .value = s.value, .line = line
	};
	*ret_is_twice = find_key(f->block, at, key) > 0;
	return 0;
}

bool
frontmatter_next_key(const struct frontmatter *f, size_t *at, struct str *ret)
{
	while (*at < f->block.n) {
		struct str rest = str_rest(f->block, *at), line = take_line(&rest);
		ptrdiff_t colon = str_find_char(line, ':');

		*at += line.n;
		if (colon <= 0 || str_find_char(STR(" \t#-"), line.s[0]) >= 0)
			continue;
		*ret = str_trim(str_sub(line, 0, (size_t)colon));
		if (ret->n > 1 && (ret->s[0] == '"' || ret->s[0] == '\''))
			*ret = str_sub(*ret, 1, ret->n - 1);
		return true;
	}
	return false;
}

int
frontmatter_get_node(struct arena *a, const struct frontmatter *f, const char *key, struct node *ret,
		     struct err *err)
{
	size_t at = find_key(f->block, 0, key), begin = at, end;
	struct node map;

	*ret = (struct node){ .kind = NODE_NULL };
	if (at == 0)
		return 0;
	while (begin > 0 && f->block.s[begin - 1] != '\n')
		begin--;
	for (end = line_after(f->block, at); end < f->block.n; end = line_after(f->block, end)) {
		struct str rest = str_rest(f->block, end), line = take_line(&rest);

		/* what belongs to a value that began on a line above */
		if (str_trim(line).n > 0 && str_find_char(STR(" \t#-]}"), line.s[0]) < 0)
			break;
	}
	/* As many newlines before it give the lines of the document. */
	int before = place_of(f->text, (size_t)(f->block.s - f->text.s) + begin).line - 1;
	struct buf text = BUF(a, SIZE_MAX);

	while (before-- > 0)
		buf_addc(&text, '\n');
	buf_add(&text, str_sub(f->block, begin, end));
	if (yaml_parse(a, buf_str(&text), &map, err) < 0)
		return -1;
	const struct node *value = node_get(&map, key);

	if (value)
		*ret = *value;
	return 0;
}

struct str
frontmatter_raw(const struct frontmatter *f, const char *key)
{
	size_t at = find_key(f->block, 0, key);
	struct str rest = str_rest(f->block, at);

	return at > 0 ? str_trim(take_line(&rest)) : STR_NONE;
}

struct str
frontmatter_set(struct arena *a, const struct frontmatter *f, const char *key, struct str value)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	size_t block = (size_t)(f->block.s - f->text.s), at = find_key(f->block, 0, key);

	if (at == 0)
		return str_cat(a, str_sub(f->text, 0, block + f->block.n), key, ": ", value,
			       f->has_crlf ? "\r\n" : "\n", str_rest(f->text, block + f->block.n));
	struct scalar s = scalar_at(&scratch, f->block, at);

	return str_cat(a, str_sub(f->text, 0, block + s.begin), s.begin == at ? " " : "", value,
		       str_sub(f->text, block + s.end, block + s.more_begin),
		       str_rest(f->text, block + s.more_end));
}
