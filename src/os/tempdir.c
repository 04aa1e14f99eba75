/* SPDX-License-Identifier: MIT */
/* Directories of our own for a while. Only names that were given out are removed, never what others put there. */
#include "os/tempdir.h"

#include "os/env.h"
#include "os/fs.h"
#include "os/lastwords.h"
#include "os/signals.h"
#include "os/warden.h"

#include <stdlib.h>

int
tempdir_make(struct tempdir *d, struct arena *a, const char *name, struct err *err)
{
	struct str base = env_get("TMPDIR");

	if (base.n == 0 || base.s[0] != '/')
		base = STR("/tmp");
	struct str place = fs_join(a, base, STR("holdfast.XXXXXX"));
	char *path = arena_bytes(a, place.n + 1);

	for (size_t i = 0; i <= place.n; i++)
		path[i] = place.s[i];

	if (warden_start(err) < 0)
		return -1;
	CLEANUP(signals_release) sigset_t held = signals_hold(); /* until it is known what to remove */

	if (!mkdtemp(path))
		return err_sys(err, STR_FMT ": no directory can be made", STR_ARG(base));
	struct str file = fs_join(a, str_from(path), str_from(name));

	*d = (struct tempdir){ .path = path, .file = file.s, .lock = str_fmt(a, "%s.lock", file.s).s };
	const char *paths[] = { d->file, d->lock, d->path };

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		lastwords_remove(paths[i]);
		warden_remove(paths[i]);
	}
	return 0;
}

void
tempdir_clear(struct tempdir *d)
{
	const char *paths[] = { d->file, d->lock, d->path };
	struct err err;

	for (size_t i = 0; d->path && i < COUNT_OF(paths); i++) {
		(void)!fs_remove(paths[i], &err); /* left to whoever cleans up TMPDIR */
		lastwords_spare(paths[i]);
		warden_spare(paths[i]);
	}
	*d = (struct tempdir){ 0 };
}
