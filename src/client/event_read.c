/* SPDX-License-Identifier: MIT */
/* Reads a hook's event from stdin. Never waits longer than the deadline and never trusts the bytes. */
#include "client/event_read.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"

/* Big enough for an ordinary event in one read. */
#define PIECE_BYTES KIB(64)

static int
no_event(size_t total, bool is_timeout, int64_t wait_ms, struct err *err)
{
	if (is_timeout)
		return err_set(err, ERR_SYNTAX, "no complete event within %d s", (int)(wait_ms / 1000));
	if (total == 0)
		return err_set(err, ERR_SYNTAX, "the input is empty");
	return err_set(err, ERR_SYNTAX, "the input ends before the event is complete");
}

int
event_read_json(struct arena *a, int fd, int64_t wait_ms, struct node *ret, struct err *err)
{
	CLEANUP(json_stream_free) struct json_stream *stream = json_stream_new();
	int64_t deadline = clock_mono_ms() + wait_ms;
	char *piece = arena_bytes(a, PIECE_BYTES);
	size_t total = 0;

	for (;;) {
		size_t n = 0;
		enum input_state state;

		if (fd_read_until(fd, piece, PIECE_BYTES, deadline, &n, &state, err) < 0)
			return -1;
		if (state != INPUT_BYTES)
			return no_event(total, state == INPUT_TIMEOUT, wait_ms, err);
		total += n;
		switch (json_stream_feed(stream, (struct str){ piece, n })) {
		case JSON_MORE:
			break;
		case JSON_DONE:
		case JSON_BAD:
			return json_stream_take(stream, a, ret, err);
		}
	}
}
