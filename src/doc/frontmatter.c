/* SPDX-License-Identifier: MIT */
/* Front matter: finds the block, finds a key in it, reads its value (plain, '...', "...", and the block scalars | and >) and
 * replaces it. Accepts any bytes. Never changes a byte that is not part of the value. */
#include "doc/frontmatter.h"

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

/* What YAML makes of the text of a scalar; `otherwise` where it refuses the text. */
static struct str
yaml_value(struct arena *a, struct str text, struct str otherwise)
{
	struct node n;

	return yaml_parse(a, text, &n, IGNORED) == 0 && n.kind == NODE_STRING ? n.text : otherwise;
}

/* The length of an escape without its backslash, and the code point of one with digits; 0: there is no escape. A backslash at the
 * end of a line joins it with the next one. */
static size_t
escape_length(struct str block, size_t at, uint32_t *ret_code)
{
	char c = at < block.n ? block.s[at] : '\0';
	size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0, line_break = break_at(block, at);
	struct str hex = str_sub(block, at + 1, at + 1 + digits);

	*ret_code = 0;
	if (line_break > 0)
		return is_indented(block, at + line_break) ? line_break : 0;
	if (digits > 0)
		return hex.n == digits && number_parse_hex(hex, ret_code) ? 1 + digits : 0;
	return str_find_char(STR("0abt\tnvfre \"/\\N_LP"), c) >= 0;
}

/* Returns the offset after the closing quote; 0: it is missing. Adds the text with its quotes as YAML accepts it: a backslash that
 * begins no escape stands for itself, and what is no code point is U+FFFD. */
static size_t
find_closing(struct str block, size_t at, struct buf *out)
{
	char quote = block.s[at];

	buf_addc(out, quote);
	for (at++; at < block.n;) {
		bool has_backslash = block.s[at] == '\\' && quote == '"';
		bool is_twice = quote == '\'' && str_starts(str_rest(block, at), STR("''"));
		uint32_t code = 0;
		size_t n = has_backslash ? escape_length(block, at + 1, &code) : is_twice;
		size_t next = at + break_at(block, at);

		if (next > at && !is_indented(block, next) && !is_empty_line(block, next))
			return 0;
		if (code >= 0x110000 || (code >= 0xD800 && code < 0xE000))
			buf_add(out, UTF8_REPLACEMENT_TEXT);
		else
			buf_cat(out, has_backslash && n == 0 ? "\\" : "", str_sub(block, at, at + 1 + n));
		at += 1 + n;
		if (block.s[at - 1] == quote && n == 0)
			return at;
	}
	return 0;
}

static struct scalar
quoted_at(struct arena *a, struct str block, size_t begin)
{
	struct buf text = BUF(a, SIZE_MAX);
	size_t end = find_closing(block, begin, &text);
	struct scalar s = { .value = STR(""), .begin = begin, .end = end };

	if (end == 0) {
		s.problem = "a quote that never closes";
		s.end = text_end(block, begin);
	} else {
		struct str inner = str_sub(block, begin + 1, end - 1);
		size_t rest = skip_blanks(block, end), line_end = text_end(block, end);
		bool is_as_written = str_find_char(inner, '\\') < 0 && str_find_char(inner, '\n') < 0 &&
				     str_find_char(inner, block.s[begin]) < 0;

		s.value = is_as_written ? str_copy(a, inner) : yaml_value(a, buf_str(&text), inner);
		if (rest < line_end && !(block.s[rest] == '#' && rest > end)) {
			s.problem = "text after the closing quote";
			s.end = line_end;
		}
	}
	find_more(block, line_after(block, s.end), &s);
	return s;
}

/* Is there `|` or `>` with its indicators, and nothing after them? */
static bool
is_block_header(struct str block, size_t begin, size_t *ret_end)
{
	size_t at = begin + 1, line_end = text_end(block, begin);

	while (at < line_end && at < begin + 3 && str_find_char(STR("+-123456789"), block.s[at]) >= 0)
		at++;
	*ret_end = at;
	return at == line_end || (is_blank(block.s[at]) && block.s[skip_blanks(block, at)] == '#');
}

/* `at` is the offset after the key's colon. */
static struct scalar
scalar_at(struct arena *a, struct str block, size_t at)
{
	size_t begin = skip_blanks(block, at), end;
	char c = begin < text_end(block, at) ? block.s[begin] : '\0';

	if (c == '"' || c == '\'')
		return quoted_at(a, block, begin);
	if ((c != '|' && c != '>') || !is_block_header(block, begin, &end))
		return plain_at(a, block, at, begin);
	size_t first = line_after(block, begin), last = first, next = first;

	for (; next < block.n && (is_indented(block, next) || is_empty_line(block, next));
	     next = line_after(block, next))
		if (!is_empty_line(block, next))
			last = line_after(block, next);
	struct scalar s = { .value = yaml_value(a, str_sub(block, begin, next), STR_NONE),
			    .begin = begin,
			    .end = end };

	if (!s.value.s)
		s.problem = "a block of text that is no valid YAML";
	find_more(block, last, &s);
	s.more_begin = first;
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
