/* SPDX-License-Identifier: MIT */
/* A run up to the point where it would begin: the same look, plan and prompts, by the same code. No lock is taken, so
 * that it can be looked at while a run is under way. */
#include "gates/run_inspect.h"

#include "store/baseline.h"
#include "ui/print.h"

int
describe_reviews(struct arena *a, const struct gates_config *c, const struct run_options *o, struct err *err)
{
	struct run r;
	int result = 0;

	run_init(&r, a, c, o);
	if (run_inspect(&r, err) < 0 || run_plan(&r, err) < 0)
		return -1;
	run_prepare(&r);
	if (r.task_count == 0)
		(void)print_out(r.look.changes.count == 0
					? STR("No changes detected.\n")
					: STR("No applicable reviews for these changes.\n"));
	for (size_t i = 0; i < r.task_count && result == 0; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };

		result = print_out(review_describe(&scratch, &r.tasks[i]));
	}
	return 0;
}

static const struct run_options at_stop = {
	.has_checks = true,
	.has_reviews = true,
	.is_silent = true,
	.is_hook = true,
	.is_dry = true,
};

int
preview_run(struct arena *a, const struct gates_config *c, struct run_preview *ret, struct err *err)
{
	struct gate_result *shared;
	size_t shared_count;
	struct run r;

	run_init(&r, a, c, &at_stop);
	if (run_inspect(&r, err) < 0 || run_plan(&r, err) < 0)
		return -1;
	run_read_contents(&r);
	run_reuse(&r, &shared, &shared_count);
	*ret = (struct run_preview){
		.base = run_base_name(&r),
		.warning = r.look.changes.warning,
		.fallback_reason = r.look.changes.fallback_reason,
		.outstanding = outstanding_gates(a, c, &r.record.latest),
		.past = r.record.latest,
		.completed_at = r.record.has_state ? r.record.state.completed_at : STR_NONE,
		.change_count = r.look.changes.count,
		.jobs = r.jobs,
		.reused_count = r.reused.count,
	};
	return 0;
}

/* The changes, and what git does not show, but for files that were gone before the session began. */
static struct str_list
all_changes(const struct run *r)
{
	const struct change_list *c = &r->look.changes, none = { 0 }, *unseen = c->unseen ? c->unseen : &none;
	int64_t start_ns = baseline_session_ns(r->arena, r->options->session, r->config->root);
	struct str_list all = { arena_array(r->arena, c->count + unseen->count, struct str), c->count };

	for (size_t i = 0; i < c->count; i++)
		all.items[i] = c->items[i];
	for (size_t i = 0; i < unseen->count; i++)
		if (unseen->files[i].mode.s || !git_was_left_out(r->arena, &r->repository, unseen->items[i],
								 start_ns > 0 ? start_ns : INT64_MAX))
			all.items[all.count++] = unseen->items[i];
	return all;
}

int
changes_at_stop(struct arena *a, const struct gates_config *c, struct str session, int64_t deadline_ms,
		struct stop_changes *ret, struct err *err)
{
	struct run_options options = at_stop;
	struct run r;

	options.session = session;
	options.deadline_ms = deadline_ms;
	run_init(&r, a, c, &options);
	if (run_inspect(&r, err) < 0)
		return -1;
	struct str commit = r.look.changes.commit;
	bool is_first = !commit.s || str_is(commit, GIT_EMPTY_TREE);

	*ret = (struct stop_changes){
		.files = all_changes(&r),
		.commit = is_first ? r.look.head.commit : commit,
	};
	return 0;
}
