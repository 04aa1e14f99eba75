/* SPDX-License-Identifier: MIT */
/* Throw-away repositories, made by git through a shell. */
#ifndef TESTS_UNIT_GIT_REPOSITORY_H
#define TESTS_UNIT_GIT_REPOSITORY_H

#include "test.h"

#include "git/git.h"

/* main with one commit that has a.c, b.c and src/c.c in it. */
#define COMMITTED                                                                                       \
	"git init -q -b main; mkdir src; printf '1\\n2\\n3\\n' | tee a.c b.c >src/c.c; git add .; git " \
	"commit -qm one; "

/* What to compare, with logs that do not count. */
#define LOCAL_                                                                     \
	{                                                                          \
		.mode = CHANGES_LOCAL, .base = STR("main"), .log_dir = STR("logs") \
	}
#define UNCOMMITTED_                                                \
	{                                                           \
		.mode = CHANGES_UNCOMMITTED, .log_dir = STR("logs") \
	}
#define CI_                                                                     \
	{                                                                       \
		.mode = CHANGES_CI, .base = STR("main"), .log_dir = STR("logs") \
	}
#define COMMIT_                                                                       \
	{                                                                             \
		.mode = CHANGES_COMMIT, .commit = STR("HEAD"), .log_dir = STR("logs") \
	}

/* Runs the script in the directory, with an identity and without any user's configuration; returns its output without the last
 * newline. The test fails if the script does. */
struct str repository_run(struct arena *a, struct str dir, const char *script);
/* A new directory after the script was run in it. */
struct repository make_repository(struct arena *a, const char *script);
/* The same repository with another root, relative to its top. */
struct repository repository_at(struct arena *a, struct repository r, const char *below);

/* The changes as "a.c b.c": each path with %XX for bytes that are blanks, below or above ASCII's. The test fails where
 * git fails. */
struct str changes_text(struct arena *a, const struct repository *r, const struct change_spec *spec,
			struct change_list *ret);
/* "main", or the error in brackets where there is one. */
struct str changes_or_error(struct arena *a, const struct repository *r, const struct change_spec *spec,
			    struct change_list *ret);

/* A snapshot after git_status(), as a run makes it. */
int snapshot_or_error(struct arena *a, const struct repository *r, struct str *ret_commit, struct err *err);
/* Is the commit an ancestor of base? */
bool is_in_base(struct arena *a, const struct repository *r, struct str commit, struct str base);

#endif
