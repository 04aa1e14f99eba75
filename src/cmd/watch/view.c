/* SPDX-License-Identifier: MIT */
/* The rows: loops, gates, sessions and the last failure, in columns that fit the width. */
#include "cmd/watch/view.h"

#include "base/duration.h"
#include "base/escapes.h"
#include "base/path.h"
#include "base/utf8.h"

#include <inttypes.h>

#define ELLIPSIS "\xE2\x80\xA6"
#define MARK_PASS "\xE2\x9C\x93"
#define MARK_FAIL "\xE2\x9C\x97"
#define MARK_RUNNING "\xE2\x96\xB6"
#define MARK_LOOP "\xE2\x86\xBB"
#define MARK_PAUSED "\xE2\x80\x96"
#define MARK_NONE "\xC2\xB7"
#define BAR_FULL "\xE2\x96\xA0"
#define BAR_EMPTY "\xC2\xB7"

#define SESSION_SHOWN 8
#define BAR_CELLS 18
/* "blocked 12 min ago" */
#define STATE_WIDTH 19
#define FAILED_LINES 6
#define WIDTH_LEAST 40

struct view {
	struct arena *arena;
	const struct watch_facts *facts;
	const struct watch_project *project;
	size_t project_index;
	size_t width;
	struct view_rows *rows;
	size_t used; /* columns of the row that is being made */
};

/* ---- rows and cells ---- */

static struct styled_line *
begin_row(struct view *v, enum row_kind kind, size_t index)
{
	struct view_rows *r = v->rows;

	arena_make_room(v->arena, r->items, r->count, &r->capacity);
	r->items[r->count] = (struct view_row){ .kind = kind, .project = v->project_index, .index = index };
	v->used = 0;
	return &r->items[r->count++].line;
}

static struct str
fit(struct arena *a, struct str text, size_t width)
{
	if (utf8_width(text) <= width)
		return text;
	return width == 0 ? STR("") : str_fmt(a, STR_FMT ELLIPSIS, STR_ARG(utf8_fit(text, width - 1)));
}

/* A text in a column of this width, as far as the row has room. */
static void
add_cell(struct view *v, struct styled_line *l, enum style style, struct str text, size_t width)
{
	size_t room = v->width > v->used ? v->width - v->used : 0;

	width = width < room ? width : room;
	struct str shown = fit(v->arena, strip_escapes_line(v->arena, text), width);
	size_t blanks = width - utf8_width(shown);

	if (width == 0 || l->count == LINE_SPANS)
		return;
	l->spans[l->count++] = (struct styled_text){
		style,
		str_fmt(v->arena, STR_FMT "%*s", STR_ARG(shown), (int)blanks, ""),
	};
	v->used += width;
}

/* What is left of the row. */
static void
add_rest(struct view *v, struct styled_line *l, enum style style, struct str text)
{
	size_t room = v->width > v->used ? v->width - v->used : 0, n = utf8_width(text);

	add_cell(v, l, style, text, n < room ? n : room);
}

static void
add_text_row(struct view *v, enum style style, struct str text)
{
	struct styled_line *l = begin_row(v, ROW_TEXT, 0);

	add_rest(v, l, style, text);
}

struct str
view_time(struct arena *a, int64_t ms)
{
	int64_t s = ms / 1000;

	if (ms < 1000)
		return str_fmt(a, "%" PRId64 " ms", ms);
	if (ms < 10000)
		return str_fmt(a, "%" PRId64 ".%" PRId64 " s", s, ms % 1000 / 100);
	if (s < 120)
		return str_fmt(a, "%" PRId64 " s", s);
	if (s < 3600)
		return str_fmt(a, "%" PRId64 " min %02" PRId64 " s", s / 60, s % 60);
	return str_fmt(a, "%" PRId64 " h %02" PRId64 " min", s / 3600, s % 3600 / 60);
}

/* "blocked 40 s ago" */
static struct str
ago(const struct view *v, const char *word, int64_t us)
{
	struct str age = duration_age(v->arena, v->facts->now_us - us);

	return str_fmt(v->arena, "%s " STR_FMT " ago", word, STR_ARG(age));
}

static const struct {
	const char *name, *past;
	enum style style;
} decisions[] = {
	{ "block", "blocked", STYLE_YELLOW },
	{ "allow", "allowed", STYLE_GREEN },
	{ "deny", "denied", STYLE_RED },
	{ "ask", "asked", STYLE_YELLOW },
};

static void
add_decision(struct view *v, struct styled_line *l, const struct watch_session *s)
{
	size_t i = 0;

	while (i + 1 < COUNT_OF(decisions) && !str_is(s->decision, decisions[i].name))
		i++;
	add_cell(v, l, decisions[i].style, ago(v, decisions[i].past, s->time_us), STATE_WIDTH);
}

/* ---- loops ---- */

static const struct watch_session *
session_of(const struct watch_project *p, struct str id)
{
	for (size_t i = 0; id.n > 0 && i < p->session_count; i++)
		if (str_eq(p->sessions[i].id, id))
			return &p->sessions[i];
	return NULL;
}

static void
add_loop(struct view *v, size_t index)
{
	const struct watch_loop *loop = &v->project->loops[index];
	const struct watch_session *s = session_of(v->project, loop->session);
	struct styled_line *l = begin_row(v, ROW_LOOP, index);
	struct str progress = str_fmt(v->arena, "%" PRIu64, loop->iteration);
	int64_t elapsed_us = loop->started_us > 0 ? v->facts->now_us - loop->started_us : -1;

	if (loop->problem.s) {
		add_cell(v, l, STYLE_RED, STR("  " MARK_FAIL " "), 4);
		add_rest(v, l, STYLE_PLAIN, loop->problem);
		return;
	}
	if (loop->max > 0)
		progress = str_fmt(v->arena, "%" PRIu64 " of %" PRIu64, loop->iteration, loop->max);
	add_cell(v, l, loop->is_paused ? STYLE_YELLOW : STYLE_GREEN,
		 loop->is_paused ? STR("  " MARK_PAUSED) : STR("  " MARK_LOOP), 4);
	add_cell(v, l, STYLE_BOLD, progress, 11);
	add_cell(v, l, STYLE_PLAIN, elapsed_us >= 0 ? view_time(v->arena, elapsed_us / 1000) : STR("?"), 12);
	add_cell(v, l, STYLE_DIM,
		 utf8_prefix(loop->session.n > 0 ? loop->session : STR("no owner"), SESSION_SHOWN), 10);
	if (loop->is_paused)
		add_cell(v, l, STYLE_YELLOW, STR("paused"), STATE_WIDTH);
	else if (s)
		add_decision(v, l, s);
	else
		add_cell(v, l, STYLE_DIM, STR("no stop yet"), STATE_WIDTH);
	add_rest(v, l, STYLE_PLAIN, loop->prompt);
}

/* ---- gates ---- */

static struct str
bar(struct arena *a, int64_t elapsed_ms, int64_t usual_ms)
{
	size_t full = (size_t)(elapsed_ms >= usual_ms ? BAR_CELLS : elapsed_ms * BAR_CELLS / usual_ms);
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < BAR_CELLS; i++)
		buf_add(&b, i < full ? STR(BAR_FULL) : STR(BAR_EMPTY));
	return buf_str(&b);
}

/* How far a gate has come, going by what it usually takes. */
static struct str
share(struct arena *a, int64_t elapsed_ms, int64_t usual_ms)
{
	return elapsed_ms > usual_ms ? str_fmt(a, "%.1f times", (double)elapsed_ms / (double)usual_ms)
				     : str_fmt(a, "%" PRId64 " %%", elapsed_ms * 100 / usual_ms);
}

static void
add_gate(struct view *v, size_t index, size_t name_width)
{
	static const struct {
		const char *mark, *word;
		enum style style;
	} words[OUTCOME_COUNT] = {
		[OUTCOME_WAITING] = { MARK_NONE, "has not run", STYLE_DIM },
		[OUTCOME_RUNNING] = { MARK_RUNNING, "running", STYLE_YELLOW },
		[OUTCOME_PASS] = { MARK_PASS, "passed", STYLE_GREEN },
		[OUTCOME_FAIL] = { MARK_FAIL, "failed", STYLE_RED },
		[OUTCOME_ERROR] = { "!", "could not run", STYLE_MAGENTA },
		[OUTCOME_SKIPPED] = { MARK_NONE, "skipped", STYLE_DIM },
	};
	const struct watch_gate *g = &v->project->gates[index];
	bool is_running = g->outcome == OUTCOME_RUNNING;
	int64_t elapsed_ms = is_running ? (v->facts->now_us - g->started_us) / 1000 : g->elapsed_ms;
	struct styled_line *l = begin_row(v, ROW_GATE, index);
	struct str state = str_from(words[g->outcome].word);

	elapsed_ms = elapsed_ms > 0 ? elapsed_ms : 0;
	if (is_running && g->usual_ms > 0)
		state = bar(v->arena, elapsed_ms, g->usual_ms);
	else if (!is_running && g->ended_us > 0)
		state = ago(v, words[g->outcome].word, g->ended_us);
	add_cell(v, l, words[g->outcome].style, str_fmt(v->arena, "  %s", words[g->outcome].mark), 4);
	add_cell(v, l, is_running ? STYLE_BOLD : STYLE_PLAIN, g->name, name_width);
	add_cell(v, l, words[g->outcome].style, state, STATE_WIDTH);
	if (!is_running && g->ended_us == 0)
		return;
	add_cell(v, l, STYLE_PLAIN, view_time(v->arena, elapsed_ms), 12);
	if (g->usual_ms > 0)
		add_cell(v, l, STYLE_DIM,
			 str_fmt(v->arena, "usually " STR_FMT, STR_ARG(view_time(v->arena, g->usual_ms))),
			 20);
	if (is_running && g->usual_ms > 0)
		add_rest(v, l, elapsed_ms > g->usual_ms ? STYLE_RED : STYLE_YELLOW,
			 share(v->arena, elapsed_ms, g->usual_ms));
}

static void
add_gates(struct view *v)
{
	const struct watch_project *p = v->project;
	size_t widest = 0, passed = 0;

	for (size_t i = 0; i < p->gate_count; i++) {
		size_t n = utf8_width(strip_escapes_line(v->arena, p->gates[i].name));

		widest = n > widest ? n : widest;
	}
	size_t name_width = widest + 2 < v->width / 3 ? widest + 2 : v->width / 3;

	for (size_t i = 0; i < p->gate_count; i++) {
		/* Of many projects only what needs attention is shown. */
		if (v->facts->is_all && p->gates[i].outcome != OUTCOME_RUNNING &&
		    p->gates[i].outcome != OUTCOME_FAIL && p->gates[i].outcome != OUTCOME_ERROR)
			passed += p->gates[i].outcome == OUTCOME_PASS;
		else
			add_gate(v, i, name_width < 12 ? 12 : name_width);
	}
	if (passed > 0)
		add_text_row(v, STYLE_GREEN,
			     str_fmt(v->arena, "  " MARK_PASS " %zu %s passed", passed,
				     passed == 1 ? "gate" : "gates"));
}

/* ---- sessions, and what failed ---- */

static void
add_session(struct view *v, size_t index)
{
	const struct watch_session *s = &v->project->sessions[index];
	struct styled_line *l = begin_row(v, ROW_SESSION, index);

	add_cell(v, l, STYLE_PLAIN, STR(""), 4);
	add_cell(v, l, STYLE_BOLD, utf8_prefix(s->id.n > 0 ? s->id : STR("no id"), SESSION_SHOWN), 10);
	add_cell(v, l, STYLE_DIM, s->client, 9);
	add_decision(v, l, s);
	add_cell(v, l, STYLE_DIM, s->policy, 12);
	add_rest(v, l, STYLE_PLAIN, s->message);
}

static void
add_failure(struct view *v)
{
	const struct watch_project *p = v->project;
	struct str lines = p->failed_lines, line;
	struct styled_line *l;
	size_t count = 0;

	if (!p->failed_gate.s)
		return;
	l = begin_row(v, ROW_TEXT, 0);
	add_rest(v, l, STYLE_BOLD, STR("LAST FAILURE  "));
	add_rest(v, l, STYLE_RED, p->failed_gate);
	if (p->failed_log.s) {
		struct str below = path_below(p->failed_log, p->root);

		add_rest(v, l, STYLE_DIM,
			 str_fmt(v->arena, "  " STR_FMT, STR_ARG(below.s ? below : p->failed_log)));
	}
	while (count < FAILED_LINES && str_next(&lines, '\n', &line)) {
		add_text_row(v, STYLE_PLAIN, str_fmt(v->arena, "    " STR_FMT, STR_ARG(line)));
		count++;
	}
	if (lines.n > 0)
		add_text_row(v, STYLE_DIM, STR("    " ELLIPSIS));
}

/* ---- all of it ---- */

static void
add_title(struct view *v, const char *title)
{
	if (v->facts->is_all)
		return; /* marks say what a row is */
	if (v->rows->count > 0)
		add_text_row(v, STYLE_PLAIN, STR(""));
	add_text_row(v, STYLE_BOLD, str_from(title));
}

static bool
is_owner(const struct watch_project *p, struct str session)
{
	for (size_t i = 0; i < p->loop_count; i++)
		if (p->loops[i].session.n > 0 && str_eq(p->loops[i].session, session))
			return true;
	return false;
}

static void
add_project(struct view *v)
{
	const struct watch_project *p = v->project;

	if (v->facts->is_all) {
		if (v->rows->count > 0)
			add_text_row(v, STYLE_PLAIN, STR(""));
		add_text_row(v, STYLE_BOLD, p->root);
	}
	if (p->is_off)
		add_text_row(v, STYLE_YELLOW, STR("  holdfast is off here; 'holdfast on' ends that"));
	if (p->loop_count > 0)
		add_title(v, "LOOPS");
	for (size_t i = 0; i < p->loop_count; i++)
		add_loop(v, i);
	if (p->gates_root.s)
		add_title(v, p->is_running ? "GATES  a run is in progress" : "GATES");
	if (p->problem.s)
		add_text_row(v, STYLE_RED,
			     str_fmt(v->arena, "  " MARK_FAIL " " STR_FMT, STR_ARG(p->problem)));
	add_gates(v);
	if (p->session_count > 0)
		add_title(v, "SESSIONS");
	for (size_t i = 0; i < p->session_count; i++)
		/* Of many projects, the row of its loop says the same. */
		if (!v->facts->is_all || !is_owner(p, p->sessions[i].id))
			add_session(v, i);
	if (p->failed_gate.s && !v->facts->is_all) {
		add_text_row(v, STYLE_PLAIN, STR(""));
		add_failure(v);
	}
}

void
view_rows(struct arena *a, const struct watch_facts *f, size_t width, struct view_rows *ret)
{
	struct view v = {
		.arena = a,
		.facts = f,
		.width = width > WIDTH_LEAST ? width : WIDTH_LEAST,
		.rows = ret,
	};

	*ret = (struct view_rows){ 0 };
	for (size_t i = 0; i < f->project_count; i++) {
		const struct watch_project *p = &f->projects[i];
		bool is_empty = p->loop_count + p->session_count + p->gate_count == 0 && !p->problem.s &&
				!p->is_off;

		v.project = p;
		v.project_index = i;
		if (!is_empty)
			add_project(&v);
	}
	if (ret->count > 0)
		return;
	add_text_row(&v, STYLE_PLAIN,
		     f->is_all ? STR("No project has a loop, a gate that runs or fails, or a session of the "
				     "last day.")
			       : STR("No loop, no gates, and no decision of the last day in this project."));
	add_text_row(&v, STYLE_DIM,
		     STR("'holdfast init' writes gates, 'holdfast ralph start' starts a loop."));
}
