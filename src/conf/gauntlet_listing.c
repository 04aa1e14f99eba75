/* SPDX-License-Identifier: MIT */
/* The list of all keys, made from the tables: what the documentation says can't differ from what is read. */
#include "conf/gauntlet_keys.h"

struct listing {
	struct arena *arena;
	const char *file;
	struct gauntlet_keys keys;
	size_t capacity;
};

static void
add(struct listing *l, struct str path, const struct field *f)
{
	arena_make_room(l->arena, l->keys.items, l->keys.count, &l->capacity);
	l->keys.items[l->keys.count++] = (struct gauntlet_key){ l->file, path, f };
}

static void
list(struct listing *l, struct str before, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *f = &fields[i];

		/* what is only accepted is not documented */
		if (!f->help)
			continue;
		struct str path = str_fmt(l->arena, STR_FMT "%s%s", STR_ARG(before), before.n ? "." : "",
					  f->key);

		add(l, path, f);
		if (f->fields && f->read != decode_object)
			path = str_fmt(l->arena, STR_FMT "[]", STR_ARG(path));
		list(l, path, f->fields, f->field_count);
	}
}

struct gauntlet_keys
gauntlet_keys(struct arena *a)
{
	static const struct {
		const char *file;
		const struct field_table *table;
		const char *before;
	} tables[] = {
		{ "config.yml", &gauntlet_config_keys, "" },
		{ "config.yml", &gauntlet_reviewer_keys, "cli.adapters.NAME" },
		{ "checks/NAME.yml", &gauntlet_check_keys, "" },
		{ "reviews/NAME.md", &gauntlet_review_yml_keys, "" },
		{ "ci.yml", &gauntlet_ci_keys, "" },
	};
	struct listing l = { .arena = a };

	for (size_t i = 0; i < COUNT_OF(tables); i++) {
		l.file = tables[i].file;
		list(&l, str_from(tables[i].before), tables[i].table->fields, tables[i].table->count);
	}
	return l.keys;
}
