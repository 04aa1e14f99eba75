/* SPDX-License-Identifier: MIT */
/* Finds the job of a recorded failure: makes each job that the configuration allows, with the code of the plan, and compares
 * it with the record. */
#include "gates/run_inspect.h"

#include "base/pathglob.h"

struct search {
	struct arena *arena;
	const struct plan_facts *facts;
	const struct past_result *past;
	struct str id; /* absent: the log does not name the gate */
	struct str reason;
};

/* The directory below `packages/` in check_packages_one_lint; absent: the name has another form. */
static struct str
directory_in_name(const struct search *x, struct str pattern, struct str gate)
{
	struct arena *a = x->arena;
	struct str parent = str_sub(pattern, 0, pattern.n - 1);
	struct str prefix = plan_file_part(a, str_cat(a, gate_kind_name(x->past->kind), ":", parent));
	struct str suffix = plan_file_part(a, str_cat(a, ":", gate));
	struct str part = x->past->file_part;

	if (part.n <= prefix.n + suffix.n || !str_starts(part, prefix) || !str_ends(part, suffix))
		return STR_NONE;
	return str_cat(a, parent, str_sub(part, prefix.n, part.n - suffix.n));
}

/* The directory in which the gate of an entry point with a star ran; absent: it no longer exists. */
static struct str
directory_of(const struct search *x, struct str pattern, struct str gate)
{
	const struct plan_facts *f = x->facts;
	struct str dir = x->past->place.s ? x->past->place : directory_in_name(x, pattern, gate);

	if (!dir.s || !pathglob_match(pattern, dir) || (f->is_directory && !f->is_directory(f->context, dir)))
		return STR_NONE;
	return dir;
}

/* Adds the job of the gate at the path if it is the recorded one. */
static bool
add_if_recorded(const struct search *x, struct str gate, struct str path, struct plan_builder *b)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct plan_builder single = *b;
	struct str_list one = { &gate, 1 };
	struct entry_point e = { .path = path };

	*(x->past->kind == GATE_REVIEW ? &e.reviews : &e.checks) = one;
	single.arena = &scratch;
	single.jobs = (struct job_list){ 0 };
	single.capacity = 0;
	single.ids = strset_new(&scratch, 1);
	single.parts = strset_new(&scratch, 1);
	plan_add_entry(&single, &e, path, x->reason);
	const struct job *job = single.jobs.items;

	if (single.jobs.count != 1 ||
	    !(x->id.s ? str_eq(job->id, x->id) : str_eq(job->file_part, x->past->file_part)))
		return false;
	/* A slot that the review no longer has blocks nothing. */
	if (job->kind == GATE_REVIEW && x->past->slot > job->gate->num_reviews)
		return false;
	plan_add_entry(b, &e, path, x->reason);
	return true;
}

static bool
search_entry(const struct search *x, const struct entry_point *e, struct plan_builder *b)
{
	const struct str_list *gates = entry_point_gates(e, x->past->kind);
	struct str path = path_tidy(e->path);

	for (size_t i = 0; i < gates->count; i++) {
		struct str gate = gates->items[i];

		if (x->id.s && !str_eq(gate, x->past->name))
			continue;
		/* A check with its own working directory is the same job for every entry point. */
		if (add_if_recorded(x, gate, path, b))
			return true;
		struct str dir = plan_is_for_directories(path) ? directory_of(x, path, gate) : STR_NONE;

		if (dir.s && add_if_recorded(x, gate, dir, b))
			return true;
	}
	return false;
}

void
outstanding_add(struct arena *a, const struct gates_config *c, const struct past_results *past,
		const struct plan_facts *facts, struct job_list *jobs)
{
	struct plan_builder b = plan_builder(a, facts, jobs);

	for_each (r, past->items, past->count) {
		if (!past_is_failure(r))
			continue;
		struct arena_mark mark = arena_mark(a);
		size_t before = b.jobs.count;
		struct search x = {
			.arena = a,
			.facts = facts,
			.past = r,
			.reason = str_cat(a, "failed in run ", r->run),
		};

		if (r->name.s && r->place.s)
			x.id = str_cat(a, gate_kind_name(r->kind), ":", r->place, ":", r->name);
		bool is_found = x.id.s ? strset_has(&b.ids, x.id) : strset_has(&b.parts, r->file_part);

		for (size_t k = 0; k < c->entry_point_count && !is_found; k++)
			is_found = search_entry(&x, &c->entry_points[k], &b);
		/* Of thousands of old failures most have no job any more. */
		if (b.jobs.count == before)
			arena_reset(a, mark);
	}
	*jobs = b.jobs;
}
