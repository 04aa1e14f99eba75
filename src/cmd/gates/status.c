/* SPDX-License-Identifier: MIT */
/* status: what the last run found, what is outstanding, and what the next stop will run. Runs and changes nothing. */
#include "base/duration.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "install/registry.h"
#include "os/clock.h"
#include "os/env.h"
#include "overview/overview.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(16)
#define LABEL_WIDTH 10

struct page {
	struct arena *arena;
	const struct overview *about;
	bool has_colour;
	struct str cwd, guards_off;
};

#define add_row(b, o, label, ...) add_row_text((b), (o), (label), str_cat((o)->arena, __VA_ARGS__))
static void
add_row_text(struct buf *b, const struct page *o, const char *label, struct str text)
{
	print_styled(b, o->has_colour, STYLE_BOLD, str_from(label));
	buf_addf(b, "%*s" STR_FMT "\n", (int)(LABEL_WIDTH - strlen(label)), "", STR_ARG(text));
}

static void
add_next(struct buf *b, const struct page *o)
{
	const struct run_preview *n = &o->about->next;
	const char *why = o->about->is_off          ? "allowed: holdfast is off; 'holdfast on' ends that"
			  : !o->about->runs_at_stop ? "no gate runs: stop_hook.enabled is false"
			  : n->jobs.count > 0       ? NULL
			  : n->reused_count > 0     ? "no gate runs: nothing has changed since they passed"
			  : n->change_count > 0     ? "no gate runs: none is for the files that changed"
						    : "no gate runs: nothing has changed";

	if (why) {
		add_row(b, o, "next stop", why);
		return;
	}
	for (size_t i = 0; i < n->jobs.count; i++) {
		const struct job *j = &n->jobs.items[i];
		bool is_root = str_is(j->dir, ".") || j->kind == GATE_REVIEW;

		add_row(b, o, i == 0 ? "next stop" : "", "runs ", strip_escapes_line(o->arena, j->gate->name),
			is_root ? "" : " in ", is_root ? STR("") : strip_escapes_line(o->arena, j->dir),
			"  (", strip_escapes_line(o->arena, j->reason), ")");
	}
	if (n->reused_count > 0)
		add_row(b, o, "", "and reuses the result of ", n->reused_count);
}

static struct str
as_text(const struct page *o)
{
	struct buf b = BUF(o->arena, TEXT_LIMIT_BYTES);
	const struct gates_config *c = o->about->config;
	const struct past_results *past = &o->about->next.past;
	int64_t at_us;
	size_t counts[OUTCOME_COUNT] = { 0 };
	struct str known = STR("");

	add_row(&b, o, "gates", path_shown(path_join(o->arena, c->root, gates_file(c->root)), o->cwd), ": ",
		c->check_count, " ", c->check_count == 1 ? "check" : "checks", ", ", c->review_count, " ",
		c->review_count == 1 ? "review" : "reviews", ", compared with ", o->about->next.base);
	for (size_t i = 0; i < past->count; i++)
		counts[past->items[i].outcome]++;
	if (counts[OUTCOME_PASS] + counts[OUTCOME_FAIL] + counts[OUTCOME_ERROR] > 0)
		known = str_cat(o->arena, "; known now: ", counts[OUTCOME_PASS], " passed, ",
				counts[OUTCOME_FAIL], " failed",
				counts[OUTCOME_ERROR] > 0 ? ", some could not run" : "");
	for (struct str off = o->guards_off, line; str_next(&off, '\n', &line);)
		add_row(&b, o, "guards", line);
	if (clock_parse(o->about->next.completed_at, &at_us))
		add_row(&b, o, "last run", duration_age(o->arena, clock_real_us() - at_us), " ago", known);
	else
		add_row(&b, o, "last run", "none yet");
	for_each (r, past->items, past->count) {
		bool has_log = r->log.s && !r->is_archived,
		     has_place = r->place.n > 0 && !str_is(r->place, ".");

		if (past_is_failure(r))
			add_row(&b, o, "failing",
				strip_escapes_line(o->arena,
						   str_cat(o->arena, r->name, has_place ? " in " : "",
							   has_place ? r->place : STR_NONE)),
				has_log ? "  " : "",
				has_log ? path_shown(path_join(o->arena, o->about->logs.path, r->log), o->cwd)
					: STR_NONE);
	}
	if (o->about->tries > 0)
		add_row(&b, o, "tries", o->about->tries, " of ", c->max_retries, " used");
	if (o->about->is_running)
		add_row(&b, o, "running", "a run is in progress");
	add_next(&b, o);
	return buf_str(&b);
}

static struct str
as_json(const struct page *o)
{
	struct buf b = BUF(o->arena, TEXT_LIMIT_BYTES);
	const struct overview *about = o->about;
	const struct run_preview *next = &about->next;

	json_open(&b, NULL, '{');
	json_add(&b, "project", about->config->root, "base", next->base, "last_run", next->completed_at);
	json_open(&b, "failing", '[');
	for_each (r, next->past.items, next->past.count) {
		bool has_log = r->log.s && !r->is_archived;

		if (!past_is_failure(r))
			continue;
		json_add_object(&b, NULL, "gate", r->name, "in", r->place, "log",
				has_log ? path_join(o->arena, about->logs.path, r->log) : STR_NONE);
	}
	json_close(&b, "]");
	/* Those of reviews that have failed, as the agent has marked them. */
	json_open(&b, "findings", '[');
	for_each (r, next->past.items, next->past.count) {
		bool is_open = r->kind == GATE_REVIEW && past_is_failure(r);

		for (size_t k = 0; is_open && k < r->open.count; k++) {
			const struct finding *f = &r->open.items[k];

			json_add_object(&b, NULL, "id", finding_id(o->arena, f), "gate", r->name, "status",
					finding_status_name(f->status), "file", f->file.s ? f->file : STR(""),
					"line", JSON_IF(f->line > 0, f->line), "priority", f->priority,
					"issue", f->issue.s ? f->issue : STR(""), "fix", f->fix);
		}
	}
	json_close(&b, "]");
	json_add(&b, "tries_used", about->tries, "tries", about->config->max_retries, "running",
		 about->is_running, "off", about->is_off, "reused", next->reused_count, "guards_off",
		 JSON_IF(o->guards_off.n > 0, o->guards_off));
	json_open(&b, "next", '[');
	for_each (j, next->jobs.items, next->jobs.count)
		json_add_object(&b, NULL, "id", j->id, "gate", j->gate->name, "reason", j->reason);
	json_close(&b, "]}\n");
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct overview *about = arena_new(a, struct overview);
	struct page page = { .arena = a, .about = about, .has_colour = tty_wants_colour(1), .cwd = inv->cwd };

	struct project_facts *facts = arena_new(a, struct project_facts);
	struct str problem = gates_overview(a, OVERVIEW_OFF | OVERVIEW_NEXT, about);

	if (problem.s)
		return command_error(inv, problem);
	project_facts_load(a, inv->cwd, facts);
	page.guards_off = str_trim(guards_off_lines(a, facts));
	return print_out(option_has(inv, "json") ? as_json(&page) : as_text(&page));
}

const struct command status_command = {
	.name = "status",
	.summary = "what failed, what is left to do, and what the next stop will run",
	.details =
		"Shows the last run of the gates, the failures that are outstanding with their logs, the "
		"tries that a session has used, and the gates that would run at a stop now, each with the "
		"reason. If the project has guards and a client's hook for tools is not registered, it "
		"says so. Runs and changes nothing. For loops, see 'holdfast ralph status'; for everything "
		"else that is active, 'holdfast doctor'.",
	TAKES(FLAG("json", "print JSON, for scripts")),
	.needs_cwd = true,
	.run = run,
};
