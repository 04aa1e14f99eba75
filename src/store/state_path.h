/* SPDX-License-Identifier: MIT */
/* Names of files under the user's state directory. */
#ifndef STORE_STATE_PATH_H
#define STORE_STATE_PATH_H

#include "base/base.h"

/* holdfast/DIR/NAME under the state directory, or holdfast/NAME where `dir` is NULL; absent where there is no home. */
struct str state_path(struct arena *a, const char *dir, struct str name);
/* A project's directory as part of a file name: its last component and a hash of all of it. Not unique: who relies on
 * it compares the path that is in the file. */
struct str project_slug(struct arena *a, struct str root);

#endif
