/* SPDX-License-Identifier: MIT */
/* Loading a record, and adding to it. */
#include "record/record.h"

#include "doc/json.h"
#include "os/clock.h"
#include "record/fold.h"

/* ---- loading ---- */

static void
set_failed_check(struct past_result *p)
{
	static const struct finding failed = { .file = { "check", 5 }, .issue = { "Check failed", 12 } };

	p->open = (struct finding_list){ &failed, 1 };
}

static void
set_finding_ids(struct arena *a, struct past_result *p)
{
	if (p->outcome != OUTCOME_FAIL || p->slot == 0 || p->is_incomplete)
		return;
	struct finding_list all = past_all_findings(a, p);

	p->finding_ids = (struct str_list){ arena_array(a, all.count, struct str), all.count };
	for (size_t i = 0; i < all.count; i++)
		p->finding_ids.items[i] = finding_id(a, &all.items[i]);
}

/* Those that were not skipped before. */
static void
note_skipped(struct record *r, const struct past_result *before, const struct past_result *p)
{
	if (p->skipped.count == 0)
		return;
	const size_t *match = findings_match(r->arena, p->skipped, before->skipped, NULL);

	for (size_t i = 0; i < p->skipped.count; i++) {
		if (match[i] != FINDING_NONE)
			continue;
		line_add_skip(&r->fold->pending, p, &p->skipped.items[i]);
		fold_report_skipped(r, p, &p->skipped.items[i]);
	}
}

/* A result that the journal does not have yet. Its line goes to `to`. */
static void
add_result(struct record *r, struct new_result *n, struct buf *to)
{
	struct past_result *p = &n->result;
	struct str_list fixed = fold_fixed_by(r, p);

	set_finding_ids(r->arena, p);
	p->is_read = true;
	if (p->slot == 0 && past_is_failure(p))
		set_failed_check(p);
	fold_report_fixed(r, p, fixed);
	line_add_result(to, n, fixed);
	fold_result(r, p, 0);
}

void
record_import(struct record *r, const struct past_result *imported)
{
	struct new_result n = { .result = *imported };
	struct past_result *p = &n.result;
	const struct past_result *found = fold_find(r, p);
	struct past_result before = found ? *found : (struct past_result){ 0 };

	/* A file that was broken says nothing about what the run before found. */
	if (p->file_error.s && p->is_incomplete && found && past_is_failure(found))
		p->open = before.open;
	add_result(r, &n, &r->fold->pending);
	note_skipped(r, &before, p);
}

/* The log directory stands for a journal that is not there. */
static void
import(struct record *r, struct str root)
{
	struct buf *b = &r->fold->pending;

	line_begin(b, "project");
	json_add(b, "root", root);
	json_close(b, "}\n");
	import_logs(r);
	r->has_state = state_read(r->arena, &r->logs, &r->state);
	if (!r->has_state)
		return;
	import_failures(r);
	line_add_state(r, b, &r->state, &(struct str_list){ 0 });
}

static int
load(struct record *r, struct str root, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str text, line;

	logdir_list(r->arena, &r->logs, &r->listing);
	if (journal_read(r->arena, &r->journal, &text, err) < 0)
		return -1;
	if (!text.s)
		import(r, root);
	r->fold->journal_bytes = text.n;
	while (str_next(&text, '\n', &line)) {
		struct arena_mark mark = arena_mark(&scratch);

		fold_read_line(r, &scratch, line);
		arena_reset(&scratch, mark);
	}
	return 0;
}

int
record_load(struct record *r, struct arena *a, struct str root, const struct logdir *d, struct err *err)
{
	struct arena pending = { 0 }, lines = { 0 }, latest = { 0 };
	struct record_fold *f = arena_new(a, struct record_fold);

	*r = (struct record){ .arena = a, .logs = *d, .journal = journal_of(a, root, d), .fold = f };
	f->pending = BUF(&pending, SIZE_MAX);
	f->of_lines = &lines;
	f->of_latest = &latest;
	int result = load(r, root, err);

	arena_adopt(a, &pending);
	arena_adopt(a, &lines);
	arena_adopt(a, &latest);
	f->pending.arena = f->of_lines = f->of_latest = a;
	return result;
}

void
past_take_findings(struct arena *a, struct past_result *r, const struct slot_read *read)
{
	size_t count = 0;

	for (size_t i = 0; i < read->count; i++)
		count += read->findings[i].status == FINDING_SKIPPED;
	/* Mostly none is skipped: then no second array is needed. */
	struct finding *open = count > 0 ? arena_array(a, read->count - count, struct finding)
					 : read->findings;
	struct finding *skipped = arena_array(a, count, struct finding);

	r->open = (struct finding_list){ open, 0 };
	r->skipped = (struct finding_list){ skipped, 0 };
	r->is_incomplete = read->is_incomplete;
	r->file_error = read->file_error;
	r->warnings = read->warnings;
	for_each (f, read->findings, read->count) {
		if (f->status == FINDING_SKIPPED)
			skipped[r->skipped.count++] = *f;
		else
			open[r->open.count++] = *f;
	}
}

void
record_read_findings(struct record *r)
{
	for (size_t i = 0; i < r->latest.count; i++) {
		struct past_result *p = &r->latest.items[i], before = *p;
		struct slot_read read;

		if (!past_is_failure(p) || p->is_read)
			continue;
		p->is_read = true;
		if (p->slot == 0) {
			set_failed_check(p);
		} else if (p->finding_ids.count == 0) {
			p->is_incomplete = true;
		} else {
			slot_read(r->arena, &r->logs, p, &read);
			past_take_findings(r->arena, p, &read);
			note_skipped(r, &before, p);
		}
	}
}

/* ---- adding ---- */

/* After the lines that are pending. If that fails, these are pending too. */
static int
append_lines(struct record *r, struct str lines, struct err *err)
{
	struct buf *pending = &r->fold->pending;
	int result = 0;

	if (pending->n > 0)
		result = journal_append(r->arena, &r->journal, buf_str(pending), &r->is_local, err);
	if (result == 0) {
		pending->n = 0;
		if (lines.n > 0)
			result = journal_append(r->arena, &r->journal, lines, &r->is_local, err);
	}
	if (result == 0)
		return 0;
	buf_add(pending, lines);
	return err_wrap(err, "the results journal");
}

int
record_add(struct record *r, const struct new_result *n, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf line = BUF(&scratch, SIZE_MAX);
	struct new_result all = *n;

	all.result.is_unconfirmed = true;
	add_result(r, &all, &line);
	return append_lines(r, buf_str(&line), err);
}

void
record_confirm(struct record *r, const struct str_list *keys)
{
	fold_run_end(r, keys, clock_real_us() / 1000);
}

int
record_add_state(struct record *r, const struct execution_state *s, const struct str_list *keys,
		 struct err *err)
{
	record_confirm(r, keys);
	line_add_state(r, &r->fold->pending, s, keys);
	return append_lines(r, STR(""), err) < 0 ? -1 : state_write(r->arena, &r->logs, s, err);
}

int
record_clear(struct record *r, bool with_state, bool is_dry, struct err *err)
{
	struct buf *b = &r->fold->pending;
	size_t moved;

	fold_clear(r, with_state, 0);
	if (is_dry)
		return 0;
	if (logdir_archive(&r->logs, with_state, &moved, err) < 0)
		return -1;
	line_begin(b, "clean");
	json_add(b, "state", with_state);
	json_close(b, "}\n");
	r->listing.last_run = 0;
	r->listing.runs = 0;
	r->listing.has_gate_logs = false;
	return append_lines(r, STR(""), err);
}

void
record_compact(struct record *r)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct record_fold *f = r->fold;
	struct buf b = BUF(&scratch, SIZE_MAX);
	struct str_list keys = { 0 };
	size_t needed = 0;

	for (size_t i = 0; i < f->line_count; i++)
		needed += i == 0 || f->lines[i].is_needed ? f->lines[i].text.n + 1 : 0;
	if (f->journal_bytes < JOURNAL_COMPACT_BYTES || needed >= f->journal_bytes / 2)
		return;
	for (size_t i = 0; i < r->latest.count; i++)
		if (r->latest.items[i].key.s && !r->latest.items[i].is_unconfirmed)
			*arena_push(&scratch, keys.items, keys.count) = r->latest.items[i].key;
	for (size_t i = 0; i < f->line_count; i++) {
		if (i > 0 && !f->lines[i].is_needed)
			continue;
		/* The lines of earlier runs, which confirmed the keys of results that are still the newest, are not kept: one
		 * line does it for all of them. It has no time, because it is not the end of a run. */
		if (i + 1 == f->state_source) {
			buf_cat(&b, json_object(r->arena, "event", "run", "keys", &keys), "\n");
		}
		buf_cat(&b, f->lines[i].text, "\n");
	}
	if (b.n < f->journal_bytes / 2)
		(void)(journal_replace(r->arena, &r->journal, buf_str(&b), IGNORED) == 0);
}

/* ---- the state ---- */

bool
record_state(const struct record *r, struct execution_state *ret)
{
	bool has_ended = r->fold->line_count > 0 && r->fold->state_source == r->fold->line_count;
	struct execution_state other;

	if (!r->has_state)
		return false;
	*ret = r->state;
	/* A run was killed, the logs were archived, or there is no journal. agent-gauntlet does not record whether a gate had
	 * failed: its logs mean that one may have. */
	if (!has_ended)
		ret->is_outstanding |= record_failures(r).count > 0 ||
				       (!ret->has_outstanding && r->listing.has_gate_logs);
	/* Where no gate of ours has run, a complete run of the original begins an interval. Whoever can write its file must not
	 * end a failure with it. */
	else if (ret->is_partial && r->logs.dialect->interval_minutes > 0 && r->latest.count == 0 &&
		 state_read(r->arena, &r->logs, &other) && !other.is_partial) {
		other.is_outstanding |= ret->is_outstanding;
		*ret = other;
	}
	return true;
}
