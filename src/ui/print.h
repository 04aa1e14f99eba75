/* SPDX-License-Identifier: MIT */
/* Text for people: results on stdout, errors on stderr, colour only where a terminal shows it. Hooks never use it for
 * their answer. */
#ifndef UI_PRINT_H
#define UI_PRINT_H

#include "base/base.h"

enum style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_RED,
	STYLE_GREEN,
	STYLE_YELLOW,
	STYLE_BLUE,
	STYLE_MAGENTA,
};

/* The text, in a style where has_colour. */
void print_styled(struct buf *b, bool has_colour, enum style style, struct str text);
/* The same, and the end of the line. */
void print_styled_line(struct buf *b, bool has_colour, enum style style, struct str text);

/* `left` in a column as wide as its widest text, then `right`, wrapped at `width` columns. */
struct print_row {
	struct str left, right;
};
void print_rows(struct buf *b, const struct print_row *rows, size_t count, int width, bool has_colour);
/* Adds words, wrapped at blanks, to a line that is `indent` columns long; further lines are indented as much. Ends with
 * a newline. */
void print_wrapped(struct buf *b, struct str text, size_t indent, int width);
/* A paragraph, wrapped at blanks. Lines that begin with two blanks or more are kept as they are. */
void print_paragraph(struct buf *b, struct str text, int width);

/* The text without escape sequences except those of the styles, so that names and messages from files can't control the
 * terminal. */
struct str print_harmless(struct arena *a, struct str text);

/* Writes the text, made harmless if that is a terminal: the one function by which text reaches it. */
int print_to(int fd, struct str text, struct err *err) MUST_CHECK;
/* Writes the text to stdout. Returns the exit code for a command that has nothing else to
 * do: 0, or 1 and a line on stderr when it could not be written. */
int print_out(struct str text);
/* The same for what printf() has printed: called at the end of every command. */
int print_end(void);
/* Prints a text made of pieces, as by str_cat(), on stdout. What can't be written is reported, and print_end() returns 1. */
#define print_cat(...) print_list(CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
void print_list(const struct str *pieces, size_t count);
/* Writes the text to stderr likewise; a failure there is ignored. */
void print_err(struct str text);
#define print_err_cat(...) print_err_list(CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
void print_err_list(const struct str *pieces, size_t count);

/* Questions on stdout, answers by the line from stdin, which may be a terminal, a pipe or a file. */
struct asker {
	char bytes[1024];
	size_t begin, end;
	bool is_over;
};
/* The trimmed line; empty at the end of input. */
struct str ask(struct arena *a, struct asker *q, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* y or yes, in any case; all else is a no. */
bool ask_yes(struct arena *a, struct asker *q, const char *question);

/* How wide lines may be: the width of the terminal within limits, 80 in a pipe. */
int print_width(int fd);

#endif
