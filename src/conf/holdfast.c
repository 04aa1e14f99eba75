/* SPDX-License-Identifier: MIT */
/* Loads holdfast.yml: one file, read by its schema, then each gate becomes a check or a review with an entry point of its
 * own. Notes what is wrong and goes on, so that what validates is what loads. */
#include "conf/holdfast.h"

#include "base/duration.h"
#include "base/nearest.h"
#include "base/pathglob.h"
#include "conf/loader.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "model/gate_definition.h"
#include "os/fs.h"

#include <stdint.h>

/* One gate while it is checked. */
struct gate_place {
	struct config_loader *l;
	const struct node *node;      /* its value */
	const struct node *reviewers; /* the document's; NULL: none */
	struct str name;
};

/* At the key of the gate; NULL: the gate as such. */
#define note(p, key, ...) note_text(p, key, str_cat((p)->l->arena, __VA_ARGS__))
static void
note_text(const struct gate_place *p, const char *key, struct str text)
{
	const struct node *at = key ? node_get(p->node, key) : NULL;

	loader_note(p->l, SEVERITY_FATAL, at ? at : p->node,
		    str_cat(p->l->arena, "gates.", p->name, key ? "." : "", key ? key : ""), text);
}

/* A command that runs there needs a directory. */
static void
check_in(const struct gate_place *p, struct str in, bool is_run_there)
{
	bool is_pattern = pathglob_is_pattern(in);

	if (path_is_outside(in))
		note(p, "in", "'", in, "' is not below the project's root");
	else if (is_pattern && !pathglob_is_valid(in))
		note(p, "in", "invalid pattern '", in, "': a [ or { is not closed, or it is too long");
	else if (is_pattern && is_run_there &&
		 (!str_ends(in, STR("*")) || str_ends(in, STR("\\*")) || str_find(in, STR("**")) >= 0))
		note(p, "in",
		     "expected a directory, or a pattern of directories that ends in *, such as packages/*, "
		     "not '",
		     in, "'");
}

static void
check_reviewers(const struct gate_place *p, const struct gates_config *c, const struct str_list *by)
{
	const struct str_list known = known_reviewer_list(p->l->arena);
	struct str near[NEAREST_MAX];

	for (size_t i = 0; i < by->count; i++) {
		struct str name = by->items[i], hint;

		/* an item that could not be read has its problem already */
		if (!name.s || known_reviewer(name) || gates_config_reviewer(c, name))
			continue;
		if (nearest(name, known.items, known.count, near) > 0)
			hint = str_cat(p->l->arena, ", did you mean '", near[0], "'?");
		else
			hint = str_cat(p->l->arena, "; it knows ", str_list_join(p->l->arena, &known, ", "));
		note(p, "by", "holdfast does not know the reviewer '", name, "'", hint);
	}
}

static struct str
read_prompt(const struct gate_place *p, struct str file)
{
	struct arena *a = p->l->arena;
	struct str path = path_relative(a, p->l->root, file), text = builtin_prompt(file), out;
	const char *z;
	struct err err;

	/* A file of the same name does not count, so that nobody can put one in its place; ./NAME is the file. */
	if (text.s)
		return text;
	if (!path.s)
		note(p, "review", "'", file, "' is not a file below the project's root");
	else if (str_cz(a, path_join(a, p->l->root, path), &z, &err) < 0)
		note(p, "review", err.msg);
	else if ((out = loader_leads_out(p->l, z)).s)
		note(p, "review", "'", path, "' must be in the project, but leads to ", out, " by a link");
	else if (fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &err) < 0)
		note(p, "review", err.msg);
	else if (!text.s)
		note(p, "review", "there is no file '", path,
		     "' and no built-in prompt of that name; these are: ", builtin_names(a));
	else if (str_trim(text).n == 0)
		note(p, "review", "the prompt in '", path, "' is empty");
	return text;
}

/* Keys that only the other kind of gate has. */
static void
refuse_keys(const struct gate_place *p, const char *const *keys, size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++)
		if (node_get(p->node, keys[i]))
			note(p, keys[i], why);
}

static void
complete_check(const struct gate_place *p, struct gate *g)
{
	static const char *const review_keys[] = { "by", "num_reviews", "model", "enabled" };

	refuse_keys(p, review_keys, COUNT_OF(review_keys),
		    "only a review has it, and this gate is a command");
	if (g->fails_fast && g->is_parallel)
		note(p, "fail_fast", "it needs 'parallel: false', so that there are later gates");
	if (g->working_directory.s && path_is_outside(path_tidy(g->working_directory)))
		note(p, "working_directory", "'", g->working_directory, "' is not below the project's root");
	g->is_exclusive |= g->fix_command.s != NULL;
}

/* `file` has its prompt; absent: it has one already. */
static void
complete_review(const struct gate_place *p, struct gate *g, struct str file, const struct gates_config *c)
{
	static const char *const command_keys[] = { "fix",      "retries",           "exclusive",
						    "rerun",    "working_directory", "hint",
						    "fail_fast" };

	if (file.s)
		g->prompt = read_prompt(p, file);
	check_reviewers(p, c, &g->cli_preference);
	refuse_keys(p, command_keys, COUNT_OF(command_keys),
		    "only a command has it, and this gate is a review");
	g->kind = GATE_REVIEW;
	if (g->cli_preference.count == 0)
		g->cli_preference = c->default_preference;
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
add_gate(const struct gate_place *p, struct holdfast_gate *h, struct gates_config *c)
{
	static struct entry_point root = { .path = STR(".") };
	struct gate gate = h->gate, *g = &gate; /* the draft stays as it was read */
	struct str_list one = { &h->gate.name, 1 };
	bool is_review = h->review.s || g->prompt.s;
	struct entry_point *places = h->in.count > 0 ? h->in.items : &root;

	if (!is_name(g->name))
		note(p, NULL, "the name of a gate is one line that is not blank");
	if (g->command.s && is_review)
		note(p, h->review.s ? "review" : "prompt",
		     "a gate is a command or a review, and 'run' is set too");
	if (h->review.s && g->prompt.s)
		note(p, "prompt", "a review has one prompt, and 'review' is set too");
	for (size_t i = 0; i < h->in.count || i == 0; i++) {
		struct entry_point e = places[i];

		e.path = path_tidy(e.path);
		if (!e.path.s)
			continue; /* it could not be read, which is a problem already */
		check_in(p, e.path, !is_review && !g->working_directory.s);
		*(is_review ? &e.reviews : &e.checks) = one;
		c->entry_points[c->entry_point_count++] = e;
	}
	g->file = h->review.s ? h->review : STR(HOLDFAST_FILE);
	if (is_review)
		complete_review(p, g, h->review, c);
	else
		complete_check(p, g);
	g->definition = gate_definition_digest(p->l->arena,
					       &(const struct gate_definition){
						       .dialect = STR(HOLDFAST_FILE),
						       .gate = p->node,
						       .text = g->prompt,
						       .names = g->cli_preference,
						       .named = p->reviewers,
						       .threshold = is_review ? c->rerun_threshold : STR_NONE,
					       });
	if (is_review)
		c->reviews[c->review_count++] = *g;
	else
		c->checks[c->check_count++] = *g;
}

/* ---- what gates need ---- */

struct named_gates {
	struct strset names;
	const struct gate **items; /* by the number of the name */
	enum gate_state { GATE_NEW, GATE_OPEN, GATE_FREE, GATE_CIRCLED } * states;
};

static struct named_gates
named_gates(struct arena *a, const struct holdfast_draft *d)
{
	struct named_gates g = { strset_new(a, d->gate_count),
				 arena_array(a, d->gate_count, const struct gate *),
				 arena_array(a, d->gate_count, enum gate_state) };

	for (size_t i = 0; i < d->gate_count; i++)
		if (strset_add(&g.names, d->gates[i].gate.name))
			g.items[g.names.count - 1] = &d->gates[i].gate;
	return g;
}

/* Does the gate lead to one that needs itself, through others? Each gate is visited once, whoever asks. */
static bool
leads_to_circle(struct named_gates *g, size_t at)
{
	if (at == g->names.count || g->states[at] == GATE_FREE)
		return false;
	if (g->states[at] != GATE_NEW)
		return true;
	bool is_circled = false;

	g->states[at] = GATE_OPEN;
	for (size_t i = 0; i < g->items[at]->needs.count; i++)
		is_circled |= leads_to_circle(g, strset_at(&g->names, g->items[at]->needs.items[i]));
	g->states[at] = is_circled ? GATE_CIRCLED : GATE_FREE;
	return is_circled;
}

/* Is the target among the gates that this one leads to? */
static bool
leads_to(const struct named_gates *g, size_t at, size_t target, bool *seen)
{
	for (size_t i = 0; i < g->items[at]->needs.count; i++) {
		size_t next = strset_at(&g->names, g->items[at]->needs.items[i]);

		if (next == target)
			return true;
		if (next < g->names.count && !seen[next]) {
			seen[next] = true;
			if (leads_to(g, next, target, seen))
				return true;
		}
	}
	return false;
}

static void
check_needs(const struct gate_place *p, struct named_gates *g, const struct str_list *needs)
{
	struct arena *a = p->l->arena;
	size_t at = strset_at(&g->names, p->name);
	struct str *names, near[NEAREST_MAX];

	for (size_t i = 0; i < needs->count; i++) {
		if (!needs->items[i].s || strset_has(&g->names, needs->items[i]))
			continue;
		names = arena_array(a, g->names.count, struct str);
		for (size_t k = 0; k < g->names.count; k++)
			names[k] = g->items[k]->name;
		bool has_hint = nearest(needs->items[i], names, g->names.count, near) > 0;

		note(p, "needs", "there is no gate '", needs->items[i], "'",
		     has_hint ? ", did you mean '" : "", has_hint ? near[0] : STR(""), has_hint ? "'?" : "");
		return;
	}
	if (leads_to_circle(g, at) && leads_to(g, at, at, arena_array(a, g->names.count, bool)))
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
holdfast_interpret(struct arena *a, const struct holdfast_file *file, struct gates_config *ret,
		   struct config_problems *ret_problems)
{
	const struct holdfast_draft *d = &file->draft;
	const struct node *document = &file->document, *gates = node_get(document, "gates");
	struct config_loader loader = {
		.arena = a, .root = file->dir, .file = STR(HOLDFAST_FILE), .problems = ret_problems
	};
	struct config_loader *l = &loader;
	size_t place_count = 0;

	*ret_problems = file->problems;
	ret_problems->capacity = ret_problems->count; /* what is added is not in the file's list */
	struct gates_config c = {
		.root = file->dir,
		.dialect = &dialects[DIALECT_HOLDFAST],
		.log_dir = str_from(dialects[DIALECT_HOLDFAST].log_dir),
		.base_branch = d->base,
		.allows_parallel = true,
		.max_parallel = d->max_parallel,
		.max_retries = d->policies.tries,
		.rerun_threshold = d->rerun_threshold,
		.checks_usage_limit = d->checks_usage_limit,
		.reviewers = d->reviewers,
		.reviewer_count = d->reviewer_count,
		.sourced = sourced_values(d),
	};

	struct str logs = path_join(a, file->dir, c.log_dir), out = loader_leads_out(l, logs.s);

	if (out.s)
		loader_note(l, SEVERITY_FATAL, document, c.log_dir, "leads to ", out,
			    ", outside the project; remove the link");
	loader_check_reviewers(l, &c, node_get(document, "reviewers"), "reviewers");
	c.default_preference = known_reviewer_list(a);
	for (size_t i = 0; i < d->gate_count; i++)
		place_count += d->gates[i].in.count + 1;
	c.entry_points = arena_array(a, place_count + 1, struct entry_point);
	c.checks = arena_array(a, d->gate_count + 1, struct gate);
	c.reviews = arena_array(a, d->gate_count + 1, struct gate);
	struct named_gates named = named_gates(a, d);

	for (size_t i = 0; i < d->gate_count; i++) {
		struct gate_place p = { l, &gates->entries[i].value, node_get(document, "reviewers"),
					d->gates[i].gate.name };

		add_gate(&p, &d->gates[i], &c);
		check_needs(&p, &named, &d->gates[i].gate.needs);
	}
	holdfast_check_events(l, document, &d->policies);
	if (gates && gates->kind == NODE_MAP && gates->count == 0)
		loader_note(l, SEVERITY_WARNING, gates, STR("gates"),
			    "there are none, so nothing is checked");
	if (d->policies.infinite_message.s != holdfast_draft_defaults.policies.infinite_message.s &&
	    !d->policies.is_infinite)
		loader_note_key(l, SEVERITY_WARNING, document, "infinite_message",
				"without 'infinite: true' it is never sent");
	if (d->policies.rounds > 0 && d->policies.is_infinite)
		loader_note_key(l, SEVERITY_WARNING, document, "rounds", ROUNDS_AND_INFINITE);
	*ret = c;
}

static void
read_values(struct arena *a, struct holdfast_file *f)
{
	f->is_parsed = true;
	schema_read(a, &holdfast_schema, &f->document, &f->draft, STR(HOLDFAST_FILE), &f->problems);
}

static struct holdfast_file *
new_file(struct arena *a, struct str dir)
{
	struct holdfast_file *f = arena_new(a, struct holdfast_file);

	f->dir = str_copy(a, dir);
	f->draft = holdfast_draft_defaults;
	return f;
}

const struct holdfast_file *
holdfast_parse(struct arena *a, struct str dir, struct str text)
{
	struct holdfast_file *f = new_file(a, dir);

	f->text = text;
	if (yaml_parse(a, text, &f->document, &f->err) < 0)
		(void)err_wrap_file(&f->err, path_join(a, dir, STR(HOLDFAST_FILE)).s);
	else
		read_values(a, f);
	return f;
}

const struct holdfast_file *
holdfast_read(struct arena *a, struct str dir)
{
	struct holdfast_file *f = new_file(a, dir);
	struct str text = STR_NONE;
	const char *z;

	if (str_cz(a, path_join(a, dir, STR(HOLDFAST_FILE)), &z, &f->err) < 0 ||
	    fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &f->err) < 0)
		return f;
	if (text.s)
		return holdfast_parse(a, dir, text);
	(void)err_set(&f->err, ERR_VALUE, "%s: there is no such file", z);
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
holdfast_load_hook(const struct holdfast_file *file, struct stop_settings *ret, struct err *err)
{
	*ret = (struct stop_settings){
		.root = file->dir,
		.dialect = &dialects[DIALECT_HOLDFAST],
		.log_dir = str_from(dialects[DIALECT_HOLDFAST].log_dir),
		.sourced = sourced_values(&file->draft),
		.document = file->document,
		.file = file,
	};
	return fail_unparsed(file, err);
}

int
holdfast_load_rest(struct arena *a, const struct stop_settings *hook, struct gates_config *ret,
		   struct err *err)
{
	struct config_problems problems;

	holdfast_interpret(a, hook->file, ret, &problems);
	return problems_fail(a, hook->root, &problems, err);
}

bool
holdfast_check_all(struct arena *a, struct str root, struct gates_config *ret,
		   struct config_problems *ret_problems)
{
	struct holdfast_file *f = new_file(a, root);
	struct config_loader l = { .arena = a, .root = f->dir, .problems = &f->problems };

	loader_begin_file(&l, STR(HOLDFAST_FILE));
	if (loader_read_yaml(&l, &f->document))
		read_values(a, f);
	holdfast_interpret(a, f, ret, ret_problems);
	return !problems_first_fatal(ret_problems);
}

int
holdfast_load_guards(struct arena *a, const struct holdfast_file *file, const struct guards_config **ret,
		     struct err *err)
{
	for_each (p, file->problems.items, file->problems.count) {
		if (p->severity == SEVERITY_FATAL && str_starts(p->path, STR("guards")))
			return err_set(err, ERR_VALUE, STR_FMT STR_FMT,
				       STR_ARG(problem_position(a, file->dir, p)),
				       STR_ARG(problem_text(a, p)));
	}
	*ret = file->draft.policies.guards;
	return fail_unparsed(file, err);
}

struct str_list
holdfast_prompts(struct arena *a, const struct holdfast_file *file)
{
	const struct holdfast_draft *d = &file->draft;
	struct str_list list = { 0 };

	for (size_t i = 0; i < d->gate_count; i++) {
		bool is_file = d->gates[i].review.s && !builtin_prompt(d->gates[i].review).s;
		struct str path = is_file ? path_relative(a, file->dir, d->gates[i].review) : STR_NONE;

		if (path.s)
			str_list_add_new(a, &list, path);
	}
	return list;
}
