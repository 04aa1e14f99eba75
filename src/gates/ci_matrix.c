/* SPDX-License-Identifier: MIT */
/* Combines the entry points with the checks of ci.yml. */
#include "gates/ci_matrix.h"

#include "gates/plan.h"

struct matrix_builder {
	struct arena *arena;
	const struct ci_facts *facts;
	struct ci_matrix *matrix;
	struct strset ids;
};

#define warn(b, ...)                                          \
	(*arena_push((b)->arena, (b)->matrix->warnings.items, \
		     (b)->matrix->warnings.count) = str_cat((b)->arena, "ci.yml: ", __VA_ARGS__))

static void
add_job(struct matrix_builder *b, const struct ci_check *ci, struct str entry)
{
	const struct gate *check = gates_config_gate(b->facts->config, GATE_CHECK, ci->name);
	struct ci_matrix *m = b->matrix;

	if (!check || !check->runs_in_ci)
		return;
	struct str dir = plan_check_directory(check, entry);

	for (size_t i = 0; i < m->count; i++)
		if (m->items[i].check == check && str_eq(m->items[i].working_directory, dir))
			return;
	struct str base = str_cat(b->arena, check->name, "-",
				  str_replace(b->arena, entry, STR("/"), STR("-"))),
		   id = base;

	for (size_t n = 2; !strset_add(&b->ids, id); n++)
		id = str_cat(b->arena, base, "-", n);

	*arena_push(b->arena, m->items, m->count) = (struct ci_job){ id, entry, dir, check, ci };
}

static void
add_entry(struct matrix_builder *b, const struct entry_point *e, struct str path)
{
	for_each (ci, b->facts->ci->checks, b->facts->ci->check_count)
		if (str_is_among(ci->name, e->checks.items, e->checks.count))
			add_job(b, ci, path);
}

/* Warns about runtimes and services that a check of ci.yml needs and ci.yml does not define. */
static void
check_needs(struct matrix_builder *b, const struct ci_check *ci, const struct str_list *needs,
	    const struct node *have, const char *what)
{
	for (size_t i = 0; i < needs->count; i++)
		if (!node_get(have, str_copy(b->arena, needs->items[i]).s))
			warn(b, "check '", ci->name, "' needs the ", what, " '", needs->items[i],
			     "', which ci.yml does not define");
}

static void
check_steps(struct matrix_builder *b, const struct ci_step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (steps[i].condition.s)
			warn(b, "the 'if' of step '", steps[i].name, "' has no effect: the step always runs");
}

static void
check_ci(struct matrix_builder *b)
{
	const struct ci_config *c = b->facts->ci;

	check_steps(b, c->setup, c->setup_count);
	for_each (ci, c->checks, c->check_count) {
		const struct gate *check = gates_config_gate(b->facts->config, GATE_CHECK, ci->name);
		bool is_used = false;

		for (size_t k = 0; k < b->matrix->count; k++)
			is_used = is_used || b->matrix->items[k].ci == ci;
		if (!check)
			warn(b, "there is no check '", ci->name, "'");
		else if (!check->runs_in_ci)
			warn(b, "check '", ci->name, "' has run_in_ci: false");
		else if (!is_used)
			warn(b, "check '", ci->name,
			     "' has no job: no entry point uses it in a directory that does not have it yet");
		check_steps(b, ci->setup, ci->setup_count);
		check_needs(b, ci, &ci->runtimes, c->runtimes, "runtime");
		check_needs(b, ci, &ci->services, c->services, "service");
	}
}

void
ci_matrix(struct arena *a, const struct ci_facts *f, struct ci_matrix *ret)
{
	struct matrix_builder b = { .arena = a, .facts = f, .matrix = ret, .ids = strset_new(a, 0) };

	*ret = (struct ci_matrix){ 0 };
	for_each (e, f->config->entry_points, f->config->entry_point_count) {
		struct str path = path_tidy(e->path);

		if (!plan_is_for_directories(path)) {
			add_entry(&b, e, path);
			continue;
		}
		struct str_list dirs = f->expand(f->context, a, path);

		for (size_t k = 0; k < dirs.count; k++)
			add_entry(&b, e, dirs.items[k]);
	}
	check_ci(&b);
}
