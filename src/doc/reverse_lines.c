/* SPDX-License-Identifier: MIT */
/* Lines from the end of a file. Reads chunks towards the start, searches each byte once, and keeps no more than one line
 * and one chunk in memory. Does not interpret the lines. */
#include "doc/reverse_lines.h"

void
reverse_lines_init(struct reverse_lines *l, read_at_fn *read_at, void *file, uint64_t size)
{
	*l = (struct reverse_lines){
		.read_at = read_at,
		.file = file,
		.chunk_bytes = TRANSCRIPT_CHUNK_BYTES,
		.line_limit_bytes = TRANSCRIPT_LINE_LIMIT_BYTES,
		.scan_limit_bytes = TRANSCRIPT_SCAN_LIMIT_BYTES,
		.at = size,
		.why = size > 0 ? LINES_LINE : LINES_START,
	};
}

void
reverse_lines_free(struct reverse_lines *l)
{
	arena_free(&l->arena);
}

/* Makes room for n bytes before those in the window. */
static void
make_room(struct reverse_lines *l, size_t n)
{
	size_t used = l->end - l->begin;
	struct arena larger = { 0 };
	char *window = l->window;

	if (n <= l->begin)
		return;
	if (n > l->capacity - used) {
		while (l->capacity < used + n)
			l->capacity = l->capacity ? l->capacity * 2 : l->chunk_bytes;
		window = arena_bytes(&larger, l->capacity);
	}
	if (used)
		memmove(window + l->capacity - used, l->window + l->begin, used);
	if (larger.chunk) {
		arena_free(&l->arena);
		l->arena = larger;
	}
	l->window = window;
	l->begin = l->capacity - used;
	l->end = l->capacity;
}

/* Reads the bytes before the window into it. *ret_n is how many there were. */
static int
read_more(struct reverse_lines *l, size_t *ret_n, struct err *err)
{
	uint64_t left = l->scan_limit_bytes - l->scanned;
	size_t n = l->chunk_bytes, got = 0;

	if (n > l->at)
		n = (size_t)l->at;
	if (n > left)
		n = (size_t)left;
	make_room(l, n);
	if (l->read_at(l->file, l->at - n, l->window + l->begin - n, n, &got, err) < 0)
		return -1;
	l->at -= n;
	l->scanned += n;
	l->begin -= n;
	if (got < n) {
		/* The file was truncated and ends here now: the bytes after this are gone. */
		l->end = l->begin + got;
		l->is_begun = false;
	}
	if (!l->is_begun && got > 0) {
		l->is_begun = true;
		l->end -= l->window[l->end - 1] == '\n';
		got = l->end - l->begin < got ? l->end - l->begin : got;
	}
	*ret_n = got;
	return 0;
}

/* The last newline among the first n bytes of the window, or NULL. */
static const char *
find_newline(const struct reverse_lines *l, size_t n)
{
	return n ? memrchr(l->window + l->begin, '\n', n) : NULL;
}

int
reverse_lines_next(struct reverse_lines *l, struct str *ret_line, enum reverse_lines_end *ret_end,
		   struct err *err)
{
	const char *newline = NULL;

	if (l->why == LINES_LINE)
		newline = find_newline(l, l->end - l->begin);
	while (l->why == LINES_LINE && !newline && l->at > 0) {
		size_t n;

		if (l->end - l->begin > l->line_limit_bytes) {
			l->why = LINES_TOO_LONG;
		} else if (l->scanned >= l->scan_limit_bytes) {
			l->why = LINES_TOO_FAR;
		} else {
			if (read_more(l, &n, err) < 0)
				return -1;
			newline = find_newline(l, n);
		}
	}
	size_t from = newline ? (size_t)(newline - l->window) + 1 : l->begin;

	if (l->why == LINES_LINE && l->end - from > l->line_limit_bytes)
		l->why = LINES_TOO_LONG;
	if (l->why == LINES_LINE && !l->is_begun)
		l->why = LINES_START; /* truncated to nothing */
	*ret_end = l->why;
	if (l->why != LINES_LINE)
		return 0;
	*ret_line = (struct str){ l->window + from, l->end - from };
	if (newline)
		l->end = from - 1;
	else
		l->why = LINES_START; /* this was the first line of the file */
	return 0;
}
