/* SPDX-License-Identifier: MIT */
/* The live view. Its text is a pure function of the results; the rest moves the cursor. Each change is one write, so
 * that half of it is never seen. */
#include "ui/live.h"

#include "os/fd.h"
#include "os/env.h"
#include "ui/print.h"

#include <inttypes.h>

#define WIDTH_LEAST 20
/* Lines for the counts, for how many gates are not shown, and for the cursor. */
#define OTHER_LINES 3

#define ELLIPSIS "\xE2\x80\xA6"
/* The terminal cuts lines that it takes to be wider than we do, instead of wrapping them. */
#define NO_WRAP "\033[?7l"
#define WRAP "\033[?7h"

static struct str
time_text(struct arena *a, int64_t ms)
{
	int64_t s = ms / 1000;

	if (s < 60)
		return str_cat(a, s, ".", ms % 1000 / 100, "s");
	if (s < 3600)
		return str_fmt(a, "%" PRId64 "m%02" PRId64 "s", s / 60, s % 60);
	return str_fmt(a, "%" PRId64 "h%02" PRId64 "m", s / 3600, s % 3600 / 60);
}

static void
add_counts(struct buf *b, const size_t counts[OUTCOME_COUNT], size_t width, const struct live_page *page)
{
	static const struct {
		enum gate_outcome outcome;
		const char *word;
		enum style style;
	} parts[] = {
		{ OUTCOME_RUNNING, "running", STYLE_YELLOW }, { OUTCOME_PASS, "passed", STYLE_GREEN },
		{ OUTCOME_FAIL, "failed", STYLE_RED },        { OUTCOME_ERROR, "in error", STYLE_RED },
		{ OUTCOME_WAITING, "waiting", STYLE_DIM },
	};
	struct str time = time_text(b->arena, page->now_ms - page->started_ms);
	size_t used = 2 + time.n;

	buf_cat(b, "  ", time);
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct str part = str_cat(b->arena, counts[parts[i].outcome], " ", parts[i].word);

		if (counts[parts[i].outcome] == 0 || used + 2 + part.n > width)
			continue;
		buf_add(b, STR(", "));
		print_styled(b, page->has_colour, parts[i].style, part);
		used += 2 + part.n;
	}
	buf_addc(b, '\n');
}

struct str
live_render(struct arena *a, const struct gate_result *results, size_t count, const struct live_page *page)
{
	/* Some terminals wrap when the last column is written. */
	size_t width = (size_t)(page->width > WIDTH_LEAST ? page->width : WIDTH_LEAST) - 1;
	size_t room = page->height > OTHER_LINES ? (size_t)(page->height - OTHER_LINES) : 0;
	size_t counts[OUTCOME_COUNT] = { 0 };
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < count; i++) {
		if (results[i].outcome == OUTCOME_RUNNING && counts[OUTCOME_RUNNING] < room) {
			struct str time = time_text(b.arena, page->now_ms - results[i].started_ms);
			struct str name = strip_escapes_line(a, gate_result_name(a, &results[i]));

			print_styled(&b, page->has_colour, STYLE_YELLOW, STR("  > "));
			buf_cat(&b, utf8_cut(a, name, width - time.n - 5), " ");
			print_styled_line(&b, page->has_colour, STYLE_DIM, time);
		}
		counts[results[i].outcome]++;
	}
	if (counts[OUTCOME_RUNNING] > room && room > 0)
		buf_cat(&b, "    " ELLIPSIS " and ", counts[OUTCOME_RUNNING] - room, " more\n");
	add_counts(&b, counts, width, page);
	return buf_str(&b);
}

/* Erases the old view, prints the text in its place and the new view below it. */
static void
replace(struct live *l, struct str text, struct str frame)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, SIZE_MAX);

	if (l->lines > 0)
		buf_cat(&b, "\r\033[", l->lines, "A\033[J");
	buf_add(&b, print_harmless(&a, text));
	if (frame.n > 0)
		buf_cat(&b, NO_WRAP, frame, WRAP);
	l->lines = 0;
	for (size_t i = 0; i < frame.n; i++)
		l->lines += frame.s[i] == '\n';
	if (fd_write_all(l->fd, buf_str(&b), IGNORED) < 0)
		l->lines = 0;
}

void
live_open(struct live *l, int fd, int64_t started_ms)
{
	*l = (struct live){ .fd = fd, .started_ms = started_ms };
}

void
live_draw(struct live *l, const struct gate_result *results, size_t count, int64_t now_ms)
{
	struct live_page page = {
		.width = tty_width(l->fd),
		.height = tty_height(l->fd),
		.has_colour = tty_wants_colour(l->fd),
		.started_ms = l->started_ms,
		.now_ms = now_ms,
	};

	arena_free(&l->arena);
	l->frame = live_render(&l->arena, results, count, &page);
	replace(l, STR(""), l->frame);
}

void
live_print(struct live *l, struct str lines)
{
	replace(l, lines, l->frame);
}

void
live_close(struct live *l)
{
	replace(l, STR(""), STR(""));
	arena_free(&l->arena);
	l->frame = STR_NONE;
}
