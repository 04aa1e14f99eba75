/* SPDX-License-Identifier: MIT */
/* The screen: a title, the part of the rows around the selected one, and the keys. */
#include "cmd/watch/watch.h"

/* The title with a blank line, and the message and the keys. */
#define LINES_ABOVE 2
#define LINES_BELOW 2

struct view_choice
view_choice_of(const struct view_rows *rows, size_t row)
{
	if (row >= rows->count)
		return (struct view_choice){ .row = row };
	const struct view_row *r = &rows->items[row];

	return (struct view_choice){ r->kind, r->id, r->root, row };
}

size_t
view_move(const struct view_rows *rows, size_t row, int by)
{
	size_t at = row;
	int step = by < 0 ? -1 : 1;

	while (by != 0) {
		do
			at = step < 0 ? at - 1 : at + 1; /* below zero it is large */
		while (at < rows->count && rows->items[at].kind == ROW_TEXT);
		if (at >= rows->count)
			break;
		row = at;
		by -= step;
	}
	return row;
}

size_t
view_find(const struct view_rows *rows, const struct view_choice *c)
{
	size_t nearest = rows->count;

	for (size_t i = 0; i < rows->count; i++) {
		const struct view_row *r = &rows->items[i];

		if (r->kind == ROW_TEXT)
			continue;
		if (c->id.s && r->kind == c->kind && str_eq(r->id, c->id) && str_eq(r->root, c->root))
			return i;
		if (nearest == rows->count || i <= c->row)
			nearest = i;
	}
	return nearest;
}

static void
add_span(struct styled_line *l, enum style style, struct str text)
{
	if (l->count < LINE_SPANS && text.n > 0)
		l->spans[l->count++] = (struct styled_text){ style, text };
}

/* "2 loops, 1 running, 1 failing" */
static struct str
counts_text(struct arena *a, const struct overviews *f)
{
	size_t loops = 0, gates[OUTCOME_COUNT] = { 0 };
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < f->project_count; i++) {
		loops += f->projects[i].loops.count;
		for (size_t k = 0; k < f->projects[i].gate_count; k++)
			gates[f->projects[i].gates[k].outcome]++;
	}
	if (loops > 0)
		buf_cat(&b, loops, loops > 1 ? " loops" : " loop");
	if (gates[OUTCOME_RUNNING] > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", gates[OUTCOME_RUNNING], " running");
	if (gates[OUTCOME_FAIL] > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", gates[OUTCOME_FAIL], " failing");
	return buf_str(&b);
}

/* The title to the left; the counts and the time to the right, as far as there is room. */
static void
add_header(struct arena *a, const struct overviews *f, const struct view_page *page, struct styled_line *l)
{
	struct str name = STR("holdfast  "), title = page->title, counts = counts_text(a, f);
	struct str time = str_cat(a, "  ", page->clock);

	time = name.n + time.n <= page->width ? time : STR("");
	counts = name.n + 2 + counts.n + time.n <= page->width ? counts : STR("");
	size_t used = name.n + 2 + counts.n + time.n, room = page->width > used ? page->width - used : 0;

	if (utf8_width(title) > room) /* the end of a path says more than its start */
		title = room > 1 ? str_cat(a, "\xE2\x80\xA6", utf8_tail(title, room - 1)) : STR("");
	used += utf8_width(title);
	add_span(l, STYLE_BOLD, utf8_fit(name, page->width));
	add_span(l, STYLE_PLAIN, title);
	add_span(l, STYLE_PLAIN,
		 str_fmt(a, "%*s", (int)(page->width > used ? page->width - used + 2 : 0), ""));
	add_span(l, STYLE_YELLOW, counts);
	add_span(l, STYLE_DIM, time);
}

static const struct key_text {
	const char *key;
	const char *text; /* at the bottom of the screen; NULL: only the help has it */
	const char *help;
} keys[] = {
	{ "up, k", NULL, "select the row above" },
	{ "down, j", NULL, "select the row below" },
	{ "PgUp, PgDn", NULL, "half a screen further" },
	{ "Home, End", NULL, "the first and the last row" },
	{ "Enter", NULL, "the same as l" },
	{ "p", "pause", "pause the selected loop: the agent may stop, and the loop is kept" },
	{ "r", "resume", "continue a loop that is paused" },
	{ "c", "cancel", "end the selected loop, after a question" },
	{ "g", "run gate", "run the selected gate now, in the background" },
	{ "l", "log", "open what there is to read: a gate's log, a loop's file, a session's decisions" },
	{ "?", "help", "these keys" },
	{ "q", "quit", "leave; nothing that runs ends" },
};

/* As in " p pause ". */
static size_t
key_width(const struct key_text *k)
{
	return strlen(k->text) + 4;
}

/* Where there is not room for all, help and quit, which are last, stay. */
static void
add_footer(struct arena *a, const struct view_page *page, struct styled_line *l)
{
	size_t last = COUNT_OF(keys) - 1, used = 0,
	       kept = key_width(&keys[last - 1]) + key_width(&keys[last]);

	for (size_t i = 0; i <= last; i++) {
		size_t n = keys[i].text ? key_width(&keys[i]) : 0;

		if (n == 0 || used + n + (i < last - 1 ? kept : 0) > page->width)
			continue;
		add_span(l, STYLE_BOLD, str_cat(a, " ", keys[i].key));
		add_span(l, STYLE_DIM, str_cat(a, " ", keys[i].text, " "));
		used += n;
	}
}

void
view_screen(struct arena *a, const struct overviews *f, const struct view_rows *rows, struct view_page *page,
	    struct styled_line *ret)
{
	size_t others = LINES_ABOVE + LINES_BELOW, room = page->height > others ? page->height - others : 0;
	size_t above = page->height > others ? LINES_ABOVE : 0;

	for (size_t i = 0; i < page->height; i++)
		ret[i] = (struct styled_line){ 0 };
	if (above > 0)
		add_header(a, f, page, &ret[0]);
	if (page->height >= 2)
		add_span(&ret[page->height - 2], STYLE_YELLOW, utf8_fit(page->message, page->width));
	if (page->height >= 1)
		add_footer(a, page, &ret[page->height - 1]);
	for (size_t i = 0; page->has_help && i < COUNT_OF(keys) && i < room; i++) {
		size_t width = page->width > 14 ? page->width - 14 : 0;

		add_span(&ret[above + i], STYLE_BOLD, str_fmt(a, "  %-12s", keys[i].key));
		add_span(&ret[above + i], STYLE_PLAIN, utf8_fit(str_from(keys[i].help), width));
	}
	if (page->has_help)
		return;
	if (page->selected < rows->count && page->selected < page->top)
		page->top = page->selected;
	if (page->selected < rows->count && page->selected >= page->top + room)
		page->top = page->selected - room + 1;
	if (page->top + room > rows->count)
		page->top = rows->count > room ? rows->count - room : 0;
	/* The title above the first row that can be selected. */
	if (page->selected < rows->count && view_move(rows, page->selected, -1) == page->selected &&
	    page->selected < room)
		page->top = 0;
	for (size_t i = 0; i < room && page->top + i < rows->count; i++) {
		ret[above + i] = rows->items[page->top + i].line;
		ret[above + i].is_marked = page->top + i == page->selected;
	}
}
