/* SPDX-License-Identifier: MIT */
/* YAML: a valid document stays within the bounds, aliases counted in full, and becomes JSON that reads back; a schema
 * reads it or says in one line each what is wrong. */
#include "base/buf.h"
#include "conf/schema.h"
#include "doc/json.h"
#include "doc/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct thing {
	struct str name;
	bool flag;
	int64_t count, number;
	struct str text, pattern;
	struct str_list names;
	struct thing *people, *things;
	size_t person_count, thing_count;
	struct thing *inner;
};

static const struct field fields[];
#define FIELD_COUNT 10
#define THING .fields = fields, .field_count = FIELD_COUNT

static const struct field string_item = { .type = FIELD_STRING };
static const struct field thing_item = { .type = FIELD_OBJECT, .short_key = "text", THING };
static const struct field thing_list = { .type = FIELD_LIST, .item = &thing_item };
static const struct field fields[FIELD_COUNT] = {
	FIELD(struct thing, flag, "flag", FIELD_BOOL),
	FIELD(struct thing, count, "count", FIELD_INTEGER, .least = 1, .most = 9),
	FIELD(struct thing, number, "number", FIELD_SECONDS),
	FIELD(struct thing, text, "text", FIELD_TEXT),
	FIELD(struct thing, pattern, "pattern", FIELD_GLOB),
	FIELD_ITEMS(struct thing, names.items, names.count, "names", FIELD_LIST, .item = &string_item,
		    .size = sizeof(struct str)),
	FIELD_ITEMS(struct thing, people, person_count, "people", FIELD_MAP, .item = &thing_item,
		    .size = sizeof(struct thing)),
	CHECKED("table", FIELD_MAP, .item = &thing_list, .has_pattern_keys = true),
	FIELD_ITEMS(struct thing, things, thing_count, "things", FIELD_LIST, .item = &thing_item,
		    .size = sizeof(struct thing)),
	FIELD(struct thing, inner, "inner", FIELD_OBJECT, .is_nullable = true, .size = sizeof(struct thing),
	      THING),
};
static const struct schema schemas[] = {
	{ .root = { .type = FIELD_OBJECT, THING }, .null_is_unset = true, .allows_nul = true },
	{ .root = { .type = FIELD_OBJECT, THING }, .allows_unknown = true },
};

static size_t
weigh(const struct node *n, size_t length, int depth)
{
	size_t weight = 1;

	if (depth > YAML_DEPTH_LIMIT || n->span.begin > n->span.end || n->span.end > length)
		abort();
	for (size_t i = 0; i < n->count; i++)
		weight += n->kind == NODE_LIST ? weigh(&n->items[i], length, depth + 1)
					       : 1 + weigh(&n->entries[i].value, length, depth + 1);
	return weight;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node tree, again;
	struct err err = { .msg = "" };
	struct buf b = BUF(&a, SIZE_MAX);

	if (yaml_parse(&a, (struct str){ (const char *)data, n }, &tree, &err) < 0) {
		if (!err.msg[0] || str_find_char(str_from(err.msg), '\n') >= 0)
			abort();
		return 0;
	}
	if (weigh(&tree, n, 0) > YAML_VALUES_LIMIT(n) + 1)
		abort();
	json_add_node(&b, &tree);
	if (json_parse(&a, buf_str(&b), &again, &err) < 0)
		abort();
	for (size_t i = 0; i < COUNT_OF(schemas); i++) {
		struct config_problems problems = { 0 };
		struct thing thing = { 0 };

		schema_read(&a, &schemas[i], &tree, &thing, STR("f"), &problems);
		for (size_t k = 0; k < problems.count; k++)
			if (str_find_char(problem_text(&a, &problems.items[k]), '\n') >= 0)
				abort();
	}
	return 0;
}
