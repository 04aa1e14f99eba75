/* SPDX-License-Identifier: MIT */
/* Turns reviews into tasks, and their results into the state for the next run. */
#include "review/review.h"

#include "model/gate_definition.h"
#include "review/slot.h"

#define GRACE_MS 2000
#define DEFAULT_TIMEOUT_MS (5 * 60 * 1000)

void
reviews_log(const struct reviews *r, const char *level, const char *who, struct str text)
{
	if (r->run.log)
		r->run.log(r->run.log_context, level, who, text);
}

struct reviews *
reviews_open(struct arena *a, const struct review_facts *f)
{
	struct reviews *r = arena_new(a, struct reviews);
	struct err err;

	r->arena = a;
	r->run = *f;
	r->answers = (struct diff_answers){ a, &r->run.repository, NULL };
	reviewer_pool_init(&r->pool, a, f->config, f->state, !f->is_dry, f->deadline_ms);
	if (!f->is_dry && git_snapshot(a, &f->repository, f->head, f->config->log_dir, &r->tree, &err) < 0)
		reviews_log(r, "WARNING", "gate.review", str_cat(r->arena, err.msg));
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
		if (has_name ? str_eq(p->name, job->gate->name) && str_eq(p->place, job->entry_point)
			     : str_eq(p->file_part, job->file_part))
			return p;
	}
	return NULL;
}

/* A pass counts for the definition that it was obtained under. `run --all` reuses nothing. */
static struct slot_facts
facts_of(const struct past_result *p, const struct job *job)
{
	bool reuses = p && !job->is_for_all_files &&
		      (str_eq(p->definition, job->gate->definition) ||
		       str_is(p->definition, DEFINITION_IMPORTED));

	if (!p || p->outcome == OUTCOME_ERROR || (p->outcome == OUTCOME_PASS && !reuses))
		return (struct slot_facts){ .past = SLOT_UNKNOWN };
	if (p->outcome == OUTCOME_PASS)
		return (struct slot_facts){ .past = SLOT_PASSED };
	return (struct slot_facts){ p->file_error.s ? SLOT_BROKEN : SLOT_FAILED, p->open.count };
}

/* The notes are in the words of the original. */
static void
plan_slots(struct review_job *j, struct buf *notes)
{
	struct arena *a = j->reviews->arena;
	struct slot_facts *facts = arena_array(a, j->count, struct slot_facts);
	enum slot_step *steps = arena_array(a, j->count, enum slot_step);
	struct review_situation now = { j->diff.is_tree_changed, j->diff.is_empty };
	bool is_latched;

	for (size_t i = 0; i < j->count; i++)
		facts[i] = facts_of(j->slots[i].past, j->job);
	review_plan(facts, j->count, &now, steps, &is_latched);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];

		s->step = steps[i];
		if (s->step == SLOT_SKIP)
			buf_cat(notes, "Skipping @", s->index, ": previously passed in iteration ",
				s->past->pass_run, " (num_reviews > 1)\n");
	}
	if (is_latched)
		buf_add(notes, STR("Running @1: safety latch (all slots previously passed)\n"));
}

/* ---- tasks ---- */

static struct task
task_of(struct slot *s)
{
	struct reviews *r = s->job->reviews;
	const struct gate *gate = s->job->job->gate;

	return (struct task){
		.kind = &review_tasks,
		.job = s->job->job,
		.result = gate_result_of(s->job->job),
		.arena = r->arena,
		.own = s,
		.is_parallel = gate->is_parallel,
		.needs = &gate->needs,
		.log = { .fd = -1 },
		.call.process = {
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

static void
note_reviewers(struct review_job *j, size_t asked, struct buf *notes)
{
	struct str_list names = j->job->gate->cli_preference;
	bool is_first = true;

	for (size_t i = 0; i < names.count; i++) {
		const struct pooled_reviewer *m = reviewer_pool_find(&j->reviews->pool, names.items[i]);

		if (m && m->health != REVIEWER_READY)
			buf_cat(notes, "Skipping ", m->name, ": ", m->message, "\n");
	}
	buf_cat(notes, "Dispatching ", asked, " review(s) via round-robin: ");
	for_each (s, j->slots, j->count) {
		if (s->step != SLOT_ASK && s->step != SLOT_SKIP)
			continue;
		buf_cat(notes, is_first ? "" : ", ", s->adapter.s ? s->adapter : STR("?"), "@", s->index);
		is_first = false;
	}
	buf_addc(notes, '\n');
}

/* Slots without anything to review share one task, and so do slots without a reviewer. */
static struct task_list
tasks_of(struct review_job *j, struct buf *notes)
{
	struct task_list l = { arena_array(j->reviews->arena, j->count, struct task), 0 };
	struct str_list names = j->job->gate->cli_preference;
	struct reviewer_pool *pool = &j->reviews->pool;
	bool has_idle = false;
	size_t asked = 0;

	for (size_t i = 0; i < j->count; i++)
		asked += j->slots[i].step == SLOT_ASK;
	if (asked > 0)
		reviewer_pool_check(pool, names);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];
		struct task t = task_of(s);

		if (s->step == SLOT_NOTHING) {
			t.result.not_shown = slot_not_shown(s);
		} else if (s->step == SLOT_ASK) {
			struct pooled_reviewer *m = reviewer_pool_pick(pool, names, i);

			if (m)
				slot_assign(s, &t, m);
			else
				s->error = str_cat(pool->arena,
						   "Review dispatch failed: no healthy adapters available (",
						   reviewer_pool_problems(pool, names), ")");
		} else {
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
	int64_t wanted = j->job->gate->num_reviews;

	j->count = wanted < 0 ? 0 : wanted > REVIEW_SLOTS_LIMIT ? REVIEW_SLOTS_LIMIT : (size_t)wanted;
	j->slots = arena_array(j->reviews->arena, j->count, struct slot);
	for (size_t i = 0; i < j->count; i++) {
		struct slot *s = &j->slots[i];

		*s = (struct slot){ .job = j, .index = (int64_t)i + 1 };
		s->past = past_of(j->reviews, j->job, s->index);
		if (!s->past)
			continue;
		if (past_is_failure(s->past)) {
			j->has_lost |= s->past->is_incomplete;
			j->has_failed |= !s->past->is_incomplete;
			j->base = j->base.s ? j->base : s->past->base;
		}
		/* A failure whose findings are lost starts over. */
		if (s->past->is_incomplete)
			s->past = NULL;
		else
			s->adapter = s->past->adapter;
	}
	if (review_diff(j, &err) < 0)
		return single_task(j, SLOT_ASK, str_cat(r->arena, "Cannot read the changes: ", err.msg));
	if (!j->base.s)
		j->base = r->run.base_commit;
	/* In the words of the original, once. */
	if (j->diff.fallback.s && !str_eq(j->diff.fallback, r->fallback))
		reviews_log(r, "WARNING", "run",
			    str_cat(r->arena, "Warning: Session stash was garbage collected, using ",
				    j->diff.fallback, " as fallback"));
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

	for_each (s, j->slots, j->count) {
		if ((s->step == SLOT_ASK && !s->is_answered) ||
		    (s->step == SLOT_KEEP && j->diff.is_tree_changed))
			return false;
		is_any |= s->step != SLOT_NOTHING;
	}
	return is_any && j->diff.is_complete;
}

void
reviews_store(struct reviews *r, struct execution_state *s)
{
	reviewer_pool_store(&r->pool, s);
	for (const struct review_job *j = r->jobs; j; j = j->next) {
		struct reviewed_tree own = {
			.part = j->job->file_part,
			.tree = r->tree,
			.definition = j->job->gate->definition,
			.is_pass = true,
		};
		struct reviewed_tree *all = arena_array(r->arena, s->reviewed_count + 1,
							struct reviewed_tree);
		size_t at = s->reviewed_count;

		if (!r->tree.s || !has_seen(j))
			continue;
		for (size_t i = 0; i < j->count; i++)
			own.is_pass &= j->slots[i].step == SLOT_NOTHING ||
				       j->slots[i].outcome == OUTCOME_PASS;
		for (size_t i = 0; i < s->reviewed_count; i++) {
			all[i] = s->reviewed[i];
			at = str_eq(all[i].part, own.part) ? i : at;
		}
		all[at] = own;
		s->reviewed = all;
		s->reviewed_count += at == s->reviewed_count;
	}
}

/* ---- the dry run ---- */

struct str
review_describe(struct arena *a, const struct task *t)
{
	static const char *const why[] = {
		[SLOT_ASK] = "",
		[SLOT_NOTHING] = "passes: no changes to review",
		[SLOT_SKIP] = "is skipped: it passed before",
		[SLOT_KEEP] = "stays failed: nothing has changed since, or its findings cannot be read",
		[SLOT_ACCEPT] = "passes with warnings: all findings are skipped",
	};
	const struct slot *s = t->own;
	struct str name = gate_result_name(a, &t->result);

	if (s->error.s || s->step != SLOT_ASK)
		return str_cat(a, name, "\n", s->error.s ? s->error : str_from(why[s->step]), "\n\n");
	return str_cat(a, name, "\nargv: ", t->command, "\nprompt: ", s->prompt.n, " bytes, ",
		       t->call.process.input.s ? "on standard input" : "as the argument <prompt>",
		       "\n--- PROMPT ---\n", s->prompt, str_ends(s->prompt, STR("\n")) ? "" : "\n",
		       "--- END ---\n\n");
}
