/* SPDX-License-Identifier: MIT */
/* Lays out text for people, and asks them. It decides nothing and knows no command. */
#include "ui/print.h"

#include "os/env.h"
#include "os/fd.h"

#include <stdio.h>

#define WIDTH_PIPE 80
#define WIDTH_LEAST 40
#define WIDTH_MOST 100

static const char *const codes[] = {
	[STYLE_PLAIN] = "",        [STYLE_BOLD] = "\033[1m",     [STYLE_DIM] = "\033[2m",
	[STYLE_RED] = "\033[31m",  [STYLE_GREEN] = "\033[32m",   [STYLE_YELLOW] = "\033[33m",
	[STYLE_BLUE] = "\033[34m", [STYLE_MAGENTA] = "\033[35m",
};

#define STYLE_END "\033[0m"

void
print_styled(struct buf *b, bool has_colour, enum style style, struct str text)
{
	bool is_styled = has_colour && style != STYLE_PLAIN;

	if (is_styled)
		buf_add(b, str_from(codes[style]));
	buf_add(b, text);
	if (is_styled)
		buf_add(b, STR(STYLE_END));
}

void
print_styled_line(struct buf *b, bool has_colour, enum style style, struct str text)
{
	print_styled(b, has_colour, style, text);
	buf_addc(b, '\n');
}

void
print_wrapped(struct buf *b, struct str text, size_t indent, int width)
{
	struct str word;
	size_t column = indent;
	bool is_first = true;

	while (str_next(&text, ' ', &word)) {
		size_t n = utf8_length(word);

		if (n == 0)
			continue;
		if (!is_first && column + 1 + n > (size_t)width) {
			buf_addf(b, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!is_first) {
			buf_addc(b, ' ');
			column++;
		}
		buf_add(b, word);
		column += n;
		is_first = false;
	}
	buf_addc(b, '\n');
}

void
print_rows(struct buf *b, const struct print_row *rows, size_t count, int width, bool has_colour)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t n = utf8_length(rows[i].left);

		if (n > widest && n <= (size_t)width / 3)
			widest = n;
	}
	size_t column = 2 + widest + 2;

	for (size_t i = 0; i < count; i++) {
		size_t n = utf8_length(rows[i].left);

		buf_cat(b, "  ");
		print_styled(b, has_colour, STYLE_BOLD, rows[i].left);
		if (n > widest)
			buf_addf(b, "\n%*s", (int)column, "");
		else
			buf_addf(b, "%*s", (int)(column - 2 - n), "");
		print_wrapped(b, rows[i].right, column, width);
	}
}

/* Adds the lines gathered so far as one paragraph. */
static void
end_flow(struct buf *b, struct buf *flow, int width)
{
	if (flow->n > 0)
		print_wrapped(b, buf_str(flow), 0, width);
	flow->n = 0;
}

void
print_paragraph(struct buf *b, struct str text, int width)
{
	struct str line;
	struct buf flow = BUF(b->arena, KIB(64));

	while (str_next(&text, '\n', &line)) {
		bool is_kept = str_starts(line, STR("  ")) || line.n == 0;

		if (is_kept) {
			end_flow(b, &flow, width);
			buf_add(b, line);
			buf_addc(b, '\n');
		} else {
			if (flow.n > 0)
				buf_addc(&flow, ' ');
			buf_add(&flow, line);
		}
	}
	end_flow(b, &flow, width);
}

struct str
print_harmless(struct arena *a, struct str text)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (str_eq(strip_escapes(a, text), text))
		return text;
	for (size_t from = 0, at = 0; from < text.n; at++) {
		struct str style = STR_NONE, rest = str_rest(text, at);

		/* The sequence of a style, or of its end. */
		for (size_t i = STYLE_PLAIN; rest.n > 0 && rest.s[0] == '\033' && i < COUNT_OF(codes); i++) {
			struct str code = i == STYLE_PLAIN ? STR(STYLE_END) : str_from(codes[i]);

			style = str_starts(rest, code) ? code : style;
		}
		if (!style.s && at < text.n)
			continue;
		buf_add(&b, strip_escapes(a, str_sub(text, from, at)));
		buf_add(&b, style);
		from = at + style.n;
		at = from - 1;
	}
	return buf_str(&b);
}

int
print_to(int fd, struct str text, struct err *err)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	return fd_write_all(fd, tty_is(fd) ? print_harmless(&a, text) : text, err);
}

/* Something could not be written, and the user knows. */
static bool has_failed;

static int
fail(const struct err *err)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	has_failed = true;
	print_err(str_cat(&a, "cannot write the output: ", err->msg, "\n"));
	return 1;
}

int
print_out(struct str text)
{
	struct err err;

	(void)fflush(stdout); /* what was printed before comes first; print_end() sees a failure */
	return print_to(1, text, &err) == 0 ? 0 : fail(&err);
}

void
print_list(const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	(void)print_out(str_cat_list(&a, pieces, count));
}

int
print_end(void)
{
	struct err err;

	if (has_failed)
		return 1;
	if (fflush(stdout) != 0)
		(void)err_sys(&err, "can't write");
	else if (ferror(stdout)) /* an earlier write failed, and its errno is lost */
		(void)err_set(&err, ERR_SYS, "not all of it was written");
	else
		return 0;
	return fail(&err);
}

void
print_err(struct str text)
{
	(void)!print_to(2, text, IGNORED);
}

void
print_err_list(const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	print_err(str_cat_list(&a, pieces, count));
}

int
print_width(int fd)
{
	int width = tty_is(fd) ? tty_width(fd) : WIDTH_PIPE;

	return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

struct str
ask(struct arena *a, struct asker *q, const char *fmt, ...)
{
	struct buf line = BUF(a, KIB(64));
	enum input_state state = INPUT_END;
	va_list args;

	va_start(args, fmt);
	(void)print_out(str_vfmt(a, fmt, args));
	va_end(args);
	while (!q->is_over) {
		if (q->begin == q->end) {
			q->begin = q->end = 0;
			q->is_over = fd_read_until(0, q->bytes, sizeof(q->bytes), INT64_MAX, &q->end, &state,
						   IGNORED) < 0 ||
				     state != INPUT_BYTES;
		}
		struct str rest = { q->bytes + q->begin, q->end - q->begin };
		ptrdiff_t at = str_find_char(rest, '\n');

		buf_add(&line, str_sub(rest, 0, at < 0 ? rest.n : (size_t)at));
		q->begin += at < 0 ? rest.n : (size_t)at + 1;
		if (at >= 0)
			break;
	}
	/* piped answers are not echoed, so the line is ended here */
	if (!tty_is(0))
		(void)print_out(STR("\n"));
	return str_trim(buf_str(&line));
}

bool
ask_yes(struct arena *a, struct asker *q, const char *question)
{
	struct str answer = ask(a, q, "%s", question);

	return str_is_word(answer, "y") || str_is_word(answer, "yes");
}
