/* SPDX-License-Identifier: MIT */
/* The rows: loops, gates, sessions and the last failure, in columns that fit the width. */
#include "cmd/watch/watch.h"

#include "base/duration.h"
#include "doc/json.h"
#include "os/clock.h"
#include "overview/decisions.h"

#define ELLIPSIS "\xE2\x80\xA6"
#define MARK_PASS "\xE2\x9C\x93"
#define MARK_FAIL "\xE2\x9C\x97"
#define MARK_RUNNING "\xE2\x96\xB6"
#define MARK_LOOP "\xE2\x86\xBB"
#define MARK_PAUSED "\xE2\x80\x96"
#define MARK_NONE "\xC2\xB7"
#define BAR_FULL "\xE2\x96\xA0"
#define BAR_EMPTY "\xC2\xB7"

#define BAR_CELLS 18
/* "blocked 12 min ago" */
#define STATE_WIDTH 19
#define FAILED_LINES 6
#define WIDTH_LEAST 40

struct view {
	struct arena *arena;
	const struct overviews *facts;
	const struct overview *project;
	size_t width;
	struct view_rows *rows;
	struct session_names known;
	struct styled_line *line; /* of the row that is being made */
	size_t used;              /* its columns */
};

/* ---- rows and cells ---- */

static void
begin_row(struct view *v, enum row_kind kind, struct str id)
{
	struct view_rows *r = v->rows;

	arena_make_room(v->arena, r->items, r->count, &r->capacity);
	r->items[r->count] = (struct view_row){ .kind = kind, .id = id };
	if (v->project)
		r->items[r->count].root = v->project->root;
	v->line = &r->items[r->count++].line;
	v->used = 0;
}

/* A text in a column of this width, as far as the row has room. */
static void
add_cell(struct view *v, enum style style, struct str text, size_t width)
{
	size_t room = v->width > v->used ? v->width - v->used : 0;

	width = width < room ? width : room;
	if (width == 0 || v->line->count == LINE_SPANS)
		return;
	struct str shown = strip_escapes_line(v->arena, text);

	if (utf8_width(shown) > width)
		shown = str_cat(v->arena, utf8_fit(shown, width - 1), ELLIPSIS);
	size_t blanks = width - utf8_width(shown);

	v->line->spans[v->line->count++] = (struct styled_text){
		style,
		str_fmt(v->arena, STR_FMT "%*s", STR_ARG(shown), (int)blanks, ""),
	};
	v->used += width;
}

/* What is left of the row. */
static void
add_rest(struct view *v, enum style style, struct str text)
{
	size_t room = v->width > v->used ? v->width - v->used : 0, n = utf8_width(text);

	add_cell(v, style, text, n < room ? n : room);
}

static void
add_session(struct view *v, enum style style, struct str id, struct str none)
{
	struct str name = id.n > 0 ? session_name(&v->known, id) : none;

	add_cell(v, style, name, name.n > 8 ? name.n + 2 : 10);
}

static void
add_text_row(struct view *v, enum style style, struct str text)
{
	begin_row(v, ROW_TEXT, STR_NONE);
	add_rest(v, style, text);
}

struct str
view_time(struct arena *a, int64_t ms)
{
	return ms >= 10000 && ms < 120000 ? str_cat(a, ms / 1000, " s") : duration_span(a, ms);
}

/* "blocked 40 s ago" */
static struct str
ago(const struct view *v, const char *word, int64_t us)
{
	struct str age = duration_age(v->arena, v->facts->now_us - us);

	return str_cat(v->arena, word, " ", age, " ago");
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
add_decision(struct view *v, const struct overview_session *s)
{
	size_t i = 0;

	while (i + 1 < COUNT_OF(decisions) && !str_is(s->decision, decisions[i].name))
		i++;
	add_cell(v, decisions[i].style, ago(v, decisions[i].past, s->time_us), STATE_WIDTH);
}

/* ---- loops ---- */

static void
add_loop(struct view *v, const struct loop_ref *ref)
{
	const struct loop_state *loop = &ref->state;
	const struct overview_session *s = NULL;
	struct str progress = loop_progress(v->arena, loop->iteration, loop->max_iterations);
	int64_t elapsed_us = loop->started_us > 0 ? v->facts->now_us - loop->started_us : -1;

	begin_row(v, ROW_LOOP, ref->path);
	if (ref->is_corrupt) {
		add_cell(v, STYLE_RED, STR("  " MARK_FAIL " "), 4);
		add_rest(v, STYLE_PLAIN, loop_problem(v->arena, ref->path, &ref->why_corrupt));
		return;
	}
	for (size_t i = 0; loop->session_id.n > 0 && i < v->project->session_count && !s; i++)
		if (str_eq(v->project->sessions[i].id, loop->session_id))
			s = &v->project->sessions[i];
	add_cell(v, loop->is_paused ? STYLE_YELLOW : STYLE_GREEN,
		 loop->is_paused ? STR("  " MARK_PAUSED) : STR("  " MARK_LOOP), 4);
	add_cell(v, STYLE_BOLD, progress, 11);
	add_cell(v, STYLE_PLAIN, elapsed_us >= 0 ? view_time(v->arena, elapsed_us / 1000) : STR("?"), 12);
	add_session(v, STYLE_DIM, loop->session_id, STR("no owner"));
	if (loop->is_paused)
		add_cell(v, STYLE_YELLOW, STR("paused"), STATE_WIDTH);
	else if (s)
		add_decision(v, s);
	else
		add_cell(v, STYLE_DIM, STR("no stop yet"), STATE_WIDTH);
	add_rest(v, STYLE_PLAIN, str_before(str_trim(loop->prompt), '\n'));
}

/* ---- gates ---- */

static void
add_gate(struct view *v, const struct overview_gate *g, size_t name_width)
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
	bool is_running = g->outcome == OUTCOME_RUNNING;
	int64_t elapsed_ms = is_running ? (v->facts->now_us - g->started_us) / 1000 : g->elapsed_ms;
	struct str state = str_from(words[g->outcome].word);
	struct buf bar = BUF(v->arena, SIZE_MAX);

	elapsed_ms = elapsed_ms > 0 ? elapsed_ms : 0;
	for (int64_t i = 0; is_running && g->usual_ms > 0 && i < BAR_CELLS; i++)
		buf_cat(&bar, i < elapsed_ms * BAR_CELLS / g->usual_ms ? BAR_FULL : BAR_EMPTY);
	if (bar.n > 0)
		state = buf_str(&bar);
	else if (!is_running && g->ended_us > 0)
		state = ago(v, words[g->outcome].word, g->ended_us);
	begin_row(v, ROW_GATE, g->name);
	add_cell(v, words[g->outcome].style, str_cat(v->arena, "  ", words[g->outcome].mark), 4);
	add_cell(v, is_running ? STYLE_BOLD : STYLE_PLAIN, g->name, name_width);
	add_cell(v, words[g->outcome].style, state, STATE_WIDTH);
	if (!is_running && g->ended_us == 0)
		return;
	add_cell(v, STYLE_PLAIN, view_time(v->arena, elapsed_ms), 12);
	if (g->usual_ms > 0)
		add_cell(v, STYLE_DIM, str_cat(v->arena, "usually ", view_time(v->arena, g->usual_ms)), 20);
	if (is_running && g->usual_ms > 0)
		add_rest(v, elapsed_ms > g->usual_ms ? STYLE_RED : STYLE_YELLOW,
			 elapsed_ms > g->usual_ms
				 ? str_fmt(v->arena, "%.1f times", (double)elapsed_ms / (double)g->usual_ms)
				 : str_cat(v->arena, elapsed_ms * 100 / g->usual_ms, " %"));
}

static void
add_gates(struct view *v)
{
	const struct overview *p = v->project;
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
			add_gate(v, &p->gates[i], name_width < 12 ? 12 : name_width);
	}
	if (passed > 0)
		add_text_row(v, STYLE_GREEN,
			     str_cat(v->arena, "  " MARK_PASS " ", passed, " ",
				     passed == 1 ? "gate" : "gates", " passed"));
}

/* ---- sessions, and what failed ---- */

static void
add_failure(struct view *v)
{
	const struct overview *p = v->project;
	struct str lines = p->failed_lines, line;
	size_t count = 0;

	begin_row(v, ROW_TEXT, STR_NONE);
	add_rest(v, STYLE_BOLD, STR("LAST FAILURE  "));
	add_rest(v, STYLE_RED, p->failed_gate);
	if (p->failed_log.s)
		add_rest(v, STYLE_DIM, str_cat(v->arena, "  ", path_shown(p->failed_log, p->root)));
	while (count < FAILED_LINES && str_next(&lines, '\n', &line)) {
		add_text_row(v, STYLE_PLAIN, str_cat(v->arena, "    ", line));
		count++;
	}
	if (lines.n > 0)
		add_text_row(v, STYLE_DIM, STR("    " ELLIPSIS));
}

/* ---- all of it ---- */

/* Of many projects, each has a title, and marks say what a row is. */
static void
add_title(struct view *v, bool is_of_project, struct str title)
{
	if (v->facts->is_all != is_of_project)
		return;
	if (v->rows->count > 0)
		add_text_row(v, STYLE_PLAIN, STR(""));
	add_text_row(v, STYLE_BOLD, title);
}

static void
add_project(struct view *v)
{
	const struct overview *p = v->project;

	add_title(v, true, p->root);
	if (p->is_off)
		add_text_row(v, STYLE_YELLOW, STR("  holdfast is off here; 'holdfast on' ends that"));
	if (p->loops.count > 0)
		add_title(v, false, STR("LOOPS"));
	for (size_t i = 0; i < p->loops.count; i++)
		add_loop(v, &p->loops.items[i]);
	if (p->gates_root.s)
		add_title(v, false, p->is_running ? STR("GATES  a run is in progress") : STR("GATES"));
	if (p->problem.s)
		add_text_row(v, STYLE_RED, str_cat(v->arena, "  " MARK_FAIL " ", p->problem));
	add_gates(v);
	if (p->session_count > 0)
		add_title(v, false, STR("SESSIONS"));
	for_each (s, p->sessions, p->session_count) {
		bool has_loop = false;

		for (size_t k = 0; k < p->loops.count; k++)
			has_loop |= p->loops.items[k].state.session_id.n > 0 &&
				    str_eq(p->loops.items[k].state.session_id, s->id);
		if (v->facts->is_all && has_loop)
			continue; /* of many projects, the row of the loop says the same */
		begin_row(v, ROW_SESSION, s->id);
		add_cell(v, STYLE_PLAIN, STR(""), 4);
		add_session(v, STYLE_BOLD, s->id, STR("no id"));
		add_cell(v, STYLE_DIM, s->client, 9);
		add_decision(v, s);
		add_cell(v, STYLE_DIM, s->policy, 12);
		add_rest(v, STYLE_PLAIN, s->message);
	}
	if (p->failed_gate.s && !v->facts->is_all) {
		add_text_row(v, STYLE_PLAIN, STR(""));
		add_failure(v);
	}
}

void
view_rows(struct arena *a, const struct overviews *f, size_t width, struct view_rows *ret)
{
	struct view v = {
		.arena = a,
		.facts = f,
		.width = width > WIDTH_LEAST ? width : WIDTH_LEAST,
		.rows = ret,
	};

	*ret = (struct view_rows){ 0 };
	for_each (p, f->projects, f->project_count) {
		for (size_t k = 0; k < p->session_count; k++)
			(void)session_names_add(a, &v.known, p->sessions[k].id);
		for (size_t k = 0; k < p->loops.count; k++)
			(void)session_names_add(a, &v.known, p->loops.items[k].state.session_id);
	}
	for_each (p, f->projects, f->project_count) {
		bool is_empty = p->loops.count + p->session_count + p->gate_count == 0 && !p->problem.s &&
				!p->is_off;

		v.project = p;
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

/* ---- for a pipe and for scripts ---- */

struct str
view_text(struct arena *a, const struct view_rows *rows, bool has_colour)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < rows->count; i++) {
		const struct styled_line *l = &rows->items[i].line;

		for (size_t k = 0; k < l->count; k++) {
			struct str text = l->spans[k].text;

			while (k + 1 == l->count && text.n > 0 && text.s[text.n - 1] == ' ')
				text.n--;
			print_styled(&b, has_colour, l->spans[k].style, text);
		}
		buf_addc(&b, '\n');
	}
	return buf_str(&b);
}

static void
add_project_json(struct arena *a, struct buf *b, const struct overview *p)
{
	json_open(b, NULL, '{');
	json_add(b, "project", p->root, "running", p->is_running, "off", p->is_off, "problem", p->problem);
	json_open(b, "loops", '[');
	for_each (ref, p->loops.items, p->loops.count) {
		const struct loop_state *l = &ref->state;

		if (ref->is_corrupt)
			json_add_object(b, NULL, "state_file", ref->path, "problem",
					loop_problem(a, ref->path, &ref->why_corrupt));
		else
			json_add_object(b, NULL, "state_file", ref->path, "iteration", l->iteration,
					"max_iterations", l->max_iterations, "paused", l->is_paused,
					"session", l->session_id, "started_at",
					clock_format_known(a, l->started_us), "prompt",
					str_before(str_trim(l->prompt), '\n'));
	}
	json_close(b, "]");
	json_open(b, "gates", '[');
	for_each (g, p->gates, p->gate_count)
		json_add_object(b, NULL, "gate", g->gate, "name", g->name, "outcome",
				g->outcome == OUTCOME_WAITING ? STR("none") : gate_outcome_name(g->outcome),
				"started_at", clock_format_known(a, g->started_us), "ms",
				JSON_IF(g->ended_us > 0, g->elapsed_ms), "ended_at",
				clock_format_known(a, g->ended_us), "usual_ms",
				JSON_IF(g->usual_ms > 0, g->usual_ms), "log", g->log);
	json_close(b, "]");
	json_open(b, "sessions", '[');
	for_each (s, p->sessions, p->session_count)
		json_add_object(b, NULL, "session", s->id, "client", s->client, "time",
				clock_format_known(a, s->time_us), "decision", s->decision, "policy",
				s->policy, "status", s->status.n > 0 ? s->status : STR_NONE, "message",
				s->message);
	json_close(b, "]}");
}

struct str
view_json(struct arena *a, const struct overviews *f)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_open(&b, NULL, '{');
	json_add(&b, "time", clock_format_millis(a, f->now_us));
	json_open(&b, "projects", '[');
	for (size_t i = 0; i < f->project_count; i++)
		add_project_json(a, &b, &f->projects[i]);
	json_close(&b, "]}\n");
	return buf_str(&b);
}
