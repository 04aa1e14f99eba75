/* SPDX-License-Identifier: MIT */
/* Lists every value of the configuration and where it was set, while the files are loaded, by the same schemas. */
#include "conf/gauntlet_schema.h"

#include "base/path.h"
#include "os/env.h"

struct lister {
	struct gauntlet_loader loader;
	struct walker walk;
	struct sourced_values sourced;
	struct gauntlet_values values;
};

static struct lister *
lister_of(struct walker *w)
{
	return (struct lister *)((char *)w - offsetof(struct lister, walk));
}

static bool
list_value(struct walker *w, const struct visit *v)
{
	struct lister *l = lister_of(w);
	struct arena *a = l->loader.arena;
	const struct field *f = v->field;

	if (f->key && !f->help)
		return false;
	if (f->type == FIELD_OBJECT || f->type == FIELD_MAP ||
	    (f->type == FIELD_LIST && f->item->type == FIELD_OBJECT))
		return true;
	struct gauntlet_values *values = &l->values;
	struct str file = path_join(a, l->loader.root, l->loader.file);

	arena_make_room(a, values->items, values->count, &values->capacity);
	values->items[values->count++] = (struct gauntlet_value){
		.key = config_path_text(a, v->at),
		.json = member_json(a, f, v->member),
		.source = v->entry ? SOURCE_PROJECT : SOURCE_DEFAULT,
		.origin = v->entry ? str_fmt(a, STR_FMT ":%d", STR_ARG(file), v->entry->line) : STR(""),
	};
	return false;
}

static void
set_source(struct lister *l, const char *key, enum value_source source, const char *variable)
{
	for (size_t i = 0; i < l->values.count; i++) {
		struct gauntlet_value *v = &l->values.items[i];

		if (!str_is(v->key, key))
			continue;
		v->source = source;
		if (source == SOURCE_ENVIRONMENT)
			v->origin = str_from(variable);
		else if (source == SOURCE_GLOBAL)
			v->origin = gauntlet_global_path(l->loader.arena);
		else if (source == SOURCE_DEFAULT)
			v->origin = STR("");
	}
}

/* config.yml, and the values from the environment and the user's own file. */
static void
list_config(struct lister *l, const struct schema *s, const struct node *document, struct config_draft d)
{
	const struct sourced_values *from = &l->sourced;

	d.shared = (struct shared_values){ .enabled = from->stop_hook_enabled.value,
					   .run_interval_minutes = from->run_interval_minutes.value,
					   .reverify = from->reverifies.value,
					   .debug_enabled = from->debug_log_enabled.value,
					   .debug_max_bytes = from->debug_log_max_bytes.value };
	d.config.base_branch = gauntlet_base_branch(&d.config, STR_NONE);
	schema_walk(&l->walk, &(struct visit){ .field = &s->root, .node = document, .member = (char *)&d });
	set_source(l, "stop_hook.enabled", from->stop_hook_enabled.source, "GAUNTLET_STOP_HOOK_ENABLED");
	set_source(l, "stop_hook.run_interval_minutes", from->run_interval_minutes.source,
		   "GAUNTLET_STOP_HOOK_INTERVAL_MINUTES");
	set_source(l, "stop_hook.reverify", from->reverifies.source, NULL);
	set_source(l, "debug_log.enabled", from->debug_log_enabled.source, NULL);
	set_source(l, "debug_log.max_size_mb", from->debug_log_max_bytes.source, NULL);
	if (gauntlet_is_ci() && env_has("GITHUB_BASE_REF"))
		set_source(l, "base_branch", SOURCE_ENVIRONMENT, "GITHUB_BASE_REF");
}

static void
list_file(struct gauntlet_loader *loader, const struct schema *s, const struct config_path *at,
	  const struct node *document, void *values)
{
	struct lister *l = (struct lister *)loader;

	if (s == &gauntlet_config_schema)
		list_config(l, s, document, *(const struct config_draft *)values);
	else
		schema_walk(
			&l->walk,
			&(struct visit){ .field = &s->root, .at = at, .node = document, .member = values });
}

int
gauntlet_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct str *ret_warning,
		struct err *err)
{
	const struct gauntlet_kind *kind = gauntlet_kind_of(root.s ? root : STR("."));
	struct config_problems problems = { 0 };
	struct lister l = {
		.loader = { .arena = a,
			    .root = root,
			    .kind = kind,
			    .problems = &problems,
			    .on_file = list_file },
		.walk = { .enter = list_value, .has_document = true },
	};
	struct gauntlet_hook_config hook = { 0 };
	struct config_draft d = config_draft_of(kind);

	if (root.s) {
		if (gauntlet_load_hook(a, root, &hook, err) < 0)
			return -1;
		l.sourced = hook.sourced;
		*ret_warning = hook.warning;
		loader_read_all(&l.loader, &hook.document, &d);
	} else {
		l.sourced = gauntlet_resolve(a, kind, &d.shared, ret_warning);
		list_config(&l, &gauntlet_hook_schema, NULL, d);
	}
	if (problems_fail(a, root, &problems, err) < 0)
		return -1;
	*ret = l.values;
	return 0;
}
