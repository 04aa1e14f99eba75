/* SPDX-License-Identifier: MIT */
/* Every value that counts, by the tables that it was read by, with the place where it was set. For people, not for the
 * hook: reads the files a second time. */
#include "conf/gauntlet_collect.h"
#include "conf/gauntlet_gates.h"
#include "conf/gauntlet_keys.h"
#include "conf/gauntlet_sources.h"
#include "doc/json.h"
#include "os/env.h"
#include "os/fs.h"

struct lister {
	struct arena *arena;
	struct gauntlet_values values;
	size_t capacity;
	struct str file; /* absolute */
};

static struct gauntlet_value *
add(struct lister *l)
{
	struct gauntlet_values *v = &l->values;

	arena_make_room(l->arena, v->items, v->count, &l->capacity);
	return &v->items[v->count++];
}

static void
add_text(struct buf *b, struct str text)
{
	if (text.s)
		json_add_string(b, text);
	else
		buf_add(b, STR("null"));
}

static bool
is_number(decode_fn *read)
{
	return read == gauntlet_read_whole || read == gauntlet_read_floor || read == gauntlet_read_ceil;
}

/* The member as JSON, by what read it. */
static struct str
member_json(struct arena *a, const struct field *f, const void *member)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (f->read == gauntlet_read_bool)
		buf_add(&b, *(const bool *)member ? STR("true") : STR("false"));
	else if (f->read == gauntlet_read_flag)
		buf_add(&b, *(const int64_t *)member < 0 ? STR("null")
			    : *(const int64_t *)member   ? STR("true")
							 : STR("false"));
	else if (f->read == gauntlet_read_prompt_way)
		buf_add(&b, *(const bool *)member ? STR("\"arg\"") : STR("\"stdin\""));
	else if (f->read == gauntlet_read_strings)
		json_add_strings(&b, ((const struct str_list *)member)->items,
				 ((const struct str_list *)member)->count);
	else if ((f->read == gauntlet_read_whole && *(const int64_t *)member < f->least) ||
		 (f->read == gauntlet_read_seconds && *(const int64_t *)member <= 0))
		buf_add(&b, STR("null"));
	else if (f->read == gauntlet_read_seconds)
		buf_addf(&b, "%.15g", (double)*(const int64_t *)member / 1000);
	else if (f->read == gauntlet_read_megabytes)
		buf_addf(&b, "%.6g", (double)*(const int64_t *)member / (double)MIB(1));
	else if (is_number(f->read))
		buf_addf(&b, "%jd", (intmax_t) * (const int64_t *)member);
	else
		add_text(&b, *(const struct str *)member);
	return buf_str(&b);
}

static void walk(struct lister *l, struct str before, const struct field_table *t, const void *from,
		 const struct node *n);

static void
add_member(struct lister *l, struct str key, const struct field *f, const void *member,
	   const struct node *map)
{
	struct gauntlet_value *v = add(l);

	*v = (struct gauntlet_value){ .key = key,
				      .json = member_json(l->arena, f, member),
				      .source = SOURCE_DEFAULT,
				      .origin = STR("") };
	for (size_t i = 0; map && map->kind == NODE_MAP && i < map->count; i++)
		if (str_is(map->entries[i].key, f->key)) {
			v->source = SOURCE_PROJECT;
			v->origin = str_fmt(l->arena, STR_FMT ":%d", STR_ARG(l->file), map->entries[i].line);
		}
}

static void
walk_items(struct lister *l, struct str key, const struct field *f, const struct decode_list *list,
	   const struct node *n)
{
	struct field_table items = { f->fields, f->field_count };

	for (size_t i = 0; i < list->count; i++)
		walk(l, str_fmt(l->arena, STR_FMT "[%zu]", STR_ARG(key), i), &items,
		     (const char *)list->items + i * f->item_size, collect_item(n, i));
}

static void
walk(struct lister *l, struct str before, const struct field_table *t, const void *from, const struct node *n)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct field *f = &t->fields[i];
		const void *member = (const char *)from + f->offset;

		if (!f->help || f->read == gauntlet_read_nullable)
			continue;
		struct str key = str_fmt(l->arena, STR_FMT "%s%s", STR_ARG(before), before.n ? "." : "",
					 f->key);
		struct field_table inside = { f->fields, f->field_count };

		if (f->read == decode_object)
			walk(l, key, &inside, member, node_get(n, f->key));
		else if (f->read == decode_list)
			walk_items(l, key, f, member, node_get(n, f->key));
		else
			add_member(l, key, f, member, n);
	}
}

/* ---- the files ---- */

static void
set_source(struct lister *l, const char *key, struct sourced_int value, const char *variable)
{
	for (size_t i = 0; i < l->values.count; i++) {
		struct gauntlet_value *v = &l->values.items[i];

		if (!str_is(v->key, key))
			continue;
		v->source = value.source;
		if (value.source == SOURCE_ENVIRONMENT)
			v->origin = str_from(variable);
		else if (value.source == SOURCE_GLOBAL)
			v->origin = gauntlet_global_path(l->arena);
		else if (value.source == SOURCE_DEFAULT)
			v->origin = STR("");
	}
}

static void
set_sources(struct lister *l, const struct sourced_values *s)
{
	set_source(l, "stop_hook.enabled", s->stop_hook_enabled, "GAUNTLET_STOP_HOOK_ENABLED");
	set_source(l, "stop_hook.run_interval_minutes", s->run_interval_minutes,
		   "GAUNTLET_STOP_HOOK_INTERVAL_MINUTES");
	set_source(l, "stop_hook.reverify", s->reverifies, "");
	set_source(l, "debug_log.enabled", s->debug_log_enabled, "");
	set_source(l, "debug_log.max_size_mb", s->debug_log_max_bytes, "");
	if (gauntlet_is_ci() && env_has("GITHUB_BASE_REF"))
		set_source(l, "base_branch", (struct sourced_int){ 0, SOURCE_ENVIRONMENT },
			   "GITHUB_BASE_REF");
}

static struct shared_values
resolved(const struct sourced_values *s)
{
	return (struct shared_values){ .enabled = s->stop_hook_enabled.value,
				       .run_interval_minutes = s->run_interval_minutes.value,
				       .reverify = s->reverifies.value,
				       .debug_enabled = s->debug_log_enabled.value,
				       .debug_max_bytes = s->debug_log_max_bytes.value };
}

static void
list_reviewers(struct lister *l, const struct gauntlet_config *c, const struct node *document)
{
	const struct node *adapters = node_get(node_get(document, "cli"), "adapters");

	for (size_t i = 0; i < c->reviewer_count; i++) {
		const struct reviewer_config *r = &c->reviewers[i];

		walk(l, str_fmt(l->arena, "cli.adapters." STR_FMT, STR_ARG(r->name)), &gauntlet_reviewer_keys,
		     r, adapters ? node_get(adapters, str_copy(l->arena, r->name).s) : NULL);
	}
}

static void
list_checks(struct lister *l, struct collector *k, const struct gauntlet_config *c)
{
	for (size_t i = 0; i < c->check_count; i++) {
		const struct check_gate *g = &c->checks[i];
		struct check_draft d = check_draft_defaults;
		struct node n;

		if (!gates_read_yaml(k, c->root, g->file, &n))
			continue;
		collect_map(k, &n, gauntlet_check_keys.fields, gauntlet_check_keys.count, &d, NULL);
		l->file = fs_join(l->arena, c->root, g->file);
		walk(l, str_fmt(l->arena, "checks." STR_FMT, STR_ARG(g->name)), &gauntlet_check_keys, &d, &n);
	}
}

static void
list_reviews(struct lister *l, struct collector *k, const struct gauntlet_config *c)
{
	for (size_t i = 0; i < c->review_count; i++) {
		const struct review_gate *g = &c->reviews[i];
		struct review_draft d = { .gate = *g };
		struct str prompt;
		struct node n;

		if (!gates_read_review(k, c->root, g->file, &n, &prompt))
			continue;
		const struct field_table *t = prompt.s ? &gauntlet_review_keys : &gauntlet_review_yml_keys;

		collect_map(k, &n, t->fields, t->count, &d, NULL);
		d.gate.cli_preference = g->cli_preference;
		l->file = fs_join(l->arena, c->root, g->file);
		walk(l, str_fmt(l->arena, "reviews." STR_FMT, STR_ARG(g->name)), t, &d, &n);
	}
}

static void
list_project(struct lister *l, const struct gauntlet_config *c)
{
	struct collector k = { .arena = l->arena, .is_lenient = true };
	struct config_draft d = { .config = *c,
				  .shared = resolved(&c->sourced),
				  .entry_points = { c->entry_points, c->entry_point_count } };
	struct node n = { .kind = NODE_NULL };
	struct str file = STR(".gauntlet/config.yml");

	(void)gates_read_yaml(&k, c->root, file, &n);
	d.config.base_branch = gauntlet_base_branch(c, STR_NONE);
	l->file = fs_join(l->arena, c->root, file);
	walk(l, STR(""), &gauntlet_config_keys, &d, &n);
	set_sources(l, &c->sourced);
	list_reviewers(l, c, &n);
	list_checks(l, &k, c);
	list_reviews(l, &k, c);
}

static void
list_without_project(struct lister *l, struct str *ret_warning)
{
	struct shared_values environment = sources_environment(),
			     global = sources_global(l->arena, ret_warning);
	struct config_draft d = config_draft_defaults;
	struct sourced_values s = sources_resolve(&environment, &d.shared, &global);

	d.shared = resolved(&s);
	walk(l, STR(""), &gauntlet_hook_keys, &d, NULL);
	set_sources(l, &s);
}

int
gauntlet_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct str *ret_warning,
		struct err *err)
{
	struct lister l = { .arena = a };
	struct gauntlet_config c;

	if (root.s) {
		if (gauntlet_load(a, root, &c, ret_warning, err) < 0)
			return -1;
		list_project(&l, &c);
	} else {
		list_without_project(&l, ret_warning);
	}
	*ret = l.values;
	return 0;
}
