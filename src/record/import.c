/* SPDX-License-Identifier: MIT */
/* Reads logs back. Of a check's log only the end is read, and the beginning, which names the gate: what lies between may
 * be large and says nothing about the outcome. */
#include "record/import.h"

#include "base/path.h"
#include "os/fd.h"
#include "os/fs.h"
#include "record/gatelog.h"
#include "model/logname.h"
#include "record/review_read.h"

#include <stdlib.h>

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
	if (count > 0)
		qsort(sets, count, sizeof(*sets), compare_sets);
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

static enum log_end
read_check(struct arena *a, const char *path)
{
	enum log_end end = LOG_END_UNKNOWN;
	bool is_cut = true;

	for (size_t i = 0; i < COUNT_OF(windows) && is_cut && end == LOG_END_UNKNOWN; i++) {
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
	CLEANUP(fd_close) int fd = -1;
	struct str line;
	struct err ignored;
	size_t n = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return;
	char bytes[HEAD_BYTES];

	if (fd_read_at(fd, 0, bytes, sizeof(bytes), &n, &ignored) < 0)
		return;
	struct str rest = { bytes, n };

	while (str_next(&rest, '\n', &line) && !(r->name.s && r->place.s)) {
		struct str entry = gatelog_entry_text(line), inner = gatelog_entry_text(entry);

		entry = inner.s ? inner : entry; /* the first entry has its own time */
		for (size_t i = 0; i < COUNT_OF(starts); i++) {
			struct str start = str_from(starts[i]), *to = i < 2 ? &r->name : &r->place;

			if (str_starts(entry, start) && !to->s)
				*to = str_copy(a, str_sub(entry, start.n, entry.n));
		}
	}
}

static enum log_end
read_set(struct arena *a, const struct logdir *d, const struct log_set *s, struct past_result *r)
{
	struct slot_files files = { .logs = d, .file = s->file, .log = s->log, .part = r->file_part };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf buffer = SLOT_BUFFER(&scratch);
	struct slot_read read;

	if (r->slot == 0)
		return s->log.s ? read_check(&scratch, path_join(&scratch, d->path, s->log).s)
				: LOG_END_UNKNOWN;
	slot_read(a, &buffer, &files, &read);
	if (read.adapter.s)
		r->adapter = read.adapter;
	r->pass_run = read.pass_run;
	past_take_findings(a, r, &read);
	return read.end;
}

void
import_logs(struct arena *a, const struct logdir *d, const struct log_listing *listing,
	    void (*add)(void *context, const struct past_result *r), void *context)
{
	CLEANUP(arena_free) struct arena of_sets = { 0 };
	struct log_set *sets = arena_array(&of_sets, listing->count, struct log_set);
	size_t count = list_sets(listing, sets);

	for (size_t i = 0; i < count; i++) {
		const struct log_set *s = &sets[i];
		struct log_name name = name_of(s);
		struct past_result r = {
			.kind = name.slot > 0 || str_starts(name.part, STR("review_")) ? GATE_REVIEW
										       : GATE_CHECK,
			.file_part = name.part,
			.slot = name.slot,
			.adapter = name.adapter,
			.run = name.run < 0 ? 0 : name.run,
			.file = s->file,
			.log = s->log,
		};
		enum log_end end = read_set(a, d, s, &r);

		if (end == LOG_END_UNKNOWN)
			continue;
		r.outcome = end == LOG_END_PASS   ? OUTCOME_PASS
			    : end == LOG_END_FAIL ? OUTCOME_FAIL
						  : OUTCOME_ERROR;
		if (r.outcome == OUTCOME_PASS && r.pass_run == 0)
			r.pass_run = r.run;
		CLEANUP(arena_free) struct arena scratch = { 0 };

		if (s->log.s)
			read_origin(a, path_join(&scratch, d->path, s->log).s, &r);
		add(context, &r);
	}
}

void
import_failures(const struct execution_state *s, void (*add)(void *context, const struct past_result *r),
		void *context)
{
	const struct node *list = node_get(s->document, "failed");

	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++) {
		const struct node *row = &list->items[i], *slot = node_get(row, "slot");
		struct past_result r = {
			.outcome = OUTCOME_FAIL,
			.file_part = node_get_str(row, "part"),
			.name = node_get_str(row, "gate"),
			.place = node_get_str(row, "place"),
			.slot = slot && slot->kind == NODE_INT ? slot->integer : 0,
		};

		r.kind = str_starts(r.file_part, STR("review_")) ? GATE_REVIEW : GATE_CHECK;
		if (r.file_part.s && r.name.s && r.place.s && r.slot >= 0)
			add(context, &r);
	}
}
