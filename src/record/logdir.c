/* SPDX-License-Identifier: MIT */
/* Where the log directory is, what the names in it say, the lock of a run and the marker of a stop hook, which are pid files, and
 * .debug.log. Looks at names only, never at the contents of logs. */
#include "record/logdir.h"

#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "model/logname.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#define MARKER ".stop-hook-active"

struct logdir
logdir_of(struct arena *a, struct str root, struct str log_dir, const struct dialect *dialect)
{
	struct str shown = str_copy(a, path_tidy(log_dir));

	if (path_is_absolute(shown))
		return (struct logdir){ .path = shown, .shown = shown, .dialect = dialect };
	if (shown.n == 0 || str_is(shown, "."))
		return (struct logdir){ .path = str_copy(a, root), .shown = STR("."), .dialect = dialect };
	return (struct logdir){ .path = path_join(a, root, shown), .shown = shown, .dialect = dialect };
}

struct str
logdir_file(struct arena *a, const struct logdir *d, const char *name)
{
	return path_join(a, d->path, str_from(name));
}

int
logdir_make(const struct logdir *d, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct err ignored;

	if (fs_kind(d->path.s) != FS_DIR && (fs_make_parents(&scratch, d->path, 0777, err) < 0 ||
					     fs_make_dirs(d->path.s, LOGDIR_MODE, err) < 0))
		return err_wrap(err, "the log directory");
	/* Without it the logs are untracked files, which are no reason not to run. A run that was killed may have left the
	 * directory without it; an empty one would be the user's. */
	if (d->dialect->has_own_ignore && !fs_has(d->path, ".gitignore"))
		(void)(fs_replace_unsynced(&scratch, logdir_file(&scratch, d, ".gitignore").s, STR("*\n"),
					   0666, &ignored) == 0);
	return 0;
}

void
logdir_list(struct arena *a, const struct logdir *d, struct log_listing *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str_list names = { 0 };
	struct err ignored;

	*ret = (struct log_listing){ 0 };
	if (fs_list(a, d->path.s, FS_NO_LIMIT, &names, &ignored) < 0)
		return;
	int64_t *all = arena_array(&scratch, names.count, int64_t);
	size_t count = 0;

	ret->names = names.items;
	ret->count = names.count;
	for (size_t i = 0; i < names.count; i++) {
		struct log_name l;

		if (!log_name_parse(names.items[i], &l))
			continue;
		ret->has_gate_logs |= !l.is_console;
		if (l.run > ret->last_run)
			ret->last_run = l.run;
		if (l.run > 0)
			all[count++] = l.run;
	}
	ret->runs = log_count_runs(all, count);
}

/* ---- the lock and the marker ---- */

static struct str
lock_path(struct arena *a, const struct logdir *d)
{
	return logdir_file(a, d, d->dialect->lock);
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
	if (d->dialect->has_plain_texts)
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

/* ---- .debug.log: one line for each decision; a log that can't be written is skipped ---- */

#define LINE_LIMIT_BYTES KIB(64)

struct debug_log
debug_log_of(struct arena *a, const struct sourced_values *v, const struct logdir *d)
{
	return (struct debug_log){
		.logs = *d,
		.path = v->debug_log_enabled.value ? logdir_file(a, d, ".debug.log") : STR_NONE,
		.max_bytes = v->debug_log_max_bytes.value,
	};
}

void
debug_log(struct arena *a, const struct debug_log *l, const char *fmt, ...)
{
	struct buf b = BUF(a, LINE_LIMIT_BYTES);
	struct fs_facts facts = { 0 };
	struct err ignored;
	va_list args;

	if (!l->path.s)
		return;
	va_start(args, fmt);
	struct str text = str_vfmt(a, fmt, args);

	va_end(args);
	buf_cat(&b, "[", clock_format_millis(a, clock_real_us()), "] ",
		strip_escapes_line(a, str_trim(text)));
	struct str line = str_cat(a, buf_str(&b), "\n");

	if (logdir_make(&l->logs, &ignored) < 0)
		return;
	enum fs_kind kind = fs_facts(l->path.s, &facts);

	/* A link may lead to any file of the user's. */
	if (kind == FS_LINK)
		return;
	if (kind == FS_FILE && facts.size > 0 && (l->max_bytes <= 0 || facts.size >= (uint64_t)l->max_bytes))
		(void)(fs_rename(l->path.s, str_cat(a, l->path, ".1").s, &ignored) == 0);
	(void)(fs_append(l->path.s, line, 0600, &ignored) == 0);
}
