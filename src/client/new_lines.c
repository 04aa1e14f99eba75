/* SPDX-License-Identifier: MIT */
/* Reads the end of a transcript backwards, up to where the last reading ended. Memory is bounded by the longest line. */
#include "client/new_lines.h"

#include "os/fd.h"
#include "os/fs.h"

/* How many bytes before the offset the mark is about. */
#define MARK_BYTES 512

static uint64_t
mark_at(int fd, uint64_t offset)
{
	char bytes[MARK_BYTES];
	size_t n = offset < MARK_BYTES ? (size_t)offset : MARK_BYTES, got = 0;

	if (n == 0 || fd_read_at(fd, offset - n, bytes, n, &got, IGNORED) < 0 || got < n)
		return 0;
	return str_hash(STR_HASH_START, (struct str){ bytes, n }) | 1;
}

static void
start_at(struct new_lines *n, uint64_t at)
{
	n->at = at;
	reverse_lines_init(&n->lines, fd_read_at_of, &n->fd, at);
	n->lines.scan_limit_bytes = UINT64_MAX;
}

int
new_lines_open(struct new_lines *n, const char *path, const struct read_place *place, struct err *err)
{
	*n = NEW_LINES_NONE;
	if (fs_open_regular(path, &n->fd, err) < 0)
		return -1;
	if (n->fd < 0)
		return err_set(err, ERR_VALUE, "%s: there is no transcript", path);
	uint64_t size = fs_size(n->fd);
	char last = 0;
	size_t got;

	n->is_other = place->offset > size ||
		      (place->offset > 0 && mark_at(n->fd, place->offset) != place->mark);
	n->from = n->is_other ? 0 : place->offset;
	n->end = size;
	n->is_complete = size > 0 && fd_read_at(n->fd, size - 1, &last, 1, &got, IGNORED) == 0 && got == 1 &&
			 last == '\n';
	start_at(n, size);
	return 0;
}

/* Goes to the start of the line before `at`, which is over the limit. */
static int
skip_line(struct new_lines *n, struct err *err)
{
	uint64_t at = n->at - n->is_complete;
	char bytes[KIB(16)];
	const char *newline = NULL;

	while (at > n->from && !newline) {
		size_t size = at - n->from < sizeof(bytes) ? (size_t)(at - n->from) : sizeof(bytes), got;

		if (fd_read_at(n->fd, at - size, bytes, size, &got, err) < 0)
			return -1;
		newline = got > 0 ? memrchr(bytes, '\n', got) : NULL;
		at -= newline ? size - (size_t)(newline - bytes) - 1 : size;
	}
	if (!n->is_complete)
		n->end = at;
	n->is_complete = true;
	reverse_lines_free(&n->lines);
	start_at(n, at);
	return 0;
}

int
new_lines_next(struct new_lines *n, struct str *ret, struct err *err)
{
	*ret = STR_NONE;
	while (n->at > n->from) {
		enum reverse_lines_end end;
		struct str text;

		if (reverse_lines_next(&n->lines, &text, &end, err) < 0)
			return -1;
		if (end == LINES_TOO_LONG) {
			if (skip_line(n, err) < 0)
				return -1;
			continue;
		}
		if (end != LINES_LINE || n->at < text.n + n->is_complete)
			return 0; /* it was truncated meanwhile */
		n->at -= text.n + n->is_complete;
		if (n->is_complete) {
			*ret = n->at < n->from ? STR_NONE : text;
			return 0;
		}
		n->end = n->at;
		n->is_complete = true;
	}
	return 0;
}

struct read_place
new_lines_place(const struct new_lines *n)
{
	return (struct read_place){ n->end, mark_at(n->fd, n->end) };
}

void
new_lines_close(struct new_lines *n)
{
	reverse_lines_free(&n->lines);
	fd_close(&n->fd);
}
