/* SPDX-License-Identifier: MIT */
/* Reads YAML from libyaml's events. Owns the meaning of tags and the limits on aliases, size and depth. Must never expand
 * an alias: its node shares the children of the anchor's node, and only the weight is added. */
#include "doc/yaml.h"

#include "doc/text.h"
#include "doc/yaml_comments.h"

#include <math.h>
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
	size_t anchor_count;
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

/* libyaml counts characters. Its marks nearly always go forward, so that all of them together take one pass. */
static void
go_to(struct loader *l, const yaml_mark_t *mark)
{
	for (; l->chars_at < mark->index && l->bytes_at < l->text.n; l->chars_at++)
		do
			l->bytes_at++;
		while (l->bytes_at < l->text.n && utf8_is_continuation(l->text.s[l->bytes_at]));
	for (; l->chars_at > mark->index && l->bytes_at > 0; l->chars_at--)
		do
			l->bytes_at--;
		while (l->bytes_at > 0 && utf8_is_continuation(l->text.s[l->bytes_at]));
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

static int
fail_parse(struct loader *l)
{
	const yaml_parser_t *p = l->parser;
	struct place at = place_at(&p->problem_mark), begin = place_at(&p->context_mark);
	struct str problem = str_from(p->problem);
	bool is_list = str_is(problem, "did not find expected ',' or ']'");

	if (p->error == YAML_READER_ERROR)
		at = place_of(l->text, p->problem_offset);
	for (size_t i = 0; i < COUNT_OF(plain_words); i++)
		if (str_is(problem, plain_words[i].problem))
			return err_at(l->err, ERR_SYNTAX, at.line, at.column, "%s", plain_words[i].words);
	if (str_is(problem, "found character that cannot start any token")) {
		go_to(l, &p->problem_mark);
		struct str rest = str_rest(l->text, l->bytes_at), character = utf8_prefix(rest, 1);

		/* a tab is named, because it cannot be seen */
		if (rest.n == 0 || rest.s[0] == '\t')
			return err_at(l->err, ERR_SYNTAX, at.line, at.column,
				      "a tab can't indent a line; use blanks");
		return err_at(l->err, ERR_SYNTAX, at.line, at.column,
			      "no value begins with '" STR_FMT "' unless it is quoted", STR_ARG(character));
	}
	if (str_is(problem, "found unexpected end of stream"))
		return err_at(l->err, ERR_SYNTAX, begin.line, begin.column, "the quote is never closed");
	if (is_list || str_is(problem, "did not find expected ',' or '}'"))
		return err_at(l->err, ERR_SYNTAX, at.line, at.column,
			      "expected ',' or '%c': the '%c' at %d:%d is not closed", is_list ? ']' : '}',
			      is_list ? '[' : '{', begin.line, begin.column);
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

/* ---- the types of plain scalars ---- */

/* They are as in serde_yaml 0.9: close to YAML 1.2's core schema, but with 0b numbers, and digits after a leading zero are a
 * string. */

/* Digits of the radix that their prefix says: an integer, or a float where it does not fit. False: not a number. */
static bool
read_integer(struct str x, bool is_negative, struct node *n)
{
	unsigned radix = str_skip(&x, "0x") ? 16 : str_skip(&x, "0o") ? 8 : str_skip(&x, "0b") ? 2 : 10;
	uint64_t value = 0, most = (uint64_t)INT64_MAX + is_negative;
	bool fits = true;

	if (x.n == 0)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		unsigned digit = hex_value(x.s[i]);

		if (digit >= radix)
			return false;
		fits = fits && value <= (most - digit) / radix;
		if (fits)
			value = value * radix + digit;
	}
	n->kind = fits ? NODE_INT : NODE_FLOAT;
	n->integer = !fits ? 0 : is_negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

/* Digits, a point and an exponent in their usual places, and not beyond what a double holds. */
static bool
is_float(struct str x)
{
	size_t whole = str_digits(x, 0), at = whole, fraction = 0;

	if (at < x.n && x.s[at] == '.') {
		fraction = str_digits(x, at + 1);
		at += 1 + fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (at < x.n && (x.s[at] | 0x20) == 'e') {
		at++;
		at += at < x.n && (x.s[at] == '+' || x.s[at] == '-');
		size_t exponent = str_digits(x, at);

		if (exponent == 0)
			return false;
		at += exponent;
	}
	return at == x.n && isfinite(strtod(x.s, NULL));
}

static void
type_number(struct node *n)
{
	bool has_sign = n->text.s[0] == '-' || n->text.s[0] == '+';
	struct str rest = str_rest(n->text, has_sign);

	if (rest.n > 1 && rest.s[0] == '0' && str_digits(rest, 0) == rest.n)
		return;
	if (read_integer(rest, n->text.s[0] == '-', n))
		return;
	if (is_float(rest) || str_is_word_of(rest, ".inf .Inf .INF") ||
	    (!has_sign && str_is_word_of(rest, ".nan .NaN .NAN")))
		n->kind = NODE_FLOAT;
}

/* ---- nodes ---- */

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
		/* A NUL follows the text, for the number. */
		char first = ret->text.n > 0 ? ret->text.s[0] : '\0';
		bool may_be_word = ret->text.n <= 5 && str_find_char(STR("~nNtTfF"), first) >= 0;

		ret->is_empty = ret->text.n == 0;
		if (ret->is_empty || (may_be_word && str_is_word_of(ret->text, "~ null Null NULL"))) {
			ret->kind = NODE_NULL;
		} else if (may_be_word && str_is_word_of(ret->text, "true True TRUE false False FALSE")) {
			ret->kind = NODE_BOOL;
			ret->boolean = first == 't' || first == 'T';
		} else if (is_digit(first) || first == '+' || first == '-' || first == '.') {
			type_number(ret);
		}
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

/* Reads items up to the event that ends the list or map. Returns the height of the highest. */
static int
read_items(struct loader *l, int depth, struct node *ret)
{
	size_t first = l->stack.count;
	int highest = 0;

	for (;;) {
		CLEANUP(yaml_event_delete) yaml_event_t e = { 0 };
		CLEANUP(yaml_event_delete) yaml_event_t key = { 0 };
		struct node name = { 0 }, value = { 0 };

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
			bool is_scalar = key.type == YAML_SCALAR_EVENT || key.type == YAML_ALIAS_EVENT;

			if (is_scalar && read_node(l, &key, 0, &name) < 0)
				return -1;
			if (!is_scalar || name.kind == NODE_LIST || name.kind == NODE_MAP)
				return fail_at(l, &key.start_mark, ERR_SYNTAX, "a key must be a scalar");
			place_node(l, &key, &name);
			node_stack_push(&l->stack, &name);
			if (next_event(l, &e) < 0)
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

/* The node that begins with the event. Returns its height, -1 on failure. */
static int
read_node(struct loader *l, const yaml_event_t *e, int depth, struct node *ret)
{
	size_t before = l->nodes;
	const yaml_char_t *anchor, *tag;
	int height;

	if (e->type == YAML_ALIAS_EVENT)
		return read_alias(l, e, depth, ret);
	place_node(l, e, ret);
	if (add_weight(l, 1, &e->start_mark) < 0)
		return -1;
	if (e->type == YAML_SCALAR_EVENT) {
		height = read_scalar(l, e, ret);
		anchor = e->data.scalar.anchor;
	} else {
		bool is_map = e->type == YAML_MAPPING_START_EVENT;

		ret->kind = is_map ? NODE_MAP : NODE_LIST;
		tag = is_map ? e->data.mapping_start.tag : e->data.sequence_start.tag;
		anchor = is_map ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;
		if (check_tag(l, e, str_from((const char *)tag), ret) < 0)
			return -1;
		if (depth + 1 > YAML_DEPTH_LIMIT)
			return fail_at(l, &e->start_mark, ERR_LIMIT, "nested too deeply");
		height = read_items(l, depth + 1, ret);
		height += height >= 0;
	}
	if (height >= 0 && anchor)
		*arena_push(l->scratch, l->anchors, l->anchor_count) = (struct anchor){
			str_copy(l->scratch, str_from((const char *)anchor)), *ret, l->nodes - before, height
		};
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
	l.anchor_count = l.nodes = l.aliases = l.chars_at = l.bytes_at = l.cut = 0;
	l.err = err;
	node_stack_init(&l.stack);
	int result = read_stream(&l, &root);

	node_stack_free(&l.stack);
	yaml_parser_delete(&parser);
	if (result == 0)
		*ret = root;
	return result;
}
