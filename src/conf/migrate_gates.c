/* SPDX-License-Identifier: MIT */
/* The gates of .gauntlet as those of holdfast.yml: a gate with all entry points that name it, in the order in which they
 * are planned. */
#include "conf/migrate_parts.h"

#include "base/duration.h"
#include "base/path.h"
#include "conf/builtin.h"
#include "conf/holdfast.h"
#include "doc/yaml_out.h"
#include "os/fs.h"

#define INDENT 2

static struct old_gate *
find_gate(struct old_gates *g, enum gate_kind kind, struct str name)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->items[i].kind == kind && str_eq(g->items[i].name, name))
			return &g->items[i];
	return NULL;
}

static const struct str_list *
names_of(const struct entry_point *e, enum gate_kind kind)
{
	return kind == GATE_CHECK ? &e->checks : &e->reviews;
}

static bool
applies_at(const struct entry_point *e, const struct old_gate *o)
{
	const struct str_list *names = names_of(e, o->kind);

	return str_is_among(o->name, names->items, names->count);
}

/* ---- where ---- */

static struct str
place_text(struct arena *a, const struct entry_point *e)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (e->exclude.count == 0) {
		yaml_add_string(&b, path_tidy(e->path));
		return buf_str(&b);
	}
	buf_add(&b, STR("{path: "));
	yaml_add_string(&b, path_tidy(e->path));
	buf_addf(&b, ", except: " STR_FMT "}", STR_ARG(flow_list(a, &e->exclude)));
	return buf_str(&b);
}

/* Absent: it applies to every change in the root, which is the default. */
static struct str
places_text(struct arena *a, const struct old_gates *g, const struct old_gate *o)
{
	const struct gates_config *c = &g->draft.config;
	struct buf list = BUF(a, SIZE_MAX);
	struct str one = STR_NONE;
	size_t count = 0;

	for (size_t i = 0; i < c->entry_point_count; i++) {
		if (!applies_at(&c->entry_points[i], o) ||
		    path_is_outside(path_tidy(c->entry_points[i].path)))
			continue;
		one = place_text(a, &c->entry_points[i]);
		buf_addf(&list, "%s" STR_FMT, count++ > 0 ? ", " : "", STR_ARG(one));
	}
	if (count == 1)
		return str_is(one, "\".\"") ? STR_NONE : one;
	return str_fmt(a, "[" STR_FMT "]", STR_ARG(buf_str(&list)));
}

/* Can two jobs of gates that are not parallel meet? */
static bool
has_lane(const struct old_gates *g)
{
	const struct gates_config *c = &g->draft.config;
	size_t jobs = 0;

	for (size_t i = 0; i < c->entry_point_count; i++)
		for (size_t k = 0; k < g->count; k++) {
			const struct old_gate *o = &g->items[k];
			bool is_parallel = o->kind == GATE_CHECK ? o->check.gate.is_parallel
								 : o->review.gate.is_parallel;

			if (applies_at(&c->entry_points[i], o) && (!is_parallel || !c->allows_parallel))
				jobs += str_find_char(c->entry_points[i].path, '*') >= 0 ? 2 : 1;
		}
	return jobs > 1;
}

/* ---- a gate ---- */

static void
add_flag(struct buf *b, const struct old_gate *o, const char *key, bool value, bool usual)
{
	if (value != usual)
		add_key(b, 2 * INDENT, str_from(key), value ? STR("true") : STR("false"), &o->from, key);
}

static void
add_timeout(struct buf *b, const struct old_gate *o, int64_t ms)
{
	if (ms > 0)
		add_key(b, 2 * INDENT, STR("timeout"), duration_text(b->arena, ms), &o->from, "timeout");
}

static void
add_check(struct buf *b, const struct old_gates *g, const struct old_gate *o)
{
	const struct check_gate *c = &o->check.gate;
	struct str dir = c->working_directory;
	bool is_parallel = c->is_parallel && g->draft.config.allows_parallel;

	add_key_text(b, 2 * INDENT, STR("run"), c->command, &o->from, "command");
	if (c->rerun_command.s)
		add_key_text(b, 2 * INDENT, STR("rerun"), c->rerun_command, &o->from, "rerun_command");
	struct str in = places_text(b->arena, g, o);

	if (in.s)
		add_key(b, 2 * INDENT, STR("in"), in, NULL, NULL);
	if (dir.n > 0 && !str_is(dir, "entrypoint"))
		add_key_text(b, 2 * INDENT, STR("working_directory"), dir, &o->from, "working_directory");
	add_timeout(b, o, c->timeout_ms);
	add_flag(b, o, "parallel", is_parallel || !(c->fails_fast || has_lane(g)), true);
	add_flag(b, o, "fail_fast", c->fails_fast, false);
	add_flag(b, o, "run_locally", c->runs_locally, true);
	add_flag(b, o, "run_in_ci", c->runs_in_ci, true);
	if (str_trim(c->fix_instructions).n > 0)
		add_key_text(b, 2 * INDENT, STR("hint"), c->fix_instructions, &o->from,
			     o->check.fix_path.s ? "fix_instructions" : "fix_instructions_file");
}

static bool
is_default_preference(const struct str_list *names)
{
	bool is_same = names->count == known_reviewer_count;

	for (size_t i = 0; is_same && i < names->count; i++)
		is_same = str_is(names->items[i], known_reviewers[i].name);
	return is_same;
}

static void
add_review(struct buf *b, const struct old_gates *g, const struct old_gate *o)
{
	const struct review_gate *r = &o->review.gate;
	bool is_parallel = r->is_parallel && g->draft.config.allows_parallel;
	const char *from = o->review.prompt_file.s ? "prompt_file" : o->review.builtin.s ? "builtin" : NULL;

	if (o->review.builtin.s)
		add_key_text(b, 2 * INDENT, STR("review"), o->review.builtin, &o->from, from);
	else
		add_key_text(b, 2 * INDENT, STR("prompt"), r->prompt, &o->from, from);
	struct str in = places_text(b->arena, g, o);

	if (in.s)
		add_key(b, 2 * INDENT, STR("in"), in, NULL, NULL);
	if (!is_default_preference(&r->cli_preference))
		add_key(b, 2 * INDENT, STR("by"), flow_list(b->arena, &r->cli_preference), &o->from,
			"cli_preference");
	if (r->num_reviews > 1)
		add_key(b, 2 * INDENT, STR("num_reviews"),
			str_fmt(b->arena, "%lld",
				(long long)(r->num_reviews < REVIEW_SLOTS_LIMIT ? r->num_reviews
										: REVIEW_SLOTS_LIMIT)),
			&o->from, "num_reviews");
	if (r->model.s)
		add_key_text(b, 2 * INDENT, STR("model"), r->model, &o->from, "model");
	add_timeout(b, o, r->timeout_ms);
	add_flag(b, o, "parallel", is_parallel || !has_lane(g), true);
	add_flag(b, o, "run_locally", r->runs_locally, true);
	add_flag(b, o, "run_in_ci", r->runs_in_ci, true);
	add_flag(b, o, "enabled", r->is_enabled, true);
}

/* Is the command all there is to say? */
static bool
is_short(const struct old_gates *g, const struct old_gate *o)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf b = BUF(&scratch, SIZE_MAX);
	struct old_gate plain = *o;

	if (o->kind != GATE_CHECK)
		return false;
	plain.from = (struct old_map){ 0 };
	plain.check.gate.command = STR("x");
	add_check(&b, g, &plain);
	return str_is(buf_str(&b), "    run: x\n");
}

static void
add_gate(struct buf *b, const struct old_gates *g, struct old_gate *o)
{
	o->is_written = true;
	if (is_short(g, o)) {
		add_key_text(b, INDENT, o->new_name, o->check.gate.command, &o->from, "command");
	} else {
		buf_addf(b, "%*s", INDENT, "");
		yaml_add_string(b, o->new_name);
		buf_add(b, STR(":\n"));
		(o->kind == GATE_CHECK ? add_check : add_review)(b, g, o);
	}
	/* Comments of an inline gate are those of config.yml. */
	if (o->from.text != &g->text)
		add_other_comments(b, o->from.text, 2 * INDENT, NULL);
}

/* The gates of the root come first, as in a plan. */
static void
add_all(struct buf *b, struct old_gates *g, const struct node *list, bool is_root)
{
	const struct gates_config *c = &g->draft.config;

	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];
		const struct node *at = item_of(list, i);

		if (str_is(path_tidy(e->path), ".") != is_root)
			continue;
		for (int kind = GATE_CHECK; kind <= GATE_REVIEW; kind++) {
			const struct str_list *names = names_of(e, (enum gate_kind)kind);

			for (size_t k = 0; k < names->count; k++) {
				struct old_gate *o = find_gate(g, (enum gate_kind)kind, names->items[k]);

				if (!o || o->is_written)
					continue;
				if (at)
					add_comments_above(b, &g->text, at->line, INDENT);
				add_gate(b, g, o);
			}
		}
	}
}

/* ---- the file as such ---- */

static void
add_reviewers(struct buf *b, const struct old_gates *g)
{
	const struct old_map cli = { NULL, node_get(&g->document, "cli") };
	const struct node_entry *e = old_entry(&cli, "adapters");

	if (!e || e->value.kind != NODE_MAP || e->value.count == 0)
		return;
	buf_add(b, STR("reviewers:"));
	yaml_add_value(b, &e->value, INDENT);
}

static void
add_top(struct buf *b, struct old_gates *g)
{
	const struct gates_config *c = &g->draft.config;
	const struct shared_values *s = &g->draft.shared;
	struct old_map from = { &g->text, &g->document };
	struct old_map cli = { &g->text, node_get(&g->document, "cli") };
	struct old_map hook = { &g->text, node_get(&g->document, "stop_hook") };
	struct arena *a = b->arena;

	if (old_entry(&from, "base_branch"))
		add_key_text(b, 0, STR("base"), c->base_branch, &from, "base_branch");
	if (old_entry(&from, "max_retries"))
		add_key(b, 0, STR("tries"),
			str_fmt(a, "%lld", (long long)(c->max_retries < 1000 ? c->max_retries : 1000)), &from,
			"max_retries");
	if (c->max_parallel > 0)
		add_key(b, 0, STR("max_parallel"), str_fmt(a, "%lld", (long long)c->max_parallel), &from,
			"max_parallel");
	if (s->enabled == 0)
		add_key(b, 0, STR("run_at_stop"), STR("false"), &hook, "enabled");
	if (c->checks_usage_limit)
		add_key(b, 0, STR("check_usage_limit"), STR("true"), &cli, "check_usage_limit");
	if (!str_is(c->rerun_threshold, "high"))
		add_key(b, 0, STR("rerun_new_issue_threshold"), c->rerun_threshold, &from,
			"rerun_new_issue_threshold");
	if (s->debug_enabled == 1 && s->debug_max_bytes > 0)
		add_key(b, 0, STR("debug_log"),
			str_fmt(a, "{enabled: true, max_size_mb: %.6g}",
				(double)s->debug_max_bytes / (double)MIB(1)),
			&from, "debug_log");
	else if (s->debug_enabled == 1)
		add_key(b, 0, STR("debug_log"), STR("true"), &from, "debug_log");
	add_reviewers(b, g);
}

struct note_row {
	const char *section, *key;
	const char *why;
};

static void
note_dropped(struct arena *a, const struct old_gates *g, struct config_problems *notes)
{
	static const struct note_row rows[] = {
		{ NULL, "log_dir", "logs are in .holdfast" },
		{ NULL, "logging", "it has no effect" },
		{ NULL, "max_previous_logs", "it has no effect" },
		{ "stop_hook", "run_interval_minutes",
		  "there is no interval: every change is checked at the next stop, and a gate that passed is "
		  "not run again while its files are unchanged" },
	};
	struct str file = g->text.file;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct node *map = rows[i].section ? node_get(&g->document, rows[i].section)
							 : &g->document;
		struct str path = str_fmt(a, "%s%s%s", rows[i].section ? rows[i].section : "",
					  rows[i].section ? "." : "", rows[i].key);

		if (node_get(map, rows[i].key))
			migrate_note(a, notes, file, node_get(map, rows[i].key), path, "%s", rows[i].why);
	}
	const struct node *reverify = node_get(node_get(&g->document, "stop_hook"), "reverify");

	if (reverify && g->draft.shared.reverify == 0)
		migrate_note(a, notes, file, reverify, STR("stop_hook.reverify"),
			     "fixes are always verified");
	struct str ci = path_join(a, path_parent(file), STR("ci.yml"));

	if (fs_has(g->loader.root, str_copy(a, ci).s))
		migrate_note(a, notes, ci, NULL, STR(""),
			     "'holdfast ci' does not read holdfast.yml: let the CI job call 'holdfast run'");
	struct str global = gauntlet_global_path(a);

	if (global.s && fs_kind(global.s) == FS_FILE)
		migrate_note(a, notes, global, NULL, STR(""), "it has no effect on holdfast.yml");
}

static void
note_gates(struct arena *a, const struct old_gates *g, struct config_problems *notes)
{
	const struct gates_config *c = &g->draft.config;

	for (size_t i = 0; i < g->count; i++) {
		const struct old_gate *o = &g->items[i];

		if (!o->is_written)
			migrate_note(a, notes, o->from.text->file, NULL, STR(""),
				     "no entry point names the %s '" STR_FMT "', so it never ran",
				     gate_kind_name(o->kind).s, STR_ARG(o->name));
		else if (!str_eq(o->name, o->new_name))
			migrate_note(a, notes, o->from.text->file, NULL, STR(""),
				     "the review is '" STR_FMT "' now, because there is a check '" STR_FMT
				     "'",
				     STR_ARG(o->new_name), STR_ARG(o->name));
		if (o->is_written && node_get(o->from.map, "fix_with_skill"))
			migrate_note(a, notes, o->from.text->file, node_get(o->from.map, "fix_with_skill"),
				     STR("fix_with_skill"), "it has no effect");
	}
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];
		const struct node *at = item_of(node_get(&g->document, "entry_points"), i);
		struct str path = str_fmt(a, "entry_points[%zu]", i);

		if (path_is_outside(path_tidy(e->path)))
			migrate_note(a, notes, g->text.file, at, path,
				     "'" STR_FMT "' is outside the project, so no change was ever in it",
				     STR_ARG(e->path));
		else if (e->checks.count + e->reviews.count == 0)
			migrate_note(a, notes, g->text.file, at, path, "it names no gate");
	}
}

/* A review that has no prompt, or a reviewer that nobody knows, could not run; holdfast.yml refuses it. */
static int
check_reviews(const struct old_gates *g, struct err *err)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct old_gate *o = &g->items[i];
		const struct review_gate *r = &o->review.gate;

		if (o->kind != GATE_REVIEW)
			continue;
		if (!o->review.builtin.s && str_trim(r->prompt).n == 0)
			return err_set(err, ERR_VALUE, STR_FMT ": the prompt is empty",
				       STR_ARG(o->from.text->file));
	}
	return 0;
}

int
add_gates(struct buf *b, struct old_gates *g, struct config_problems *notes, struct err *err)
{
	const struct node *list = node_get(&g->document, "entry_points");
	struct buf gates = BUF(b->arena, SIZE_MAX);

	if (check_reviews(g, err) < 0)
		return -1;
	for (size_t i = 0; i < g->count; i++) {
		struct old_gate *o = &g->items[i];

		o->new_name = o->kind == GATE_REVIEW && find_gate(g, GATE_CHECK, o->name)
				      ? str_fmt(b->arena, STR_FMT "-review", STR_ARG(o->name))
				      : o->name;
	}
	add_top(b, g);
	add_all(&gates, g, list, true);
	add_all(&gates, g, list, false);
	if (gates.n > 0) {
		add_key(b, 0, STR("gates"), STR(""), NULL, NULL);
		buf_add(b, buf_str(&gates));
	}
	note_dropped(b->arena, g, notes);
	note_gates(b->arena, g, notes);
	return 0;
}
