/* SPDX-License-Identifier: MIT */
/* The JSON writer. Escapes what RFC 8259 demands and the two line separators that break JavaScript, nothing else. */
#include "doc/json.h"
#include "doc/json_lex.h"

#include "base/utf8.h"

#include <string.h>

/* Is there U+2028 or U+2029 at the offset? */
static bool
is_line_separator(struct str x, size_t at)
{
	return x.n - at >= 3 && memcmp(x.s + at, "\xE2\x80", 2) == 0 &&
	       ((unsigned char)x.s[at + 2] & 0xFE) == 0xA8;
}

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
		uint32_t cp = utf8_decode(str_sub(x, at, x.n), &n);

		if (utf8_is_bad(cp, n) || is_line_separator(x, at))
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
		} else if (is_line_separator(x, at)) {
			buf_add(b, x.s[at + 2] == '\xA8' ? STR("\\u2028") : STR("\\u2029"));
			at += 3;
		} else {
			buf_add(b, UTF8_REPLACEMENT_TEXT);
			at++;
		}
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

static void
add_key(struct buf *b, struct str key)
{
	if (b->n > 0 && b->s[b->n - 1] != '{' && b->s[b->n - 1] != '[')
		buf_addc(b, ',');
	json_add_string(b, key);
	buf_addc(b, ':');
}

void
json_add_key(struct buf *b, const char *key)
{
	add_key(b, str_from(key));
}

void
json_add_member(struct buf *b, const char *key, struct str value)
{
	json_add_key(b, key);
	json_add_string(b, value);
}

void
json_add_member_int(struct buf *b, const char *key, int64_t value)
{
	json_add_key(b, key);
	if (value < 0)
		buf_addc(b, '-');
	buf_add_number(b, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void
json_add_member_bool(struct buf *b, const char *key, bool value)
{
	json_add_key(b, key);
	buf_add(b, value ? STR("true") : STR("false"));
}

static void
add_number(struct buf *b, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node n;
	struct err err;

	if (json_parse(&scratch, text, &n, &err) == 0 && (n.kind == NODE_FLOAT || n.kind == NODE_INT))
		buf_add(b, n.text);
	else
		json_add_string(b, text);
}

void
json_add_node(struct buf *b, const struct node *n)
{
	switch (n->kind) {
	case NODE_NULL:
		buf_add(b, STR("null"));
		break;
	case NODE_BOOL:
		buf_add(b, n->boolean ? STR("true") : STR("false"));
		break;
	case NODE_INT:
		buf_addf(b, "%lld", (long long)n->integer);
		break;
	case NODE_FLOAT:
		add_number(b, n->text);
		break;
	case NODE_STRING:
		json_add_string(b, n->text);
		break;
	case NODE_LIST:
		buf_addc(b, '[');
		for (size_t i = 0; i < n->count; i++) {
			if (i > 0)
				buf_addc(b, ',');
			json_add_node(b, &n->items[i]);
		}
		buf_addc(b, ']');
		break;
	case NODE_MAP:
		buf_addc(b, '{');
		for (size_t i = 0; i < n->count; i++) {
			add_key(b, n->entries[i].key);
			json_add_node(b, &n->entries[i].value);
		}
		buf_addc(b, '}');
		break;
	}
}

static void
add_line(struct buf *b, size_t depth)
{
	buf_addc(b, '\n');
	for (size_t i = 0; i < depth; i++)
		buf_add(b, STR("  "));
}

void
json_add_node_indented(struct buf *b, const struct node *n, size_t depth)
{
	bool is_map = n->kind == NODE_MAP;

	if ((!is_map && n->kind != NODE_LIST) || n->count == 0) {
		json_add_node(b, n);
		return;
	}
	buf_addc(b, is_map ? '{' : '[');
	for (size_t i = 0; i < n->count; i++) {
		if (i > 0)
			buf_addc(b, ',');
		add_line(b, depth + 1);
		if (is_map) {
			json_add_string(b, n->entries[i].key);
			buf_add(b, STR(": "));
		}
		json_add_node_indented(b, is_map ? &n->entries[i].value : &n->items[i], depth + 1);
	}
	add_line(b, depth);
	buf_addc(b, is_map ? '}' : ']');
}
