/* SPDX-License-Identifier: MIT */
/* Appends to the journals and reads that of loops. That of decisions is moved aside when it has grown. */
#include "store/journals.h"

#include "doc/json.h"
#include "os/exit_reply.h"
#include "os/fd.h"
#include "os/fs.h"
#include "store/state_path.h"

#include <sys/file.h>

#define LOOPS "loops.jsonl"
#define LOOPS_LIMIT_BYTES MIB(64)

struct str
decisions_path(struct arena *a, int old)
{
	return state_path(a, NULL,
			  old == 0 ? STR("decisions.jsonl") : str_cat(a, "decisions.", old, ".jsonl"));
}

/* The file to append to, whose directory is there; absent: there is no home directory. */
static struct str
make_ready(struct arena *a)
{
	CLEANUP(fd_close) int fd = -1;
	struct str path = decisions_path(a, 0);
	struct fs_facts facts;
	enum fs_kind kind = path.s ? fs_facts(path.s, &facts) : FS_OTHER;

	if (kind == FS_NOTHING)
		(void)(fs_make_parents(a, path, 0700, IGNORED) == 0);
	/* Only the process that has the lock of the file that is still there moves it aside; the others append to either. */
	if (kind == FS_FILE && facts.size >= DECISIONS_MAX_BYTES &&
	    fs_open_regular(path.s, &fd, IGNORED) == 0 && fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    fs_is_at(fd, path.s))
		for (int i = DECISIONS_OLD; i > 0; i--)
			(void)(fs_rename(decisions_path(a, i - 1).s, decisions_path(a, i).s, IGNORED) == 0);
	return path;
}

void
decisions_add(struct arena *a, struct str line)
{
	struct str path = make_ready(a);

	if (path.s)
		(void)(fs_append(path.s, line, 0600, IGNORED) == 0);
}

void
decisions_prepare(struct arena *a, struct str line)
{
	exit_reply_note(make_ready(a).s, line);
}

/* ---- loops ---- */

void
loop_journal_add(struct arena *a, struct str line)
{
	struct str path = state_path(a, NULL, STR(LOOPS));

	if (path.s && fs_make_parents(a, path, 0700, IGNORED) == 0)
		(void)(fs_append(path.s, line, 0600, IGNORED) == 0);
}

int
loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err)
{
	struct str path = state_path(a, NULL, STR(LOOPS)), text = STR_NONE, line;
	struct node *items = NULL;
	size_t count = 0;

	if (path.s && fs_read(a, path.s, LOOPS_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (text.s && str_next(&text, '\n', &line)) {
		struct node n;

		/* A line of which only a part could be written. */
		if (json_parse(a, line, &n, IGNORED) < 0 || n.kind != NODE_MAP)
			continue;
		*arena_push(a, items, count) = n;
	}
	*ret = items;
	*ret_count = count;
	return 0;
}
