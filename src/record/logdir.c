/* SPDX-License-Identifier: MIT */
/* Where the log directory is, what the names in it say, the lock of a run and the marker of a stop hook, which are pid files,
 * .debug.log, and the archive. Looks at names only, never at the contents of logs. */
#include "record/logdir.h"

#include "model/logname.h"
#include "os/clock.h"
#include "os/fs.h"

#define MARKER ".stop-hook-active"

struct logdir
logdir_of(struct arena *a, struct str root, struct str log_dir, const struct dialect *dialect)
{
	struct str tidy = path_tidy(log_dir), shown = tidy.n > 0 ? str_copy(a, tidy) : STR(".");
	struct logdir d = { .root = str_copy(a, root), .shown = shown, .dialect = dialect };

	d.path = path_is_absolute(shown) ? shown : str_is(shown, ".") ? d.root : path_join(a, root, shown);
	return d;
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
	struct str out = fs_leads_out(&scratch, d->path.s, d->root.s);

	if (out.s)
		return err_set(err, ERR_VALUE, "%s: leads to %s, outside the project; remove the link",
			       d->path.s, out.s);
	if (fs_kind(d->path.s) != FS_DIR && (fs_make_parents(&scratch, d->path, 0777, err) < 0 ||
					     fs_make_dirs(d->path.s, LOGDIR_MODE, err) < 0))
		return err_wrap(err, "the log directory");
	/* Without it the logs are untracked files, which are no reason not to run. A run that was killed may have left the
	 * directory without it; an empty one would be the user's. */
	if (d->dialect->has_own_ignore && !fs_has(d->path, ".gitignore"))
		(void)(fs_replace_unsynced(&scratch, logdir_file(&scratch, d, ".gitignore").s, STR("*\n"),
					   0666, IGNORED) == 0);
	return 0;
}

void
logdir_list(struct arena *a, const struct logdir *d, struct log_listing *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str_list names = { 0 };

	*ret = (struct log_listing){ 0 };
	if (fs_list(a, d->path.s, FS_NO_LIMIT, &names, IGNORED) < 0)
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

bool
logdir_await(struct arena *a, const struct logdir *d, int64_t (*left_ms)(void *context), void *context)
{
	return pidfile_wait(lock_path(a, d).s, left_ms, context);
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
	va_list args;

	if (!l->path.s)
		return;
	va_start(args, fmt);
	struct str text = str_vfmt(a, fmt, args);

	va_end(args);
	buf_cat(&b, "[", clock_format_millis(a, clock_real_us()), "] ",
		strip_escapes_line(a, str_trim(text)));
	struct str line = str_cat(a, buf_str(&b), "\n");

	if (logdir_make(&l->logs, IGNORED) < 0)
		return;
	enum fs_kind kind = fs_facts(l->path.s, &facts);

	/* A link may lead to any file of the user's. */
	if (kind == FS_LINK)
		return;
	if (kind == FS_FILE && facts.size > 0 && (l->max_bytes <= 0 || facts.size >= (uint64_t)l->max_bytes))
		(void)(fs_rename(l->path.s, str_cat(a, l->path, ".1").s, IGNORED) == 0);
	(void)(fs_append(l->path.s, line, 0600, IGNORED) == 0);
}

/* ---- the archive: one generation in previous/. Files are first moved to .archiving/, which then replaces
 * previous/: a process that is killed in between loses nothing, and the next archive continues from there.
 * Files are renamed, never copied, and links are not followed.
 *
 * The log directory may hold somebody else's files. Only names of our own grammar are ever moved or removed, and never a
 * directory. A previous/ that holds anything else was not made by us: it stays, and the archive has another name. ---- */

#define PREVIOUS "previous"
#define PLACES_MAX 100
/* Of a large archive that was replaced, the files are used again: an ext4 that has deleted as many in the last seconds searches
 * long for a free inode. */
#define SPARE ".spare"
#define SPARE_LEAST 32
#define STATE ".execution_state"
#define LEGACY ".session_ref"
#define COLLECTING ".archiving" /* becomes previous */
/* A temporary state that a killed process left. */
#define TEMPORARY "..execution_state."

struct archive {
	struct arena *arena;
	const struct logdir *logs;
	struct str_list names;
	struct str_list own; /* the logs among them */
	const char *place;   /* previous, or another name where that is somebody else's */
	size_t moved;
};

static const char *
path_of(const struct archive *x, const char *name)
{
	return logdir_file(x->arena, x->logs, name).s;
}

static bool
is_ours(struct arena *a, struct str dir, struct str name)
{
	struct arena_mark mark = arena_mark(a);
	struct log_name l;
	bool is_ours = (log_name_parse(name, &l) || str_is(name, STATE)) &&
		       fs_lkind(path_join(a, dir, name).s) != FS_DIR;

	arena_reset(a, mark);
	return is_ours;
}

/* Is it a directory with nothing in it but what an archive has? */
static bool
is_archive(struct arena *a, const char *path, struct str_list *ret)
{
	if (fs_lkind(path) != FS_DIR || fs_list(a, path, FS_NO_LIMIT, ret, IGNORED) < 0)
		return false;
	for (size_t i = 0; i < ret->count; i++)
		if (!is_ours(a, str_from(path), ret->items[i]))
			return false;
	return true;
}

/* The first of previous, previous.2, previous.3 that is free or an archive. */
static int
find_place(struct archive *x, struct err *err)
{
	struct str_list ignored = { 0 };

	x->place = PREVIOUS;
	for (int i = 2; i <= PLACES_MAX; i++) {
		const char *path = path_of(x, x->place);

		if (fs_lkind(path) == FS_NOTHING || is_archive(x->arena, path, &ignored))
			return 0;
		x->place = str_cat(x->arena, PREVIOUS ".", i).s;
	}
	return err_set(err, ERR_LIMIT, "%s: holds files that are not logs, so nothing is archived there",
		       path_of(x, PREVIOUS));
}

static int
move(struct archive *x, struct str name, const char *to_dir, struct err *err)
{
	struct arena_mark mark = arena_mark(x->arena);
	struct str to = path_join(x->arena, logdir_file(x->arena, x->logs, to_dir), name);
	int result = fs_rename(path_join(x->arena, x->logs->path, name).s, to.s, err);

	arena_reset(x->arena, mark);
	x->moved += result == 0;
	return result;
}

/* Removes an archive; nothing is there after it, or something else that is none. */
static int
remove_logs(const struct archive *x, const char *path, struct err *err)
{
	struct str_list old = { 0 };

	if (!is_archive(x->arena, path, &old))
		return 0;
	for (size_t i = 0; i < old.count; i++)
		if (fs_remove(path_join(x->arena, str_from(path), old.items[i]).s, err) < 0)
			return -1;
	return fs_remove(path, err);
}

static int
collect(struct archive *x, bool moves_state, struct err *err)
{
	const char *path = path_of(x, COLLECTING), *place = path_of(x, x->place);
	struct str_list old = { 0 };

	if ((fs_lkind(path) != FS_DIR && fs_remove(path, err) < 0) ||
	    fs_make_dirs(path, LOGDIR_MODE, err) < 0)
		return -1;
	for (size_t i = 0; i < x->own.count; i++)
		if (move(x, x->own.items[i], COLLECTING, err) < 0)
			return -1;
	if (moves_state && move(x, STR(STATE), COLLECTING, err) < 0)
		return -1;
	/* The collection takes the place of the last archive. */
	if (!is_archive(x->arena, place, &old))
		return fs_rename(path, place, err);
	if (remove_logs(x, path_of(x, SPARE), IGNORED) == 0 && old.count >= SPARE_LEAST &&
	    fs_rename(place, path_of(x, SPARE), IGNORED) == 0)
		return fs_rename(path, place, err);
	return remove_logs(x, place, err) < 0 ? -1 : fs_rename(path, place, err);
}

int
logdir_create_log(struct arena *a, const struct logdir *d, struct str name, int *ret_fd, struct err *err)
{
	struct str path = path_join(a, d->path, name);

	if (fs_reuse_log(path_join(a, logdir_file(a, d, SPARE), name).s, path.s, ret_fd))
		return 0;
	return fs_create_log(path.s, ret_fd, err);
}

int
logdir_archive(const struct logdir *d, bool with_state, size_t *ret_moved, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct archive x = { .arena = &scratch, .logs = d };
	int result = 0;

	if (fs_list(&scratch, d->path.s, FS_NO_LIMIT, &x.names, err) < 0 || find_place(&x, err) < 0)
		return -1;
	x.own.items = arena_array(&scratch, x.names.count, struct str);
	for (size_t i = 0; i < x.names.count; i++)
		if (!str_is(x.names.items[i], STATE) && is_ours(&scratch, d->path, x.names.items[i]))
			x.own.items[x.own.count++] = x.names.items[i];
	enum fs_kind state = fs_lkind(path_of(&x, STATE));
	bool moves_state = with_state && state != FS_NOTHING && state != FS_DIR;
	bool has_place = fs_lkind(path_of(&x, x.place)) == FS_DIR;

	if (x.own.count > 0 || fs_lkind(path_of(&x, COLLECTING)) == FS_DIR || (moves_state && !has_place))
		result = collect(&x, moves_state, err);
	else if (moves_state)
		result = move(&x, STR(STATE), x.place, err);
	if (result < 0)
		return -1;
	for (size_t i = 0; x.moved > 0 && i < x.names.count; i++) {
		if (str_starts(x.names.items[i], STR(TEMPORARY)) || str_is(x.names.items[i], LEGACY))
			(void)(fs_remove(path_join(&scratch, d->path, x.names.items[i]).s, IGNORED) == 0);
	}
	*ret_moved = x.moved;
	return 0;
}
