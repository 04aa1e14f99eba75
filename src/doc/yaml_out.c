/* SPDX-License-Identifier: MIT */
/* The YAML writer. Strings are plain or in double quotes: the other styles have more rules to get wrong. */
#include "doc/yaml_out.h"

#include "doc/json.h"

/* Letters, digits and the punctuation of names and paths, of which a letter or a slash comes first; and not a word that
 * some reader takes for a boolean or null. */
static bool
is_plain(struct str x)
{
	static const char *const words[] = { "y", "n", "yes", "no", "on", "off", "true", "false", "null" };

	if (x.n == 0 || (!is_letter(x.s[0]) && x.s[0] != '/') || x.s[x.n - 1] == ':')
		return false;
	for (size_t i = 0; i < x.n; i++) {
		char c = x.s[i];

		if (!is_letter(c) && !is_digit(c) && c != '_' && c != '.' && c != '/' && c != '-' && c != ':')
			return false;
	}
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (str_is_word(x, words[i]))
			return false;
	return true;
}

static void
add_quoted(struct buf *b, struct str x)
{
	size_t n;

	buf_addc(b, '"');
	for (; x.n > 0; x = str_rest(x, n)) {
		uint32_t c = utf8_decode(x, &n);

		if (utf8_is_bad(c, n))
			buf_add(b, UTF8_REPLACEMENT_TEXT);
		else if (c == '"' || c == '\\')
			buf_addf(b, "\\%c", (char)c);
		/* Not control characters, what YAML takes for a line break, or what cannot be seen. */
		else if (c >= ' ' && !(c >= 0x7F && c <= 0xA0) && c != 0x2028 && c != 0x2029 && c != 0xFEFF &&
			 c != 0xFFFE && c != 0xFFFF)
			buf_add(b, str_sub(x, 0, n));
		else if (c == '\n' || c == '\t' || c == '\r')
			buf_add(b, c == '\n' ? STR("\\n") : c == '\t' ? STR("\\t") : STR("\\r"));
		else if (c <= 0xFF)
			buf_addf(b, "\\x%02x", (unsigned)c);
		else
			buf_addf(b, "\\u%04x", (unsigned)c);
	}
	buf_addc(b, '"');
}

struct str
yaml_quote(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SIZE_MAX);

	add_quoted(&b, x);
	return buf_str(&b);
}

void
yaml_add_string(struct buf *b, struct str x)
{
	if (is_plain(x))
		buf_add(b, x);
	else
		add_quoted(b, x);
}

static void
add_scalar(struct buf *b, const struct node *n)
{
	buf_addc(b, ' ');
	if (n->kind == NODE_STRING)
		yaml_add_string(b, n->text);
	else if (n->kind == NODE_FLOAT)
		buf_add(b, n->text);
	else
		json_add_node(b, n);
	buf_addc(b, '\n');
}

void
yaml_add_value(struct buf *b, const struct node *n, int indent)
{
	if (n->count == 0 || (n->kind != NODE_MAP && n->kind != NODE_LIST)) {
		add_scalar(b, n);
		return;
	}
	buf_addc(b, '\n');
	for (size_t i = 0; i < n->count; i++) {
		buf_addf(b, "%*s", indent, "");
		if (n->kind == NODE_LIST) {
			buf_addc(b, '-');
			yaml_add_value(b, &n->items[i], indent + 2);
		} else {
			yaml_add_string(b, n->entries[i].key);
			buf_addc(b, ':');
			yaml_add_value(b, &n->entries[i].value, indent + 2);
		}
	}
}
