/* SPDX-License-Identifier: MIT */
/* YAML: what is accepted stays within the bounds, aliases counted in full, and becomes JSON that reads back; a table
 * takes it or says in one line why not. */
#include "doc/decode.h"
#include "doc/json.h"
#include "doc/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct thing {
	bool flag;
	int64_t count;
	double number;
	struct str text;
	struct decode_list names, table, things;
	struct thing *inner;
};

static const struct field fields[];
#define FIELD_COUNT 8
#define THINGS .fields = fields, .field_count = FIELD_COUNT, .item_size = sizeof(struct thing)

static const struct field fields[FIELD_COUNT] = {
	FIELD(struct thing, flag, "flag", decode_bool),
	FIELD(struct thing, count, "count", decode_int, .least = 1, .most = 9),
	FIELD(struct thing, number, "number", decode_number),
	FIELD(struct thing, text, "text", decode_str),
	FIELD(struct thing, names, "names", decode_list),
	FIELD(struct thing, table, "table", decode_table, THINGS),
	FIELD(struct thing, things, "things", decode_list, THINGS),
	FIELD(struct thing, inner, "inner", decode_opt_object, THINGS),
};

static size_t
weigh(const struct node *n, int depth)
{
	size_t weight = 1;

	if (depth > YAML_DEPTH_LIMIT)
		abort();
	for (size_t i = 0; i < n->count; i++)
		weight += n->kind == NODE_LIST ? weigh(&n->items[i], depth + 1)
					       : 1 + weigh(&n->entries[i].value, depth + 1);
	return weight;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct thing thing = { 0 };
	struct node tree, again;
	struct err err = { .msg = "" };
	struct buf b = BUF(&a, SIZE_MAX);

	if (yaml_parse(&a, (struct str){ (const char *)data, n }, &tree, &err) < 0) {
		if (!err.msg[0] || str_find_char(str_from(err.msg), '\n') >= 0)
			abort();
		return 0;
	}
	if (weigh(&tree, 0) > VALUES_LIMIT(n) + 1)
		abort();
	json_add_node(&b, &tree);
	if (json_parse(&a, buf_str(&b), &again, &err) < 0)
		abort();
	if (decode_map(&a, &tree, fields, FIELD_COUNT, &thing, NULL, &err) < 0 &&
	    (!err.msg[0] || str_find_char(str_from(err.msg), '\n') >= 0))
		abort();
	return 0;
}
