/* SPDX-License-Identifier: MIT */
/* The plan: the entry points that the changes reach, and the gates of each. Pure: the facts answer whether a path is a
 * directory. */
#include "gates/plan.h"

#include "base/path.h"
#include "model/logname.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

#define NAMES_ROOM 64

static void
names_add(struct arena *a, struct plan_names *n, struct str name)
{
	if (n->count == n->room) {
		size_t room = n->room ? 2 * n->room : NAMES_ROOM;
		struct strset larger = strset_new(a, room);

		for (size_t i = 0; n->room && i <= n->set.mask; i++)
			if (n->set.slots[i].s)
				(void)strset_add(&larger, n->set.slots[i]);
		n->set = larger;
		n->room = room;
	}
	n->count += strset_add(&n->set, name);
}

static bool
names_has(const struct plan_names *n, struct str name)
{
	return n->room && strset_has(&n->set, name);
}

/* Both kinds of gates begin with their name. Of two with one name, the first in the configuration is found. */
static int
compare_gates(const void *x, const void *y)
{
	const struct str *const *l = x, *const *r = y;
	int order = str_cmp(**l, **r);

	return order != 0 ? order : (*l > *r) - (*l < *r);
}

_Static_assert(offsetof(struct check_gate, name) == 0 && offsetof(struct review_gate, name) == 0,
	       "find_gate() takes a gate for its name");

static const void *
find_gate(const void *const *gates, size_t count, struct str name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(*(const struct str *)gates[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && str_eq(*(const struct str *)gates[low], name) ? gates[low] : NULL;
}

static const struct check_gate *
find_check(const struct plan_builder *b, struct str name)
{
	return find_gate((const void *const *)b->checks, b->facts->config->check_count, name);
}

static const struct review_gate *
find_review(const struct plan_builder *b, struct str name)
{
	return find_gate((const void *const *)b->reviews, b->facts->config->review_count, name);
}

struct plan_builder
plan_builder(struct arena *a, const struct plan_facts *f, const struct job_list *jobs)
{
	const struct gates_config *c = f->config;
	struct plan_builder b = {
		.arena = a,
		.facts = f,
		.jobs = *jobs,
		.capacity = jobs->count,
		.checks = arena_array(a, c->check_count, const struct check_gate *),
		.reviews = arena_array(a, c->review_count, const struct review_gate *),
	};

	for (size_t i = 0; i < c->check_count; i++)
		b.checks[i] = &c->checks[i];
	for (size_t i = 0; i < c->review_count; i++)
		b.reviews[i] = &c->reviews[i];
	if (c->check_count > 1)
		qsort(b.checks, c->check_count, sizeof(*b.checks), compare_gates);
	if (c->review_count > 1)
		qsort(b.reviews, c->review_count, sizeof(*b.reviews), compare_gates);
	for (size_t i = 0; i < jobs->count; i++) {
		names_add(a, &b.ids, jobs->items[i].id);
		names_add(a, &b.parts, jobs->items[i].file_part);
	}
	return b;
}

bool
plan_has_id(const struct plan_builder *b, struct str id)
{
	return names_has(&b->ids, id);
}

bool
plan_has_part(const struct plan_builder *b, struct str file_part)
{
	return names_has(&b->parts, file_part);
}

/* ---- reaching ---- */

struct plan_reach
plan_reach_of(struct arena *a, struct str path)
{
	struct plan_reach r = { .path = path_tidy(path) };

	r.is_pattern = pathglob_is_pattern(r.path);
	if (r.is_pattern)
		r.glob = pathglob_compile(a, r.path);
	return r;
}

bool
plan_reaches(const struct plan_reach *r, struct str file)
{
	if (str_is(r->path, "."))
		return true;
	return r->is_pattern ? pathglob_matches(&r->glob, file) : path_is_at_or_below(file, r->path);
}

/* The first of the sorted files from which on none is before the prefix, or, with is_after, before what begins with it. */
static size_t
bound(const struct str *files, size_t count, struct str prefix, bool is_after)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct str head = str_sub(files[middle], 0, prefix.n);
		int order = str_cmp(head, prefix);

		if (order < 0 || (is_after && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct plan_range
plan_range_of(const struct plan_reach *r, const struct str *files, size_t count)
{
	struct str prefix = r->is_pattern ? r->glob.prefix : r->path;

	if (str_is(r->path, "."))
		prefix = STR("");
	return (struct plan_range){ bound(files, count, prefix, false), bound(files, count, prefix, true) };
}

/* ---- an entry point ---- */

/* An entry point in the form in which it is asked about many files. */
struct entry {
	const struct entry_point *point;
	struct plan_reach reach;
	struct plan_reach *exclude;
	struct gate_patterns *gates; /* of holdfast.yml: what each of its gates is for */
	size_t gate_count;
};

static struct entry
entry_of(struct plan_builder *b, const struct entry_point *e)
{
	struct arena *a = b->arena;
	struct entry x = { .point = e, .reach = plan_reach_of(a, e->path) };

	x.exclude = arena_array(a, e->exclude.count, struct plan_reach);
	for (size_t i = 0; i < e->exclude.count; i++)
		x.exclude[i] = plan_reach_of(a, e->exclude.items[i]);
	if (!b->facts->config->is_native)
		return x;
	x.gates = arena_array(a, e->checks.count + e->reviews.count, struct gate_patterns);
	for (size_t i = 0; i < e->checks.count; i++) {
		const struct check_gate *g = find_check(b, e->checks.items[i]);

		if (g)
			x.gates[x.gate_count++] = gate_patterns_of(a, &g->files);
	}
	for (size_t i = 0; i < e->reviews.count; i++) {
		const struct review_gate *g = find_review(b, e->reviews.items[i]);

		if (g)
			x.gates[x.gate_count++] = gate_patterns_of(a, &g->files);
	}
	return x;
}

static bool
is_excluded(const struct entry *e, struct str file)
{
	for (size_t i = 0; i < e->point->exclude.count; i++) {
		const struct plan_reach *x = &e->exclude[i];

		if (x->is_pattern ? pathglob_matches(&x->glob, file) : path_is_at_or_below(file, x->path))
			return true;
	}
	return false;
}

/* Does the entry point have a gate for the file? */
static bool
has_gate_for(const struct entry *e, struct str file)
{
	for (size_t i = 0; i < e->gate_count; i++)
		if (gate_patterns_have(&e->gates[i], file))
			return true;
	return false;
}

static bool
is_for(const struct plan_builder *b, const struct entry *e, struct str file)
{
	return !is_excluded(e, file) &&
	       (!b->facts->config->is_native || b->facts->is_all || has_gate_for(e, file));
}

/* ---- jobs ---- */

#define ASKED_FOR "asked for, whatever has changed"

static bool
is_wanted(const struct plan_facts *f, bool in_ci, bool locally, struct str name)
{
	return (f->is_ci ? in_ci : locally) &&
	       (f->gates.count == 0 || str_is_among(name, f->gates.items, f->gates.count));
}

struct str
plan_file_part(struct arena *a, struct str id)
{
	char *s = arena_bytes(a, id.n + 1);
	uint32_t sum = 2166136261; /* FNV-1a */

	for (size_t i = 0; i < id.n; i++) {
		char c = id.s[i];
		bool is_kept = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			       (c != '\0' && strchr("._-", c));

		s[i] = is_kept ? c : '_';
		sum = (sum ^ (unsigned char)c) * 16777619;
	}
	s[id.n] = '\0';
	if (id.n <= LOG_PART_MAX)
		return (struct str){ s, id.n };
	return str_fmt(a, "%.*s_%08x", LOG_PART_MAX - 9, s, (unsigned)sum);
}

static void
add_job(struct plan_builder *b, struct job job)
{
	struct arena *a = b->arena;

	if (names_has(&b->ids, job.id))
		return;
	arena_make_room(a, b->jobs.items, b->jobs.count, &b->capacity);
	struct str part = plan_file_part(a, job.id);

	/* Two ids may give the same file name: the second gets a number. */
	job.file_part = part;
	for (size_t n = 2; names_has(&b->parts, job.file_part); n++)
		job.file_part = str_fmt(a, STR_FMT "_%zu", STR_ARG(part), n);
	b->jobs.items[b->jobs.count++] = job;
	names_add(a, &b->ids, job.id);
	names_add(a, &b->parts, job.file_part);
}

struct str
plan_check_directory(const struct check_gate *c, struct str entry)
{
	if (c->working_directory.n == 0 || str_is(c->working_directory, "entrypoint"))
		return entry;
	return path_tidy(c->working_directory);
}

void
plan_add_entry(struct plan_builder *b, const struct entry_point *e, struct str path, struct str reason)
{
	const struct plan_facts *f = b->facts;

	for (size_t i = 0; f->has_checks && i < e->checks.count; i++) {
		const struct check_gate *c = find_check(b, e->checks.items[i]);

		if (!c || !is_wanted(f, c->runs_in_ci, c->runs_locally, c->name))
			continue;
		struct str dir = plan_check_directory(c, path);

		add_job(b, (struct job){ .kind = GATE_CHECK,
					 .id = str_fmt(b->arena, "check:" STR_FMT ":" STR_FMT, STR_ARG(dir),
						       STR_ARG(c->name)),
					 .entry_point = path,
					 .dir = dir,
					 .check = c,
					 .is_for_all_files = f->is_all,
					 .reason = reason });
	}
	for (size_t i = 0; f->has_reviews && i < e->reviews.count; i++) {
		const struct review_gate *r = find_review(b, e->reviews.items[i]);

		if (!r || !r->is_enabled || !is_wanted(f, r->runs_in_ci, r->runs_locally, r->name))
			continue;
		add_job(b, (struct job){ .kind = GATE_REVIEW,
					 .id = str_fmt(b->arena, "review:" STR_FMT ":" STR_FMT, STR_ARG(path),
						       STR_ARG(r->name)),
					 .entry_point = path,
					 .dir = STR("."),
					 .review = r,
					 .is_for_all_files = f->is_all,
					 .reason = reason });
	}
}

bool
plan_is_for_directories(struct str path)
{
	return str_ends(path, STR("*")) && !str_ends(path, STR("\\*")) && str_find(path, STR("**")) < 0;
}

static struct str
reason_of(const struct plan_builder *b, struct str file)
{
	return b->facts->is_all ? STR(ASKED_FOR) : str_fmt(b->arena, STR_FMT " changed", STR_ARG(file));
}

/* Adds each directory above the file that matches the pattern. */
static void
add_directories(struct plan_builder *b, const struct entry *e, struct str file)
{
	const struct plan_facts *f = b->facts;

	for (size_t i = 1; i < file.n; i++) {
		struct str dir = str_sub(file, 0, i);

		if (file.s[i] != '/' || !pathglob_matches(&e->reach.glob, dir))
			continue;
		if (!f->is_directory || f->is_directory(f->context, dir))
			plan_add_entry(b, e->point, dir, reason_of(b, file));
	}
}

/* Adds the directories that the changes reach. Of files in one directory, the first that counts is enough. */
static void
add_reached_directories(struct plan_builder *b, const struct entry *e, struct plan_range range)
{
	struct str last = STR_NONE;

	for (size_t i = range.from; i < range.to; i++) {
		struct str file = b->facts->changes[i], dir = path_parent(file);

		if (!dir.s || (last.s && str_eq(dir, last)) || !is_for(b, e, file))
			continue;
		last = dir;
		add_directories(b, e, file);
	}
}

static void
add_reached(struct plan_builder *b, const struct entry_point *point)
{
	const struct plan_facts *f = b->facts;
	struct plan_reach reach = plan_reach_of(b->arena, point->path);
	struct plan_range range = plan_range_of(&reach, f->changes, f->change_count);

	if (range.from == range.to)
		return;
	struct entry e = entry_of(b, point);

	if (plan_is_for_directories(e.reach.path)) {
		add_reached_directories(b, &e, range);
		return;
	}
	for (size_t i = range.from; i < range.to; i++) {
		struct str file = f->changes[i];

		if (!plan_reaches(&e.reach, file) || !is_for(b, &e, file))
			continue;
		plan_add_entry(b, point, e.reach.path, reason_of(b, file));
		return;
	}
}

void
plan_add_jobs(struct arena *a, const struct plan_facts *f, struct job_list *jobs)
{
	struct plan_builder b = plan_builder(a, f, jobs);
	const struct gates_config *c = f->config;

	/* The root comes first, wherever the configuration has it. */
	for (int is_root = 1; is_root >= 0; is_root--)
		for (size_t i = 0; i < c->entry_point_count; i++) {
			struct str path = path_tidy(c->entry_points[i].path);

			if (str_is(path, ".") != (is_root == 1))
				continue;
			add_reached(&b, &c->entry_points[i]);
			if (f->is_all && !plan_is_for_directories(path))
				plan_add_entry(&b, &c->entry_points[i], path, STR(ASKED_FOR));
		}
	*jobs = b.jobs;
}

struct job_list
plan_jobs(struct arena *a, const struct plan_facts *f)
{
	struct job_list jobs = { 0 };

	plan_add_jobs(a, f, &jobs);
	return jobs;
}
