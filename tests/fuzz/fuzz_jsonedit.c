/* SPDX-License-Identifier: MIT */
/* Edits: removing what was appended restores the text; after the removal of any items from a valid text, the text is still
 * valid. The bits of the first byte say which items. */
#include "doc/json.h"
#include "doc/jsonedit.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A carriage return without its newline is a blank whose neighbour may make a line break of it. */
static bool
has_odd_return(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] == '\r' && (i + 1 == text.n || text.s[i + 1] != '\n'))
			return true;
	return false;
}

static struct str
meaning(struct arena *a, struct str text)
{
	struct node n;
	struct err err;
	struct buf b = BUF(a, SIZE_MAX);

	if (jsonedit_check(a, text, &n, &err) < 0)
		abort();
	json_add_node(&b, &n);
	return buf_str(&b);
}

static struct jsonedit
opened(struct arena *a, struct str text)
{
	struct jsonedit j;
	struct err err;

	if (jsonedit_open(a, text, &j, &err) < 0)
		abort();
	return j;
}

/* The object or list at that position of the root, or the root itself. */
static const struct node *
list_at(const struct jsonedit *j, size_t nth)
{
	return nth < j->root.count ? &j->root.entries[nth].value : &j->root;
}

/* Appends two items, and removes them. */
static void
check_append(struct arena *a, struct str text, size_t nth)
{
	struct jsonedit j = opened(a, text);
	const struct node *list = list_at(&j, nth);
	bool is_map = list->kind == NODE_MAP;
	const struct json_item items[] = {
		{ is_map ? "new" : NULL, STR("{\n  \"x\": [\n    1\n  ]\n}") },
		{ is_map ? "newer" : NULL, STR("2") },
	};

	jsonedit_append(&j, list, items, 2);
	struct jsonedit k = opened(a, edit_apply(&j.edit, a));
	const struct node *longer = nth < j.root.count ? list_at(&k, nth) : &k.root;
	bool *marks = arena_array(a, longer->count, bool);

	if (longer->count != list->count + 2)
		abort();
	marks[list->count] = marks[list->count + 1] = true;
	jsonedit_remove(&k, longer, marks);
	struct str without = edit_apply(&k.edit, a);

	if (!str_eq(meaning(a, without), meaning(a, text)) ||
	    (!has_odd_return(text) && !str_eq(text, without)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node root, rest;
	struct err err;
	size_t removed = 0;

	if (n == 0)
		return 0;
	struct str text = { (const char *)data + 1, n - 1 };

	if (jsonedit_check(&a, text, &root, &err) < 0)
		return 0;
	check_append(&a, text, root.count);
	for (size_t i = 0; i < root.count && i < 8; i++)
		if (root.entries[i].value.kind == NODE_MAP || root.entries[i].value.kind == NODE_LIST)
			check_append(&a, text, i);
	struct jsonedit j = opened(&a, text);
	bool *marks = arena_array(&a, root.count, bool);

	for (size_t i = 0; i < root.count; i++) {
		marks[i] = data[0] >> i % 8 & 1;
		removed += marks[i];
	}
	jsonedit_remove(&j, &j.root, marks);
	if (jsonedit_check(&a, edit_apply(&j.edit, &a), &rest, &err) < 0 ||
	    rest.count != root.count - removed)
		abort();
	return 0;
}
