/* SPDX-License-Identifier: MIT */
/* Removes what 'holdfast init' and 'conclaude init' put into settings files and agents' files: what 'holdfast uninstall'
 * does. */
#ifndef INSTALL_REMOVE_H
#define INSTALL_REMOVE_H

#include "base/buf.h"
#include "install/settings.h"

/* One removal from any number of settings files. */
struct removal {
	struct arena *arena;
	struct install_records records;
	struct str cwd;
	bool is_dry;
	bool removes_all; /* holdfast's hooks that are in no record, too */
	struct buf *out;  /* the report */
	bool has_found;   /* there was something to report */
	/* Directories that were made for the settings files, and paths that have been removed. The directories go last, as
	 * two clients' files may share one. */
	struct str_list dirs, gone;
};

/* One client's settings file, and the agents' files in its record. Nothing is reported about a file without our hooks. */
int remove_from_file(struct removal *r, const struct client *c, struct str path, struct err *err) MUST_CHECK;
/* Removes the directories that were made for the files and are empty now. */
void remove_empty_dirs(struct removal *r);

#endif
