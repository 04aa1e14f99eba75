/* SPDX-License-Identifier: MIT */
/* Finds and loads agent-gauntlet's configuration. Loading collects every problem, and the first fatal one is its error, so that
 * whatever validates also loads. */
#include "conf/gauntlet_schema.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "doc/yaml.h"
#include "os/env.h"
#include "os/fs.h"

const struct gauntlet_kind gauntlet_kinds[GAUNTLET_KINDS] = {
#define KIND(dir_, log_dir_, is_validator_)                                                          \
	{                                                                                            \
		dir_, dir_ "/config.yml", dir_ "/checks", dir_ "/reviews", dir_ "/ci.yml", log_dir_, \
			is_validator_                                                                \
	}
	KIND(".gauntlet", GAUNTLET_LOG_DIR, false),
	KIND(".validator", "validator_logs", true),
#undef KIND
};

const struct gauntlet_kind *
gauntlet_kind_of(struct str root)
{
	bool is_validator = !fs_has(root, gauntlet_kinds[0].config) && fs_has(root, gauntlet_kinds[1].config);

	return &gauntlet_kinds[is_validator];
}

bool
gauntlet_is_in(struct str root)
{
	return fs_has(root, gauntlet_kinds[0].config) || fs_has(root, gauntlet_kinds[1].config);
}

struct config_draft
config_draft_of(const struct gauntlet_kind *kind)
{
	struct config_draft d = config_draft_defaults;

	d.config.log_dir = str_from(kind->log_dir);
	if (kind->is_validator)
		d.config.rerun_threshold = STR("medium");
	return d;
}

struct schema_keys
gauntlet_keys(struct arena *a)
{
	struct schema_keys keys = { 0 };

	schema_add_keys(a, &gauntlet_config_schema, &keys);
	schema_add_keys(a, &gauntlet_check_schema, &keys);
	schema_add_keys(a, &gauntlet_review_yml_schema, &keys);
	schema_add_keys(a, &gauntlet_ci_schema, &keys);
	return keys;
}

/* ---- the environment and the user's own file ---- */

static int64_t
parse_flag(struct str x)
{
	struct str word = str_trim(x);

	if (str_is_word(word, "true") || str_is_word(word, "1"))
		return 1;
	if (str_is_word(word, "false") || str_is_word(word, "0"))
		return 0;
	return UNSET;
}

/* Digits, optionally with a plus before them and with a point and zeros after them. */
static int64_t
parse_minutes(struct str x)
{
	struct str digits = str_trim(x);
	ptrdiff_t point = str_find_char(digits, '.');
	uint64_t value;

	for (size_t i = point < 0 ? digits.n : (size_t)point + 1; i < digits.n; i++)
		if (digits.s[i] != '0')
			return UNSET;
	if (point >= 0)
		digits = str_sub(digits, 0, (size_t)point);
	if (str_starts(digits, STR("+")))
		digits = str_sub(digits, 1, digits.n);
	return number_parse(digits, &value) && value <= INT32_MAX ? (int64_t)value : UNSET;
}

bool
gauntlet_is_ci(void)
{
	return str_is(env_get("CI"), "true") || str_is(env_get("GITHUB_ACTIONS"), "true");
}

struct str
gauntlet_base_branch(const struct gates_config *c, struct str given)
{
	if (given.s)
		return given;
	return gauntlet_is_ci() && env_has("GITHUB_BASE_REF") ? env_get("GITHUB_BASE_REF") : c->base_branch;
}

struct str
gauntlet_global_path(struct arena *a)
{
	struct str dir = env_xdg(a, "XDG_CONFIG_HOME", ".config");

	return dir.s ? path_join(a, dir, STR("agent-gauntlet/config.yml")) : STR_NONE;
}

static int
read_global(struct arena *a, const char *path, struct shared_values *ret, struct err *err)
{
	struct config_draft d = config_draft_defaults;
	struct config_problems problems = { 0 };
	struct str text;
	struct node root;

	if (fs_read(a, path, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return 0;
	if (yaml_parse(a, text, &root, err) < 0)
		return err_wrap_file(err, path);
	schema_read(a, &gauntlet_global_schema, &root, &d, str_from(path), &problems);
	if (problems_fail(a, STR(""), &problems, err) < 0)
		return -1;
	*ret = d.shared;
	return 0;
}

static struct sourced_int
pick(int64_t environment, int64_t project, int64_t global, int64_t fallback)
{
	if (environment != UNSET)
		return (struct sourced_int){ environment, SOURCE_ENVIRONMENT };
	if (project != UNSET)
		return (struct sourced_int){ project, SOURCE_PROJECT };
	if (global != UNSET)
		return (struct sourced_int){ global, SOURCE_GLOBAL };
	return (struct sourced_int){ fallback, SOURCE_DEFAULT };
}

struct sourced_values
gauntlet_resolve(struct arena *a, const struct gauntlet_kind *kind, const struct shared_values *p,
		 struct str *ret_warning)
{
	int64_t enabled = parse_flag(env_get("GAUNTLET_STOP_HOOK_ENABLED"));
	int64_t minutes = parse_minutes(env_get("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES"));
	struct shared_values g = config_draft_defaults.shared;
	struct str path = gauntlet_global_path(a);
	struct err err;

	*ret_warning = STR_NONE;
	if (path.s && read_global(a, path.s, &g, &err) < 0)
		*ret_warning = str_fmt(a,
				       "[gauntlet] Warning: Failed to parse global config at " STR_FMT
				       ", using defaults (%s)",
				       STR_ARG(path), err.msg);
	return (struct sourced_values){
		.stop_hook_enabled = pick(enabled, p->enabled, g.enabled, 1),
		.run_interval_minutes = pick(minutes, p->run_interval_minutes, g.run_interval_minutes,
					     kind->is_validator ? 0 : 10),
		.reverifies = pick(UNSET, p->reverify, g.reverify, kind->is_validator),
		.debug_log_enabled = pick(UNSET, p->debug_enabled, g.debug_enabled, 0),
		.debug_log_max_bytes = pick(UNSET, p->debug_max_bytes, g.debug_max_bytes,
					    10 * (int64_t)MIB(1)),
	};
}

/* ---- config.yml ---- */

/* A reviewer that is not built in needs a command. */
void
loader_check_reviewers(struct gauntlet_loader *l, const struct gates_config *c, const struct node *map,
		       const char *key)
{
	for (size_t i = 0; i < c->reviewer_count; i++) {
		const struct reviewer_config *r = &c->reviewers[i];
		const struct node_entry *e = &map->entries[i];

		if (r->command.count == 0 && !known_reviewer(r->name))
			loader_note(l, SEVERITY_FATAL, &(struct node){ .line = e->line, .column = e->column },
				    str_fmt(l->arena, "%s." STR_FMT, key, STR_ARG(r->name)),
				    "missing key 'command': '" STR_FMT "' is not a known reviewer",
				    STR_ARG(r->name));
	}
}

static void
check_tools(struct gauntlet_loader *l, const struct gates_config *c, const struct node *document)
{
	const struct node *names = node_get(node_get(document, "cli"), "default_preference");
	struct buf known = BUF(l->arena, SIZE_MAX);

	for (size_t i = 0; i < known_reviewer_count; i++)
		buf_addf(&known, "%s%s", i > 0 ? ", " : "", known_reviewers[i].name);
	for (size_t i = 0; i < c->default_preference.count; i++) {
		struct str name = c->default_preference.items[i];

		if (name.s && !known_reviewer(name) && !gates_config_reviewer(c, name))
			loader_note(l, SEVERITY_ERROR, item_of(names, i),
				    str_fmt(l->arena, "cli.default_preference[%zu]", i),
				    "Invalid CLI tool \"" STR_FMT
				    "\" in default_preference. Valid options are: " STR_FMT,
				    STR_ARG(name), STR_ARG(buf_str(&known)));
	}
}

static struct str
gate_hint(struct gauntlet_loader *l, const struct gates_config *c, enum gate_kind kind, struct str name)
{
	struct arena *a = l->arena;
	size_t count = kind == GATE_CHECK ? c->check_count : c->review_count;
	struct str *names = arena_array(a, count + 1, struct str), near[NEAREST_MAX];

	for (size_t i = 0; i < count; i++)
		names[i] = kind == GATE_CHECK ? c->checks[i].name : c->reviews[i].name;
	if (nearest(name, names, count, near) == 0)
		return str_fmt(a, "; it would be %s/" STR_FMT ".%s",
			       kind == GATE_CHECK ? l->kind->checks : l->kind->reviews, STR_ARG(name),
			       kind == GATE_CHECK ? "yml" : "md");
	return str_fmt(a, ", did you mean \"" STR_FMT "\"?", STR_ARG(near[0]));
}

static void
check_names(struct gauntlet_loader *l, const struct gates_config *c, const struct node *entry, size_t index,
	    enum gate_kind kind)
{
	const struct entry_point *p = &c->entry_points[index];
	const struct str_list *names = kind == GATE_CHECK ? &p->checks : &p->reviews;
	const char *key = kind == GATE_CHECK ? "checks" : "reviews";
	const struct node *list = node_get(entry, key);

	for (size_t i = 0; i < names->count; i++) {
		struct str name = names->items[i];

		/* Its problem has already been reported. */
		if (!name.s)
			continue;
		if (kind == GATE_CHECK ? gates_config_check(c, name) != NULL
				       : gates_config_review(c, name) != NULL)
			continue;
		struct str hint = gate_hint(l, c, kind, name);

		loader_note(l, SEVERITY_FATAL, item_of(list, i),
			    str_fmt(l->arena, "entry_points[%zu].%s", index, key),
			    "Entry point \"" STR_FMT "\" references non-existent %s gate: \"" STR_FMT
			    "\"" STR_FMT,
			    STR_ARG(p->path), kind == GATE_CHECK ? "check" : "review", STR_ARG(name),
			    STR_ARG(hint));
	}
}

static void
check_entry_points(struct gauntlet_loader *l, const struct gates_config *c, const struct node *document)
{
	const struct node *list = node_get(document, "entry_points");

	l->file = str_from(l->kind->config);
	/* agent-validator begins with an empty list. */
	if (list && list->kind == NODE_LIST && list->count == 0)
		loader_note(l, l->kind->is_validator ? SEVERITY_WARNING : SEVERITY_FATAL, list,
			    STR("entry_points"), "expected a list of at least 1, not of 0");
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *p = &c->entry_points[i];
		const struct node *entry = item_of(list, i);

		check_names(l, c, entry, i, GATE_CHECK);
		check_names(l, c, entry, i, GATE_REVIEW);
		if (p->checks.count == 0 && p->reviews.count == 0 && p->path.s)
			loader_note(l, SEVERITY_WARNING, entry, str_fmt(l->arena, "entry_points[%zu]", i),
				    "Entry point at \"" STR_FMT "\" has no checks or reviews configured",
				    STR_ARG(p->path));
		if (path_is_outside(p->path))
			loader_note(l, SEVERITY_WARNING, node_get(entry, "path"),
				    str_fmt(l->arena, "entry_points[%zu].path", i),
				    "\"" STR_FMT
				    "\" is not a path below the project's root, so no change is ever in it",
				    STR_ARG(p->path));
	}
}

static bool
is_named(const struct gates_config *c, enum gate_kind kind, struct str name)
{
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *p = &c->entry_points[i];
		const struct str_list *names = kind == GATE_CHECK ? &p->checks : &p->reviews;

		if (str_is_among(name, names->items, names->count))
			return true;
	}
	return false;
}

/* A gate that no entry point names never runs, which its author has hardly intended. */
static void
check_unused(struct gauntlet_loader *l, const struct gates_config *c)
{
	for (size_t i = 0; i < c->check_count + c->review_count; i++) {
		bool is_check = i < c->check_count;
		enum gate_kind kind = is_check ? GATE_CHECK : GATE_REVIEW;
		struct str name = is_check ? c->checks[i].name : c->reviews[i - c->check_count].name;

		if (is_named(c, kind, name))
			continue;
		l->file = is_check ? c->checks[i].file : c->reviews[i - c->check_count].file;
		loader_note(l, SEVERITY_WARNING, NULL, STR(""),
			    "no entry point names the %s '" STR_FMT
			    "', so it never runs; add it to %ss of an entry point in %s",
			    gate_kind_name(kind).s, STR_ARG(name), gate_kind_name(kind).s, l->kind->config);
	}
}

void
loader_read_all(struct gauntlet_loader *l, const struct node *document, struct config_draft *d)
{
	l->file = str_from(l->kind->config);
	if (document) {
		schema_read(l->arena, &gauntlet_config_schema, document, d, l->file, l->problems);
		loader_check_reviewers(l, &d->config, node_get(node_get(document, "cli"), "adapters"),
				       "cli.adapters");
		check_tools(l, &d->config, document);
		loader_check_log_dir(l, document, d->config.log_dir);
	}
	if (document && l->on_file && !problems_first_fatal(l->problems))
		l->on_file(l, &gauntlet_config_schema, NULL, document, d);
	loader_read_checks(l, document, &d->config);
	loader_read_reviews(l, document, &d->config);
	if (document) {
		check_entry_points(l, &d->config, document);
		if (!problems_first_fatal(l->problems))
			check_unused(l, &d->config);
	}
}

/* ---- loading ---- */

int
gauntlet_load_hook(struct arena *a, struct str root, struct gauntlet_hook_config *ret, struct err *err)
{
	const struct gauntlet_kind *kind = gauntlet_kind_of(root);
	struct str path = path_join(a, root, str_from(kind->config)), text;
	const char *z;

	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "Configuration file not found at %s", z);
	return gauntlet_parse_hook(a, root, kind, text, ret, err);
}

int
gauntlet_parse_hook(struct arena *a, struct str root, const struct gauntlet_kind *kind, struct str text,
		    struct gauntlet_hook_config *ret, struct err *err)
{
	struct config_draft d = config_draft_of(kind);
	struct gauntlet_hook_config hook = { .root = str_copy(a, root), .kind = kind };

	if (yaml_parse(a, text, &hook.document, err) < 0)
		return err_wrap_file(err, path_join(a, root, str_from(kind->config)).s);
	schema_read(a, &gauntlet_hook_schema, &hook.document, &d, STR(""), NULL);
	hook.sourced = gauntlet_resolve(a, kind, &d.shared, &hook.warning);
	hook.log_dir = d.config.log_dir;
	*ret = hook;
	return 0;
}

/* Adds what is wrong and did not prevent loading. A gate that is not used, which has no position, is for `validate` to
 * report, not for every stop. */
static void
add_warnings(struct arena *a, const struct config_problems *p, struct gates_config *c)
{
	c->warnings = arena_array(a, p->count + 1, struct config_warning);
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].line > 0)
			c->warnings[c->warning_count++] = (struct config_warning){
				problem_position(a, c->root, &p->items[i]), problem_text(a, &p->items[i])
			};
}

int
gauntlet_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		   struct err *err)
{
	struct config_problems problems = { 0 };
	struct gauntlet_loader l = {
		.arena = a,
		.root = hook->root,
		.project = hook->project,
		.kind = hook->kind,
		.problems = &problems,
	};
	struct config_draft d = config_draft_of(hook->kind);

	d.config.root = hook->root;
	loader_read_all(&l, &hook->document, &d);
	if (problems_fail(a, hook->root, &problems, err) < 0)
		return -1;
	d.config.sourced = hook->sourced;
	add_warnings(a, &problems, &d.config);
	*ret = d.config;
	return 0;
}

int
gauntlet_load(struct arena *a, struct str root, struct gates_config *ret, struct str *ret_warning,
	      struct err *err)
{
	struct gauntlet_hook_config *hook = arena_new(a, struct gauntlet_hook_config);

	if (gauntlet_load_hook(a, root, hook, err) < 0)
		return -1;
	*ret_warning = hook->warning;
	return gauntlet_load_rest(a, hook, ret, err);
}

/* A pipeline without the job of a mistyped check would look as if it passed. */
static void
check_ci_names(struct gauntlet_loader *l, const struct gates_config *c, const struct ci_config *ci,
	       const struct node *list)
{
	for (size_t i = 0; i < ci->check_count; i++)
		if (ci->checks[i].name.s && !gates_config_check(c, ci->checks[i].name))
			loader_note(l, SEVERITY_WARNING, item_of(list, i),
				    str_fmt(l->arena, "checks[%zu]", i), "there is no check '" STR_FMT "'",
				    STR_ARG(ci->checks[i].name));
}

bool
gauntlet_check_all(struct arena *a, struct str root, struct gates_config *ret,
		   struct config_problems *ret_problems, struct str *ret_warning)
{
	const struct gauntlet_kind *kind = gauntlet_kind_of(root);
	struct gauntlet_loader l = {
		.arena = a, .root = str_copy(a, root), .kind = kind, .problems = ret_problems
	};
	struct config_draft d = config_draft_of(kind);
	struct node document;
	bool has_document = false;

	*ret_problems = (struct config_problems){ 0 };
	d.config.root = l.root;
	loader_begin_file(&l, str_from(kind->config));
	if (!fs_has(root, kind->config)) {
		ret_problems->files.count = 0;
		loader_note(&l, SEVERITY_FATAL, NULL, STR(""), "Config file not found");
	} else {
		has_document = loader_read_yaml(&l, &document);
	}
	loader_read_all(&l, has_document ? &document : NULL, &d);
	d.config.sourced = gauntlet_resolve(a, kind, &d.shared, ret_warning);
	bool is_usable = !problems_first_fatal(ret_problems);

	if (has_document) {
		l.file = str_from(kind->config);
		loader_check_log_files(&l, &document, d.config.log_dir);
	}
	if (!kind->is_validator && fs_has(root, gauntlet_kinds[1].config)) {
		l.file = str_from(gauntlet_kinds[1].config);
		loader_note(&l, SEVERITY_WARNING, NULL, STR(""), "has no effect: %s counts", kind->config);
	}
	if (fs_kind(path_join(a, l.root, str_from(kind->ci)).s) != FS_NOTHING) {
		struct ci_config ci = { 0 };

		loader_begin_file(&l, str_from(kind->ci));
		if (loader_read_yaml(&l, &document)) {
			schema_read(a, &gauntlet_ci_schema, &document, &ci, l.file, ret_problems);
			check_ci_names(&l, &d.config, &ci, node_get(&document, "checks"));
		}
	}
	*ret = d.config;
	return is_usable;
}

int
gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err)
{
	struct config_problems problems = { 0 };
	const struct gauntlet_kind *kind = gauntlet_kind_of(root);
	struct gauntlet_loader l = {
		.arena = a, .root = root, .kind = kind, .file = str_from(kind->ci), .problems = &problems
	};
	struct str path = path_join(a, root, l.file);
	struct ci_config c = { 0 };
	struct node *document = arena_new(a, struct node);

	if (fs_kind(path.s) == FS_NOTHING)
		return err_set(err, ERR_VALUE,
			       "CI configuration file not found at " STR_FMT
			       ". Run 'agent-gauntlet ci init' to create it.",
			       STR_ARG(path));
	if (loader_read_yaml(&l, document))
		schema_read(a, &gauntlet_ci_schema, document, &c, l.file, &problems);
	if (problems_fail(a, root, &problems, err) < 0)
		return -1;
	*ret = c;
	return 0;
}
