/* SPDX-License-Identifier: MIT */
/* Finds and loads the gates' configuration. Loading notes every problem and the first that is fatal is its error, so
 * that what validates is what loads. */
#include "conf/gauntlet.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "conf/gauntlet_collect.h"
#include "conf/gauntlet_gates.h"
#include "conf/gauntlet_keys.h"
#include "conf/gauntlet_sources.h"
#include "doc/yaml.h"
#include "os/fs.h"

#define CONFIG_FILE ".gauntlet/config.yml"

struct str
gauntlet_find(struct arena *a, const struct str *dirs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fs_has(dirs[i], CONFIG_FILE))
			return str_copy(a, dirs[i]);
	return STR_NONE;
}

/* ---- for the hook ---- */

int
gauntlet_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret, struct err *err)
{
	struct str path = fs_join(a, root, STR(CONFIG_FILE)), text;
	struct config_draft draft = config_draft_defaults;
	struct collector k = { .arena = a, .is_lenient = true };
	struct gauntlet_hook_config hook;
	struct node document;
	const char *z;

	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "Configuration file not found at %s", z);
	if (yaml_parse(a, text, &document, err) < 0)
		return err_wrap_file(err, z);
	collect_map(&k, &document, gauntlet_hook_keys.fields, gauntlet_hook_keys.count, &draft, NULL);
	struct shared_values environment = sources_environment(), global = sources_global(a, &hook.warning);

	hook.sourced = sources_resolve(&environment, &draft.shared, &global);
	hook.log_dir = draft.config.log_dir;
	*ret = hook;
	return 0;
}

/* ---- everything ---- */

/* Reviewers by name, of cli.adapters. */
static void
load_reviewers(struct collector *k, const struct node *adapters, struct gauntlet_config *c)
{
	struct decode_at cli = { .key = "cli" }, list = { .outer = &cli, .key = "adapters" };

	if (!adapters || adapters->count == 0)
		return;
	c->reviewers = arena_array(k->arena, adapters->count, struct reviewer_config);
	for (size_t i = 0; i < adapters->count; i++) {
		const struct node_entry *e = &adapters->entries[i];
		struct decode_at at = { .outer = &list, .key = str_copy(k->arena, e->key).s };
		struct node place = { .line = e->line, .column = e->column };
		struct reviewer_config *r = &c->reviewers[c->reviewer_count];
		struct str field = str_fmt(k->arena, "cli.adapters." STR_FMT, STR_ARG(e->key));

		if (gauntlet_reviewer(c, e->key)) {
			collect(k, PROBLEM_FATAL, &place, field, "duplicate key '%s'", at.key);
			continue;
		}
		*r = reviewer_defaults;
		r->name = e->key;
		collect_map(k, &e->value, gauntlet_reviewer_keys.fields, gauntlet_reviewer_keys.count, r,
			    &at);
		if (r->command.count == 0 && !known_reviewer(e->key))
			collect(k, PROBLEM_FATAL, &place, field,
				"missing key 'command': '%s' is no reviewer that is known", at.key);
		c->reviewer_count++;
	}
}

static void
check_tools(struct collector *k, const struct gauntlet_config *c, const struct node *document)
{
	const struct node *names = node_get(node_get(document, "cli"), "default_preference");
	struct buf known = BUF(k->arena, SIZE_MAX);

	for (size_t i = 0; i < known_reviewer_count; i++)
		buf_addf(&known, "%s%s", i > 0 ? ", " : "", known_reviewers[i].name);
	for (size_t i = 0; i < c->default_preference.count; i++) {
		struct str name = c->default_preference.items[i];

		if (!known_reviewer(name) && !gauntlet_reviewer(c, name))
			collect(k, PROBLEM_ERROR, collect_item(names, i),
				str_fmt(k->arena, "cli.default_preference[%zu]", i),
				"Invalid CLI tool \"" STR_FMT
				"\" in default_preference. Valid options are: " STR_FMT,
				STR_ARG(name), STR_ARG(buf_str(&known)));
	}
}

/* The configuration without its gates; the document is a null node where it could not be read. */
static void
load_config(struct collector *k, struct config_draft *d, struct node *ret_document)
{
	struct gauntlet_config *c = &d->config;

	*ret_document = (struct node){ .kind = NODE_NULL };
	k->file = STR(CONFIG_FILE);
	if (!fs_has(c->root, CONFIG_FILE)) {
		collect(k, PROBLEM_FATAL, NULL, STR(""), "Config file not found");
		return;
	}
	collect_in(k, k->file);
	if (!gates_read_yaml(k, c->root, k->file, ret_document))
		return;
	collect_map(k, ret_document, gauntlet_config_keys.fields, gauntlet_config_keys.count, d, NULL);
	c->entry_points = d->entry_points.items;
	c->entry_point_count = d->entry_points.count;
	load_reviewers(k, d->adapters, c);
	check_tools(k, c, ret_document);
}

static struct str
nearest_gate(const struct gauntlet_config *c, enum gate_kind kind, struct str name, struct arena *a)
{
	size_t count = kind == GATE_CHECK ? c->check_count : c->review_count;
	struct str *names = arena_array(a, count + 1, struct str), near[NEAREST_MAX];

	for (size_t i = 0; i < count; i++)
		names[i] = kind == GATE_CHECK ? c->checks[i].name : c->reviews[i].name;
	if (nearest(name, names, count, near) == 0)
		return str_fmt(a, "; it would be .gauntlet/%s/" STR_FMT ".%s",
			       kind == GATE_CHECK ? "checks" : "reviews", STR_ARG(name),
			       kind == GATE_CHECK ? "yml" : "md");
	return str_fmt(a, ", did you mean \"" STR_FMT "\"?", STR_ARG(near[0]));
}

static void
check_names(struct collector *k, const struct gauntlet_config *c, const struct node *entry, size_t index,
	    enum gate_kind kind)
{
	const struct entry_point *p = &c->entry_points[index];
	const struct str_list *names = kind == GATE_CHECK ? &p->checks : &p->reviews;
	const char *key = kind == GATE_CHECK ? "checks" : "reviews";
	const struct node *list = node_get(entry, key);

	for (size_t i = 0; i < names->count; i++) {
		struct str name = names->items[i];
		bool is_there = kind == GATE_CHECK ? gauntlet_check(c, name) != NULL
						   : gauntlet_review(c, name) != NULL;

		if (is_there)
			continue;
		struct str hint = nearest_gate(c, kind, name, k->arena);

		collect(k, PROBLEM_FATAL, collect_item(list, i),
			str_fmt(k->arena, "entry_points[%zu].%s", index, key),
			"Entry point \"" STR_FMT "\" references non-existent %s gate: \"" STR_FMT
			"\"" STR_FMT,
			STR_ARG(p->path), kind == GATE_CHECK ? "check" : "review", STR_ARG(name),
			STR_ARG(hint));
	}
}

/* Changes are told by their paths from the root, none of which is absolute or goes up. */
static bool
is_elsewhere(struct str path)
{
	struct str rest = path, part;
	bool goes_up = false;

	while (str_next(&rest, '/', &part))
		goes_up |= str_is(part, "..");
	return goes_up || str_starts(path, STR("/"));
}

static void
check_entry_points(struct collector *k, const struct gauntlet_config *c, const struct node *document)
{
	const struct node *list = node_get(document, "entry_points");

	k->file = STR(CONFIG_FILE);
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *p = &c->entry_points[i];
		const struct node *entry = collect_item(list, i);

		check_names(k, c, entry, i, GATE_CHECK);
		check_names(k, c, entry, i, GATE_REVIEW);
		if (p->checks.count == 0 && p->reviews.count == 0 && p->path.s)
			collect(k, PROBLEM_WARNING, entry, str_fmt(k->arena, "entry_points[%zu]", i),
				"Entry point at \"" STR_FMT "\" has no checks or reviews configured",
				STR_ARG(p->path));
		if (is_elsewhere(p->path))
			collect(k, PROBLEM_WARNING, node_get(entry, "path"),
				str_fmt(k->arena, "entry_points[%zu].path", i),
				"\"" STR_FMT
				"\" is no path below the project's root, so that no change is ever in it",
				STR_ARG(p->path));
	}
}

static void
load_all(struct collector *k, struct str root, struct config_draft *d)
{
	struct node document;

	*d = config_draft_defaults;
	d->config.root = str_copy(k->arena, root);
	load_config(k, d, &document);
	gates_load_checks(k, &d->config);
	gates_load_reviews(k, &d->config);
	check_entry_points(k, &d->config, &document);
}

void
gauntlet_check_all(struct arena *a, struct str root, struct gauntlet_problems *ret)
{
	struct collector k = { .arena = a, .problems = ret };
	struct config_draft d;

	*ret = (struct gauntlet_problems){ 0 };
	load_all(&k, root, &d);
	gates_check_ci(&k, d.config.root);
}

int
gauntlet_load(struct arena *a, struct str root, struct gauntlet_config *ret, struct str *ret_warning,
	      struct err *err)
{
	struct gauntlet_problems problems = { 0 };
	struct collector k = { .arena = a, .problems = &problems };
	struct config_draft d;

	if (!fs_has(root, CONFIG_FILE))
		return err_set(err, ERR_VALUE, "Configuration file not found at " STR_FMT "/" CONFIG_FILE,
			       STR_ARG(root));
	load_all(&k, root, &d);
	if (gauntlet_problems_fail(a, root, &problems, err) < 0)
		return -1;
	struct shared_values environment = sources_environment(), global = sources_global(a, ret_warning);

	d.config.sourced = sources_resolve(&environment, &d.shared, &global);
	*ret = d.config;
	return 0;
}
