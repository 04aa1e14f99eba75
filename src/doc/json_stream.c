/* SPDX-License-Identifier: MIT */
/* A JSON value that arrives in pieces: finds where it ends and keeps its bytes until then. Knows only strings and
 * brackets; json_parse() decides whether the value is well formed. */
#include "doc/json_lex.h"

enum stream_state { BEFORE, SCALAR, INSIDE, IN_STRING, IN_ESCAPE, COMPLETE, BROKEN };

struct json_stream {
	struct arena arena; /* holds this struct too */
	struct buf bytes;
	enum stream_state state;
	int depth;
};

struct json_stream *
json_stream_new(void)
{
	struct arena arena = { 0 };
	struct json_stream *j = arena_new(&arena, struct json_stream);

	j->arena = arena;
	j->bytes = BUF(&j->arena, EVENT_LIMIT_BYTES);
	return j;
}

/* After the nth byte. Blanks and a byte order mark may come before the value. */
static enum stream_state
next_state(struct json_stream *j, char c, size_t nth)
{
	switch (j->state) {
	case BEFORE:
		if (str_find_char(STR(" \t\r\n"), c) >= 0 ||
		    (nth <= 3 && str_find_char(STR("\xEF\xBB\xBF"), c) >= 0))
			return BEFORE;
		if (c != '{' && c != '[')
			return str_find_char(STR("\"-tfn0123456789"), c) >= 0 ? SCALAR : BROKEN;
		__attribute__((fallthrough));
	case INSIDE:
		if (c == '{' || c == '[')
			return ++j->depth > JSON_DEPTH_LIMIT ? BROKEN : INSIDE;
		if (c == '}' || c == ']')
			return --j->depth == 0 ? COMPLETE : INSIDE;
		return c == '"' ? IN_STRING : c == '\0' ? BROKEN : INSIDE;
	case SCALAR:
		return c == '\n' ? COMPLETE : SCALAR;
	case IN_STRING:
		return c == '"'                 ? INSIDE
		       : c == '\\'              ? IN_ESCAPE
		       : (unsigned char)c < ' ' ? BROKEN
						: IN_STRING;
	case IN_ESCAPE:
		return IN_STRING;
	default:
		return j->state;
	}
}

static enum json_progress
progress(const struct json_stream *j)
{
	return j->state == COMPLETE ? JSON_DONE : j->state == BROKEN ? JSON_BAD : JSON_MORE;
}

enum json_progress
json_stream_feed(struct json_stream *j, struct str piece)
{
	size_t used = 0;

	while (used < piece.n && progress(j) == JSON_MORE) {
		/* Nearly all of a long event is inside strings. */
		if (j->state == IN_STRING)
			used = (size_t)(json_skip_plain(piece.s + used, piece.s + piece.n) - piece.s);
		if (used == piece.n)
			break;
		j->state = next_state(j, piece.s[used], j->bytes.n + used + 1);
		used++;
	}
	buf_add(&j->bytes, str_sub(piece, 0, used));
	if (j->bytes.is_cut)
		j->state = BROKEN;
	return progress(j);
}

int
json_stream_take(struct json_stream *j, struct arena *a, struct node *ret, struct err *err)
{
	if (j->bytes.is_cut)
		return err_set(err, ERR_LIMIT, "a value longer than %zu bytes", (size_t)EVENT_LIMIT_BYTES);
	return json_parse(a, buf_str(&j->bytes), ret, err);
}

void
json_stream_free(struct json_stream **j)
{
	if (!*j)
		return;
	struct arena arena = (*j)->arena;

	*j = NULL;
	arena_free(&arena);
}
