/* SPDX-License-Identifier: MIT */
/* The JSON reader: one pass, linear in the text, bounded in depth and in the number of values. */
#include "doc/json.h"

#include "doc/json_lex.h"
#include "doc/text.h"

/* What becomes of a value: it stays in the tree, or its items or members are handed over. */
enum handling { IN_TREE, AS_ITEMS, AS_MEMBERS };

struct reader {
	struct str text;
	struct json_lexer in;
	int depth;
	bool is_in_place; /* strings may point into the text */
	struct str raw_key;
	bool is_raw;                    /* the next string is the value of that key */
	const struct json_items *items; /* NULL: all stay in the tree */
	size_t values_left;
	struct arena *arena;
	struct node_stack *stack;
	struct err *err;
};

static int read_value(struct reader *r, enum handling handling, struct node *ret);

static int
fail_at(struct reader *r, const char *at, enum err_code code, const char *what)
{
	struct place p = place_of(r->text, (size_t)(at - r->text.s));

	return err_at(r->err, code, p.line, p.column, "%s", what);
}

/* The text goes on with something other than `what`. */
static int
fail_expected(struct reader *r, const char *what)
{
	const char *at = r->in.at;

	if (at == r->in.end)
		return fail_at(r, at, ERR_SYNTAX,
			       str_cat(r->arena, "expected ", what, ", not the end of the text").s);
	unsigned char c = (unsigned char)*at;

	if (c == '/' && !json_lex_blanks(&r->in))
		return fail_at(r, at, ERR_SYNTAX, "a comment that never ends");
	return fail_at(r, at, ERR_SYNTAX,
		       str_fmt(r->arena,
			       c > ' ' && c < 0x7F ? "expected %s, not '%c'" : "expected %s, not byte 0x%02X",
			       what, c)
			       .s);
}

/* A comment that never ends is left for fail_expected(). */
static void
skip_space(struct reader *r)
{
	/* Most of the time there are none, or the one after a colon. */
	if (r->in.at < r->in.end && *r->in.at == ' ')
		r->in.at++;
	if (r->in.at == r->in.end || *r->in.at <= ' ' || *r->in.at == '/')
		(void)json_lex_blanks(&r->in);
}

static bool
is_next(const struct reader *r, char c)
{
	return r->in.at < r->in.end && *r->in.at == c;
}

static int
read_string(struct reader *r, struct str *ret)
{
	struct json_string s;
	const char *bad;

	switch (json_lex_string(&r->in, &s)) {
	case JSON_CLOSED:
		break;
	case JSON_OPEN:
		return fail_at(r, r->in.at, ERR_SYNTAX, "a string that never ends");
	case JSON_CONTROL:
		return fail_at(r, r->in.at, ERR_SYNTAX, "a control character in a string");
	}
	if (r->is_raw || (r->is_in_place && s.is_ascii && !s.has_escape && !s.has_control)) {
		r->is_raw = false;
		*ret = s.raw;
		return 0;
	}
	if (json_unescape(r->arena, &s, r->in.syntax, ret, &bad))
		return 0;
	return fail_at(r, bad, ERR_SYNTAX,
		       bad[1] == 'u' ? "expected four hexadecimal digits after \\u"
				     : "unknown escape in a string");
}

static size_t
skip_digits(struct reader *r)
{
	size_t n = str_digits((struct str){ r->in.at, (size_t)(r->in.end - r->in.at) }, 0);

	r->in.at += n;
	return n;
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? */
static int
read_number(struct reader *r, struct node *ret)
{
	const char *begin = r->in.at;
	bool is_negative = *r->in.at == '-', is_integer = true;
	uint64_t value;

	r->in.at += is_negative;
	if (r->in.at < r->in.end && *r->in.at == '0')
		r->in.at++;
	else if (skip_digits(r) == 0)
		return fail_expected(r, "a digit");
	struct str digits = { begin + is_negative, (size_t)(r->in.at - begin) - is_negative };

	if (r->in.at < r->in.end && *r->in.at == '.') {
		is_integer = false;
		r->in.at++;
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit");
	}
	if (r->in.at < r->in.end && (*r->in.at | 0x20) == 'e') {
		is_integer = false;
		r->in.at++;
		if (r->in.at < r->in.end && (*r->in.at == '+' || *r->in.at == '-'))
			r->in.at++;
		if (skip_digits(r) == 0)
			return fail_expected(r, "a digit");
	}
	ret->kind = NODE_FLOAT;
	ret->text = (struct str){ begin, (size_t)(r->in.at - begin) };
	if (!r->is_in_place)
		ret->text = str_copy(r->arena, ret->text);
	if (is_integer && number_parse(digits, &value) && value <= (uint64_t)INT64_MAX + is_negative) {
		ret->kind = NODE_INT;
		ret->integer = is_negative ? (int64_t)(0 - value) : (int64_t)value;
	}
	return 0;
}

static int
read_word(struct reader *r, struct node *ret)
{
	static const struct {
		const char *word;
		enum node_kind kind;
		bool boolean;
	} words[] = {
		{ "true", NODE_BOOL, true },
		{ "false", NODE_BOOL, false },
		{ "null", NODE_NULL, false },
	};
	struct str rest = { r->in.at, (size_t)(r->in.end - r->in.at) };

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (str_skip(&rest, words[i].word)) {
			ret->kind = words[i].kind;
			ret->boolean = words[i].boolean;
			r->in.at = rest.s;
			return 0;
		}
	return fail_expected(r, "a value");
}

static int
read_member(struct reader *r, enum handling handling)
{
	struct node key = { 0 }, value = { 0 };
	enum handling of_value = IN_TREE;

	if (!is_next(r, '"'))
		return fail_expected(r, "a key in double quotes");
	if (read_value(r, IN_TREE, &key) < 0)
		return -1;
	skip_space(r);
	if (!is_next(r, ':'))
		return fail_expected(r, "':'");
	r->in.at++;
	skip_space(r);
	r->is_raw = r->raw_key.s && str_eq(key.text, r->raw_key) && is_next(r, '"');
	if (handling == AS_MEMBERS) {
		if (read_value(r, IN_TREE, &value) < 0)
			return -1;
		r->items->member(r->items->context, key.text, &value);
		return 0;
	}
	node_stack_push(r->stack, &key);
	if (r->items && r->depth == 1 && is_next(r, '[') && str_eq(key.text, r->items->list_key))
		of_value = AS_ITEMS;
	if (read_value(r, of_value, &value) < 0)
		return -1;
	node_stack_push(r->stack, &value);
	return 0;
}

static int
read_item(struct reader *r, enum handling handling, struct node *list)
{
	struct arena_mark mark = handling == AS_ITEMS ? arena_mark(r->arena) : (struct arena_mark){ 0 };
	struct node value = { 0 };

	if (read_value(r, handling == AS_ITEMS ? AS_MEMBERS : IN_TREE, &value) < 0)
		return -1;
	if (handling == AS_ITEMS) {
		r->items->end(r->items->context, &value, r->text);
		arena_reset(r->arena, mark);
		list->count++;
	} else {
		node_stack_push(r->stack, &value);
	}
	return 0;
}

/* From after the opening bracket. */
static int
read_items(struct reader *r, char closing, enum handling handling, struct node *ret)
{
	size_t first = r->stack->count;
	bool is_map = ret->kind == NODE_MAP;

	skip_space(r);
	while (!is_next(r, closing)) {
		if ((is_map ? read_member(r, handling) : read_item(r, handling, ret)) < 0)
			return -1;
		skip_space(r);
		if (is_next(r, closing))
			break;
		if (!is_next(r, ','))
			return fail_expected(r, is_map ? "',' or '}'" : "',' or ']'");
		r->in.at++;
		skip_space(r);
		if (r->in.syntax == JSON_STRICT && is_next(r, closing))
			return fail_expected(r, is_map ? "a key in double quotes" : "a value");
	}
	r->in.at++;
	if (handling == IN_TREE)
		node_stack_close(r->stack, r->arena, first, ret);
	return 0;
}

static int
read_token(struct reader *r, enum handling handling, struct node *ret)
{
	char c = r->in.at < r->in.end ? *r->in.at : '\0';

	if (c == '"') {
		ret->kind = NODE_STRING;
		return read_string(r, &ret->text);
	}
	if (c == '{' || c == '[') {
		if (++r->depth > JSON_DEPTH_LIMIT)
			return fail_at(r, r->in.at, ERR_LIMIT, "nested too deeply");
		r->in.at++;
		ret->kind = c == '{' ? NODE_MAP : NODE_LIST;
		/* An item that should be an object and is a list stays a tree. */
		if (c == '[' && handling == AS_MEMBERS)
			handling = IN_TREE;
		if (handling == AS_ITEMS)
			r->items->begin(r->items->context);
		if (read_items(r, c == '{' ? '}' : ']', handling, ret) < 0)
			return -1;
		r->depth--;
		return 0;
	}
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r, ret);
	return read_word(r, ret);
}

/* A key or a value. */
static int
read_value(struct reader *r, enum handling handling, struct node *ret)
{
	const char *begin = r->in.at;

	if (r->values_left-- == 0)
		return fail_at(r, begin, ERR_LIMIT, "too many values");
	ret->line = r->in.line;
	ret->column = (int)(begin - r->in.line_start) + 1;
	ret->span.begin = (uint32_t)(begin - r->text.s);
	if (read_token(r, handling, ret) < 0)
		return -1;
	ret->span.end = (uint32_t)(r->in.at - r->text.s);
	return 0;
}

static int
parse(struct reader *r, struct str text, enum json_syntax syntax, struct node *ret)
{
	struct node_stack stack;
	struct node root = { 0 };

	if (text.n == 0)
		return err_set(r->err, ERR_SYNTAX, "1:1: expected a value, not the end of the text");
	r->text = text;
	r->in = json_lexer(text, syntax);
	r->values_left = syntax == JSON_SETTINGS ? SETTINGS_VALUES_LIMIT(text.n) : VALUES_LIMIT(text.n);
	r->stack = &stack;
	node_stack_init(&stack);
	skip_space(r);
	int result = read_value(r, IN_TREE, &root);

	if (result == 0) {
		skip_space(r);
		if (r->in.at < r->in.end)
			result = fail_expected(r, "nothing after the value");
	}
	node_stack_free(&stack);
	if (result == 0)
		*ret = root;
	return result;
}

int
json_parse(struct arena *a, struct str text, struct node *ret, struct err *err)
{
	return json_parse_as(a, text, JSON_STRICT, ret, err);
}

int
json_parse_as(struct arena *a, struct str text, enum json_syntax syntax, struct node *ret, struct err *err)
{
	return parse(&(struct reader){ .arena = a, .err = err }, text, syntax, ret);
}

int
json_parse_in_place(struct arena *a, struct str text, struct str raw_key, struct node *ret, struct err *err)
{
	struct reader r = { .arena = a, .err = err, .is_in_place = true, .raw_key = raw_key };

	return parse(&r, text, JSON_STRICT, ret);
}

int
json_parse_items(struct arena *a, struct str text, const struct json_items *items, struct node *ret,
		 struct err *err)
{
	struct reader r = {
		.arena = a, .err = err, .is_in_place = true, .raw_key = items->raw_key, .items = items
	};

	return parse(&r, text, JSON_STRICT, ret);
}
