/* SPDX-License-Identifier: MIT */
/* The archive: one generation in previous/. Files are first moved to .archiving/, which then replaces
 * previous/ in one step: a process that is killed in between loses nothing, and the next archive continues from there.
 * Files are renamed, never copied, and links are not followed. */
#include "record/logdir.h"

#include "base/path.h"
#include "record/logname.h"
#include "os/fs.h"

#define PREVIOUS "previous"
#define STATE ".execution_state"
#define LEGACY ".session_ref"
#define COLLECTING ".archiving" /* becomes previous */
#define DISCARDED ".discarded"  /* was previous */
/* A temporary state that a killed process left. */
#define TEMPORARY "..execution_state."

struct archive {
	struct arena *arena;
	const struct logdir *logs;
	struct fs_names names;
	bool is_project; /* the log directory is the project itself: only numbered logs are ours */
	size_t moved;
};

static const char *
path_of(const struct archive *x, const char *name)
{
	return logdir_file(x->arena, x->logs, name).s;
}

static bool
is_log(const struct archive *x, struct str name)
{
	struct log_name l;

	return log_name_parse(name, &l) && (l.run >= 0 || !x->is_project);
}

static bool
has_logs(const struct archive *x)
{
	for (size_t i = 0; i < x->names.count; i++)
		if (is_log(x, x->names.items[i]))
			return true;
	return false;
}

static int
move(struct archive *x, struct str name, const char *to_dir, struct err *err)
{
	struct str to = path_join(x->arena, logdir_file(x->arena, x->logs, to_dir), name);

	const char *from = path_join(x->arena, x->logs->path, name).s;

	/* A file can't be put over a directory, nor a directory over a file. */
	if ((fs_lkind(to.s) == FS_DIR || fs_lkind(from) == FS_DIR) && fs_remove_tree(to.s, err) < 0)
		return -1;
	if (fs_rename(from, to.s, err) < 0)
		return -1;
	x->moved++;
	return 0;
}

static int
make_collection(struct archive *x, struct err *err)
{
	const char *path = path_of(x, COLLECTING);

	if (fs_lkind(path) != FS_DIR && fs_remove(path, err) < 0)
		return -1;
	return fs_make_dirs(path, 0777, err);
}

/* The collection takes the place of previous/. */
static int
finish(struct archive *x, struct err *err)
{
	const char *previous = path_of(x, PREVIOUS), *discarded = path_of(x, DISCARDED);

	if (fs_remove_tree(discarded, err) < 0)
		return -1;
	if (fs_lkind(previous) == FS_DIR && fs_rename(previous, discarded, err) < 0)
		return -1;
	if (fs_rename(path_of(x, COLLECTING), previous, err) < 0)
		return -1;
	return fs_remove_tree(discarded, err);
}

static int
collect(struct archive *x, bool with_state, struct err *err)
{
	if (make_collection(x, err) < 0)
		return -1;
	for (size_t i = 0; i < x->names.count; i++)
		if (is_log(x, x->names.items[i]) && move(x, x->names.items[i], COLLECTING, err) < 0)
			return -1;
	/* Archive a file or link of that name with the rest: it would be in the way. */
	enum fs_kind kind = fs_lkind(path_of(x, PREVIOUS));

	if (kind != FS_NOTHING && kind != FS_DIR && move(x, STR(PREVIOUS), COLLECTING, err) < 0)
		return -1;
	if (with_state && fs_lkind(path_of(x, STATE)) != FS_NOTHING &&
	    move(x, STR(STATE), COLLECTING, err) < 0)
		return -1;
	return finish(x, err);
}

static void
drop_remains(struct archive *x)
{
	struct err ignored;

	for (size_t i = 0; i < x->names.count; i++)
		if (str_starts(x->names.items[i], STR(TEMPORARY)) || str_is(x->names.items[i], LEGACY))
			(void)(fs_remove(path_join(x->arena, x->logs->path, x->names.items[i]).s, &ignored) ==
			       0);
}

static bool
has_name(const struct archive *x, const char *name)
{
	for (size_t i = 0; i < x->names.count; i++)
		if (str_is(x->names.items[i], name))
			return true;
	return false;
}

int
logdir_archive(struct arena *a, const struct logdir *d, bool with_state, size_t *ret_moved, struct err *err)
{
	struct archive x = { .arena = a, .logs = d };
	int result = 0;

	if (fs_list(a, d->path.s, FS_NO_LIMIT, &x.names, err) < 0)
		return -1;
	x.is_project = has_name(&x, ".git") || has_name(&x, ".gauntlet");
	bool moves_state = with_state && has_name(&x, STATE);
	bool has_place = fs_lkind(path_of(&x, PREVIOUS)) == FS_DIR;

	if (has_logs(&x) || has_name(&x, COLLECTING) || (moves_state && !has_place))
		result = collect(&x, with_state, err);
	else if (moves_state)
		result = move(&x, STR(STATE), PREVIOUS, err);
	if (result < 0)
		return -1;
	if (x.moved > 0)
		drop_remains(&x);
	*ret_moved = x.moved;
	return 0;
}
