/* SPDX-License-Identifier: MIT */
/* Directories of our own for a while. Only names that were given out are removed, never what others put there. */
#include "os/tempdir.h"

#include "os/env.h"
#include "os/fs.h"
#include "os/lastwords.h"
#include "os/signals.h"
#include "os/warden.h"

#include <errno.h>
#include <sys/stat.h>

#define LETTERS 6
#define TRIES 100

/* The names of one that is still to be made. */
static struct tempdir
name_one(struct arena *a, struct str base, const char *name)
{
	char letters[LETTERS + 1];

	fs_random_letters(letters, LETTERS);
	struct str path = fs_join(a, base, str_fmt(a, "holdfast.%s", letters));
	struct str file = fs_join(a, path, str_from(name));

	return (struct tempdir){ path.s, file.s, str_fmt(a, "%s.lock", file.s).s };
}

int
tempdir_make(struct tempdir *d, struct arena *a, const char *name, struct err *err)
{
	struct str base = env_get("TMPDIR");

	if (base.n == 0 || base.s[0] != '/')
		base = STR("/tmp");
	if (warden_start(err) < 0)
		return -1;
	CLEANUP(signals_release) sigset_t held = signals_hold(); /* until it is known what to remove */

	for (int try = 0; try < TRIES; try++) {
		struct tempdir made = name_one(a, base, name);

		/* Before it is made: we may be killed in the middle of that. */
		warden_remove(made.file);
		if (mkdir(made.path, 0700) == 0) {
			lastwords_remove(made.file);
			lastwords_remove(made.lock);
			lastwords_remove(made.path);
			*d = made;
			return 0;
		}
		int why = errno;

		warden_spare(made.file);
		errno = why;
		if (why != EEXIST)
			break;
	}
	return err_sys(err, STR_FMT ": no directory can be made", STR_ARG(base));
}

void
tempdir_clear(struct tempdir *d)
{
	const char *paths[] = { d->file, d->lock, d->path };
	struct err err;

	for (size_t i = 0; d->path && i < COUNT_OF(paths); i++) {
		(void)!fs_remove(paths[i], &err); /* left to whoever cleans up TMPDIR */
		lastwords_spare(paths[i]);
	}
	if (d->path)
		warden_spare(d->file);
	*d = (struct tempdir){ 0 };
}
