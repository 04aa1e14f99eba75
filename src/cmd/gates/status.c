/* SPDX-License-Identifier: MIT */
/* status: what the last run found, what is outstanding, and what the next stop will run. Runs and changes nothing. */
#include "base/duration.h"
#include "base/escapes.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "gates/run.h"
#include "install/project_facts.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "record/logdir.h"
#include "store/off.h"
#include "store/session.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(16)
#define LABEL_WIDTH 10

struct overview {
	struct arena *arena;
	struct gates_config config;
	struct run_preview next;
	struct logdir logs;
	bool is_running;
	int64_t tries; /* that a session has used */
	bool is_off;
	int64_t off_until_ms;
	bool has_colour;
	struct str cwd;
};

static struct str
shown_name(const struct overview *o, const struct past_result *r)
{
	bool has_place = r->place.s && !str_is(r->place, ".") && r->place.n > 0;

	return strip_escapes_line(o->arena, has_place ? str_fmt(o->arena, STR_FMT " in " STR_FMT,
								STR_ARG(r->name), STR_ARG(r->place))
						      : r->name);
}

static struct str
log_path(const struct overview *o, const struct past_result *r)
{
	return r->log.s && !r->is_archived ? shown_path(path_join(o->arena, o->logs.path, r->log), o->cwd)
					   : STR_NONE;
}

static void PRINTF_LIKE(4, 5)
	add_row(struct buf *b, const struct overview *o, const char *label, const char *fmt, ...)
{
	va_list args;

	print_styled(b, o->has_colour, STYLE_BOLD, str_from(label));
	buf_addf(b, "%*s", (int)(LABEL_WIDTH - str_from(label).n), "");
	va_start(args, fmt);
	buf_add(b, str_vfmt(o->arena, fmt, args));
	va_end(args);
	buf_addc(b, '\n');
}

static void
add_last_run(struct buf *b, const struct overview *o)
{
	int64_t at_us;
	size_t passed = 0, failed = 0, unable = 0;

	for (size_t i = 0; i < o->next.past.count; i++) {
		const struct past_result *r = &o->next.past.items[i];

		passed += r->outcome == OUTCOME_PASS;
		failed += r->outcome == OUTCOME_FAIL;
		unable += r->outcome == OUTCOME_ERROR;
	}
	if (!clock_parse(o->next.completed_at, &at_us)) {
		add_row(b, o, "last run", "none yet");
		return;
	}
	struct str age = duration_age(o->arena, clock_real_us() - at_us);

	if (passed + failed + unable == 0)
		add_row(b, o, "last run", STR_FMT " ago", STR_ARG(age));
	else
		add_row(b, o, "last run", STR_FMT " ago; known now: %zu passed, %zu failed%s", STR_ARG(age),
			passed, failed, unable > 0 ? ", some could not run" : "");
}

static void
add_failures(struct buf *b, const struct overview *o)
{
	for (size_t i = 0; i < o->next.past.count; i++) {
		const struct past_result *r = &o->next.past.items[i];
		struct str log = log_path(o, r);

		if (past_is_failure(r))
			add_row(b, o, "failing", STR_FMT "%s" STR_FMT, STR_ARG(shown_name(o, r)),
				log.s ? "  " : "", STR_ARG(log.s ? log : STR("")));
	}
}

static void
add_next(struct buf *b, const struct overview *o)
{
	const struct run_preview *n = &o->next;

	if (o->is_off) {
		add_row(b, o, "next stop", "allowed: holdfast is off; 'holdfast on' ends that");
		return;
	}
	if (o->config.sourced.stop_hook_enabled.value == 0) {
		add_row(b, o, "next stop", "no gate runs: stop_hook.enabled is false");
		return;
	}
	if (n->jobs.count == 0) {
		add_row(b, o, "next stop", "no gate runs: %s",
			n->reused_count > 0   ? "nothing has changed since they passed"
			: n->change_count > 0 ? "none is for the files that changed"
					      : "nothing has changed");
		return;
	}
	for (size_t i = 0; i < n->jobs.count; i++) {
		const struct job *j = &n->jobs.items[i];
		bool is_root = str_is(j->dir, ".") || j->kind == GATE_REVIEW;

		add_row(b, o, i == 0 ? "next stop" : "", "runs " STR_FMT "%s" STR_FMT "  (" STR_FMT ")",
			STR_ARG(strip_escapes_line(o->arena, job_name(j))), is_root ? "" : " in ",
			STR_ARG(is_root ? STR("") : strip_escapes_line(o->arena, j->dir)),
			STR_ARG(strip_escapes_line(o->arena, j->reason)));
	}
	if (n->reused_count > 0)
		add_row(b, o, "", "and reuses the result of %zu", n->reused_count);
}

static struct str
as_text(const struct overview *o)
{
	struct buf b = BUF(o->arena, TEXT_LIMIT_BYTES);
	const struct gates_config *c = &o->config;

	add_row(&b, o, "gates", STR_FMT ": %zu %s, %zu %s, compared with " STR_FMT,
		STR_ARG(shown_path(path_join(o->arena, c->root, gates_file(c->root)), o->cwd)),
		c->check_count, c->check_count == 1 ? "check" : "checks", c->review_count,
		c->review_count == 1 ? "review" : "reviews", STR_ARG(o->next.base));
	add_last_run(&b, o);
	add_failures(&b, o);
	if (o->tries > 0)
		add_row(&b, o, "tries", "%lld of %lld used", (long long)o->tries, (long long)c->max_retries);
	if (o->is_running)
		add_row(&b, o, "running", "a run is in progress");
	add_next(&b, o);
	return buf_str(&b);
}

static void
add_jobs_json(struct buf *b, const struct job_list *jobs)
{
	json_add_key(b, "next");
	buf_addc(b, '[');
	for (size_t i = 0; i < jobs->count; i++) {
		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "id", jobs->items[i].id);
		json_add_member(b, "gate", job_name(&jobs->items[i]));
		json_add_member(b, "reason", jobs->items[i].reason);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_failures_json(struct buf *b, const struct overview *o)
{
	size_t count = 0;

	json_add_key(b, "failing");
	buf_addc(b, '[');
	for (size_t i = 0; i < o->next.past.count; i++) {
		const struct past_result *r = &o->next.past.items[i];

		if (!past_is_failure(r))
			continue;
		buf_add(b, count++ > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "gate", r->name);
		if (r->place.s)
			json_add_member(b, "in", r->place);
		if (r->log.s && !r->is_archived)
			json_add_member(b, "log", path_join(o->arena, o->logs.path, r->log));
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

/* The findings of reviews that have failed, as the agent has marked them. */
static void
add_findings_json(struct buf *b, const struct overview *o)
{
	size_t count = 0;

	json_add_key(b, "findings");
	buf_addc(b, '[');
	for (size_t i = 0; i < o->next.past.count; i++) {
		const struct past_result *r = &o->next.past.items[i];
		bool is_open = r->kind == GATE_REVIEW && past_is_failure(r);

		for (size_t k = 0; is_open && k < r->violation_count; k++) {
			const struct finding *f = &r->violations[k];

			buf_add(b, count++ > 0 ? STR(",{") : STR("{"));
			json_add_member(b, "id", finding_id(o->arena, f));
			json_add_member(b, "gate", r->name);
			json_add_member(b, "status", str_from(finding_status_name(f->status)));
			json_add_member(b, "file", f->file.s ? f->file : STR(""));
			if (f->line > 0)
				json_add_member_int(b, "line", f->line);
			if (f->priority.s)
				json_add_member(b, "priority", f->priority);
			json_add_member(b, "issue", f->issue.s ? f->issue : STR(""));
			if (f->fix.s)
				json_add_member(b, "fix", f->fix);
			buf_addc(b, '}');
		}
	}
	buf_addc(b, ']');
}

static struct str
as_json(const struct overview *o)
{
	struct buf b = BUF(o->arena, TEXT_LIMIT_BYTES);

	buf_addc(&b, '{');
	json_add_member(&b, "project", o->config.root);
	json_add_member(&b, "base", o->next.base);
	if (o->next.completed_at.s)
		json_add_member(&b, "last_run", o->next.completed_at);
	add_failures_json(&b, o);
	add_findings_json(&b, o);
	json_add_member_int(&b, "tries_used", o->tries);
	json_add_member_int(&b, "tries", o->config.max_retries);
	json_add_member_bool(&b, "running", o->is_running);
	json_add_member_bool(&b, "off", o->is_off);
	json_add_member_int(&b, "reused", (int64_t)o->next.reused_count);
	add_jobs_json(&b, &o->next.jobs);
	buf_add(&b, STR("}\n"));
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct overview *o = arena_new(a, struct overview);
	struct project_dirs where;
	struct err err;

	*o = (struct overview){ .arena = a, .has_colour = tty_wants_colour(1), .cwd = fs_cwd(a) };
	if (gauntlet_open(a, invocation_program(inv), &o->config) < 0)
		return 1;
	find_base_branch(a, &o->config);
	if (preview_run(a, &o->config, &o->next, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	project_find(&where, o->cwd, WITHIN_REPOSITORY);
	o->logs = logdir_of(a, o->config.root, o->config.log_dir);
	o->is_running = logdir_lock_state(a, &o->logs) == PIDFILE_HELD;
	o->tries = sessions_most_tries(a, o->config.root);
	o->is_off = off_is_set(a, where.repository.s ? where.repository : o->config.root,
			       clock_real_us() / 1000, &o->off_until_ms);
	return print_out(option_has(inv, "json") ? as_json(o) : as_text(o));
}

static const struct option_row options[] = {
	{ .name = "json", .help = "print JSON, for scripts" },
};

const struct command status_command = {
	.name = "status",
	.summary = "what failed, what is left to do, and what the next stop will run",
	.details =
		"Shows the last run of the gates, the failures that are outstanding with their logs, the "
		"tries "
		"that a session has used, and the gates that would run at a stop now, each with the reason. "
		"Runs and changes nothing. For loops, see 'holdfast ralph status'; for everything else that "
		"is active, 'holdfast doctor'.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
