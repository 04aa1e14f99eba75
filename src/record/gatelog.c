/* SPDX-License-Identifier: MIT */
/* The log of a gate. There is one writer, and each write goes to the file at once, so that a killed run leaves
 * everything up to that point. */
#include "record/gatelog.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <inttypes.h>

int
gatelog_open(struct arena *a, const struct logdir *d, struct str part, int64_t run, struct gatelog *ret,
	     struct err *err)
{
	struct str name = str_cat(a, part, ".", run, ".log");
	struct gatelog l = {
		.fd = -1,
		.path = path_join(a, d->shown, name),
		.is_at_line_start = true,
		.limit = GATE_LOG_LIMIT_BYTES,
		.arena = a,
	};

	if (logdir_make(d, err) < 0 || logdir_create_log(a, d, name, &l.fd, err) < 0)
		return -1;
	*ret = l;
	return 0;
}

static void
put(struct gatelog *l, struct str x)
{
	if (x.n == 0 || l->fd < 0)
		return;
	/* On a full disk, still try the next entry: it may be the result. */
	l->is_at_line_start = fd_write_all(l->fd, x, IGNORED) == 0 && x.s[x.n - 1] == '\n';
}

static struct str
now(struct gatelog *l)
{
	return str_cat(l->arena, "[", clock_format_millis(l->arena, clock_real_us()), "] ");
}

static void
end_line(struct gatelog *l)
{
	if (!l->is_at_line_start)
		put(l, STR("\n"));
}

/* The end of an output that was too long. */
static void
end_output(struct gatelog *l)
{
	l->is_in_output = false;
	end_line(l);
	if (!l->tail.tail)
		return;
	put(l, capture_text(&l->tail, l->arena, 0));
	l->tail = (struct capture){ 0 };
	end_line(l);
}

void
gatelog_entry(struct gatelog *l, struct str text)
{
	struct buf b = BUF(l->arena, SIZE_MAX);
	/* A long text is not copied, so its rest is written separately. */
	size_t first = text.n > KIB(64) ? KIB(64) : text.n;

	if (l->fd < 0)
		return;
	end_output(l);
	buf_cat(&b, now(l), str_sub(text, 0, first));
	if (first == text.n && !str_ends(text, STR("\n")))
		buf_addc(&b, '\n');
	put(l, buf_str(&b));
	if (first == text.n)
		return;
	put(l, str_rest(text, first));
	end_line(l);
}

void
gatelog_output(struct gatelog *l, struct str bytes)
{
	if (l->fd < 0 || bytes.n == 0)
		return;
	if (!l->is_in_output) {
		end_line(l);
		put(l, now(l));
		l->is_in_output = true;
	}
	uint64_t room = l->limit > l->written ? l->limit - l->written : 0;
	size_t n = bytes.n < room ? bytes.n : (size_t)room;

	put(l, str_sub(bytes, 0, n));
	l->written += bytes.n;
	if (n == bytes.n)
		return;
	if (!l->tail.tail)
		capture_init(&l->tail, l->arena, 0, GATE_LOG_TAIL_BYTES);
	capture_put(&l->tail, str_rest(bytes, n));
}

void
gatelog_close(struct gatelog *l)
{
	if (l->fd >= 0)
		end_output(l);
	fd_close(&l->fd);
}

/* [2026-11-15T01:26:52.628Z] */
#define TIME_BYTES 26

struct str
gatelog_entry_text(struct str line)
{
	if (line.n <= TIME_BYTES || line.s[0] != '[' || line.s[5] != '-' || line.s[11] != 'T' ||
	    line.s[TIME_BYTES - 2] != 'Z' || line.s[TIME_BYTES - 1] != ']' || line.s[TIME_BYTES] != ' ')
		return STR_NONE;
	return str_rest(line, TIME_BYTES + 1);
}

/* At most `limit` bytes of the end, or of the beginning. */
static struct str
read_part(struct arena *a, const char *path, size_t limit, bool of_end, bool *ret_is_cut)
{
	CLEANUP(fd_close) int fd = -1;
	size_t n = 0;

	if (fs_open_regular(path, &fd, IGNORED) < 0 || fd < 0)
		return STR("");
	uint64_t size = fs_size(fd);
	size_t part = size > limit ? limit : (size_t)size;
	char *bytes = arena_bytes(a, part + 1);

	*ret_is_cut = size > part;
	if (fd_read_at(fd, of_end ? size - part : 0, bytes, part, &n, IGNORED) < 0)
		return STR("");
	return (struct str){ bytes, n };
}

struct str
log_read_tail(struct arena *a, const char *path, size_t limit, bool *ret_is_cut)
{
	return read_part(a, path, limit, true, ret_is_cut);
}

struct str
log_read_head(struct arena *a, const char *path, size_t limit)
{
	bool is_cut;

	return read_part(a, path, limit, false, &is_cut);
}

enum gate_outcome
log_end_parse(struct str word)
{
	for (enum gate_outcome end = OUTCOME_PASS; end <= OUTCOME_ERROR; end++)
		if (str_starts(word, gate_outcome_name(end)))
			return end;
	return OUTCOME_WAITING;
}

enum gate_outcome
log_last_result(struct str text, bool has_entries)
{
	enum gate_outcome last = OUTCOME_WAITING;
	bool has_command_failed = false;
	struct str line;

	while (str_next(&text, '\n', &line)) {
		struct str entry = has_entries ? gatelog_entry_text(line) : line;
		enum gate_outcome end = str_skip(&entry, "Result: ") ? log_end_parse(entry) : OUTCOME_WAITING;

		last = end != OUTCOME_WAITING ? end : last;
		has_command_failed |= str_starts(line, STR("Command failed:"));
	}
	return last == OUTCOME_WAITING && has_command_failed ? OUTCOME_FAIL : last;
}
