/* SPDX-License-Identifier: MIT */
/* Lines from the end: joined again they are the file, or as much of its end as the limits allow. The first three bytes
 * are the chunk, the longest line and how far to read; the fourth cuts the file after as many reads. */
#include "base/buf.h"
#include "doc/reverse_lines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct memory {
	struct str text;
	unsigned reads_left; /* until the file loses half of its bytes; 255: never */
};

static int
read_memory(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	struct memory *m = file;

	(void)err;
	if (m->reads_left < 255 && m->reads_left-- == 0) {
		m->text.n /= 2;
		m->reads_left = 255;
	}
	struct str piece = str_sub(m->text, offset, offset + n);

	if (piece.n)
		memcpy(to, piece.s, piece.n);
	*ret_n = piece.n;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(reverse_lines_free) struct reverse_lines l = { 0 };
	enum reverse_lines_end end;
	struct str line;
	struct err err;

	if (n < 4)
		return 0;
	struct memory m = { { (const char *)data + 4, n - 4 }, data[3] };
	struct str file = m.text;
	bool is_cut = data[3] < 255, is_ended = str_ends(file, STR("\n"));
	size_t left = file.n - is_ended; /* the bytes of the file that have not come yet */

	reverse_lines_init(&l, read_memory, &m, file.n);
	l.chunk_bytes = 1 + data[0] % 64u;
	l.line_limit_bytes = data[1];
	l.scan_limit_bytes = data[2] < 128 ? data[2] : UINT64_MAX;
	for (size_t count = 0;; count++) {
		if (reverse_lines_next(&l, &line, &end, &err) < 0 || count > n)
			abort();
		if (end != LINES_LINE)
			break;
		if (line.n > l.line_limit_bytes || str_find_char(line, '\n') >= 0)
			abort();
		if (is_cut)
			continue;
		if (line.n > left || !str_eq(line, str_sub(file, left - line.n, left)))
			abort();
		left -= line.n;
		if (left > 0 && file.s[left - 1] != '\n')
			abort();
		left -= left > 0;
	}
	if (!is_cut && end == LINES_START && left > 0)
		abort();
	if (!is_cut && end == LINES_TOO_FAR && l.scanned < l.scan_limit_bytes)
		abort();
	return 0;
}
