/* SPDX-License-Identifier: MIT */
/* At a stop: which jobs need not run, because their result for the same content is known. */

#include "gates/plan.h"
#include "gates/run_inspect.h"

/* With how many commits at most the files are compared again. */
#define COMPARISONS_MAX 4

bool
reuse_is_of(const struct past_result *p, const struct job *job)
{
	return p->kind == job->kind && str_eq(p->file_part, job->file_part) &&
	       str_eq(p->name, job->gate->name) && !p->is_unconfirmed && p->key.s;
}

enum reuse
reuse_decide(const struct reuse_facts *f)
{
	if (f->has_failure)
		return f->is_shared ? REUSE_FAILURE : REUSE_NOTHING;
	return (f->reuses || f->is_shared) && f->passes >= f->slots ? REUSE_PASS : REUSE_NOTHING;
}

/* What is compared with moves when the base branch does, and the same files then have other keys. So they are also compared
 * with what they were compared with when the gate ran. */
struct earlier {
	struct str commit;
	bool is_known; /* else git has no answer */
	struct change_list changes;
	struct key_memory memory;
};
struct comparisons {
	struct earlier items[COMPARISONS_MAX];
	size_t count;
};

/* The key of the job, compared with the commit; absent: not known. */
static struct str
key_since(const struct run *r, struct comparisons *c, const struct job *job, struct str commit)
{
	size_t i = 0;

	if (str_eq(commit, r->look.changes.commit))
		return job->key;
	while (i < c->count && !str_eq(c->items[i].commit, commit))
		i++;
	if (i == COMPARISONS_MAX || !commit.s)
		return STR_NONE;
	struct earlier *e = &c->items[i];

	if (i == c->count) {
		c->count++;
		e->commit = commit;
		e->is_known = run_changes_since(r, commit, &e->changes) &&
			      git_read_contents(r->arena, &r->repository, &e->changes, IGNORED) == 0;
	}
	return e->is_known ? job_key(r->arena, &e->memory, job, &e->changes) : STR_NONE;
}

/* The results of a job for what is there; *ret_failure is the first that failed. */
static struct reuse_facts
find_results(const struct run *r, struct comparisons *c, const struct job *job,
	     const struct past_result **ret_failure)
{
	struct reuse_facts f = {
		.slots = job->kind == GATE_REVIEW ? (size_t)job->gate->num_reviews : 1,
		.reuses = job->gate->reuses,
		.is_shared = r->looked_ms > 0,
	};

	for (size_t i = 0; i < r->record.latest.count && job->key.s; i++) {
		const struct past_result *p = &r->record.latest.items[i];

		if (!reuse_is_of(p, job) ||
		    (!str_eq(p->key, job->key) && !str_eq(p->key, key_since(r, c, job, p->base))))
			continue;
		f.passes += p->outcome == OUTCOME_PASS;
		if (past_is_failure(p) && !f.has_failure) {
			f.has_failure = true;
			*ret_failure = p;
		}
		f.is_shared &= p->ended_ms >= r->looked_ms;
	}
	return f;
}

static struct gate_result
result_of_failure(const struct run *r, const struct job *job, const struct past_result *p)
{
	struct gate_result g = gate_result_of(job);

	g.slot = p->slot;
	g.reviewer = p->adapter;
	g.outcome = OUTCOME_FAIL;
	g.message = STR("It failed in the run that this stop waited for");
	if (p->log.s)
		g.log_path = path_join(r->arena, r->config->log_dir, p->log);
	if (p->file.s)
		g.json_path = path_join(r->arena, r->config->log_dir, p->file);
	return g;
}

void
run_reuse(struct run *r, struct gate_result **ret, size_t *ret_count)
{
	struct comparisons earlier = { 0 };
	size_t kept = 0;

	*ret = arena_array(r->arena, r->jobs.count, struct gate_result);
	*ret_count = 0;
	if ((!r->options->is_hook && r->round == 0) || !r->config->dialect->reuses_passes)
		return;
	for_each (job, r->jobs.items, r->jobs.count) {
		const struct past_result *failure = NULL;
		struct reuse_facts facts = find_results(r, &earlier, job, &failure);
		enum reuse what = reuse_decide(&facts);

		if (what == REUSE_FAILURE)
			(*ret)[(*ret_count)++] = result_of_failure(r, job, failure);
		else if (what == REUSE_NOTHING)
			r->jobs.items[kept++] = *job;
		else
			*arena_push(r->arena, r->reused.items, r->reused.count) = *job;
	}
	r->jobs.count = kept;
}
