/* SPDX-License-Identifier: MIT */
/* Finds a project. Each level costs a stat of .git and one of the directory. */
#include "project/project.h"

#include "client/client.h"
#include "os/env.h"
#include "os/fs.h"

#include <sys/stat.h>
#include <unistd.h>

/* Is it nobody's project, such as /tmp or the directory of another user? */
static bool
is_nobodys(struct str dir)
{
	char path[PATH_LIMIT_BYTES];
	struct stat st;

	memcpy(path, dir.s, dir.n);
	path[dir.n] = '\0';
	if (stat(path, &st) < 0)
		return false;
	return ((st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH)) ||
	       (st.st_uid != 0 && st.st_uid != geteuid());
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
		if (dir.s && is_nobodys(dir))
			break;
	}
	if (!p->repository.s && p->count > PROJECT_LEVELS)
		p->count = PROJECT_LEVELS;
}

struct str
project_named_by(const struct client *c)
{
	if (c && c->project_env && env_has(c->project_env))
		return env_get(c->project_env);
	return env_get(client_default->project_env);
}

void
project_find(struct project_dirs *p, struct str start, enum project_bound bound)
{
	struct str named = path_tidy(project_named_by(NULL));

	project_find_above(p, start, bound);
	if (is_usable(named) && !str_is_among(named, p->dirs, p->count))
		p->dirs[p->count++] = named;
}

struct str
project_root(const struct project_dirs *p)
{
	if (p->repository.s)
		return p->repository;
	return p->count > 0 ? p->dirs[0] : STR_NONE;
}
