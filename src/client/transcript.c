/* SPDX-License-Identifier: MIT */
/* Reads a transcript backwards. Memory is bounded by the longest line, time by how far back the last answer is:
 * the size of the file does not matter. */
#include "client/transcript.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#define POLL_MS 10

struct message {
	struct str id;          /* absent: the line has none, and is a message by itself */
	struct str_list pieces; /* the last of it first */
	size_t bytes;
};

/* The texts of the blocks that are text, joined by newlines, or a text as it is; absent when there is none. */
static struct str
text_of(struct arena *a, const struct transcript_form *form, const struct node *content)
{
	struct str_list texts = { 0 };

	if (!content || content->kind == NODE_STRING)
		return content ? content->text : STR_NONE;
	for (size_t i = 0; content->kind == NODE_LIST && i < content->count; i++) {
		const struct node *block = &content->items[i];
		struct str text = node_get_str(block, "text");

		if (text.s && !(form->skips_thoughts && node_get_bool(block, "thought")) &&
		    (!form->block_types || str_is_word_of(node_get_str(block, "type"), form->block_types)))
			*arena_push(a, texts.items, texts.count) = text;
	}
	if (texts.count < 2) /* one is not copied: it may be huge */
		return texts.count == 0 ? STR_NONE : texts.items[0];
	return str_list_join(a, &texts, "\n");
}

/* What the line is. It is not known to be JSON, and may be huge. */
static struct transcript_line
read_line(struct arena *a, const struct transcript_form *form, struct str text)
{
	struct transcript_line r = { .kind = LINE_OTHER };
	struct node line;
	struct err err;

	if (str_find(text, str_from(form->words[0])) < 0 && str_find(text, str_from(form->words[1])) < 0)
		return r;
	if (json_parse(a, text, &line, &err) < 0) {
		r.kind = err.code == ERR_LIMIT ? LINE_LIMIT : LINE_OTHER;
		return r;
	}
	const struct node *body = form->body ? node_get(&line, form->body) : &line;
	struct str role = form->role ? node_get_str(&line, form->role) : STR_NONE;

	if (!role.s && form->body_role)
		role = node_get_str(body, form->body_role);
	r.text = text_of(a, form, node_get(body, form->content));
	if (form->has_ids)
		r.id = node_get_str(body, "id");
	if (form->calls) {
		r.is_of_tool = node_get_list(body, form->calls)->count > 0;
		if (r.text.n == 0)
			r.text = STR_NONE;
	}
	if (str_is_word_of(role, form->prompts) && (r.text.s || !form->needs_text))
		r.kind = LINE_PROMPT;
	else if (str_is(role, form->answer))
		r.kind = LINE_ANSWER;
	if (form->correct)
		form->correct(&line, body, &r);
	return r;
}

/* Adds the line's text before what was gathered. False when the search is over: the message is complete, or as long
 * as a single line may be. */
static bool
gather(struct arena *a, const struct transcript_line *line, struct message *m)
{
	if (m->pieces.count > 0 && (!m->id.s || !str_eq(line->id, m->id)))
		return false;
	if (!line->text.s)
		return true;
	if (m->pieces.count == 0)
		m->id = line->id;
	*arena_push(a, m->pieces.items, m->pieces.count) = line->text;
	m->bytes += line->text.n + sizeof(line->text);
	return m->bytes < TRANSCRIPT_LINE_LIMIT_BYTES;
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
		struct transcript_line line = read_line(a, reader->form, text);
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
	struct buf out = BUF(a, SIZE_MAX);

	for (size_t i = m.pieces.count; m.pieces.count > 1 && i-- > 0;)
		buf_cat(&out, m.pieces.items[i], i > 0 ? "\n" : "");
	*ret = m.pieces.count == 1 ? m.pieces.items[0] : buf_str(&out);
	return 0;
}

int
transcript_last_message(struct arena *a, const char *path, const struct transcript_reader *reader,
			int64_t wait_ms, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;
	int64_t deadline_ms = clock_mono_ms() + wait_ms;
	struct arena_mark mark = arena_mark(a);

	for (;;) {
		CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
		/* A client that writes late may not even have made the file yet. */
		bool is_pending = reader->mark.n > 0;
		uint64_t size = 0;

		*ret = STR("");
		if (fd < 0 && fs_open_regular(path, &fd, err) < 0)
			return -1;
		if (fd >= 0) {
			size = fs_size(fd);
			arena_reset(a, mark);
			reverse_lines_init(&lines, fd_read_at_of, &fd, size);
			if (transcript_scan(a, &lines, reader, ret, &is_pending, err) < 0)
				return -1;
		}
		if (!is_pending || clock_mono_ms() >= deadline_ms)
			return 0;
		do
			clock_sleep_ms(POLL_MS);
		while (fd >= 0 && fs_size(fd) == size && clock_mono_ms() < deadline_ms);
	}
}

bool
transcript_has_no_tool(const char *path, const struct transcript_form *form)
{
	CLEANUP(fd_close) int fd = -1;
	CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };

	if (fs_open_regular(path, &fd, IGNORED) < 0 || fd < 0)
		return false;
	reverse_lines_init(&lines, fd_read_at_of, &fd, fs_size(fd));
	for (;;) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		enum reverse_lines_end end;
		struct str text;

		if (reverse_lines_next(&lines, &text, &end, IGNORED) < 0 || end != LINES_LINE)
			return false;
		struct transcript_line line = read_line(&scratch, form, text);

		if (line.is_of_tool || line.kind == LINE_LIMIT)
			return false;
		if (line.kind == LINE_PROMPT)
			return true;
	}
}
