/* SPDX-License-Identifier: MIT */
/* list: the gates and where they apply. detect: which of them apply to the changes, and why; it runs nothing, and ignores earlier runs. */
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "gates/plan.h"
#include "gates/run.h"
#include "git/git.h"
#include "os/env.h"
#include "ui/print.h"

static void
add_names(struct buf *b, const char *label, const struct str_list *names)
{
	if (names->count > 0)
		buf_cat(b, "   ", label, ": ", str_list_join(b->arena, names, ", "), "\n");
}

/* Each gate of holdfast.yml in a line: what it is, and where it applies. */
static struct str
as_native_text(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));
	size_t width = 0;

	for_each (e, c->entry_points, c->entry_point_count) {
		struct str name = e->checks.count > 0 ? e->checks.items[0] : e->reviews.items[0];

		width = name.n > width ? name.n : width;
	}
	for_each (e, c->entry_points, c->entry_point_count) {
		bool is_check = e->checks.count > 0, has_place = !str_is(e->path, ".");
		struct str name = is_check ? e->checks.items[0] : e->reviews.items[0], rest, line = STR("");
		const struct gate *gate = gates_config_gate(c, is_check ? GATE_CHECK : GATE_REVIEW, name);
		const struct str_list *files = &gate->files;

		buf_addf(&b, "%-*.*s  ", (int)width, STR_ARG(name));
		if (is_check) {
			rest = str_trim(gate->command);
			(void)str_next(&rest, '\n', &line);
			buf_cat(&b, line, rest.n > 0 ? " ..." : "");
		} else {
			buf_cat(&b, "review ", gate->file, " by ",
				str_list_join(a, &gate->cli_preference, ", "));
		}
		if (has_place)
			buf_cat(&b, "  (in ", e->path);
		if (files->count > 0)
			buf_cat(&b, has_place ? "; for " : "  (for ", str_list_join(a, files, ", "));
		buf_cat(&b, has_place || files->count > 0 ? ")\n" : "\n");
	}
	return buf_str(&b);
}

static struct str
as_text(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));
	bool has_colour = tty_wants_colour(1);

	if (c->dialect->has_plain_texts)
		return as_native_text(a, c);
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Check Gates:"));
	for (size_t i = 0; i < c->check_count; i++)
		buf_cat(&b, " - ", c->checks[i].name, "\n");
	buf_addc(&b, '\n');
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Review Gates:"));
	for (size_t i = 0; i < c->review_count; i++)
		buf_cat(&b, " - ", c->reviews[i].name,
			" (Tools: ", str_list_join(a, &c->reviews[i].cli_preference, ", "), ")",
			c->reviews[i].is_enabled ? "" : " disabled", "\n");
	buf_addc(&b, '\n');
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Entry Points:"));
	for_each (p, c->entry_points, c->entry_point_count) {
		buf_cat(&b, " - ", p->path, "\n");
		add_names(&b, "Exclude", &p->exclude);
		add_names(&b, "Checks", &p->checks);
		add_names(&b, "Reviews", &p->reviews);
	}
	return buf_str(&b);
}

static struct str
as_json(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));

	json_open(&b, NULL, '{');
	json_open(&b, "checks", '[');
	for (size_t i = 0; i < c->check_count; i++)
		json_add_object(&b, NULL, "name", c->checks[i].name, "command", c->checks[i].command);
	json_close(&b, "]");
	json_open(&b, "reviews", '[');
	for (size_t i = 0; i < c->review_count; i++)
		json_add_object(&b, NULL, "name", c->reviews[i].name, "enabled", c->reviews[i].is_enabled,
				"reviewers", &c->reviews[i].cli_preference);
	json_close(&b, "]");
	json_open(&b, "entry_points", '[');
	for_each (e, c->entry_points, c->entry_point_count)
		json_add_object(&b, NULL, "path", e->path, "exclude", &e->exclude, "checks", &e->checks,
				"reviews", &e->reviews);
	json_close(&b, "]}\n");
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf names = BUF(a, MIB(4));
	struct gates_config c;

	if (gates_open(a, inv, &c) < 0)
		return 1;
	if (option_has(inv, "json") || !option_has(inv, "names"))
		return print_out(option_has(inv, "json") ? as_json(a, &c) : as_text(a, &c));
	/* A check and a review of the same name are one line. */
	for (size_t i = 0; i < c.check_count; i++)
		buf_cat(&names, c.checks[i].name, "\n");
	for (size_t i = 0; i < c.review_count; i++)
		if (!gates_config_gate(&c, GATE_CHECK, c.reviews[i].name))
			buf_cat(&names, c.reviews[i].name, "\n");
	return print_out(buf_str(&names));
}

const struct command list_command = {
	.name = "list",
	.summary = "list configured gates",
	.details = "Prints the checks, the reviews with their reviewers, and where they apply.",
	TAKES(FLAG("json", "print one JSON object, for scripts"),
	      FLAG("names", "print only the names, one per line")),
	.run = run,
};

/* ---- detect ---- */

struct detection {
	struct arena *arena;
	struct gates_config config;
	struct change_list changes;
	struct job_list jobs;
};

static struct str
detection_as_json(const struct detection *d)
{
	struct buf b = BUF(d->arena, MIB(256));
	struct str_list changes = { d->changes.items, d->changes.count };

	json_open(&b, NULL, '{');
	json_add(&b, "base", d->changes.base_used, "changes", &changes);
	json_open(&b, "jobs", '[');
	for_each (j, d->jobs.items, d->jobs.count)
		json_add_object(&b, NULL, "id", j->id, "kind", gate_kind_name(j->kind), "gate", j->gate->name,
				"entry_point", j->entry_point, "working_directory", j->dir, "reason",
				j->reason);
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
detection_as_text(const struct detection *d, bool has_colour)
{
	const struct job *jobs = d->jobs.items;
	size_t count = d->jobs.count;
	bool is_native = d->config.dialect->has_plain_texts;
	struct strset seen = strset_new(d->arena, count);
	struct buf b = BUF(d->arena, MIB(256));

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
run_detect(struct arena *a, const struct invocation *inv)
{
	struct detection *d = arena_new(a, struct detection);
	struct change_request request = { .base_branch = option_str(inv, "base-branch"),
					  .commit = option_str(inv, "commit"),
					  .is_uncommitted = option_has(inv, "uncommitted") };
	struct err err;

	d->arena = a;
	if (gates_open(a, inv, &d->config) < 0)
		return 1;
	struct change_spec spec = change_spec_for(&d->config, &request);
	struct git_known known = known_by_runs(a, d->config.root, false);
	struct repository repository = { .root = d->config.root, .known = &known };

	if (git_changes(a, &repository, &spec, &d->changes, &err) < 0)
		return gates_error(inv, err.msg);
	const struct str warnings[] = { d->changes.warning, d->changes.fallback_reason };

	for (size_t i = 0; i < COUNT_OF(warnings); i++)
		if (warnings[i].s)
			gates_warn(inv, strip_escapes_line(a, warnings[i]));
	struct plan_facts facts = plan_facts_for(&d->config, &d->changes);

	d->jobs = plan_jobs(a, &facts);
	return print_out(option_has(inv, "json") ? detection_as_json(d)
						 : detection_as_text(d, tty_wants_colour(1)));
}

const struct command detect_command = {
	.name = "detect",
	.summary = "show which gates would run for the current changes, and why",
	.details = "Prints the changed files and, by entry point, the gates that would run, each with the "
		   "change that causes it. Runs nothing, and ignores earlier runs.",
	TAKES(BASE_OPTION, CHANGE_OPTIONS, FLAG("json", "print one JSON object, for scripts")),
	.run = run_detect,
};
