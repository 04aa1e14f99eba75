/* SPDX-License-Identifier: MIT */
/* The table of events, checks of their payloads, and session ids in file names. Pure. */
#include "model/event.h"

#include "doc/json.h"

#include <inttypes.h>

const struct str event_names[] = {
#define EVENT(name, ...) { #name, sizeof(#name) - 1 },
#include "model/event.def"
};
const size_t event_name_count = COUNT_OF(event_names);

const struct event_row event_rows[EVENT_COUNT] = {
#define F(name, check, variable) { name, CHECK_##check, variable },
#define EVENT(name_, native_, section_, subject_, effect_, fields_) \
	{                                                           \
		.id = EVENT_##name_,                                \
		.name = { #name_, sizeof(#name_) - 1 },             \
		.native = native_,                                  \
		.section = section_,                                \
		.subject = subject_,                                \
		.effect = EVENT_##effect_,                          \
		.fields = { fields_ },                              \
	},
#include "model/event.def"
};

const struct event_row *
event_find(struct str name)
{
	for (size_t i = 0; i < EVENT_COUNT; i++)
		if (str_eq(event_rows[i].name, name))
			return &event_rows[i];
	return NULL;
}

static const struct node *
payload_field(const struct node *payload, const char *field)
{
	const struct node *n = node_get(payload, field);

	return n || !str_is(str_from(field), "subagent_type") ? n : node_get(payload, "agent_type");
}

int
event_check(const struct event_row *row, const struct node *payload, struct err *err)
{
	for (const struct event_field *f = row->fields; f->name; f++) {
		const struct node *n = payload_field(payload, f->name);

		if (f->check == CHECK_ANY)
			continue;
		if (!n || n->kind != NODE_STRING)
			return err_set(err, ERR_VALUE, "Failed to parse JSON payload from stdin");
		if (f->check == CHECK_MISSING && n->text.n == 0)
			return err_set(err, ERR_VALUE, "Missing required field: %s", f->name);
		if (f->check == CHECK_EMPTY && str_trim(n->text).n == 0)
			return err_set(err, ERR_VALUE, "%s cannot be empty", f->name);
	}
	return 0;
}

struct str
event_value(struct arena *a, const struct node *payload, const char *field)
{
	const struct node *n = payload_field(payload, field);
	struct buf b = BUF(a, SIZE_MAX);

	if (!n || n->kind == NODE_NULL)
		return STR_NONE;
	if (n->kind == NODE_STRING)
		return n->text;
	json_add_node(&b, n);
	return buf_str(&b);
}

#define VERBATIM_BYTES 128
#define ENCODED_BYTES 180
#define CUT_BYTES 160

struct str
session_slug(struct arena *a, struct str id)
{
	struct buf out = BUF(a, SIZE_MAX);
	bool is_verbatim = id.n <= VERBATIM_BYTES;

	for (size_t i = 0; i < id.n; i++) {
		char c = id.s[i];

		if (is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-') {
			buf_addc(&out, c);
			continue;
		}
		buf_addf(&out, "%%%02X", (unsigned)(unsigned char)c);
		is_verbatim = false;
	}
	if (is_verbatim || out.n <= ENCODED_BYTES)
		return buf_str(&out);
	return str_fmt(a, STR_FMT "-%016" PRIx64, CUT_BYTES, out.s, str_hash(STR_HASH_START, id));
}
