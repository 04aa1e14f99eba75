/* SPDX-License-Identifier: MIT */
/* Loads holdfast.yml: one file, read by its schema, then each gate becomes a check or a review with an entry point of its
 * own. Notes what is wrong and goes on, so that what validates is what loads. */
#include "conf/holdfast.h"

#include "base/buf.h"
#include "base/duration.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/pathglob.h"
#include "conf/builtin.h"
#include "conf/gauntlet_schema.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "os/fs.h"

#include <stdint.h>
#include <string.h>

/* One gate while it is checked. */
struct gate_place {
	struct gauntlet_loader *l;
	const struct node *node; /* its value */
	struct str name;
};

/* At the key of the gate; NULL: the gate as such. */
static void PRINTF_LIKE(3, 4) note(const struct gate_place *p, const char *key, const char *fmt, ...)
{
	const struct node *at = key ? node_get(p->node, key) : NULL;
	struct str path = str_fmt(p->l->arena, "gates." STR_FMT "%s%s", STR_ARG(p->name), key ? "." : "",
				  key ? key : "");
	const struct problem_at where = { SEVERITY_FATAL, p->l->file, path, at ? at : p->node };
	va_list args;

	va_start(args, fmt);
	problem_add(p->l->arena, p->l->problems, &where, fmt, args);
	va_end(args);
}

/* A command that runs there needs a directory. */
static void
check_in(const struct gate_place *p, struct str in, bool is_run_there)
{
	bool is_pattern = pathglob_is_pattern(in);

	if (path_is_outside(in))
		note(p, "in", "'" STR_FMT "' is not below the project's root", STR_ARG(in));
	else if (is_pattern && !pathglob_is_valid(in))
		note(p, "in", "invalid pattern '" STR_FMT "': a [ or { is not closed, or it is too long",
		     STR_ARG(in));
	else if (is_pattern && is_run_there &&
		 (!str_ends(in, STR("*")) || str_ends(in, STR("\\*")) || str_find(in, STR("**")) >= 0))
		note(p, "in",
		     "expected a directory, or a pattern of directories that ends in *, such as packages/*, "
		     "not '" STR_FMT "'",
		     STR_ARG(in));
}

static void
check_reviewers(const struct gate_place *p, const struct gates_config *c, const struct str_list *by)
{
	struct str *names = arena_array(p->l->arena, known_reviewer_count, struct str), near[NEAREST_MAX];
	struct buf known = BUF(p->l->arena, SIZE_MAX);

	for (size_t i = 0; i < known_reviewer_count; i++) {
		names[i] = str_from(known_reviewers[i].name);
		buf_addf(&known, "%s%s", i > 0 ? ", " : "; it knows ", known_reviewers[i].name);
	}
	for (size_t i = 0; i < by->count; i++) {
		struct str name = by->items[i];

		/* an item that could not be read has its problem already */
		if (!name.s || known_reviewer(name) || gates_config_reviewer(c, name))
			continue;
		bool has_hint = nearest(name, names, known_reviewer_count, near) > 0;
		struct str hint = has_hint ? str_fmt(p->l->arena, ", did you mean '" STR_FMT "'?",
						     STR_ARG(near[0]))
					   : buf_str(&known);

		note(p, "by", "holdfast does not know the reviewer '" STR_FMT "'" STR_FMT, STR_ARG(name),
		     STR_ARG(hint));
	}
}

static struct str
read_prompt(const struct gate_place *p, struct str file)
{
	struct arena *a = p->l->arena;
	struct str path = path_relative(a, p->l->root, file), text = STR_NONE, out;
	const struct builtin_prompt *builtin = builtin_prompt(file);
	const char *z;
	struct err err;

	/* A file of the same name does not count, so that nobody can put one in its place; ./NAME is the file. */
	if (builtin)
		return builtin->text;
	if (!path.s)
		note(p, "review", "'" STR_FMT "' is not a file below the project's root", STR_ARG(file));
	else if (str_cz(a, path_join(a, p->l->root, path), &z, &err) < 0)
		note(p, "review", "%s", err.msg);
	else if ((out = loader_leads_out(p->l, z)).s)
		note(p, "review", "'" STR_FMT "' must be in the project, but leads to " STR_FMT " by a link",
		     STR_ARG(path), STR_ARG(out));
	else if (fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &err) < 0)
		note(p, "review", "%s", err.msg);
	else if (!text.s)
		note(p, "review",
		     "there is no file '" STR_FMT
		     "' and no built-in prompt of that name; these are: " STR_FMT,
		     STR_ARG(path), STR_ARG(builtin_names(a)));
	else if (str_trim(text).n == 0)
		note(p, "review", "the prompt in '" STR_FMT "' is empty", STR_ARG(path));
	return text;
}

/* Keys that only the other kind of gate has. */
static void
refuse_keys(const struct gate_place *p, const char *const *keys, size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++)
		if (node_get(p->node, keys[i]))
			note(p, keys[i], "%s", why);
}

static void
check_command(const struct gate_place *p, const struct holdfast_gate *g)
{
	static const char *const review_keys[] = { "by", "num_reviews", "model", "enabled" };

	refuse_keys(p, review_keys, COUNT_OF(review_keys),
		    "only a review has it, and this gate is a command");
	if (g->fails_fast && g->is_parallel)
		note(p, "fail_fast", "it needs 'parallel: false', so that there are later gates");
	if (g->working_directory.s && path_is_outside(path_tidy(g->working_directory)))
		note(p, "working_directory", "'" STR_FMT "' is not below the project's root",
		     STR_ARG(g->working_directory));
}

static void
add_check(const struct gate_place *p, const struct holdfast_gate *g, struct gates_config *c)
{
	check_command(p, g);
	c->checks[c->check_count++] = (struct check_gate){
		.name = g->name,
		.file = STR(HOLDFAST_FILE),
		.command = g->run,
		.rerun_command = g->rerun,
		.working_directory = g->working_directory,
		.runs_locally = g->runs_locally,
		.runs_in_ci = g->runs_in_ci,
		.fails_fast = g->fails_fast,
		.fix_instructions = g->hint,
		.timeout_ms = g->timeout_ms,
		.files = g->files,
		.reuses = g->reuses,
		.fix_command = g->fix,
		.retries = g->retries,
		.needs = g->needs,
		.is_parallel = g->is_parallel,
		.is_exclusive = g->is_exclusive || g->fix.s,
	};
}

static void
add_review(const struct gate_place *p, const struct holdfast_gate *g, struct gates_config *c)
{
	static const char *const command_keys[] = { "fix",      "retries",           "exclusive",
						    "rerun",    "working_directory", "hint",
						    "fail_fast" };

	check_reviewers(p, c, &g->by);
	refuse_keys(p, command_keys, COUNT_OF(command_keys),
		    "only a command has it, and this gate is a review");
	c->reviews[c->review_count++] = (struct review_gate){
		.name = g->name,
		.file = g->review.s ? g->review : STR(HOLDFAST_FILE),
		.prompt = g->review.s ? read_prompt(p, g->review) : g->prompt,
		.cli_preference = g->by.count > 0 ? g->by : c->default_preference,
		.num_reviews = g->num_reviews,
		.model = g->model,
		.is_parallel = g->is_parallel,
		.runs_locally = g->runs_locally,
		.runs_in_ci = g->runs_in_ci,
		.is_enabled = g->is_enabled,
		.timeout_ms = g->timeout_ms,
		.files = g->files,
		.reuses = g->reuses,
		.needs = g->needs,
	};
}

static bool
is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.s[i] < ' ')
			return false;
	return str_trim(name).n > 0;
}

static void
add_gate(const struct gate_place *p, struct holdfast_gate *g, struct gates_config *c)
{
	static struct holdfast_place root = { .path = STR(".") };
	struct str_list one = { &g->name, 1 };
	bool is_review = g->review.s || g->prompt.s;
	struct holdfast_place *places = g->in.count > 0 ? g->in.items : &root;

	if (!is_name(g->name))
		note(p, NULL, "the name of a gate is one line that is not blank");
	if (g->run.s && is_review)
		note(p, g->review.s ? "review" : "prompt",
		     "a gate is a command or a review, and 'run' is set too");
	if (g->review.s && g->prompt.s)
		note(p, "prompt", "a review has one prompt, and 'review' is set too");
	for (size_t i = 0; i < g->in.count || i == 0; i++) {
		struct str path = path_tidy(places[i].path);

		if (!path.s)
			continue; /* it could not be read, which is a problem already */
		check_in(p, path, !is_review && !g->working_directory.s);
		c->entry_points[c->entry_point_count++] = (struct entry_point){
			.path = path,
			.exclude = places[i].except,
			.checks = is_review ? (struct str_list){ 0 } : one,
			.reviews = is_review ? one : (struct str_list){ 0 },
		};
	}
	if (is_review)
		add_review(p, g, c);
	else
		add_check(p, g, c);
}

static size_t
gate_index(const struct holdfast_draft *d, struct str name)
{
	size_t i = 0;

	while (i < d->gate_count && !str_eq(d->gates[i].name, name))
		i++;
	return i;
}

/* Does the gate need itself, through others? Each gate is visited once. */
static bool
is_in_circle(const struct holdfast_draft *d, size_t at, size_t target, bool *seen)
{
	for (size_t i = 0; i < d->gates[at].needs.count; i++) {
		size_t next = gate_index(d, d->gates[at].needs.items[i]);

		if (next == target)
			return true;
		if (next < d->gate_count && !seen[next]) {
			seen[next] = true;
			if (is_in_circle(d, next, target, seen))
				return true;
		}
	}
	return false;
}

static void
check_needs(const struct gate_place *p, const struct holdfast_draft *d, size_t at)
{
	struct arena *a = p->l->arena;
	struct str *names = arena_array(a, d->gate_count, struct str), near[NEAREST_MAX];
	const struct str_list *needs = &d->gates[at].needs;

	for (size_t i = 0; i < d->gate_count; i++)
		names[i] = d->gates[i].name;
	for (size_t i = 0; i < needs->count; i++) {
		if (!needs->items[i].s || gate_index(d, needs->items[i]) < d->gate_count)
			continue;
		bool has_hint = nearest(needs->items[i], names, d->gate_count, near) > 0;

		note(p, "needs", "there is no gate '" STR_FMT "'%s" STR_FMT "%s", STR_ARG(needs->items[i]),
		     has_hint ? ", did you mean '" : "", STR_ARG(has_hint ? near[0] : STR("")),
		     has_hint ? "'?" : "");
		return;
	}
	if (is_in_circle(d, at, at, arena_array(a, d->gate_count, bool)))
		note(p, "needs", "the gate needs itself, so it could never start");
}

static struct sourced_values
sourced_values(const struct holdfast_draft *d)
{
	return (struct sourced_values){
		.stop_hook_enabled = { d->runs_at_stop, d->runs_at_stop ? SOURCE_DEFAULT : SOURCE_PROJECT },
		.reverifies = { 1, SOURCE_DEFAULT },
		.debug_log_enabled = { d->debug_enabled, SOURCE_PROJECT },
		.debug_log_max_bytes = { d->debug_max_bytes, SOURCE_PROJECT },
	};
}

void
holdfast_interpret(struct gauntlet_loader *l, const struct node *document, struct holdfast_draft *d,
		   struct gates_config *ret)
{
	struct arena *a = l->arena;
	const struct node *gates = node_get(document, "gates");
	size_t place_count = 0;

	schema_read(a, &holdfast_schema, document, d, l->file, l->problems);
	struct gates_config c = {
		.root = l->root,
		.is_native = true,
		.log_dir = STR(HOLDFAST_LOG_DIR),
		.base_branch = d->base,
		.allows_parallel = true,
		.max_parallel = d->max_parallel,
		.max_retries = d->tries,
		.rerun_threshold = d->rerun_threshold,
		.checks_usage_limit = d->checks_usage_limit,
		.reviewers = d->reviewers,
		.reviewer_count = d->reviewer_count,
		.sourced = sourced_values(d),
	};

	loader_check_reviewers(l, &c, node_get(document, "reviewers"), "reviewers");
	c.default_preference.items = arena_array(a, known_reviewer_count, struct str);
	for (size_t i = 0; i < known_reviewer_count; i++)
		c.default_preference.items[c.default_preference.count++] = str_from(known_reviewers[i].name);
	for (size_t i = 0; i < d->gate_count; i++)
		place_count += d->gates[i].in.count + 1;
	c.entry_points = arena_array(a, place_count + 1, struct entry_point);
	c.checks = arena_array(a, d->gate_count + 1, struct check_gate);
	c.reviews = arena_array(a, d->gate_count + 1, struct review_gate);
	for (size_t i = 0; i < d->gate_count; i++) {
		struct gate_place p = { l, &gates->entries[i].value, d->gates[i].name };

		add_gate(&p, &d->gates[i], &c);
		check_needs(&p, d, i);
	}
	holdfast_check_events(l, document, d);
	if (gates && gates->kind == NODE_MAP && gates->count == 0)
		loader_note(l, SEVERITY_WARNING, gates, STR("gates"),
			    "there are none, so nothing is checked");
	if (d->infinite_message.s != holdfast_draft_defaults.infinite_message.s && !d->is_infinite)
		loader_note(l, SEVERITY_WARNING, node_get(document, "infinite_message"),
			    STR("infinite_message"), "without 'infinite: true' it is never sent");
	if (d->rounds > 0 && d->is_infinite)
		loader_note(l, SEVERITY_WARNING, node_get(document, "rounds"), STR("rounds"),
			    ROUNDS_AND_INFINITE);
	*ret = c;
}

const struct holdfast_file *
holdfast_read(struct arena *a, struct str dir)
{
	struct holdfast_file *f = arena_new(a, struct holdfast_file);
	struct holdfast_draft d = holdfast_draft_defaults;
	const char *z;

	f->dir = str_copy(a, dir);
	if (str_cz(a, path_join(a, dir, STR(HOLDFAST_FILE)), &z, &f->err) < 0 ||
	    fs_read(a, z, CONFIG_LIMIT_BYTES, &f->text, &f->err) < 0)
		return f;
	if (!f->text.s)
		(void)err_set(&f->err, ERR_VALUE, "%s: there is no such file", z);
	else if (yaml_parse(a, f->text, &f->document, &f->err) < 0)
		(void)err_wrap_file(&f->err, z);
	else
		f->is_parsed = true;
	if (f->is_parsed)
		schema_read(a, &holdfast_hook_schema, &f->document, &d, STR(""), NULL);
	f->sourced = sourced_values(&d);
	return f;
}

static int
fail_unparsed(const struct holdfast_file *file, struct err *err)
{
	if (!file->is_parsed)
		*err = file->err;
	return file->is_parsed ? 0 : -1;
}

int
holdfast_load_hook(const struct holdfast_file *file, struct gauntlet_hook_config *ret, struct err *err)
{
	*ret = (struct gauntlet_hook_config){
		.root = file->dir,
		.is_native = true,
		.log_dir = STR(HOLDFAST_LOG_DIR),
		.sourced = file->sourced,
		.document = file->document,
	};
	return fail_unparsed(file, err);
}

int
holdfast_load_rest(struct arena *a, const struct gauntlet_hook_config *hook, struct gates_config *ret,
		   struct err *err)
{
	struct config_problems problems = { 0 };
	struct gauntlet_loader l = {
		.arena = a, .root = hook->root, .file = STR(HOLDFAST_FILE), .problems = &problems
	};
	struct holdfast_draft *d = arena_new(a, struct holdfast_draft);

	*d = holdfast_draft_defaults;
	holdfast_interpret(&l, &hook->document, d, ret);
	return problems_fail(a, hook->root, &problems, err);
}

bool
holdfast_check_all(struct arena *a, struct str root, struct gates_config *ret,
		   struct config_problems *ret_problems)
{
	struct gauntlet_loader l = { .arena = a, .root = str_copy(a, root), .problems = ret_problems };
	struct holdfast_draft *d = arena_new(a, struct holdfast_draft);
	struct node *document = arena_new(a, struct node);

	*d = holdfast_draft_defaults;
	*ret_problems = (struct config_problems){ 0 };
	*ret = (struct gates_config){ .root = l.root, .is_native = true, .log_dir = STR(HOLDFAST_LOG_DIR) };
	loader_begin_file(&l, STR(HOLDFAST_FILE));
	if (loader_read_yaml(&l, document))
		holdfast_interpret(&l, document, d, ret);
	return !problems_first_fatal(ret_problems);
}

struct str_list
holdfast_prompts(struct arena *a, const struct holdfast_file *file)
{
	struct holdfast_draft d = holdfast_draft_defaults;
	struct str_list list = { 0 };

	if (!file->is_parsed)
		return list;
	schema_read(a, &holdfast_gates_schema, &file->document, &d, STR(HOLDFAST_FILE), NULL);
	list.items = arena_array(a, d.gate_count + 1, struct str);
	for (size_t i = 0; i < d.gate_count; i++) {
		bool is_file = d.gates[i].review.s && !builtin_prompt(d.gates[i].review);
		struct str path = is_file ? path_relative(a, file->dir, d.gates[i].review) : STR_NONE;

		if (path.s && !str_is_among(path, list.items, list.count))
			list.items[list.count++] = path;
	}
	return list;
}

bool
holdfast_keeps_no_journal(const struct holdfast_file *file)
{
	const struct node *n = file->is_parsed ? node_get(&file->document, "journal") : NULL;

	return n && n->kind == NODE_BOOL && !n->boolean;
}
