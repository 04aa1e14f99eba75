/* SPDX-License-Identifier: MIT */
/* Comments of an old file, and keys and texts of the new one. What is written is read back before it is used. */
#include "conf/migrate_text.h"

#include "doc/text.h"
#include "doc/yaml.h"
#include "doc/yaml_out.h"

/* Longer ones go to a line of their own, above. */
#define COMMENT_BESIDE_BYTES 60

/* ---- comments ---- */

/* The lines in which a text goes on are no comments, whatever they look like. */
static void
mark_texts(struct old_text *t, struct str text, const struct node *n)
{
	bool is_scalar = n->kind != NODE_LIST && n->kind != NODE_MAP;
	size_t from = (size_t)n->line, lines = 0;

	for (size_t i = n->span.begin; is_scalar && i < n->span.end && i < text.n; i++)
		lines += text.s[i] == '\n' && i + 1 < n->span.end;
	for (size_t i = from; i < from + lines && i < t->count; i++)
		t->is_comment[i] = false;
	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		mark_texts(t, text, &n->items[i]);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count; i++)
		mark_texts(t, text, &n->entries[i].value);
}

struct old_text
old_text_of(struct arena *a, struct str file, struct str text, const struct node *document)
{
	struct old_text t = { .file = file, .text = text };
	struct str rest = text, line;

	while (str_next(&rest, '\n', &line))
		t.count++;
	t.lines = arena_array(a, t.count + 1, struct str);
	t.is_comment = arena_array(a, t.count + 1, bool);
	rest = text;
	for (size_t i = 0; str_next(&rest, '\n', &line); i++) {
		t.lines[i] = str_trim(line);
		/* The schema of the old file is not the new one's. */
		t.is_comment[i] = str_starts(t.lines[i], STR("#")) &&
				  str_find(t.lines[i], STR("yaml-language-server:")) < 0;
	}
	mark_texts(&t, text, document);
	return t;
}

static void
add_comment(struct buf *b, struct old_text *t, size_t at, int indent)
{
	buf_addf(b, "%*s" STR_FMT "\n", indent, "", STR_ARG(t->lines[at]));
	t->is_comment[at] = false;
}

void
add_comments_above(struct buf *b, struct old_text *t, int line, int indent)
{
	size_t end = line > 0 && (size_t)line - 1 < t->count ? (size_t)line - 1 : 0, first = end;

	while (first > 0 && (t->is_comment[first - 1] || t->lines[first - 1].n == 0))
		first--;
	for (size_t i = first; i < end; i++)
		if (t->is_comment[i])
			add_comment(b, t, i, indent);
}

void
add_other_comments(struct buf *b, struct old_text *t, int indent, const char *title)
{
	bool has_title = !title;

	for (size_t i = 0; i < t->count; i++) {
		if (!t->is_comment[i])
			continue;
		if (!has_title)
			buf_addf(b, "\n# %s " STR_FMT ":\n", title, STR_ARG(t->file));
		has_title = true;
		add_comment(b, t, i, indent);
	}
}

/* What follows the value, or the key of a list or map, on its line; absent: no comment. */
static struct str
comment_beside(struct old_text *t, const struct node_entry *e)
{
	const struct node *v = &e->value;
	bool is_below = v->line > e->line || v->is_empty;
	size_t at = is_below ? e->span.end : v->span.end;
	struct str rest = str_sub(t->text, at, t->text.n), line = STR("");

	/* A text of several lines has its comments above it. */
	if (!is_below && str_find_char(str_sub(t->text, v->span.begin, at), '\n') >= 0)
		return STR_NONE;
	(void)str_next(&rest, '\n', &line);
	line = str_trim(line);
	if (str_starts(line, STR(":")))
		line = str_trim(str_sub(line, 1, line.n));
	return str_starts(line, STR("#")) ? line : STR_NONE;
}

/* ---- keys ---- */

const struct node_entry *
old_entry(const struct old_map *m, const char *key)
{
	for (size_t i = 0; m && key && m->map && m->map->kind == NODE_MAP && i < m->map->count; i++)
		if (str_is(m->map->entries[i].key, key))
			return &m->map->entries[i];
	return NULL;
}

/* `body` follows the line with the key; absent: none. */
static void
add_lines(struct buf *b, int indent, struct str key, struct str value, struct str body,
	  const struct node_entry *e, struct old_text *t)
{
	struct str beside = e ? comment_beside(t, e) : STR_NONE;

	if (e)
		add_comments_above(b, t, e->line, indent);
	if (beside.n > COMMENT_BESIDE_BYTES) {
		buf_addf(b, "%*s" STR_FMT "\n", indent, "", STR_ARG(beside));
		beside = STR_NONE;
	}
	buf_addf(b, "%*s", indent, "");
	yaml_add_string(b, key);
	buf_addf(b, ":%s" STR_FMT, value.n > 0 ? " " : "", STR_ARG(value));
	if (beside.s)
		buf_addf(b, "  " STR_FMT, STR_ARG(beside));
	buf_addc(b, '\n');
	if (body.s)
		buf_add(b, body);
}

void
add_key(struct buf *b, int indent, struct str key, struct str value, const struct old_map *from,
	const char *old_key)
{
	const struct node_entry *e = old_entry(from, old_key);

	add_lines(b, indent, key, value, STR_NONE, e, e ? from->text : NULL);
}

static bool
reads_as(struct str yaml, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err ignored;

	return yaml_parse(&scratch, yaml, &n, &ignored) == 0 && node_get_str(&n, "x").s &&
	       str_eq(node_get_str(&n, "x"), text);
}

void
add_key_text(struct buf *b, int indent, struct str key, struct str text, const struct old_map *from,
	     const char *old_key)
{
	const struct node_entry *e = old_entry(from, old_key);
	struct old_text *t = e ? from->text : NULL;
	struct arena *a = b->arena;
	struct str head = str_ends(text, STR("\n\n")) ? STR("|+")
			  : str_ends(text, STR("\n")) ? STR("|")
						      : STR("|-");
	struct buf body = BUF(a, SIZE_MAX);
	struct str rest = text, line;

	if (str_find_char(text, '\n') < 0 && reads_as(str_fmt(a, "x: " STR_FMT "\n", STR_ARG(text)), text)) {
		add_lines(b, indent, key, text, STR_NONE, e, t);
		return;
	}
	while (str_next(&rest, '\n', &line))
		buf_addf(&body, "%*s" STR_FMT "\n", line.n > 0 ? indent + 2 : 0, "", STR_ARG(line));
	if (str_find_char(text, '\n') >= 0 && reads_as(str_fmt(a, "%*sx: " STR_FMT "\n" STR_FMT, indent, "",
							       STR_ARG(head), STR_ARG(buf_str(&body))),
						       text))
		add_lines(b, indent, key, head, buf_str(&body), e, t);
	else
		add_lines(b, indent, key, yaml_quote(a, text), STR_NONE, e, t);
}

struct str
flow_list(struct arena *a, const struct str_list *l)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addc(&b, '[');
	for (size_t i = 0; i < l->count; i++) {
		buf_add(&b, i > 0 ? STR(", ") : STR(""));
		yaml_add_string(&b, l->items[i]);
	}
	buf_addc(&b, ']');
	return buf_str(&b);
}
