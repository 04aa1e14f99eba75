/* SPDX-License-Identifier: MIT */
/* The view as text, for a pipe and for scripts. */
#include "base/buf.h"
#include "cmd/watch/view.h"
#include "doc/json.h"
#include "os/clock.h"

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
add_time(struct arena *a, struct buf *b, const char *key, int64_t us)
{
	if (us > 0)
		json_add_member(b, key, clock_format_millis(a, us));
}

static void
add_loops(struct arena *a, struct buf *b, const struct watch_project *p)
{
	json_add_key(b, "loops");
	buf_addc(b, '[');
	for (size_t i = 0; i < p->loop_count; i++) {
		const struct watch_loop *l = &p->loops[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "state_file", l->path);
		if (l->problem.s) {
			json_add_member(b, "problem", l->problem);
		} else {
			json_add_member_int(b, "iteration", (int64_t)l->iteration);
			json_add_member_int(b, "max_iterations", (int64_t)l->max);
			json_add_member_bool(b, "paused", l->is_paused);
			if (l->session.n > 0)
				json_add_member(b, "session", l->session);
			add_time(a, b, "started_at", l->started_us);
			json_add_member(b, "prompt", l->prompt);
		}
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_gates(struct arena *a, struct buf *b, const struct watch_project *p)
{
	json_add_key(b, "gates");
	buf_addc(b, '[');
	for (size_t i = 0; i < p->gate_count; i++) {
		const struct watch_gate *g = &p->gates[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "gate", g->gate);
		json_add_member(b, "name", g->name);
		json_add_member(b, "outcome",
				g->outcome == OUTCOME_WAITING ? STR("none") : gate_outcome_name(g->outcome));
		add_time(a, b, "started_at", g->started_us);
		if (g->ended_us > 0) {
			json_add_member_int(b, "ms", g->elapsed_ms);
			add_time(a, b, "ended_at", g->ended_us);
		}
		if (g->usual_ms > 0)
			json_add_member_int(b, "usual_ms", g->usual_ms);
		if (g->log.s)
			json_add_member(b, "log", g->log);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_sessions(struct arena *a, struct buf *b, const struct watch_project *p)
{
	json_add_key(b, "sessions");
	buf_addc(b, '[');
	for (size_t i = 0; i < p->session_count; i++) {
		const struct watch_session *s = &p->sessions[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "session", s->id);
		json_add_member(b, "client", s->client);
		add_time(a, b, "time", s->time_us);
		json_add_member(b, "decision", s->decision);
		json_add_member(b, "policy", s->policy);
		if (s->status.n > 0)
			json_add_member(b, "status", s->status);
		json_add_member(b, "message", s->message);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

struct str
view_json(struct arena *a, const struct watch_facts *f)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addc(&b, '{');
	json_add_member(&b, "time", clock_format_millis(a, f->now_us));
	json_add_key(&b, "projects");
	buf_addc(&b, '[');
	for (size_t i = 0; i < f->project_count; i++) {
		const struct watch_project *p = &f->projects[i];

		buf_add(&b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(&b, "project", p->root);
		json_add_member_bool(&b, "running", p->is_running);
		json_add_member_bool(&b, "off", p->is_off);
		if (p->problem.s)
			json_add_member(&b, "problem", p->problem);
		add_loops(a, &b, p);
		add_gates(a, &b, p);
		add_sessions(a, &b, p);
		buf_addc(&b, '}');
	}
	buf_add(&b, STR("]}\n"));
	return buf_str(&b);
}
