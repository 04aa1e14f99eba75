/* SPDX-License-Identifier: MIT */
/* The fold of the journal, and the lines that are added to it. The order of the lines decides, never a clock. A line that
 * can't be read is passed over. */
#include "record/record.h"

#include "base/escapes.h"
#include "doc/json.h"
#include "os/clock.h"
#include "record/import.h"
#include "record/review_read.h"

#include <inttypes.h>
#include <stdlib.h>

struct journal_line {
	struct str text;
	bool is_needed; /* what the record says depends on it */
};

struct record_fold {
	struct journal_line *lines; /* as the file has them */
	size_t line_count, line_capacity;
	size_t journal_bytes;
	size_t *table; /* of latest, by key: its index + 1, or 0 */
	size_t table_size, latest_capacity;
	size_t *sources; /* of latest: its line + 1, or 0 */
	size_t source_capacity;
	size_t state_source;
	struct fix_line *report;
	size_t report_count, report_capacity;
	struct buf
		pending; /* lines that the next append writes first: of an import, or what the agent skipped */
};

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

static size_t *
slot_in_table(const struct record *r, const struct past_result *p, bool by_name)
{
	const struct record_fold *f = r->fold;
	size_t i = (size_t)key_of(p, by_name) & (f->table_size - 1);

	while (f->table[i] && !is_of_same_gate(&r->latest.items[f->table[i] - 1], p, by_name))
		i = (i + 1) & (f->table_size - 1);
	return &f->table[i];
}

static void
grow_table(struct record *r)
{
	struct record_fold *f = r->fold;

	f->table_size = f->table_size ? f->table_size * 2 : 64;
	f->table = arena_array(r->arena, f->table_size, size_t);
	for (size_t i = 0; i < r->latest.count; i++)
		*slot_in_table(r, &r->latest.items[i], has_name(&r->latest.items[i])) = i + 1;
}

/* The result of the same gate or slot that is there; NULL: there is none. One whose log did not name its gate is found by
 * its file name. */
static struct past_result *
find_latest(const struct record *r, const struct past_result *p)
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
		grow_table(r);
	arena_make_room(r->arena, f->sources, r->latest.count, &f->source_capacity);
	arena_make_room(r->arena, r->latest.items, r->latest.count, &f->latest_capacity);
	f->sources[r->latest.count] = 0;
	r->latest.items[r->latest.count++] = *p;
	*slot_in_table(r, p, has_name(p)) = r->latest.count;
	return &r->latest.items[r->latest.count - 1];
}

static void
set_source(struct record *r, size_t *source, size_t line, bool keeps_old)
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
	const struct finding *skipped = old->skipped;
	size_t count = old->skipped_count;

	if (has_name(p) && !has_name(old)) {
		*old = *p;
		r->fold->table_size /= 2; /* its key is another now */
		grow_table(r);
	} else {
		*old = *p;
	}
	/* What was skipped stays skipped for as long as the logs are kept. */
	if (p->skipped_count == 0) {
		old->skipped = skipped;
		old->skipped_count = count;
	}
}

/* A review for which there was nothing to look at passes without slots: that ends failures whose findings are lost, and
 * says nothing about others. */
static void
fold_empty_review(struct record *r, const struct past_result *p)
{
	for (size_t i = 0; i < r->latest.count; i++) {
		struct past_result *old = &r->latest.items[i];

		if (old->kind == GATE_REVIEW && past_is_failure(old) && old->finding_ids.count == 0 &&
		    str_eq(old->file_part, p->file_part))
			old->outcome = OUTCOME_ERROR;
	}
}

/* `line` is that of the journal, + 1; 0: it is not there yet, or is needed in any case. */
static void
fold_result(struct record *r, const struct past_result *p, size_t line)
{
	struct past_result *old = find_latest(r, p);

	r->result_count++;
	if (p->kind == GATE_REVIEW && p->slot == 0) {
		if (p->outcome == OUTCOME_PASS)
			fold_empty_review(r, p);
		return;
	}
	if (p->outcome == OUTCOME_ERROR && old && past_is_failure(old))
		return;
	/* A line about something that was skipped needs the line of the result that it belongs to. */
	bool keeps_old = old && old->skipped_count > 0;

	if (old)
		replace_latest(r, old, p);
	else
		old = add_latest(r, p);
	set_source(r, &r->fold->sources[old - r->latest.items], line, keeps_old);
}

static void
fold_clear(struct record *r, bool with_state)
{
	struct record_fold *f = r->fold;

	r->latest.count = 0;
	r->result_count = 0;
	f->report_count = 0;
	f->table_size = 0;
	for (size_t i = 0; i < f->line_count; i++)
		f->lines[i].is_needed = !with_state && i + 1 == f->state_source;
	if (with_state) {
		r->has_state = false;
		r->state = (struct execution_state){ .attempts = -1 };
		f->state_source = 0;
	}
}

static int
compare_str(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

size_t
past_failures(struct arena *a, const struct past_results *p)
{
	struct str *parts = arena_array(a, p->count, struct str);
	size_t count = 0, gates = 0;

	for (size_t i = 0; i < p->count; i++)
		if (past_is_failure(&p->items[i]))
			parts[count++] = p->items[i].file_part;
	if (count > 0)
		qsort(parts, count, sizeof(*parts), compare_str);
	/* The slots of a review are one gate. */
	for (size_t i = 0; i < count; i++)
		gates += i == 0 || !str_eq(parts[i], parts[i - 1]);
	return gates;
}

size_t
past_violations(const struct past_results *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += past_is_failure(&p->items[i]) ? p->items[i].violation_count : 0;
	return count;
}

size_t
past_skipped(const struct past_results *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += p->items[i].skipped_count;
	return count;
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

	arena_make_room(r->arena, f->report, f->report_count, &f->report_capacity);
	f->report[f->report_count++] = line;
}

static struct str
describe(struct arena *a, const struct past_result *p, struct str label, const struct finding *v)
{
	struct str at = v->line > 0 ? str_fmt(a, "%" PRId64, v->line) : STR("?");

	return strip_escapes_line(a, str_fmt(a, STR_FMT " (" STR_FMT ") - " STR_FMT ":" STR_FMT " " STR_FMT,
					     STR_ARG(p->file_part), STR_ARG(label), STR_ARG(v->file),
					     STR_ARG(at), STR_ARG(v->issue)));
}

static void
report_fixed(struct record *r, const struct past_result *p, struct str text)
{
	report(r, (struct fix_line){ .run = p->run, .text = text, .part = p->file_part, .slot = p->slot });
}

static void
report_skipped(struct record *r, const struct past_result *p, const struct finding *v)
{
	report(r, (struct fix_line){
			  .run = p->run,
			  .is_skip = true,
			  .text = describe(r->arena, p, p->adapter, v),
			  .reason = v->result.s ? strip_escapes_line(r->arena, v->result) : STR_NONE,
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
	qsort(order, f->report_count, sizeof(*order), compare_lines);
	ret->items = arena_array(r->arena, f->report_count, struct fix_line);
	for (size_t i = 0; i < f->report_count; i++) {
		ret->items[i] = *order[i];
		if (order[i]->is_skip)
			ret->skipped++;
		else
			ret->fixed++;
	}
}

static struct finding_list
all_findings(struct arena *a, const struct past_result *p)
{
	struct finding *all = arena_array(a, p->violation_count + p->skipped_count, struct finding);
	size_t count = 0;

	for (size_t i = 0; i < p->violation_count; i++)
		all[count++] = p->violations[i];
	for (size_t i = 0; i < p->skipped_count; i++)
		all[count++] = p->skipped[i];
	return (struct finding_list){ all, count };
}

/* What the newest result of a slot has fixed of what was open, as texts. A check has one failure, which a pass fixes. */
static struct str_list
find_fixed(struct record *r, const struct past_result *now)
{
	const struct past_result *old = find_latest(r, now);
	struct str_list fixed = { 0 };

	if (!old || !past_is_failure(old) || now->outcome == OUTCOME_ERROR || old->violation_count == 0)
		return fixed;
	fixed.items = arena_array(r->arena, old->violation_count, struct str);
	if (now->slot == 0) {
		if (now->outcome == OUTCOME_PASS)
			fixed.items[fixed.count++] = str_fmt(r->arena, STR_FMT " - %zu violations resolved",
							     STR_ARG(now->file_part), old->violation_count);
		return fixed;
	}
	struct finding_list before = { old->violations, old->violation_count };
	struct finding_list after = all_findings(r->arena, now);
	bool *is_paired = arena_array(r->arena, before.count, bool);
	struct str label = str_fmt(r->arena, "%" PRId64, now->slot);

	(void)findings_match(r->arena, after, before, is_paired);
	for (size_t i = 0; i < before.count; i++)
		if (!is_paired[i])
			fixed.items[fixed.count++] = describe(r->arena, now, label, &before.items[i]);
	return fixed;
}

/* ---- lines ---- */

static void
begin_line(struct record *r, struct buf *b, const char *event)
{
	buf_addc(b, '{');
	json_add_member(b, "time", clock_format_millis(r->arena, clock_real_us()));
	json_add_member(b, "event", str_from(event));
}

static void
add_text(struct buf *b, const char *key, struct str text)
{
	if (text.s)
		json_add_member(b, key, text);
}

static void
add_origin(struct buf *b, const struct past_result *p)
{
	json_add_member_int(b, "run", p->run);
	json_add_member(b, "kind", gate_kind_name(p->kind));
	add_text(b, "gate", p->name);
	add_text(b, "place", p->place);
	json_add_member(b, "part", p->file_part);
	json_add_member_int(b, "slot", p->slot);
	add_text(b, "reviewer", p->adapter);
}

static void
add_result_line(struct record *r, struct buf *b, const struct new_result *n, struct str_list fixed)
{
	const struct past_result *p = &n->result;

	begin_line(r, b, "result");
	add_origin(b, p);
	add_text(b, "job", n->job);
	json_add_member(b, "outcome", gate_outcome_name(p->outcome));
	if (p->outcome == OUTCOME_PASS && p->pass_run > 0 && p->pass_run != p->run)
		json_add_member_int(b, "passed_in", p->pass_run);
	add_text(b, "key", n->key);
	json_add_member_int(b, "ms", n->elapsed_ms);
	add_text(b, "session", n->session);
	add_text(b, "log", p->log);
	add_text(b, "file", p->file);
	if (p->finding_ids.count > 0) {
		json_add_key(b, "findings");
		json_add_strings(b, p->finding_ids.items, p->finding_ids.count);
	}
	if (fixed.count > 0) {
		json_add_key(b, "fixed");
		json_add_strings(b, fixed.items, fixed.count);
	}
	buf_add(b, STR("}\n"));
}

static void
add_skip_line(struct record *r, struct buf *b, const struct past_result *p, const struct finding *v)
{
	begin_line(r, b, "skip");
	add_origin(b, p);
	add_text(b, "file", v->file);
	json_add_member_int(b, "line", v->line);
	add_text(b, "issue", v->issue);
	add_text(b, "fix", v->fix);
	add_text(b, "priority", v->priority);
	add_text(b, "reason", v->result);
	buf_add(b, STR("}\n"));
}

/* A text of the line that is being read. */
static struct str
keep(struct record *r, struct str text)
{
	return str_keep(r->arena, text, r->fold->lines[r->fold->line_count - 1].text);
}

static struct str
get_text(struct record *r, const struct node *n, const char *key)
{
	return keep(r, node_get_str(n, key));
}

static int64_t
get_int(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT && value->integer >= 0 ? value->integer : 0;
}

static struct str_list
get_list(struct record *r, const struct node *n, const char *key)
{
	const struct node *list = node_get(n, key);
	struct str_list l = { 0 };

	if (!list || list->kind != NODE_LIST)
		return l;
	l.items = arena_array(r->arena, list->count, struct str);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == NODE_STRING)
			l.items[l.count++] = keep(r, list->items[i].text);
	return l;
}

/* False: the line does not say what a result must say. */
static bool
origin_of(struct record *r, const struct node *n, struct past_result *ret)
{
	*ret = (struct past_result){
		.kind = str_is(node_get_str(n, "kind"), "review") ? GATE_REVIEW : GATE_CHECK,
		.name = get_text(r, n, "gate"),
		.place = get_text(r, n, "place"),
		.file_part = get_text(r, n, "part"),
		.slot = get_int(n, "slot"),
		.adapter = get_text(r, n, "reviewer"),
		.run = get_int(n, "run"),
	};
	return ret->file_part.s != NULL;
}

static void
read_result(struct record *r, const struct node *n, size_t line)
{
	static const struct {
		const char *name;
		enum gate_outcome outcome;
	} rows[] = { { "pass", OUTCOME_PASS }, { "fail", OUTCOME_FAIL }, { "error", OUTCOME_ERROR } };
	struct str outcome = node_get_str(n, "outcome");
	struct past_result p;
	size_t i = 0;

	while (i < COUNT_OF(rows) && !str_is(outcome, rows[i].name))
		i++;
	if (i == COUNT_OF(rows) || !origin_of(r, n, &p))
		return;
	p.outcome = rows[i].outcome;
	p.log = get_text(r, n, "log");
	p.file = get_text(r, n, "file");
	p.finding_ids = get_list(r, n, "findings");
	if (p.outcome == OUTCOME_PASS) {
		p.pass_run = get_int(n, "passed_in");
		p.pass_run = p.pass_run ? p.pass_run : p.run;
	}
	struct str_list fixed = get_list(r, n, "fixed");

	for (i = 0; i < fixed.count; i++)
		report_fixed(r, &p, fixed.items[i]);
	/* What was fixed is reported for as long as the logs are kept, so such a line stays. */
	fold_result(r, &p, fixed.count > 0 ? 0 : line);
	if (fixed.count > 0)
		r->fold->lines[line - 1].is_needed = true;
}

static void
add_skipped(struct record *r, struct past_result *p, const struct finding *v)
{
	struct finding *all = arena_array(r->arena, p->skipped_count + 1, struct finding);

	for (size_t i = 0; i < p->skipped_count; i++)
		all[i] = p->skipped[i];
	all[p->skipped_count++] = *v;
	p->skipped = all;
}

static void
read_skip(struct record *r, const struct node *n, size_t line)
{
	struct past_result p, *of;
	struct finding v = {
		.file = get_text(r, n, "file"),
		.line = get_int(n, "line"),
		.issue = get_text(r, n, "issue"),
		.fix = get_text(r, n, "fix"),
		.priority = get_text(r, n, "priority"),
		.status = FINDING_SKIPPED,
		.result = get_text(r, n, "reason"),
	};

	if (!origin_of(r, n, &p) || !(of = find_latest(r, &p)))
		return;
	add_skipped(r, of, &v);
	report_skipped(r, &p, &v);
	r->fold->lines[line - 1].is_needed = true;
}

static void
read_run(struct record *r, const struct node *n, size_t line)
{
	const struct node *document = node_get(n, "state");
	struct node *copy = arena_new(r->arena, struct node);

	if (!document)
		return;
	*copy = node_copy(r->arena, document);
	if (!state_from_node(r->arena, copy, &r->state))
		return;
	r->has_state = true;
	set_source(r, &r->fold->state_source, line, false);
}

static void
read_line(struct record *r, struct arena *scratch, struct str text)
{
	struct record_fold *f = r->fold;
	struct node n;
	struct err ignored;

	arena_make_room(r->arena, f->lines, f->line_count, &f->line_capacity);
	f->lines[f->line_count++] = (struct journal_line){ .text = text };
	if (json_parse_in_place(scratch, text, &n, &ignored) < 0)
		return;
	struct str event = node_get_str(&n, "event");

	if (str_is(event, "result"))
		read_result(r, &n, f->line_count);
	else if (str_is(event, "skip"))
		read_skip(r, &n, f->line_count);
	else if (str_is(event, "run"))
		read_run(r, &n, f->line_count);
	else if (str_is(event, "clean"))
		fold_clear(r, node_get_bool(&n, "state"));
}

/* ---- loading ---- */

static void
begin_journal(struct record *r, struct str root)
{
	struct buf *b = &r->fold->pending;

	begin_line(r, b, "project");
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
	struct finding_list all = all_findings(a, p);

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
	const size_t *match = findings_match(r->arena, now, old, NULL);

	for (size_t i = 0; i < now.count; i++) {
		if (match[i] != FINDING_NONE)
			continue;
		add_skip_line(r, &r->fold->pending, p, &now.items[i]);
		report_skipped(r, p, &now.items[i]);
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
	const struct past_result *found = find_latest(r, p);
	struct past_result before = found ? *found : (struct past_result){ 0 };

	/* A file that was broken says nothing about what the run before found. */
	if (p->file_error.s && p->is_incomplete && found && past_is_failure(found)) {
		p->violations = before.violations;
		p->violation_count = before.violation_count;
	}
	struct str_list fixed = find_fixed(r, p);

	for (size_t i = 0; i < fixed.count; i++)
		report_fixed(r, p, fixed.items[i]);
	add_result_line(r, &r->fold->pending, &n, fixed);
	fold_result(r, p, 0);
	note_skipped(r, &before, p);
}

static void
import_failure(void *context, const struct past_result *p)
{
	const struct past_result *known = find_latest(context, p);

	if (!known || !past_is_failure(known))
		import_result(context, p);
}

static void
import(struct record *r)
{
	import_logs(r->arena, &r->logs, &r->listing, import_result, r);
	r->has_state = state_read(r->arena, &r->logs, &r->state);
	if (!r->has_state) {
		r->state = (struct execution_state){ .attempts = -1 };
		return;
	}
	import_failures(r->arena, &r->state, import_failure, r);
	struct buf *b = &r->fold->pending;
	struct node state = state_node(r->arena, &r->state);

	begin_line(r, b, "run");
	json_add_key(b, "state");
	json_add_node(b, &state);
	buf_add(b, STR("}\n"));
}

int
record_load(struct record *r, struct arena *a, struct str root, const struct logdir *d, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str text, line;

	*r = (struct record){
		.arena = a,
		.logs = *d,
		.journal = journal_of(a, root, d),
		.state = { .attempts = -1 },
		.fold = arena_new(a, struct record_fold),
	};
	r->fold->pending = BUF(a, SIZE_MAX);
	logdir_list(a, d, &r->listing);
	if (journal_read(a, &r->journal, &text, err) < 0)
		return -1;
	if (!text.s) {
		begin_journal(r, root);
		import(r);
		return 0;
	}
	r->fold->journal_bytes = text.n;
	while (str_next(&text, '\n', &line)) {
		struct arena_mark mark = arena_mark(&scratch);

		read_line(r, &scratch, line);
		arena_reset(&scratch, mark);
	}
	return 0;
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

static void
read_slot(struct record *r, struct past_result *p)
{
	struct slot_files files = {
		.logs = &r->logs,
		.file = p->file,
		.log = p->log,
		.part = p->file_part,
		.finding_ids = &p->finding_ids,
	};
	struct past_result before = *p;
	struct slot_read read;

	slot_read(r->arena, &files, &read);
	past_take_findings(r->arena, p, &read);
	note_skipped(r, &before, p);
}

void
record_read_findings(struct record *r)
{
	for (size_t i = 0; i < r->latest.count; i++) {
		struct past_result *p = &r->latest.items[i];

		if (!past_is_failure(p) || p->is_read)
			continue;
		p->is_read = true;
		if (p->slot > 0 && p->finding_ids.count > 0) {
			read_slot(r, p);
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
	struct str_list fixed = find_fixed(r, &all.result);

	set_finding_ids(r->arena, &all.result);
	all.result.is_read = true;
	if (all.result.kind == GATE_CHECK && past_is_failure(&all.result))
		set_failed_check(&all.result);
	for (size_t i = 0; i < fixed.count; i++)
		report_fixed(r, &all.result, fixed.items[i]);
	add_result_line(r, &line, &all, fixed);
	fold_result(r, &all.result, 0);
	return append_lines(r, buf_str(&line), err);
}

int
record_add_state(struct record *r, const struct execution_state *s, struct err *err)
{
	struct buf *b = &r->fold->pending;
	struct node state = state_node(r->arena, s);

	begin_line(r, b, "run");
	json_add_key(b, "state");
	json_add_node(b, &state);
	buf_add(b, STR("}\n"));
	return append(r, err) < 0 ? -1 : state_write(r->arena, &r->logs, s, err);
}

int
record_clear(struct record *r, bool with_state, bool is_dry, struct err *err)
{
	struct buf *b = &r->fold->pending;
	size_t moved;

	fold_clear(r, with_state);
	if (is_dry)
		return 0;
	if (logdir_archive(r->arena, &r->logs, with_state, &moved, err) < 0)
		return -1;
	begin_line(r, b, "clean");
	json_add_member_bool(b, "state", with_state);
	buf_add(b, STR("}\n"));
	r->listing.last_run = 0;
	r->listing.runs = r->listing.gate_runs = 0;
	r->listing.has_gate_logs = false;
	return append(r, err);
}

void
record_compact(struct record *r)
{
	struct record_fold *f = r->fold;
	struct buf b = BUF(r->arena, SIZE_MAX);
	struct err ignored;

	if (f->journal_bytes < JOURNAL_COMPACT_BYTES)
		return;
	for (size_t i = 0; i < f->line_count; i++) {
		if (i > 0 && !f->lines[i].is_needed)
			continue;
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
