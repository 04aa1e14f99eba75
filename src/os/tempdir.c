/* SPDX-License-Identifier: MIT */
/* Temporary directories. Removes only the names that it handed out, never files that others put there. */
#include "os/tempdir.h"

#include "os/env.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/warden.h"

#include <errno.h>
#include <sys/stat.h>

#define LETTERS 6
#define TRIES 100

/* Fails with errno. */
static int
make_in(struct tempdir *d, struct arena *a, struct str base, const char *name)
{
	CLEANUP(signals_release) sigset_t held = signals_hold(); /* until the names are registered */

	for (int try = 0; try < TRIES; try++) {
		char letters[LETTERS + 1];

		fs_random_letters(letters, LETTERS);
		struct str path = path_join(a, base, str_fmt(a, "holdfast.%s", letters));
		struct str file = path_join(a, path, str_from(name));
		struct tempdir made = { path.s, file.s, str_fmt(a, "%s.lock", file.s).s };

		/* Before mkdir: we may be killed right after it. */
		warden_register_file(made.file);
		if (mkdir(made.path, 0700) == 0) {
			*d = made;
			return 0;
		}
		int why = errno;

		warden_unregister_file(made.file);
		errno = why;
		if (why != EEXIST)
			break;
	}
	return -1;
}

int
tempdir_make(struct tempdir *d, struct arena *a, const char *name, struct err *err)
{
	/* Most containers have the last one, even if only the project is writable. */
	const struct str places[] = { env_get("TMPDIR"), STR("/tmp"), STR("/var/tmp"), STR("/dev/shm") };
	struct str first = STR_NONE;
	int why = 0;

	if (warden_start(err) < 0)
		return -1;
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		if (!str_starts(places[i], STR("/")))
			continue;
		if (make_in(d, a, places[i], name) == 0)
			return 0;
		if (!first.s) {
			first = places[i];
			why = errno;
		}
	}
	errno = why;
	return err_sys(err,
		       "can't create a temporary directory, set TMPDIR to one that is writable: " STR_FMT,
		       STR_ARG(first));
}

void
tempdir_clear(struct tempdir *d)
{
	const char *paths[] = { d->file, d->lock, d->path };

	for (size_t i = 0; d->path && i < COUNT_OF(paths); i++)
		(void)!fs_remove(paths[i], IGNORED); /* whoever cleans up TMPDIR removes it */
	if (d->path)
		warden_unregister_file(d->file);
	*d = (struct tempdir){ 0 };
}
