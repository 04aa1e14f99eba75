/* SPDX-License-Identifier: MIT */
/* Writes a JSON Schema of a configuration file, for editors. An object that is the item of a list becomes a definition, named
 * by the first key that uses it. */
#include "conf/schema.h"

#include "base/buf.h"
#include "base/duration.h"
#include "doc/json.h"

#include <stdint.h>
#include <string.h>

#define SCHEMA_LIMIT_BYTES MIB(1)
#define OBJECTS_MAX 32

struct writer {
	struct walker walk;
	struct arena *arena;
	struct buf out;
	const struct field *objects[OBJECTS_MAX]; /* those that need a definition */
	struct str names[OBJECTS_MAX];
	size_t object_count;
	const struct field *definition; /* being written; NULL: none yet */
	bool allows_unknown;
};

static void
add_type(struct buf *b, const char *type, bool may_be_null)
{
	json_add_key(b, "type");
	if (may_be_null)
		buf_addf(b, "[\"%s\",\"null\"]", type);
	else
		buf_addf(b, "\"%s\"", type);
}

/* What may stand in place of an object that has a short form. */
static const char *
short_type(const struct field *f)
{
	for (size_t i = 0; i < f->field_count; i++)
		if (str_is(str_from(f->short_key), f->fields[i].key))
			return f->fields[i].type == FIELD_INTEGER ? "integer"
			       : f->fields[i].type == FIELD_FLAG || f->fields[i].type == FIELD_BOOL
				       ? "boolean"
				       : "string";
	return "string";
}

/* A reference to an item's object, which add_definitions() writes later. */
static void
add_reference(struct writer *s, const struct visit *v)
{
	const struct config_path *key = v->at;
	size_t i = 0;

	while (!key->name.s)
		key = key->outer;
	while (i < s->object_count && s->objects[i]->fields != v->field->fields)
		i++;
	if (i == s->object_count && i < OBJECTS_MAX) {
		s->objects[i] = v->field;
		s->names[i] = str_copy(s->arena, config_path_text(s->arena, key));
		s->object_count++;
	}
	if (v->field->short_key)
		buf_addf(&s->out, "\"anyOf\":[{\"type\":\"%s\"},{", short_type(v->field));
	json_add_member(&s->out, "$ref", str_fmt(s->arena, "#/definitions/" STR_FMT, STR_ARG(s->names[i])));
	if (v->field->short_key)
		buf_add(&s->out, STR("}]"));
}

static void
add_number(struct buf *b, const struct field *f)
{
	add_type(b, f->type == FIELD_INTEGER || f->type == FIELD_WHOLE ? "integer" : "number",
		 !f->is_required);
	if (f->least != 0 || f->most != 0)
		json_add_member_int(b, "minimum", f->least);
	if (f->most != 0 && !f->is_clamped)
		json_add_member_int(b, "maximum", f->most);
}

static bool
is_boolean(struct str text)
{
	return str_is(text, "true") || str_is(text, "false");
}

static void
add_choices(struct buf *b, const struct field *f)
{
	json_add_key(b, "enum");
	for (size_t i = 0; f->choices[i]; i++) {
		struct str choice = str_from(f->choices[i]);

		buf_addc(b, i > 0 ? ',' : '[');
		/* YAML reads these two as booleans. */
		if (is_boolean(choice))
			buf_add(b, choice);
		else
			json_add_string(b, choice);
	}
	buf_addc(b, ']');
}

static void
add_default(struct buf *b, const struct field *f)
{
	struct str text = str_from(f->default_text);
	bool is_text = f->type == FIELD_DURATION || (f->type >= FIELD_STRING && f->type <= FIELD_CHOICE);

	if (!text.s || f->is_default_described)
		return;
	json_add_key(b, "default");
	if (is_text && !str_is(text, "null") && !(f->type == FIELD_CHOICE && is_boolean(text)))
		json_add_string(b, text);
	else
		buf_add(b, text);
}

static void
close_object(struct buf *b, const struct field *f, bool is_open)
{
	size_t required = 0;

	buf_addc(b, '}');
	for (size_t i = 0; i < f->field_count; i++) {
		const struct field *row = &f->fields[i];

		is_open |= row->type == FIELD_OTHERS;
		if (!row->is_required)
			continue;
		if (required++ == 0)
			json_add_key(b, "required");
		buf_addc(b, required == 1 ? '[' : ',');
		json_add_string(b, str_from(row->key));
	}
	if (required > 0)
		buf_addc(b, ']');
	json_add_member_bool(b, "additionalProperties", is_open);
	for (size_t i = 0; f->any_of && f->any_of[i]; i++) {
		if (i == 0)
			json_add_key(b, "anyOf");
		buf_addf(b, "%s{\"required\":[\"%s\"]}%s", i == 0 ? "[" : ",", f->any_of[i],
			 f->any_of[i + 1] ? "" : "]");
	}
}

static bool
write_row(struct walker *w, const struct visit *v)
{
	struct writer *s = (struct writer *)w;
	const struct field *f = v->field;
	struct buf *b = &s->out;

	if (f->type == FIELD_REMOVED)
		return false;
	if (f->key && !f->help) {
		/* Accepted, and not for anybody to use. */
		json_add_key(b, f->key);
		buf_add(b, STR("{}"));
		return false;
	}
	if (f->key) {
		json_add_key(b, f->key);
		buf_addc(b, '{');
		json_add_member(b, "description", str_from(f->help));
		add_default(b, f);
	}
	bool has_content = false;

	if (f->type == FIELD_OBJECT && !f->key && v->at && f != s->definition) {
		add_reference(s, v);
	} else if (f->type == FIELD_OBJECT) {
		/* YAML reads an empty section as null; an item of a list can't be empty. */
		if (f->key && f->short_key)
			buf_addf(b, ",\"type\":[\"%s\",\"object\",\"null\"]", short_type(f));
		else
			add_type(b, "object", f != s->definition);
		json_add_key(b, "properties");
		buf_addc(b, '{');
		has_content = true;
	} else if (f->takes_one) {
		const struct visit item = { .field = f->item, .at = v->at };

		buf_add(b, STR(",\"anyOf\":[{"));
		add_reference(s, &item);
		buf_add(b, STR("},{\"type\":\"array\",\"items\":{"));
		add_reference(s, &item);
		buf_add(b, STR("}},{\"type\":\"null\"}]"));
	} else if (f->type == FIELD_LIST || f->type == FIELD_MAP) {
		add_type(b, f->type == FIELD_LIST ? "array" : "object", true);
		json_add_key(b, f->type == FIELD_LIST ? "items" : "additionalProperties");
		buf_addc(b, '{');
		has_content = true;
	} else if (f->type == FIELD_BOOL || f->type == FIELD_FLAG) {
		add_type(b, "boolean", true);
	} else if (f->type >= FIELD_INTEGER && f->type <= FIELD_MEGABYTES) {
		add_number(b, f);
	} else if (f->type == FIELD_NAMED) {
		buf_add(b, STR("\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\",\"minProperties\":1,"
			       "\"maxProperties\":1,\"additionalProperties\":{"));
		add_reference(s, &(struct visit){ .field = f->item, .at = v->at });
		buf_add(b, STR("}}]"));
	} else if (f->type == FIELD_CHOICE) {
		add_choices(b, f);
	} else {
		add_type(b, "string", f->key && !f->is_required);
		if (f->type == FIELD_DURATION)
			json_add_member(b, "pattern", STR("^([0-9]+(ms|s|m|h))+$"));
	}
	if (!has_content && f->key)
		buf_addc(b, '}');
	return has_content;
}

static void
close_row(struct walker *w, const struct visit *v)
{
	struct writer *s = (struct writer *)w;

	if (v->field->type == FIELD_OBJECT)
		close_object(&s->out, v->field, s->allows_unknown);
	else
		buf_addc(&s->out, '}');
	if (v->field->key)
		buf_addc(&s->out, '}');
}

static void
add_definitions(struct writer *s)
{
	json_add_key(&s->out, "definitions");
	buf_addc(&s->out, '{');
	/* Definitions refer to others, so the list may grow. */
	for (size_t i = 0; i < s->object_count; i++) {
		struct config_path name = { .name = s->names[i] }, at = { .outer = &name, .index = SIZE_MAX };

		s->definition = s->objects[i];
		json_add_key(&s->out, s->names[i].s);
		buf_addc(&s->out, '{');
		schema_walk(&s->walk, &(struct visit){ .field = s->definition, .at = &at });
		buf_addc(&s->out, '}');
	}
	buf_addc(&s->out, '}');
}

struct str
schema_json(struct arena *a, const struct schema *schema, const char *description)
{
	struct writer *s = arena_new(a, struct writer);
	struct buf text = BUF(a, SCHEMA_LIMIT_BYTES);
	struct node root;
	struct err err;

	*s = (struct writer){ .walk = { .enter = write_row, .leave = close_row },
			      .arena = a,
			      .allows_unknown = schema->allows_unknown,
			      .out = BUF(a, SCHEMA_LIMIT_BYTES) };
	buf_addc(&s->out, '{');
	json_add_member(&s->out, "$schema", STR("http://json-schema.org/draft-07/schema#"));
	json_add_member(&s->out, "title", str_from(schema->file));
	json_add_member(&s->out, "description", str_from(description));
	schema_walk(&s->walk, &(struct visit){ .field = &schema->root });
	add_definitions(s);
	buf_addc(&s->out, '}');
	if (json_parse(a, buf_str(&s->out), &root, &err) < 0)
		return STR_NONE;
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
