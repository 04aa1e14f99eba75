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

#define TEXT_LIMIT_BYTES MIB(256)

struct detection {
	struct arena *arena;
	struct gates_config config;
	struct change_list changes;
	struct job_list jobs;
};

static struct str
as_json(const struct detection *d)
{
	struct buf b = BUF(d->arena, TEXT_LIMIT_BYTES);
	struct str_list changes = { d->changes.items, d->changes.count };

	json_open(&b, NULL, '{');
	json_add(&b, "base", d->changes.base_used, "changes", &changes);
	json_open(&b, "jobs", '[');
	for (size_t i = 0; i < d->jobs.count; i++) {
		const struct job *j = &d->jobs.items[i];

		json_add_object(&b, NULL, "id", j->id, "kind", gate_kind_name(j->kind), "gate", j->gate->name,
				"entry_point", j->entry_point, "working_directory", j->dir, "reason",
				j->reason);
	}
	json_close(&b, "]}\n");
	return buf_str(&b);
}

/* holdfast.yml has no entry points: a gate of it is in a place. */
static void
add_job(struct buf *b, const struct job *j, bool is_native, bool has_colour)
{
	bool is_elsewhere = is_native ? !str_is(j->entry_point, ".")
				      : j->kind == GATE_CHECK && !str_eq(j->dir, j->entry_point);
	struct str place = strip_escapes_line(b->arena, is_native ? j->entry_point : j->dir);
	struct str reason = strip_escapes_line(b->arena, j->reason);

	buf_cat(b, "  ");
	if (!is_native)
		buf_cat(b, gate_kind_name(j->kind), " ", j->gate->name);
	else
		buf_cat(b, j->gate->name, is_elsewhere ? " in " : "", is_elsewhere ? place : STR_NONE);
	if (is_elsewhere && !is_native)
		reason = str_cat(b->arena, reason, "; runs in ", place);
	buf_cat(b, "  ");
	print_styled_line(b, has_colour, STYLE_DIM, str_cat(b->arena, "(", reason, ")"));
}

static struct str
as_text(const struct detection *d, bool has_colour)
{
	const struct job *jobs = d->jobs.items;
	size_t count = d->jobs.count;
	bool is_native = d->config.dialect->has_plain_texts;
	struct strset seen = strset_new(d->arena, count);
	struct buf b = BUF(d->arena, TEXT_LIMIT_BYTES);

	buf_add(&b, STR("Detecting changes...\n"));
	if (d->changes.count == 0) {
		buf_add(&b, STR("No changes detected.\n"));
		return buf_str(&b);
	}
	/* The original has one form. */
	buf_cat(&b, "Found ", d->changes.count, " changed ",
		d->changes.count == 1 && is_native ? "file" : "files", ":\n");
	for (size_t i = 0; i < d->changes.count; i++)
		buf_cat(&b, "  - ", strip_escapes_line(d->arena, d->changes.items[i]), "\n");
	if (count == 0)
		buf_add(&b, STR("No applicable gates for these changes.\n"));
	else if (is_native)
		buf_cat(&b, "Would run ", count, " gate", count == 1 ? "" : "s", ":\n");
	else
		buf_cat(&b, "Would run ", count, " gate(s):\n\n");
	for (size_t i = 0; i < count && is_native; i++)
		add_job(&b, &jobs[i], true, has_colour);
	/* By entry point, in the order of their first jobs. */
	for (size_t i = 0; i < count && !is_native; i++) {
		if (!strset_add(&seen, jobs[i].entry_point))
			continue;
		struct str path = strip_escapes_line(d->arena, jobs[i].entry_point);

		print_styled_line(&b, has_colour, STYLE_BOLD, str_cat(d->arena, "Entry point: ", path));
		for (size_t k = i; k < count; k++)
			if (str_eq(jobs[k].entry_point, jobs[i].entry_point))
				add_job(&b, &jobs[k], false, has_colour);
	}
	return buf_str(&b);
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
	if (gates_open(a, invocation_program(inv), &d->config) < 0)
		return 1;
	struct change_spec spec = change_spec_for(&d->config, &request);
	struct git_known known = known_by_runs(a, d->config.root, false);
	struct repository repository = { .root = d->config.root, .known = &known };

	if (git_changes(a, &repository, &spec, &d->changes, &err) < 0)
		return gates_error(invocation_program(inv), err.msg);
	const struct str warnings[] = { d->changes.warning, d->changes.fallback_reason };

	for (size_t i = 0; i < COUNT_OF(warnings); i++)
		if (warnings[i].s)
			gates_warn(invocation_program(inv), strip_escapes_line(a, warnings[i]));
	struct plan_facts facts = plan_facts_for(&d->config, &d->changes);

	d->jobs = plan_jobs(a, &facts);
	return print_out(option_has(inv, "json") ? as_json(d) : as_text(d, tty_wants_colour(1)));
}

const struct command detect_command = {
	.name = "detect",
	.summary = "show which gates would run for the current changes, and why",
	.details = "Prints the changed files and, by entry point, the gates that would run, each with the "
		   "change that causes it. Runs nothing, and ignores earlier runs.",
	TAKES(BASE_OPTION, CHANGE_OPTIONS, FLAG("json", "print one JSON object, for scripts")),
	.run = run,
};
