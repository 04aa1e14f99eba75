/* SPDX-License-Identifier: MIT */
/* Turns reviews into tasks, and their results into the state for the next run. */
#include "review/review.h"

#include "base/buf.h"
#include "review/slot.h"

#include <inttypes.h>
#include <string.h>

#define GRACE_MS 2000
#define DEFAULT_TIMEOUT_MS (5 * 60 * 1000)

void
reviews_log(const struct reviews *r, const char *fmt, ...)
{
	va_list args;

	if (!r->run.log)
		return;
	va_start(args, fmt);
	r->run.log(r->run.log_context, str_vfmt(r->arena, fmt, args));
	va_end(args);
}

struct reviews *
reviews_open(struct arena *a, const struct review_facts *f)
{
	struct reviews *r = arena_new(a, struct reviews);
	struct err err;

	r->arena = a;
	r->run = *f;
	reviewer_pool_init(&r->pool, a, f->config, f->state, !f->is_dry, f->deadline_ms);
	struct snapshot_spec spec = { .head = f->head, .log_dir = f->config->log_dir };
	struct snapshot now = { 0 };

	if (!f->is_dry && git_snapshot(a, &f->repository, &spec, &now, &err) < 0)
		reviews_log(r, "[WARNING][gauntlet.gate.review] %s", err.msg);
	r->tree = now.commit;
	return r;
}

/* ---- planning ---- */

/* The earlier result of a slot; NULL: none. */
static const struct past_result *
past_of(const struct reviews *r, const struct job *job, int64_t index)
{
	const struct past_results *past = r->run.past;

	for (size_t i = 0; past && i < past->count; i++) {
		const struct past_result *p = &past->items[i];
		bool has_name = p->name.s && p->place.s;

		if (p->kind != GATE_REVIEW || p->slot != index)
			continue;
		if (has_name ? str_eq(p->name, job->review->name) && str_eq(p->place, job->entry_point)
			     : str_eq(p->file_part, job->file_part))
			return p;
	}
	return NULL;
}

static void
find_slots(struct review_job *j)
{
	int64_t wanted = j->job->review->num_reviews;

	j->count = wanted < 0 ? 0 : wanted > REVIEW_SLOTS_LIMIT ? REVIEW_SLOTS_LIMIT : (size_t)wanted;
	j->slots = arena_array(j->reviews->arena, j->count, struct slot);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];

		*s = (struct slot){ .job = j, .index = (int64_t)i + 1 };
		s->past = past_of(j->reviews, j->job, s->index);
		/* A failure whose findings are lost starts over. */
		s->is_lost = s->past && s->past->is_incomplete && past_is_failure(s->past);
		if (s->past && past_is_failure(s->past) && !j->base.s)
			j->base = s->past->base;
		if (s->past && s->past->is_incomplete)
			s->past = NULL;
		s->adapter = s->past ? s->past->adapter : STR_NONE;
	}
}

static int
find_diff(struct review_job *j, struct err *err)
{
	const struct past_result **failed = arena_array(j->reviews->arena, j->count,
							const struct past_result *);
	struct review_diff_facts facts = {
		.files = &j->job->review->files,
		.run = &j->reviews->run,
		.answers = &j->reviews->diff_answers,
		.part = j->job->file_part,
		.path = j->job->entry_point,
		.failed = failed,
		.base = j->base,
	};

	for (size_t i = 0; i < j->count; i++) {
		facts.has_lost |= j->slots[i].is_lost;
		if (j->slots[i].past && past_is_failure(j->slots[i].past))
			failed[facts.failed_count++] = j->slots[i].past;
	}
	if (!j->base.s)
		j->base = j->reviews->run.base_commit;
	return review_diff(j->reviews->arena, &facts, &j->diff, err);
}

/* `run --all` reuses nothing. */
static struct slot_facts
facts_of(const struct past_result *p, bool reuses)
{
	if (!p || p->outcome == OUTCOME_ERROR || (p->outcome == OUTCOME_PASS && !reuses))
		return (struct slot_facts){ .past = SLOT_UNKNOWN };
	if (p->outcome == OUTCOME_PASS)
		return (struct slot_facts){ .past = SLOT_PASSED };
	return (struct slot_facts){ p->file_error.s ? SLOT_BROKEN : SLOT_FAILED, p->violation_count };
}

/* The notes are in the words of the original. */
static void
plan_slots(struct review_job *j, struct buf *notes)
{
	struct arena *a = j->reviews->arena;
	struct slot_facts *facts = arena_array(a, j->count, struct slot_facts);
	enum slot_step *steps = arena_array(a, j->count, enum slot_step);
	struct review_situation now = { j->diff.is_tree_changed, j->diff.is_empty };
	bool is_latched = false;

	for (size_t i = 0; i < j->count; i++)
		facts[i] = facts_of(j->slots[i].past, !j->job->is_for_all_files);
	review_plan(facts, j->count, &now, steps, &is_latched);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];

		s->step = steps[i];
		if (s->step == SLOT_SKIP)
			buf_addf(notes,
				 "Skipping @%" PRId64 ": previously passed in iteration %" PRId64
				 " (num_reviews > 1)\n",
				 s->index, s->past->pass_run);
	}
	if (is_latched)
		buf_add(notes, STR("Running @1: safety latch (all slots previously passed)\n"));
}

/* ---- tasks ---- */

static struct task
task_of(struct slot *s)
{
	struct reviews *r = s->job->reviews;
	const struct review_gate *gate = s->job->job->review;

	return (struct task){
		.kind = &review_tasks,
		.job = s->job->job,
		.result = gate_result_of(s->job->job),
		.arena = r->arena,
		.own = s,
		.is_parallel = gate->is_parallel,
		.needs = &gate->needs,
		.log = { .fd = -1 },
		.spec = {
			.timeout_ms = gate->timeout_ms > 0 ? gate->timeout_ms : DEFAULT_TIMEOUT_MS,
			.grace_ms = GRACE_MS,
			.forgets_output = true,
		},
	};
}

/* One task for all slots of a job. */
static struct task_list
single_task(struct review_job *j, enum slot_step step, struct str error)
{
	struct task_list l = { arena_new(j->reviews->arena, struct task), 1 };
	struct slot *s = arena_new(j->reviews->arena, struct slot);

	*s = (struct slot){ .job = j, .index = 1, .step = step, .error = error };
	l.items[0] = task_of(s);
	j->slots = s;
	j->count = 1;
	return l;
}

/* Gives the slot to a reviewer that is ready. */
static void
pick_reviewer(struct slot *s, struct task *t)
{
	struct reviewer_pool *pool = &s->job->reviews->pool;
	struct str_list names = s->job->job->review->cli_preference;
	struct pooled_reviewer *m = reviewer_pool_pick(pool, names, (size_t)s->index - 1);

	if (m)
		slot_assign(s, t, m);
	else
		s->error = str_fmt(pool->arena,
				   "Review dispatch failed: no healthy adapters available (" STR_FMT ")",
				   STR_ARG(reviewer_pool_problems(pool, names)));
}

static void
note_reviewers(struct review_job *j, size_t asked, struct buf *notes)
{
	struct str_list names = j->job->review->cli_preference;
	bool is_first = true;

	for (size_t i = 0; i < names.count; i++) {
		const struct pooled_reviewer *m = reviewer_pool_find(&j->reviews->pool, names.items[i]);

		if (m && m->health != REVIEWER_READY)
			buf_addf(notes, "Skipping " STR_FMT ": " STR_FMT "\n", STR_ARG(m->name),
				 STR_ARG(m->message));
	}
	buf_addf(notes, "Dispatching %zu review(s) via round-robin: ", asked);
	for (size_t i = 0; i < j->count; i++) {
		const struct slot *s = &j->slots[i];

		if (s->step != SLOT_ASK && s->step != SLOT_SKIP)
			continue;
		buf_addf(notes, "%s" STR_FMT "@%" PRId64, is_first ? "" : ", ",
			 STR_ARG(s->adapter.s ? s->adapter : STR("?")), s->index);
		is_first = false;
	}
	buf_addc(notes, '\n');
}

/* Slots without anything to review share one task, and so do slots without a reviewer. */
static struct task_list
tasks_of(struct review_job *j, struct buf *notes)
{
	struct task_list l = { arena_array(j->reviews->arena, j->count, struct task), 0 };
	bool has_idle = false;
	size_t asked = 0;

	for (size_t i = 0; i < j->count; i++)
		asked += j->slots[i].step == SLOT_ASK;
	if (asked > 0)
		reviewer_pool_check(&j->reviews->pool, j->job->review->cli_preference);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];
		struct task t = task_of(s);

		if (s->step == SLOT_NOTHING)
			t.result.not_shown = slot_not_shown(s);
		if (s->step == SLOT_ASK) {
			pick_reviewer(s, &t);
		} else if (s->step != SLOT_NOTHING) {
			t.result.slot = s->index;
			t.result.reviewer = s->adapter.s ? s->adapter : STR("");
		}
		bool is_idle = s->step == SLOT_NOTHING || s->error.s;

		if (!is_idle || !has_idle)
			l.items[l.count++] = t;
		has_idle |= is_idle;
	}
	if (asked > 0)
		note_reviewers(j, asked, notes);
	return l;
}

struct task_list
review_prepare(struct reviews *r, const struct job *job)
{
	struct review_job *j = arena_new(r->arena, struct review_job);
	struct buf notes = BUF(r->arena, SIZE_MAX);
	struct err err;

	*j = (struct review_job){ .reviews = r, .job = job, .next = r->jobs };
	r->jobs = j;
	find_slots(j);
	if (find_diff(j, &err) < 0)
		return single_task(j, SLOT_ASK, str_fmt(r->arena, "Cannot read the changes: %s", err.msg));
	/* In the words of the original, once. */
	if (j->diff.fallback.s && !str_eq(j->diff.fallback, r->fallback))
		reviews_log(
			r,
			"[WARNING][gauntlet.run] Warning: Session stash was garbage collected, using " STR_FMT
			" as fallback",
			STR_ARG(j->diff.fallback));
	if (j->diff.fallback.s)
		r->fallback = j->diff.fallback;
	if (j->count == 0)
		return single_task(j, SLOT_NOTHING, STR_NONE);
	plan_slots(j, &notes);
	struct task_list l = tasks_of(j, &notes);

	j->notes = buf_str(&notes);
	return l;
}

/* ---- the state for the next run ---- */

/* Has the review seen all of the current tree? A slot that keeps its result counts if nothing changed. */
static bool
has_seen(const struct review_job *j)
{
	bool is_any = false;

	for (size_t i = 0; i < j->count; i++) {
		const struct slot *s = &j->slots[i];

		if (s->step == SLOT_ASK && !s->is_answered)
			return false;
		if (s->step == SLOT_KEEP && j->diff.is_tree_changed)
			return false;
		is_any |= s->step != SLOT_NOTHING;
	}
	return is_any && j->diff.is_complete;
}

static void
store_reviewed(struct reviews *r, struct execution_state *s, const struct review_job *j)
{
	struct reviewed_tree own = { .part = j->job->file_part, .tree = r->tree, .is_pass = true };

	for (size_t i = 0; i < j->count; i++)
		own.is_pass &= j->slots[i].step == SLOT_NOTHING || j->slots[i].outcome == OUTCOME_PASS;
	for (size_t i = 0; i < s->reviewed_count; i++) {
		if (str_eq(s->reviewed[i].part, own.part)) {
			s->reviewed[i] = own;
			return;
		}
	}
	struct reviewed_tree *all = arena_array(r->arena, s->reviewed_count + 1, struct reviewed_tree);

	if (s->reviewed_count > 0)
		memcpy(all, s->reviewed, s->reviewed_count * sizeof(*all));
	all[s->reviewed_count++] = own;
	s->reviewed = all;
}

void
reviews_store(struct reviews *r, struct execution_state *s)
{
	reviewer_pool_store(&r->pool, s);
	for (const struct review_job *j = r->jobs; j; j = j->next)
		if (r->tree.s && has_seen(j))
			store_reviewed(r, s, j);
}

/* ---- the dry run ---- */

struct str_list
review_describe(struct arena *a, const struct task_list *tasks)
{
	static const char *const why[] = {
		[SLOT_ASK] = "",
		[SLOT_NOTHING] = "passes: no changes to review",
		[SLOT_SKIP] = "is skipped: it passed before",
		[SLOT_KEEP] = "stays failed: nothing has changed since, or its findings cannot be read",
		[SLOT_ACCEPT] = "passes with warnings: all findings are skipped",
	};
	struct str_list l = { arena_array(a, 4 * tasks->count, struct str), 0 };

	for (size_t i = 0; i < tasks->count; i++) {
		const struct task *t = &tasks->items[i];
		const struct slot *s = t->own;

		l.items[l.count++] = str_fmt(a, STR_FMT "\n", STR_ARG(gate_result_name(a, &t->result)));
		if (s->error.s || s->step != SLOT_ASK) {
			l.items[l.count++] = s->error.s ? s->error : str_from(why[s->step]);
			l.items[l.count++] = STR("\n\n");
			continue;
		}
		l.items[l.count++] = str_fmt(
			a, "argv: " STR_FMT "\nprompt: %zu bytes, %s\n--- PROMPT ---\n", STR_ARG(t->command),
			s->prompt.n, t->spec.input.s ? "on standard input" : "as the argument <prompt>");
		l.items[l.count++] = s->prompt;
		l.items[l.count++] = str_ends(s->prompt, STR("\n")) ? STR("--- END ---\n\n")
								    : STR("\n--- END ---\n\n");
	}
	return l;
}
