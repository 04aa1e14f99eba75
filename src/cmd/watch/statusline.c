/* SPDX-License-Identifier: MIT */
/* holdfast statusline: one line for the status line of Claude Code. It is printed after each message of the model, so it
 * starts no program, and it never fails. */
#include "client/client.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/watch/watch.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

#include <inttypes.h>

/* Claude Code writes its few hundred bytes before it waits for us. */
#define INPUT_MS 1000
#define NAMES_SHOWN 3
#define PROBLEM_WIDTH 60

/* Names in a row, and how many more there are. */
static struct str
names_of(struct arena *a, const struct overview *p, enum gate_outcome outcome)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t count = 0;

	for (size_t i = 0; i < p->gate_count; i++) {
		if (p->gates[i].outcome != outcome)
			continue;
		if (count++ < NAMES_SHOWN)
			buf_cat(&b, b.n > 0 ? ", " : "", strip_escapes_line(a, p->gates[i].name));
	}
	if (count > NAMES_SHOWN)
		buf_cat(&b, " and ", count - NAMES_SHOWN, " more");
	return buf_str(&b);
}

/* The loop that the next stop of the session continues; NULL: none. */
static const struct loop_state *
loop_of(const struct overview *p, struct str session)
{
	for (size_t i = 0; i < p->loops.count; i++) {
		const struct loop_state *l = &p->loops.items[i].state;

		if (!p->loops.items[i].is_corrupt &&
		    (l->session_id.n == 0 || session.n == 0 || str_eq(l->session_id, session)))
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

static void
add_gates(struct buf *b, const struct overview *p, struct str failing, int64_t now_us, bool has_colour)
{
	struct arena *a = b->arena;
	size_t passed = 0;

	for_each (g, p->gates, p->gate_count) {
		passed += g->outcome == OUTCOME_PASS;
		if (g->outcome == OUTCOME_RUNNING)
			add_part(b, has_colour, STYLE_YELLOW,
				 str_cat(a, "\xE2\x96\xB6 ", strip_escapes_line(a, g->name), " ",
					 view_time(a, (now_us - g->started_us) / 1000)));
	}
	if (failing.n > 0)
		add_part(b, has_colour, STYLE_RED, str_cat(a, "\xE2\x9C\x97 ", failing));
	struct str passing = passed > NAMES_SHOWN ? str_cat(a, passed, " gates")
						  : names_of(a, p, OUTCOME_PASS);

	if (passed > 0)
		add_part(b, has_colour, STYLE_GREEN, str_cat(a, "\xE2\x9C\x93 ", passing));
}

struct str
statusline_text(struct arena *a, const struct overview *p, struct str session, int64_t now_us,
		bool has_colour)
{
	const struct loop_state *l = loop_of(p, session);
	struct str failing = names_of(a, p, OUTCOME_FAIL), next;
	struct buf b = BUF(a, SIZE_MAX);

	if (!l && p->gate_count == 0 && !p->problem.s)
		return STR("");
	if (p->is_off)
		return STR("holdfast is off");
	if (l) {
		struct str most = l->max_iterations > 0 ? str_cat(a, "/", l->max_iterations) : STR_NONE;

		add_part(&b, has_colour, l->is_paused ? STYLE_YELLOW : STYLE_BOLD,
			 str_cat(a, "loop ", l->iteration, most, l->is_paused ? " paused" : ""));
	}
	if (p->problem.s) {
		struct str problem = strip_escapes_line(a, p->problem);

		add_part(&b, has_colour, STYLE_RED,
			 str_cat(a, "\xE2\x9C\x97 ", utf8_fit(problem, PROBLEM_WIDTH)));
		return buf_str(&b);
	}
	add_gates(&b, p, failing, now_us, has_colour);
	/* As far as that can be said without git. */
	if (l && !l->is_paused && (l->max_iterations == 0 || l->iteration < l->max_iterations))
		next = str_cat(a, "iteration ", l->iteration + 1);
	else if (l && !l->is_paused)
		next = STR("the loop ends");
	else if (p->gate_count == 0)
		next = STR("allowed");
	else if (!p->runs_at_stop)
		next = STR("runs no gates");
	else
		next = failing.n > 0 ? str_cat(a, failing, " must pass") : STR("gates for what changed");
	add_part(&b, has_colour, STYLE_DIM, str_cat(a, "next stop: ", next));
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct node input = { 0 }; /* what Claude Code says about the session */
	struct overview *p = arena_new(a, struct overview);

	(void)inv;
	if (tty_is(0) || event_read_json(a, 0, INPUT_MS, &input, IGNORED) < 0)
		input = (struct node){ .kind = NODE_NULL };
	struct str dir = node_get_str(node_get(&input, "workspace"), "current_dir");

	dir = dir.n > 0 ? dir : node_get_str(&input, "cwd");
	/* A directory that is gone: the one in which Claude Code started us is as good. */
	if (dir.n > 0)
		(void)(fs_enter(str_copy(a, dir).s, IGNORED) == 0);
	dir = fs_cwd(a);
	if (!dir.s)
		return 0;
	overview_read(a, dir, OVERVIEW_OFF | OVERVIEW_LOOPS | OVERVIEW_GATES, p);
	struct str text = statusline_text(a, p, node_get_str(&input, "session_id"), clock_real_us(),
					  tty_wants_colour(1));

	/* Not by print_out(), whose failure is the command's: nobody misses the line. */
	if (text.n > 0)
		(void)!print_to(1, str_cat(a, text, "\n"), IGNORED);
	return 0;
}

const struct command statusline_command = {
	.name = "statusline",
	.summary = "one line for Claude Code's status line: loop, gates, next stop",
	.details = HELP_STATUSLINE,
	.run = run,
};
