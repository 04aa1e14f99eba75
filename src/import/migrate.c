/* SPDX-License-Identifier: MIT */
/* Reads the old files by their own schemas, writes holdfast.yml, and reads that back. */
#include "import/migrate.h"

#include "import/gates.h"
#include "import/conclaude.h"
#include "import/gauntlet_schema.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "doc/yaml_out.h"
#include "os/fs.h"

#define INDENT 2
/* Longer ones go to a line of their own, above. */
#define COMMENT_BESIDE_BYTES 60

/* The text of an old file, by lines. A comment is written once: above the key that it was above, or at the end. */
struct old_text {
	struct str file; /* relative to the root */
	struct str text;
	struct str *lines;
	bool *is_comment; /* a line that is a comment and has not been written yet */
	size_t count;
};
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

/* Of the lines of a document; those of `document` that continue a text have no comments. */
static struct old_text
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

/* The comments above a line, each indented. */
static void
add_comments_above(struct buf *b, struct old_text *t, int line, int indent)
{
	size_t end = line > 0 && (size_t)line - 1 < t->count ? (size_t)line - 1 : 0, first = end;

	while (first > 0 && (t->is_comment[first - 1] || t->lines[first - 1].n == 0))
		first--;
	for (size_t i = first; i < end; i++)
		if (t->is_comment[i])
			add_comment(b, t, i, indent);
}

/* Those that are left, after a line that says where they are from; `title` NULL: without it. */
static void
add_other_comments(struct buf *b, struct old_text *t, int indent, const char *title)
{
	bool has_title = !title;

	for (size_t i = 0; i < t->count; i++) {
		if (!t->is_comment[i])
			continue;
		if (!has_title)
			buf_cat(b, "\n# ", title, " ", t->file, ":\n");
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

/* `dash` is before the key: "- " of the first one of an item of a list, else empty. */
static void
add_key(struct buf *b, int indent, const char *dash, const struct node_entry *e, struct str value,
	struct old_text *t)
{
	struct str beside = e->line > 0 ? comment_beside(t, e) : STR_NONE;

	add_comments_above(b, t, e->line, indent);
	if (beside.n > COMMENT_BESIDE_BYTES) {
		buf_addf(b, "%*s" STR_FMT "\n", indent, "", STR_ARG(beside));
		beside = STR_NONE;
	}
	buf_addf(b, "%*s%s", indent, "", dash);
	yaml_add_string(b, e->key);
	buf_cat(b, ":", value.n > 0 ? " " : "", value);
	if (beside.s)
		buf_cat(b, "  ", beside);
	buf_addc(b, '\n');
}

static bool
reads_as(struct str yaml, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;

	return yaml_parse(&scratch, yaml, &n, IGNORED) == 0 && node_get_str(&n, "x").s &&
	       str_eq(node_get_str(&n, "x"), text);
}

/* A text in the way in which it is best read: the value after its key, and *ret_body, the lines that follow; absent: none. */
static struct str
text_value(struct arena *a, struct str text, int indent, struct str *ret_body)
{
	struct str head = str_ends(text, STR("\n\n")) ? STR("|+")
			  : str_ends(text, STR("\n")) ? STR("|")
						      : STR("|-");
	bool is_line = str_find_char(text, '\n') < 0;
	struct buf body = BUF(a, SIZE_MAX);
	struct str rest = text, line;

	if (is_line)
		return reads_as(str_cat(a, "x: ", text, "\n"), text) ? text : yaml_quote(a, text);
	while (str_next(&rest, '\n', &line))
		buf_addf(&body, "%*s" STR_FMT "\n", line.n > 0 ? indent + 2 : 0, "", STR_ARG(line));
	if (!reads_as(str_fmt(a, "%*sx: " STR_FMT "\n" STR_FMT, indent, "", STR_ARG(head),
			      STR_ARG(buf_str(&body))),
		      text))
		return yaml_quote(a, text);
	*ret_body = buf_str(&body);
	return head;
}

/* ---- documents ---- */

/* A value on one line. */
static void
add_flow(struct buf *b, const struct node *n)
{
	bool is_map = n->kind == NODE_MAP;

	if (!is_map && n->kind != NODE_LIST) {
		if (n->kind == NODE_STRING)
			yaml_add_string(b, n->text);
		else
			json_add_node(b, n);
		return;
	}
	buf_addc(b, is_map ? '{' : '[');
	for (size_t i = 0; i < n->count; i++) {
		buf_add(b, i > 0 ? STR(", ") : STR(""));
		if (is_map)
			buf_cat(b, n->entries[i].key, ": ");
		add_flow(b, is_map ? &n->entries[i].value : &n->items[i]);
	}
	buf_addc(b, is_map ? '}' : ']');
}

/* The keys of an imported document, or of an item of a list in it, each with the comments of the key that it comes from. */
static void
add_document(struct buf *b, const struct node *map, int indent, bool is_item, struct old_text *t)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct node_entry *e = &map->entries[i];
		const struct node *value = &e->value;
		bool is_line = str_is(e->key, "in") || str_is(e->key, "debug_log");
		bool is_list = value->kind == NODE_LIST && !is_line && value->items[0].kind == NODE_MAP;
		bool is_map = value->kind == NODE_MAP && !is_line;
		bool has_dash = is_item && i == 0;
		struct buf text = BUF(b->arena, SIZE_MAX);
		struct str body = STR_NONE;

		if (str_is(e->key, "reviewers")) {
			buf_add(b, STR("reviewers:"));
			yaml_add_value(b, value, indent + 2);
			continue;
		}
		if (value->kind == NODE_STRING && !is_line)
			buf_add(&text, text_value(b->arena, value->text, indent, &body));
		else if (!is_list && !is_map)
			add_flow(&text, value);
		add_key(b, has_dash ? indent - 2 : indent, has_dash ? "- " : "", e, buf_str(&text), t);
		buf_add(b, body);
		if (is_map)
			add_document(b, value, indent + 2, false, t);
		for (size_t k = 0; is_list && k < value->count; k++) {
			add_comments_above(b, t, value->items[k].line, indent + 2);
			add_document(b, &value->items[k], indent + 4, true, t);
		}
	}
}

/* ---- .gauntlet ---- */

/* The lines of holdfast.yml; *text is config.yml, with the comments that are left. */
static int
add_gauntlet(struct buf *b, struct str root, struct migration *ret, struct old_text *text, struct err *err)
{
	struct arena *a = b->arena;
	struct stop_settings *hook = arena_new(a, struct stop_settings);
	struct str config = str_from(gauntlet_dialect(root)->file), yaml = STR("");
	struct gauntlet_import i;

	if (gauntlet_load_hook(a, root, hook, err) < 0 ||
	    fs_read(a, path_join(a, root, config).s, CONFIG_LIMIT_BYTES, &yaml, err) < 0)
		return -1;
	struct config_draft d = gauntlet_read(a, hook, &ret->problems);

	if (problems_fail(a, root, &ret->problems, err) < 0 ||
	    gauntlet_import(a, &d, &hook->document, &i, err) < 0)
		return -1;
	ret->notes = i.import.notes;
	*text = old_text_of(a, config, yaml, &hook->document);
	add_document(b, &i.import.document, 0, false, text);
	if (i.gates.count > 0)
		buf_add(b, STR("gates:\n"));
	for (size_t k = 0; k < i.gates.count; k++) {
		const struct gate_draft *g = i.sources[k].draft;
		const struct node one = { .kind = NODE_MAP, .count = 1, .entries = &i.gates.entries[k] };
		struct old_text own;

		add_comments_above(b, text, i.sources[k].line, INDENT);
		if (str_eq(g->gate.file, text->file)) {
			add_document(b, &one, INDENT, false, text);
			continue;
		}
		own = old_text_of(a, g->gate.file, g->yaml, &g->node);
		add_document(b, &one, INDENT, false, &own);
		add_other_comments(b, &own, 2 * INDENT, NULL);
	}
	return 0;
}

/* ---- both ---- */

static int
read_back(struct arena *a, struct str root, struct str text, struct err *err)
{
	const struct holdfast_file *file = holdfast_parse(a, root, text);
	struct config_problems problems;
	struct gates_config ignored;

	if (!file->is_parsed) {
		*err = file->err;
		return -1;
	}
	holdfast_interpret(a, file, &ignored, &problems);
	return problems_fail(a, STR(""), &problems, err);
}

int
migrate(struct arena *a, struct str root, struct migration *ret, struct err *err)
{
	struct str path = conclaude_find(a, &root, 1), text = STR_NONE;
	struct old_text gauntlet_text = { 0 }, conclaude_text = { 0 };
	struct config_problem *note;
	struct node document;
	struct buf b = BUF(a, CONFIG_LIMIT_BYTES);

	*ret = (struct migration){ .from = { arena_array(a, 2, struct str), 0 } };
	if (gates_find(a, &root, 1).s) {
		ret->from.items[ret->from.count++] = path_parent(gates_file(root));
		if (add_gauntlet(&b, root, ret, &gauntlet_text, err) < 0)
			return -1;
	}
	if (path.s) {
		ret->from.items[ret->from.count++] = path_base(path);
		if (conclaude_read(a, path, &text, err) < 0 ||
		    conclaude_document(a, path, text, &document, &ret->problems, err) < 0)
			return -1;
		struct import m = conclaude_import(a, path_base(path), &document);

		conclaude_text = old_text_of(a, m.file, text, &document);
		add_document(&b, &m.document, 0, false, &conclaude_text);
		for (size_t i = 0; i < m.notes.count; i++)
			if ((note = problem_new(a, &ret->notes, SEVERITY_WARNING)))
				*note = m.notes.items[i];
	}
	if (b.n == 0)
		return 0;
	add_other_comments(&b, &gauntlet_text, 0, "Comments of");
	add_other_comments(&b, &conclaude_text, 0, "Comments of");
	ret->text = buf_str(&b);
	return read_back(a, root, ret->text, err);
}
