/* SPDX-License-Identifier: MIT */
/* holdfast watch: waits for keys, signals and changes of files, and draws what view.c makes of the facts. */
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/watch/watch.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/job.h"
#include "os/notice.h"

#include <poll.h>
#include <signal.h>

/* The times on the screen are renewed so often... */
#define TICK_MS 1000
/* ...and the files are read again after a change, but not more often than the first, nor so often that it takes more than a tenth
 * of the time; and in any case after the second, or the third while gates run: not every change is noticed, such as the
 * death of a run. */
#define RELOAD_LEAST_MS 150
#define RELOAD_MOST_MS 10000
#define RELOAD_RUNNING_MS 2000

#define PIPE_WIDTH 1000

struct watch {
	const struct invocation *inv;
	struct str cwd;
	bool is_all;
	struct arena of_facts; /* of the facts and the choice */
	struct overviews facts;
	struct view_choice choice;
	struct arena of_message;
	struct str message; /* absent: none */
	struct str cancels; /* the path of the loop that the user is asked about; absent: none */
	size_t top;
	bool has_help;
	bool is_dirty; /* files have changed */
	int64_t loaded_ms, load_took_ms;
	struct act_run run;
	int signals, changes;
};

static void
say(struct watch *w, struct str message)
{
	struct arena of_message = { 0 };

	message = message.s ? str_copy(&of_message, message) : STR_NONE;
	arena_free(&w->of_message);
	w->of_message = of_message;
	w->message = message;
}

static void
load(struct watch *w)
{
	struct arena a = { 0 };
	struct overviews facts;
	int64_t began_ms = clock_mono_ms();

	w->is_dirty = false;
	(void)notice_take(w->changes);
	overviews_read(&a, w->cwd, w->is_all, &facts);
	for (size_t i = 0; i < facts.places.count; i++)
		notice_add(w->changes, facts.places.items[i].s);
	if (w->choice.id.s) {
		w->choice.id = str_copy(&a, w->choice.id);
		w->choice.root = str_copy(&a, w->choice.root);
	}
	arena_free(&w->of_facts);
	w->of_facts = a;
	w->facts = facts;
	w->loaded_ms = clock_mono_ms();
	w->load_took_ms = w->loaded_ms - began_ms;
}

static void
draw(struct watch *w)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct view_rows rows;
	size_t width = (size_t)screen_width(), height = (size_t)screen_height();
	struct styled_line *lines = arena_array(&a, height, struct styled_line);

	w->facts.now_us = clock_real_us();
	view_rows(&a, &w->facts, width, &rows);
	struct view_page page = {
		.width = width,
		.height = height,
		.title = w->is_all                    ? STR("all projects")
			 : w->facts.project_count > 0 ? w->facts.projects[0].root
						      : STR(""),
		.clock = str_cat(&a, str_sub(clock_format_seconds(&a, w->facts.now_us), 11, 19), " UTC"),
		.message = w->message.s ? w->message : STR(""),
		.selected = view_find(&rows, &w->choice),
		.top = w->top,
		.has_help = w->has_help,
	};

	view_screen(&a, &w->facts, &rows, &page, lines);
	w->top = page.top;
	w->choice = view_choice_of(&rows, page.selected);
	screen_show(lines, height);
}

/* ---- keys ---- */

static void
move_by(struct watch *w, int by)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct view_rows rows;

	view_rows(&a, &w->facts, (size_t)screen_width(), &rows);
	size_t row = view_find(&rows, &w->choice);

	if (row < rows.count)
		w->choice = view_choice_of(&rows, view_move(&rows, row, by));
}

static const struct overview *
chosen_project(const struct watch *w)
{
	for (size_t i = 0; i < w->facts.project_count; i++)
		if (str_eq(w->facts.projects[i].root, w->choice.root))
			return &w->facts.projects[i];
	return NULL;
}

static const struct overview_gate *
chosen_gate(const struct watch *w)
{
	const struct overview *p = chosen_project(w);

	for (size_t i = 0; p && w->choice.kind == ROW_GATE && i < p->gate_count; i++)
		if (str_eq(p->gates[i].name, w->choice.id))
			return &p->gates[i];
	return NULL;
}

/* What the user reads about the selected row. */
static void
open_log(struct watch *w)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct overview_gate *g = chosen_gate(w);
	struct str message;

	if (!w->choice.id.s || (w->choice.kind == ROW_GATE && (!g || !g->log.s))) {
		say(w, STR("there is no log to read"));
		return;
	}
	screen_suspend();
	if (w->choice.kind == ROW_SESSION)
		message = act_page_session(&a, w->choice.root, w->choice.id, w->signals);
	else
		message = act_page_file(&a, w->choice.kind == ROW_GATE ? g->log : w->choice.id, w->signals);
	screen_resume();
	say(w, message);
}

static void
steer(struct watch *w, int key)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	if (w->choice.kind != ROW_LOOP || !w->choice.id.s) {
		say(w, STR("select a loop first"));
		return;
	}
	if (key != 'c') {
		say(w, act_on_loop(&a, w->choice.id, key == 'r' ? ACT_RESUME : ACT_PAUSE));
		w->is_dirty = true;
		return;
	}
	say(w, STR("cancel this loop? y: yes, any other key: no"));
	w->cancels = str_copy(&w->of_message, w->choice.id);
}

/* False: the user quits. */
static bool
handle_key(struct watch *w, int key)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const struct overview_gate *gate = chosen_gate(w);
	int half = screen_height() / 2;
	const struct {
		int key, by;
	} moves[] = {
		{ SCREEN_UP, -1 },           { 'k', -1 },
		{ SCREEN_DOWN, 1 },          { 'j', 1 },
		{ SCREEN_PAGE_UP, -half },   { SCREEN_PAGE_DOWN, half },
		{ SCREEN_HOME, -INT32_MAX }, { SCREEN_END, INT32_MAX },
	};

	if (w->cancels.s) {
		/* Answers the question whether a loop is to be cancelled. */
		say(w, key == 'y' || key == 'Y' ? act_on_loop(&a, w->cancels, ACT_CANCEL)
						: STR("the loop goes on"));
		w->cancels = STR_NONE;
		w->is_dirty = true;
		return true;
	}
	say(w, STR_NONE);
	if (w->has_help) {
		w->has_help = false;
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(moves); i++)
		if (key == moves[i].key)
			move_by(w, moves[i].by);
	switch (key) {
	case 'q':
		return false;
	case '?':
	case 'h':
		w->has_help = true;
		break;
	case SCREEN_ENTER:
	case 'l':
		open_log(w);
		break;
	case 'g':
		say(w, gate ? act_run_gate(&a, chosen_project(w), gate->gate, &w->run)
			    : STR("select a gate to run it"));
		break;
	case 'p':
	case 'r':
	case 'c':
		steer(w, key);
		break;
	default:
		break;
	}
	return true;
}

/* ---- the loop ---- */

/* Returns the signal that ends us; 0: none. */
static int
handle_signals(struct watch *w)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (int number; (number = job_next_signal(w->signals)) != 0;) {
		struct str message;

		switch (number) {
		case SIGWINCH:
			screen_resize();
			break;
		case SIGTSTP:
			screen_suspend();
			job_stop();
			screen_resume();
			w->is_dirty = true;
			break;
		case SIGCHLD:
			message = act_run_ended(&a, &w->run);
			if (message.s)
				say(w, message);
			w->is_dirty = true;
			break;
		default:
			return number;
		}
	}
	return 0;
}

/* Until the user quits; returns the signal that ends us, or 0. */
static int
run_screen(struct watch *w)
{
	for (;;) {
		int64_t least = 10 * w->load_took_ms > RELOAD_LEAST_MS ? 10 * w->load_took_ms
								       : RELOAD_LEAST_MS;
		int64_t after = RELOAD_MOST_MS;

		for (size_t i = 0; i < w->facts.project_count; i++)
			if (w->facts.projects[i].is_running)
				after = RELOAD_RUNNING_MS;
		int64_t wait = w->loaded_ms + (w->is_dirty || after < least ? least : after) -
			       clock_mono_ms();
		struct pollfd fds[] = {
			{ .fd = 0, .events = POLLIN },
			{ .fd = w->signals, .events = POLLIN },
			{ .fd = w->changes, .events = POLLIN },
		};

		if (wait <= 0) {
			load(w);
			continue;
		}
		draw(w);
		(void)poll(fds, COUNT_OF(fds), (int)(wait < TICK_MS ? wait : TICK_MS));
		int number = handle_signals(w);

		if (number != 0)
			return number;
		if (notice_take(w->changes))
			w->is_dirty = true;
		for (int key; (key = screen_key()) != SCREEN_NO_KEY;)
			if (!handle_key(w, key))
				return 0;
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			return SIGHUP; /* the terminal is gone */
	}
}

static int
show_screen(struct watch *w)
{
	CLEANUP(fd_close) int signals = -1;
	CLEANUP(fd_close) int changes = -1;
	struct err err;

	if (job_open_signals(&signals, &err) < 0 || notice_open(&changes, &err) < 0)
		return command_error(w->inv, err.msg);
	w->signals = signals;
	w->changes = changes;
	load(w);
	if (screen_open(tty_wants_colour(1), &err) < 0)
		return command_error(w->inv, err.msg);
	int number = run_screen(w);

	screen_close();
	fd_close(&w->run.fd);
	arena_free(&w->of_facts);
	arena_free(&w->of_message);
	if (number != 0)
		job_end_by(number);
	return 0;
}

static int
print_once(struct arena *a, const struct invocation *inv, struct str cwd)
{
	struct overviews facts;
	struct view_rows rows;

	overviews_read(a, cwd, option_has(inv, "all"), &facts);
	if (option_has(inv, "json"))
		return print_out(view_json(a, &facts));
	/* In a pipe nothing is cut, unless a width is asked for. */
	view_rows(a, &facts, tty_is(1) || env_has("COLUMNS") ? (size_t)tty_width(1) : PIPE_WIDTH, &rows);
	return print_out(view_text(a, &rows, tty_wants_colour(1)));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct watch w = {
		.inv = inv, .cwd = fs_cwd(a), .is_all = option_has(inv, "all"), .run = { .fd = -1 }
	};
	struct err err;
	int code;

	if (!w.cwd.s && !w.is_all)
		return command_error(inv, "the current directory no longer exists");
	if (option_has(inv, "once") || option_has(inv, "json") || !tty_is(0) || !tty_is(1) ||
	    !job_wait_for_terminal())
		return print_once(a, inv, w.cwd);
	if (screen_prepare(&err) < 0) {
		(void)command_error(inv, err.msg, "; this is the view as text");
		return print_once(a, inv, w.cwd);
	}
	return job_divide(screen_restore, &code) ? show_screen(&w) : code;
}

const struct command watch_command = {
	.name = "watch",
	.summary = "see loops, gates and sessions as they work, and steer them",
	.details = HELP_WATCH,
	TAKES(FLAG("all", "of all projects that holdfast knows", .short_name = 'a'),
	      FLAG("once", "print it as text, and end"),
	      FLAG("json", "print it as JSON, for scripts, and end")),
	.run = run,
};
