/* SPDX-License-Identifier: MIT */
/* conclaude schema: a JSON Schema of .conclaude.yaml for editors, made from the tables that read the file. Not in the
 * help: share/conclaude-schema.json is its output. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "conf/conclaude_keys.h"
#include "doc/json.h"
#include "ui/print.h"

#define SCHEMA_LIMIT_BYTES MIB(1)
#define SHARED_MAX 32

/* Objects that are the items of several lists stand once, under the path of the first. */
struct schema {
	struct arena *arena;
	struct buf out;
	const struct field *shared[SHARED_MAX]; /* the first rows that have them */
	struct str names[SHARED_MAX];
	size_t shared_count;
};

static void add_object(struct schema *s, struct str path, const struct field *fields, size_t count);

static void
add_type(struct buf *b, const char *type, bool may_be_null)
{
	json_add_key(b, "type");
	if (may_be_null)
		buf_addf(b, "[\"%s\",\"null\"]", type);
	else
		buf_addf(b, "\"%s\"", type);
}

/* The items of a list of objects: a reference, and the object itself in the definitions. */
static void
add_reference(struct schema *s, struct str path, const struct field *f)
{
	size_t i = 0;

	while (i < s->shared_count && s->shared[i]->fields != f->fields)
		i++;
	if (i == s->shared_count && i < SHARED_MAX) {
		s->shared[i] = f;
		s->names[i] = path;
		s->shared_count++;
	}
	json_add_member(&s->out, "$ref", str_fmt(s->arena, "#/definitions/" STR_FMT, STR_ARG(s->names[i])));
}

static void
add_items(struct schema *s, struct str path, const struct field *f)
{
	struct buf *b = &s->out;

	json_add_key(b, "items");
	buf_addc(b, '{');
	if (f->read_item == conclaude_read_uneditable) {
		json_add_key(b, "anyOf");
		buf_add(b, STR("[{\"type\":\"string\"},{"));
		add_reference(s, path, f);
		buf_add(b, STR("}]"));
	} else if (f->fields) {
		add_reference(s, path, f);
	} else {
		add_type(b, "string", false);
	}
	buf_addc(b, '}');
}

static void
add_list(struct schema *s, struct str path, const struct field *f)
{
	add_type(&s->out, "array", true);
	add_items(s, path, f);
}

static void
add_table(struct schema *s, struct str path, const struct field *f)
{
	add_type(&s->out, "object", true);
	json_add_key(&s->out, "additionalProperties");
	buf_addc(&s->out, '{');
	add_list(s, path, f);
	buf_addc(&s->out, '}');
}

static void
add_number(struct buf *b, const struct field *f)
{
	add_type(b, "integer", !f->is_required);
	json_add_member_int(b, "minimum", f->least);
	/* A count above its range is taken as the largest. */
	if (f->read != conclaude_read_times)
		json_add_member_int(b, "maximum", f->most);
}

static void
add_choice(struct buf *b, const struct field *f)
{
	json_add_key(b, "enum");
	buf_addc(b, '[');
	for (size_t i = 0; f->choices[i]; i++) {
		if (i > 0)
			buf_addc(b, ',');
		json_add_string(b, str_from(f->choices[i]));
	}
	buf_addc(b, ']');
}

static void
add_default(struct buf *b, const struct field *f)
{
	struct str text = str_from(f->default_text);
	bool is_literal = f->read == decode_bool || f->read == decode_int ||
			  f->read == conclaude_read_times || f->read == decode_list ||
			  f->read == decode_table || str_is(text, "null");

	if (!text.s)
		return;
	json_add_key(b, "default");
	if (is_literal)
		buf_add(b, text);
	else
		json_add_string(b, text);
}

static void
add_value(struct schema *s, struct str path, const struct field *f)
{
	struct buf *b = &s->out;

	buf_addc(b, '{');
	json_add_member(b, "description", str_from(f->help));
	add_default(b, f);
	if (f->read == decode_object || f->read == decode_opt_object)
		add_object(s, path, f->fields, f->field_count);
	else if (f->read == decode_list || f->read == decode_opt_list)
		add_list(s, path, f);
	else if (f->read == decode_table)
		add_table(s, path, f);
	else if (f->read == decode_bool)
		add_type(b, "boolean", true);
	else if (f->read == decode_int || f->read == conclaude_read_times)
		add_number(b, f);
	else if (f->read == decode_choice)
		add_choice(b, f);
	else
		add_type(b, "string", !f->is_required);
	buf_addc(b, '}');
}

static void
add_required(struct buf *b, const struct field *fields, size_t count)
{
	size_t required = 0;

	for (size_t i = 0; i < count; i++) {
		if (!fields[i].is_required)
			continue;
		if (required++ == 0) {
			json_add_key(b, "required");
			buf_addc(b, '[');
		} else {
			buf_addc(b, ',');
		}
		json_add_string(b, str_from(fields[i].key));
	}
	if (required > 0)
		buf_addc(b, ']');
}

/* The members of a schema for a map. A section that is empty is null for YAML; an item is not. */
static void
add_object(struct schema *s, struct str path, const struct field *fields, size_t count)
{
	struct buf *b = &s->out;
	bool is_open = false;

	add_type(b, "object", !str_ends(path, STR("[]")));
	json_add_key(b, "properties");
	buf_addc(b, '{');
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];

		is_open |= f->read == decode_ignored;
		if (f->read == decode_ignored || f->read == decode_removed)
			continue;
		json_add_key(b, f->key);
		add_value(s, str_fmt(s->arena, STR_FMT "%s%s", STR_ARG(path), path.n > 0 ? "." : "", f->key),
			  f);
	}
	buf_addc(b, '}');
	add_required(b, fields, count);
	json_add_member_bool(b, "additionalProperties", is_open);
	if (fields == conclaude_tool_rule.fields) {
		json_add_key(b, "anyOf");
		buf_add(b, STR("[{\"required\":[\"pattern\"]},{\"required\":[\"commandPattern\"]}]"));
	}
}

static void
add_definitions(struct schema *s)
{
	json_add_key(&s->out, "definitions");
	buf_addc(&s->out, '{');
	/* The list grows while it is worked on. */
	for (size_t i = 0; i < s->shared_count; i++) {
		struct str path = str_fmt(s->arena, STR_FMT "[]", STR_ARG(s->names[i]));

		json_add_key(&s->out, s->names[i].s);
		buf_addc(&s->out, '{');
		add_object(s, path, s->shared[i]->fields, s->shared[i]->field_count);
		buf_addc(&s->out, '}');
	}
	buf_addc(&s->out, '}');
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct schema *s = arena_new(a, struct schema);
	struct buf text = BUF(a, SCHEMA_LIMIT_BYTES);
	struct node root;
	struct err err;

	*s = (struct schema){ .arena = a, .out = BUF(a, SCHEMA_LIMIT_BYTES) };
	buf_addc(&s->out, '{');
	json_add_member(&s->out, "$schema", STR("http://json-schema.org/draft-07/schema#"));
	json_add_member(&s->out, "title", STR(".conclaude.yaml"));
	json_add_member(&s->out, "description", STR("What happens when a coding agent wants to stop."));
	add_object(s, STR(""), conclaude_root.fields, conclaude_root.count);
	add_definitions(s);
	buf_addc(&s->out, '}');
	if (json_parse(a, buf_str(&s->out), &root, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	json_add_node_indented(&text, &root);
	buf_addc(&text, '\n');
	return print_out(buf_str(&text));
}

const struct command conclaude_schema_command = {
	.name = "schema",
	.summary = "print a JSON Schema of .conclaude.yaml",
	.is_hidden = true,
	.run = run,
};
