/* SPDX-License-Identifier: MIT */
/* The plan: the entry points that the changes reach, and the gates of each. Pure: the facts answer whether a path is a
 * directory. */
#include "gates/plan.h"

#include "base/path.h"
#include "base/pathglob.h"
#include "model/logname.h"

#include <string.h>

static bool
is_excluded(const struct entry_point *e, struct str file)
{
	for (size_t i = 0; i < e->exclude.count; i++) {
		struct str x = e->exclude.items[i];

		if (pathglob_is_pattern(x) ? pathglob_match(x, file)
					   : path_is_at_or_below(file, path_tidy(x)))
			return true;
	}
	return false;
}

/* Does the entry point have a gate for the file? */
static bool
has_gate_for(const struct gates_config *c, const struct entry_point *e, struct str file)
{
	for (size_t i = 0; i < e->checks.count; i++) {
		const struct check_gate *g = gates_config_check(c, e->checks.items[i]);

		if (g && gate_is_for(&g->files, file))
			return true;
	}
	for (size_t i = 0; i < e->reviews.count; i++) {
		const struct review_gate *g = gates_config_review(c, e->reviews.items[i]);

		if (g && gate_is_for(&g->files, file))
			return true;
	}
	return false;
}

static bool
is_wanted(const struct plan_facts *f, bool in_ci, bool locally, struct str name)
{
	return (f->is_ci ? in_ci : locally) && (!f->gate.s || str_eq(f->gate, name));
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

static bool
has_job(const struct plan_builder *b, struct str id)
{
	for (size_t i = 0; i < b->jobs.count; i++)
		if (str_eq(b->jobs.items[i].id, id))
			return true;
	return false;
}

static bool
has_file_part(const struct plan_builder *b, struct str part)
{
	for (size_t i = 0; i < b->jobs.count; i++)
		if (str_eq(b->jobs.items[i].file_part, part))
			return true;
	return false;
}

static void
add_job(struct plan_builder *b, struct job job)
{
	struct arena *a = b->arena;

	if (has_job(b, job.id))
		return;
	arena_make_room(a, b->jobs.items, b->jobs.count, &b->capacity);
	struct str part = plan_file_part(a, job.id);

	/* Two ids may give the same file name: the second gets a number. */
	job.file_part = part;
	for (size_t n = 2; has_file_part(b, job.file_part); n++)
		job.file_part = str_fmt(a, STR_FMT "_%zu", STR_ARG(part), n);
	b->jobs.items[b->jobs.count++] = job;
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
		const struct check_gate *c = gates_config_check(f->config, e->checks.items[i]);

		if (!c || !is_wanted(f, c->runs_in_ci, c->runs_locally, c->name))
			continue;
		struct str dir = plan_check_directory(c, path);

		add_job(b, (struct job){ .kind = GATE_CHECK,
					 .id = str_fmt(b->arena, "check:" STR_FMT ":" STR_FMT, STR_ARG(dir),
						       STR_ARG(c->name)),
					 .entry_point = path,
					 .dir = dir,
					 .check = c,
					 .reason = reason });
	}
	for (size_t i = 0; f->has_reviews && i < e->reviews.count; i++) {
		const struct review_gate *r = gates_config_review(f->config, e->reviews.items[i]);

		if (!r || !r->is_enabled || !is_wanted(f, r->runs_in_ci, r->runs_locally, r->name))
			continue;
		add_job(b, (struct job){ .kind = GATE_REVIEW,
					 .id = str_fmt(b->arena, "review:" STR_FMT ":" STR_FMT, STR_ARG(path),
						       STR_ARG(r->name)),
					 .entry_point = path,
					 .dir = STR("."),
					 .review = r,
					 .reason = reason });
	}
}

bool
plan_is_for_directories(struct str path)
{
	return str_ends(path, STR("*")) && !str_ends(path, STR("\\*")) && str_find(path, STR("**")) < 0;
}

/* Adds each directory above the file that matches the pattern. *last is the one added before, which is skipped: the
 * changes are sorted. */
static void
add_directories(struct plan_builder *b, const struct entry_point *e, struct str pattern, struct str file,
		struct str *last)
{
	const struct plan_facts *f = b->facts;

	for (size_t i = 1; i < file.n; i++) {
		struct str dir = str_sub(file, 0, i);

		if (file.s[i] != '/' || (last->s && str_eq(dir, *last)) || !pathglob_match(pattern, dir))
			continue;
		*last = dir;
		if (!f->is_directory || f->is_directory(f->context, dir))
			plan_add_entry(b, e, dir, str_fmt(b->arena, STR_FMT " changed", STR_ARG(file)));
	}
}

bool
plan_reaches(struct str path, struct str file)
{
	if (str_is(path, "."))
		return true;
	return pathglob_is_pattern(path) ? pathglob_match(path, file) : path_is_at_or_below(file, path);
}

static void
add_reached(struct plan_builder *b, const struct entry_point *e)
{
	struct str path = path_tidy(e->path), last = STR_NONE;
	const struct plan_facts *f = b->facts;

	for (size_t i = 0; i < f->change_count; i++) {
		struct str file = f->changes[i];

		if (is_excluded(e, file) || (f->config->is_native && !has_gate_for(f->config, e, file)))
			continue;
		if (plan_is_for_directories(path)) {
			add_directories(b, e, path, file, &last);
		} else if (plan_reaches(path, file)) {
			plan_add_entry(b, e, path, str_fmt(b->arena, STR_FMT " changed", STR_ARG(file)));
			return;
		}
	}
}

struct job_list
plan_jobs(struct arena *a, const struct plan_facts *f)
{
	struct plan_builder b = { .arena = a, .facts = f };
	const struct gates_config *c = f->config;

	/* The root comes first, wherever the configuration has it. */
	for (int is_root = 1; is_root >= 0; is_root--)
		for (size_t i = 0; i < c->entry_point_count; i++)
			if (str_is(path_tidy(c->entry_points[i].path), ".") == (is_root == 1))
				add_reached(&b, &c->entry_points[i]);
	return b.jobs;
}
