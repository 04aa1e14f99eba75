/* SPDX-License-Identifier: MIT */
/* A report as a page for a browser: one file, with its style in it, charts as SVG, and neither script nor reference to
 * anything outside. Everything from a journal goes through html_text(). */
#include "cmd/report/html.h"

#include "base/escapes.h"
#include "base/utf8.h"
#include "cmd/report_style.h"
#include "os/clock.h"

#include <stdarg.h>

#define SESSION_SHOWN 8
#define COMMITS_SHOWN 3
#define SUBJECT_SHOWN 100

void
html_add(struct html *h, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	buf_add(&h->out, str_vfmt(h->arena, fmt, args));
	va_end(args);
}

void
html_text(struct html *h, struct str text)
{
	static const struct {
		char c;
		const char *name;
	} marks[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\'', "&#39;" }
	};

	text = strip_escapes_line(h->arena, text.s ? text : STR(""));
	for (size_t i = 0; i < text.n; i++) {
		size_t k = 0;

		while (k < COUNT_OF(marks) && marks[k].c != text.s[i])
			k++;
		if (k < COUNT_OF(marks))
			buf_add(&h->out, str_from(marks[k].name));
		else
			buf_addc(&h->out, text.s[i]);
	}
}

struct str
html_session_name(struct arena *a, const struct facts_session *s)
{
	struct str id = strip_escapes_line(a, s->id);

	return id.n > 0 ? utf8_prefix(id, SESSION_SHOWN) : STR("(no id)");
}

/* ---- the top ---- */

static void
add_head(struct html *h)
{
	struct str first = clock_format_seconds(h->arena, h->facts->first_us);

	html_add(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
		    "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n<title>holdfast report");
	if (h->facts->first_us > 0)
		html_add(h, ", " STR_FMT, STR_ARG(str_sub(first, 0, 10)));
	html_add(h, "</title>\n<style>\n");
	buf_add(&h->out, STR(REPORT_STYLE));
	html_add(h, "</style>\n</head>\n<body>\n");
}

/* <b>VALUE</b><span>LABEL</span>; both are ours. */
static void
add_tile(struct html *h, struct str value, struct str label)
{
	html_add(h, "<li><b>" STR_FMT "</b><span>" STR_FMT "</span></li>\n", STR_ARG(value), STR_ARG(label));
}

static void
add_tiles(struct html *h)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;
	size_t runs = 0, passed = 0;

	for (size_t i = 0; i < f->gate_count; i++) {
		runs += f->gates[i].runs;
		passed += f->gates[i].passed;
	}
	html_add(h, "<ul class=\"tiles\">\n");
	add_tile(h, str_fmt(a, "%zu", f->stops),
		 str_fmt(a, "%s, %zu blocked, %zu allowed", f->stops == 1 ? "stop" : "stops", f->blocks,
			 f->stops - f->blocks));
	add_tile(h, str_fmt(a, "%zu", f->count.commits),
		 str_fmt(a, "%s, " STR_FMT, f->count.commits == 1 ? "commit" : "commits",
			 STR_ARG(words_count(a, f->count.files, "file", "files"))));
	if (f->count.commits > 0)
		add_tile(h,
			 str_fmt(a, "+%llu −%llu", (unsigned long long)f->count.added,
				 (unsigned long long)f->count.removed),
			 STR("lines"));
	if (runs > 0)
		add_tile(h, str_fmt(a, "%zu %%", passed * 100 / runs),
			 str_fmt(a, "of %zu gate runs passed", runs));
	if (f->usage.is_known)
		add_tile(h, words_dollars(a, f->usage.cost),
			 str_fmt(a, STR_FMT " tokens", STR_ARG(words_tokens(a, f->usage.tokens))));
	if (f->denied + f->asked > 0)
		add_tile(h, str_fmt(a, "%zu", f->denied + f->asked),
			 str_fmt(a, "tools denied (%zu) or asked about (%zu)", f->denied, f->asked));
	html_add(h, "</ul>\n");
}

static void
add_top(struct html *h)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;

	html_add(h, "<header>\n<h1>holdfast report</h1>\n<p><code>");
	html_text(h, f->project.s ? f->project : STR("all projects"));
	html_add(h, "</code></p>\n<p class=\"muted\">");
	if (f->first_us > 0)
		html_add(h, STR_FMT " to " STR_FMT " UTC, " STR_FMT "</p>\n",
			 STR_ARG(str_fmt(a, STR_FMT " " STR_FMT,
					 STR_ARG(str_sub(clock_format_seconds(a, f->first_us), 0, 10)),
					 STR_ARG(str_sub(clock_format_seconds(a, f->first_us), 11, 16)))),
			 STR_ARG(str_fmt(a, STR_FMT " " STR_FMT,
					 STR_ARG(str_sub(clock_format_seconds(a, f->last_us), 0, 10)),
					 STR_ARG(str_sub(clock_format_seconds(a, f->last_us), 11, 16)))),
			 STR_ARG(words_span(a, (f->last_us - f->first_us) / 1000)));
	else
		html_add(h, "No decision is on record.</p>\n");
	html_add(h, "</header>\n");
	if (f->first_us > 0)
		add_tiles(h);
}

/* ---- loops ---- */

static void
add_loop(struct html *h, const struct facts_loop *l)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;
	bool is_good = words_reason_is_good(l->reason);

	html_add(h, "<div class=\"loop%s\">\n<p><span class=\"tag%s\">", is_good ? " good" : "",
		 is_good ? " good" : "");
	html_text(h, l->reason);
	html_add(h, "</span> " STR_FMT "</p>\n<p class=\"muted\">", STR_ARG(words_reason(l->reason)));
	html_add(h, STR_FMT, STR_ARG(words_count(a, (size_t)l->iterations, "iteration", "iterations")));
	if (l->most > 0)
		html_add(h, " of %lld", (long long)l->most);
	if (l->started_us > 0)
		html_add(h, " in " STR_FMT,
			 STR_ARG(words_span(a, ((l->ended_us > 0 ? l->ended_us : f->now_us) - l->started_us) /
						       1000)));
	if (l->ended_us > 0)
		html_add(h, ", ended <span class=\"t\">" STR_FMT "</span>",
			 STR_ARG(words_time(a, f, l->ended_us)));
	if (l->usage.is_known)
		html_add(h, ", " STR_FMT " tokens, " STR_FMT, STR_ARG(words_tokens(a, l->usage.tokens)),
			 STR_ARG(words_dollars(a, l->usage.cost)));
	html_add(h, ", session <code>");
	html_text(h, utf8_prefix(l->session, SESSION_SHOWN));
	html_add(h, "</code>");
	if (!f->project.s) {
		html_add(h, " in <code>");
		html_text(h, l->project);
		html_add(h, "</code>");
	}
	html_add(h, "</p>\n</div>\n");
}

static void
add_loops(struct html *h)
{
	if (h->facts->loop_count == 0)
		return;
	html_add(h, "<section>\n<h2>Why each loop ended</h2>\n");
	for (size_t i = 0; i < h->facts->loop_count; i++)
		add_loop(h, &h->facts->loops[i]);
	html_add(h, "</section>\n");
}

/* ---- tables ---- */

/* A cell with a figure; on a phone its unit follows, and an empty one is left out. */
static void
add_figure(struct html *h, struct str figure, const char *unit, const char *class)
{
	if (figure.n == 0)
		html_add(h, "<td class=\"r nil\">–</td>");
	else
		html_add(h, "<td class=\"r%s%s\">" STR_FMT "<span class=\"unit\"> %s</span></td>",
			 class[0] ? " " : "", class, STR_ARG(figure), unit);
}

static struct str
figure(struct arena *a, size_t n)
{
	return n > 0 ? str_fmt(a, "%zu", n) : STR("");
}

static void
add_gate_row(struct html *h, const struct facts_gate *g)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;

	html_add(h, "<tr><th scope=\"row\">");
	html_text(h, facts_gate_title(a, g));
	if (g == facts_slowest(f) && f->gate_count > 1)
		html_add(h, " <span class=\"tag\">slowest</span>");
	if (g == facts_flakiest(f))
		html_add(h, " <span class=\"tag\">flakiest</span>");
	if (!f->project.s) {
		html_add(h, "<br><span class=\"muted\">");
		html_text(h, g->project);
		html_add(h, "</span>");
	}
	html_add(h, "</th>");
	add_figure(h, str_fmt(a, "%zu", g->runs), g->runs == 1 ? "run" : "runs", "");
	add_figure(h, figure(a, g->passed), "passed", "");
	add_figure(h, figure(a, g->failed), "failed", g->failed > 0 ? "bad" : "");
	add_figure(h, figure(a, g->errors), "could not run", g->errors > 0 ? "bad" : "");
	add_figure(h, figure(a, g->flaky), "flaky", g->flaky > 0 ? "warn" : "");
	add_figure(h, g->runs > 0 ? words_span(a, g->median_ms) : STR(""), "median", "");
	add_figure(h, g->runs > 0 ? words_span(a, g->p95_ms) : STR(""), "p95", "");
	add_figure(h, g->runs > 0 ? words_span(a, g->total_ms) : STR(""), "total", "");
	html_add(h, "</tr>\n");
}

static void
add_gates(struct html *h)
{
	const struct facts *f = h->facts;

	if (f->gate_count == 0)
		return;
	html_add(h, "<section>\n<h2>Gates</h2>\n");
	html_strips(h);
	html_add(h,
		 "<table class=\"times\">\n<thead><tr><th scope=\"col\">gate</th><th scope=\"col\" "
		 "class=\"r\">runs</th><th scope=\"col\" class=\"r\">passed</th><th scope=\"col\" "
		 "class=\"r\">failed</th><th scope=\"col\" class=\"r\">could not run</th><th scope=\"col\" "
		 "class=\"r\">flaky</th><th scope=\"col\" class=\"r\">median</th><th scope=\"col\" "
		 "class=\"r\">p95</th><th scope=\"col\" class=\"r\">total</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < f->gate_count; i++)
		add_gate_row(h, &f->gates[i]);
	html_add(h, "</tbody>\n</table>\n");
	if (facts_flakiest(f))
		html_add(h,
			 "<p class=\"muted\">Flaky: it passed when it was tried again, or its result changed "
			 "though the files had not.</p>\n");
	html_add(h, "</section>\n");
}

static bool
has_failure(const struct facts_iteration *i)
{
	for (size_t k = 0; k < i->result_count; k++)
		if (i->results[k].outcome == OUTCOME_FAIL || i->results[k].outcome == OUTCOME_ERROR)
			return true;
	return false;
}

/* What was done, in the agent's own words. */
static void
add_commits(struct html *h, const struct facts_iteration *i)
{
	size_t shown = i->count.commits < COMMITS_SHOWN ? i->count.commits : COMMITS_SHOWN;

	for (size_t k = 0; k < shown; k++) {
		html_add(h, "<small><code>" STR_FMT "</code> ", STR_ARG(str_sub(i->commits[k].hash, 0, 7)));
		html_text(h, utf8_prefix(i->commits[k].subject, SUBJECT_SHOWN));
		html_add(h, "</small>");
	}
	if (i->count.commits > shown)
		html_add(h, "<small>and %zu more</small>", i->count.commits - shown);
}

static void
add_iteration(struct html *h, size_t number, const struct facts_iteration *i)
{
	struct arena *a = h->arena;
	struct str when = clock_format_seconds(a, i->time_us);

	html_add(h,
		 "<tr><th scope=\"row\" class=\"r\">%zu</th><td class=\"t\"><time datetime=\"" STR_FMT
		 "\">" STR_FMT "</time></td>",
		 number, STR_ARG(when), STR_ARG(words_time(a, h->facts, i->time_us)));
	add_figure(h, i->took_ms >= 0 ? words_span(a, i->took_ms) : STR(""), "", "");
	html_add(h, "<td class=\"verdict\"><span class=\"tag%s\">%s</span></td>", i->is_block ? "" : " allow",
		 i->is_block ? "block" : "allow");
	html_add(h, "<td class=\"why\"><span%s>", has_failure(i) ? " class=\"failed\"" : "");
	html_text(h, words_why(a, h->facts, i));
	html_add(h, "</span>");
	add_commits(h, i);
	html_add(h, "</td>");
	add_figure(h, figure(a, i->count.commits), i->count.commits == 1 ? "commit" : "commits", "");
	add_figure(h, figure(a, i->count.files), i->count.files == 1 ? "file" : "files", "");
	add_figure(h, i->usage.is_known ? words_tokens(a, i->usage.tokens) : STR(""), "tokens", "");
	add_figure(h, i->usage.is_known ? words_dollars(a, i->usage.cost) : STR(""), "", "");
	html_add(h, "</tr>\n");
}

static void
add_session(struct html *h, size_t number, const struct facts_session *s)
{
	struct arena *a = h->arena;

	html_add(h, "<section id=\"s%zu\">\n<h2>Session <code>", number);
	html_text(h, s->id.n > 0 ? s->id : STR("(no id)"));
	html_add(h, "</code></h2>\n<p class=\"muted\">");
	html_text(h, s->client);
	html_add(h, ", " STR_FMT ", %zu blocked, " STR_FMT,
		 STR_ARG(words_count(a, s->iteration_count, "stop", "stops")), s->blocks,
		 STR_ARG(words_count(a, s->count.commits, "commit", "commits")));
	if (s->count.commits > 0)
		html_add(h, " in " STR_FMT " (+%llu −%llu)",
			 STR_ARG(words_count(a, s->count.files, "file", "files")),
			 (unsigned long long)s->count.added, (unsigned long long)s->count.removed);
	if (s->usage.is_known)
		html_add(h, ", " STR_FMT " tokens, " STR_FMT, STR_ARG(words_tokens(a, s->usage.tokens)),
			 STR_ARG(words_dollars(a, s->usage.cost)));
	if (s->denied + s->asked > 0)
		html_add(h, ", tools denied: %zu, asked about: %zu", s->denied, s->asked);
	if (!h->facts->project.s) {
		html_add(h, ", in <code>");
		html_text(h, s->project);
		html_add(h, "</code>");
	}
	html_add(h, "</p>\n");
	if (s->unknown_model.s) {
		html_add(h, "<p class=\"muted\">The cost lacks the model <code>");
		html_text(h, s->unknown_model);
		html_add(h, "</code>, whose price is not known.</p>\n");
	}
	if (s->iteration_count > 0) {
		html_bars(h, s);
		html_add(h,
			 "<table class=\"stops\">\n<thead><tr><th scope=\"col\" class=\"r\">#</th><th "
			 "scope=\"col\">time</th><th scope=\"col\" class=\"r\">took</th><th "
			 "scope=\"col\">stop</th><th scope=\"col\">why</th><th scope=\"col\" "
			 "class=\"r\">commits</th><th scope=\"col\" class=\"r\">files</th><th scope=\"col\" "
			 "class=\"r\">tokens</th><th scope=\"col\" class=\"r\">cost</th></tr></thead>\n"
			 "<tbody>\n");
		for (size_t n = 0; n < s->iteration_count; n++)
			add_iteration(h, n + 1, &s->iterations[n]);
		html_add(h, "</tbody>\n</table>\n");
	}
	html_add(h, "</section>\n");
}

struct str
facts_html(struct arena *a, const struct facts *f)
{
	struct html h = { .arena = a, .facts = f, .out = BUF(a, SIZE_MAX) };

	add_head(&h);
	add_top(&h);
	html_add(&h, "<main>\n");
	add_loops(&h);
	html_timeline(&h);
	add_gates(&h);
	for (size_t k = 0; k < f->session_count; k++)
		add_session(&h, k + 1, &f->sessions[k]);
	html_add(&h, "</main>\n<footer>\n");
	for (size_t i = 0; i < f->notes.count; i++) {
		html_add(&h, "<p>Not read: ");
		html_text(&h, f->notes.items[i]);
		html_add(&h, "</p>\n");
	}
	html_add(&h,
		 "<p>Made by <code>holdfast report</code> on " STR_FMT
		 ". Times are UTC.</p>\n</footer>\n</body>\n</html>\n",
		 STR_ARG(clock_format_seconds(a, f->now_us)));
	return buf_str(&h.out);
}
