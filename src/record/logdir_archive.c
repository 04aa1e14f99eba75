/* SPDX-License-Identifier: MIT */
/* The archive: one generation in previous/. Files are first moved to .archiving/, which then replaces
 * previous/: a process that is killed in between loses nothing, and the next archive continues from there.
 * Files are renamed, never copied, and links are not followed.
 *
 * The log directory may hold somebody else's files. Only names of our own grammar are ever moved or removed, and never a
 * directory. A previous/ that holds anything else was not made by us: it stays, and the archive has another name. */
#include "record/logdir.h"

#include "base/path.h"
#include "model/logname.h"
#include "os/fs.h"

#define PREVIOUS "previous"
#define PLACES_MAX 100
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
	struct err ignored;

	if (fs_lkind(path) != FS_DIR || fs_list(a, path, FS_NO_LIMIT, ret, &ignored) < 0)
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
	for (size_t i = 0; i < old.count; i++)
		if (fs_remove(path_join(x->arena, str_from(place), old.items[i]).s, err) < 0)
			return -1;
	return fs_remove(place, err) < 0 ? -1 : fs_rename(path, place, err);
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
		struct err ignored;

		if (str_starts(x.names.items[i], STR(TEMPORARY)) || str_is(x.names.items[i], LEGACY))
			(void)(fs_remove(path_join(&scratch, d->path, x.names.items[i]).s, &ignored) == 0);
	}
	*ret_moved = x.moved;
	return 0;
}
