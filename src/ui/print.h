/* SPDX-License-Identifier: MIT */
/* What people read: results on stdout, complaints on stderr, colour only where a terminal shows it. Never used by
 * hooks for their answer. */
#ifndef UI_PRINT_H
#define UI_PRINT_H

#include "base/buf.h"

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GREEN, STYLE_YELLOW, STYLE_RED };

/* The text, in a style where has_colour. */
void print_styled(struct buf *b, bool has_colour, enum style style, struct str text);

/* `left` in a column as wide as the widest needs, `right` behind it, wrapped at `width` columns. */
struct print_row {
	struct str left, right;
};
void print_rows(struct buf *b, const struct print_row *rows, size_t count, int width, bool has_colour);
/* Words from column `indent` on, up to which the first line is there already; wrapped at blanks, with the end of the
 * last line. */
void print_wrapped(struct buf *b, struct str text, size_t indent, int width);
/* A paragraph, wrapped at blanks. Lines that begin with two blanks or more are kept as they are. */
void print_paragraph(struct buf *b, struct str text, int width);

/* The text as a terminal is given it: of escape sequences only those of the styles are left, wherever they come from;
 * names and messages out of files can't command it. */
struct str print_harmless(struct arena *a, struct str text);

/* Writes the text, harmless where it goes to a terminal; the exit code of a command that has nothing else to say: 0, or 1 (with a line on stderr)
 * when it could not be written. */
int print_out(struct str text);
/* The same for what was printed by printf(): at the end of every command. */
int print_end(void);
/* On stderr; a failure there can't be told to anybody. */
void print_err(struct str text);

/* How wide lines may be: the terminal's width within reason, 80 in a pipe. */
int print_width(int fd);

#endif
