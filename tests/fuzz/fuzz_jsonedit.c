/* SPDX-License-Identifier: MIT */
/* Edits: what is appended is found and comes out again without a trace; any item can be taken out of an accepted text
 * and leaves one that is accepted. The first byte is the item. */
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

static void
check_append(struct arena *a, struct str text, const struct jsonedit_step *path, size_t depth,
	     const char *key, size_t index)
{
	struct jsonedit_step inner[] = { depth ? path[0] : (struct jsonedit_step){ 0 }, { 0 } };
	struct str with, without;
	struct err err;

	inner[depth] = (struct jsonedit_step){ .key = key, .index = index };
	if (jsonedit_append(a, text, path, depth, key, STR("{\n  \"x\": [\n    1\n  ]\n}"), &with, &err) < 0)
		return; /* the key is there already */
	(void)meaning(a, with);
	if (!jsonedit_find(with, inner, depth + 1).s)
		abort();
	if (jsonedit_remove(a, with, inner, depth + 1, &without, &err) < 0)
		abort();
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
	struct str out;
	const char *key;

	if (n == 0)
		return 0;
	struct str text = { (const char *)data + 1, n - 1 };

	(void)jsonedit_find(text, &(struct jsonedit_step){ .key = "a" }, 1);
	if (jsonedit_check(&a, text, &root, &err) < 0)
		return 0;
	check_append(&a, text, NULL, 0, "new", 0);
	if (root.count == 0)
		return 0;
	const struct node_entry *e = &root.entries[data[0] % root.count];

	if (str_cz(&a, e->key, &key, &err) < 0)
		return 0;
	const struct jsonedit_step path[] = { { .key = key } };
	const struct node *value = node_get(&root, key);

	if (!jsonedit_find(text, path, 1).s)
		abort();
	if (value->kind == NODE_MAP || value->kind == NODE_LIST)
		check_append(&a, text, path, 1, value->kind == NODE_MAP ? "new" : NULL, value->count);
	if (jsonedit_remove(&a, text, path, 1, &out, &err) < 0 || jsonedit_check(&a, out, &rest, &err) < 0)
		abort();
	if (rest.count != root.count - 1)
		abort();
	return 0;
}
