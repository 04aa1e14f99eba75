/* SPDX-License-Identifier: MIT */
/* Writes a JSON Schema of a configuration file, for editors. An object that is the item of a list becomes a definition, named
 * by the first key that uses it. */
#include "conf/schema.h"

#include "base/duration.h"
#include "doc/json.h"

#include <stdint.h>

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
		     bool is_definition, struct buf *to);

static void
add_type(struct buf *to, const char *type, bool may_be_null)
{
	if (may_be_null)
		json_add(to, "type", JSON(str_cat(to->arena, "[\"", type, "\",\"null\"]")));
	else
		json_add(to, "type", type);
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
static struct str
reference_to(struct writer *s, const struct field *f, const struct config_path *at)
{
	struct arena *a = s->arena;
	size_t i = 0;

	while (!at->name.s)
		at = at->outer;
	while (i < s->object_count && s->objects[i]->fields != f->fields)
		i++;
	if (i == s->object_count && i < OBJECTS_MAX) {
		s->objects[i] = f;
		s->names[i] = str_copy(a, config_path_text(a, at));
		s->object_count++;
	}
	struct str reference = json_object(a, "$ref", str_cat(a, "#/definitions/", s->names[i]));

	return f->short_key ? str_cat(a, "{\"anyOf\":[{\"type\":\"", short_type(f), "\"},", reference, "]}")
			    : reference;
}

static bool
is_boolean(struct str text)
{
	return str_is(text, "true") || str_is(text, "false");
}

static void
add_choices(struct buf *to, const struct field *f)
{
	json_open(to, "enum", '[');
	for (size_t i = 0; f->choices[i]; i++) {
		struct str choice = str_from(f->choices[i]);

		buf_cat(to, i > 0 ? "," : "");
		/* YAML reads these two as booleans. */
		if (is_boolean(choice))
			buf_add(to, choice);
		else
			json_add_string(to, choice);
	}
	json_close(to, "]");
}

static void
add_default(struct writer *s, const struct field *f, struct buf *to)
{
	struct str text = str_from(f->default_text);
	bool is_text = f->type == FIELD_DURATION || (f->type >= FIELD_STRING && f->type <= FIELD_CHOICE);
	struct node value;

	if (!text.s || f->is_default_described)
		return;
	if (is_text && !str_is(text, "null") && !(f->type == FIELD_CHOICE && is_boolean(text)))
		json_add(to, "default", text);
	else if (json_parse(s->arena, text, &value, IGNORED) == 0)
		json_add(to, "default", JSON(text));
}

static void
add_object(struct writer *s, const struct field *f, const struct config_path *at, struct buf *to)
{
	struct str_list required = { arena_array(s->arena, f->field_count, struct str), 0 };
	bool is_open = s->allows_unknown;

	json_open(to, "properties", '{');
	for_each (row, f->fields, f->field_count) {
		const struct config_path inner = { .outer = at, .name = str_from(row->key) };

		is_open |= row->type == FIELD_OTHERS;
		if (row->type == FIELD_OTHERS || row->type == FIELD_REMOVED)
			continue;
		if (row->is_required)
			required.items[required.count++] = inner.name;
		json_open(to, row->key, '{');
		/* Without a help text it is accepted, and not for anybody to use. */
		if (row->help) {
			json_add(to, "description", row->help);
			add_default(s, row, to);
			describe(s, row, &inner, false, to);
		}
		json_close(to, "}");
	}
	json_close(to, "}");
	if (required.count > 0)
		json_add(to, "required", &required);
	json_add(to, "additionalProperties", is_open);
	if (!f->any_of)
		return;
	json_open(to, "anyOf", '[');
	for (size_t i = 0; f->any_of[i]; i++)
		buf_cat(to, i > 0 ? "," : "", "{\"required\":[\"", f->any_of[i], "\"]}");
	json_close(to, "]");
}

/* Adds what a value of this row is. */
static void
describe(struct writer *s, const struct field *f, const struct config_path *at, bool is_definition,
	 struct buf *to)
{
	bool is_list = f->type == FIELD_LIST;

	if (f->type == FIELD_OBJECT && !f->key && at && !is_definition) {
		struct str reference = reference_to(s, f, at);

		/* The object to which it is added is empty and has its own braces. */
		buf_add(to, str_sub(reference, 1, reference.n - 1));
	} else if (f->type == FIELD_OBJECT) {
		/* YAML reads an empty section as null; an item of a list can't be empty. */
		if (f->key && f->short_key)
			json_add(to, "type",
				 JSON(str_cat(s->arena, "[\"", short_type(f), "\",\"object\",\"null\"]")));
		else
			add_type(to, "object", !is_definition);
		add_object(s, f, at, to);
	} else if (f->takes_one) {
		struct str item = reference_to(s, f->item, at);

		json_add(to, "anyOf",
			 JSON(str_cat(s->arena, "[", item, ",{\"type\":\"array\",\"items\":", item,
				      "},{\"type\":\"null\"}]")));
	} else if (f->type == FIELD_NAMED) {
		struct str map = json_object(s->arena, "type", "object", "minProperties", 1, "maxProperties",
					     1, "additionalProperties", JSON(reference_to(s, f->item, at)));

		json_add(to, "anyOf", JSON(str_cat(s->arena, "[{\"type\":\"string\"},", map, "]")));
	} else if (is_list || f->type == FIELD_MAP) {
		const struct config_path inner = { .outer = at,
						   .name = is_list || f->has_pattern_keys ? STR_NONE
											  : STR("NAME"),
						   .index = SIZE_MAX };

		add_type(to, is_list ? "array" : "object", true);
		json_open(to, is_list ? "items" : "additionalProperties", '{');
		describe(s, f->item, &inner, false, to);
		json_close(to, "}");
	} else if (f->type == FIELD_BOOL || f->type == FIELD_FLAG) {
		add_type(to, "boolean", true);
	} else if (f->type >= FIELD_INTEGER && f->type <= FIELD_MEGABYTES) {
		add_type(to, f->type == FIELD_INTEGER || f->type == FIELD_WHOLE ? "integer" : "number",
			 !f->is_required);
		if (f->least != 0 || f->most != 0)
			json_add(to, "minimum", f->least);
		if (f->most != 0 && !f->is_clamped)
			json_add(to, "maximum", f->most);
	} else if (f->type == FIELD_CHOICE) {
		add_choices(to, f);
	} else {
		add_type(to, "string", f->key && !f->is_required);
		if (f->type == FIELD_DURATION)
			json_add(to, "pattern", "^([0-9]+(ms|s|m|h))+$");
	}
}

struct str
schema_json(struct arena *a, const struct schema *schema, const char *description)
{
	struct writer s = { .arena = a, .allows_unknown = schema->allows_unknown };
	struct buf line = BUF(a, SCHEMA_LIMIT_BYTES), text = BUF(a, SCHEMA_LIMIT_BYTES);
	struct node root;

	json_open(&line, NULL, '{');
	json_add(&line, "$schema", "http://json-schema.org/draft-07/schema#", "title", schema->file,
		 "description", description);
	describe(&s, &schema->root, NULL, false, &line);
	json_open(&line, "definitions", '{');
	/* Definitions refer to others, so the list may grow. */
	for (size_t i = 0; i < s.object_count; i++) {
		const struct config_path name = { .name = s.names[i] }, at = { &name, .index = SIZE_MAX };

		json_open(&line, s.names[i].s, '{');
		describe(&s, s.objects[i], &at, true, &line);
		json_close(&line, "}");
	}
	json_close(&line, "}}");
	if (json_parse(a, buf_str(&line), &root, IGNORED) == 0)
		json_add_node_indented(&text, &root, 0);
	buf_addc(&text, '\n');
	return buf_str(&text);
}

/* ---- values ---- */

struct str
member_json(struct arena *a, const struct field *f, const void *member)
{
	bool is_number = f->type >= FIELD_FLAG && f->type < FIELD_STRING;
	int64_t number = is_number ? *(const int64_t *)member : 0;
	bool has_least = f->type == FIELD_WHOLE || f->type == FIELD_INTEGER;
	struct buf b = BUF(a, SIZE_MAX);
	struct str_list list;

	if (number < 0 || (has_least && number < f->least) || (f->type == FIELD_SECONDS && number == 0) ||
	    (f->type > FIELD_DURATION && f->type != FIELD_LIST && !((const struct str *)member)->s))
		return STR("null");
	switch (f->type) {
	case FIELD_LIST:
		memcpy(&list, member, sizeof(list));
		json_add_strings(&b, list.items, list.count);
		break;
	case FIELD_BOOL:
		return *(const bool *)member ? STR("true") : STR("false");
	case FIELD_FLAG:
		return number ? STR("true") : STR("false");
	case FIELD_SECONDS:
		return str_fmt(a, "%.15g", (double)number / 1000);
	case FIELD_DURATION:
		json_add_string(&b, duration_text(a, number));
		break;
	case FIELD_MEGABYTES:
		return str_fmt(a, "%.6g", (double)number / (double)MIB(1));
	case FIELD_INTEGER:
	case FIELD_WHOLE:
	case FIELD_FLOOR:
	case FIELD_CEILING:
		return str_cat(a, number);
	default:
		json_add_string(&b, *(const struct str *)member);
	}
	return buf_str(&b);
}
