/* SPDX-License-Identifier: MIT */
/* A directory for the objects that git is about to write. A git that is killed leaves its temporary packs there, and the
 * directory is removed, whatever happens to us. Only complete objects get into the repository. */
#include "git/objects.h"

#include "base/path.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/warden.h"

#include <string.h>

#define LETTERS 6

int
object_dir_make(struct object_dir *d, struct arena *a, struct str objects, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold(); /* until the name is known */
	struct object_dir made = { .arena = a, .objects = objects };
	char letters[LETTERS + 1];

	if (warden_start(err) < 0)
		return -1;
	fs_random_letters(letters, LETTERS);
	/* `git gc` removes old directories with such names. */
	made.path = path_join(a, objects, str_fmt(a, "tmp_objdir-holdfast-%s", letters));
	made.guarded = str_fmt(a, STR_FMT "/", STR_ARG(made.path)).s;
	warden_register_file(made.guarded); /* before it exists: we may be killed right after that */
	*d = made;
	/* The path is relative to the directory itself. */
	struct str info = path_join(a, made.path, STR("info"));

	if (fs_make_dirs(info.s, 0700, err) == 0 &&
	    fs_create(path_join(a, info, STR("alternates")).s, STR("..\n"), 0600, err) == 0)
		return 0;
	object_dir_clear(d);
	return -1;
}

static bool
is_hex_dir(struct str name)
{
	return name.n == 2 && memchr("0123456789abcdef", name.s[0], 16) &&
	       memchr("0123456789abcdef", name.s[1], 16);
}

/* Moves the files of a directory, but not what git has not finished. An index comes after its pack, since git finds packs by
 * their indexes. */
static int
move_files(struct arena *a, struct str from, struct str to, struct err *err)
{
	struct fs_names names;

	if (fs_make_dirs(to.s, 0777, err) < 0 || fs_list(a, from.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	for (int is_index = 0; is_index < 2; is_index++)
		for (size_t i = 0; i < names.count; i++) {
			struct str name = names.items[i];

			if (str_starts(name, STR("tmp_")) || str_ends(name, STR(".idx")) != is_index)
				continue;
			if (fs_rename(path_join(a, from, name).s, path_join(a, to, name).s, err) < 0)
				return -1;
		}
	return 0;
}

int
object_dir_merge(const struct object_dir *d, struct err *err)
{
	struct arena *a = d->arena;
	struct fs_names names;
	struct err ignored;

	if (fs_list(a, d->path.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		struct str from = path_join(a, d->path, names.items[i]);
		struct str to = path_join(a, d->objects, names.items[i]);
		bool is_loose = is_hex_dir(names.items[i]);

		/* A directory that is new keeps the permissions that git has given it. */
		if (is_loose && fs_kind(to.s) == FS_NOTHING && fs_rename(from.s, to.s, &ignored) == 0)
			continue;
		if ((is_loose || str_is(names.items[i], "pack")) && move_files(a, from, to, err) < 0)
			return -1;
	}
	return 0;
}

void
object_dir_clear(struct object_dir *d)
{
	struct err ignored;

	if (!d->path.s)
		return;
	(void)!fs_remove_tree(d->path.s, &ignored); /* `git gc` removes it */
	warden_unregister_file(d->guarded);
	*d = (struct object_dir){ 0 };
}
