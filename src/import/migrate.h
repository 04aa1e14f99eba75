/* SPDX-License-Identifier: MIT */
/* holdfast.yml as a translation of the old files of one directory: .gauntlet or .validator, and .conclaude.yaml. */
#ifndef IMPORT_MIGRATE_H
#define IMPORT_MIGRATE_H

#include "conf/schema.h"

struct migration {
	struct str text;      /* of holdfast.yml; absent: nothing in the old files has an effect */
	struct str_list from; /* the old files and directories, relative to the root; none: there are none */
	struct config_problems problems; /* of the old files */
	struct config_problems notes;    /* what is not in the text, and why; none is an error */
};
/* Reads the old files and changes none. An error: one of them can't be used (then *ret has all problems), or it has
 * something that holdfast.yml can't express. The text has been read back as holdfast.yml. */
int migrate(struct arena *a, struct str root, struct migration *ret, struct err *err) MUST_CHECK;

#endif
