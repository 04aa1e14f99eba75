/* SPDX-License-Identifier: MIT */
/* A report as plain text, no wider than the page. */
#include "base/buf.h"
#include "base/escapes.h"
#include "base/utf8.h"
#include "cmd/report/facts.h"
#include "os/clock.h"
#include "ui/print.h"

#define SESSION_SHOWN 8

struct page {
	struct arena *arena;
	const struct facts *facts;
	struct buf out;
	int width;
	bool has_colour;
};

static void
add_heading(struct page *p, struct str text)
{
	buf_addc(&p->out, '\n');
	print_styled(&p->out, p->has_colour, STYLE_BOLD, text);
	buf_addc(&p->out, '\n');
}

/* At most so many code points, an ellipsis for the rest. */
static struct str
cut(struct arena *a, struct str text, size_t most)
{
	if (utf8_length(text) <= most)
		return text;
	return str_fmt(a, STR_FMT "…", STR_ARG(utf8_prefix(text, most - 1)));
}

/* Right-aligned if the width is negative. */
static void
add_cell(struct page *p, struct str text, int width, enum style style)
{
	size_t most = (size_t)(width < 0 ? -width : width);
	struct str shown = cut(p->arena, text, most);
	size_t blanks = most - utf8_length(shown);

	buf_addf(&p->out, "%*s", width < 0 ? (int)blanks : 0, "");
	print_styled(&p->out, p->has_colour, style, shown);
	buf_addf(&p->out, "%*s", width < 0 ? 0 : (int)blanks, "");
	buf_add(&p->out, STR("  "));
}

/* The last cell of a row takes what is left of the page. */
static void
end_row(struct page *p, struct str text, int used, enum style style)
{
	int most = p->width - used;

	print_styled(&p->out, p->has_colour, style, cut(p->arena, text, most > 8 ? (size_t)most : 8));
	while (p->out.n > 0 && p->out.s[p->out.n - 1] == ' ')
		p->out.n--;
	buf_addc(&p->out, '\n');
}

static struct str
number(struct arena *a, size_t n)
{
	return n == 0 ? STR("-") : str_fmt(a, "%zu", n);
}

/* "3 commits in 5 files (+10 -2), 1.2M tokens, $3.40": what is known. */
static struct str
work_text(struct arena *a, const struct facts_count *c, const struct facts_usage *u)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, words_count(a, c->commits, "commit", "commits"));
	if (c->commits > 0)
		buf_addf(&b, " in " STR_FMT " (+%llu -%llu)",
			 STR_ARG(words_count(a, c->files, "file", "files")), (unsigned long long)c->added,
			 (unsigned long long)c->removed);
	if (u->is_known)
		buf_addf(&b, ", " STR_FMT " tokens, " STR_FMT, STR_ARG(words_tokens(a, u->tokens)),
			 STR_ARG(words_dollars(a, u->cost)));
	return buf_str(&b);
}

static void
add_top(struct page *p)
{
	const struct facts *f = p->facts;
	struct arena *a = p->arena;

	print_styled(&p->out, p->has_colour, STYLE_BOLD,
		     f->project.s ? strip_escapes_line(a, f->project) : STR("All projects"));
	buf_addf(&p->out, "\n" STR_FMT " to " STR_FMT " (" STR_FMT ")\n",
		 STR_ARG(clock_format_seconds(a, f->first_us)), STR_ARG(clock_format_seconds(a, f->last_us)),
		 STR_ARG(words_span(a, (f->last_us - f->first_us) / 1000)));
	buf_addf(&p->out, STR_FMT ", " STR_FMT ": %zu blocked, %zu allowed",
		 STR_ARG(words_count(a, f->session_count, "session", "sessions")),
		 STR_ARG(words_count(a, f->stops, "stop", "stops")), f->blocks, f->stops - f->blocks);
	if (f->denied + f->asked > 0)
		buf_addf(&p->out, "; tools denied: %zu, asked about: %zu", f->denied, f->asked);
	buf_add(&p->out, STR("\n"));
	buf_addf(&p->out, STR_FMT ", " STR_FMT "\n", STR_ARG(words_count(a, f->loop_count, "loop", "loops")),
		 STR_ARG(work_text(a, &f->count, &f->usage)));
}

static void
add_loops(struct page *p)
{
	const struct facts *f = p->facts;
	struct arena *a = p->arena;

	if (f->loop_count > 0)
		add_heading(p, STR("Loops"));
	for (size_t i = 0; i < f->loop_count; i++) {
		const struct facts_loop *l = &f->loops[i];
		struct str reason = strip_escapes_line(a, l->reason);

		buf_add(&p->out, STR("  "));
		add_cell(p, l->ended_us > 0 ? words_time(a, f, l->ended_us) : STR("now"), 14, STYLE_PLAIN);
		add_cell(p, utf8_head(strip_escapes_line(a, l->session), SESSION_SHOWN), SESSION_SHOWN,
			 STYLE_PLAIN);
		print_styled(&p->out, p->has_colour,
			     words_reason_is_good(l->reason) ? STYLE_GREEN : STYLE_YELLOW, reason);
		buf_addf(&p->out,
			 ": " STR_FMT "\n"
			 "%28s" STR_FMT,
			 STR_ARG(words_reason(l->reason)), "",
			 STR_ARG(words_count(a, (size_t)l->iterations, "iteration", "iterations")));
		if (l->most > 0)
			buf_addf(&p->out, " of %lld", (long long)l->most);
		if (l->started_us > 0)
			buf_addf(&p->out, " in " STR_FMT,
				 STR_ARG(words_span(
					 a, ((l->ended_us > 0 ? l->ended_us : f->now_us) - l->started_us) /
						    1000)));
		if (l->usage.is_known)
			buf_addf(&p->out, ", " STR_FMT " tokens, " STR_FMT,
				 STR_ARG(words_tokens(a, l->usage.tokens)),
				 STR_ARG(words_dollars(a, l->usage.cost)));
		buf_addc(&p->out, '\n');
	}
}

static void
add_gates(struct page *p)
{
	const struct facts *f = p->facts;
	const struct facts_gate *slowest = facts_slowest(f), *flakiest = facts_flakiest(f);
	struct arena *a = p->arena;

	if (f->gate_count == 0)
		return;
	add_heading(p, STR("Gates"));
	print_styled(&p->out, p->has_colour, STYLE_DIM,
		     STR("  gate                  runs  failed  errors  flaky       median          p95\n"));
	for (size_t i = 0; i < f->gate_count; i++) {
		const struct facts_gate *g = &f->gates[i];

		buf_add(&p->out, STR("  "));
		add_cell(p, facts_gate_title(a, g), 20, STYLE_PLAIN);
		add_cell(p, number(a, g->runs), -4, STYLE_PLAIN);
		add_cell(p, number(a, g->failed), -6, g->failed > 0 ? STYLE_RED : STYLE_PLAIN);
		add_cell(p, number(a, g->errors), -6, g->errors > 0 ? STYLE_RED : STYLE_PLAIN);
		add_cell(p, number(a, g->flaky), -5, g->flaky > 0 ? STYLE_YELLOW : STYLE_PLAIN);
		add_cell(p, words_span(a, g->runs > 0 ? g->median_ms : -1), -11, STYLE_PLAIN);
		add_cell(p, words_span(a, g->runs > 0 ? g->p95_ms : -1), -11, STYLE_PLAIN);
		end_row(p, STR(""), 0, STYLE_PLAIN);
	}
	if (slowest)
		buf_addf(&p->out, "  slowest: " STR_FMT ", " STR_FMT " in the median, " STR_FMT " in total\n",
			 STR_ARG(facts_gate_title(a, slowest)), STR_ARG(words_span(a, slowest->median_ms)),
			 STR_ARG(words_span(a, slowest->total_ms)));
	if (flakiest)
		buf_addf(&p->out, "  flakiest: " STR_FMT ", " STR_FMT "\n",
			 STR_ARG(facts_gate_title(a, flakiest)),
			 STR_ARG(words_count(a, flakiest->flaky, "time", "times")));
}

static void
add_iterations(struct page *p, const struct facts_session *s)
{
	struct arena *a = p->arena;

	print_styled(&p->out, p->has_colour, STYLE_DIM,
		     STR("     #  time            took         commits  files  stop   why\n"));
	for (size_t n = 0; n < s->iteration_count; n++) {
		const struct facts_iteration *i = &s->iterations[n];

		add_cell(p, str_fmt(a, "%zu", n + 1), -6, STYLE_DIM);
		add_cell(p, words_time(a, p->facts, i->time_us), 14, STYLE_PLAIN);
		add_cell(p, words_span(a, i->took_ms), 11, STYLE_PLAIN);
		add_cell(p, number(a, i->count.commits), -7, STYLE_PLAIN);
		add_cell(p, number(a, i->count.files), -5, STYLE_PLAIN);
		add_cell(p, i->is_block ? STR("block") : STR("allow"), 5,
			 i->is_block ? STYLE_YELLOW : STYLE_GREEN);
		end_row(p, words_why(a, p->facts, i), 60, STYLE_PLAIN);
	}
}

static void
add_sessions(struct page *p)
{
	const struct facts *f = p->facts;
	struct arena *a = p->arena;

	for (size_t k = 0; k < f->session_count; k++) {
		const struct facts_session *s = &f->sessions[k];

		add_heading(p, str_fmt(a, "Session " STR_FMT " (" STR_FMT ")",
				       STR_ARG(strip_escapes_line(a, s->id)),
				       STR_ARG(strip_escapes_line(a, s->client))));
		if (!f->project.s)
			buf_addf(&p->out, "  " STR_FMT "\n", STR_ARG(strip_escapes_line(a, s->project)));
		buf_add(&p->out, STR("  "));
		print_wrapped(&p->out,
			      str_fmt(a, STR_FMT ", %zu blocked, " STR_FMT,
				      STR_ARG(words_count(a, s->iteration_count, "stop", "stops")), s->blocks,
				      STR_ARG(work_text(a, &s->count, &s->usage))),
			      2, p->width);
		if (s->denied + s->asked > 0)
			buf_addf(&p->out, "  tools denied: %zu, asked about: %zu\n", s->denied, s->asked);
		if (s->unknown_model.s)
			buf_addf(&p->out,
				 "  the cost lacks the model '" STR_FMT "', whose price is not known\n",
				 STR_ARG(strip_escapes_line(a, s->unknown_model)));
		if (s->iteration_count > 0)
			add_iterations(p, s);
	}
}

struct str
facts_text(struct arena *a, const struct facts *f, int width, bool has_colour)
{
	struct page p = {
		.arena = a, .facts = f, .out = BUF(a, SIZE_MAX), .width = width, .has_colour = has_colour
	};

	add_top(&p);
	add_loops(&p);
	add_gates(&p);
	add_sessions(&p);
	for (size_t i = 0; i < f->notes.count; i++)
		buf_addf(&p.out, "%snot read: " STR_FMT "\n", i == 0 ? "\n" : "",
			 STR_ARG(strip_escapes_line(a, f->notes.items[i])));
	return buf_str(&p.out);
}
