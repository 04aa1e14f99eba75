/* SPDX-License-Identifier: MIT */
/* The last lines of a gate's log, to show what went wrong. Reads only the end of the file. */
#include "record/gatelog.h"

#include "base/escapes.h"
#include "base/utf8.h"
#include "os/fd.h"
#include "os/fs.h"

#define WINDOW_BYTES KIB(256)
/* [2026-11-15T01:26:52.628Z] */
#define TIME_BYTES 26

struct str
gatelog_entry_text(struct str line)
{
	if (line.n <= TIME_BYTES || line.s[0] != '[' || line.s[5] != '-' || line.s[11] != 'T' ||
	    line.s[TIME_BYTES - 2] != 'Z' || line.s[TIME_BYTES - 1] != ']' || line.s[TIME_BYTES] != ' ')
		return STR_NONE;
	return str_sub(line, TIME_BYTES + 1, line.n);
}

/* Absent: it can't be read. */
static struct str
read_end(struct arena *a, const char *path, bool *ret_is_whole)
{
	CLEANUP(fd_close) int fd = -1;
	struct err ignored;
	size_t n = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return STR_NONE;
	uint64_t size = fs_size(fd), from = size > WINDOW_BYTES ? size - WINDOW_BYTES : 0;
	char *bytes = arena_bytes(a, WINDOW_BYTES);

	if (fd_read_at(fd, from, bytes, WINDOW_BYTES, &n, &ignored) < 0)
		return STR_NONE;
	*ret_is_whole = from == 0;
	return (struct str){ bytes, n };
}

/* Where the last line begins that ends before `end`. */
static size_t
line_before(struct str text, size_t end)
{
	size_t at = end;

	if (at > 0 && text.s[at - 1] == '\n')
		at--;
	while (at > 0 && text.s[at - 1] != '\n')
		at--;
	return at;
}

/* Drops the entries that follow the output: the command that failed, the result, the instructions. */
static struct str
without_end(struct str text)
{
	for (size_t at = text.n; at > 0;) {
		size_t from = line_before(text, at);
		struct str line = str_sub(text, from, at), entry = gatelog_entry_text(line);

		if (str_starts(entry, STR("Result: "))) {
			text.n = from;
			break;
		}
		at = from;
	}
	/* `[time] ` alone on a line, then the command. */
	for (size_t at = text.n; at > 0;) {
		size_t from = line_before(text, at);

		if (str_starts(str_sub(text, from, at), STR("Command failed: ")) && from > 0) {
			size_t before = line_before(text, from);

			if (gatelog_entry_text(str_sub(text, before, from)).n == 1)
				return str_sub(text, 0, before);
		}
		at = from;
	}
	return text;
}

/* Drops the entries that precede the output: the check, its command and its directory. */
static struct str
without_start(struct str text)
{
	struct str rest = text, line;
	bool is_dir = false;

	while (str_next(&rest, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);

		if (str_starts(entry, STR("Working directory: "))) {
			is_dir = true;
		} else if (is_dir && entry.s) {
			return str_sub(text, (size_t)(entry.s - text.s), text.n);
		}
	}
	return is_dir ? STR("") : text;
}

static struct str
last_lines(struct str text, size_t lines, size_t bytes)
{
	size_t at = text.n;

	for (size_t i = 0; i < lines && at > 0; i++) {
		size_t from = line_before(text, at);

		if (text.n - from > bytes)
			break;
		at = from;
	}
	/* Of a line that is too long, show the end. */
	return at < text.n ? str_sub(text, at, text.n) : utf8_tail(text, bytes);
}

struct str
gatelog_last_lines(struct arena *a, const char *path, size_t lines, size_t bytes)
{
	bool is_whole = false;
	struct str text = read_end(a, path, &is_whole);

	if (!text.s)
		return STR("");
	text = without_end(text);
	if (is_whole)
		text = without_start(text);
	/* Strip escapes before counting lines and bytes. */
	text = strip_escapes(a, text);
	while (text.n > 0 && str_trim(str_sub(text, text.n - 1, text.n)).n == 0)
		text.n--;
	while (str_starts(text, STR("\n")))
		text = str_sub(text, 1, text.n);
	return str_copy(a, last_lines(text, lines, bytes));
}
