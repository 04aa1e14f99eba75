/* SPDX-License-Identifier: MIT */
/* Permissions, asked for without changing anything. */
#include "os/access.h"

#include "base/path.h"
#include "os/env.h"
#include "os/fs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool
access_is_read_only(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	/* The superuser may write everything; a file that is protected on purpose stays so all the same. */
	return (st.st_mode & 0222) == 0 || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0;
}

struct str
access_find_program(struct arena *a, const char *name)
{
	struct str rest = env_get("PATH"), dir;

	while (str_next(&rest, ':', &dir)) {
		struct str path = path_join(a, dir, str_from(name));
		const char *z;
		struct err err;

		/* A relative directory is another one at each call. */
		if (dir.n == 0 || dir.s[0] != '/' || str_cz(a, path, &z, &err) < 0)
			continue;
		if (fs_kind(z) == FS_FILE && faccessat(AT_FDCWD, z, X_OK, AT_EACCESS) == 0)
			return path;
	}
	return STR_NONE;
}

struct str
access_self(struct arena *a)
{
	return fs_real(a, "/proc/self/exe");
}
