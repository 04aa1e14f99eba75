/* SPDX-License-Identifier: MIT */
/* Front matter: finds the block, finds a key in it and replaces its value. Never changes a byte that is not part of the
 * value. */
#include "doc/frontmatter.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "doc/edit.h"
#include "doc/frontmatter_scalar.h"
#include "doc/text.h"
#include "doc/yaml.h"

static struct str
take_line(struct str *rest)
{
	size_t n = line_after(*rest, 0);
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

/* The offset after the colon if the line begins with the key, quoted or not; else 0. */
static size_t
value_offset(struct str line, struct str key)
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

/* The offset in the block after the key's colon, searched from `from` on; 0 where the key is missing. */
static size_t
find_key(struct str block, size_t from, const char *key)
{
	struct str rest = str_sub(block, from, block.n);

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
		struct str rest = str_sub(f->block, *at, f->block.n), line = take_line(&rest);
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

/* Does the line belong to the value that began on a line above? */
static bool
continues_value(struct str line)
{
	return str_trim(line).n == 0 || str_find_char(STR(" \t#-]}"), line.s[0]) >= 0;
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
		struct str rest = str_sub(f->block, end, f->block.n);

		if (!continues_value(take_line(&rest)))
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
	struct str rest = str_sub(f->block, at, f->block.n);

	return at > 0 ? str_trim(take_line(&rest)) : STR_NONE;
}

struct str
frontmatter_set(struct arena *a, const struct frontmatter *f, const char *key, struct str value)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct edit e = { .arena = &scratch, .text = f->text };
	size_t block = (size_t)(f->block.s - f->text.s), at = find_key(f->block, 0, key);

	if (at == 0) {
		struct str line = str_fmt(&scratch, "%s: " STR_FMT "%s", key, STR_ARG(value),
					  f->has_crlf ? "\r\n" : "\n");

		edit_replace(&e, block + f->block.n, block + f->block.n, line);
		return edit_apply(&e, a);
	}
	struct scalar s = scalar_at(&scratch, f->block, at);

	if (s.begin == at)
		edit_replace(&e, block + at, block + at, STR(" "));
	edit_replace(&e, block + s.begin, block + s.end, value);
	edit_replace(&e, block + s.more_begin, block + s.more_end, STR(""));
	return edit_apply(&e, a);
}
