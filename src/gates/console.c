/* SPDX-License-Identifier: MIT */
/* The console of a run. Every line goes to console.N.log as plain text and, unless the run is silent, to stderr or
 * stdout. Only the run's own words have colours, and only on stderr. */
#include "gates/console.h"

#include "os/fd.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

#include "output/failing_lines.h"

#include <errno.h>
#include <stdio.h>

/* How many numbers to try where the log's own is in use. */
#define NUMBERS_TRIED 100

void
console_init(struct console *c, struct arena *a, bool is_silent, const struct console_view *view)
{
	*c = (struct console){
		.arena = a,
		.fd = -1,
		.is_silent = is_silent,
		.has_colour = !is_silent && tty_wants_colour(2),
		.view = view,
	};
}

/* On a full disk the log ends, and the run goes on. */
static void
add_log(struct console *c, struct str text)
{
	if (!c->path.s)
		c->early = str_cat(c->arena, c->early, text);
	else if (c->fd >= 0 && fd_write_all(c->fd, text, IGNORED) < 0)
		console_close(c);
}

int
console_open(struct console *c, const struct logdir *d, int64_t *run, struct err *err)
{
	for (int64_t n = *run; n < *run + NUMBERS_TRIED; n++) {
		struct str name = str_cat(c->arena, "console.", n, ".log");

		if (logdir_create_log(c->arena, d, name, &c->fd, err) == 0) {
			c->path = path_join(c->arena, d->path, name);
			add_log(c, c->early);
			*run = n;
			return 0;
		}
		if (err->sys != EEXIST)
			return -1;
		console_line(c, "Warning: ", name, " already exists");
	}
	return err_wrap(err, "no number is free for the console log");
}

void
console_close(struct console *c)
{
	fd_close(&c->fd);
}

/* Lines of which only `words`, at the start of the first, have a style. */
static void
add_lines(struct console *c, enum style style, struct str words, struct str rest)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX);

	add_log(c, str_cat(&a, words, rest));
	if (c->is_silent)
		return;
	print_styled(&b, c->has_colour, style, words);
	buf_add(&b, rest);
	if (c->view)
		c->view->print(c->view->context, buf_str(&b));
	else if (print_to(2, buf_str(&b), IGNORED) < 0)
		c->is_silent = true; /* stderr is closed */
}

void
console_log(struct console *c, const char *level, const char *who, struct str text)
{
	if (level && !c->has_plain_texts)
		text = str_cat(c->arena, "[", level, "][gauntlet.", who, "] ", text);
	else if (level && !str_is(str_from(level), "INFO"))
		text = str_cat(c->arena, "warning: ", text);
	add_lines(c, STYLE_PLAIN, STR(""), str_cat(c->arena, strip_escapes(c->arena, text), "\n"));
}

void
console_progress(struct console *c, struct str line)
{
	struct str text = str_cat(c->arena, strip_escapes(c->arena, line), "\n");

	if (!c->shows_progress)
		return;
	add_log(c, text);
	if (!c->is_silent)
		(void)print_out(text);
}

static void
on_started(void *context, const struct gate_result *r, bool is_first_of_job)
{
	struct console *c = context;
	struct str rest = str_cat(c->arena, " ", strip_escapes_line(c->arena, r->id), "\n");

	if (!is_first_of_job)
		return;
	if (c->has_plain_texts)
		add_log(c, str_cat(c->arena, strip_escapes_line(c->arena, r->title.s ? r->title : r->id),
				   " started\n"));
	else if (c->view) /* which shows what runs */
		add_log(c, str_cat(c->arena, "[START]", rest));
	else
		add_lines(c, STYLE_BLUE, STR("[START]"), rest);
}

/* Where to read about it, indented. */
static void
add_path(struct console *c, struct buf *b, const struct gate_result *r, const char *indent)
{
	const char *title;
	struct str path = gate_result_file(r, &title);

	if (c->has_plain_texts)
		title = str_is(str_from(title), "Log") ? "log" : "findings";
	if (r->outcome != OUTCOME_PASS && path.s)
		buf_cat(b, indent, title, ": ", path_is_absolute(path) ? STR("") : c->up,
			strip_escapes_line(c->arena, path), "\n");
}

static void
add_output(struct console *c, struct buf *b, const struct gate_result *r, const char *indent)
{
	bool is_shown = c->shows_output && r->outcome != OUTCOME_PASS;
	struct str lines = is_shown ? result_details(c->arena, r, FAILING_BYTES_MAX) : STR(""), line;

	while (str_next(&lines, '\n', &line))
		buf_cat(b, indent, strip_escapes_line(c->arena, line), "\n");
}

static const struct {
	enum style style;
	struct str word, mark; /* as the original has it, and holdfast's own */
	const char *verb;
} endings[OUTCOME_COUNT] = {
	[OUTCOME_PASS] = { STYLE_GREEN, STR("[PASS]"), STR("\xE2\x9C\x93"), "passed in" },
	[OUTCOME_FAIL] = { STYLE_RED, STR("[FAIL]"), STR("\xE2\x9C\x97"), "failed in" },
	[OUTCOME_ERROR] = { STYLE_MAGENTA, STR("[ERROR]"), STR("!"), "could not run:" },
};

/* "1.3 s: Exited with code 1", and below it what is known. */
static void
native_ended(struct console *c, const struct gate_result *r)
{
	struct buf b = BUF(c->arena, SIZE_MAX);
	struct str message = STR("");

	if (r->is_fixed)
		message = r->changed.count > 0
				  ? str_cat(c->arena, "its fix changed ", name_some(c->arena, r->changed))
				  : STR("its fix changed no file");
	else if (r->outcome != OUTCOME_PASS || r->reviewer.s || r->is_flaky)
		message = strip_escapes_line(c->arena, r->message);
	buf_cat(&b, " ", strip_escapes_line(c->arena, gate_result_name(c->arena, r)), " ",
		r->is_fixed ? "fixed in" : endings[r->outcome].verb);
	if (r->outcome != OUTCOME_ERROR)
		buf_addf(&b, " %.2f s%s", (double)r->elapsed_ms / 1000, message.n > 0 ? ":" : "");
	if (message.n > 0)
		buf_cat(&b, " ", message);
	buf_addc(&b, '\n');
	if (c->shows_output && r->outcome != OUTCOME_PASS && r->command.s)
		buf_cat(&b, "    $ ", strip_escapes_line(c->arena, r->command), "\n");
	add_output(c, &b, r, "    ");
	if (r->changed.count > 0 && !r->is_fixed)
		buf_cat(&b, "    changed by its fix: ", name_some(c->arena, r->changed), "\n");
	add_path(c, &b, r, "    ");
	add_lines(c, endings[r->outcome].style, endings[r->outcome].mark, buf_str(&b));
}

static void
on_ended(void *context, const struct gate_result *r)
{
	struct console *c = context;
	struct buf b = BUF(c->arena, SIZE_MAX);

	if (c->has_plain_texts) {
		native_ended(c, r);
		return;
	}
	/* The original has two blanks after each of these words but [ERROR] of a check. */
	buf_cat(&b, r->outcome == OUTCOME_ERROR && !r->reviewer.s ? STR(" ") : STR("  "),
		strip_escapes_line(c->arena, gate_result_name(c->arena, r)));
	buf_addf(&b, " (%.2fs)", (double)r->elapsed_ms / 1000);
	if (r->message.n > 0 && (r->outcome != OUTCOME_PASS || r->reviewer.s || r->is_fixed || r->is_flaky))
		buf_cat(&b, " - ", strip_escapes_line(c->arena, r->message));
	buf_addc(&b, '\n');
	add_path(c, &b, r, "      ");
	add_output(c, &b, r, "      ");
	add_lines(c, endings[r->outcome].style, endings[r->outcome].word, buf_str(&b));
}

static void
on_tick(void *context, const struct gate_result *results, size_t count)
{
	struct console *c = context;

	c->view->draw(c->view->context, results, count);
}

struct run_watcher
console_watcher(struct console *c)
{
	return (struct run_watcher){
		.context = c,
		.started = on_started,
		.ended = on_ended,
		.tick = c->view ? on_tick : NULL,
	};
}

static enum style
summary_style(struct str line)
{
	static const struct {
		const char *start;
		enum style style;
	} rows[] = {
		{ "RESULTS SUMMARY", STYLE_BOLD },
		{ "Iteration ", STYLE_BOLD },
		{ "  \xE2\x9C\x93 ", STYLE_GREEN },
		{ "  \xE2\x8A\x98 ", STYLE_YELLOW },
		{ "Status: Passed with", STYLE_YELLOW },
		{ "Status: Passed", STYLE_GREEN },
		{ "Status: ", STYLE_RED },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (str_starts(line, str_from(rows[i].start)))
			return rows[i].style;
	return STYLE_PLAIN;
}

static enum style
native_style(struct str line, enum status s)
{
	return s == STATUS_PASSED_WITH_WARNINGS || str_starts(line, STR("- ")) ? STYLE_YELLOW
	       : s == STATUS_PASSED                                            ? STYLE_GREEN
									       : STYLE_RED;
}

void
console_summary(struct console *c, const struct run_summary *s)
{
	struct str text = c->has_plain_texts ? summary_native(c->arena, s) : summary_text(c->arena, s), line;

	text = strip_escapes(c->arena, text);
	while (str_next(&text, '\n', &line))
		add_lines(c, c->has_plain_texts ? native_style(line, s->status) : summary_style(line), line,
			  STR("\n"));
}
