/* SPDX-License-Identifier: MIT */
/* Reads a transcript backwards. Memory is bounded by the longest line, time by how far back the last answer is:
 * the size of the file does not matter. */
#include "client/transcript.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#define POLL_MS 10

struct piece {
	struct str text;
	const struct piece *next; /* further down in the file */
};

struct message {
	struct str id; /* absent: the line has none, and is a message by itself */
	const struct piece *first;
	size_t bytes;
};

struct str
transcript_text(struct arena *a, const struct node *content, bool (*is_text)(const struct node *block))
{
	struct buf out = BUF(a, SIZE_MAX);
	struct str first = STR_NONE;

	if (!content || content->kind == NODE_STRING)
		return content ? content->text : STR_NONE;
	for (size_t i = 0; content->kind == NODE_LIST && i < content->count; i++) {
		struct str text = node_get_str(&content->items[i], "text");

		if (!text.s || !is_text(&content->items[i]))
			continue;
		if (!first.s) {
			first = text;
			continue;
		}
		if (out.n == 0)
			buf_add(&out, first);
		buf_addc(&out, '\n');
		buf_add(&out, text);
	}
	return out.n > 0 ? buf_str(&out) : first;
}

bool
transcript_parse(struct arena *a, struct str line, const char *const words[2], enum line_kind *kind,
		 struct node *ret)
{
	struct err err;

	if (str_find(line, str_from(words[0])) < 0 && str_find(line, str_from(words[1])) < 0)
		return false;
	if (json_parse(a, line, ret, &err) == 0)
		return true;
	if (err.code == ERR_LIMIT)
		*kind = LINE_LIMIT;
	return false;
}

struct transcript_line
transcript_message(struct arena *a, struct str text, const char *role_key, const char *content_key,
		   bool (*is_text)(const struct node *block))
{
	static const char *const words[] = { "\"assistant\"", "\"user\"" };
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;

	if (!transcript_parse(a, text, words, &r.kind, &line))
		return r;
	struct str role = node_get_str(&line, role_key);

	r.text = transcript_text(a, node_get(node_get(&line, "message"), content_key), is_text);
	if (str_is(role, "user") && r.text.s)
		r.kind = LINE_PROMPT;
	else if (str_is(role, "assistant"))
		r.kind = LINE_ANSWER;
	return r;
}

/* Adds the line's text before what was gathered. False when the search is over: the message is complete, or as long
 * as a single line may be. */
static bool
gather(struct arena *a, const struct transcript_line *line, struct message *m)
{
	if (m->first && (!m->id.s || !str_eq(line->id, m->id)))
		return false;
	if (!line->text.s)
		return true;
	if (!m->first)
		m->id = line->id;
	struct piece *piece = arena_new(a, struct piece);

	*piece = (struct piece){ line->text, m->first };
	m->first = piece;
	m->bytes += line->text.n + sizeof(*piece);
	return m->bytes < TRANSCRIPT_LINE_LIMIT_BYTES;
}

static struct str
joined(struct arena *a, const struct message *m)
{
	struct buf out = BUF(a, SIZE_MAX);

	if (m->first && !m->first->next)
		return m->first->text;
	for (const struct piece *p = m->first; p; p = p->next) {
		buf_add(&out, p->text);
		if (p->next)
			buf_addc(&out, '\n');
	}
	return buf_str(&out);
}

int
transcript_scan(struct arena *a, struct reverse_lines *lines, const struct transcript_reader *reader,
		struct str *ret, bool *ret_is_pending, struct err *err)
{
	struct message m = { 0 };
	bool is_over = false, knows_end = false;

	*ret_is_pending = reader->mark.n > 0;

	while (!is_over) {
		struct arena_mark mark = arena_mark(a);
		enum reverse_lines_end end;
		struct str text;

		if (reverse_lines_next(lines, &text, &end, err) < 0)
			return -1;
		if (end != LINES_LINE)
			break;
		struct transcript_line line = reader->line(a, text);
		size_t bytes = m.bytes;

		/* The newest of these lines decides; thoughts and the like are between them. */
		bool is_prompt = line.kind == LINE_PROMPT,
		     is_answer = line.kind == LINE_ANSWER && line.text.s;

		if (reader->mark.n > 0 && str_find(text, reader->mark) >= 0)
			*ret_is_pending = false;
		if (reader->mark.n == 0 && !knows_end && (is_prompt || line.is_of_tool || is_answer)) {
			*ret_is_pending = is_prompt || line.is_of_tool;
			knows_end = true;
		}
		is_over = line.kind == LINE_PROMPT || line.kind == LINE_LIMIT ||
			  (line.kind == LINE_ANSWER && !gather(a, &line, &m));
		/* A line that is part of the message stays: a copy of its text may take as much as the rest. */
		if (m.bytes == bytes)
			arena_reset(a, mark);
	}
	*ret = joined(a, &m);
	return 0;
}

static int
read_at(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	return fd_read_at(*(int *)file, offset, to, n, ret_n, err);
}

/* Waits until the file has another size. False: it still has that one at the deadline. */
static bool
wait_for_growth(int fd, uint64_t size, int64_t deadline_ms)
{
	while (fs_size(fd) == size) {
		if (clock_mono_ms() >= deadline_ms)
			return false;
		clock_sleep_ms(POLL_MS);
	}
	return true;
}

int
transcript_last_message(struct arena *a, const char *path, const struct transcript_reader *reader,
			int64_t wait_ms, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;
	int64_t deadline_ms = clock_mono_ms() + wait_ms;
	struct arena_mark mark = arena_mark(a);

	for (;;) {
		if (fs_open_regular(path, &fd, err) < 0)
			return -1;
		/* A client that writes late may not even have made the file yet. */
		if (fd >= 0 || reader->mark.n == 0 || clock_mono_ms() >= deadline_ms)
			break;
		clock_sleep_ms(POLL_MS);
	}
	if (fd < 0) {
		*ret = STR("");
		return 0;
	}
	for (;;) {
		CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
		uint64_t size = fs_size(fd);
		bool is_pending;

		reverse_lines_init(&lines, read_at, &fd, size);
		if (transcript_scan(a, &lines, reader, ret, &is_pending, err) < 0)
			return -1;
		if (!is_pending || clock_mono_ms() >= deadline_ms || !wait_for_growth(fd, size, deadline_ms))
			return 0;
		arena_reset(a, mark);
	}
}

bool
transcript_has_no_tool(const char *path, transcript_line_fn *read_line)
{
	CLEANUP(fd_close) int fd = -1;
	CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
	struct err ignored;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return false;
	reverse_lines_init(&lines, read_at, &fd, fs_size(fd));
	for (;;) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		enum reverse_lines_end end;
		struct str text;

		if (reverse_lines_next(&lines, &text, &end, &ignored) < 0 || end != LINES_LINE)
			return false;
		struct transcript_line line = read_line(&scratch, text);

		if (line.is_of_tool || line.kind == LINE_LIMIT)
			return false;
		if (line.kind == LINE_PROMPT)
			return true;
	}
}
