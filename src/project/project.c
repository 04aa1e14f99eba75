/* SPDX-License-Identifier: MIT */
/* Finds a project. Each level costs a stat of .git and one of the directory. */
#include "project/project.h"

#include "base/path.h"
#include "client/client.h"
#include "os/env.h"
#include "os/fs.h"

#include <string.h>
#include <sys/stat.h>

/* Like /tmp. */
static bool
is_writable_by_anyone(struct str dir)
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

void
project_find_above(struct project_dirs *p, struct str start, enum project_bound bound)
{
	size_t levels = bound == WITHIN_REPOSITORY ? REPOSITORY_LEVELS : PROJECT_LEVELS;
	struct str dir = is_usable(start) ? path_tidy(start) : STR_NONE;

	*p = (struct project_dirs){ 0 };
	while (dir.s && p->count < levels) {
		p->dirs[p->count++] = dir;
		if (!p->repository.s && fs_has(dir, ".git"))
			p->repository = dir;
		if (p->repository.s && bound == WITHIN_REPOSITORY)
			return;
		dir = path_parent(dir);
		if (dir.s && is_writable_by_anyone(dir))
			break;
	}
	if (!p->repository.s && p->count > PROJECT_LEVELS)
		p->count = PROJECT_LEVELS;
}

struct str
project_named_by_client(void)
{
	return env_get(client_default->project_env);
}

void
project_find(struct project_dirs *p, struct str start, enum project_bound bound)
{
	struct str named = path_tidy(project_named_by_client());

	project_find_above(p, start, bound);
	if (is_usable(named) && !str_is_among(named, p->dirs, p->count))
		p->dirs[p->count++] = named;
}
