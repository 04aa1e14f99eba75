/* SPDX-License-Identifier: MIT */
/* What .gauntlet says, as a document of holdfast.yml: a gate with all entry points that name it, in the order in which they are
 * planned. */
#include "import/gauntlet_schema.h"

#include "base/duration.h"
#include "os/fs.h"

static void
add_flag(struct import *m, struct node *to, const char *key, bool value, bool usual, const struct node *from)
{
	if (value != usual)
		import_add(m, to, key, import_bool(value), import_entry(from, key));
}

/* ---- where ---- */

/* Null: it applies to every change in the root, which is the default. */
static struct node
places_of(struct import *m, const struct gates_config *c, const struct gate *g)
{
	struct node list = { .kind = NODE_LIST };

	for_each (e, c->entry_points, c->entry_point_count) {
		struct str path = path_tidy(e->path);
		struct node place = { 0 };

		if (!entry_point_names(e, g->kind, g->name) || path_is_outside(path))
			continue;
		import_add(m, &place, "path", node_text(path), NULL);
		import_add(m, &place, "except", import_texts(m, &e->exclude), NULL);
		import_push(m, &list, e->exclude.count > 0 ? place : node_text(path), NULL);
	}
	if (list.count != 1)
		return list;
	return str_is(list.items[0].text, ".") ? (struct node){ 0 } : list.items[0];
}

/* Can two jobs of gates that are not parallel meet? */
static bool
has_lane(const struct config_draft *d)
{
	size_t jobs = 0;

	for (size_t i = 0; i < d->config.entry_point_count; i++)
		for (size_t k = 0; k < d->gate_count; k++) {
			const struct entry_point *e = &d->config.entry_points[i];
			const struct gate *g = &d->gates[k].gate;

			if (entry_point_names(e, g->kind, g->name) &&
			    (!g->is_parallel || !d->config.allows_parallel))
				jobs += str_find_char(e->path, '*') >= 0 ? 2 : 1;
		}
	return jobs > 1;
}

/* ---- a gate ---- */

static void
add_text(struct import *m, struct node *to, const char *key, struct str text, const struct node *from,
	 const char *old_key)
{
	if (text.s)
		import_add(m, to, key, node_text(text), import_entry(from, old_key));
}

static struct node
gate_of(struct import *m, const struct config_draft *all, const struct gate_draft *d)
{
	const struct gate *g = &d->gate;
	const struct node *from = &d->node;
	bool is_parallel = g->is_parallel && all->config.allows_parallel;
	struct node to = { 0 };

	add_text(m, &to, "run", g->command, from, "command");
	add_text(m, &to, "rerun", g->rerun_command, from, "rerun_command");
	if (d->builtin.s)
		add_text(m, &to, "review", d->builtin, from, "builtin");
	else
		add_text(m, &to, "prompt", g->prompt, from, "prompt_file");
	import_add(m, &to, "in", places_of(m, &all->config, g), NULL);
	if (g->kind == GATE_REVIEW) {
		const struct str_list *names = &g->cli_preference;
		bool is_usual = names->count == known_reviewer_count;

		for (size_t i = 0; is_usual && i < names->count; i++)
			is_usual = str_is(names->items[i], known_reviewers[i].name);
		if (!is_usual)
			import_add(m, &to, "by", import_texts(m, names),
				   import_entry(from, "cli_preference"));
		if (g->num_reviews > 1)
			import_add(m, &to, "num_reviews",
				   node_int(g->num_reviews < REVIEW_SLOTS_LIMIT ? g->num_reviews
										: REVIEW_SLOTS_LIMIT),
				   import_entry(from, "num_reviews"));
		add_text(m, &to, "model", g->model, from, "model");
	} else if (!str_is(g->working_directory, "entrypoint"))
		add_text(m, &to, "working_directory", g->working_directory, from, "working_directory");
	if (g->timeout_ms > 0)
		add_text(m, &to, "timeout", duration_text(m->arena, g->timeout_ms), from, "timeout");
	add_flag(m, &to, "parallel", is_parallel || !(g->fails_fast || has_lane(all)), true, from);
	add_flag(m, &to, "fail_fast", g->fails_fast, false, from);
	add_flag(m, &to, "run_locally", g->runs_locally, true, from);
	add_flag(m, &to, "run_in_ci", g->runs_in_ci, true, from);
	add_flag(m, &to, "enabled", g->is_enabled, true, from);
	if (str_trim(g->fix_instructions).n > 0)
		add_text(m, &to, "hint", g->fix_instructions, from,
			 d->fix_path.s ? "fix_instructions" : "fix_instructions_file");
	return to;
}

static const struct gate_draft *
find_draft(const struct config_draft *d, enum gate_kind kind, struct str name)
{
	for (size_t i = 0; i < d->gate_count; i++)
		if (d->gates[i].gate.kind == kind && str_eq(d->gates[i].gate.name, name))
			return &d->gates[i];
	return NULL;
}

/* A gate of holdfast.yml has a name of its own, whatever it is. */
static struct str
new_name(struct import *m, const struct config_draft *d, const struct gate *g)
{
	return g->kind == GATE_REVIEW && find_draft(d, GATE_CHECK, g->name)
		       ? str_cat(m->arena, g->name, "-review")
		       : g->name;
}

static void
add_gate(struct gauntlet_import *i, const struct config_draft *all, const struct gate_draft *d, int line)
{
	struct import *m = &i->import;
	const char *name = str_copy(m->arena, new_name(m, all, &d->gate)).s;
	struct node gate = gate_of(m, all, d);
	size_t count = i->gates.count;

	if (gate.count == 1 && d->gate.command.s)
		add_text(m, &i->gates, name, d->gate.command, &d->node, "command");
	else
		import_add(m, &i->gates, name, gate, NULL);
	*arena_push(m->arena, i->sources, count) = (struct gate_source){ d, line };
}

/* The gates of the root come first, as in a plan. */
static void
add_gates(struct gauntlet_import *i, const struct config_draft *d, const struct node *list, bool is_root)
{
	for (size_t k = 0; k < d->config.entry_point_count; k++) {
		const struct entry_point *e = &d->config.entry_points[k];
		const struct node *at = item_of(list, k);

		if (str_is(path_tidy(e->path), ".") != is_root)
			continue;
		for (int kind = GATE_CHECK; kind <= GATE_REVIEW; kind++) {
			const struct str_list *names = entry_point_gates(e, (enum gate_kind)kind);

			for (size_t n = 0; n < names->count; n++) {
				const struct gate_draft *g = find_draft(d, (enum gate_kind)kind,
									names->items[n]);
				size_t known = 0;

				while (known < i->gates.count && i->sources[known].draft != g)
					known++;
				if (g && known == i->gates.count)
					add_gate(i, d, g, at ? at->line : 0);
			}
		}
	}
}

/* ---- the file as such ---- */

static void
add_top(struct import *m, const struct config_draft *d, const struct node *from)
{
	const struct gates_config *c = &d->config;
	const struct shared_values *s = &d->shared;
	const struct node *cli = node_get(from, "cli");
	const struct node_entry *tries = import_entry(from, "max_retries");
	const struct node_entry *adapters = import_entry(cli, "adapters");
	struct node *to = &m->document, debug_log = import_bool(true);

	if (import_entry(from, "base_branch"))
		add_text(m, to, "base", c->base_branch, from, "base_branch");
	if (tries)
		import_add(m, to, "tries", node_int(c->max_retries < 1000 ? c->max_retries : 1000), tries);
	if (c->max_parallel > 0)
		import_add(m, to, "max_parallel", node_int(c->max_parallel),
			   import_entry(from, "max_parallel"));
	if (s->enabled == 0)
		import_add(m, to, "run_at_stop", import_bool(false),
			   import_entry(node_get(from, "stop_hook"), "enabled"));
	add_flag(m, to, "check_usage_limit", c->checks_usage_limit, false, cli);
	if (!str_is(c->rerun_threshold, "high"))
		add_text(m, to, "rerun_new_issue_threshold", c->rerun_threshold, from,
			 "rerun_new_issue_threshold");
	if (s->debug_enabled == 1 && s->debug_max_bytes > 0) {
		struct node megabytes = { .kind = NODE_FLOAT };

		megabytes.text = str_fmt(m->arena, "%.6g", (double)s->debug_max_bytes / (double)MIB(1));
		debug_log = (struct node){ 0 };
		import_add(m, &debug_log, "enabled", import_bool(true), NULL);
		import_add(m, &debug_log, "max_size_mb", megabytes, NULL);
	}
	if (s->debug_enabled == 1)
		import_add(m, to, "debug_log", debug_log, import_entry(from, "debug_log"));
	if (adapters && adapters->value.count > 0)
		import_add(m, to, "reviewers", adapters->value, NULL);
}

static void
note_gates(struct import *m, const struct config_draft *d, const struct node *list)
{
	const struct gates_config *c = &d->config;

	for (size_t i = 0; i < d->gate_count; i++) {
		const struct gate *g = &d->gates[i].gate;
		bool is_used = gates_config_uses(c, g->kind, g->name);
		const struct node *skill = node_get(&d->gates[i].node, "fix_with_skill");
		struct str name = new_name(m, d, g);

		m->file = g->file;
		if (!is_used)
			import_note(m, NULL, STR(""), "no entry point names the ", gate_kind_name(g->kind).s,
				    " '", g->name, "', so it never ran");
		else if (!str_eq(g->name, name))
			import_note(m, NULL, STR(""), "the review is '", name,
				    "' now, because there is a check '", g->name, "'");
		if (is_used && skill)
			import_note(m, skill, STR("fix_with_skill"), "it has no effect");
	}
	m->file = str_from(c->dialect->file);
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];
		struct str path = str_cat(m->arena, "entry_points[", i, "]");

		if (path_is_outside(path_tidy(e->path)))
			import_note(m, item_of(list, i), path, "'", e->path,
				    "' is outside the project, so no change was ever in it");
		else if (e->checks.count + e->reviews.count == 0)
			import_note(m, item_of(list, i), path, "it names no gate");
	}
}

int
gauntlet_import(struct arena *a, const struct config_draft *d, const struct node *document,
		struct gauntlet_import *ret, struct err *err)
{
	const struct node *list = node_get(document, "entry_points");
	struct import *m = &ret->import;

	*ret = (struct gauntlet_import){
		.import = { .arena = a,
			    .file = str_from(d->config.dialect->file),
			    .document = { .kind = NODE_MAP } },
		.gates = { .kind = NODE_MAP },
	};
	/* Such a review could not run; holdfast.yml refuses it. */
	for_each (g, d->gates, d->gate_count)
		if (g->gate.kind == GATE_REVIEW && !g->builtin.s && str_trim(g->gate.prompt).n == 0)
			return err_set(err, ERR_VALUE, STR_FMT ": the prompt is empty",
				       STR_ARG(g->gate.file));
	add_top(m, d, document);
	add_gates(ret, d, list, true);
	add_gates(ret, d, list, false);
	static const struct {
		const char *section, *key, *why;
	} rows[] = {
		{ NULL, "log_dir", "logs are in .holdfast" },
		{ NULL, "logging", "it has no effect" },
		{ NULL, "max_previous_logs", "it has no effect" },
		{ "stop_hook", "run_interval_minutes",
		  "there is no interval: every change is checked at the next stop, and a gate that passed is "
		  "not run again while its files are unchanged" },
		{ "stop_hook", "reverify", "fixes are always verified" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *section = rows[i].section, *key = rows[i].key;
		const struct node *n = node_get(section ? node_get(document, section) : document, key);

		if (n && !(str_is(str_from(key), "reverify") && d->shared.reverify != 0))
			import_note(m, n, str_cat(m->arena, section ? section : "", section ? "." : "", key),
				    rows[i].why);
	}
	m->file = str_from(d->config.dialect->ci);
	if (fs_has(d->config.root, d->config.dialect->ci))
		import_note(m, NULL, STR(""),
			    "'holdfast ci' does not read holdfast.yml: let the CI job call 'holdfast run'");
	m->file = gauntlet_global_path(m->arena);
	if (m->file.s && fs_kind(m->file.s) == FS_FILE)
		import_note(m, NULL, STR(""), "it has no effect on holdfast.yml");
	note_gates(m, d, list);
	return 0;
}
