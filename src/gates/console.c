/* SPDX-License-Identifier: MIT */
/* The console of a run. Every line goes to console.N.log as plain text and, unless the run is silent, to stderr or
 * stdout. Only the run's own words have colours, and only on stderr. */
#include "gates/console.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/escapes.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

#include "output/failing_lines.h"

#include <errno.h>
#include <inttypes.h>
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
	struct err ignored;

	if (!c->path.s)
		c->early = str_fmt(c->arena, STR_FMT STR_FMT, STR_ARG(c->early), STR_ARG(text));
	else if (c->fd >= 0 && fd_write_all(c->fd, text, &ignored) < 0)
		console_close(c);
}

int
console_open(struct console *c, const struct logdir *d, int64_t *run, struct err *err)
{
	for (int64_t n = *run; n < *run + NUMBERS_TRIED; n++) {
		struct str name = str_fmt(c->arena, "console.%" PRId64 ".log", n);
		struct str path = path_join(c->arena, d->path, name);

		if (fs_create_log(path.s, &c->fd, err) == 0) {
			c->path = path;
			add_log(c, c->early);
			*run = n;
			return 0;
		}
		if (err->sys != EEXIST)
			return -1;
		console_stderr(c, "Warning: " STR_FMT " already exists", STR_ARG(name));
	}
	return err_wrap(err, "no number is free for the console log");
}

void
console_close(struct console *c)
{
	fd_close(&c->fd);
}

static void
add_stderr(struct console *c, struct str text)
{
	struct err ignored;

	if (c->is_silent)
		return;
	if (c->view)
		c->view->print(c->view->context, text);
	else if (fd_write_all(2, text, &ignored) < 0)
		c->is_silent = true; /* stderr is closed */
}

/* Lines of which only `words`, at the start of the first, have a style. */
static void
add_lines(struct console *c, enum style style, struct str words, struct str rest)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX);

	add_log(c, str_fmt(&a, STR_FMT STR_FMT, STR_ARG(words), STR_ARG(rest)));
	print_styled(&b, c->has_colour, style, words);
	buf_add(&b, rest);
	add_stderr(c, buf_str(&b));
}

/* `[WARNING][gauntlet.run] text` is the original's form of a line. */
static struct str
native_line(struct arena *a, struct str line)
{
	struct str mark = STR("][gauntlet.");
	ptrdiff_t at = str_starts(line, STR("[")) ? str_find(line, mark) : -1;
	ptrdiff_t end = at < 0 ? -1 : str_find(str_sub(line, (size_t)at + 1, line.n), STR("] "));

	if (end < 0)
		return line;
	struct str text = str_sub(line, (size_t)(at + 1 + end) + 2, line.n);

	return str_starts(line, STR("[INFO]")) ? text : str_fmt(a, "warning: " STR_FMT, STR_ARG(text));
}

void
console_stderr(struct console *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(c->arena, fmt, args);

	va_end(args);
	if (c->is_native)
		text = native_line(c->arena, text);
	add_lines(c, STYLE_PLAIN, STR(""),
		  str_fmt(c->arena, STR_FMT "\n", STR_ARG(strip_escapes(c->arena, text))));
}

void
console_stdout(struct console *c, struct str line)
{
	struct str text = str_fmt(c->arena, STR_FMT "\n", STR_ARG(strip_escapes(c->arena, line)));

	add_log(c, text);
	if (c->is_silent)
		return;
	(void)fwrite(text.s, 1, text.n, stdout);
	(void)fflush(stdout);
}

static void
on_started(void *context, const struct gate_result *r, bool is_first_of_job)
{
	struct console *c = context;
	struct str rest = str_fmt(c->arena, " " STR_FMT "\n", STR_ARG(strip_escapes_line(c->arena, r->id)));

	if (!is_first_of_job)
		return;
	if (c->is_native) {
		struct str title = strip_escapes_line(c->arena, r->title.s ? r->title : r->id);

		add_log(c, str_fmt(c->arena, STR_FMT " started\n", STR_ARG(title)));
		return;
	}
	if (c->view) /* which shows what runs */
		add_log(c, str_fmt(c->arena, "[START]" STR_FMT, STR_ARG(rest)));
	else
		add_lines(c, STYLE_BLUE, STR("[START]"), rest);
}

static struct str
path_line(struct console *c, const struct gate_result *r)
{
	const char *title;
	struct str path = gate_result_file(r, &title);

	if (c->is_native)
		title = str_is(str_from(title), "Log") ? "log" : "findings";
	if (r->outcome == OUTCOME_PASS || !path.s)
		return STR("");
	return str_fmt(c->arena, "%s: " STR_FMT STR_FMT "\n", title,
		       STR_ARG(path_is_absolute(path) ? STR("") : c->up),
		       STR_ARG(strip_escapes_line(c->arena, path)));
}

static void
add_output(struct console *c, struct buf *b, const struct gate_result *r, const char *indent)
{
	struct str lines, line;

	if (!c->shows_output || r->outcome == OUTCOME_PASS)
		return;
	lines = result_details(c->arena, r, FAILING_BYTES_MAX);
	while (str_next(&lines, '\n', &line))
		buf_addf(b, "%s" STR_FMT "\n", indent, STR_ARG(strip_escapes_line(c->arena, line)));
}

/* "1.3 s: Exited with code 1", and below it what is known. */
static void
native_ended(struct console *c, const struct gate_result *r)
{
	static const struct {
		enum style style;
		const char *mark, *word;
	} words[OUTCOME_COUNT] = {
		[OUTCOME_PASS] = { STYLE_GREEN, "\xE2\x9C\x93", "passed in" },
		[OUTCOME_FAIL] = { STYLE_RED, "\xE2\x9C\x97", "failed in" },
		[OUTCOME_ERROR] = { STYLE_MAGENTA, "!", "could not run:" },
	};
	struct buf b = BUF(c->arena, SIZE_MAX);
	struct str path = path_line(c, r), message = STR("");

	if (r->is_fixed)
		message = r->changed.count > 0 ? str_fmt(c->arena, "its fix changed " STR_FMT,
							 STR_ARG(changed_files(c->arena, r)))
					       : STR("its fix changed no file");
	else if (r->outcome != OUTCOME_PASS || r->reviewer.s || r->is_flaky)
		message = strip_escapes_line(c->arena, r->message);
	buf_addf(&b, " " STR_FMT " %s", STR_ARG(strip_escapes_line(c->arena, gate_result_name(c->arena, r))),
		 r->is_fixed ? "fixed in" : words[r->outcome].word);
	if (r->outcome != OUTCOME_ERROR)
		buf_addf(&b, " %.2f s%s", (double)r->elapsed_ms / 1000, message.n > 0 ? ":" : "");
	if (message.n > 0)
		buf_addf(&b, " " STR_FMT, STR_ARG(message));
	buf_addc(&b, '\n');
	if (c->shows_output && r->outcome != OUTCOME_PASS && r->command.s)
		buf_addf(&b, "    $ " STR_FMT "\n", STR_ARG(strip_escapes_line(c->arena, r->command)));
	add_output(c, &b, r, "    ");
	if (r->changed.count > 0 && !r->is_fixed)
		buf_addf(&b, "    changed by its fix: " STR_FMT "\n", STR_ARG(changed_files(c->arena, r)));
	if (path.n > 0)
		buf_addf(&b, "    " STR_FMT, STR_ARG(path));
	add_lines(c, words[r->outcome].style, str_from(words[r->outcome].mark), buf_str(&b));
}

static void
on_ended(void *context, const struct gate_result *r)
{
	static const struct {
		enum style style;
		const char *word;
	} words[OUTCOME_COUNT] = {
		[OUTCOME_PASS] = { STYLE_GREEN, "[PASS]" },
		[OUTCOME_FAIL] = { STYLE_RED, "[FAIL]" },
		[OUTCOME_ERROR] = { STYLE_MAGENTA, "[ERROR]" },
	};
	struct console *c = context;
	struct buf b = BUF(c->arena, SIZE_MAX);

	if (c->is_native) {
		native_ended(c, r);
		return;
	}
	/* The original has two blanks after each of these words but [ERROR] of a check. */
	buf_add(&b, r->outcome == OUTCOME_ERROR && !r->reviewer.s ? STR(" ") : STR("  "));
	buf_add(&b, strip_escapes_line(c->arena, gate_result_name(c->arena, r)));
	buf_addf(&b, " (%.2fs)", (double)r->elapsed_ms / 1000);
	if (r->message.n > 0 && (r->outcome != OUTCOME_PASS || r->reviewer.s || r->is_fixed || r->is_flaky))
		buf_addf(&b, " - " STR_FMT, STR_ARG(strip_escapes_line(c->arena, r->message)));
	buf_addc(&b, '\n');
	struct str path = path_line(c, r);

	if (path.n > 0)
		buf_addf(&b, "      " STR_FMT, STR_ARG(path));
	add_output(c, &b, r, "      ");
	add_lines(c, words[r->outcome].style, str_from(words[r->outcome].word), buf_str(&b));
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
	if (str_starts(line, STR("- ")))
		return STYLE_YELLOW;
	return s == STATUS_PASSED ? STYLE_GREEN : s == STATUS_PASSED_WITH_WARNINGS ? STYLE_YELLOW : STYLE_RED;
}

void
console_summary(struct console *c, const struct run_summary *s)
{
	struct str text = c->is_native ? summary_native(c->arena, s) : summary_text(c->arena, s), line;

	text = strip_escapes(c->arena, text);
	while (str_next(&text, '\n', &line))
		add_lines(c, c->is_native ? native_style(line, s->status) : summary_style(line), line,
			  STR("\n"));
}
