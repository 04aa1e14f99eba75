/* SPDX-License-Identifier: MIT */
/* Finds and loads agent-gauntlet's configuration. Loading collects every problem, and the first fatal one is its error, so that
 * whatever validates also loads. */
#include "import/gauntlet_schema.h"

#include "base/nearest.h"
#include "doc/yaml.h"
#include "model/logname.h"
#include "os/env.h"
#include "os/fs.h"

const struct dialect *
gauntlet_dialect(struct str root)
{
	bool is_validator = !fs_has(root, dialects[DIALECT_GAUNTLET].file) &&
			    fs_has(root, dialects[DIALECT_VALIDATOR].file);

	return &dialects[is_validator ? DIALECT_VALIDATOR : DIALECT_GAUNTLET];
}

struct config_draft
config_draft_of(const struct dialect *dialect)
{
	struct config_draft d = config_draft_defaults;

	d.config.dialect = dialect;
	d.config.log_dir = str_from(dialect->log_dir);
	d.config.rerun_threshold = str_from(dialect->rerun_threshold);
	return d;
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
gauntlet_resolve(struct arena *a, const struct dialect *dialect, const struct shared_values *p,
		 struct str *ret_warning)
{
	int64_t enabled = parse_flag(env_get("GAUNTLET_STOP_HOOK_ENABLED"));
	int64_t minutes = parse_minutes(env_get("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES"));
	struct shared_values g = config_draft_defaults.shared;
	struct str path = gauntlet_global_path(a);
	struct err err;

	*ret_warning = STR_NONE;
	if (path.s && read_global(a, path.s, &g, &err) < 0)
		*ret_warning = str_cat(a, "[gauntlet] Warning: Failed to parse global config at ", path,
				       ", using defaults (", err.msg, ")");
	return (struct sourced_values){
		.stop_hook_enabled = pick(enabled, p->enabled, g.enabled, 1),
		.run_interval_minutes = pick(minutes, p->run_interval_minutes, g.run_interval_minutes,
					     dialect->interval_minutes),
		.reverifies = pick(UNSET, p->reverify, g.reverify, dialect->reverifies),
		.debug_log_enabled = pick(UNSET, p->debug_enabled, g.debug_enabled, 0),
		.debug_log_max_bytes = pick(UNSET, p->debug_max_bytes, g.debug_max_bytes,
					    10 * (int64_t)MIB(1)),
	};
}

/* ---- log_dir: logs are written there ---- */

/* Where the path leads by its links; for one that does not exist, where its nearest directory that exists leads. */
static struct str
real_place(struct arena *a, struct str path)
{
	struct str real = STR_NONE;

	for (; path.n > 0 && !real.s; path = path_parent(path))
		real = fs_real(a, str_copy(a, path).s);
	return real;
}

#define NAME_ANOTHER "; name a directory in the project, such as gauntlet_logs"

/* Notes a log directory that is the project itself or is outside it. */
static void
check_log_dir(struct config_loader *l, const struct node *document, struct str log_dir)
{
	struct arena *a = l->arena;
	struct str root = loader_project(l), full = path_normalise(a, path_from(a, root, log_dir));
	struct str real = real_place(a, full), real_root = fs_real(a, root.s), why;

	if (!real.s || !real_root.s)
		return;
	if (str_eq(real, real_root) && fs_kind(full.s) == FS_DIR)
		why = STR("is the project's own directory, and its files are not logs; name a directory in "
			  "it, such as gauntlet_logs");
	else if (path_is_at_or_below(real, real_root))
		return;
	else if (path_below(full, path_normalise(a, root)).s)
		why = str_cat(a, "leads to ", real, ", outside the project" NAME_ANOTHER);
	else
		why = STR("is outside the project" NAME_ANOTHER);
	loader_note_key(l, SEVERITY_FATAL, document, "log_dir", "'", log_dir, "' ", why);
}

static bool
is_of_a_run(struct str name)
{
	struct log_name l;

	return str_starts(name, STR(".")) || str_starts(name, STR("previous")) || log_name_parse(name, &l);
}

/* Notes files in it that are not logs. */
static void
check_log_files(struct config_loader *l, const struct node *document, struct str log_dir)
{
	struct str dir = path_from(l->arena, l->root, log_dir), first = STR_NONE;
	struct str_list names = { 0 };
	size_t count = 0;

	if (fs_list(l->arena, str_copy(l->arena, dir).s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		if (!is_of_a_run(names.items[i]) && count++ == 0)
			first = names.items[i];
	if (count > 0)
		loader_note_key(
			l, SEVERITY_WARNING, document, "log_dir", "'", log_dir, "' also holds ", count,
			" file", count == 1 ? "" : "s", " that no gate wrote, such as '",
			config_shown(l->arena, first, 60),
			"'; they are left alone, but logs are better kept in a directory of their own");
}

/* ---- config.yml ---- */

static void
check_names(struct config_loader *l, const struct gates_config *c, const struct node *entry, size_t index,
	    enum gate_kind kind)
{
	const struct entry_point *p = &c->entry_points[index];
	const struct str_list *names = entry_point_gates(p, kind);
	const char *key = gate_list_key(kind);
	struct gate_list gates = gates_config_list(c, kind);
	struct str *all = arena_array(l->arena, gates.count + 1, struct str), near[NEAREST_MAX];

	for (size_t i = 0; i < gates.count; i++)
		all[i] = gates.items[i].name;
	for (size_t i = 0; i < names->count; i++) {
		struct str name = names->items[i], hint;

		/* Where there is no name, its problem has already been reported. */
		if (!name.s || str_is_among(name, all, gates.count))
			continue;
		if (nearest(name, all, gates.count, near) > 0)
			hint = str_cat(l->arena, ", did you mean \"", near[0], "\"?");
		else
			hint = str_cat(l->arena, "; it would be ",
				       kind == GATE_CHECK ? l->dialect->checks : l->dialect->reviews, "/",
				       name, kind == GATE_CHECK ? ".yml" : ".md");
		loader_note(l, SEVERITY_FATAL, item_of(node_get(entry, key), i),
			    str_cat(l->arena, "entry_points[", index, "].", key), "Entry point \"", p->path,
			    "\" references non-existent ", gate_kind_name(kind).s, " gate: \"", name, "\"",
			    hint);
	}
}

/* A gate that no entry point names never runs, which its author has hardly intended. */
static void
check_unused(struct config_loader *l, const struct gates_config *c)
{
	for (size_t i = 0; i < c->check_count + c->review_count; i++) {
		const struct gate *g = i < c->check_count ? &c->checks[i] : &c->reviews[i - c->check_count];
		const char *kind = gate_kind_name(g->kind).s;

		if (gates_config_uses(c, g->kind, g->name))
			continue;
		l->file = g->file;
		loader_note(l, SEVERITY_WARNING, NULL, STR(""), "no entry point names the ", kind, " '",
			    g->name, "', so it never runs; add it to ", kind, "s of an entry point in ",
			    l->dialect->file);
	}
}

void
loader_read_all(struct config_loader *l, const struct node *document, struct config_draft *d)
{
	l->file = str_from(l->dialect->file);
	if (document) {
		schema_read(l->arena, &gauntlet_config_schema, document, d, l->file, l->problems);
		loader_check_reviewers(l, &d->config, node_get(node_get(document, "cli"), "adapters"),
				       "cli.adapters");
		const struct node *names = node_get(node_get(document, "cli"), "default_preference");
		const struct str_list known = known_reviewer_list(l->arena);

		for (size_t i = 0; i < d->config.default_preference.count; i++) {
			struct str name = d->config.default_preference.items[i];

			if (name.s && !known_reviewer(name) && !gates_config_reviewer(&d->config, name))
				loader_note(l, SEVERITY_ERROR, item_of(names, i),
					    str_cat(l->arena, "cli.default_preference[", i, "]"),
					    "Invalid CLI tool \"", name,
					    "\" in default_preference. Valid options are: ",
					    str_list_join(l->arena, &known, ", "));
		}
		check_log_dir(l, document, d->config.log_dir);
	}
	loader_read_gates(l, document, GATE_CHECK, d);
	loader_read_gates(l, document, GATE_REVIEW, d);
	if (document) {
		const struct node *list = node_get(document, "entry_points");

		l->file = str_from(l->dialect->file);
		/* agent-validator begins with an empty list. */
		if (list && list->kind == NODE_LIST && list->count == 0)
			loader_note(l, l->dialect->may_have_no_places ? SEVERITY_WARNING : SEVERITY_FATAL,
				    list, STR("entry_points"), "expected a list of at least 1, not of 0");
		for (size_t i = 0; i < d->config.entry_point_count; i++) {
			const struct entry_point *p = &d->config.entry_points[i];
			const struct node *entry = item_of(list, i);

			check_names(l, &d->config, entry, i, GATE_CHECK);
			check_names(l, &d->config, entry, i, GATE_REVIEW);
			if (p->checks.count == 0 && p->reviews.count == 0 && p->path.s)
				loader_note(l, SEVERITY_WARNING, entry,
					    str_cat(l->arena, "entry_points[", i, "]"), "Entry point at \"",
					    p->path, "\" has no checks or reviews configured");
			if (path_is_outside(p->path))
				loader_note(l, SEVERITY_WARNING, node_get(entry, "path"),
					    str_cat(l->arena, "entry_points[", i, "].path"), "\"", p->path,
					    "\" is not a path below the project's root, so no change is ever "
					    "in it");
		}
		if (!problems_first_fatal(l->problems))
			check_unused(l, &d->config);
	}
}

/* ---- loading ---- */

int
gauntlet_load_hook(struct arena *a, struct str root, struct stop_settings *ret, struct err *err)
{
	const struct dialect *dialect = gauntlet_dialect(root);
	struct str path = path_join(a, root, str_from(dialect->file)), text;
	const char *z;

	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "Configuration file not found at %s", z);
	return gauntlet_parse_hook(a, root, dialect, text, ret, err);
}

int
gauntlet_parse_hook(struct arena *a, struct str root, const struct dialect *dialect, struct str text,
		    struct stop_settings *ret, struct err *err)
{
	struct config_draft d = config_draft_of(dialect);
	struct stop_settings hook = { .root = str_copy(a, root), .dialect = dialect };

	if (yaml_parse(a, text, &hook.document, err) < 0)
		return err_wrap_file(err, path_join(a, root, str_from(dialect->file)).s);
	schema_read(a, &gauntlet_hook_schema, &hook.document, &d, STR(""), NULL);
	hook.sourced = gauntlet_resolve(a, dialect, &d.shared, &hook.warning);
	hook.log_dir = d.config.log_dir;
	*ret = hook;
	return 0;
}

struct config_draft
gauntlet_read(struct arena *a, const struct stop_settings *hook, struct config_problems *problems)
{
	struct config_loader l = {
		.arena = a,
		.root = hook->root,
		.project = hook->project,
		.dialect = hook->dialect,
		.problems = problems,
	};
	struct config_draft d = config_draft_of(hook->dialect);

	d.config.root = hook->root;
	d.config.sourced = hook->sourced;
	loader_read_all(&l, &hook->document, &d);
	return d;
}

int
gauntlet_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret,
		   struct err *err)
{
	struct config_problems problems = { 0 };
	struct config_draft d = gauntlet_read(a, hook, &problems);

	if (problems_fail(a, hook->root, &problems, err) < 0)
		return -1;
	*ret = d.config;
	/* What is wrong and did not prevent loading. A gate that is not used, which has no position, is for `validate` to
	 * report, not for every stop. */
	ret->warnings = arena_array(a, problems.count + 1, struct config_warning);
	for (size_t i = 0; i < problems.count; i++)
		if (problems.items[i].line > 0)
			ret->warnings[ret->warning_count++] = (struct config_warning){
				problem_position(a, hook->root, &problems.items[i]),
				problem_text(a, &problems.items[i])
			};
	return 0;
}

static struct ci_config
read_ci(struct config_loader *l)
{
	struct ci_config c = { 0 };
	struct node document;

	loader_begin_file(l, str_from(l->dialect->ci));
	if (loader_read_yaml(l, &document)) {
		schema_read(l->arena, &gauntlet_ci_schema, &document, &c, l->file, l->problems);
		c.list = node_get_list(&document, "checks");
	}
	return c;
}

/* A pipeline without the job of a mistyped check would look as if it passed. */
static void
check_ci_names(struct config_loader *l, const struct gates_config *c, struct ci_config ci)
{
	for (size_t i = 0; i < ci.check_count; i++)
		if (ci.checks[i].name.s && !gates_config_gate(c, GATE_CHECK, ci.checks[i].name))
			loader_note(l, SEVERITY_WARNING, item_of(ci.list, i),
				    str_cat(l->arena, "checks[", i, "]"), "there is no check '",
				    ci.checks[i].name, "'");
}

bool
gauntlet_check_all(struct arena *a, struct str root, struct gates_config *ret,
		   struct config_problems *ret_problems, struct str *ret_warning)
{
	const struct dialect *dialect = gauntlet_dialect(root);
	struct config_loader l = {
		.arena = a, .root = str_copy(a, root), .dialect = dialect, .problems = ret_problems
	};
	struct config_draft d = config_draft_of(dialect);
	struct node document;
	bool has_document = false;

	*ret_problems = (struct config_problems){ 0 };
	d.config.root = l.root;
	loader_begin_file(&l, str_from(dialect->file));
	if (!fs_has(root, dialect->file)) {
		ret_problems->files.count = 0;
		loader_note(&l, SEVERITY_FATAL, NULL, STR(""), "Config file not found");
	} else {
		has_document = loader_read_yaml(&l, &document);
	}
	loader_read_all(&l, has_document ? &document : NULL, &d);
	d.config.sourced = gauntlet_resolve(a, dialect, &d.shared, ret_warning);
	bool is_usable = !problems_first_fatal(ret_problems);

	if (has_document) {
		l.file = str_from(dialect->file);
		check_log_files(&l, &document, d.config.log_dir);
	}
	if (dialect == &dialects[DIALECT_GAUNTLET] && fs_has(root, dialects[DIALECT_VALIDATOR].file)) {
		l.file = str_from(dialects[DIALECT_VALIDATOR].file);
		loader_note(&l, SEVERITY_WARNING, NULL, STR(""), "has no effect: ", dialect->file, " counts");
	}
	if (fs_kind(path_join(a, l.root, str_from(dialect->ci)).s) != FS_NOTHING)
		check_ci_names(&l, &d.config, read_ci(&l));
	*ret = d.config;
	return is_usable;
}

int
gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err)
{
	struct config_problems problems = { 0 };
	const struct dialect *dialect = gauntlet_dialect(root);
	struct config_loader l = { .arena = a, .root = root, .dialect = dialect, .problems = &problems };
	struct str path = path_join(a, root, str_from(dialect->ci));

	if (fs_kind(path.s) == FS_NOTHING)
		return err_set(err, ERR_VALUE,
			       "CI configuration file not found at " STR_FMT
			       ". Run 'agent-gauntlet ci init' to create it.",
			       STR_ARG(path));
	*ret = read_ci(&l);
	return problems_fail(a, root, &problems, err);
}
