/* SPDX-License-Identifier: MIT */
/* Reads line by line. Gives up where a line has anything that it does not know for certain: it must never read a tree that
 * libyaml would read differently, and it reports no error. */
#include "doc/yaml_plain.h"

#include "base/bytes.h"
#include "doc/yaml_scalar.h"

#include <string.h>

/* Deeper documents and longer keys are for libyaml, which has limits for them. */
#define DEPTH_MAX 24
#define KEY_MAX_BYTES 500
/* Most lines are longer. */
#define BYTES_PER_NODE 16

struct plain {
	struct arena *arena;
	const char *text, *end;
	const char *next_line;             /* NULL: there is none */
	const char *line_begin, *line_end; /* of the current one */
	const char *body;                  /* its first character that is no blank; NULL: no line is left */
	int line;                          /* from 1 */
	int indent;                        /* of the body; in a list item, of the map that begins there */
	size_t nodes_left;
	struct node_stack stack;
};

static bool read_block(struct plain *p, int depth, struct node *ret);
static const char *read_flow(struct plain *p, const char *at, int depth, struct node *ret);

/* ---- characters ---- */

/* Nothing but what can be printed in ASCII, and ends of lines? */
static bool
is_ascii(struct str text)
{
	bytes16 odd = { 0 };
	unsigned char rest = 0;
	size_t i = 0;

	for (; i + sizeof(odd) <= text.n; i += sizeof(odd)) {
		bytes16 c = bytes16_at(text.s + i);

		odd |= (bytes16)(c - ' ' > '~' - ' ') & (bytes16)(c != '\n');
	}
	for (; i < text.n; i++) {
		unsigned char c = (unsigned char)text.s[i];

		rest |= c > '~' || (c < ' ' && c != '\n');
	}
	return !rest && !bytes16_any(odd);
}

static bool
is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A plain scalar may begin with it. YAML allows a few more in some places. */
static bool
begins_plain(const char *at, const char *end)
{
	if (*at == '-')
		return at + 1 < end && is_word_char(at[1]);
	return is_word_char(*at) || *at == '.' || *at == '/' || (*at != '\0' && strchr("+$();<=^~\\", *at));
}

static const char *
skip_blanks(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

/* Does nothing but a comment follow? */
static bool
is_line_over(const char *at, const char *end)
{
	const char *next = skip_blanks(at, end);

	return next == end || (*next == '#' && next > at);
}

static bool
is_dash(const char *at, const char *end)
{
	return *at == '-' && (at + 1 == end || at[1] == ' ');
}

/* To the next line that has more than a comment. */
static void
next_line(struct plain *p)
{
	p->body = NULL;
	while (!p->body && p->next_line) {
		const char *begin = p->next_line;
		const char *end = memchr(begin, '\n', (size_t)(p->end - begin));
		const char *at;

		p->line++;
		p->line_begin = begin;
		p->line_end = end ? end : p->end;
		p->next_line = end && end + 1 < p->end ? end + 1 : NULL;
		at = skip_blanks(begin, p->line_end);
		if (at < p->line_end && *at != '#') {
			p->body = at;
			p->indent = (int)(at - begin);
		}
	}
}

/* ---- scalars ---- */

/* False: there are too many values. */
static bool
place(struct plain *p, const char *from, const char *to, struct node *n)
{
	n->span = (struct span){ (uint32_t)(from - p->text), (uint32_t)(to - p->text) };
	n->line = p->line;
	n->column = (int)(from - p->line_begin) + 1;
	return p->nodes_left-- > 0;
}

static inline bool
set_plain(struct plain *p, const char *from, const char *to, struct node *ret)
{
	ret->is_plain = true;
	ret->text = (struct str){ from, (size_t)(to - from) };
	/* a number is read up to the NUL after it */
	if (from < to && *from >= '+' && *from <= '9')
		ret->text = str_copy(p->arena, ret->text);
	yaml_scalar_type(ret);
	return place(p, from, to, ret);
}

/* Up to the end of the line, or to a comment. */
static bool
read_plain(struct plain *p, const char *at, struct node *ret)
{
	const char *end = p->line_end, *found;

	if (!begins_plain(at, end))
		return false;
	for (found = at; (found = memchr(found, '#', (size_t)(end - found))); found++)
		if (found[-1] == ' ') {
			end = found;
			break;
		}
	while (end[-1] == ' ')
		end--;
	for (found = at; (found = memchr(found, ':', (size_t)(end - found))); found++)
		if (found + 1 == end || found[1] == ' ')
			return false;
	return set_plain(p, at, end, ret);
}

/* A string without escapes. Returns the place after it; NULL: it is something else. */
static const char *
read_quoted(struct plain *p, const char *at, struct node *ret)
{
	const char *begin = at + 1, *end = memchr(begin, *at, (size_t)(p->line_end - begin));

	if (!end || (*at == '\'' && end + 1 < p->line_end && end[1] == '\'') ||
	    (*at == '"' && memchr(begin, '\\', (size_t)(end - begin))))
		return NULL;
	ret->kind = NODE_STRING;
	ret->text = (struct str){ begin, (size_t)(end - begin) };
	return place(p, at, end + 1, ret) ? end + 1 : NULL;
}

/* The colon after a key; NULL: this is none. */
static const char *
find_colon(const struct plain *p, const char *at)
{
	const char *end = at;

	while (end < p->line_end && (is_word_char(*end) || (end > at && (*end == '-' || *end == '.'))))
		end++;
	if (end == at || end == p->line_end || *end != ':' || end - at > KEY_MAX_BYTES)
		return NULL;
	return end + 1 == p->line_end || end[1] == ' ' ? end : NULL;
}

/* Returns the place after the colon; NULL: this is no key. */
static const char *
read_key(struct plain *p, const char *at)
{
	const char *colon = find_colon(p, at);
	struct node key = { 0 };

	if (!colon || !set_plain(p, at, colon, &key))
		return NULL;
	node_stack_push(&p->stack, &key);
	return colon + 1;
}

/* ---- lists and maps on one line ---- */

static const char *
read_flow_plain(struct plain *p, const char *at, struct node *ret)
{
	const char *end = at, *next;

	if (!begins_plain(at, p->line_end))
		return NULL;
	while (end < p->line_end && (is_word_char(*end) || strchr(" -./+$()<=^~\\@;", *end)))
		end++;
	next = end;
	while (end[-1] == ' ')
		end--;
	return set_plain(p, at, end, ret) ? next : NULL;
}

/* After the opening bracket. Returns the place after the one that closes it. */
static const char *
read_flow_items(struct plain *p, const char *at, int depth, struct node *ret)
{
	char close = ret->kind == NODE_LIST ? ']' : '}';
	size_t first = p->stack.count;
	bool is_first = true;

	while ((at = skip_blanks(at, p->line_end)) < p->line_end && !(is_first && *at == close)) {
		struct node value = { 0 };

		if (ret->kind == NODE_MAP && !(at = read_key(p, at)))
			return NULL;
		at = read_flow(p, skip_blanks(at, p->line_end), depth, &value);
		if (!at)
			return NULL;
		node_stack_push(&p->stack, &value);
		at = skip_blanks(at, p->line_end);
		if (at == p->line_end || *at != ',')
			break;
		at++;
		is_first = false;
	}
	if (at == p->line_end || *at != close)
		return NULL;
	node_stack_close(&p->stack, p->arena, first, ret);
	return at + 1;
}

/* A value on the line that has an end of its own. Returns the place after it; NULL: it is something else. */
static const char *
read_flow(struct plain *p, const char *at, int depth, struct node *ret)
{
	const char *end;

	if (at == p->line_end || depth > DEPTH_MAX)
		return NULL;
	if (*at == '\'' || *at == '"')
		return read_quoted(p, at, ret);
	if (*at != '[' && *at != '{')
		return read_flow_plain(p, at, ret);
	ret->kind = *at == '[' ? NODE_LIST : NODE_MAP;
	end = read_flow_items(p, at + 1, depth + 1, ret);
	return end && place(p, at, end, ret) ? end : NULL;
}

/* ---- blocks ---- */

/* What follows a colon or a dash, with the lines that belong to it. */
static bool
read_value(struct plain *p, const char *at, bool is_in_map, int depth, struct node *ret)
{
	int outer = p->indent;
	const char *value = skip_blanks(at, p->line_end);

	if (is_line_over(at, p->line_end)) {
		if (!set_plain(p, at, at, ret))
			return false;
		next_line(p);
		if (!p->body || p->indent < outer ||
		    (p->indent == outer && !(is_in_map && is_dash(p->body, p->line_end))))
			return true;
		*ret = (struct node){ 0 };
		p->nodes_left++;
		return read_block(p, depth + 1, ret);
	}
	if (*value == '\'' || *value == '"' || *value == '[' || *value == '{') {
		const char *end = read_flow(p, value, depth + 1, ret);

		if (!end || !is_line_over(end, p->line_end))
			return false;
	} else if (!read_plain(p, value, ret)) {
		return false;
	}
	next_line(p);
	/* a line that is indented more would belong to the value */
	return !p->body || p->indent <= outer;
}

/* The end of the line; NULL: a value may end before it, at a ':', a '#' or a blank, or the text ends soon. */
static const char *
end_of_words(const struct plain *p, const char *at)
{
	for (; p->end - at > (ptrdiff_t)sizeof(bytes16); at += sizeof(bytes16)) {
		bytes16 c = bytes16_at(at);
		unsigned end = bytes16_mask((bytes16)(c == '\n'));
		unsigned mark = bytes16_mask((bytes16)(c == ':') | (bytes16)(c == '#'));

		if (mark & (end - 1) & ~end) /* one before the first end */
			return NULL;
		if (end) {
			at += __builtin_ctz(end);
			return at[-1] == ' ' ? NULL : at;
		}
	}
	return NULL;
}

/* Reads items as long as each is some words on a line that begins as the one before, as nearly all lines of a long list do. Pushes all
 * but the last. False: the first is something else. */
static bool
read_words(struct plain *p, struct node *ret)
{
	const char *next = p->line_begin, *end;
	int width = p->indent + 2; /* with a dash and a blank */
	bool is_first = true;

	while (width < (int)sizeof(bytes16) && p->end - next > (ptrdiff_t)sizeof(bytes16) &&
	       p->nodes_left > 0) {
		unsigned same = bytes16_mask((bytes16)(bytes16_at(next) == bytes16_at(p->line_begin)));
		const char *word = next + width;

		if (~same & ((1u << width) - 1) || word[-1] != ' ' || !is_word_char(*word) ||
		    !(end = end_of_words(p, word)))
			break;
		if (!is_first) {
			node_stack_push(&p->stack, ret);
			*ret = (struct node){ 0 };
			p->line++;
		}
		p->line_begin = next;
		(void)set_plain(p, word, end, ret);
		next = end + 1;
		is_first = false;
	}
	p->next_line = is_first ? p->next_line : next;
	return !is_first;
}

/* After the dash. The item may be a map that begins on the same line. */
static bool
read_item(struct plain *p, int depth, struct node *ret)
{
	const char *at = p->body + 1, *value = skip_blanks(at, p->line_end);
	int outer = p->indent;

	/* a line that is indented more would belong to the last item */
	if (read_words(p, ret)) {
		next_line(p);
		return !p->body || p->indent <= outer;
	}
	if (!find_colon(p, value))
		return read_value(p, at, false, depth, ret);
	p->body = value;
	p->indent = (int)(value - p->line_begin);
	return read_block(p, depth + 1, ret);
}

/* The list or map that begins at the body. */
static bool
read_block(struct plain *p, int depth, struct node *ret)
{
	int indent = p->indent;
	size_t first = p->stack.count;
	bool is_list = is_dash(p->body, p->line_end);

	ret->kind = is_list ? NODE_LIST : NODE_MAP;
	if (depth > DEPTH_MAX || !place(p, p->body, p->body, ret))
		return false;
	while (p->body && p->indent == indent && is_dash(p->body, p->line_end) == is_list) {
		const char *at = is_list ? p->body : read_key(p, p->body);
		struct node value = { 0 };

		if (!at || !(is_list ? read_item(p, depth, &value) : read_value(p, at, true, depth, &value)))
			return false;
		node_stack_push(&p->stack, &value);
		ret->span.end = value.span.end;
	}
	node_stack_close(&p->stack, p->arena, first, ret);
	/* The outer map goes on at the indentation of a list in it. Nothing else does, and no map or list takes such a line. */
	return !p->body || p->indent <= indent;
}

bool
yaml_read_plain(struct arena *a, struct str text, struct node *ret)
{
	struct arena_mark mark = arena_mark(a);
	struct plain p; /* not zeroed: see node_stack_init() */
	struct node root = { 0 };
	bool is_read = false;

	if (text.n == 0 || !is_ascii(text))
		return false;
	p.arena = a;
	p.text = p.next_line = text.s;
	p.end = text.s + text.n;
	p.line = 0;
	p.nodes_left = YAML_VALUES_LIMIT(text.n);
	node_stack_init(&p.stack);
	node_stack_reserve(&p.stack, text.n / BYTES_PER_NODE);
	next_line(&p);
	if (p.body && p.indent == 0)
		is_read = read_block(&p, 1, &root) && !p.body;
	node_stack_free(&p.stack);
	if (is_read)
		*ret = root;
	else
		arena_reset(a, mark);
	return is_read;
}
