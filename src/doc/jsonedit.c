/* SPDX-License-Identifier: MIT */
/* Edits of a JSON text by cutting and putting in. Every byte that is not part of the change stays; what is put in takes
 * on the look of what is there, and taking it out again leaves no trace. */
#include "doc/jsonedit.h"

#include "base/buf.h"
#include "doc/blanks.h"
#include "doc/json.h"
#include "doc/jsonedit_scan.h"
#include "doc/place.h"

/* Back over blanks, not beyond `floor`. */
static size_t
skip_blanks_back(struct str text, size_t at, size_t floor)
{
	while (at > floor && is_blank(text.s[at - 1]))
		at--;
	return at;
}

/* How many bytes the line break that ends at the offset has, not beyond `floor`; 0 when there is none. */
static size_t
break_before(struct str text, size_t at, size_t floor)
{
	if (at <= floor || text.s[at - 1] != '\n')
		return 0;
	return at - 1 > floor && text.s[at - 2] == '\r' ? 2 : 1;
}

/* Comments and trailing commas become blanks, so that lines and columns stay. */
static int
blank_extras(struct str text, char *s, struct err *err)
{
	char last = '\0', before = '\0'; /* the last two bytes that are neither blank nor in a string */
	size_t last_at = 0;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];
		size_t comment_end = scan_comment(text, i);

		if (comment_end == NOWHERE) {
			struct place p = place_of(text, i);

			return err_set(err, ERR_SYNTAX, "%d:%d: a comment that never ends", p.line, p.column);
		}
		if (comment_end > i) {
			for (; i < comment_end; i++)
				s[i] = s[i] == '\n' || s[i] == '\r' ? s[i] : ' ';
			i--;
			continue;
		}
		if (is_blank(c) || c == '\n' || c == '\r')
			continue;
		if ((c == '}' || c == ']') && last == ',' &&
		    !(before == ',' || before == '{' || before == '['))
			s[last_at] = ' ';
		before = last;
		last = c;
		last_at = i;
		for (i++; c == '"' && i < text.n && text.s[i] != '"'; i++)
			i += text.s[i] == '\\';
		i -= c != '"';
	}
	return 0;
}

int
jsonedit_check(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	char *s = arena_bytes(a, text.n + 1);
	struct node root;

	for (size_t i = 0; i < text.n; i++)
		s[i] = text.s[i];
	if (blank_extras(text, s, err) < 0 || json_parse(a, (struct str){ s, text.n }, &root, err) < 0)
		return -1;
	if (root.kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "%d:%d: expected an object, not %s", root.line, root.column,
			       node_kind_name(root.kind));
	*ret = root;
	return 0;
}

struct str
jsonedit_find(struct str text, const struct jsonedit_step *path, size_t depth)
{
	struct span s;

	return scan_path(text, path, depth, &s) ? str_sub(text, s.begin, s.end) : STR_NONE;
}

static int
fail_path(struct arena *a, const struct jsonedit_step *path, size_t depth, const char *what, struct err *err)
{
	struct buf b = BUF(a, 400);

	for (size_t i = 0; i < depth; i++) {
		if (path[i].key)
			buf_addf(&b, "%s%s", i ? "." : "", path[i].key);
		else
			buf_addf(&b, "[%zu]", path[i].index);
	}
	return err_set(err, ERR_VALUE, STR_FMT "%s%s", STR_ARG(buf_str(&b)), depth ? ": " : "", what);
}

/* How text that is put in shall look. */
struct look {
	bool is_multi_line, has_blanks; /* has_blanks: behind commas and colons, on one line */
	struct str line_end, indent, unit;
};

static struct str
line_indent(struct str text, size_t at)
{
	size_t begin = at;

	while (begin > 0 && text.s[begin - 1] != '\n')
		begin--;
	return str_sub(text, begin, skip_blanks(text, begin) < at ? skip_blanks(text, begin) : at);
}

/* One level of indentation: what the first indented line has. */
static struct str
find_unit(struct str text)
{
	for (size_t at = 0; at < text.n; at++) {
		if (text.s[at] != '\n')
			continue;
		size_t end = skip_blanks(text, at + 1);

		if (end > at + 1 && end < text.n && text.s[end] != '\n' && text.s[end] != '\r')
			return str_sub(text, at + 1, end);
	}
	return STR("  ");
}

static struct str
find_line_end(struct str text)
{
	ptrdiff_t at = str_find_char(text, '\n');

	return at > 0 && text.s[at - 1] == '\r' ? STR("\r\n") : STR("\n");
}

/* What is put in: a member, or an element when there is no key. */
struct addition {
	const char *key;
	struct str value;
	struct node parsed;
};

/* The value with its lines indented, or on one line. */
static void
add_value(struct buf *out, const struct look *look, const struct addition *add)
{
	struct str value = add->value, line;
	bool is_first = true;

	if (!look->is_multi_line) {
		json_add_node(out, &add->parsed);
		return;
	}

	while (str_next(&value, '\n', &line)) {
		size_t spaces = skip_blanks(line, 0);

		if (!is_first) {
			buf_add(out, look->line_end);
			buf_add(out, look->indent);
			for (size_t i = 0; i < spaces / 2; i++)
				buf_add(out, look->unit);
			line = str_sub(line, spaces, line.n);
		}
		buf_add(out, line);
		is_first = false;
	}
}

static struct str
make_item(struct arena *a, const struct look *look, const struct addition *add)
{
	struct buf out = BUF(a, SETTINGS_LIMIT_BYTES);

	if (look->is_multi_line) {
		buf_add(&out, look->line_end);
		buf_add(&out, look->indent);
	}
	if (add->key) {
		json_add_string(&out, str_from(add->key));
		buf_add(&out, look->is_multi_line || look->has_blanks ? STR(": ") : STR(":"));
	}
	add_value(&out, look, add);
	return buf_str(&out);
}

/* Is there a blank behind the colons or commas of the document? Told by the first colon. */
static bool
has_blanks(struct str text)
{
	ptrdiff_t at = str_find(text, STR("\":"));

	return at >= 0 && (size_t)at + 2 < text.n && is_blank(text.s[at + 2]);
}

/* Behind the comments that stand on the same line, and whether the last of them runs to its end. */
static size_t
skip_line_comments(struct str text, size_t at, bool *ret_is_line_end)
{
	*ret_is_line_end = false;
	for (;;) {
		size_t begin = skip_blanks(text, at), end = scan_comment(text, begin);

		if (end == NOWHERE || end == begin)
			return at;
		if (text.s[begin + 1] == '/') {
			*ret_is_line_end = true;
			return text.s[end - 1] == '\r' ? end - 1 : end;
		}
		if (str_find_char(str_sub(text, begin, end), '\n') >= 0)
			return at;
		at = end;
	}
}

/* Behind the last item: a comma, then the new one; where a trailing comma is the custom, it keeps one. */
static struct str
append_behind(struct arena *a, struct str text, const struct item *last, struct look look,
	      const struct addition *add)
{
	bool has_trailing = last->comma_after != NOWHERE, is_line_end;
	size_t at = skip_line_comments(text, has_trailing ? last->comma_after + 1 : last->end, &is_line_end);
	bool is_own_line = break_before(text, skip_blanks_back(text, last->begin, 0), 0) > 0;
	struct buf out = BUF(a, SIZE_MAX);

	look.is_multi_line = is_own_line || is_line_end;
	look.indent = line_indent(text, last->begin);
	look.has_blanks = last->comma_before != NOWHERE ? is_blank(text.s[last->begin - 1])
							: has_blanks(text);
	buf_add(&out, str_sub(text, 0, last->end));
	if (!has_trailing)
		buf_addc(&out, ',');
	buf_add(&out, str_sub(text, last->end, at));
	if (!look.is_multi_line && look.has_blanks)
		buf_addc(&out, ' ');
	buf_add(&out, make_item(a, &look, add));
	if (has_trailing)
		buf_addc(&out, ',');
	buf_add(&out, str_sub(text, at, text.n));
	return buf_str(&out);
}

/* Before the closing bracket of an empty container: what is inside stays in front of the new item. */
static struct str
append_inside(struct arena *a, struct str text, struct span container, struct look look,
	      const struct addition *add)
{
	struct span root = scan_root(text);
	struct str outer = line_indent(text, container.begin);
	struct buf out = BUF(a, SIZE_MAX);

	look.is_multi_line = container.begin == root.begin ||
			     str_find_char(str_sub(text, root.begin, root.end), '\n') >= 0;
	look.indent = str_fmt(a, STR_FMT STR_FMT, STR_ARG(outer), STR_ARG(look.unit));
	look.has_blanks = has_blanks(text);
	buf_add(&out, str_sub(text, 0, container.end - 1));
	buf_add(&out, make_item(a, &look, add));
	if (look.is_multi_line) {
		buf_add(&out, look.line_end);
		buf_add(&out, outer);
	}
	buf_add(&out, str_sub(text, container.end - 1, text.n));
	return buf_str(&out);
}

int
jsonedit_append(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		const char *key, struct str value, struct str *ret, struct err *err)
{
	struct look look = { .line_end = find_line_end(text), .unit = find_unit(text) };
	struct span container;
	struct item i, last;
	struct addition add = { .key = key, .value = value };
	size_t count = 0;

	if (json_parse(a, value, &add.parsed, err) < 0)
		return err_wrap(err, "the new value");
	if (!scan_path(text, path, depth, &container) || container.end - container.begin < 2)
		return fail_path(a, path, depth, "not found", err);
	char open = text.s[container.begin], close = text.s[container.end - 1];

	if (open != (key ? '{' : '[') || close != (key ? '}' : ']'))
		return fail_path(a, path, depth, key ? "not an object" : "not a list", err);
	if (key && scan_find(text, container, &(struct jsonedit_step){ .key = key }, &i))
		return fail_path(a, path, depth, "the key is there already", err);
	for (struct scan s = scan_begin(text, container); scan_next(&s, &i); count++)
		last = i;
	*ret = count > 0 ? append_behind(a, text, &last, look, &add)
			 : append_inside(a, text, container, look, &add);
	return 0;
}

/* A line comment must not swallow what comes behind the cut. */
static bool
is_comment_end(struct str text, size_t from, size_t at)
{
	size_t comment_end;

	(void)scan_space(str_sub(text, 0, at + 1), from, &comment_end);
	return comment_end != NOWHERE && (comment_end == at || comment_end == at + 1);
}

/* The cut around one item: its bytes, the blanks and the line break before it, one comma. */
struct cut {
	size_t begin, end;           /* the item with what is before it */
	size_t comma;                /* one of the two around it, or NOWHERE */
	size_t rest_begin, rest_end; /* what goes behind it */
};

static struct cut
cut_item(struct str text, struct span container, const struct item *i)
{
	size_t floor = i->comma_before != NOWHERE ? i->comma_before + 1 : container.begin + 1;
	size_t blanks = skip_blanks_back(text, i->begin, floor),
	       line_break = break_before(text, blanks, floor);
	bool is_first = i->comma_before == NOWHERE, has_next = i->comma_after != NOWHERE;
	struct cut c = { .begin = blanks,
			 .end = i->end,
			 .comma = has_next ? i->comma_after : i->comma_before };

	c.rest_begin = c.rest_end = has_next ? i->comma_after + 1 : i->end;
	if (line_break == 0) {
		if (is_first) {
			c.begin = i->begin;
			c.rest_end = has_next ? skip_blanks(text, c.rest_end) : c.rest_end;
		}
		return c;
	}
	c.begin -= line_break;
	size_t behind = skip_blanks(text, c.rest_end);
	bool is_comment = is_comment_end(text, floor, c.begin);

	if (is_comment && break_at(text, behind) == 0)
		c.begin += line_break;
	/* Alone: the line break before the closing bracket goes too. */
	if (is_first && !is_comment && break_at(text, behind) > 0) {
		size_t close = skip_blanks(text, behind + break_at(text, behind));

		if (close == container.end - 1)
			c.rest_end = close;
	}
	return c;
}

int
jsonedit_remove(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		struct str *ret, struct err *err)
{
	struct buf out = BUF(a, SIZE_MAX);
	struct span container;
	struct item i;

	if (depth == 0 || !scan_path(text, path, depth - 1, &container) ||
	    !scan_find(text, container, &path[depth - 1], &i))
		return fail_path(a, path, depth, "not found", err);
	struct cut c = cut_item(text, container, &i);

	if (c.comma != NOWHERE && c.comma < c.begin) {
		buf_add(&out, str_sub(text, 0, c.comma));
		buf_add(&out, str_sub(text, c.comma + 1, c.begin));
	} else {
		buf_add(&out, str_sub(text, 0, c.begin));
	}
	if (c.comma != NOWHERE && c.comma >= c.end) {
		buf_add(&out, str_sub(text, c.end, c.comma));
		buf_add(&out, str_sub(text, c.comma + 1, c.rest_begin));
	} else {
		buf_add(&out, str_sub(text, c.end, c.rest_begin));
	}
	buf_add(&out, str_sub(text, c.rest_end, text.n));
	*ret = buf_str(&out);
	return 0;
}

int
jsonedit_replace(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		 struct str value, struct str *ret, struct err *err)
{
	struct buf out = BUF(a, SIZE_MAX);
	struct span s;

	if (!scan_path(text, path, depth, &s))
		return fail_path(a, path, depth, "not found", err);
	buf_add(&out, str_sub(text, 0, s.begin));
	buf_add(&out, value);
	buf_add(&out, str_sub(text, s.end, text.n));
	*ret = buf_str(&out);
	return 0;
}
