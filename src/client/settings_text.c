/* SPDX-License-Identifier: MIT */
/* The text of a settings file before and after. It knows nothing of what is put in. */
#include "client/settings_text.h"

#include "base/buf.h"
#include "doc/json.h"

bool
settings_is_empty(const struct node *n)
{
	return n && (n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0;
}

struct str
settings_json_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	json_add_string(&b, x);
	return buf_str(&b);
}

int
settings_open(struct arena *a, struct str text, struct str *ret_text, struct node *ret_root, struct err *err)
{
	struct str begin = str_trim(text).n == 0 ? STR("{}\n") : text;

	if (jsonedit_check(a, begin, ret_root, err) < 0)
		return -1;
	*ret_text = begin;
	return 0;
}

void
settings_note_document(struct settings_made *made, struct str text, const struct node *root)
{
	if (settings_is_empty(root))
		settings_made_note(made, STR(""), text);
}

/* Are the two the same but for blanks? Only used on texts without strings in them. */
static bool
is_same_but_blanks(struct str a, struct str b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && str_is_blank(a.s[i]))
			i++;
		while (k < b.n && str_is_blank(b.s[k]))
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (a.s[i++] != b.s[k++])
			return false;
	}
}

static const struct settings_was *
find_was(const struct settings_made *made, struct str place)
{
	for (size_t i = 0; made && i < made->count; i++)
		if (str_eq(made->items[i].place, place))
			return &made->items[i];
	return NULL;
}

bool
settings_was_noted(const struct settings_made *made, struct str place)
{
	return find_was(made, place) != NULL;
}

bool
settings_was_absent(const struct settings_made *made, struct str place)
{
	const struct settings_was *was = find_was(made, place);

	return was && !was->text.s;
}

int
settings_tidy_member(struct arena *a, struct str *text, const struct jsonedit_step *path, size_t depth,
		     struct str place, const struct settings_made *made, struct err *err)
{
	const struct settings_was *was = find_was(made, place);
	struct str now = jsonedit_find(*text, path, depth);

	if (!made || (was && !was->text.s))
		return jsonedit_remove(a, *text, path, depth, text, err);
	if (was && !str_eq(now, was->text) && is_same_but_blanks(now, was->text))
		return jsonedit_replace(a, *text, path, depth, was->text, text, err);
	return 0;
}

struct str
settings_tidy_document(struct str text, const struct node *root, const struct settings_made *made)
{
	const struct settings_was *was = find_was(made, STR(""));

	if (!was || !settings_is_empty(root))
		return text;
	bool was_blank = str_trim(was->text).n == 0;

	return is_same_but_blanks(text, was_blank ? STR("{}") : was->text) ? was->text : text;
}
