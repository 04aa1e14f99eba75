/* SPDX-License-Identifier: MIT */
/* What failed is kept by gate, place and slot, and goes only when that has passed. It never looks at a log. */
#include "gates/remembered.h"

#include "record/logname.h"
#include "os/fs.h"

#include <string.h>

static bool
is_review(const struct failed_job *f)
{
	return str_starts(f->part, STR("review_"));
}

static struct str
place_of(const struct job *job)
{
	return job->kind == GATE_REVIEW ? job->entry_point : job->dir;
}

static bool
is_of_job(const struct failed_job *f, const struct job *job)
{
	return is_review(f) == (job->kind == GATE_REVIEW) && str_eq(f->name, job_name(job)) &&
	       str_eq(f->place, place_of(job));
}

/* ---- before a run ---- */

/* By its origin; a log whose beginning is gone is known by its name. */
static bool
is_told(const struct past_results *past, const struct failed_job *f)
{
	for (size_t i = 0; i < past->count; i++) {
		const struct past_result *r = &past->items[i];

		if (!past_is_failure(r) || r->slot != f->slot)
			continue;
		if (r->name.s && r->place.s ? str_eq(r->name, f->name) && str_eq(r->place, f->place)
					    : str_eq(r->file_part, f->part))
			return true;
	}
	return false;
}

void
remembered_add(struct arena *a, const struct execution_state *s, struct past_results *past)
{
	struct past_result *items = arena_array(a, past->count + s->failed_count, struct past_result);
	size_t count = past->count;

	if (count > 0)
		memcpy(items, past->items, count * sizeof(*items));
	for (size_t i = 0; i < s->failed_count; i++) {
		const struct failed_job *f = &s->failed[i];

		if (!is_told(past, f))
			items[count++] = (struct past_result){ .file_part = f->part,
							       .name = f->name,
							       .place = f->place,
							       .slot = f->slot,
							       .run = f->run,
							       .is_lost = true };
	}
	past->items = items;
	past->count = count;
}

/* ---- behind it ---- */

/* As the name of its log tells; false: it has none. */
static bool
slot_of(const struct task *t, struct log_name *ret)
{
	return t->result.log_path.s && log_name_parse(fs_base(t->result.log_path), ret);
}

static bool
has_passed(const struct failed_job *f, const struct task *tasks, size_t count, bool is_whole)
{
	for (size_t i = 0; i < count; i++) {
		const struct task *t = &tasks[i];
		struct log_name l;

		if (t->result.outcome != OUTCOME_PASS || !is_of_job(f, t->job))
			continue;
		if (slot_of(t, &l) ? l.slot == f->slot : is_whole)
			return true;
	}
	return false;
}

static bool
is_among(const struct failed_job *list, size_t count, const struct failed_job *f)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].slot == f->slot && is_review(&list[i]) == is_review(f) &&
		    str_eq(list[i].name, f->name) && str_eq(list[i].place, f->place))
			return true;
	return false;
}

void
remembered_update(struct arena *a, const struct task *tasks, size_t count, bool is_whole,
		  struct execution_state *s)
{
	struct failed_job *all = arena_array(a, s->failed_count + count, struct failed_job);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct task *t = &tasks[i];
		struct log_name l;

		if (t->result.outcome != OUTCOME_FAIL || !slot_of(t, &l))
			continue;
		all[kept++] = (struct failed_job){
			.part = t->job->file_part,
			.name = job_name(t->job),
			.place = place_of(t->job),
			.slot = l.slot,
			.run = l.run < 0 ? 0 : l.run,
		};
	}
	for (size_t i = 0; i < s->failed_count; i++)
		if (!is_among(all, kept, &s->failed[i]) && !has_passed(&s->failed[i], tasks, count, is_whole))
			all[kept++] = s->failed[i];
	s->failed = all;
	s->failed_count = kept;
}
