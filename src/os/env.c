/* SPDX-License-Identifier: MIT */
/* The environment: the only file that calls getenv. The user database is read as the file it is: name services
 * would need the loading of libraries, which a static binary can't. */
#include "os/env.h"

#include "base/path.h"
#include "os/fs.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct str
env_get(const char *name)
{
	return str_from(getenv(name));
}

bool
env_has(const char *name)
{
	return env_get(name).n > 0;
}

static struct str
home_from_passwd(struct arena *a)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct str home = STR_NONE;
	struct passwd *row;

	if (!f)
		return home;
	while (!home.s && (row = fgetpwent(f)))
		if (row->pw_uid == getuid() && row->pw_dir && row->pw_dir[0] != '\0')
			home = str_copy(a, str_from(row->pw_dir));
	(void)fclose(f);
	return home;
}

struct str
env_home(struct arena *a)
{
	struct str home = env_get("HOME");

	return str_starts(home, STR("/")) ? home : home_from_passwd(a);
}

struct str
env_xdg(struct arena *a, const char *name, const char *fallback)
{
	struct str value = env_get(name);

	if (str_starts(value, STR("/")))
		return value;
	struct str home = env_home(a);

	return home.s ? path_join(a, home, str_from(fallback)) : STR_NONE;
}

struct str
env_find_program(struct arena *a, const char *name)
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
env_self(struct arena *a)
{
	return fs_real(a, "/proc/self/exe");
}
