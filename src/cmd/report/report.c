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

/* A report is written in parts of this size. */
#define PART_BYTES KIB(64)

/* Neither a tag nor a comment can begin in the facts of a page: these characters occur in JSON only within strings. */
static struct str
without_marks(struct arena *a, struct str json)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t from = 0; from < json.n;) {
		size_t at = from;

		while (at < json.n && json.s[at] != '<' && json.s[at] != '>' && json.s[at] != '&')
			at++;
		buf_add(&b, str_sub(json, from, at));
		if (at < json.n)
			buf_addf(&b, "\\u%04x", (unsigned)json.s[at]);
		from = at + 1;
	}
	return buf_str(&b);
}

static void
write_part(struct report *r, struct str text)
{
	if (r->is_html)
		text = without_marks(&r->arena, text);
	if (!r->has_failed)
		r->has_failed = print_to(r->fd, text, r->err) < 0;
}

void
report_pass(struct report *r)
{
	if (r->text.n < PART_BYTES)
		return;
	char last = r->text.s[r->text.n - 1]; /* it says whether a comma comes next */

	write_part(r, (struct str){ r->text.s, r->text.n - 1 });
	arena_free(&r->arena);
	r->text = BUF(&r->arena, SIZE_MAX);
	buf_addc(&r->text, last);
}

int
report_end(struct report *r)
{
	write_part(r, buf_str(&r->text));
	arena_free(&r->arena);
	r->text = BUF(&r->arena, SIZE_MAX);
	return r->has_failed ? -1 : 0;
}

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
add_session(struct report *r, const struct activity_session *s)
{
	const struct activity *f = r->facts;
	struct arena *a = &r->arena;
	struct buf *b = &r->text;

	json_open(b, NULL, '{');
	json_add(b, "project", s->project, "session", s->id, "name", session_name(f->known, s->id), "client",
		 s->client, "first", clock_format_known(a, s->first_us), "last",
		 clock_format_known(a, s->last_us));
	json_add(b, "blocks", s->blocks, "denied", s->denied, "asked", s->asked);
	add_count(b, &s->count);
	add_usage(b, &s->usage);
	json_add(b, "unknown_model", s->unknown_model);
	json_open(b, "iterations", '[');
	for (const struct activity_iteration *i = s->iterations; i; i = i->next) {
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
		for_each (x, i->results, i->result_count) {
			json_open(b, NULL, '{');
			add_place(b, &f->gates[x->gate]);
			json_add(b, "outcome", gate_outcome_name(x->outcome), "ms", x->ms, "reused",
				 x->is_reused, "flaky", x->is_flaky);
			json_close(b, "}");
		}
		json_close(b, "]}");
		report_pass(r);
	}
	json_close(b, "]}");
}

static void
add_facts(struct report *r)
{
	const struct activity *f = r->facts;
	struct arena *a = &r->arena;
	struct buf *b = &r->text;

	json_open(b, NULL, '{');
	json_add(b, "project", f->project, "made", clock_format_known(a, f->now_us), "first",
		 clock_format_known(a, f->first_us), "last", clock_format_known(a, f->last_us));
	json_add(b, "stops", f->stops, "blocks", f->blocks, "denied", f->denied, "asked", f->asked);
	add_count(b, &f->count);
	add_usage(b, &f->usage);
	json_open(b, "sessions", '[');
	for (size_t i = 0; i < f->session_count; i++)
		add_session(r, &f->sessions[i]);
	json_close(b, "]");
	json_open(b, "loops", '[');
	for_each (l, f->loops, f->loop_count) {
		json_open(b, NULL, '{');
		json_add(b, "project", l->project, "session", l->session, "name",
			 session_name(f->known, l->session), "reason", l->reason, "started",
			 clock_format_known(a, l->started_us), "ended", clock_format_known(a, l->ended_us),
			 "iterations", l->iterations, "max_iterations", JSON_IF(l->most > 0, l->most));
		add_usage(b, &l->usage);
		json_close(b, "}");
		report_pass(r);
	}
	json_close(b, "]");
	json_open(b, "gates", '[');
	for_each (g, f->gates, f->gate_count) {
		json_open(b, NULL, '{');
		json_add(b, "project", g->project);
		add_place(b, g);
		json_add(b, "runs", g->runs, "passed", g->passed, "failed", g->failed, "errors", g->errors,
			 "reused", g->reused, "flaky", g->flaky);
		json_add(b, "median_ms", g->median_ms, "p95_ms", g->p95_ms, "total_ms", g->total_ms);
		json_close(b, "}");
		report_pass(r);
	}
	json_close(b, "]");
	json_add(b, "notes", &f->notes);
	json_close(b, "}");
}

int
activity_json(const struct activity *f, int fd, struct err *err)
{
	struct report r = report_new(f, fd, err);

	r.text.arena = &r.arena;
	add_facts(&r);
	buf_addc(&r.text, '\n');
	return report_end(&r);
}

int
activity_html(const struct activity *f, int fd, struct err *err)
{
	struct report r = report_new(f, fd, err);

	r.text.arena = &r.arena;
	if (print_to(fd, STR(REPORT_PAGE_BEGIN), err) < 0)
		return -1;
	r.is_html = true;
	json_open(&r.text, NULL, '{');
	json_add(&r.text, "facts", JSON(STR("")));
	add_facts(&r);
	words_add_reasons(&r.text);
	json_close(&r.text, "}");
	return report_end(&r) < 0 ? -1 : print_to(fd, STR(REPORT_PAGE_END), err);
}

/* ---- the command ---- */

static int
write_page(void *facts, int fd, struct err *err)
{
	return activity_html(facts, fd, err);
}

static int
end_output(const struct invocation *inv, int result, const struct err *err)
{
	return result == 0 ? 0 : command_error(inv, "cannot write the output: ", err->msg);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct decision_filter filter;
	CLEANUP(activity_free) struct activity f = activity_new(a);
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
		return end_output(inv, activity_json(&f, 1, &err), &err);
	if (file.s && str_is(file, "-"))
		return end_output(inv, activity_html(&f, 1, &err), &err);
	if (file.s) {
		if (fs_kind(file.s) == FS_DIR)
			return command_error(inv, "--html: ", file, " is a directory; name a file, such as ",
					     file, "/report.html");
		if (fs_replace_with(a, file.s, write_page, &f, 0644, &err) < 0)
			return command_error(inv, "--html: ", err.msg);
		print_cat("wrote ", file, "\n");
		return 0;
	}
	if (f.session_count == 0 && f.loop_count == 0) {
		print_cat("no decision on record", filter.project.s ? " in " : "",
			  filter.project.s ? filter.project : STR(""), "\n");
		return 0;
	}
	return end_output(inv, activity_text(&f, 1, print_width(1), tty_wants_colour(1), &err), &err);
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
