/* SPDX-License-Identifier: MIT */
/* detect: shows which gates apply to the changes, and why. Runs nothing, and ignores earlier runs. */
#include "base/escapes.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "gates/plan.h"
#include "gates/run.h"
#include "git/git.h"
#include "os/env.h"
#include "ui/print.h"

#include <stdlib.h>

#define TEXT_LIMIT_BYTES MIB(256)

struct detection {
	struct arena *arena;
	struct gates_config config;
	struct change_list changes;
	struct job_list jobs;
};

static void
add_job_json(struct buf *b, const struct job *j)
{
	buf_addc(b, '{');
	json_add_member(b, "id", j->id);
	json_add_member(b, "kind", gate_kind_name(j->kind));
	json_add_member(b, "gate", job_name(j));
	json_add_member(b, "entry_point", j->entry_point);
	json_add_member(b, "working_directory", j->dir);
	json_add_member(b, "reason", j->reason);
	buf_addc(b, '}');
}

static struct str
as_json(const struct detection *d)
{
	struct buf b = BUF(d->arena, TEXT_LIMIT_BYTES);

	buf_addc(&b, '{');
	if (d->changes.base_used.s)
		json_add_member(&b, "base", d->changes.base_used);
	json_add_key(&b, "changes");
	json_add_strings(&b, d->changes.items, d->changes.count);
	json_add_key(&b, "jobs");
	buf_addc(&b, '[');
	for (size_t i = 0; i < d->jobs.count; i++) {
		if (i > 0)
			buf_addc(&b, ',');
		add_job_json(&b, &d->jobs.items[i]);
	}
	buf_add(&b, STR("]}\n"));
	return buf_str(&b);
}

static void
add_job_line(struct buf *b, const struct job *j, bool has_colour)
{
	struct buf reason = BUF(b->arena, KIB(64));
	bool is_elsewhere = j->kind == GATE_CHECK && !str_eq(j->dir, j->entry_point);

	buf_addf(&reason, "(" STR_FMT, STR_ARG(strip_escapes_line(b->arena, j->reason)));
	if (is_elsewhere)
		buf_addf(&reason, "; runs in " STR_FMT, STR_ARG(strip_escapes_line(b->arena, j->dir)));
	buf_addc(&reason, ')');
	buf_addf(b, "  " STR_FMT " " STR_FMT "  ", STR_ARG(gate_kind_name(j->kind)), STR_ARG(job_name(j)));
	print_styled(b, has_colour, STYLE_DIM, buf_str(&reason));
	buf_addc(b, '\n');
}

/* Where a job is among others: by entry point, and then by the place in the plan. */
struct place {
	struct str entry_point;
	size_t index, first; /* first: the place of the entry point's first job */
};

static int
compare_places(const void *x, const void *y)
{
	const struct place *l = x, *r = y;
	int order = str_cmp(l->entry_point, r->entry_point);

	return order != 0 ? order : (l->index > r->index) - (l->index < r->index);
}

static int
compare_groups(const void *x, const void *y)
{
	const struct place *l = x, *r = y;

	if (l->first != r->first)
		return l->first < r->first ? -1 : 1;
	return (l->index > r->index) - (l->index < r->index);
}

/* Groups the jobs by entry point, in the order of their first jobs. */
static const struct place *
group_jobs(struct arena *a, const struct job_list *jobs)
{
	struct place *places = arena_array(a, jobs->count, struct place);

	for (size_t i = 0; i < jobs->count; i++)
		places[i] = (struct place){ .entry_point = jobs->items[i].entry_point, .index = i };
	qsort(places, jobs->count, sizeof(*places), compare_places);
	for (size_t i = 0; i < jobs->count; i++) {
		bool is_same = i > 0 && str_eq(places[i - 1].entry_point, places[i].entry_point);

		places[i].first = is_same ? places[i - 1].first : places[i].index;
	}
	qsort(places, jobs->count, sizeof(*places), compare_groups);
	return places;
}

static void
add_plan(struct buf *b, const struct detection *d, bool has_colour)
{
	const struct place *places = group_jobs(b->arena, &d->jobs);
	const struct job *jobs = d->jobs.items;

	buf_addf(b, "Would run %zu gate(s):\n\n", d->jobs.count);
	for (size_t i = 0; i < d->jobs.count; i++) {
		const struct job *job = &jobs[places[i].index];

		if (i > 0 && places[i].first == places[i - 1].first) {
			add_job_line(b, job, has_colour);
			continue;
		}
		struct str path = strip_escapes_line(b->arena, job->entry_point);

		print_styled(b, has_colour, STYLE_BOLD,
			     str_fmt(b->arena, "Entry point: " STR_FMT, STR_ARG(path)));
		buf_addc(b, '\n');
		add_job_line(b, job, has_colour);
	}
}

/* Of holdfast.yml, which has no entry points. */
static void
add_native_plan(struct buf *b, const struct detection *d, bool has_colour)
{
	buf_addf(b, "Would run %zu gate%s:\n", d->jobs.count, d->jobs.count == 1 ? "" : "s");
	for (size_t i = 0; i < d->jobs.count; i++) {
		const struct job *j = &d->jobs.items[i];
		struct str place = strip_escapes_line(b->arena, j->entry_point);
		struct str reason = strip_escapes_line(b->arena, j->reason);

		buf_addf(b, "  " STR_FMT, STR_ARG(job_name(j)));
		if (!str_is(place, "."))
			buf_addf(b, " in " STR_FMT, STR_ARG(place));
		buf_add(b, STR("  "));
		print_styled(b, has_colour, STYLE_DIM, str_fmt(b->arena, "(" STR_FMT ")", STR_ARG(reason)));
		buf_addc(b, '\n');
	}
}

static struct str
as_text(const struct detection *d, bool has_colour)
{
	struct buf b = BUF(d->arena, TEXT_LIMIT_BYTES);

	buf_add(&b, STR("Detecting changes...\n"));
	if (d->changes.count == 0) {
		buf_add(&b, STR("No changes detected.\n"));
		return buf_str(&b);
	}
	/* The original has one form. */
	buf_addf(&b, "Found %zu changed %s:\n", d->changes.count,
		 d->changes.count == 1 && d->config.is_native ? "file" : "files");
	for (size_t i = 0; i < d->changes.count; i++)
		buf_addf(&b, "  - " STR_FMT "\n", STR_ARG(strip_escapes_line(d->arena, d->changes.items[i])));
	if (d->jobs.count == 0)
		buf_add(&b, STR("No applicable gates for these changes.\n"));
	else if (d->config.is_native)
		add_native_plan(&b, d, has_colour);
	else
		add_plan(&b, d, has_colour);
	return buf_str(&b);
}

static void
warn(struct arena *a, const struct invocation *inv, struct str text)
{
	if (text.s)
		gauntlet_warn(a, invocation_program(inv), strip_escapes_line(a, text));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct detection *d = arena_new(a, struct detection);
	struct change_request request = { .base_branch = option_str(inv, "base-branch"),
					  .commit = option_str(inv, "commit"),
					  .is_uncommitted = option_has(inv, "uncommitted") };
	struct err err;

	d->arena = a;
	if (gauntlet_open(a, invocation_program(inv), &d->config) < 0)
		return 1;
	struct change_spec spec = change_spec_for(&d->config, &request);
	struct git_known known = known_by_runs(a, d->config.root, false);
	struct repository repository = { .root = d->config.root, .known = &known };

	if (git_changes(a, &repository, &spec, &d->changes, &err) < 0)
		return gauntlet_fail(invocation_program(inv), "%s", err.msg);
	warn(a, inv, d->changes.warning);
	warn(a, inv, d->changes.fallback_reason);
	struct plan_facts facts = plan_facts_for(&d->config, &d->changes);

	d->jobs = plan_jobs(a, &facts);
	return print_out(option_has(inv, "json") ? as_json(d) : as_text(d, tty_wants_colour(1)));
}

static const struct option_row options[] = {
	{ .name = "base-branch",
	  .short_name = 'b',
	  .arg_name = "BRANCH",
	  .source = SOURCE_BRANCHES,
	  .help = "compare with this branch instead of base_branch" },
	{ .name = "commit", .short_name = 'c', .arg_name = "SHA", .help = "use the changes of this commit" },
	{ .name = "uncommitted",
	  .short_name = 'u',
	  .help = "use only uncommitted changes: staged, unstaged and untracked" },
	{ .name = "json", .help = "print one JSON object, for scripts" },
};

const struct command detect_command = {
	.name = "detect",
	.summary = "show which gates would run for the current changes, and why",
	.details = "Prints the changed files and, by entry point, the gates that would run, each "
		   "with the change that causes it. Runs nothing, and ignores earlier runs.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
