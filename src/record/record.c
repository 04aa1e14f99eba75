/* SPDX-License-Identifier: MIT */
/* Loading a record, and adding to it. */
#include "record/record.h"

#include "doc/json.h"
#include "os/clock.h"
#include "record/fold.h"
#include "record/import.h"
#include "record/review_read.h"

/* ---- loading ---- */

static void
begin_journal(struct record *r, struct str root)
{
	struct buf *b = &r->fold->pending;

	line_begin(b, "project");
	json_add_member(b, "root", root);
	buf_add(b, STR("}\n"));
}

static void
set_failed_check(struct past_result *p)
{
	static const struct finding failed = { .file = { "check", 5 }, .issue = { "Check failed", 12 } };

	p->violations = &failed;
	p->violation_count = 1;
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
	struct finding_list now = { p->skipped, p->skipped_count };
	struct finding_list old = { before ? before->skipped : NULL, before ? before->skipped_count : 0 };

	if (now.count == 0)
		return;
	const size_t *match = findings_match(r->arena, now, old, NULL);

	for (size_t i = 0; i < now.count; i++) {
		if (match[i] != FINDING_NONE)
			continue;
		line_add_skip(&r->fold->pending, p, &now.items[i]);
		fold_report_skipped(r, p, &now.items[i]);
	}
}

static void
import_result(void *context, const struct past_result *imported)
{
	struct record *r = context;
	struct new_result n = { .result = *imported };
	struct past_result *p = &n.result;

	set_finding_ids(r->arena, p);
	p->is_read = true;
	if (p->slot == 0 && past_is_failure(p))
		set_failed_check(p);
	const struct past_result *found = fold_find(r, p);
	struct past_result before = found ? *found : (struct past_result){ 0 };

	/* A file that was broken says nothing about what the run before found. */
	if (p->file_error.s && p->is_incomplete && found && past_is_failure(found)) {
		p->violations = before.violations;
		p->violation_count = before.violation_count;
	}
	struct str_list fixed = fold_fixed_by(r, p);

	for (size_t i = 0; i < fixed.count; i++)
		fold_report_fixed(r, p, fixed.items[i]);
	line_add_result(&r->fold->pending, &n, fixed);
	fold_result(r, p, 0);
	note_skipped(r, &before, p);
}

static void
import_failure(void *context, const struct past_result *p)
{
	const struct past_result *known = fold_find(context, p);

	if (!known || !past_is_failure(known))
		import_result(context, p);
}

static void
import(struct record *r)
{
	import_logs(r->arena, &r->logs, &r->listing, import_result, r);
	r->has_state = state_read(r->arena, &r->logs, &r->state);
	if (!r->has_state) {
		r->state = (struct execution_state){ 0 };
		return;
	}
	import_failures(&r->state, import_failure, r);
	line_add_state(r, &r->fold->pending, &r->state, &(struct str_list){ 0 });
}

static int
load(struct record *r, struct str root, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str text, line;

	logdir_list(r->arena, &r->logs, &r->listing);
	if (journal_read(r->arena, &r->journal, &text, err) < 0)
		return -1;
	if (!text.s) {
		begin_journal(r, root);
		import(r);
		return 0;
	}
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

	r->violations = open;
	r->skipped = skipped;
	r->violation_count = r->skipped_count = 0;
	r->is_incomplete = read->is_incomplete;
	r->file_error = read->file_error;
	r->warnings = read->warnings;
	for (size_t i = 0; i < read->count; i++) {
		const struct finding *f = &read->findings[i];

		if (f->status == FINDING_SKIPPED)
			skipped[r->skipped_count++] = *f;
		else
			open[r->violation_count++] = *f;
	}
}

static bool
has_files(const struct past_result *p)
{
	return past_is_failure(p) && !p->is_read && p->slot > 0 && p->finding_ids.count > 0;
}

void
record_read_ahead(struct record *r)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf buffer = SLOT_BUFFER(&scratch);

	for (size_t i = 0; i < r->latest.count; i++) {
		struct past_result *p = &r->latest.items[i];
		struct slot_files files = {
			.logs = &r->logs,
			.file = p->file,
			.log = p->log,
			.part = p->file_part,
			.finding_ids = &p->finding_ids,
		};

		if (!has_files(p) || p->ahead)
			continue;
		struct slot_read *read = arena_new(r->arena, struct slot_read);

		slot_read(r->arena, &buffer, &files, read);
		p->ahead = read;
	}
}

void
record_read_findings(struct record *r)
{
	record_read_ahead(r);
	for (size_t i = 0; i < r->latest.count; i++) {
		struct past_result *p = &r->latest.items[i];
		struct past_result before = *p;

		if (!past_is_failure(p) || p->is_read)
			continue;
		p->is_read = true;
		if (before.ahead) {
			past_take_findings(r->arena, p, before.ahead);
			note_skipped(r, &before, p);
		} else if (p->slot > 0) {
			p->is_incomplete = true;
		} else if (p->slot == 0) {
			set_failed_check(p);
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

static int
append(struct record *r, struct err *err)
{
	return append_lines(r, STR(""), err);
}

int
record_add(struct record *r, const struct new_result *n, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf line = BUF(&scratch, SIZE_MAX);
	struct new_result all = *n;
	struct str_list fixed = fold_fixed_by(r, &all.result);

	set_finding_ids(r->arena, &all.result);
	all.result.is_read = true;
	all.result.is_unconfirmed = true;
	if (all.result.kind == GATE_CHECK && past_is_failure(&all.result))
		set_failed_check(&all.result);
	for (size_t i = 0; i < fixed.count; i++)
		fold_report_fixed(r, &all.result, fixed.items[i]);
	line_add_result(&line, &all, fixed);
	fold_result(r, &all.result, 0);
	return append_lines(r, buf_str(&line), err);
}

int
record_add_state(struct record *r, const struct execution_state *s, const struct str_list *keys,
		 struct err *err)
{
	fold_run_end(r, keys, clock_real_us() / 1000);
	line_add_state(r, &r->fold->pending, s, keys);
	return append(r, err) < 0 ? -1 : state_write(r->arena, &r->logs, s, err);
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
	json_add_member_bool(b, "state", with_state);
	buf_add(b, STR("}\n"));
	r->listing.last_run = 0;
	r->listing.runs = r->listing.gate_runs = 0;
	r->listing.has_gate_logs = false;
	return append(r, err);
}

/* The lines of earlier runs, which confirmed the keys of results that are still the newest, are not kept: one line does it for
 * all of them. It has no time, because it is not the end of a run. */
static void
add_confirmed_keys(const struct record *r, struct buf *b)
{
	struct str *keys = arena_array(r->arena, r->latest.count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < r->latest.count; i++)
		if (r->latest.items[i].key.s && !r->latest.items[i].is_unconfirmed)
			keys[count++] = r->latest.items[i].key;
	buf_addc(b, '{');
	json_add_member(b, "event", STR("run"));
	json_add_key(b, "keys");
	json_add_strings(b, keys, count);
	buf_add(b, STR("}\n"));
}

void
record_compact(struct record *r)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct record_fold *f = r->fold;
	struct buf b = BUF(&scratch, SIZE_MAX);
	struct err ignored;
	size_t needed = 0;

	for (size_t i = 0; i < f->line_count; i++)
		needed += i == 0 || f->lines[i].is_needed ? f->lines[i].text.n + 1 : 0;
	if (f->journal_bytes < JOURNAL_COMPACT_BYTES || needed >= f->journal_bytes / 2)
		return;
	for (size_t i = 0; i < f->line_count; i++) {
		if (i > 0 && !f->lines[i].is_needed)
			continue;
		if (i + 1 == f->state_source)
			add_confirmed_keys(r, &b);
		buf_add(&b, f->lines[i].text);
		buf_addc(&b, '\n');
	}
	if (b.n < f->journal_bytes / 2)
		(void)(journal_replace(r->arena, &r->journal, buf_str(&b), &ignored) == 0);
}

/* ---- the state alone ---- */

static bool
has_failure(const struct record *r)
{
	for (size_t i = 0; i < r->latest.count; i++)
		if (past_is_failure(&r->latest.items[i]))
			return true;
	return false;
}

bool
record_read_state(struct arena *a, struct str root, const struct logdir *d, struct execution_state *ret)
{
	struct journal journal = journal_of(a, root, d);
	struct str line = journal_last_line(a, &journal);
	struct node *n = arena_new(a, struct node);
	struct record r;
	struct err ignored;

	if (line.s && json_parse(a, line, n, &ignored) == 0 && str_is(node_get_str(n, "event"), "run"))
		return state_from_node(a, node_get(n, "state"), ret);
	/* A run was killed, the logs were archived, or there is no journal. */
	if (record_load(&r, a, root, d, &ignored) < 0 || !r.has_state)
		return false;
	*ret = r.state;
	/* agent-gauntlet does not record whether a gate had failed: its logs mean that one may have. */
	ret->is_outstanding |= has_failure(&r) || (!ret->has_outstanding && r.listing.has_gate_logs);
	return true;
}
