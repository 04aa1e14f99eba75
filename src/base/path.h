/* SPDX-License-Identifier: MIT */
/* Paths as text. Pure: never asks the file system, so a symbolic link is a name like any other. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/base.h"

bool path_is_absolute(struct str path);
/* dir/name with exactly one slash between; name alone if dir is empty. */
struct str path_join(struct arena *a, struct str dir, struct str name);
/* The path itself if it is absolute, else joined to `dir`. */
struct str path_from(struct arena *a, struct str dir, struct str path);
/* The path without its last component; absent for "/" and for a path without a slash. */
struct str path_parent(struct str path);
/* Its last component; empty for "/". */
struct str path_base(struct str path);

/* Without "./" at the start and slashes at the end; "." and "/" stay. */
struct str path_tidy(struct str path);
/* With . and .. resolved and slashes single; "." if nothing remains. Absent if .. leads out of a relative path. */
struct str path_normalise(struct arena *a, struct str path);

bool path_is_at_or_below(struct str path, struct str dir);
/* The rest of the path after dir and its slash; absent if the path is not below dir or is dir itself. */
struct str path_below(struct str path, struct str dir);
/* For people: the rest of the path where it is below dir, else the path. */
struct str path_shown(struct str path, struct str dir);
/* The way up from a relative path, as in "../../"; empty if the path is empty or absent. */
struct str path_up(struct arena *a, struct str path);
/* The normalised path relative to root; absent if it is root itself or not below it. A relative path is taken as relative to
 * root. */
struct str path_relative(struct arena *a, struct str root, struct str path);

/* Can the path lead out of the directory that it is relative to? It is absolute, or has a part "..". */
bool path_is_outside(struct str path);

#endif
