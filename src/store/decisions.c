/* SPDX-License-Identifier: MIT */
/* Appends to the journal of decisions, and moves it aside when it has grown. */
#include "store/decisions.h"

#include "base/path.h"
#include "os/env.h"
#include "os/exit_reply.h"
#include "os/fd.h"
#include "os/fs.h"

#include <sys/file.h>

struct str
decisions_path(struct arena *a, int old)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	if (!state.s)
		return STR_NONE;
	return old == 0 ? path_join(a, state, STR("holdfast/decisions.jsonl"))
			: str_fmt(a, STR_FMT "/holdfast/decisions.%d.jsonl", STR_ARG(state), old);
}

/* Only the process that has the lock of the file that is still there moves it; the others append to either. */
static void
move_aside(struct arena *a, struct str path)
{
	CLEANUP(fd_close) int fd = -1;
	struct err ignored;

	if (fs_open_regular(path.s, &fd, &ignored) < 0 || fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
	    !fs_is_at(fd, path.s))
		return;
	for (int i = DECISIONS_OLD; i > 0; i--)
		(void)(fs_rename(decisions_path(a, i - 1).s, decisions_path(a, i).s, &ignored) == 0);
}

/* The file to append to, whose directory is there; absent: there is no home directory. */
static struct str
make_ready(struct arena *a)
{
	struct str path = decisions_path(a, 0);
	struct fs_facts facts;
	struct err ignored;

	if (!path.s)
		return path;
	switch (fs_facts(path.s, &facts)) {
	case FS_NOTHING:
		(void)(fs_make_parents(a, path, 0700, &ignored) == 0);
		break;
	case FS_FILE:
		if (facts.size >= DECISIONS_MAX_BYTES)
			move_aside(a, path);
		break;
	default:
		break;
	}
	return path;
}

void
decisions_add(struct arena *a, struct str line)
{
	struct str path = make_ready(a);
	struct err ignored;

	if (path.s)
		(void)(fs_append(path.s, line, 0600, &ignored) == 0);
}

void
decisions_prepare(struct arena *a, struct str line)
{
	exit_reply_note(make_ready(a).s, line);
}
