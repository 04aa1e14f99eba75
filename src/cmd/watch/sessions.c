/* SPDX-License-Identifier: MIT */
/* Reads the end of the journal of decisions, the newest first. */
#include "cmd/watch/facts.h"

#include "cmd/journal/decisions.h"
#include "doc/reverse_lines.h"
#include "os/fd.h"
#include "os/fs.h"
#include "store/decisions.h"

/* Of each file: a few thousand decisions. */
#define SCAN_BYTES MIB(2)
#define SESSIONS_MAX 500

struct scan {
	struct arena *arena;
	int64_t since_us;
	struct watch_decision *items;
	size_t count, capacity;
	bool is_over; /* what follows is older */
};

static int
read_at(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	return fd_read_at(*(const int *)file, offset, to, n, ret_n, err);
}

static bool
is_known(const struct scan *s, struct str project, struct str session)
{
	for (size_t i = 0; i < s->count; i++)
		if (str_eq(s->items[i].session.id, session) && str_eq(s->items[i].project, project))
			return true;
	return false;
}

static void
take_line(struct scan *s, struct str line)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct decision d;
	struct arena *a = s->arena;

	if (!decision_read(&scratch, line, &(struct decision_filter){ 0 }, &d))
		return;
	if (d.time_us < s->since_us) {
		s->is_over = true;
		return;
	}
	const struct node *n = &d.fields;

	if (is_known(s, node_get_str(n, "project"), node_get_str(n, "session")))
		return;
	arena_make_room(a, s->items, s->count, &s->capacity);
	s->items[s->count++] = (struct watch_decision){
		.project = str_copy(a, node_get_str(n, "project")),
		.session = {
			.id = str_copy(a, node_get_str(n, "session")),
			.client = str_copy(a, node_get_str(n, "client")),
			.decision = str_copy(a, node_get_str(n, "decision")),
			.policy = str_copy(a, node_get_str(n, "policy")),
			.status = str_copy(a, node_get_str(n, "status")),
			.message = str_copy(a, node_get_str(n, "message")),
			.time_us = d.time_us,
		},
	};
}

static void
scan_file(struct scan *s, const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
	enum reverse_lines_end end = LINES_LINE;
	struct str line;
	struct err ignored;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return;
	reverse_lines_init(&lines, read_at, &fd, fs_size(fd));
	lines.scan_limit_bytes = SCAN_BYTES;
	while (!s->is_over && s->count < SESSIONS_MAX &&
	       reverse_lines_next(&lines, &line, &end, &ignored) == 0 && end == LINES_LINE)
		take_line(s, line);
}

void
watch_read_decisions(struct arena *a, int64_t since_us, struct watch_decision **ret, size_t *ret_count)
{
	struct scan s = { .arena = a, .since_us = since_us };

	for (int old = 0; old <= 1 && !s.is_over; old++) {
		struct str path = decisions_path(a, old);

		if (path.s)
			scan_file(&s, path.s);
	}
	*ret = s.items;
	*ret_count = s.count;
}
