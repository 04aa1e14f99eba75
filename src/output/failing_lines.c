/* SPDX-License-Identifier: MIT */
/* Applies the table of formats to an output, and puts the failures that were found into the space that there is. */
#include "output/failing_lines.h"

#include "output/formats.h"

#define LINE_BYTES 240
/* Of one failure: lines in addition to its title, and lines with places in addition to these. */
#define DETAILS_MAX 6
#define PLACES_MAX 2
/* For the line that says how many were left out. */
#define NOTE_BYTES 32

struct group {
	struct str name; /* of a group that is held; absent: it is not */
	struct str lines[1 + DETAILS_MAX + PLACES_MAX];
	size_t count, details, places;
	bool has_title, is_fallback, is_cancelled;
};

struct failure_sink {
	struct arena *arena;
	const struct output_format *format;
	struct group *groups;
	size_t count;
	struct group *open; /* the last one, while lines are added to it; NULL: none */
	struct str file;    /* the last line that is not indented: it names the file of the lines below it */
};

static struct str
shortened(struct arena *a, struct str line)
{
	line = str_trim(line);
	return line.n <= LINE_BYTES ? line : str_cat(a, utf8_head(line, LINE_BYTES - 3), "...");
}

static struct group *
add_group(struct failure_sink *s)
{
	/* most tests of which lines would be held have none */
	if (s->count > 0 && s->groups[s->count - 1].count == 0)
		s->count--;
	s->open = arena_push(s->arena, s->groups, s->count);
	return s->open;
}

void
sink_begin(struct failure_sink *s, struct str title)
{
	struct group *g = add_group(s);

	/* pytest underlines the name of a test on both sides */
	if (str_starts(title, STR("__")))
		title = str_trim_end(str_trim(str_trim_start(str_trim(title), '_')), '_');
	title = shortened(s->arena, title);
	g->has_title = title.n > 0;
	if (g->has_title)
		g->lines[g->count++] = title;
}

void
sink_line(struct failure_sink *s, struct str line)
{
	struct group *g = s->open;
	bool is_place = line_has_place(line);

	if (!g || str_trim(line).n == 0)
		return;
	if (is_place && g->places == PLACES_MAX && s->format->is_deepest_last) {
		g->lines[g->count - 1] = shortened(s->arena, line);
		return;
	}
	if (is_place ? g->places == PLACES_MAX : g->details == DETAILS_MAX)
		return;
	if (is_place)
		g->places++;
	else
		g->details++;
	g->lines[g->count++] = shortened(s->arena, line);
}

/* file:12:5: text, with one blank where the text has several. */
static struct str
joined(struct arena *a, struct str file, struct str line)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str rest = str_trim(line), word;

	buf_add(&b, str_trim(file));
	for (const char *between = ":"; str_next(&rest, ' ', &word);)
		if (word.n > 0) {
			buf_cat(&b, between, word);
			between = " ";
		}
	return buf_str(&b);
}

static void
apply(struct failure_sink *s, enum line_action action, struct str line)
{
	size_t from;

	switch (action) {
	case LINE_DROP:
		break;
	case LINE_BEGIN:
		sink_begin(s, line);
		break;
	case LINE_HOLD:
		line = str_trim(line);
		for (from = line.n; from > 0 && !str_is_blank(line.s[from - 1]);)
			from--;
		add_group(s)->name = str_rest(line, from);
		break;
	case LINE_OPEN:
		if (!s->open)
			add_group(s);
		break;
	case LINE_SHOW:
		sink_line(s, line);
		break;
	case LINE_ALONE:
	case LINE_FALLBACK:
	case LINE_JOIN:
		sink_begin(s, action == LINE_JOIN ? joined(s->arena, s->file, line) : line);
		s->open->is_fallback = action == LINE_FALLBACK;
		s->open = NULL;
		break;
	case LINE_CANCEL:
		if (s->open)
			s->open->is_cancelled = true;
		s->open = NULL;
		break;
	case LINE_END:
		s->open = NULL;
		break;
	}
}

static bool
is_format(const struct output_format *f, struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line))
		for (size_t i = 0; i < f->mark_count; i++)
			if (line_fits(&f->marks[i], line))
				return true;
	return false;
}

static void
pick(struct failure_sink *s, const struct output_format *f, struct str text)
{
	struct str line;

	s->format = f;
	s->open = NULL;
	s->file = STR_NONE;
	if (f->pick) {
		f->pick(s->arena, text, s);
		return;
	}
	for (ptrdiff_t at; f->from && (at = str_find(text, str_from(f->from))) >= 0;)
		text = str_rest(text, (size_t)at + strlen(f->from));
	while (str_next(&text, '\n', &line)) {
		size_t i = 0;

		while (i < f->rule_count && !line_fits(&f->rules[i], line))
			i++;
		if (i < f->rule_count)
			apply(s, f->rules[i].action, line);
		else if (f->shows_rest)
			sink_line(s, line);
		if (line.n > 0 && !str_is_blank(line.s[0]))
			s->file = line;
	}
}

/* ---- what is shown ---- */

static bool
is_shown(const struct group *g, const struct strset *words)
{
	return g->count > 0 && !g->is_cancelled && (!g->name.s || strset_has(words, g->name));
}

/* The groups that are shown, each once. */
static struct str_list
texts_of(struct failure_sink *s)
{
	struct str_list l = { arena_array(s->arena, s->count + 1, struct str), 0 };
	struct strset seen = strset_new(s->arena, s->count + 1), words;
	bool has_main = false;
	size_t word_count = 0;

	/* A group that is held shows the lines of a failure whose title, with its name, is shown later. */
	for (size_t i = 0; i < s->count; i++)
		word_count += s->groups[i].has_title ? str_count(s->groups[i].lines[0], ' ') + 1 : 0;
	words = strset_new(s->arena, word_count);
	for (size_t i = 0; i < s->count; i++) {
		struct str rest = s->groups[i].has_title ? s->groups[i].lines[0] : STR_NONE, word;

		while (str_next(&rest, ' ', &word))
			(void)strset_add(&words, word);
	}
	for (size_t i = 0; i < s->count; i++)
		has_main |= !s->groups[i].is_fallback && is_shown(&s->groups[i], &words);
	for_each (g, s->groups, s->count) {
		if (!is_shown(g, &words) || (has_main && g->is_fallback))
			continue;
		struct buf b = BUF(s->arena, SIZE_MAX);

		for (size_t k = 0; k < g->count; k++)
			buf_cat(&b, k > 0 || !g->has_title ? "  " : "", g->lines[k], "\n");
		if (strset_add(&seen, buf_str(&b)))
			l.items[l.count++] = buf_str(&b);
	}
	return l;
}

/* As many of the groups as there is room for, from the first on; the first in any case, as far as it goes. */
static struct str
fit(struct arena *a, const struct str_list *texts, size_t max_bytes)
{
	struct buf out = BUF(a, max_bytes);
	size_t lines = 0;

	for (size_t i = 0; i < texts->count; i++) {
		struct str text = texts->items[i];
		size_t note = i + 1 < texts->count ? NOTE_BYTES : 0, more = str_count(text, '\n');

		if (i > 0 &&
		    (out.n + text.n + note > max_bytes || lines + more + (note > 0) > FAILING_LINES_MAX)) {
			buf_cat(&out, "... and ", texts->count - i, " more\n");
			break;
		}
		buf_add(&out,
			i > 0 ? text : utf8_head(text, max_bytes > NOTE_BYTES ? max_bytes - NOTE_BYTES : 0));
		lines += more;
	}
	struct str text = buf_str(&out);

	return str_ends(text, STR("\n")) ? str_sub(text, 0, text.n - 1) : text;
}

static struct str
last_lines(struct str text, size_t max_bytes)
{
	while (text.n > 0 && str_is_blank(text.s[text.n - 1]))
		text.n--;
	text = str_trim_start(text, '\n');
	size_t from = text.n;

	for (size_t i = 0; i < FAILING_LINES_MAX && from > 0; i++) {
		/* from - 1 is the newline before, or the last byte */
		size_t at = (size_t)(str_find_last(str_sub(text, 0, from - 1), '\n') + 1);

		if (text.n - at > max_bytes)
			break;
		from = at;
	}
	/* The end of a line that is too long is better than nothing. */
	return from < text.n ? str_rest(text, from) : utf8_tail(text, max_bytes);
}

struct str
failing_lines(struct arena *a, struct str output, size_t max_bytes)
{
	struct failure_sink sink = { .arena = a };
	struct str text = strip_escapes(a, output);

	if (max_bytes > FAILING_BYTES_MAX)
		max_bytes = FAILING_BYTES_MAX;
	for (size_t i = 0; i < output_format_count; i++)
		if (is_format(&output_formats[i], text))
			pick(&sink, &output_formats[i], text);
	struct str_list texts = texts_of(&sink);

	return texts.count > 0 ? fit(a, &texts, max_bytes) : last_lines(text, max_bytes);
}
