/* SPDX-License-Identifier: MIT */
/* holdfast report: what happened in a span of time, as text, as one JSON object, or as the page that share/report.html is for a browser.
 * Changes nothing but the file that it writes. */
#include "cmd/report/report.h"

#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/journal/journal.h"
#include "cmd/report_page.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#include <inttypes.h>

/* ---- the facts as JSON ---- */

static void
add_count(struct buf *b, const struct activity_count *c)
{
	json_add(b, "commits", c->commits, "files", c->files, "added", c->added, "removed", c->removed);
}

static void
add_usage(struct buf *b, const struct activity_usage *u)
{
	if (u->is_known)
		json_add(b, "tokens", u->tokens, "cost_usd",
			 JSON(str_fmt(b->arena, "%" PRId64 ".%09" PRId64, u->cost / 1000000000,
				      u->cost % 1000000000)));
}

static void
add_place(struct buf *b, const struct activity_gate *g)
{
	json_add(b, "gate", g->name, "in", g->in, "reviewer", g->reviewer.n > 0 ? g->reviewer : STR_NONE);
}

static void
add_session(struct arena *a, struct buf *b, const struct activity *f, const struct activity_session *s)
{
	json_open(b, NULL, '{');
	json_add(b, "project", s->project, "session", s->id, "name", session_name(&f->known, s->id), "client",
		 s->client, "first", clock_format_known(a, s->first_us), "last",
		 clock_format_known(a, s->last_us));
	json_add(b, "blocks", s->blocks, "denied", s->denied, "asked", s->asked);
	add_count(b, &s->count);
	add_usage(b, &s->usage);
	json_add(b, "unknown_model", s->unknown_model);
	json_open(b, "iterations", '[');
	for (size_t k = 0; k < s->iteration_count; k++) {
		const struct activity_iteration *i = &s->iterations[k];

		json_open(b, NULL, '{');
		json_add(b, "time", clock_format_known(a, i->time_us), "took_ms",
			 JSON_IF(i->took_ms >= 0, i->took_ms), "hook_ms", i->hook_ms, "decision",
			 i->is_block ? "block" : "allow", "policy", i->policy, "status", i->status, "message",
			 i->message);
		if (i->number > 0)
			json_add(b, "number", i->number, "of", i->of);
		add_count(b, &i->count);
		json_open(b, "commit_list", '[');
		for (size_t n = 0; n < i->count.commits; n++)
			json_add_object(b, NULL, "commit", i->commits[n].hash, "subject",
					i->commits[n].subject);
		json_close(b, "]");
		add_usage(b, &i->usage);
		json_open(b, "gates", '[');
		for (size_t n = 0; n < i->result_count; n++) {
			const struct activity_result *r = &i->results[n];

			json_open(b, NULL, '{');
			add_place(b, &f->gates[r->gate]);
			json_add(b, "outcome", gate_outcome_name(r->outcome), "ms", r->ms, "reused",
				 r->is_reused, "flaky", r->is_flaky);
			json_close(b, "}");
		}
		json_close(b, "]}");
	}
	json_close(b, "]}");
}

struct str
activity_json(struct arena *a, const struct activity *f)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_open(&b, NULL, '{');
	json_add(&b, "project", f->project, "made", clock_format_known(a, f->now_us), "first",
		 clock_format_known(a, f->first_us), "last", clock_format_known(a, f->last_us));
	json_add(&b, "stops", f->stops, "blocks", f->blocks, "denied", f->denied, "asked", f->asked);
	add_count(&b, &f->count);
	add_usage(&b, &f->usage);
	json_open(&b, "sessions", '[');
	for (size_t i = 0; i < f->session_count; i++)
		add_session(a, &b, f, &f->sessions[i]);
	json_close(&b, "]");
	json_open(&b, "loops", '[');
	for (size_t i = 0; i < f->loop_count; i++) {
		const struct activity_loop *l = &f->loops[i];

		json_open(&b, NULL, '{');
		json_add(&b, "project", l->project, "session", l->session, "name",
			 session_name(&f->known, l->session), "reason", l->reason, "started",
			 clock_format_known(a, l->started_us), "ended", clock_format_known(a, l->ended_us),
			 "iterations", l->iterations, "max_iterations", JSON_IF(l->most > 0, l->most));
		add_usage(&b, &l->usage);
		json_close(&b, "}");
	}
	json_close(&b, "]");
	json_open(&b, "gates", '[');
	for (size_t i = 0; i < f->gate_count; i++) {
		const struct activity_gate *g = &f->gates[i];

		json_open(&b, NULL, '{');
		json_add(&b, "project", g->project);
		add_place(&b, g);
		json_add(&b, "runs", g->runs, "passed", g->passed, "failed", g->failed, "errors", g->errors,
			 "reused", g->reused, "flaky", g->flaky);
		json_add(&b, "median_ms", g->median_ms, "p95_ms", g->p95_ms, "total_ms", g->total_ms);
		json_close(&b, "}");
	}
	json_close(&b, "]");
	json_add(&b, "notes", &f->notes);
	json_close(&b, "}\n");
	return buf_str(&b);
}

struct str
activity_html(struct arena *a, const struct activity *f)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str json = str_trim(activity_json(a, f));

	buf_add(&b, STR(REPORT_PAGE_BEGIN "{\"facts\":"));
	/* Neither a tag nor a comment can begin in it: these characters occur in JSON only within strings. */
	for (size_t i = 0; i < json.n; i++)
		if (json.s[i] == '<' || json.s[i] == '>' || json.s[i] == '&')
			buf_addf(&b, "\\u%04x", (unsigned)json.s[i]);
		else
			buf_addc(&b, json.s[i]);
	words_add_reasons(&b);
	buf_add(&b, STR("}" REPORT_PAGE_END));
	return buf_str(&b);
}

/* ---- the command ---- */

static int
run(struct arena *a, const struct invocation *inv)
{
	struct decision_filter filter;
	struct activity f = { .arena = a };
	struct str file = option_str(inv, "html"); /* or - for stdout */
	struct err err;

	if (file.s && option_has(inv, "json"))
		return usage_error(inv, "--html and --json exclude each other");
	if (file.s && file.n == 0)
		return usage_error(inv, "--html needs the name of a file, or - for standard output");
	if (decision_filter_read(a, inv, &filter) != 0)
		return 1;
	if (activity_collect(&f, &filter, &err) < 0)
		return command_error(inv, err.msg);
	if (option_has(inv, "json"))
		return print_out(activity_json(a, &f));
	if (file.s && str_is(file, "-"))
		return print_out(activity_html(a, &f));
	if (file.s) {
		if (fs_kind(file.s) == FS_DIR)
			return command_error(inv, "--html: ", file, " is a directory; name a file, such as ",
					     file, "/report.html");
		if (fs_replace(a, file.s, activity_html(a, &f), 0644, &err) < 0)
			return command_error(inv, "--html: ", err.msg);
		print_cat("wrote ", file, "\n");
		return 0;
	}
	if (f.session_count == 0 && f.loop_count == 0) {
		print_cat("no decision on record", filter.project.s ? " in " : "",
			  filter.project.s ? filter.project : STR(""), "\n");
		return 0;
	}
	return print_out(activity_text(a, &f, print_width(1), tty_wants_colour(1)));
}

const struct command report_command = {
	.name = "report",
	.summary = "what happened: iterations, commits, gates, tokens, why loops ended",
	.details = HELP_REPORT,
	TAKES(VALUE("html", "FILE",
		    "write a page for a browser, that needs nothing else; - for standard output"),
	      DECISION_TIME_OPTIONS, DECISION_PLACE_OPTIONS, FLAG("json", "print JSON, for scripts")),
	.run = run,
};
