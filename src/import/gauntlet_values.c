/* SPDX-License-Identifier: MIT */
/* Lists every value of the files and where it was set, by the schemas by which they are read. */
#include "import/gauntlet_schema.h"
#include "import/gates.h"

#include "os/env.h"

static void
set_source(struct value_lister *l, const char *key, enum value_source source, const char *variable)
{
	for_each (v, l->values.items, l->values.count) {
		if (!str_is(v->key, key))
			continue;
		v->source = source;
		if (source == SOURCE_ENVIRONMENT)
			v->origin = str_from(variable);
		else if (source == SOURCE_GLOBAL)
			v->origin = gauntlet_global_path(l->arena);
		else if (source == SOURCE_DEFAULT)
			v->origin = STR("");
	}
}

/* config.yml, and the values from the environment and the user's own file. */
static void
list_config(struct value_lister *l, const struct schema *s, const struct node *document,
	    struct config_draft d)
{
	const struct sourced_values *from = &d.config.sourced;

	d.shared = (struct shared_values){ .enabled = from->stop_hook_enabled.value,
					   .run_interval_minutes = from->run_interval_minutes.value,
					   .reverify = from->reverifies.value,
					   .debug_enabled = from->debug_log_enabled.value,
					   .debug_max_bytes = from->debug_log_max_bytes.value };
	d.config.base_branch = gates_base_branch(&d.config, STR_NONE);
	list_values(l, s, NULL, document, &d);
	set_source(l, "stop_hook.enabled", from->stop_hook_enabled.source, "GAUNTLET_STOP_HOOK_ENABLED");
	set_source(l, "stop_hook.run_interval_minutes", from->run_interval_minutes.source,
		   "GAUNTLET_STOP_HOOK_INTERVAL_MINUTES");
	set_source(l, "stop_hook.reverify", from->reverifies.source, NULL);
	set_source(l, "debug_log.enabled", from->debug_log_enabled.source, NULL);
	set_source(l, "debug_log.max_size_mb", from->debug_log_max_bytes.source, NULL);
	if (gates_are_in_ci() && env_has("GITHUB_BASE_REF"))
		set_source(l, "base_branch", SOURCE_ENVIRONMENT, "GITHUB_BASE_REF");
}

int
gauntlet_values(struct arena *a, struct str root, struct config_values *ret, struct str *ret_warning,
		struct err *err)
{
	const struct dialect *dialect = gauntlet_dialect(root.s ? root : STR("."));
	struct config_problems problems = { 0 };
	struct value_lister l = { .arena = a, .lists_defaults = true };
	struct stop_settings hook = { 0 };
	struct config_draft d = config_draft_of(dialect);

	if (!root.s) {
		d.config.sourced = gauntlet_resolve(a, dialect, &d.shared, ret_warning);
		list_config(&l, &gauntlet_hook_schema, NULL, d);
	} else if (gauntlet_load_hook(a, root, &hook, err) < 0) {
		return -1;
	} else {
		*ret_warning = hook.warning;
		d = gauntlet_read(a, &hook, &problems);
		if (problems_fail(a, root, &problems, err) < 0)
			return -1;
		l.file = path_join(a, root, str_from(dialect->file));
		list_config(&l, &gauntlet_config_schema, &hook.document, d);
		for_each (g, d.gates, d.gate_count) {
			struct config_path kind = { .name = str_from(gate_list_key(g->gate.kind)) };
			struct config_path at = { .outer = &kind, .name = g->gate.name };

			l.file = path_join(a, root, g->gate.file);
			list_values(&l, g->schema, &at, &g->node, g);
		}
	}
	*ret = l.values;
	return 0;
}
