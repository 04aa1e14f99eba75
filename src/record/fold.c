/* SPDX-License-Identifier: MIT */
/* The newest result of each gate and slot, and what became of each failure. The order of the lines decides, never a clock. */
#include "record/fold.h"

#include <inttypes.h>

/* ---- results, the newest of each gate and slot ---- */

static uint64_t
key_of(const struct past_result *p, bool by_name)
{
	uint64_t hash = str_hash(STR_HASH_START, p->file_part);

	if (by_name)
		hash = str_hash(str_hash(str_hash(hash, p->name), STR("\n")), p->place);
	return (hash ^ (uint64_t)p->slot ^ (uint64_t)p->kind << 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool
has_name(const struct past_result *p)
{
	return p->name.s && p->place.s;
}

static bool
is_of_same_gate(const struct past_result *x, const struct past_result *y, bool by_name)
{
	return x->kind == y->kind && x->slot == y->slot && str_eq(x->file_part, y->file_part) &&
	       has_name(x) == by_name &&
	       (!by_name || (str_eq(x->name, y->name) && str_eq(x->place, y->place)));
}

static uint32_t *
slot_in_table(const struct record *r, const struct past_result *p, bool by_name)
{
	const struct record_fold *f = r->fold;
	size_t i = (size_t)key_of(p, by_name) & (f->table_size - 1);

	while (f->table[i] && !is_of_same_gate(&r->latest.items[f->table[i] - 1], p, by_name))
		i = (i + 1) & (f->table_size - 1);
	return &f->table[i];
}

static void
fill_table(struct record *r, size_t size)
{
	struct record_fold *f = r->fold;

	if (size != f->table_size)
		f->table = arena_array(r->arena, size, uint32_t);
	else if (size > 0)
		memset(f->table, 0, size * sizeof(*f->table));
	f->table_size = size;
	for (size_t i = 0; i < r->latest.count; i++)
		*slot_in_table(r, &r->latest.items[i], has_name(&r->latest.items[i])) = (uint32_t)(i + 1);
}

struct past_result *
fold_find(const struct record *r, const struct past_result *p)
{
	size_t found = 0;

	if (r->fold->table_size == 0)
		return NULL;
	if (has_name(p))
		found = *slot_in_table(r, p, true);
	if (!found)
		found = *slot_in_table(r, p, false);
	return found ? &r->latest.items[found - 1] : NULL;
}

static struct past_result *
add_latest(struct record *r, const struct past_result *p)
{
	struct record_fold *f = r->fold;

	if (2 * (r->latest.count + 1) > f->table_size)
		fill_table(r, f->table_size ? f->table_size * 2 : 64);
	arena_make_room(r->arena, f->sources, r->latest.count, &f->source_capacity);
	arena_make_room(f->of_latest, r->latest.items, r->latest.count, &f->latest_capacity);
	r->latest.items[r->latest.count++] = *p;
	*slot_in_table(r, p, has_name(p)) = (uint32_t)r->latest.count;
	return &r->latest.items[r->latest.count - 1];
}

void
fold_set_source(struct record *r, size_t *source, size_t line, bool keeps_old)
{
	struct record_fold *f = r->fold;

	if (*source && !keeps_old)
		f->lines[*source - 1].is_needed = false;
	*source = line;
	if (line)
		f->lines[line - 1].is_needed = true;
}

static void
replace_latest(struct record *r, struct past_result *old, const struct past_result *p)
{
	struct finding_list skipped = old->skipped;
	struct str program = old->program;

	if (has_name(p) && !has_name(old)) {
		*old = *p;
		fill_table(r, r->fold->table_size); /* its key is another now */
	} else {
		*old = *p;
	}
	if (!old->program.s)
		old->program = program;
	/* What was skipped stays skipped for as long as the logs are kept. */
	if (p->skipped.count == 0)
		old->skipped = skipped;
}

/* A review for which there was nothing to look at passes without slots: that ends failures whose findings are lost, and
 * says nothing about others. */
static void
fold_empty_review(struct record *r, const struct past_result *p)
{
	for_each (old, r->latest.items, r->latest.count)
		if (old->kind == GATE_REVIEW && past_is_failure(old) && old->finding_ids.count == 0 &&
		    str_eq(old->file_part, p->file_part))
			old->outcome = OUTCOME_ERROR;
}

static const struct past_result *
copy(struct arena *a, const struct past_result *p)
{
	struct past_result *c = arena_new(a, struct past_result);

	*c = *p;
	return c;
}

void
fold_result(struct record *r, const struct past_result *p, size_t line)
{
	struct past_result *old = fold_find(r, p);

	r->result_count++;
	if (p->kind == GATE_REVIEW && p->slot == 0) {
		if (p->outcome == OUTCOME_PASS)
			fold_empty_review(r, p);
		return;
	}
	if (p->outcome == OUTCOME_ERROR && old && past_is_failure(old))
		return;
	const struct past_result *failure = NULL;

	if (old && p->outcome == OUTCOME_PASS && p->key.s && p->is_unconfirmed && past_is_failure(old))
		failure = old->failure ? old->failure : copy(r->fold->of_latest, old);
	/* A line about something that was skipped needs the line of the result that it belongs to. */
	bool keeps_old = failure || (old && old->skipped.count > 0);

	if (old) {
		replace_latest(r, old, p);
		old->failure = failure;
	} else
		old = add_latest(r, p);
	fold_set_source(r, &r->fold->sources[old - r->latest.items], line, keeps_old);
}

/* What stays of a result when its logs are archived. False: nothing. */
static bool
archive(struct past_result *p)
{
	if (!past_is_failure(p) && !(p->outcome == OUTCOME_PASS && (p->key.s || p->program.s)))
		return false;
	*p = (struct past_result){
		.kind = p->kind,
		.name = p->name,
		.place = p->place,
		.file_part = p->file_part,
		.slot = p->slot,
		.adapter = p->adapter,
		.run = p->run,
		.outcome = p->outcome,
		.key = p->key,
		.definition = p->definition,
		.program = p->program,
		.base = p->base,
		.is_unconfirmed = p->is_unconfirmed,
		.failure = p->failure,
		.ended_ms = p->ended_ms,
		.is_archived = true,
	};
	return true;
}

void
fold_clear(struct record *r, bool with_state, size_t line)
{
	struct record_fold *f = r->fold;
	struct str seen = r->state.seen, branch = r->state.branch;
	size_t count = r->latest.count;

	for (size_t i = 0; i < f->line_count; i++)
		f->lines[i].is_needed = i + 1 == f->state_source;
	r->result_count = 0;
	r->latest.count = 0;
	f->report_count = 0;
	fill_table(r, f->table_size);
	for (size_t i = 0; i < count; i++) {
		struct past_result p = r->latest.items[i];
		size_t source = f->sources[i];

		if (!archive(&p))
			continue;
		(void)add_latest(r, &p);
		fold_set_source(r, &f->sources[r->latest.count - 1], source, true);
	}
	fold_set_source(r, &f->clear_source, line, false);
	if (with_state) {
		r->has_state = false;
		r->state = (struct execution_state){ .seen = seen, .branch = seen.s ? branch : STR_NONE };
	}
}

void
fold_run_end(struct record *r, const struct str_list *keys, int64_t ended_ms)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct strset confirmed = strset_new(&scratch, keys->count);

	for_each (key, keys->items, keys->count)
		(void)strset_add(&confirmed, *key);
	for_each (p, r->latest.items, r->latest.count) {
		if (!p->is_unconfirmed)
			continue;
		bool is_confirmed = strset_has(&confirmed, p->key);

		if (!is_confirmed && p->failure)
			*p = *p->failure;
		else if (!is_confirmed)
			p->key = STR_NONE;
		p->failure = NULL;
		p->is_unconfirmed = false;
		p->ended_ms = ended_ms;
	}
}

size_t
past_failures(const struct past_results *p)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct strset gates = strset_new(&scratch, p->count); /* the slots of a review are one gate */
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += past_is_failure(&p->items[i]) && strset_add(&gates, p->items[i].file_part);
	return count;
}

size_t
past_violations(const struct past_results *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += past_is_failure(&p->items[i]) ? p->items[i].open.count : 0;
	return count;
}

size_t
past_skipped(const struct past_results *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += p->items[i].skipped.count;
	return count;
}

static struct str
id_of(struct arena *a, const struct past_result *p)
{
	return has_name(p) ? str_cat(a, gate_kind_name(p->kind), ":", p->place, ":", p->name) : p->file_part;
}

struct str_list
record_failures(const struct record *r)
{
	struct str_list ids = { arena_array(r->arena, r->latest.count, struct str), 0 };
	struct strset known = strset_new(r->arena, r->latest.count);

	for (size_t i = 0; i < r->latest.count; i++) {
		struct str id = id_of(r->arena, &r->latest.items[i]);

		if (past_is_failure(&r->latest.items[i]) && strset_add(&known, id))
			ids.items[ids.count++] = id;
	}
	sort(ids.items, ids.count, str_compare);
	return ids;
}

bool
record_is_empty(const struct record *r)
{
	return r->result_count == 0 && !r->has_state;
}

/* ---- what became of failures ---- */

static void
report(struct record *r, struct fix_line line)
{
	struct record_fold *f = r->fold;

	*arena_push(r->arena, f->report, f->report_count) = line;
}

static struct str
describe(struct arena *a, const struct past_result *p, struct str label, const struct finding *v)
{
	struct str at = v->line > 0 ? str_cat(a, v->line) : STR("?");

	return strip_escapes_line(
		a, str_cat(a, p->file_part, " (", label, ") - ", v->file, ":", at, " ", v->issue));
}

void
fold_report_fixed(struct record *r, const struct past_result *p, struct str_list texts)
{
	for (size_t i = 0; i < texts.count; i++)
		report(r, (struct fix_line){ .run = p->run,
					     .text = texts.items[i],
					     .part = p->file_part,
					     .slot = p->slot });
}

void
fold_report_skipped(struct record *r, const struct past_result *p, const struct finding *v)
{
	report(r, (struct fix_line){
			  .run = p->run,
			  .is_skip = true,
			  .text = describe(r->arena, p, p->adapter, v),
			  .reason = strip_escapes_line(r->arena, v->result),
			  .part = p->file_part,
			  .slot = p->slot,
		  });
}

/* By run, then fixed before skipped, then by gate and slot, else as they came. */
static int
compare_lines(const void *left, const void *right)
{
	const struct fix_line *x = *(const struct fix_line *const *)left,
			      *y = *(const struct fix_line *const *)right;
	int order;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->is_skip != y->is_skip)
		return x->is_skip ? 1 : -1;
	order = str_cmp(x->part, y->part);
	if (order == 0)
		order = (x->slot > y->slot) - (x->slot < y->slot);
	return order ? order : (x > y) - (x < y);
}

void
record_report(const struct record *r, struct fix_report *ret)
{
	const struct record_fold *f = r->fold;
	const struct fix_line **order = arena_array(r->arena, f->report_count, const struct fix_line *);

	*ret = (struct fix_report){ .count = f->report_count };
	if (f->report_count == 0)
		return;
	for (size_t i = 0; i < f->report_count; i++)
		order[i] = &f->report[i];
	sort(order, f->report_count, compare_lines);
	ret->items = arena_array(r->arena, f->report_count, struct fix_line);
	for (size_t i = 0; i < f->report_count; i++) {
		ret->items[i] = *order[i];
		if (order[i]->is_skip)
			ret->skipped++;
		else
			ret->fixed++;
	}
}

struct finding_list
past_all_findings(struct arena *a, const struct past_result *p)
{
	struct finding *all = arena_array(a, p->open.count + p->skipped.count, struct finding);
	size_t count = 0;

	for (size_t i = 0; i < p->open.count; i++)
		all[count++] = p->open.items[i];
	for (size_t i = 0; i < p->skipped.count; i++)
		all[count++] = p->skipped.items[i];
	return (struct finding_list){ all, count };
}

struct str_list
fold_fixed_by(struct record *r, const struct past_result *now)
{
	const struct past_result *old = fold_find(r, now);
	struct str_list fixed = { 0 };

	if (!old || !past_is_failure(old) || now->outcome == OUTCOME_ERROR || old->open.count == 0)
		return fixed;
	fixed.items = arena_array(r->arena, old->open.count, struct str);
	if (now->slot == 0) {
		if (now->outcome == OUTCOME_PASS)
			fixed.items[fixed.count++] = str_cat(r->arena, now->file_part, " - ", old->open.count,
							     " violations resolved");
		return fixed;
	}
	struct finding_list after = past_all_findings(r->arena, now);
	bool *is_paired = arena_array(r->arena, old->open.count, bool);
	struct str label = str_cat(r->arena, now->slot);

	(void)findings_match(r->arena, after, old->open, is_paired);
	for (size_t i = 0; i < old->open.count; i++)
		if (!is_paired[i])
			fixed.items[fixed.count++] = describe(r->arena, now, label, &old->open.items[i]);
	return fixed;
}
