/* SPDX-License-Identifier: MIT */
/* A report as plain text, no wider than the page. */
#include "cmd/report/report.h"

#include "base/duration.h"
#include "doc/json.h"
#include "loop/state.h"
#include "os/clock.h"
#include "ui/print.h"

/* ---- facts as words ---- */

struct str
words_span(struct arena *a, int64_t ms)
{
	return ms < 0 ? STR("-") : duration_span(a, ms);
}

struct str
words_tokens(struct arena *a, int64_t tokens)
{
	if (tokens < 1000)
		return str_cat(a, tokens);
	if (tokens < 1000000)
		return str_cat(a, tokens / 1000, ".", tokens % 1000 / 100, "k");
	return str_cat(a, tokens / 1000000, ".", tokens % 1000000 / 100000, "M");
}

/* ", 1.2M tokens, $3.40"; empty: not known. */
static struct str
usage_text(struct arena *a, const struct activity_usage *u)
{
	if (!u->is_known)
		return STR("");
	return str_cat(a, ", ", words_tokens(a, u->tokens), " tokens, $", loop_dollars(a, u->cost));
}

struct str
words_count(struct arena *a, size_t count, const char *one, const char *several)
{
	return str_cat(a, count, " ", count == 1 ? one : several);
}

static const struct {
	const char *reason, *sentence;
	bool is_good;
} reasons[] = {
	{ "complete", "the agent made its promise", true },
	{ "unverified", "the promise was made, but could not be verified", false },
	{ "stopped", "the agent gave up with a promise that means so", false },
	{ "stuck", "it got nowhere, and a warning did not help", false },
	{ "max_iterations", "all iterations were used", false },
	{ "max_minutes", "its minutes were used up", false },
	{ "max_tokens", "its tokens were used up", false },
	{ "max_cost_usd", "its budget was used up", false },
	{ "cancelled", "it was cancelled by hand", false },
	{ "corrupt_state", "its state file could not be read", false },
	{ "running", "it has not ended", true },
	{ "paused", "it is paused", false },
};

struct str
words_reason(struct str reason, bool *ret_is_good)
{
	size_t i = 0;

	while (i < COUNT_OF(reasons) && !str_is(reason, reasons[i].reason))
		i++;
	*ret_is_good = i < COUNT_OF(reasons) && reasons[i].is_good;
	return i < COUNT_OF(reasons) ? str_from(reasons[i].sentence) : STR("");
}

void
words_add_reasons(struct buf *b)
{
	json_open(b, "reasons", '{');
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		json_add_object(b, reasons[i].reason, "sentence", reasons[i].sentence, "good",
				reasons[i].is_good);
	json_close(b, "}");
}

/* The gates that failed at this stop, else what the policy said, on one line and harmless. */
static struct str
why_text(struct arena *a, const struct activity *f, const struct activity_iteration *i)
{
	struct buf b = BUF(a, SIZE_MAX);

	for_each (r, i->results, i->result_count) {
		if (r->outcome != OUTCOME_FAIL && r->outcome != OUTCOME_ERROR)
			continue;
		buf_cat(&b, b.n > 0 ? ", " : "", activity_gate_title(a, &f->gates[r->gate]),
			r->outcome == OUTCOME_FAIL ? " failed" : " could not run");
	}
	if (b.n > 0)
		return buf_str(&b);
	/* A loop has said which iteration comes next; a round is counted when it ends. */
	bool is_loop = str_is(i->policy, "loop");

	if (i->is_block && i->number > 0 && i->of > 0)
		return str_cat(a, is_loop ? "iteration" : "round", " ", i->number - is_loop, " of ", i->of);
	return str_trim(strip_escapes_line(a, i->message.n > 0 ? i->message : i->status));
}

/* 22:04:11 on the day of the report's first stop, else with the date: 11-16 04:17:39. */
static struct str
time_text(struct arena *a, const struct activity *f, int64_t time_us)
{
	struct str text = clock_format_seconds(a, time_us), day = clock_format_seconds(a, f->first_us);

	/* 2026-11-15T04:17:39Z */
	if (str_eq(str_sub(text, 0, 10), str_sub(day, 0, 10)))
		return str_sub(text, 11, 19);
	return str_cat(a, str_sub(text, 5, 10), " ", str_sub(text, 11, 19));
}

/* ---- the page ---- */

struct page {
	struct report report;
	int width;
	bool has_colour;
};

static void
add_heading(struct page *p, struct str text)
{
	buf_addc(&p->report.text, '\n');
	print_styled_line(&p->report.text, p->has_colour, STYLE_BOLD, text);
}

/* Right-aligned if the width is negative. */
static void
add_cell(struct page *p, struct str text, int width, enum style style)
{
	size_t most = (size_t)(width < 0 ? -width : width);
	struct str shown = utf8_cut(&p->report.arena, text, most);
	size_t blanks = most - utf8_length(shown);

	buf_addf(&p->report.text, "%*s", width < 0 ? (int)blanks : 0, "");
	print_styled(&p->report.text, p->has_colour, style, shown);
	buf_addf(&p->report.text, "%*s", width < 0 ? 0 : (int)blanks, "");
	buf_add(&p->report.text, STR("  "));
}

/* The last cell of a row takes what is left of the page. */
static void
end_row(struct page *p, struct str text, int used, enum style style)
{
	int most = p->width - used;

	print_styled(&p->report.text, p->has_colour, style,
		     utf8_cut(&p->report.arena, text, most > 8 ? (size_t)most : 8));
	while (p->report.text.n > 0 && p->report.text.s[p->report.text.n - 1] == ' ')
		p->report.text.n--;
	buf_addc(&p->report.text, '\n');
}

static struct str
number(struct arena *a, size_t n)
{
	return n == 0 ? STR("-") : str_cat(a, n);
}

/* "3 commits in 5 files (+10 -2), 1.2M tokens, $3.40": what is known. */
static struct str
work_text(struct arena *a, const struct activity_count *c, const struct activity_usage *u)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, words_count(a, c->commits, "commit", "commits"));
	if (c->commits > 0)
		buf_cat(&b, " in ", words_count(a, c->files, "file", "files"), " (+", c->added, " -",
			c->removed, ")");
	buf_add(&b, usage_text(a, u));
	return buf_str(&b);
}

static void
add_top(struct page *p)
{
	const struct activity *f = p->report.facts;
	struct arena *a = &p->report.arena;

	print_styled(&p->report.text, p->has_colour, STYLE_BOLD,
		     f->project.s ? strip_escapes_line(a, f->project) : STR("All projects"));
	buf_cat(&p->report.text, "\n", clock_format_seconds(a, f->first_us), " to ",
		clock_format_seconds(a, f->last_us), " (", words_span(a, (f->last_us - f->first_us) / 1000),
		")\n");
	buf_cat(&p->report.text, words_count(a, f->session_count, "session", "sessions"), ", ",
		words_count(a, f->stops, "stop", "stops"), ": ", f->blocks, " blocked, ",
		f->stops - f->blocks, " allowed");
	if (f->denied + f->asked > 0)
		buf_cat(&p->report.text, "; tools denied: ", f->denied, ", asked about: ", f->asked);
	buf_cat(&p->report.text, "\n", words_count(a, f->loop_count, "loop", "loops"), ", ",
		work_text(a, &f->count, &f->usage), "\n");
}

static void
add_loops(struct page *p)
{
	const struct activity *f = p->report.facts;
	struct arena *a = &p->report.arena;

	if (f->loop_count > 0)
		add_heading(p, STR("Loops"));
	for_each (l, f->loops, f->loop_count) {
		struct str reason = strip_escapes_line(a, l->reason);
		struct str session = strip_escapes_line(a, session_name(f->known, l->session));
		bool is_good;
		struct str sentence = words_reason(l->reason, &is_good);

		buf_add(&p->report.text, STR("  "));
		add_cell(p, l->ended_us > 0 ? time_text(a, f, l->ended_us) : STR("now"), 14, STYLE_PLAIN);
		add_cell(p, session, session.n > 8 ? (int)session.n : 8, STYLE_PLAIN);
		print_styled(&p->report.text, p->has_colour, is_good ? STYLE_GREEN : STYLE_YELLOW, reason);
		buf_addf(&p->report.text,
			 ": " STR_FMT "\n"
			 "%28s" STR_FMT,
			 STR_ARG(sentence), "",
			 STR_ARG(words_count(a, (size_t)l->iterations, "iteration", "iterations")));
		if (l->most > 0)
			buf_cat(&p->report.text, " of ", l->most);
		if (l->started_us > 0)
			buf_cat(&p->report.text, " in ",
				words_span(a, ((l->ended_us > 0 ? l->ended_us : f->now_us) - l->started_us) /
						      1000));
		buf_cat(&p->report.text, usage_text(a, &l->usage), "\n");
		report_pass(&p->report);
	}
}

static void
add_gates(struct page *p)
{
	const struct activity *f = p->report.facts;
	const struct activity_gate *slowest = NULL, *flakiest = NULL;
	struct arena *a = &p->report.arena;

	if (f->gate_count == 0)
		return;
	add_heading(p, STR("Gates"));
	print_styled(&p->report.text, p->has_colour, STYLE_DIM,
		     STR("  gate                  runs  failed  errors  flaky       median          p95\n"));
	for_each (g, f->gates, f->gate_count) {
		if (g->runs > 0 && (!slowest || g->median_ms > slowest->median_ms))
			slowest = g;
		if (g->flaky > 0 && (!flakiest || g->flaky > flakiest->flaky))
			flakiest = g;
		buf_add(&p->report.text, STR("  "));
		add_cell(p, activity_gate_title(a, g), 20, STYLE_PLAIN);
		add_cell(p, number(a, g->runs), -4, STYLE_PLAIN);
		add_cell(p, number(a, g->failed), -6, g->failed > 0 ? STYLE_RED : STYLE_PLAIN);
		add_cell(p, number(a, g->errors), -6, g->errors > 0 ? STYLE_RED : STYLE_PLAIN);
		add_cell(p, number(a, g->flaky), -5, g->flaky > 0 ? STYLE_YELLOW : STYLE_PLAIN);
		add_cell(p, words_span(a, g->runs > 0 ? g->median_ms : -1), -11, STYLE_PLAIN);
		add_cell(p, words_span(a, g->runs > 0 ? g->p95_ms : -1), -11, STYLE_PLAIN);
		end_row(p, STR(""), 0, STYLE_PLAIN);
		report_pass(&p->report);
	}
	if (slowest)
		buf_cat(&p->report.text, "  slowest: ", activity_gate_title(a, slowest), ", ",
			words_span(a, slowest->median_ms), " in the median, ",
			words_span(a, slowest->total_ms), " in total\n");
	if (flakiest)
		buf_cat(&p->report.text, "  flakiest: ", activity_gate_title(a, flakiest), ", ",
			words_count(a, flakiest->flaky, "time", "times"), "\n");
}

static void
add_sessions(struct page *p)
{
	const struct activity *f = p->report.facts;
	struct arena *a = &p->report.arena;

	for_each (s, f->sessions, f->session_count) {
		add_heading(p, str_cat(a, "Session ", strip_escapes_line(a, s->id), " (",
				       strip_escapes_line(a, s->client), ")"));
		if (!f->project.s)
			buf_cat(&p->report.text, "  ", strip_escapes_line(a, s->project), "\n");
		buf_add(&p->report.text, STR("  "));
		print_wrapped(&p->report.text,
			      str_cat(a, words_count(a, s->iteration_count, "stop", "stops"), ", ", s->blocks,
				      " blocked, ", work_text(a, &s->count, &s->usage)),
			      2, p->width);
		if (s->denied + s->asked > 0)
			buf_cat(&p->report.text, "  tools denied: ", s->denied, ", asked about: ", s->asked,
				"\n");
		if (s->unknown_model.s)
			buf_cat(&p->report.text, "  the cost lacks the model '",
				strip_escapes_line(a, s->unknown_model), "', whose price is not known\n");
		report_pass(&p->report);
		if (s->iteration_count == 0)
			continue;
		print_styled(&p->report.text, p->has_colour, STYLE_DIM,
			     STR("     #  time            took         commits  files  stop   why\n"));
		size_t n = 0;

		for (const struct activity_iteration *i = s->iterations; i; i = i->next) {
			add_cell(p, str_cat(a, ++n), -6, STYLE_DIM);
			add_cell(p, time_text(a, p->report.facts, i->time_us), 14, STYLE_PLAIN);
			add_cell(p, words_span(a, i->took_ms), 11, STYLE_PLAIN);
			add_cell(p, number(a, i->count.commits), -7, STYLE_PLAIN);
			add_cell(p, number(a, i->count.files), -5, STYLE_PLAIN);
			add_cell(p, i->is_block ? STR("block") : STR("allow"), 5,
				 i->is_block ? STYLE_YELLOW : STYLE_GREEN);
			end_row(p, why_text(a, p->report.facts, i), 60, STYLE_PLAIN);
			report_pass(&p->report);
		}
	}
}

int
activity_text(const struct activity *f, int fd, int width, bool has_colour, struct err *err)
{
	struct page p = { .report = report_new(f, fd, err), .width = width, .has_colour = has_colour };
	struct buf *out = &p.report.text;

	out->arena = &p.report.arena;
	add_top(&p);
	add_loops(&p);
	add_gates(&p);
	add_sessions(&p);
	for (size_t i = 0; i < f->notes.count; i++)
		buf_cat(out, i == 0 ? "\n" : "",
			"not read: ", strip_escapes_line(&p.report.arena, f->notes.items[i]), "\n");
	return report_end(&p.report);
}
