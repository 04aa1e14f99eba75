/* SPDX-License-Identifier: MIT */
/* Reads the journal of decisions: all of it from the oldest to the newest, or its end, the newest first. */
#include "overview/decisions.h"

#include "doc/json.h"
#include "doc/reverse_lines.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "overview/overview.h"
#include "store/journals.h"

#define CHUNK_BYTES KIB(256)
/* We write no longer line. */
#define LINE_BYTES MIB(16)
/* Of the end: a few thousand decisions. */
#define SCAN_BYTES MIB(4)
#define SESSIONS_MAX 500

bool
decision_read(struct arena *a, struct str line, const struct decision_filter *f, struct decision *ret)
{
	const struct node *n = &ret->fields;

	return json_parse_in_place(a, line, STR_NONE, &ret->fields, IGNORED) == 0 &&
	       node_get_str(n, "decision").n > 0 && clock_parse(node_get_str(n, "time"), &ret->time_us) &&
	       (!f->project.s || str_eq(node_get_str(n, "project"), f->project)) &&
	       (!f->session.s || session_is_named(node_get_str(n, "session"), f->session)) &&
	       (!f->policy.s || str_eq(node_get_str(n, "policy"), f->policy)) &&
	       (!f->event.s || str_eq(node_get_str(n, "event"), f->event)) &&
	       (!f->decision.s || str_eq(node_get_str(n, "decision"), f->decision)) &&
	       (f->since_us == 0 || ret->time_us >= f->since_us) &&
	       (f->until_us == 0 || ret->time_us < f->until_us);
}

/* ---- reading ---- */

struct reading {
	const struct decision_filter *filter;
	decision_fn *take;
	void *context;
};

/* Can the line be about this project or session? A text of these characters is in the line as it is. */
static bool
mentions(struct str line, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!is_letter(text.s[i]) && !is_digit(text.s[i]) && !memchr("-_./", text.s[i], 4))
			return true;
	return str_find(line, text) >= 0;
}

static bool
offer(const struct reading *r, struct str line)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct decision d;

	return !mentions(line, r->filter->project) || !mentions(line, r->filter->session) ||
	       !decision_read(&scratch, line, r->filter, &d) || r->take(r->context, line, &d);
}

static int
open_journal(struct arena *a, int old, int *ret_fd, struct err *err)
{
	struct str path = decisions_path(a, old);

	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory, and so no journal");
	return fs_open_regular(path.s, ret_fd, err);
}

/* Offers the lines of a file from its first to its last, in bounded memory. */
static int
read_file(const struct reading *r, int fd, bool *is_over, struct err *err)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = { arena_bytes(&a, LINE_BYTES), 0 }, line;
	char *window = (char *)(uintptr_t)text.s;
	size_t n;

	for (uint64_t at = 0; !*is_over; at += n) {
		size_t room = LINE_BYTES - text.n;

		if (fd_read_at(fd, at, window + text.n, room < CHUNK_BYTES ? room : CHUNK_BYTES, &n, err) < 0)
			return -1;
		if (n == 0)
			return 0;
		text = (struct str){ window, text.n + n };
		while (!*is_over && str_find_char(text, '\n') >= 0 && str_next(&text, '\n', &line))
			*is_over = !offer(r, line);
		if (text.n > 0 && text.s != window)
			memmove(window, text.s, text.n);
		text.n = text.n < LINE_BYTES ? text.n : 0;
	}
	return 0;
}

int
decisions_each(const struct decision_filter *f, decision_fn *take, void *context, struct err *err)
{
	struct reading r = { f, take, context };
	bool is_over = false;

	for (int old = DECISIONS_OLD; old >= 0 && !is_over; old--) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		CLEANUP(fd_close) int fd = -1;

		if (open_journal(&scratch, old, &fd, err) < 0 ||
		    (fd >= 0 && read_file(&r, fd, &is_over, err) < 0))
			return -1;
	}
	return 0;
}

/* From the end, no more than so many bytes. */
static int
read_back(const struct reading *r, uint64_t most_bytes, struct err *err)
{
	CLEANUP(fd_close) int newer = -1;

	for (int old = 0; old <= DECISIONS_OLD; old++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
		enum reverse_lines_end end = LINES_LINE;
		struct str line;
		int fd = -1;

		if (open_journal(&scratch, old, &fd, err) < 0)
			return -1;
		/* It was moved aside after it was read under its old name. */
		if (fd < 0 || (newer >= 0 && fs_is_at(newer, decisions_path(&scratch, old).s))) {
			fd_close(&fd);
			continue;
		}
		fd_close(&newer);
		newer = fd;
		reverse_lines_init(&lines, fd_read_at_of, &newer, fs_size(newer));
		lines.scan_limit_bytes = most_bytes;
		while (end == LINES_LINE) {
			if (reverse_lines_next(&lines, &line, &end, err) < 0)
				return -1;
			if (end == LINES_LINE && !offer(r, line))
				return 0;
		}
		most_bytes -= lines.scanned;
	}
	return 0;
}

int
decisions_each_back(const struct decision_filter *f, decision_fn *take, void *context, struct err *err)
{
	return read_back(&(struct reading){ f, take, context }, UINT64_MAX, err);
}

/* ---- the newest of each session ---- */

struct newest {
	struct arena *arena;
	int64_t since_us;
	struct overview_session **items;
	size_t *count;
};

/* False: what follows is older. */
static bool
take_newest(void *context, struct str line, const struct decision *d)
{
	struct newest *x = context;
	struct arena *a = x->arena;
	const struct node *n = &d->fields;
	struct str project = node_get_str(n, "project"), id = node_get_str(n, "session");

	(void)line;
	if (d->time_us < x->since_us)
		return false;
	for (size_t i = 0; i < *x->count; i++)
		if (str_eq((*x->items)[i].id, id) && str_eq((*x->items)[i].project, project))
			return true; /* a newer one is known */
	*arena_push(a, *x->items, *x->count) = (struct overview_session){
		.project = str_copy(a, project),
		.id = str_copy(a, id),
		.client = str_copy(a, node_get_str(n, "client")),
		.decision = str_copy(a, node_get_str(n, "decision")),
		.policy = str_copy(a, node_get_str(n, "policy")),
		.status = str_copy(a, node_get_str(n, "status")),
		.message = str_copy(a, node_get_str(n, "message")),
		.time_us = d->time_us,
	};
	return *x->count < SESSIONS_MAX;
}

void
overview_read_sessions(struct arena *a, int64_t since_us, struct overview_session **ret, size_t *ret_count)
{
	struct newest x = { a, since_us, ret, ret_count };

	*ret = NULL;
	*ret_count = 0;
	(void)(read_back(&(struct reading){ &(struct decision_filter){ .since_us = 0 }, take_newest, &x },
			 SCAN_BYTES, IGNORED) == 0);
}
