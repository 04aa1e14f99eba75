/* SPDX-License-Identifier: MIT */
/* The plan: the entry points that the changes reach, and the gates of each. Pure: the facts answer whether a path is a
 * directory. */
#include "gates/plan.h"

#include "model/logname.h"

static int
compare_gates(const void *x, const void *y)
{
	const struct gate *const *l = x, *const *r = y;
	int order = str_cmp((*l)->name, (*r)->name);

	return order != 0 ? order : (*l > *r) - (*l < *r);
}

/* Of two with one name, the first in the configuration. */
static const struct gate *
find_gate(const struct plan_builder *b, enum gate_kind kind, struct str name)
{
	const struct gate **gates = b->gates[kind];
	size_t count = gates_config_list(b->facts->config, kind).count, low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(gates[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && str_eq(gates[low]->name, name) ? gates[low] : NULL;
}

struct plan_builder
plan_builder(struct arena *a, const struct plan_facts *f, const struct job_list *jobs)
{
	struct plan_builder b = {
		.arena = a,
		.facts = f,
		.jobs = *jobs,
		.capacity = jobs->count,
		.ids = strset_new(a, jobs->count),
		.parts = strset_new(a, jobs->count),
	};

	for (enum gate_kind kind = GATE_CHECK; kind <= GATE_REVIEW; kind++) {
		struct gate_list gates = gates_config_list(f->config, kind);

		b.gates[kind] = arena_array(a, gates.count, const struct gate *);
		for (size_t i = 0; i < gates.count; i++)
			b.gates[kind][i] = &gates.items[i];
		sort(b.gates[kind], gates.count, compare_gates);
	}
	for (size_t i = 0; i < jobs->count; i++) {
		(void)strset_add(&b.ids, jobs->items[i].id);
		(void)strset_add(&b.parts, jobs->items[i].file_part);
	}
	return b;
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
	struct gate_patterns *gates; /* what each of its gates is for */
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
	x.gates = arena_array(a, e->checks.count + e->reviews.count, struct gate_patterns);
	for (enum gate_kind kind = GATE_CHECK; kind <= GATE_REVIEW; kind++)
		for (size_t i = 0; i < entry_point_gates(e, kind)->count; i++) {
			const struct gate *g = find_gate(b, kind, entry_point_gates(e, kind)->items[i]);

			if (g)
				x.gates[x.gate_count++] = gate_patterns_of(a, &g->files);
		}
	return x;
}

/* Is the file not excluded, and does the entry point have a gate for it? */
static bool
is_for(const struct plan_builder *b, const struct entry *e, struct str file)
{
	bool is_for = b->facts->is_all;

	for_each (x, e->exclude, e->point->exclude.count)
		if (x->is_pattern ? pathglob_matches(&x->glob, file) : path_is_at_or_below(file, x->path))
			return false;
	for (size_t i = 0; i < e->gate_count && !is_for; i++)
		is_for = gate_patterns_have(&e->gates[i], file);
	return is_for;
}

/* ---- jobs ---- */

#define ASKED_FOR "asked for, whatever has changed"

static bool
is_wanted(const struct plan_facts *f, const struct gate *g)
{
	return (f->is_ci ? g->runs_in_ci : g->runs_locally) &&
	       (f->gates.count == 0 || str_is_among(g->name, f->gates.items, f->gates.count));
}

struct str
plan_file_part(struct arena *a, struct str id)
{
	char *s = arena_bytes(a, id.n + 1);
	uint32_t sum = 2166136261; /* FNV-1a */

	for (size_t i = 0; i < id.n; i++) {
		char c = id.s[i];
		bool is_kept = is_letter(c) || is_digit(c) || (c != '\0' && strchr("._-", c));

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

	if (strset_has(&b->ids, job.id))
		return;
	arena_make_room(a, b->jobs.items, b->jobs.count, &b->capacity);
	struct str part = plan_file_part(a, job.id);

	/* Two ids may give the same file name: the second gets a number. */
	job.file_part = part;
	for (size_t n = 2; strset_has(&b->parts, job.file_part); n++)
		job.file_part = str_cat(a, part, "_", n);
	b->jobs.items[b->jobs.count++] = job;
	(void)strset_add(&b->ids, job.id);
	(void)strset_add(&b->parts, job.file_part);
}

struct str
plan_check_directory(const struct gate *c, struct str entry)
{
	if (c->working_directory.n == 0 || str_is(c->working_directory, "entrypoint"))
		return entry;
	return path_tidy(c->working_directory);
}

void
plan_add_entry(struct plan_builder *b, const struct entry_point *e, struct str path, struct str reason)
{
	const struct plan_facts *f = b->facts;

	for (enum gate_kind kind = GATE_CHECK; kind <= GATE_REVIEW; kind++) {
		bool is_check = kind == GATE_CHECK;
		const struct str_list *names = entry_point_gates(e, kind);

		for (size_t i = 0; (is_check ? f->has_checks : f->has_reviews) && i < names->count; i++) {
			const struct gate *g = find_gate(b, kind, names->items[i]);

			if (!g || (!is_check && !g->is_enabled) || !is_wanted(f, g))
				continue;
			struct str dir = is_check ? plan_check_directory(g, path) : STR(".");

			add_job(b, (struct job){ .kind = kind,
						 .id = str_cat(b->arena, gate_kind_name(kind), ":",
							       is_check ? dir : path, ":", g->name),
						 .entry_point = path,
						 .dir = dir,
						 .gate = g,
						 .is_for_all_files = f->is_all,
						 .reason = reason });
		}
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
	return b->facts->is_all ? STR(ASKED_FOR) : str_cat(b->arena, file, " changed");
}

/* Adds the directories that the changes reach: each one above a file that matches the pattern. Of files in one directory, the
 * first that counts is enough. */
static void
add_reached_directories(struct plan_builder *b, const struct entry *e, struct plan_range range)
{
	const struct plan_facts *f = b->facts;
	struct str last = STR_NONE;

	for (size_t i = range.from; i < range.to; i++) {
		struct str file = f->changes[i], parent = path_parent(file);

		if (!parent.s || (last.s && str_eq(parent, last)) || !is_for(b, e, file))
			continue;
		last = parent;
		for (size_t k = 1; k < file.n; k++) {
			struct str dir = str_sub(file, 0, k);

			if (file.s[k] == '/' && pathglob_matches(&e->reach.glob, dir) &&
			    (!f->is_directory || f->is_directory(f->context, dir)))
				plan_add_entry(b, e->point, dir, reason_of(b, file));
		}
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
