/* SPDX-License-Identifier: MIT */
/* Reads a transcript backwards. Memory is bounded by the longest line, time by how far back the last answer is:
 * the size of the file does not matter. */
#include "client/transcript.h"

#include "doc/json.h"
#include "os/fd.h"
#include "os/fs.h"

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
	bool has_text = false;

	if (!content || content->kind == NODE_STRING)
		return content ? content->text : STR_NONE;
	for (size_t i = 0; content->kind == NODE_LIST && i < content->count; i++) {
		if (!node_get_str(&content->items[i], "text").s || !is_text(&content->items[i]))
			continue;
		if (has_text)
			buf_addc(&out, '\n');
		buf_add(&out, node_get_str(&content->items[i], "text"));
		has_text = true;
	}
	return has_text ? buf_str(&out) : STR_NONE;
}

bool
transcript_parse(struct arena *a, struct str line, const char *const words[2], struct node *ret)
{
	struct err ignored;

	return (str_find(line, str_from(words[0])) >= 0 || str_find(line, str_from(words[1])) >= 0) &&
	       json_parse(a, line, ret, &ignored) == 0;
}

/* Adds the line's text before what was gathered. False when the search is over: the message is complete, or as long
 * as a single line may be. */
static bool
gather(struct arena *keep, const struct transcript_line *line, struct message *m)
{
	if (m->first && (!m->id.s || !str_eq(line->id, m->id)))
		return false;
	if (!line->text.s)
		return true;
	if (!m->first)
		m->id = line->id.s ? str_copy(keep, line->id) : STR_NONE;
	struct piece *piece = arena_new(keep, struct piece);

	*piece = (struct piece){ str_copy(keep, line->text), m->first };
	m->first = piece;
	m->bytes += line->text.n + sizeof(*piece);
	return m->bytes < TRANSCRIPT_LINE_LIMIT_BYTES;
}

static struct str
joined(struct arena *a, const struct message *m)
{
	struct buf out = BUF(a, SIZE_MAX);

	for (const struct piece *p = m->first; p; p = p->next) {
		buf_add(&out, p->text);
		if (p->next)
			buf_addc(&out, '\n');
	}
	return buf_str(&out);
}

int
transcript_scan(struct arena *a, struct lines_back *lines, transcript_line_fn *read, struct str *ret,
		struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct message m = { 0 };
	bool is_over = false;

	while (!is_over) {
		struct arena_mark mark = arena_mark(&scratch);
		enum lines_back_end end;
		struct str text;

		if (lines_back_next(lines, &text, &end, err) < 0)
			return -1;
		if (end != LINES_LINE)
			break;
		struct transcript_line line = read(&scratch, text);

		is_over = line.kind == LINE_PROMPT || (line.kind == LINE_ANSWER && !gather(a, &line, &m));
		arena_reset(&scratch, mark);
	}
	*ret = joined(a, &m);
	return 0;
}

static int
read_at(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	return fd_read_at(*(int *)file, offset, to, n, ret_n, err);
}

int
transcript_last_message(struct arena *a, const char *path, transcript_line_fn *read, struct str *ret,
			struct err *err)
{
	CLEANUP(arena_free) struct arena window = { 0 };
	CLEANUP(fd_close) int fd = -1;
	struct lines_back lines;

	if (fs_open_regular(path, &fd, err) < 0)
		return -1;
	if (fd < 0) {
		*ret = STR("");
		return 0;
	}
	lines_back_init(&lines, read_at, &fd, fs_size(fd), &window);
	return transcript_scan(a, &lines, read, ret, err);
}
