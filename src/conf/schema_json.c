/* SPDX-License-Identifier: MIT */
/* Writes a JSON Schema of a configuration file, for editors. An object that is the item of a list becomes a definition, named
 * by the first key that uses it. */
#include "conf/schema.h"

#include "base/buf.h"
#include "base/cat.h"
#include "base/duration.h"
#include "doc/json.h"

#include <stdint.h>
#include <string.h>

#define SCHEMA_LIMIT_BYTES MIB(1)
#define OBJECTS_MAX 32

struct writer {
	struct arena *arena;
	const struct field *objects[OBJECTS_MAX]; /* those that need a definition */
	struct str names[OBJECTS_MAX];
	size_t object_count;
	bool allows_unknown;
};

static void describe(struct writer *s, const struct field *f, const struct config_path *at,
		     bool is_definition, struct node *to);

static void
put(struct writer *s, struct node *map, const char *key, struct node value)
{
	*arena_push(s->arena, map->entries, map->count) = (struct node_entry){ .key = str_from(key),
									       .value = value };
}

static struct node
pair(struct writer *s, const char *key, struct node value)
{
	struct node map = { .kind = NODE_MAP };

	put(s, &map, key, value);
	return map;
}

#define LIST(s, ...) \
	list_of((s), (const struct node[]){ __VA_ARGS__ }, COUNT_OF(((const struct node[]){ __VA_ARGS__ })))
static struct node
list_of(struct writer *s, const struct node *items, size_t count)
{
	struct node list = { .kind = NODE_LIST };

	for (size_t i = 0; i < count; i++)
		*arena_push(s->arena, list.items, list.count) = items[i];
	return list;
}

static struct node
string_of(const char *text)
{
	return node_text(str_from(text));
}

static void
put_type(struct writer *s, struct node *to, const char *type, bool may_be_null)
{
	put(s, to, "type", may_be_null ? LIST(s, string_of(type), string_of("null")) : string_of(type));
}

/* What may stand in place of an object that has a short form. */
static const char *
short_type(const struct field *f)
{
	enum field_type type = field_row(f, str_from(f->short_key))->type;

	return type == FIELD_INTEGER                      ? "integer"
	       : type == FIELD_FLAG || type == FIELD_BOOL ? "boolean"
							  : "string";
}

/* A reference to an item's object, which is described later. */
static struct node
reference_to(struct writer *s, const struct field *f, const struct config_path *at)
{
	size_t i = 0;

	while (!at->name.s)
		at = at->outer;
	while (i < s->object_count && s->objects[i]->fields != f->fields)
		i++;
	if (i == s->object_count && i < OBJECTS_MAX) {
		s->objects[i] = f;
		s->names[i] = str_copy(s->arena, config_path_text(s->arena, at));
		s->object_count++;
	}
	struct node to = pair(s, "$ref", string_of(str_cat(s->arena, "#/definitions/", s->names[i]).s));

	return f->short_key ? pair(s, "anyOf", LIST(s, pair(s, "type", string_of(short_type(f))), to)) : to;
}

static bool
is_boolean(struct str text)
{
	return str_is(text, "true") || str_is(text, "false");
}

static void
put_choices(struct writer *s, struct node *to, const struct field *f)
{
	struct node list = { .kind = NODE_LIST };

	for (size_t i = 0; f->choices[i]; i++) {
		struct node *choice = arena_push(s->arena, list.items, list.count);

		*choice = string_of(f->choices[i]);
		/* YAML reads these two as booleans. */
		if (is_boolean(choice->text))
			*choice = (struct node){ .kind = NODE_BOOL, .boolean = str_is(choice->text, "true") };
	}
	put(s, to, "enum", list);
}

static void
put_default(struct writer *s, struct node *to, const struct field *f)
{
	struct str text = str_from(f->default_text);
	bool is_text = f->type == FIELD_DURATION || (f->type >= FIELD_STRING && f->type <= FIELD_CHOICE);
	struct node value = string_of(f->default_text);
	struct err ignored;

	if (!text.s || f->is_default_described)
		return;
	bool is_json = !is_text || str_is(text, "null") || (f->type == FIELD_CHOICE && is_boolean(text));

	if (!is_json || json_parse(s->arena, text, &value, &ignored) == 0)
		put(s, to, "default", value);
}

static void
put_object(struct writer *s, struct node *to, const struct field *f, const struct config_path *at)
{
	struct node properties = { .kind = NODE_MAP }, required = { .kind = NODE_LIST }, any = required;
	struct node is_open = { .kind = NODE_BOOL, .boolean = s->allows_unknown };

	for (size_t i = 0; i < f->field_count; i++) {
		const struct field *row = &f->fields[i];
		const struct config_path inner = { .outer = at, .name = str_from(row->key) };
		struct node property = { .kind = NODE_MAP };

		is_open.boolean |= row->type == FIELD_OTHERS;
		if (row->type == FIELD_OTHERS || row->type == FIELD_REMOVED)
			continue;
		if (row->is_required)
			*arena_push(s->arena, required.items, required.count) = string_of(row->key);
		/* Without a help text it is accepted, and not for anybody to use. */
		if (row->help) {
			put(s, &property, "description", string_of(row->help));
			put_default(s, &property, row);
			describe(s, row, &inner, false, &property);
		}
		put(s, &properties, row->key, property);
	}
	put(s, to, "properties", properties);
	if (required.count > 0)
		put(s, to, "required", required);
	put(s, to, "additionalProperties", is_open);
	for (size_t i = 0; f->any_of && f->any_of[i]; i++)
		*arena_push(s->arena, any.items, any.count) = pair(s, "required",
								   LIST(s, string_of(f->any_of[i])));
	if (any.count > 0)
		put(s, to, "anyOf", any);
}

/* Adds what a value of this row is. */
static void
describe(struct writer *s, const struct field *f, const struct config_path *at, bool is_definition,
	 struct node *to)
{
	bool is_list = f->type == FIELD_LIST;

	if (f->type == FIELD_OBJECT && !f->key && at && !is_definition) {
		*to = reference_to(s, f, at);
	} else if (f->type == FIELD_OBJECT) {
		/* YAML reads an empty section as null; an item of a list can't be empty. */
		if (f->key && f->short_key)
			put(s, to, "type",
			    LIST(s, string_of(short_type(f)), string_of("object"), string_of("null")));
		else
			put_type(s, to, "object", !is_definition);
		put_object(s, to, f, at);
	} else if (f->takes_one) {
		struct node item = reference_to(s, f->item, at), list = pair(s, "type", string_of("array"));

		put(s, &list, "items", item);
		put(s, to, "anyOf", LIST(s, item, list, pair(s, "type", string_of("null"))));
	} else if (f->type == FIELD_NAMED) {
		struct node map = pair(s, "type", string_of("object"));

		put(s, &map, "minProperties", node_int(1));
		put(s, &map, "maxProperties", node_int(1));
		put(s, &map, "additionalProperties", reference_to(s, f->item, at));
		put(s, to, "anyOf", LIST(s, pair(s, "type", string_of("string")), map));
	} else if (is_list || f->type == FIELD_MAP) {
		const struct config_path inner = { .outer = at,
						   .name = is_list || f->has_pattern_keys ? STR_NONE
											  : STR("NAME"),
						   .index = SIZE_MAX };
		struct node item = { .kind = NODE_MAP };

		put_type(s, to, is_list ? "array" : "object", true);
		describe(s, f->item, &inner, false, &item);
		put(s, to, is_list ? "items" : "additionalProperties", item);
	} else if (f->type == FIELD_BOOL || f->type == FIELD_FLAG) {
		put_type(s, to, "boolean", true);
	} else if (f->type >= FIELD_INTEGER && f->type <= FIELD_MEGABYTES) {
		put_type(s, to, f->type == FIELD_INTEGER || f->type == FIELD_WHOLE ? "integer" : "number",
			 !f->is_required);
		if (f->least != 0 || f->most != 0)
			put(s, to, "minimum", node_int(f->least));
		if (f->most != 0 && !f->is_clamped)
			put(s, to, "maximum", node_int(f->most));
	} else if (f->type == FIELD_CHOICE) {
		put_choices(s, to, f);
	} else {
		put_type(s, to, "string", f->key && !f->is_required);
		if (f->type == FIELD_DURATION)
			put(s, to, "pattern", string_of("^([0-9]+(ms|s|m|h))+$"));
	}
}

struct str
schema_json(struct arena *a, const struct schema *schema, const char *description)
{
	struct writer s = { .arena = a, .allows_unknown = schema->allows_unknown };
	struct node root = { .kind = NODE_MAP }, definitions = root;
	struct buf text = BUF(a, SCHEMA_LIMIT_BYTES);

	put(&s, &root, "$schema", string_of("http://json-schema.org/draft-07/schema#"));
	put(&s, &root, "title", string_of(schema->file));
	put(&s, &root, "description", string_of(description));
	describe(&s, &schema->root, NULL, false, &root);
	/* Definitions refer to others, so the list may grow. */
	for (size_t i = 0; i < s.object_count; i++) {
		const struct config_path name = { .name = s.names[i] }, at = { &name, .index = SIZE_MAX };
		struct node definition = { .kind = NODE_MAP };

		describe(&s, s.objects[i], &at, true, &definition);
		put(&s, &definitions, s.names[i].s, definition);
	}
	put(&s, &root, "definitions", definitions);
	json_add_node_indented(&text, &root, 0);
	buf_addc(&text, '\n');
	return buf_str(&text);
}

/* ---- values ---- */

struct str
member_json(struct arena *a, const struct field *f, const void *member)
{
	struct buf b = BUF(a, SIZE_MAX);
	int64_t number = f->type >= FIELD_FLAG && f->type < FIELD_STRING ? *(const int64_t *)member : 0;
	bool is_unset = number < 0 ||
			((f->type == FIELD_WHOLE || f->type == FIELD_INTEGER) && number < f->least) ||
			(f->type == FIELD_SECONDS && number == 0);
	struct str_list list;

	switch (f->type) {
	case FIELD_LIST:
		memcpy(&list, member, sizeof(list));
		json_add_strings(&b, list.items, list.count);
		break;
	case FIELD_BOOL:
		buf_add(&b, *(const bool *)member ? STR("true") : STR("false"));
		break;
	case FIELD_FLAG:
		buf_add(&b, is_unset ? STR("null") : number ? STR("true") : STR("false"));
		break;
	case FIELD_SECONDS:
		if (is_unset)
			buf_add(&b, STR("null"));
		else
			buf_addf(&b, "%.15g", (double)number / 1000);
		break;
	case FIELD_DURATION:
		json_add_string(&b, duration_text(a, number));
		break;
	case FIELD_MEGABYTES:
		buf_addf(&b, "%.6g", (double)number / (double)MIB(1));
		break;
	case FIELD_INTEGER:
	case FIELD_WHOLE:
	case FIELD_FLOOR:
	case FIELD_CEILING:
		if (is_unset)
			buf_add(&b, STR("null"));
		else
			buf_addf(&b, "%jd", (intmax_t)number);
		break;
	default:
		if (((const struct str *)member)->s)
			json_add_string(&b, *(const struct str *)member);
		else
			buf_add(&b, STR("null"));
	}
	return buf_str(&b);
}
