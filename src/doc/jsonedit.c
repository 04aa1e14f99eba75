/* SPDX-License-Identifier: MIT */
/* Edits of a JSON text by cutting and inserting. An insertion adopts the layout of its surroundings, and removing it
 * restores the old bytes. */
#include "doc/jsonedit.h"

#include "doc/json_lex.h"
#include "doc/text.h"

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
	struct json_lexer l = json_lexer(str_rest(text, from), JSON_SETTINGS);

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

int
jsonedit_open(struct arena *a, struct str text, struct jsonedit *ret, struct err *err)
{
	ret->edit = (struct edit){ .arena = a, .text = text };
	return jsonedit_check(a, text, &ret->root, err);
}

/* The layout of an insertion. */
struct layout {
	bool is_multi_line, has_blanks; /* has_blanks: after commas and colons, on one line */
	bool is_after_item, has_trailing_comma;
	struct str line_end, indent, unit;
};

static struct str
line_indent(struct str text, size_t at)
{
	size_t begin = line_start(text, at), end = skip_blanks(text, begin);

	return str_sub(text, begin, end < at ? end : at);
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

/* The value with its lines indented, or on one line. */
static void
add_value(struct buf *out, const struct layout *layout, struct str value)
{
	struct node parsed;
	struct str line;
	bool is_first = true;

	if (!layout->is_multi_line && json_parse(out->arena, value, &parsed, IGNORED) == 0) {
		json_add_node(out, &parsed);
		return;
	}
	while (str_next(&value, '\n', &line)) {
		size_t spaces = skip_blanks(line, 0);

		if (!is_first) {
			buf_cat(out, layout->line_end, layout->indent);
			for (size_t i = 0; i < spaces / 2; i++)
				buf_add(out, layout->unit);
			line = str_rest(line, spaces);
		}
		buf_add(out, line);
		is_first = false;
	}
}

/* The text of all items, with a comma between them, and one after the last where the list has a trailing comma. */
static struct str
items_text(struct jsonedit *j, const struct layout *layout, const struct json_item *items, size_t count)
{
	struct buf out = BUF(j->edit.arena, SETTINGS_LIMIT_BYTES);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_addc(&out, ',');
		if (layout->is_multi_line) {
			buf_cat(&out, layout->line_end, layout->indent);
		} else if (layout->has_blanks && (i > 0 || layout->is_after_item)) {
			buf_addc(&out, ' ');
		}
		if (items[i].key) {
			json_add_string(&out, str_from(items[i].key));
			buf_add(&out, layout->is_multi_line || layout->has_blanks ? STR(": ") : STR(":"));
		}
		add_value(&out, layout, items[i].value);
	}
	if (layout->has_trailing_comma)
		buf_addc(&out, ',');
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

void
jsonedit_append(struct jsonedit *j, const struct node *list, const struct json_item *items, size_t count)
{
	struct str text = j->edit.text;
	ptrdiff_t newline = str_find_char(text, '\n');
	struct layout layout = {
		.line_end = newline > 0 && text.s[newline - 1] == '\r' ? STR("\r\n") : STR("\n"),
		.unit = find_unit(text),
	};
	struct span root = j->root.span;

	if (count == 0)
		return;
	if (list->count == 0) {
		struct str outer = line_indent(text, list->span.begin);
		size_t close = list->span.end - 1;

		layout.is_multi_line = list == &j->root ||
				       str_find_char(str_sub(text, root.begin, root.end), '\n') >= 0;
		layout.indent = str_cat(j->edit.arena, outer, layout.unit);
		layout.has_blanks = has_blanks(text);
		edit_replace(&j->edit, close, close, items_text(j, &layout, items, count));
		if (layout.is_multi_line) {
			edit_replace(&j->edit, close, close, layout.line_end);
			edit_replace(&j->edit, close, close, outer);
		}
		return;
	}
	struct item last = nth_item(text, list, list->count - 1);
	bool is_line_end;

	layout.is_after_item = true;
	layout.has_trailing_comma = last.comma_after != NOWHERE;
	size_t at = skip_line_comments(text, layout.has_trailing_comma ? last.comma_after + 1 : last.end,
				       &is_line_end);

	layout.is_multi_line = is_line_end ||
			       break_before(text, skip_blanks_back(text, last.begin, 0), 0) > 0;
	layout.indent = line_indent(text, last.begin);
	layout.has_blanks = last.comma_before != NOWHERE ? is_blank(text.s[last.begin - 1])
							 : has_blanks(text);
	if (!layout.has_trailing_comma)
		edit_replace(&j->edit, last.end, last.end, STR(","));
	edit_replace(&j->edit, at, at, items_text(j, &layout, items, count));
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

/* Skips blanks and what jsonedit_remove() has removed since there were `first` parts. It goes from the last item to the
 * first, so that the part that follows next was added last. */
static size_t
skip_removed(const struct jsonedit *j, size_t at, size_t first)
{
	const struct edit *e = &j->edit;

	at = skip_blanks(e->text, at);
	for (size_t i = e->count; i-- > first && e->parts[i].begin <= at;)
		if (e->parts[i].end > at)
			at = skip_blanks(e->text, e->parts[i].end);
	return at;
}

static void
cut(struct jsonedit *j, size_t begin, size_t end)
{
	edit_replace(&j->edit, begin, end, STR(""));
}

/* Removes an item with the blanks and the line break before it, and with the comma after it, or else the one before it. */
static void
remove_item(struct jsonedit *j, const struct node *list, const struct item *i, size_t first)
{
	struct str text = j->edit.text;
	bool is_first = i->comma_before == NOWHERE, has_next = i->comma_after != NOWHERE;
	size_t closing = list->span.end - 1, floor = is_first ? list->span.begin + 1 : i->comma_before + 1;
	size_t begin = skip_blanks_back(text, i->begin, floor), line_break = break_before(text, begin, floor);
	size_t rest = has_next ? i->comma_after + 1 : i->end, rest_end = rest;

	if (line_break > 0) {
		bool is_comment = is_comment_end(text, floor, begin - line_break);
		size_t after = is_comment || is_first ? skip_removed(j, rest, first) : rest;
		size_t after_break = break_at(text, after);

		if (!is_comment || after_break > 0)
			begin -= line_break;
		/* The only item: the line break before the closing bracket goes too. */
		if (is_first && !is_comment && after_break > 0 &&
		    skip_removed(j, after + after_break, first) == closing)
			rest_end = closing;
	} else if (is_first) {
		begin = i->begin;
		if (has_next)
			rest_end = skip_removed(j, rest, first);
	}
	/* In the order that skip_removed() expects. */
	cut(j, rest, rest_end);
	if (has_next)
		cut(j, i->comma_after, i->comma_after + 1);
	cut(j, begin, i->end);
	if (!has_next && !is_first)
		cut(j, i->comma_before, i->comma_before + 1);
}

void
jsonedit_remove(struct jsonedit *j, const struct node *list, const bool *is_removed)
{
	size_t first = j->edit.count;
	bool keeps_comma = false; /* something that needs the comma before it stays after the item */

	for (size_t nth = list->count; nth-- > 0;) {
		struct item i = nth_item(j->edit.text, list, nth);

		if (nth + 1 == list->count)
			keeps_comma = i.comma_after != NOWHERE;
		if (!keeps_comma)
			i.comma_after = NOWHERE;
		if (is_removed[nth])
			remove_item(j, list, &i, first);
		else
			keeps_comma = true;
	}
}

void
jsonedit_replace(struct jsonedit *j, const struct node *value, struct str text)
{
	edit_replace(&j->edit, value->span.begin, value->span.end, text);
}
