/* SPDX-License-Identifier: MIT */
/* Reads a transcript backwards. Memory is bounded by the longest line, time by how far back the last answer is:
 * the size of the file does not matter. */
#include "agent/transcript.h"

#include "doc/json.h"
#include "os/fd.h"
#include "os/fs.h"

/* The feedback of a Stop hook that blocked begins a new turn, as a user's prompt does. */
#define FEEDBACK STR("Stop hook feedback:")

struct piece {
	struct str text;
	const struct piece *next; /* further down in the file */
};

struct message {
	struct str id; /* absent: the line has none, and is a message by itself */
	const struct piece *first;
	size_t bytes;
};

static bool
is_text_block(const struct node *block)
{
	return str_is(node_get_str(block, "type"), "text") && node_get_str(block, "text").s;
}

/* The text blocks of a message's content, joined; absent when it has none. */
static struct str
text_of(struct arena *a, const struct node *content)
{
	struct buf out = BUF(a, SIZE_MAX);
	bool has_text = false;

	if (!content || content->kind == NODE_STRING)
		return content ? content->text : STR_NONE;
	for (size_t i = 0; content->kind == NODE_LIST && i < content->count; i++) {
		if (!is_text_block(&content->items[i]))
			continue;
		if (has_text)
			buf_addc(&out, '\n');
		buf_add(&out, node_get_str(&content->items[i], "text"));
		has_text = true;
	}
	return has_text ? buf_str(&out) : STR_NONE;
}

static bool
is_prompt(struct arena *a, const struct node *line)
{
	struct str text = text_of(a, node_get(node_get(line, "message"), "content"));

	return text.s && (!node_get_bool(line, "isMeta") || str_starts(text, FEEDBACK));
}

/* Adds the line's text before what was gathered. False when the search is over: the message is complete, or as long
 * as a single line may be. */
static bool
gather(struct arena *keep, struct arena *scratch, const struct node *line, struct message *m)
{
	const struct node *message = node_get(line, "message");
	struct str text = text_of(scratch, node_get(message, "content"));
	struct str id = node_get_str(message, "id");

	if (m->first && (!m->id.s || !str_eq(id, m->id)))
		return false;
	if (!text.s)
		return true;
	if (!m->first)
		m->id = id.s ? str_copy(keep, id) : STR_NONE;
	struct piece *piece = arena_new(keep, struct piece);

	*piece = (struct piece){ str_copy(keep, text), m->first };
	m->first = piece;
	m->bytes += text.n + sizeof(*piece);
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

/* False when the search is over. */
static bool
take_line(struct arena *keep, struct arena *scratch, struct str text, struct message *m)
{
	struct node line;
	struct err ignored;

	/* Most lines are neither, and some of them are huge: a look is cheaper than a parse. */
	if (str_find(text, STR("\"assistant\"")) < 0 && str_find(text, STR("\"user\"")) < 0)
		return true;
	if (json_parse(scratch, text, &line, &ignored) < 0 || node_get_bool(&line, "isSidechain"))
		return true;
	struct str type = node_get_str(&line, "type");

	if (!type.s)
		type = node_get_str(node_get(&line, "message"), "role");
	if (str_is(type, "user"))
		return !is_prompt(scratch, &line);
	if (!str_is(type, "assistant") || node_get_bool(&line, "isApiErrorMessage"))
		return true;
	return gather(keep, scratch, &line, m);
}

int
transcript_scan(struct arena *a, struct lines_back *lines, struct str *ret, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct message m = { 0 };

	for (;;) {
		struct arena_mark mark = arena_mark(&scratch);
		enum lines_back_end end;
		struct str line;

		if (lines_back_next(lines, &line, &end, err) < 0)
			return -1;
		if (end != LINES_LINE || !take_line(a, &scratch, line, &m))
			break;
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
transcript_last_message(struct arena *a, const char *path, struct str *ret, struct err *err)
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
	return transcript_scan(a, &lines, ret, err);
}
