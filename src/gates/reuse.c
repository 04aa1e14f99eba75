/* SPDX-License-Identifier: MIT */
/* At a stop: which jobs need not run, because their result for the same content is known. */
#include "gates/run_inspect.h"

#include "base/path.h"
#include "gates/key.h"

static bool
is_result_of(const struct past_result *p, const struct job *job)
{
	return p->kind == job->kind && str_eq(p->file_part, job->file_part) && str_eq(p->name, job_name(job));
}

/* The results of a job that are about the key. */
struct known {
	size_t passes;
	const struct past_result *failure; /* the first; NULL: none */
	bool is_shared; /* all of them are of a run that ended while this stop waited for it */
};

static struct known
find_results(const struct run *r, const struct job *job, struct str key)
{
	struct known k = { .is_shared = r->waited_since_ms > 0 };

	for (size_t i = 0; i < r->record.latest.count; i++) {
		const struct past_result *p = &r->record.latest.items[i];

		if (!is_result_of(p, job) || p->is_unconfirmed || !key.s || !str_eq(p->key, key))
			continue;
		if (p->outcome == OUTCOME_PASS)
			k.passes++;
		else if (past_is_failure(p) && !k.failure)
			k.failure = p;
		k.is_shared = k.is_shared && p->ended_ms >= r->waited_since_ms;
	}
	return k;
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

/* What is compared with moves when the base branch does, and the same files then have other keys. So they are also compared
 * with what the last run compared with. False: that is the same commit, or git can't tell. */
static bool
changes_as_before(const struct run *r, struct change_list *ret)
{
	struct str commit = r->record.state.content_commit;
	struct err ignored;

	return commit.s && !str_eq(commit, r->look.changes.commit) && run_changes_since(r, commit, ret) &&
	       git_read_contents(r->arena, &r->repository, ret, &ignored) == 0;
}

void
run_reuse(struct run *r, struct gate_result **ret, size_t *ret_count)
{
	struct change_list before;
	struct key_memory memory = { 0 };
	size_t kept = 0;

	*ret = arena_array(r->arena, r->jobs.count, struct gate_result);
	*ret_count = 0;
	if (!r->options->is_hook || !r->config->is_native)
		return;
	bool has_before = changes_as_before(r, &before);

	for (size_t i = 0; i < r->jobs.count; i++) {
		const struct job *job = &r->jobs.items[i];
		size_t slots = job->review ? (size_t)job->review->num_reviews : 1;
		struct known k = find_results(r, job, job->key);
		bool reuses = job->check ? job->check->reuses : job->review->reuses;

		if (k.passes == 0 && !k.failure && has_before)
			k = find_results(r, job, job_key(r->arena, &memory, job, &before));
		if (k.failure && k.is_shared)
			(*ret)[(*ret_count)++] = result_of_failure(r, job, k.failure);
		else if (!k.failure && (reuses || k.is_shared) && k.passes >= slots)
			r->reused_count++;
		else
			r->jobs.items[kept++] = *job;
	}
	r->jobs.count = kept;
}
