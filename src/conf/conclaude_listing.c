/* SPDX-License-Identifier: MIT */
/* The list of all keys, made from the tables: what the documentation says can't differ from what is read. */
#include "conf/conclaude_keys.h"

#define EXPANDED_MAX 32

struct listing {
	struct arena *arena;
	struct conclaude_keys keys;
	size_t capacity;
	const struct field *expanded[EXPANDED_MAX]; /* objects of lists, which are listed once */
	size_t expanded_count;
};

static void
add(struct listing *l, struct str path, const struct field *f)
{
	arena_make_room(l->arena, l->keys.items, l->keys.count, &l->capacity);
	l->keys.items[l->keys.count++] = (struct conclaude_key){ path, f };
}

static bool
is_expanded_first(struct listing *l, const struct field *fields)
{
	for (size_t i = 0; i < l->expanded_count; i++)
		if (l->expanded[i] == fields)
			return false;
	if (l->expanded_count < EXPANDED_MAX)
		l->expanded[l->expanded_count++] = fields;
	return true;
}

static void
list(struct listing *l, struct str before, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];

		if (f->read == decode_removed || f->read == decode_ignored)
			continue;
		struct str path = str_fmt(l->arena, STR_FMT "%s%s", STR_ARG(before), before.n ? "." : "",
					  f->key);

		add(l, path, f);
		if (!f->fields)
			continue;
		if (f->read == decode_object || f->read == decode_opt_object)
			list(l, path, f->fields, f->field_count);
		else if (is_expanded_first(l, f->fields))
			list(l, str_fmt(l->arena, STR_FMT "[]", STR_ARG(path)), f->fields, f->field_count);
	}
}

struct conclaude_keys
conclaude_keys(struct arena *a)
{
	struct listing l = { .arena = a };

	list(&l, STR(""), conclaude_root.fields, conclaude_root.count);
	return l.keys;
}
