/* SPDX-License-Identifier: MIT */
/* Reads YAML from libyaml's events. Owns the meaning of tags and the limits on aliases, size and depth. Must never expand
 * an alias: its node shares the children of the anchor's node, and only the weight is added. */
#include "doc/yaml.h"

#include "base/utf8.h"
#include "doc/text.h"
#include "doc/yaml_comments.h"
#include "doc/yaml_plain.h"
#include "doc/yaml_scalar.h"

#include <string.h>
#include <yaml.h>

#define CORE_TAG "tag:yaml.org,2002:"

struct anchor {
	struct str name;
	struct node node;
	size_t weight; /* nodes in it, aliases counted in full */
	int height;    /* levels of lists and maps in it */
};

struct loader {
	yaml_parser_t *parser;
	struct str text;           /* without the text of its comments */
	struct yaml_short whole;   /* what was cut out of it */
	size_t size;               /* of the whole text */
	size_t skipped;            /* the length of a byte order mark before it */
	size_t chars_at, bytes_at; /* the same place in the text, counted twice */
	size_t cut;                /* how many cuts are before it */
	struct arena *arena, *scratch;
	struct node_stack stack;
	struct anchor *anchors;
	size_t anchor_count, anchor_capacity;
	size_t nodes, aliases;
	struct err *err;
};

static int read_node(struct loader *l, const yaml_event_t *e, int depth, struct node *ret);

static int
fail_at(struct loader *l, const yaml_mark_t *mark, enum err_code code, const char *what)
{
	return err_at(l->err, code, (int)mark->line + 1, (int)mark->column + 1, "%s", what);
}

#define NO_UTF8 "invalid UTF-8: save the file as UTF-8"

/* The most frequent mistakes, in words that say what to do. For the others, the library's message is used. */
static const struct {
	const char *problem, *words;
} plain_words[] = {
	{ "mapping values are not allowed in this context",
	  "unexpected ':': the line is not indented as it should be, or a value that contains ': ' is not "
	  "quoted" },
	{ "did not find expected key",
	  "expected a key: the line is not indented as those above it, or text follows a closing quote" },
	{ "did not find expected '-' indicator",
	  "expected '-': the line is not indented as those above it, or text follows a closing quote" },
	{ "did not find expected node content",
	  "expected a value, or the ']' or '}' of a list or map that is not closed" },
	{ "did not find expected <document start>",
	  "text after the end of the list or map that is the document" },
	{ "found incompatible YAML document", "unknown version of YAML; remove the line" },
	{ "control characters are not allowed", "a control character, which YAML does not allow: remove it" },
	{ "invalid leading UTF-8 octet", NO_UTF8 },
	{ "invalid trailing UTF-8 octet", NO_UTF8 },
	{ "incomplete UTF-8 octet sequence", NO_UTF8 },
	{ "invalid length of a UTF-8 sequence", NO_UTF8 },
};

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* libyaml counts characters. Its marks nearly always go forward, so that all of them together take one pass. */
static void
go_to(struct loader *l, const yaml_mark_t *mark)
{
	for (; l->chars_at < mark->index && l->bytes_at < l->text.n; l->chars_at++)
		do
			l->bytes_at++;
		while (l->bytes_at < l->text.n && is_continuation(l->text.s[l->bytes_at]));
	for (; l->chars_at > mark->index && l->bytes_at > 0; l->chars_at--)
		do
			l->bytes_at--;
		while (l->bytes_at > 0 && is_continuation(l->text.s[l->bytes_at]));
}

static uint32_t
byte_offset(struct loader *l, const yaml_mark_t *mark)
{
	const struct yaml_short *w = &l->whole;

	go_to(l, mark);
	while (l->cut < w->count && w->cuts[l->cut].at <= l->bytes_at)
		l->cut++;
	while (l->cut > 0 && w->cuts[l->cut - 1].at > l->bytes_at)
		l->cut--;
	return (uint32_t)(l->skipped + l->bytes_at + (l->cut > 0 ? w->cuts[l->cut - 1].total : 0));
}

static struct place
place_at(const yaml_mark_t *mark)
{
	return (struct place){ (int)mark->line + 1, (int)mark->column + 1 };
}

static bool
is_complaint(const yaml_parser_t *p, const char *problem, const char *context)
{
	return p->problem && p->context && str_is(str_from(p->problem), problem) &&
	       str_is(str_from(p->context), context);
}

/* A character that no value begins with. A tab is named, because it cannot be seen. */
static int
fail_character(struct loader *l, struct place at)
{
	size_t n;

	go_to(l, &l->parser->problem_mark);
	struct str rest = str_sub(l->text, l->bytes_at, l->text.n);

	if (rest.n == 0 || rest.s[0] == '\t')
		return err_at(l->err, ERR_SYNTAX, at.line, at.column,
			      "a tab can't indent a line; use blanks");
	(void)utf8_decode(rest, &n);
	return err_at(l->err, ERR_SYNTAX, at.line, at.column,
		      "no value begins with '" STR_FMT "' unless it is quoted", STR_ARG(str_sub(rest, 0, n)));
}

static int
fail_parse(struct loader *l)
{
	const yaml_parser_t *p = l->parser;
	struct place at = place_at(&p->problem_mark), begin = place_at(&p->context_mark);

	if (p->error == YAML_READER_ERROR)
		at = place_of(l->text, p->problem_offset);
	for (size_t i = 0; i < COUNT_OF(plain_words); i++)
		if (p->problem && str_is(str_from(p->problem), plain_words[i].problem))
			return err_at(l->err, ERR_SYNTAX, at.line, at.column, "%s", plain_words[i].words);
	if (is_complaint(p, "found character that cannot start any token",
			 "while scanning for the next token"))
		return fail_character(l, at);
	if (is_complaint(p, "found unexpected end of stream", "while scanning a quoted scalar"))
		return err_at(l->err, ERR_SYNTAX, begin.line, begin.column, "the quote is never closed");
	if (is_complaint(p, "did not find expected ',' or ']'", "while parsing a flow sequence"))
		return err_at(l->err, ERR_SYNTAX, at.line, at.column,
			      "expected ',' or ']': the '[' at %d:%d is not closed", begin.line,
			      begin.column);
	if (is_complaint(p, "did not find expected ',' or '}'", "while parsing a flow mapping"))
		return err_at(l->err, ERR_SYNTAX, at.line, at.column,
			      "expected ',' or '}': the '{' at %d:%d is not closed", begin.line,
			      begin.column);
	return err_at(l->err, ERR_SYNTAX, at.line, at.column, "%s%s%s",
		      p->problem ? p->problem : "out of memory", p->context ? " " : "",
		      p->context ? p->context : "");
}

static int
next_event(struct loader *l, yaml_event_t *e)
{
	return yaml_parser_parse(l->parser, e) ? 0 : fail_parse(l);
}

static int
add_weight(struct loader *l, size_t weight, const yaml_mark_t *mark)
{
	l->nodes += weight;
	return l->nodes > YAML_VALUES_LIMIT(l->size) ? fail_at(l, mark, ERR_LIMIT, "too many values") : 0;
}

static void
keep_anchor(struct loader *l, const yaml_char_t *name, const struct node *n, size_t weight, int height)
{
	if (!name)
		return;
	arena_make_room(l->scratch, l->anchors, l->anchor_count, &l->anchor_capacity);
	struct str copy = str_copy(l->scratch, str_from((const char *)name));

	l->anchors[l->anchor_count++] = (struct anchor){ copy, *n, weight, height };
}

static int
read_alias(struct loader *l, const yaml_event_t *e, int depth, struct node *ret)
{
	const char *name = (const char *)e->data.alias.anchor;
	const struct anchor *found = NULL;

	for (size_t i = l->anchor_count; i-- > 0 && !found;)
		if (str_is(l->anchors[i].name, name))
			found = &l->anchors[i];
	if (!found)
		return fail_at(l, &e->start_mark, ERR_SYNTAX, "an alias whose anchor is not known here");
	if (++l->aliases > YAML_ALIAS_LIMIT)
		return fail_at(l, &e->start_mark, ERR_LIMIT, "too many aliases");
	if (depth + found->height > YAML_DEPTH_LIMIT)
		return fail_at(l, &e->start_mark, ERR_LIMIT, "nested too deeply");
	if (add_weight(l, found->weight, &e->start_mark) < 0)
		return -1;
	*ret = found->node;
	ret->span = (struct span){ byte_offset(l, &e->start_mark), byte_offset(l, &e->end_mark) };
	return found->height;
}

/* The kind that an explicit tag asks for; -1: the core schema has no such tag. */
static int
tagged_kind(struct str tag)
{
	static const struct {
		const char *tag;
		enum node_kind kind;
	} tags[] = {
		{ CORE_TAG "str", NODE_STRING },  { "!", NODE_STRING },
		{ CORE_TAG "int", NODE_INT },     { CORE_TAG "bool", NODE_BOOL },
		{ CORE_TAG "float", NODE_FLOAT }, { CORE_TAG "null", NODE_NULL },
		{ CORE_TAG "seq", NODE_LIST },    { CORE_TAG "map", NODE_MAP },
	};

	for (size_t i = 0; i < COUNT_OF(tags); i++)
		if (str_is(tag, tags[i].tag))
			return (int)tags[i].kind;
	return -1;
}

/* A tag must be that of the value's own type, or turn a scalar into a string. */
static int
check_tag(struct loader *l, const yaml_event_t *e, struct str tag, const struct node *n)
{
	int kind = tag.s ? tagged_kind(tag) : (int)n->kind;

	if (kind == -1)
		return fail_at(l, &e->start_mark, ERR_SYNTAX, "an unknown tag");
	if (kind != (int)n->kind && !(kind == NODE_FLOAT && n->kind == NODE_INT) && !str_is(tag, "!"))
		return fail_at(l, &e->start_mark, ERR_SYNTAX, "a value that does not fit its tag");
	return 0;
}

static int
read_scalar(struct loader *l, const yaml_event_t *e, struct node *ret)
{
	struct str raw = { (const char *)e->data.scalar.value, e->data.scalar.length };
	struct str tag = str_from((const char *)e->data.scalar.tag);

	ret->kind = NODE_STRING;
	ret->text = str_copy(l->arena, raw);
	if (tag.s ? tagged_kind(tag) != NODE_STRING : e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
		ret->is_plain = !tag.s;
		yaml_scalar_type(ret);
	}
	return check_tag(l, e, tag, ret);
}

static void
place_node(struct loader *l, const yaml_event_t *e, struct node *n)
{
	n->span.begin = byte_offset(l, &e->start_mark);
	n->span.end = byte_offset(l, &e->end_mark);
	n->line = (int)e->start_mark.line + 1;
	n->column = (int)e->start_mark.column + 1;
}

/* The key of an entry: any scalar, as text. */
static int
read_key(struct loader *l, const yaml_event_t *e)
{
	struct node key = { 0 };

	if (e->type != YAML_SCALAR_EVENT && e->type != YAML_ALIAS_EVENT)
		return fail_at(l, &e->start_mark, ERR_SYNTAX, "a key must be a scalar");
	if (read_node(l, e, 0, &key) < 0)
		return -1;
	if (key.kind == NODE_LIST || key.kind == NODE_MAP)
		return fail_at(l, &e->start_mark, ERR_SYNTAX, "a key must be a scalar");
	place_node(l, e, &key);
	node_stack_push(&l->stack, &key);
	return 0;
}

/* Reads items up to the event that ends the list or map. Returns the height of the highest. */
static int
read_items(struct loader *l, int depth, struct node *ret)
{
	size_t first = l->stack.count;
	int highest = 0;

	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t e = { 0 };
		CLEANUP(yaml_event_delete) yaml_event_t key = { 0 };
		struct node value = { 0 };

		if (next_event(l, &e) < 0)
			return -1;
		if (e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT) {
			/* Without a closing bracket, the event comes where the next value begins. */
			if (e.end_mark.index > e.start_mark.index)
				ret->span.end = byte_offset(l, &e.end_mark);
			break;
		}
		if (ret->kind == NODE_MAP) {
			key = e;
			e = (yaml_event_t){ 0 };
			if (read_key(l, &key) < 0 || next_event(l, &e) < 0)
				return -1;
		}
		int height = read_node(l, &e, depth, &value);

		if (height < 0)
			return -1;
		if (height > highest)
			highest = height;
		node_stack_push(&l->stack, &value);
		ret->span.end = value.span.end;
	}
	node_stack_close(&l->stack, l->arena, first, ret);
	return highest;
}

static int
read_collection(struct loader *l, const yaml_event_t *e, int depth, struct node *ret)
{
	bool is_map = e->type == YAML_MAPPING_START_EVENT;
	struct str tag = str_from(
		(const char *)(is_map ? e->data.mapping_start.tag : e->data.sequence_start.tag));

	ret->kind = is_map ? NODE_MAP : NODE_LIST;
	if (check_tag(l, e, tag, ret) < 0)
		return -1;
	if (depth + 1 > YAML_DEPTH_LIMIT)
		return fail_at(l, &e->start_mark, ERR_LIMIT, "nested too deeply");
	int height = read_items(l, depth + 1, ret);

	return height < 0 ? -1 : height + 1;
}

/* The node that begins with the event. Returns its height, -1 on failure. */
static int
read_node(struct loader *l, const yaml_event_t *e, int depth, struct node *ret)
{
	size_t before = l->nodes;
	int height;

	if (e->type == YAML_ALIAS_EVENT)
		return read_alias(l, e, depth, ret);
	place_node(l, e, ret);
	if (add_weight(l, 1, &e->start_mark) < 0)
		return -1;
	const yaml_char_t *anchor;

	if (e->type == YAML_SCALAR_EVENT) {
		height = read_scalar(l, e, ret);
		anchor = e->data.scalar.anchor;
	} else {
		height = read_collection(l, e, depth, ret);
		anchor = e->type == YAML_MAPPING_START_EVENT ? e->data.mapping_start.anchor
							     : e->data.sequence_start.anchor;
	}
	if (height >= 0)
		keep_anchor(l, anchor, ret, l->nodes - before, height);
	return height;
}

/* Stream start, at most one document, stream end. */
static int
read_stream(struct loader *l, struct node *ret)
{
	bool has_document = false;

	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t e = { 0 };

		if (next_event(l, &e) < 0)
			return -1;
		switch (e.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			return 0;
		case YAML_DOCUMENT_START_EVENT:
			if (has_document)
				return fail_at(l, &e.start_mark, ERR_SYNTAX, "more than one document");
			has_document = true;
			break;
		default:
			if (read_node(l, &e, 0, ret) < 0)
				return -1;
		}
	}
}

int
yaml_parse(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	return yaml_read_plain(a, text, ret) ? 0 : yaml_parse_any(a, text, ret, err);
}

int
yaml_parse_any(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = { .kind = NODE_NULL, .is_plain = true, .is_empty = true, .line = 1, .column = 1 };
	struct loader l;
	yaml_parser_t parser;

	l.skipped = text.n - utf8_skip_mark(text).n;
	text = utf8_skip_mark(text);
	l.size = text.n;
	yaml_shorten(&scratch, text, &l.whole);
	text = l.whole.text;
	if (!yaml_parser_initialize(&parser))
		return err_set(err, ERR_LIMIT, "out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)(text.n ? text.s : ""), text.n);
	l.parser = &parser;
	l.text = text;
	l.arena = a;
	l.scratch = &scratch;
	l.anchors = NULL;
	l.anchor_count = l.anchor_capacity = l.nodes = l.aliases = l.chars_at = l.bytes_at = l.cut = 0;
	l.err = err;
	node_stack_init(&l.stack);
	int result = read_stream(&l, &root);

	node_stack_free(&l.stack);
	yaml_parser_delete(&parser);
	if (result == 0)
		*ret = root;
	return result;
}
