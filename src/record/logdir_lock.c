/* SPDX-License-Identifier: MIT */
/* The lock of a run and the marker of a stop hook. Both are pid files. */
#include "record/logdir.h"

#define MARKER ".stop-hook-active"

static struct str
lock_path(struct arena *a, const struct logdir *d)
{
	return logdir_file(a, d, d->is_native ? LOGDIR_NATIVE_LOCK : LOGDIR_LOCK);
}

enum pidfile_state
logdir_lock_state(struct arena *a, const struct logdir *d)
{
	return pidfile_state(lock_path(a, d).s);
}

int
logdir_lock(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err)
{
	struct str path = lock_path(a, d);

	if (logdir_make(d, err) < 0)
		return -1;
	if (pidfile_take(a, path.s, ret_fd, err) == 0)
		return 0;
	if (err->code != ERR_BUSY)
		return err_wrap(err, "the lock of the run");
	if (d->is_native)
		return err_set(err, ERR_BUSY, "another run of the gates is in progress");
	return err_set(err, ERR_BUSY,
		       "A gauntlet run is already in progress (lock file: " STR_FMT ").\n"
		       "If no run is actually in progress, delete the lock file manually.",
		       STR_ARG(path));
}

void
logdir_unlock(struct arena *a, const struct logdir *d, int *fd)
{
	pidfile_release(lock_path(a, d).s, fd);
}

bool
logdir_has_live_marker(struct arena *a, const struct logdir *d)
{
	return pidfile_state(logdir_file(a, d, MARKER).s) == PIDFILE_HELD;
}

int
logdir_mark(struct arena *a, const struct logdir *d, int *ret_fd, struct err *err)
{
	if (logdir_make(d, err) < 0)
		return -1;
	return pidfile_take(a, logdir_file(a, d, MARKER).s, ret_fd, err);
}

void
logdir_unmark(struct arena *a, const struct logdir *d, int *fd)
{
	pidfile_release(logdir_file(a, d, MARKER).s, fd);
}
