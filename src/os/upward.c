/* SPDX-License-Identifier: MIT */
/* The way up from a directory. A look for .git and one at who may write there is all that a level costs. */
#include "os/upward.h"

#include "base/path.h"
#include "os/fs.h"

#include <string.h>
#include <sys/stat.h>

/* Everybody may put files there, as in /tmp, and what a project's files say is run. */
static bool
is_everybodys(struct str dir)
{
	char path[PATH_LIMIT_BYTES];
	struct stat st;

	memcpy(path, dir.s, dir.n);
	path[dir.n] = '\0';
	return stat(path, &st) == 0 && (st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH);
}

static bool
is_usable(struct str dir)
{
	return path_is_absolute(dir) && dir.n < PATH_LIMIT_BYTES && str_find_char(dir, '\0') < 0;
}

static void
find(struct upward *u, struct str start, struct str project_dir, bool stops_at_repository)
{
	size_t levels = stops_at_repository ? REPOSITORY_LEVELS : PROJECT_LEVELS;

	*u = (struct upward){ 0 };
	if (is_usable(start)) {
		struct str dir = path_tidy(start);

		while (dir.s && u->count < levels) {
			u->dirs[u->count++] = dir;
			if (!u->repository.s && fs_has(dir, ".git"))
				u->repository = dir;
			if (u->repository.s && stops_at_repository)
				break;
			dir = path_parent(dir);
			if (dir.s && is_everybodys(dir))
				break;
		}
	}
	if (!u->repository.s && u->count > PROJECT_LEVELS)
		u->count = PROJECT_LEVELS;
	project_dir = path_tidy(project_dir);
	if (is_usable(project_dir) && !str_is_among(project_dir, u->dirs, u->count))
		u->dirs[u->count++] = project_dir;
}

void
upward_find(struct upward *u, struct str start, struct str project_dir)
{
	find(u, start, project_dir, true);
}

void
upward_find_all(struct upward *u, struct str start, struct str project_dir)
{
	find(u, start, project_dir, false);
}
