/* SPDX-License-Identifier: MIT */
/* Transcripts: any bytes come to an end, whatever the size of the pieces in which they are read, and what was said before
 * the last prompt of the user is never the final message. */
#include "client/client.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define SECRET "<promise>SECRET</promise>"
#define EARLIER "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":\"" SECRET "\"}}\n"
#define PROMPT "{\"type\":\"user\",\"message\":{\"content\":\"go\"}}\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int
read_memory(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	struct str rest = str_sub(*(struct str *)file, (size_t)offset, SIZE_MAX);

	(void)err;
	*ret_n = rest.n < n ? rest.n : n;
	if (*ret_n)
		memcpy(to, rest.s, *ret_n);
	return 0;
}

static struct str
last_message(struct arena *a, const struct transcript_form *form, struct str text, size_t chunk_bytes)
{
	CLEANUP(reverse_lines_free) struct reverse_lines lines;
	struct str message;
	bool is_pending;
	struct err err;

	reverse_lines_init(&lines, read_memory, &text, text.n);
	lines.chunk_bytes = chunk_bytes;
	if (transcript_scan(a, &lines, &(struct transcript_reader){ .form = form }, &message, &is_pending,
			    &err) < 0)
		abort();
	return message;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	if (n == 0)
		return 0;
	struct str text = { (const char *)data + 1, n - 1 };
	struct buf turn = BUF(&a, SIZE_MAX), session = BUF(&a, SIZE_MAX);

	for (size_t i = 0; i < client_count; i++) {
		const struct transcript_form *form = clients[i]->transcript;

		if (!str_eq(last_message(&a, form, text, TRANSCRIPT_CHUNK_BYTES),
			    last_message(&a, form, text, 1 + data[0])))
			abort();
	}
	buf_add(&turn, STR(PROMPT));
	buf_add(&turn, text);
	buf_add(&session, STR(EARLIER));
	buf_add(&session, buf_str(&turn));
	struct str without = last_message(&a, &claude_transcript, buf_str(&turn), TRANSCRIPT_CHUNK_BYTES);
	struct str with = last_message(&a, &claude_transcript, buf_str(&session), TRANSCRIPT_CHUNK_BYTES);

	if (!str_eq(without, with))
		abort();
	return 0;
}
