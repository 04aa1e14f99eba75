/* SPDX-License-Identifier: MIT */
/* The charts of the page. An SVG has only shapes, and is stretched to the width of the page; all labels are HTML next to it,
 * so that they stay readable on a phone. What a shape means is in its title. */
#include "cmd/report/html.h"
#include "os/clock.h"

/* Units of a chart's width and height; what is narrower than LEAST could not be seen. */
#define WIDTH 1000
#define HEIGHT 100
#define LEAST 3
#define MARKS_MOST 8
/* Of a bar with its gap: those of a few iterations would be blocks. */
#define BAR_MOST 60
/* More results in a row could not be told apart. */
#define RESULTS_MOST 300

static const int64_t steps_us[] = {
	60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2592000,
};

static double
share(int64_t part, int64_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

static void
begin_svg(struct html *h, struct str label)
{
	html_add(h, "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
		 WIDTH, HEIGHT);
	html_text(h, label);
	html_add(h, "\">\n");
}

static void
add_rect(struct html *h, const char *class, double x, double width, double y, double height)
{
	html_add(h, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>", class, x, y,
		 width, height);
}

/* ---- the timeline ---- */

/* The time between two marks of the axis. */
static int64_t
step_of(int64_t span_us)
{
	for (size_t i = 0; i < COUNT_OF(steps_us); i++)
		if (span_us / (steps_us[i] * 1000000) < MARKS_MOST)
			return steps_us[i] * 1000000;
	return span_us / MARKS_MOST;
}

static int64_t
first_mark(const struct facts *f, int64_t step)
{
	return (f->first_us + step - 1) / step * step;
}

static void
add_axis(struct html *h)
{
	const struct facts *f = h->facts;
	int64_t span = f->last_us - f->first_us, step = step_of(span);
	int is_odd = 0;

	html_add(h, "<div class=\"lane ends\"><span class=\"name\"></span><div class=\"axis\" "
		    "aria-hidden=\"true\">");
	for (int64_t at = first_mark(f, step); at <= f->last_us; at += step, is_odd ^= 1) {
		struct str text = clock_format_seconds(h->arena, at);
		bool is_day = step >= 86400000000;

		double left = 100 * share(at - f->first_us, span);

		html_add(h, "<span class=\"%s%s\" style=\"left:%.2f%%\">" STR_FMT "</span>",
			 left < 4    ? "start"
			 : left > 96 ? "end"
				     : "",
			 is_odd ? " odd" : "", left,
			 STR_ARG(is_day ? str_sub(text, 5, 10) : str_sub(text, 11, 16)));
	}
	html_add(h, "</div></div>\n");
}

static void
add_marks(struct html *h)
{
	const struct facts *f = h->facts;
	int64_t span = f->last_us - f->first_us, step = step_of(span);

	for (int64_t at = first_mark(f, step); at <= f->last_us; at += step)
		html_add(h, "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"0\" y2=\"%d\"/>",
			 WIDTH * share(at - f->first_us, span), WIDTH * share(at - f->first_us, span),
			 HEIGHT);
	html_add(h, "\n");
}

/* The work as a bar up to its stop, whose decision is the mark at its end; its commits as a line above. */
static void
add_span(struct html *h, size_t number, const struct facts_iteration *i)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;
	int64_t span = f->last_us - f->first_us;
	double end = WIDTH * share(i->time_us - f->first_us, span);
	double begin = i->from_us > 0 ? WIDTH * share(i->from_us - f->first_us, span) : end - LEAST;

	if (end < LEAST)
		end = LEAST;
	if (begin > end - LEAST)
		begin = end - LEAST;
	if (begin < 0)
		begin = 0;
	html_add(h, "<g><title>%zu: " STR_FMT ", " STR_FMT ", %s: ", number,
		 STR_ARG(words_time(a, f, i->time_us)), STR_ARG(words_span(a, i->took_ms)),
		 i->is_block ? "block" : "allow");
	html_text(h, words_why(a, f, i));
	html_add(h, "</title>");
	add_rect(h, "work", begin, end - begin, 36, 64);
	add_rect(h, i->is_block ? "block" : "allow", end - LEAST, LEAST, 36, 64);
	if (i->count.commits > 0)
		html_add(h, "<line class=\"commit\" x1=\"%.2f\" x2=\"%.2f\" y1=\"4\" y2=\"26\"/>",
			 (begin + end) / 2, (begin + end) / 2);
	html_add(h, "</g>\n");
}

void
html_timeline(struct html *h)
{
	const struct facts *f = h->facts;
	struct arena *a = h->arena;

	if (f->stops == 0)
		return;
	html_add(h, "<section>\n<h2>Timeline</h2>\n");
	for (size_t k = 0; k < f->session_count; k++) {
		const struct facts_session *s = &f->sessions[k];

		if (s->iteration_count == 0)
			continue;
		html_add(h, "<div class=\"lane\"><span class=\"name\"><a href=\"#s%zu\"><code>", k + 1);
		html_text(h, html_session_name(a, s));
		html_add(h, "</code></a> <small>" STR_FMT "</small></span>",
			 STR_ARG(words_count(a, s->iteration_count, "stop", "stops")));
		begin_svg(h, str_fmt(a, "When session " STR_FMT " worked and stopped",
				     STR_ARG(html_session_name(a, s))));
		add_marks(h);
		for (size_t n = 0; n < s->iteration_count; n++)
			add_span(h, n + 1, &s->iterations[n]);
		html_add(h, "</svg></div>\n");
	}
	add_axis(h);
	html_add(h, "<ul class=\"legend\"><li style=\"--key:var(--work)\">work</li><li "
		    "style=\"--key:var(--block)\">stop blocked</li><li style=\"--key:var(--allow)\">stop "
		    "allowed</li><li class=\"tick\" "
		    "style=\"--key:var(--commit)\">commits</li></ul>\n</section>\n");
}

/* ---- iterations ---- */

static void
add_bar(struct html *h, size_t n, double width, int64_t longest, const struct facts_iteration *i)
{
	struct arena *a = h->arena;
	int64_t took = i->took_ms > i->hook_ms ? i->took_ms : i->hook_ms;
	double all = HEIGHT * 0.93 * share(took, longest), hook = HEIGHT * 0.93 * share(i->hook_ms, longest);
	double x = width * (double)n, bar = width * 0.8;

	html_add(h, "<g><title>%zu: " STR_FMT " of work, " STR_FMT " of it for the stop, %s: ", n + 1,
		 STR_ARG(words_span(a, i->took_ms)), STR_ARG(words_span(a, i->hook_ms)),
		 i->is_block ? "block" : "allow");
	html_text(h, words_why(a, h->facts, i));
	html_add(h, "</title>");
	add_rect(h, "work", x, bar, HEIGHT * 0.93 - all, all - hook);
	add_rect(h, "hook", x, bar, HEIGHT * 0.93 - hook, hook);
	add_rect(h, i->is_block ? "block" : "allow", x, bar, HEIGHT * 0.95, HEIGHT * 0.05);
	html_add(h, "</g>\n");
}

void
html_bars(struct html *h, const struct facts_session *s)
{
	struct arena *a = h->arena;
	int64_t longest = 1;
	double even = (double)WIDTH / (double)s->iteration_count, width = even < BAR_MOST ? even : BAR_MOST;
	size_t step = (s->iteration_count + 9) / 10;

	for (size_t n = 0; n < s->iteration_count; n++) {
		const struct facts_iteration *i = &s->iterations[n];
		int64_t took = i->took_ms > i->hook_ms ? i->took_ms : i->hook_ms;

		longest = took > longest ? took : longest;
	}
	if (s->iteration_count < 3)
		return; /* there is nothing to compare */
	html_add(h,
		 "<div class=\"bars\"><div class=\"scale\" aria-hidden=\"true\"><span>" STR_FMT
		 "</span><span>" STR_FMT "</span><span>0</span></div>",
		 STR_ARG(words_span(a, longest)), STR_ARG(words_span(a, longest / 2)));
	begin_svg(h, STR("How long each iteration took"));
	html_add(h,
		 "<line class=\"grid\" x1=\"0\" x2=\"%d\" y1=\"0\" y2=\"0\"/><line class=\"grid\" x1=\"0\" "
		 "x2=\"%d\" y1=\"46.5\" y2=\"46.5\"/>\n",
		 WIDTH, WIDTH);
	for (size_t n = 0; n < s->iteration_count; n++)
		add_bar(h, n, width, longest, &s->iterations[n]);
	html_add(h, "</svg><div class=\"axis\" aria-hidden=\"true\">");
	for (size_t n = 0; n < s->iteration_count; n += step)
		html_add(h, "<span%s style=\"left:%.2f%%\">%zu</span>", n / step % 2 ? " class=\"odd\"" : "",
			 ((double)n + 0.4) * width * 100 / WIDTH, n + 1);
	html_add(h, "</div></div>\n<ul class=\"legend\"><li style=\"--key:var(--work)\">time of an "
		    "iteration</li><li style=\"--key:var(--gates)\">of it, the stop with its gates</li><li "
		    "class=\"half\" style=\"--key:var(--block)\">blocked</li><li class=\"half\" "
		    "style=\"--key:var(--allow)\">allowed</li></ul>\n");
}

/* ---- gates ---- */

static const struct facts_result *
result_of(const struct facts_iteration *i, size_t gate)
{
	for (size_t k = 0; k < i->result_count; k++)
		if (i->results[k].gate == gate)
			return &i->results[k];
	return NULL;
}

/* A pass is lower than a failure, for those who don't tell the colours apart. */
static void
add_result(struct html *h, const struct facts_iteration *i, size_t gate, double x, double width)
{
	const struct facts_result *r = result_of(i, gate);
	struct arena *a = h->arena;

	if (!r || r->outcome == OUTCOME_SKIPPED) {
		add_rect(h, "idle", x, width, 88, 12);
		return;
	}
	html_add(h, "<g><title>" STR_FMT ": " STR_FMT "%s, " STR_FMT "</title>",
		 STR_ARG(words_time(a, h->facts, i->time_us)), STR_ARG(gate_outcome_name(r->outcome)),
		 r->is_reused ? " in an earlier run" : "", STR_ARG(words_span(a, r->ms)));
	add_rect(h,
		 r->outcome == OUTCOME_PASS   ? "pass"
		 : r->outcome == OUTCOME_FAIL ? "fail"
					      : "error",
		 x, width, r->outcome == OUTCOME_PASS ? 55 : 0, r->outcome == OUTCOME_PASS ? 45 : 100);
	html_add(h, "</g>");
}

/* Each stop at which a gate of the project ran has a place in its strips, which show the last of them. */
static size_t
count_stops(const struct facts *f, struct str project)
{
	size_t count = 0;

	for (size_t k = 0; k < f->session_count; k++)
		for (size_t n = 0; n < f->sessions[k].iteration_count; n++)
			count += str_eq(f->sessions[k].project, project) &&
				 f->sessions[k].iterations[n].result_count > 0;
	return count;
}

static void
add_strip(struct html *h, size_t gate)
{
	const struct facts *f = h->facts;
	const struct facts_gate *g = &f->gates[gate];
	size_t stops = count_stops(f, g->project), at = 0;
	size_t shown = stops < RESULTS_MOST ? stops : RESULTS_MOST;
	double width = shown > 0 ? (double)WIDTH / (double)shown : WIDTH;

	html_add(h, "<div class=\"lane gate\"><span class=\"name\">");
	html_text(h, facts_gate_title(h->arena, g));
	html_add(h, " <small>%zu of %zu passed</small></span>", g->passed, g->runs);
	begin_svg(h, str_fmt(h->arena, "Results of " STR_FMT ", stop by stop",
			     STR_ARG(facts_gate_title(h->arena, g))));
	for (size_t k = 0; k < f->session_count; k++)
		for (size_t n = 0; n < f->sessions[k].iteration_count; n++) {
			const struct facts_iteration *i = &f->sessions[k].iterations[n];

			if (i->result_count == 0 || !str_eq(f->sessions[k].project, g->project))
				continue;
			if (at + shown >= stops)
				add_result(h, i, gate, width * (double)(at + shown - stops), width * 0.85);
			at++;
		}
	html_add(h, "\n</svg></div>\n");
}

void
html_strips(struct html *h)
{
	for (size_t i = 0; i < h->facts->gate_count; i++)
		add_strip(h, i);
	html_add(h, "<ul class=\"legend\"><li class=\"half\" style=\"--key:var(--pass)\">passed</li><li "
		    "style=\"--key:var(--fail)\">failed</li><li style=\"--key:var(--error)\">could not "
		    "run</li><li class=\"half\" style=\"--key:var(--idle)\">did not run</li></ul>\n");
}
