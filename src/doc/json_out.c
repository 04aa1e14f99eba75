/* SPDX-License-Identifier: MIT */
/* The JSON writer. Escapes what RFC 8259 demands, the two line separators that break JavaScript, and what controls a
 * terminal or turns the direction of text, nothing else. */
#include "doc/json.h"
#include "doc/json_lex.h"

static void
add_escape(struct buf *b, unsigned char c)
{
	static const char letters[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
					['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };
	static const char digits[] = "0123456789abcdef";

	if (c == '\0')
		return;
	buf_addc(b, '\\');
	if (letters[c])
		buf_addc(b, letters[c]);
	else
		buf_add(b, (struct str){ (char[]){ 'u', '0', '0', digits[c >> 4], digits[c & 15] }, 5 });
}

/* How many bytes from `at` can be written as they are. */
static size_t
plain_run(struct str x, size_t at)
{
	size_t from = at;

	for (;;) {
		size_t n;

		at = (size_t)(json_skip_plain(x.s + at, x.s + x.n) - x.s);
		if (at == x.n || (unsigned char)x.s[at] < 0x80)
			return at - from;
		uint32_t cp = utf8_decode(str_rest(x, at), &n);

		/* Characters above ASCII that are written as escapes. */
		if (utf8_is_bad(cp, n) || cp == 0x2028 || cp == 0x2029 || is_control(cp))
			return at - from;
		at += n;
	}
}

void
json_add_string(struct buf *b, struct str x)
{
	size_t at = 0;

	buf_addc(b, '"');
	while (at < x.n) {
		size_t n = plain_run(x, at);

		buf_add(b, str_sub(x, at, at + n));
		at += n;
		if (at == x.n)
			break;
		unsigned char c = (unsigned char)x.s[at];

		if (c < 0x80) {
			add_escape(b, c);
			at++;
			continue;
		}
		uint32_t cp = utf8_decode(str_rest(x, at), &n);

		if (utf8_is_bad(cp, n))
			buf_add(b, UTF8_REPLACEMENT_TEXT);
		else
			buf_addf(b, "\\u%04x", (unsigned)cp);
		at += n;
	}
	buf_addc(b, '"');
}

void
json_add_strings(struct buf *b, const struct str *items, size_t count)
{
	buf_addc(b, '[');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_addc(b, ',');
		json_add_string(b, items[i]);
	}
	buf_addc(b, ']');
}

/* A comma after a value that came before; none after a bracket, a key, or a line before the JSON. */
static void
add_comma(struct buf *b)
{
	if (b->n > 0 && !memchr("{[:\n", b->s[b->n - 1], 4))
		buf_addc(b, ',');
}

void
json_add_key(struct buf *b, const char *key)
{
	add_comma(b);
	json_add_string(b, str_from(key));
	buf_addc(b, ':');
}

void
json_open(struct buf *b, const char *key, char bracket)
{
	if (key)
		json_add_key(b, key);
	else
		add_comma(b);
	buf_addc(b, bracket);
}

void
json_close(struct buf *b, const char *brackets)
{
	buf_add(b, str_from(brackets));
}

void
json_add_members(struct buf *b, const struct json_value *members, size_t count)
{
	for (size_t i = 0; i < count; i += 2) {
		const struct json_value *value = &members[i + 1];
		bool is_text = value->kind == NODE_STRING || value->kind == NODE_MAP;

		if (value->kind == NODE_NULL || (is_text && !value->text.s))
			continue;
		json_add_key(b, members[i].text.s);
		if (value->kind == NODE_STRING)
			json_add_string(b, value->text);
		else if (value->kind == NODE_LIST)
			json_add_strings(b, value->list->items, value->list->count);
		else if (value->kind == NODE_INT)
			buf_cat(b, value->number);
		else
			buf_add(b, is_text ? value->text : value->number ? STR("true") : STR("false"));
	}
}

struct str
json_object_of(struct arena *a, const struct json_value *members, size_t count, const char *end)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_open(&b, NULL, '{');
	json_add_members(&b, members, count);
	json_close(&b, end);
	return buf_str(&b);
}

static void
add_number(struct buf *b, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;

	if (json_parse(&scratch, text, &n, IGNORED) == 0 && (n.kind == NODE_FLOAT || n.kind == NODE_INT))
		buf_add(b, n.text);
	else
		json_add_string(b, text);
}

static void
add_line(struct buf *b, size_t depth)
{
	buf_addc(b, '\n');
	for (size_t i = 0; i < depth; i++)
		buf_add(b, STR("  "));
}

#define ON_ONE_LINE SIZE_MAX

static void
add_tree(struct buf *b, const struct node *n, size_t depth)
{
	bool is_map = n->kind == NODE_MAP, is_indented = depth != ON_ONE_LINE && n->count > 0;

	switch (n->kind) {
	case NODE_NULL:
		buf_add(b, STR("null"));
		return;
	case NODE_BOOL:
		buf_add(b, n->boolean ? STR("true") : STR("false"));
		return;
	case NODE_INT:
		buf_cat(b, n->integer);
		return;
	case NODE_FLOAT:
		add_number(b, n->text);
		return;
	case NODE_STRING:
		json_add_string(b, n->text);
		return;
	case NODE_LIST:
	case NODE_MAP:
		break;
	}
	buf_addc(b, is_map ? '{' : '[');
	for (size_t i = 0; i < n->count; i++) {
		if (i > 0)
			buf_addc(b, ',');
		if (is_indented)
			add_line(b, depth + 1);
		if (is_map) {
			json_add_string(b, n->entries[i].key);
			buf_add(b, is_indented ? STR(": ") : STR(":"));
		}
		add_tree(b, is_map ? &n->entries[i].value : &n->items[i], is_indented ? depth + 1 : depth);
	}
	if (is_indented)
		add_line(b, depth);
	buf_addc(b, is_map ? '}' : ']');
}

void
json_add_node(struct buf *b, const struct node *n)
{
	add_tree(b, n, ON_ONE_LINE);
}

struct str
json_of_node(struct arena *a, const struct node *n)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, n);
	return buf_str(&b);
}

void
json_add_node_indented(struct buf *b, const struct node *n, size_t depth)
{
	add_tree(b, n, depth);
}
