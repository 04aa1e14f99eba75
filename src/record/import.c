/* SPDX-License-Identifier: MIT */
/* The one reader of old logs: turns a log directory without a journal, as the original and older versions leave it, into
 * results. Of a check's log only the end is read, and the beginning, which names the gate: what lies between may
 * be large and says nothing about the outcome. */
#include "record/fold.h"

#include "model/gate_definition.h"
#include "model/logname.h"

/* The logs of one gate, or slot, in one run. There may be a hundred thousand, so what their names say is not kept. */
struct log_set {
	struct str log, file; /* names; absent: there is none */
};

static struct log_name
name_of(const struct log_set *s)
{
	struct log_name name = { 0 };

	(void)log_name_parse(s->log.s ? s->log : s->file, &name);
	return name;
}

static int
compare_sets(const void *left, const void *right)
{
	struct log_name x = name_of(left), y = name_of(right);
	int order = str_cmp(x.part, y.part);

	if (order == 0)
		order = (x.slot > y.slot) - (x.slot < y.slot);
	return order ? order : (x.run > y.run) - (x.run < y.run);
}

static size_t
list_sets(const struct log_listing *listing, struct log_set *sets)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < listing->count; i++) {
		struct log_set s = { 0 };
		struct log_name name;

		if (!log_name_parse(listing->names[i], &name) || name.is_console)
			continue;
		*(name.is_json ? &s.file : &s.log) = listing->names[i];
		sets[count++] = s;
	}
	sort(sets, count, compare_sets);
	for (size_t i = 0; i < count; i++) {
		struct log_set *last = kept > 0 ? &sets[kept - 1] : NULL;

		if (last && compare_sets(last, &sets[i]) == 0)
			*(sets[i].file.s ? &last->file : &last->log) = sets[i].file.s ? sets[i].file
										      : sets[i].log;
		else
			sets[kept++] = sets[i];
	}
	return kept;
}

/* Bytes of the end: most logs end in the first, long instructions may follow the result. */
static const size_t windows[] = { KIB(4), KIB(64), MIB(1) };

static enum gate_outcome
read_check(struct arena *a, const char *path)
{
	enum gate_outcome end = OUTCOME_WAITING;
	bool is_cut = true;

	for (size_t i = 0; i < COUNT_OF(windows) && is_cut && end == OUTCOME_WAITING; i++) {
		struct arena_mark mark = arena_mark(a);

		is_cut = false;
		struct str text = log_read_tail(a, path, windows[i], &is_cut);

		/* A log of ours and of agent-gauntlet's consists of entries that begin with a time. */
		end = log_last_result(text, is_cut || str_starts(text, STR("[")));
		arena_reset(a, mark);
	}
	return end;
}

#define HEAD_BYTES KIB(16)

/* The gate and the place that the beginning of a log names; absent: it does not. */
static void
read_origin(struct arena *a, const char *path, struct past_result *r)
{
	static const char *const starts[] = { "Starting check: ", "Starting review: ", "Working directory: ",
					      "Entry point: " };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str rest = log_read_head(&scratch, path, HEAD_BYTES), line;

	while (str_next(&rest, '\n', &line) && !(r->name.s && r->place.s)) {
		struct str entry = gatelog_entry_text(line), inner = gatelog_entry_text(entry);

		entry = inner.s ? inner : entry; /* the first entry has its own time */
		for (size_t i = 0; i < COUNT_OF(starts); i++) {
			struct str start = str_from(starts[i]), *to = i < 2 ? &r->name : &r->place;

			if (str_starts(entry, start) && !to->s)
				*to = str_copy(a, str_rest(entry, start.n));
		}
	}
}

void
import_logs(struct record *record)
{
	CLEANUP(arena_free) struct arena of_sets = { 0 };
	struct arena *a = record->arena;
	const struct logdir *d = &record->logs;
	struct log_set *sets = arena_array(&of_sets, record->listing.count, struct log_set);
	size_t count = list_sets(&record->listing, sets);

	for_each (s, sets, count) {
		struct log_name name = name_of(s);
		struct past_result r = {
			.kind = name.slot > 0 || str_starts(name.part, STR("review_")) ? GATE_REVIEW
										       : GATE_CHECK,
			.file_part = name.part,
			.slot = name.slot,
			.adapter = name.adapter,
			.run = name.run < 0 ? 0 : name.run,
			.definition = STR(DEFINITION_IMPORTED),
			.file = s->file,
			.log = s->log,
		};
		CLEANUP(arena_free) struct arena scratch = { 0 };
		const char *log = s->log.s ? path_join(&scratch, d->path, s->log).s : NULL;

		if (r.slot > 0) {
			struct slot_read read;

			slot_read(a, d, &r, &read);
			r.outcome = read.end;
			r.adapter = read.adapter.s ? read.adapter : r.adapter;
			r.pass_run = read.pass_run;
			past_take_findings(a, &r, &read);
		} else if (log) {
			r.outcome = read_check(&scratch, log);
		}
		if (r.outcome == OUTCOME_WAITING)
			continue;
		if (r.outcome == OUTCOME_PASS && r.pass_run == 0)
			r.pass_run = r.run;
		if (log)
			read_origin(a, log, &r);
		record_import(record, &r);
	}
}

void
import_failures(struct record *record)
{
	const struct node *list = node_get_list(record->state.document, "failed");

	for_each (row, list->items, list->count) {
		struct past_result r = {
			.outcome = OUTCOME_FAIL,
			.file_part = node_get_str(row, "part"),
			.name = node_get_str(row, "gate"),
			.place = node_get_str(row, "place"),
			.slot = node_get_count(row, "slot", INT64_MAX),
		};

		r.kind = str_starts(r.file_part, STR("review_")) ? GATE_REVIEW : GATE_CHECK;
		if (!r.file_part.s || !r.name.s || !r.place.s)
			continue;
		const struct past_result *known = fold_find(record, &r);

		if (!known || !past_is_failure(known))
			record_import(record, &r);
	}
}
