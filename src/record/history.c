/* SPDX-License-Identifier: MIT */
/* The newest result of every gate. Going back from the newest run, what a log says about the work counts; what says
 * that nothing could be found out does not undo a failure. */
#include "record/history.h"

#include "record/history_read.h"
#include "os/fs.h"

#include <string.h>

static void
add_warnings(struct arena *a, struct str_list *to, struct str_list more)
{
	if (more.count == 0)
		return;
	struct str *items = arena_array(a, to->count + more.count, struct str);

	if (to->count)
		memcpy(items, to->items, to->count * sizeof(*items));
	memcpy(items + to->count, more.items, more.count * sizeof(*items));
	*to = (struct str_list){ items, to->count + more.count };
}

/* What the agent has skipped is kept apart. */
static void
sort_out(struct arena *a, const struct log_result *found, struct past_result *r)
{
	size_t skipped = 0;

	for (size_t i = 0; i < found->violation_count; i++)
		skipped += found->violations[i].status == FINDING_SKIPPED;
	r->violations = found->violations;
	r->violation_count = found->violation_count;
	if (skipped == 0)
		return;
	r->violations = arena_array(a, found->violation_count - skipped, struct finding);
	r->skipped = arena_array(a, skipped, struct finding);
	r->violation_count = 0;
	for (size_t i = 0; i < found->violation_count; i++) {
		const struct finding *v = &found->violations[i];

		if (v->status == FINDING_SKIPPED)
			r->skipped[r->skipped_count++] = *v;
		else
			r->violations[r->violation_count++] = *v;
	}
}

static struct past_result
result_of(struct arena *a, const struct logdir *d, const struct log_set *s, const struct log_result *found)
{
	struct past_result r = {
		.file_part = s->part,
		.adapter = found->adapter,
		.slot = s->slot,
		.run = s->run < 0 ? 0 : s->run,
		.is_pass = found->outcome == LOG_PASS,
		.is_error = found->outcome == LOG_ERROR,
		.path = found->path,
		.is_lost = found->is_unconfirmed,
		.trouble = found->trouble,
	};

	sort_out(a, found, &r);
	if (r.is_pass)
		r.pass_run = found->pass_run < 0 ? 0 : found->pass_run;
	if (past_is_failure(&r) && s->log.s)
		log_read_origin(a, fs_join(a, d->path, s->log).s, &r.name, &r.place);
	return r;
}

/* The sets [from, to) are those of one gate or slot, the oldest first. False: they tell nothing. */
static bool
latest_of(struct arena *a, const struct logdir *d, const struct log_set *sets, size_t count,
	  struct past_results *h, struct past_result *ret)
{
	bool has_error = false;

	for (size_t i = count; i-- > 0;) {
		struct log_result found;

		log_read(a, d, &sets[i], &found);
		add_warnings(a, &h->warnings, found.warnings);
		if (found.outcome == LOG_NOTHING || (has_error && found.outcome == LOG_ERROR))
			continue;
		if (has_error && found.outcome == LOG_PASS)
			return true;
		*ret = result_of(a, d, &sets[i], &found);
		if (found.outcome != LOG_ERROR)
			return true;
		has_error = true;
	}
	return has_error;
}

void
history_latest(struct arena *a, const struct logdir *d, struct str gate, struct past_results *ret)
{
	struct log_sets sets;

	*ret = (struct past_results){ 0 };
	log_sets_list(a, d, gate, &sets);
	ret->items = arena_array(a, sets.count, struct past_result);
	for (size_t from = 0, to; from < sets.count; from = to) {
		for (to = from + 1; to < sets.count && log_sets_meet(&sets.items[from], &sets.items[to]);)
			to++;
		if (latest_of(a, d, &sets.items[from], to - from, ret, &ret->items[ret->count]))
			ret->count++;
	}
}

size_t
history_failures(const struct past_results *h)
{
	const struct past_result *last = NULL;
	size_t count = 0;

	for (size_t i = 0; i < h->count; i++) {
		const struct past_result *r = &h->items[i];

		if (!past_is_failure(r) || (last && str_eq(last->file_part, r->file_part)))
			continue;
		last = r;
		count++;
	}
	return count;
}

size_t
history_violations(const struct past_results *h)
{
	size_t count = 0;

	for (size_t i = 0; i < h->count; i++)
		count += h->items[i].violation_count;
	return count;
}

size_t
history_skipped(const struct past_results *h)
{
	size_t count = 0;

	for (size_t i = 0; i < h->count; i++)
		count += h->items[i].skipped_count;
	return count;
}
