/* SPDX-License-Identifier: MIT */
/* holdfast statusline: one line for the status line of Claude Code. It is printed after each message of the model, so it
 * starts no program, and it never fails. */
#include "cmd/watch/statusline.h"

#include "base/escapes.h"
#include "base/utf8.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "cmd/watch/view.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"
#include "store/off.h"

#include <inttypes.h>

/* Claude Code writes its few hundred bytes before it waits for us. */
#define INPUT_BYTES KIB(256)
#define INPUT_MS 1000
#define NAMES_SHOWN 3
#define PROBLEM_WIDTH 60

/* Names in a row, and how many more there are. */
static struct str
names_of(struct arena *a, const struct watch_project *p, enum gate_outcome outcome)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t count = 0;

	for (size_t i = 0; i < p->gate_count; i++) {
		if (p->gates[i].outcome != outcome)
			continue;
		if (count++ < NAMES_SHOWN)
			buf_addf(&b, "%s" STR_FMT, b.n > 0 ? ", " : "",
				 STR_ARG(strip_escapes_line(a, p->gates[i].name)));
	}
	if (count > NAMES_SHOWN)
		buf_addf(&b, " and %zu more", count - NAMES_SHOWN);
	return buf_str(&b);
}

static size_t
count_of(const struct watch_project *p, enum gate_outcome outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < p->gate_count; i++)
		count += p->gates[i].outcome == outcome;
	return count;
}

/* The loop that the next stop of the session continues; NULL: none. */
static const struct watch_loop *
loop_of(const struct watch_project *p, struct str session)
{
	for (size_t i = 0; i < p->loop_count; i++) {
		const struct watch_loop *l = &p->loops[i];

		if (!l->problem.s && (l->session.n == 0 || session.n == 0 || str_eq(l->session, session)))
			return l;
	}
	return NULL;
}

static void
add_part(struct buf *b, bool has_colour, enum style style, struct str text)
{
	if (b->n > 0)
		print_styled(b, has_colour, STYLE_DIM, STR(" \xC2\xB7 "));
	print_styled(b, has_colour, style, text);
}

static struct str
loop_text(struct arena *a, const struct watch_loop *l)
{
	const char *paused = l->is_paused ? " paused" : "";

	if (l->max == 0)
		return str_fmt(a, "loop %" PRIu64 "%s", l->iteration, paused);
	return str_fmt(a, "loop %" PRIu64 "/%" PRIu64 "%s", l->iteration, l->max, paused);
}

static void
add_gates(struct arena *a, struct buf *b, const struct watch_project *p, int64_t now_us, bool has_colour)
{
	struct str failing = names_of(a, p, OUTCOME_FAIL);
	size_t passed = count_of(p, OUTCOME_PASS);

	for (size_t i = 0; i < p->gate_count; i++) {
		const struct watch_gate *g = &p->gates[i];

		if (g->outcome == OUTCOME_RUNNING)
			add_part(b, has_colour, STYLE_YELLOW,
				 str_fmt(a, "\xE2\x96\xB6 " STR_FMT " " STR_FMT,
					 STR_ARG(strip_escapes_line(a, g->name)),
					 STR_ARG(view_time(a, (now_us - g->started_us) / 1000))));
	}
	if (failing.n > 0)
		add_part(b, has_colour, STYLE_RED, str_fmt(a, "\xE2\x9C\x97 " STR_FMT, STR_ARG(failing)));
	if (passed > NAMES_SHOWN)
		add_part(b, has_colour, STYLE_GREEN, str_fmt(a, "\xE2\x9C\x93 %zu gates", passed));
	else if (passed > 0)
		add_part(b, has_colour, STYLE_GREEN,
			 str_fmt(a, "\xE2\x9C\x93 " STR_FMT, STR_ARG(names_of(a, p, OUTCOME_PASS))));
}

/* What the next stop will do, as far as that can be said without git. */
static struct str
next_text(struct arena *a, const struct watch_project *p, const struct watch_loop *l)
{
	struct str failing = names_of(a, p, OUTCOME_FAIL);

	if (l && !l->is_paused && (l->max == 0 || l->iteration < l->max))
		return str_fmt(a, "iteration %" PRIu64, l->iteration + 1);
	if (l && !l->is_paused)
		return STR("the loop ends");
	if (p->gate_count == 0)
		return STR("allowed");
	if (!p->runs_at_stop)
		return STR("runs no gates");
	return failing.n > 0 ? str_fmt(a, STR_FMT " must pass", STR_ARG(failing))
			     : STR("gates for what changed");
}

struct str
statusline_text(struct arena *a, const struct watch_project *p, struct str session, int64_t now_us,
		bool has_colour)
{
	const struct watch_loop *l = loop_of(p, session);
	struct buf b = BUF(a, SIZE_MAX);

	if (!l && p->gate_count == 0 && !p->problem.s)
		return STR("");
	if (p->is_off)
		return STR("holdfast is off");
	if (l)
		add_part(&b, has_colour, l->is_paused ? STYLE_YELLOW : STYLE_BOLD, loop_text(a, l));
	if (p->problem.s) {
		struct str problem = strip_escapes_line(a, p->problem);

		add_part(&b, has_colour, STYLE_RED,
			 str_fmt(a, "\xE2\x9C\x97 " STR_FMT, STR_ARG(utf8_fit(problem, PROBLEM_WIDTH))));
		return buf_str(&b);
	}
	add_gates(a, &b, p, now_us, has_colour);
	add_part(&b, has_colour, STYLE_DIM, str_fmt(a, "next stop: " STR_FMT, STR_ARG(next_text(a, p, l))));
	return buf_str(&b);
}

/* What Claude Code says about the session; an empty map if that can't be read. */
static struct node
read_input(struct arena *a)
{
	int64_t deadline_ms = clock_mono_ms() + INPUT_MS;
	enum input_state state = INPUT_BYTES;
	struct buf b = BUF(a, INPUT_BYTES);
	struct node n = { 0 };
	struct err ignored;

	while (!tty_is(0) && state == INPUT_BYTES && !b.is_cut) {
		char bytes[KIB(8)];
		size_t count = 0;

		if (fd_read_until(0, bytes, sizeof(bytes), deadline_ms, &count, &state, &ignored) < 0)
			break;
		buf_add(&b, (struct str){ bytes, count });
	}
	if (json_parse(a, buf_str(&b), &n, &ignored) < 0)
		n = (struct node){ .kind = NODE_MAP };
	return n;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct node input = read_input(a);
	const struct node *workspace = node_get(&input, "workspace");
	struct str dir = workspace ? node_get_str(workspace, "current_dir") : STR_NONE;
	struct project_dirs *where = arena_new(a, struct project_dirs);
	struct watch_project p = { 0 };
	int64_t now_us = clock_real_us(), until_ms;
	struct err ignored;
	bool has_gates;

	(void)inv;
	dir = dir.n > 0 ? dir : node_get_str(&input, "cwd");
	/* A directory that is gone: the one in which Claude Code started us is as good. */
	if (dir.n > 0)
		(void)(fs_enter(str_copy(a, dir).s, &ignored) == 0);
	dir = fs_cwd(a);
	if (!dir.s)
		return 0;
	project_find(where, dir, WITHIN_REPOSITORY);
	p.root = project_root(where);
	struct str gates = gauntlet_root(a, &has_gates);

	p.gates_root = has_gates ? gates : STR_NONE;
	p.is_off = off_is_set(a, p.root, now_us / 1000, &until_ms);
	watch_read_loops(a, where, &p);
	watch_read_gates(a, &p);
	struct str text = statusline_text(a, &p, node_get_str(&input, "session_id"), now_us,
					  tty_wants_colour(1));

	/* Not by print_out(), whose failure is the command's: nobody misses the line. */
	if (text.n > 0)
		(void)!fd_write_all(1, str_fmt(a, STR_FMT "\n", STR_ARG(text)), &ignored);
	return 0;
}

const struct command statusline_command = {
	.name = "statusline",
	.summary = "one line for Claude Code's status line: loop, gates, next stop",
	.details =
		"Reads what Claude Code writes to a status line command, and prints the iteration of the "
		"session's "
		"loop, the gates that run, failed and passed, and what the next stop will do; nothing where "
		"nothing is configured. Starts no program, and always exits with 0.\n\n"
		"Register it in the settings of Claude Code:\n\n"
		"  \"statusLine\": { \"type\": \"command\", \"command\": \"holdfast statusline\" }\n\n"
		"With FORCE_COLOR=1 before the command it has colours.",
	.run = run,
};
