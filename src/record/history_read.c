/* SPDX-License-Identifier: MIT */
/* Reads the logs of checks, and knows which logs there are. Of a log only its end is read, and of one that tells of a
 * failure its beginning: what lies between may be large and says nothing about the outcome. */
#include "record/history_read.h"

#include "record/gatelog.h"
#include "record/history_review.h"
#include "os/fd.h"
#include "os/fs.h"

#include <stdlib.h>

/* ---- which logs there are ---- */

struct found {
	struct log_name parsed;
	struct str name;
};

static int
compare_found(const void *left, const void *right)
{
	const struct log_name *x = &((const struct found *)left)->parsed,
			      *y = &((const struct found *)right)->parsed;
	int order = str_cmp(x->part, y->part);

	if (order == 0)
		order = (x->slot > y->slot) - (x->slot < y->slot);
	return order ? order : (x->run > y->run) - (x->run < y->run);
}

bool
log_sets_meet(const struct log_set *x, const struct log_set *y)
{
	return x->slot == y->slot && str_eq(x->part, y->part);
}

static void
add_to_sets(struct log_sets *sets, const struct found *f)
{
	struct log_set *last = sets->count ? &sets->items[sets->count - 1] : NULL;
	struct log_set fresh = { f->parsed.part, f->parsed.slot, f->parsed.run, f->parsed.adapter,
				 .log = STR_NONE };

	if (!last || last->run != fresh.run || !log_sets_meet(last, &fresh)) {
		last = &sets->items[sets->count++];
		*last = fresh;
	}
	if (f->parsed.is_json)
		last->json = f->name;
	else
		last->log = f->name;
}

/* A name that was cut may be that of any gate. */
static bool
may_be_of(const struct found *f, struct str gate)
{
	return !gate.s || f->parsed.part.n >= LOG_PART_MAX || str_find(f->name, gate) >= 0;
}

void
log_sets_list(struct arena *a, const struct logdir *d, struct str gate, struct log_sets *ret)
{
	struct fs_names names = { 0 };
	struct err ignored;

	*ret = (struct log_sets){ 0 };
	if (fs_list(a, d->path.s, LOG_FILES_LIMIT, &names, &ignored) < 0)
		return;
	struct found *found = arena_array(a, names.count, struct found);
	int64_t *runs = arena_array(a, names.count, int64_t);
	size_t count = 0, numbered = 0;

	for (size_t i = 0; i < names.count; i++) {
		struct found f = { .name = names.items[i] };

		if (!log_name_parse(f.name, &f.parsed))
			continue;
		if (f.parsed.run > 0)
			runs[numbered++] = f.parsed.run;
		if (!f.parsed.is_console && may_be_of(&f, gate))
			found[count++] = f;
	}
	if (count > 0)
		qsort(found, count, sizeof(*found), compare_found);
	ret->items = arena_array(a, count, struct log_set);
	for (size_t i = 0; i < count; i++)
		add_to_sets(ret, &found[i]);
	ret->runs = log_count_runs(runs, numbered);
}

/* ---- what a check's log says ---- */

/* Bytes of the end: most logs end in the first, long instructions may be behind the result. */
static const size_t windows[] = { KIB(4), KIB(64), MIB(1) };

#define HEAD_BYTES KIB(16)

static enum log_outcome
outcome_of(struct str entry)
{
	static const struct {
		const char *start;
		enum log_outcome outcome;
	} rows[] = {
		{ "Result: pass", LOG_PASS },
		{ "Result: fail", LOG_FAIL },
		{ "Result: error", LOG_ERROR },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (str_starts(entry, str_from(rows[i].start)))
			return rows[i].outcome;
	return LOG_NOTHING;
}

/* The last result in the text; of a log that was not written entry by entry, any line may be one. */
static enum log_outcome
last_outcome(struct str text, bool has_entries)
{
	enum log_outcome last = LOG_NOTHING;
	bool has_command_failed = false;
	struct str line;

	while (str_next(&text, '\n', &line)) {
		enum log_outcome o = outcome_of(has_entries ? gatelog_entry_text(line) : line);

		if (o != LOG_NOTHING)
			last = o;
		if (str_starts(line, STR("Command failed:")))
			has_command_failed = true;
	}
	return last == LOG_NOTHING && has_command_failed ? LOG_FAIL : last;
}

enum log_outcome
log_read_outcome(struct arena *a, const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	enum log_outcome outcome = LOG_NOTHING;
	struct err ignored;
	char first = 0;
	size_t n = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0 ||
	    fd_read_at(fd, 0, &first, 1, &n, &ignored) < 0)
		return LOG_NOTHING;
	uint64_t size = fs_size(fd);

	for (size_t i = 0; i < COUNT_OF(windows) && outcome == LOG_NOTHING; i++) {
		struct arena_mark mark = arena_mark(a);
		uint64_t from = size > windows[i] ? size - windows[i] : 0;
		char *bytes = arena_bytes(a, windows[i]);

		if (fd_read_at(fd, from, bytes, windows[i], &n, &ignored) < 0)
			n = 0;
		outcome = last_outcome((struct str){ bytes, n }, first == '[');
		arena_reset(a, mark);
		if (from == 0)
			break;
	}
	return outcome;
}

static void
read_check(struct arena *a, struct log_result *r)
{
	r->outcome = log_read_outcome(a, r->path.s);
	if (r->outcome != LOG_FAIL)
		return;
	r->violations = arena_new(a, struct finding);
	r->violations[0] = (struct finding){ .file = STR("check"),
					     .issue = STR("Check failed"),
					     .status = FINDING_NEW };
	r->violation_count = 1;
}

void
log_read(struct arena *a, const struct logdir *d, const struct log_set *s, struct log_result *ret)
{
	*ret = (struct log_result){ .adapter = s->adapter };
	if (s->slot > 0) {
		review_read(a, d, s, ret);
	} else if (s->log.s) {
		ret->path = fs_join(a, d->path, s->log);
		read_check(a, ret);
	}
	if (ret->outcome == LOG_PASS && ret->pass_run == 0)
		ret->pass_run = s->run;
}

void
log_read_origin(struct arena *a, const char *path, struct str *ret_name, struct str *ret_place)
{
	CLEANUP(fd_close) int fd = -1;
	struct str line;
	struct err ignored;
	size_t n = 0;

	*ret_name = *ret_place = STR_NONE;
	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return;
	char *bytes = arena_bytes(a, HEAD_BYTES);

	if (fd_read_at(fd, 0, bytes, HEAD_BYTES, &n, &ignored) < 0)
		return;
	struct str rest = { bytes, n };

	while (str_next(&rest, '\n', &line)) {
		static const char *const starts[] = { "Starting check: ", "Starting review: ",
						      "Working directory: ", "Entry point: " };
		struct str entry = gatelog_entry_text(line), inner = gatelog_entry_text(entry);

		entry = inner.s ? inner : entry; /* the first entry has its own time */
		for (size_t i = 0; i < COUNT_OF(starts); i++) {
			struct str start = str_from(starts[i]), *to = i < 2 ? ret_name : ret_place;

			if (str_starts(entry, start) && !to->s)
				*to = str_copy(a, str_sub(entry, start.n, entry.n));
		}
		if (ret_name->s && ret_place->s)
			return;
	}
}
