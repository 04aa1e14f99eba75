/* SPDX-License-Identifier: MIT */
/* Front matter: finds the block, finds a key in it and replaces one value. Never touches a byte outside the block and
 * none inside it that is not part of the value. */
#include "doc/frontmatter.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "doc/blanks.h"
#include "doc/frontmatter_scalar.h"
#include "doc/place.h"

static struct str
take_line(struct str *rest)
{
	ptrdiff_t at = str_find_char(*rest, '\n');
	size_t n = at < 0 ? rest->n : (size_t)at + 1;
	struct str line = str_sub(*rest, 0, n);

	*rest = str_sub(*rest, n, rest->n);
	return line;
}

static bool
is_marker(struct str line)
{
	return str_starts(line, STR("---")) && str_trim(str_sub(line, 3, line.n)).n == 0;
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

/* Does the line begin with the key, quoted or not, and a colon? Then the offset behind the colon, else 0. */
static size_t
behind_key(struct str line, struct str key)
{
	size_t quoted = line.n > 0 && (line.s[0] == '"' || line.s[0] == '\'');
	size_t at = quoted + key.n;

	if (!str_starts(str_sub(line, quoted, line.n), key))
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

/* The offset in the block behind the key's colon, from `from` on; 0 when it is not there. */
static size_t
find_key(struct str block, size_t from, const char *key)
{
	struct str rest = str_sub(block, from, block.n);

	while (rest.n > 0) {
		struct str line = take_line(&rest);
		size_t at = behind_key(line, str_from(key));

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

struct str
frontmatter_raw(const struct frontmatter *f, const char *key)
{
	size_t at = find_key(f->block, 0, key);
	struct str rest = str_sub(f->block, at, f->block.n);

	return at > 0 ? str_trim(take_line(&rest)) : STR_NONE;
}

struct str
frontmatter_set(struct arena *a, const struct frontmatter *f, const char *key, struct str value)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf out = BUF(a, SIZE_MAX);
	size_t block = (size_t)(f->block.s - f->text.s), at = find_key(f->block, 0, key);

	if (at == 0) {
		buf_add(&out, str_sub(f->text, 0, block + f->block.n));
		buf_add(&out, str_from(key));
		buf_add(&out, STR(": "));
		buf_add(&out, value);
		buf_add(&out, f->has_crlf ? STR("\r\n") : STR("\n"));
		buf_add(&out, str_sub(f->text, block + f->block.n, f->text.n));
		return buf_str(&out);
	}
	struct scalar s = scalar_at(&scratch, f->block, at);

	buf_add(&out, str_sub(f->text, 0, block + s.begin));
	if (s.begin == at)
		buf_addc(&out, ' ');
	buf_add(&out, value);
	buf_add(&out, str_sub(f->text, block + s.end, block + s.more_begin));
	buf_add(&out, str_sub(f->text, block + s.more_end, f->text.n));
	return buf_str(&out);
}

/* Control characters, and what YAML takes for a line break. */
static bool
is_plain_code_point(uint32_t cp)
{
	return cp >= ' ' && cp != '"' && cp != '\\' && !(cp >= 0x7F && cp < 0xA0) && cp != 0x2028 &&
	       cp != 0x2029 && cp != 0xFEFF && cp != 0xFFFE && cp != 0xFFFF;
}

struct str
frontmatter_quote(struct arena *a, struct str x)
{
	struct buf out = BUF(a, SIZE_MAX);
	size_t n;

	buf_addc(&out, '"');
	for (; x.n > 0; x = str_sub(x, n, x.n)) {
		uint32_t cp = utf8_decode(x, &n);

		if (utf8_is_bad(cp, n))
			buf_add(&out, UTF8_REPLACEMENT_TEXT);
		else if (is_plain_code_point(cp))
			buf_add(&out, str_sub(x, 0, n));
		else if (cp == '"' || cp == '\\')
			buf_addf(&out, "\\%c", (char)cp);
		else if (cp == '\n' || cp == '\t' || cp == '\r')
			buf_add(&out, cp == '\n' ? STR("\\n") : cp == '\t' ? STR("\\t") : STR("\\r"));
		else
			buf_addf(&out, "\\u%04X", cp);
	}
	buf_addc(&out, '"');
	return str_copy(a, buf_str(&out));
}
