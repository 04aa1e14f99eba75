/* SPDX-License-Identifier: MIT */
/* Edits of a JSON text by cutting and inserting. An insertion takes on the layout of its surroundings, and removing it
 * again restores the old bytes. */
#include "doc/jsonedit.h"

#include "base/buf.h"
#include "doc/blanks.h"
#include "doc/json_lex.h"

#define NOWHERE SIZE_MAX

/* Back over blanks, but not before `floor`. */
static size_t
skip_blanks_back(struct str text, size_t at, size_t floor)
{
	while (at > floor && is_blank(text.s[at - 1]))
		at--;
	return at;
}

/* The length of the line break that ends at the offset and does not begin before `floor`; 0 when there is none. */
static size_t
break_before(struct str text, size_t at, size_t floor)
{
	if (at <= floor || text.s[at - 1] != '\n')
		return 0;
	return at - 1 > floor && text.s[at - 2] == '\r' ? 2 : 1;
}

/* One member or element: all of its bytes, and the commas around it (NOWHERE where there is none). */
struct item {
	size_t begin, end, comma_before, comma_after;
};

static size_t
find_comma(struct str text, size_t from)
{
	struct json_lexer l = json_lexer(str_sub(text, from, text.n), JSON_SETTINGS);

	return json_lex_blanks(&l) && l.at < l.end && *l.at == ',' ? (size_t)(l.at - text.s) : NOWHERE;
}

static struct item
nth_item(struct str text, const struct node *list, size_t nth)
{
	bool is_map = list->kind == NODE_MAP;
	const struct node *value = is_map ? &list->entries[nth].value : &list->items[nth];
	struct item i = { .begin = is_map ? list->entries[nth].span.begin : value->span.begin,
			  .end = value->span.end,
			  .comma_before = NOWHERE };

	i.comma_after = find_comma(text, i.end);
	if (nth > 0)
		i.comma_before = find_comma(text, is_map ? list->entries[nth - 1].value.span.end
							 : list->items[nth - 1].span.end);
	return i;
}

/* The position in the object or list; of a key that is there twice, the last. */
static bool
find_step(const struct node *n, const struct jsonedit_step *step, size_t *ret)
{
	if (!step->key) {
		*ret = step->index;
		return n->kind == NODE_LIST && step->index < n->count;
	}
	const struct node *value = node_get(n, step->key);

	if (value)
		*ret = (size_t)((const struct node_entry *)((const char *)value -
							    offsetof(struct node_entry, value)) -
				n->entries);
	return value != NULL;
}

static const struct node *
find_node(const struct node *n, const struct jsonedit_step *path, size_t depth)
{
	for (size_t i = 0; i < depth; i++) {
		size_t nth;

		if (!find_step(n, &path[i], &nth))
			return NULL;
		n = path[i].key ? &n->entries[nth].value : &n->items[nth];
	}
	return n;
}

int
jsonedit_check(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	struct node root;

	if (json_parse_as(a, text, JSON_SETTINGS, &root, err) < 0)
		return -1;
	if (root.kind != NODE_MAP)
		return err_at(err, ERR_VALUE, root.line, root.column, "expected an object, not %s",
			      node_kind_name(root.kind));
	*ret = root;
	return 0;
}

struct str
jsonedit_find(struct str text, const struct jsonedit_step *path, size_t depth)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;
	struct err ignored;
	const struct node *n = json_parse_as(&scratch, text, JSON_SETTINGS, &root, &ignored) < 0
				       ? NULL
				       : find_node(&root, path, depth);

	return n ? str_sub(text, n->span.begin, n->span.end) : STR_NONE;
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

/* The layout of an insertion. */
struct layout {
	bool is_multi_line, has_blanks; /* has_blanks: after commas and colons, on one line */
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

/* One level of indentation: that of the first indented line. */
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

/* A new member, or an element when there is no key. */
struct addition {
	const char *key;
	struct str value;
	struct node parsed;
};

/* The value with its lines indented, or on one line. */
static void
add_value(struct buf *out, const struct layout *layout, const struct addition *add)
{
	struct str value = add->value, line;
	bool is_first = true;

	if (!layout->is_multi_line) {
		json_add_node(out, &add->parsed);
		return;
	}

	while (str_next(&value, '\n', &line)) {
		size_t spaces = skip_blanks(line, 0);

		if (!is_first) {
			buf_add(out, layout->line_end);
			buf_add(out, layout->indent);
			for (size_t i = 0; i < spaces / 2; i++)
				buf_add(out, layout->unit);
			line = str_sub(line, spaces, line.n);
		}
		buf_add(out, line);
		is_first = false;
	}
}

static struct str
make_item(struct arena *a, const struct layout *layout, const struct addition *add)
{
	struct buf out = BUF(a, SETTINGS_LIMIT_BYTES);

	if (layout->is_multi_line) {
		buf_add(&out, layout->line_end);
		buf_add(&out, layout->indent);
	}
	if (add->key) {
		json_add_string(&out, str_from(add->key));
		buf_add(&out, layout->is_multi_line || layout->has_blanks ? STR(": ") : STR(":"));
	}
	add_value(&out, layout, add);
	return buf_str(&out);
}

/* Has the document blanks after its colons and commas? The first colon decides. */
static bool
has_blanks(struct str text)
{
	ptrdiff_t at = str_find(text, STR("\":"));

	return at >= 0 && (size_t)at + 2 < text.n && is_blank(text.s[at + 2]);
}

/* Skips the comments on the same line. *ret_is_line_end: the last of them runs to the end of the line. */
static size_t
skip_line_comments(struct str text, size_t at, bool *ret_is_line_end)
{
	*ret_is_line_end = false;
	for (;;) {
		size_t begin = skip_blanks(text, at), end = json_comment_end(text, begin);

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

/* After the last item. A list with a trailing comma keeps one. */
static struct str
append_after(struct arena *a, struct str text, const struct item *last, const struct addition *add)
{
	struct layout layout = { .line_end = find_line_end(text), .unit = find_unit(text) };
	bool has_trailing = last->comma_after != NOWHERE, is_line_end;
	size_t at = skip_line_comments(text, has_trailing ? last->comma_after + 1 : last->end, &is_line_end);
	bool is_own_line = break_before(text, skip_blanks_back(text, last->begin, 0), 0) > 0;

	layout.is_multi_line = is_own_line || is_line_end;
	layout.indent = line_indent(text, last->begin);
	layout.has_blanks = last->comma_before != NOWHERE ? is_blank(text.s[last->begin - 1])
							  : has_blanks(text);
	/* The item first: what is allocated last can grow in place, and the text is the larger of the two. */
	struct str item = make_item(a, &layout, add);
	struct buf out = BUF(a, SIZE_MAX);

	buf_add(&out, str_sub(text, 0, last->end));
	if (!has_trailing)
		buf_addc(&out, ',');
	buf_add(&out, str_sub(text, last->end, at));
	if (!layout.is_multi_line && layout.has_blanks)
		buf_addc(&out, ' ');
	buf_add(&out, item);
	if (has_trailing)
		buf_addc(&out, ',');
	buf_add(&out, str_sub(text, at, text.n));
	return buf_str(&out);
}

/* Before the closing bracket of an object or list that holds at most comments. */
static struct str
append_inside(struct arena *a, struct str text, struct span container, struct span root,
	      const struct addition *add)
{
	struct layout layout = { .line_end = find_line_end(text), .unit = find_unit(text) };
	struct str outer = line_indent(text, container.begin);

	layout.is_multi_line = container.begin == root.begin ||
			       str_find_char(str_sub(text, root.begin, root.end), '\n') >= 0;
	layout.indent = str_fmt(a, STR_FMT STR_FMT, STR_ARG(outer), STR_ARG(layout.unit));
	layout.has_blanks = has_blanks(text);
	struct str item = make_item(a, &layout, add);
	struct buf out = BUF(a, SIZE_MAX);

	buf_add(&out, str_sub(text, 0, container.end - 1));
	buf_add(&out, item);
	if (layout.is_multi_line) {
		buf_add(&out, layout.line_end);
		buf_add(&out, outer);
	}
	buf_add(&out, str_sub(text, container.end - 1, text.n));
	return buf_str(&out);
}

int
jsonedit_append(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		const char *key, struct str value, struct str *ret, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct addition add = { .key = key, .value = value };
	struct node root;

	if (json_parse(&scratch, value, &add.parsed, err) < 0)
		return err_wrap(err, "the new value");
	if (json_parse_as(&scratch, text, JSON_SETTINGS, &root, err) < 0)
		return -1;
	const struct node *n = find_node(&root, path, depth);

	if (!n)
		return fail_path(a, path, depth, "not found", err);
	if (n->kind != (key ? NODE_MAP : NODE_LIST))
		return fail_path(a, path, depth, key ? "not an object" : "not a list", err);
	if (key && node_get(n, key))
		return fail_path(a, path, depth, "the key is there already", err);
	if (n->count == 0) {
		*ret = append_inside(a, text, n->span, root.span, &add);
	} else {
		struct item last = nth_item(text, n, n->count - 1);

		*ret = append_after(a, text, &last, &add);
	}
	return 0;
}

/* Does a line comment between the two offsets end at the line break? Cutting that break would make the comment swallow
 * what follows. */
static bool
is_comment_end(struct str text, size_t from, size_t at)
{
	size_t comment_end = NOWHERE;

	text = str_sub(text, 0, at + 1);
	while (from < text.n) {
		size_t end = json_comment_end(text, from);

		if (end == NOWHERE ||
		    (end == from && !is_blank(text.s[from]) && text.s[from] != '\n' && text.s[from] != '\r'))
			break;
		if (end > from && text.s[from + 1] == '/')
			comment_end = end;
		from = end > from ? end : from + 1;
	}
	return comment_end != NOWHERE && (comment_end == at || comment_end == at + 1);
}

/* What is removed with an item: the blanks and the line break before it, and one comma. */
struct cut {
	size_t begin, end;           /* the item and what is removed before it */
	size_t comma;                /* one of the two around it, or NOWHERE */
	size_t rest_begin, rest_end; /* removed after it */
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
	size_t after = skip_blanks(text, c.rest_end);
	bool is_comment = is_comment_end(text, floor, c.begin);

	if (is_comment && break_at(text, after) == 0)
		c.begin += line_break;
	/* The only item: the line break before the closing bracket goes too. */
	if (is_first && !is_comment && break_at(text, after) > 0) {
		size_t close = skip_blanks(text, after + break_at(text, after));

		if (close == container.end - 1)
			c.rest_end = close;
	}
	return c;
}

int
jsonedit_remove(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
		struct str *ret, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf out = BUF(a, SIZE_MAX);
	struct node root;
	size_t nth;

	if (json_parse_as(&scratch, text, JSON_SETTINGS, &root, err) < 0)
		return -1;
	const struct node *container = depth > 0 ? find_node(&root, path, depth - 1) : NULL;

	if (!container || !find_step(container, &path[depth - 1], &nth))
		return fail_path(a, path, depth, "not found", err);
	struct item i = nth_item(text, container, nth);
	struct cut c = cut_item(text, container->span, &i);

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
	struct str old = jsonedit_find(text, path, depth);

	if (!old.s)
		return fail_path(a, path, depth, "not found", err);
	buf_add(&out, str_sub(text, 0, (size_t)(old.s - text.s)));
	buf_add(&out, value);
	buf_add(&out, str_sub(text, (size_t)(old.s - text.s) + old.n, text.n));
	*ret = buf_str(&out);
	return 0;
}
