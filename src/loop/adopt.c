/* SPDX-License-Identifier: MIT */
/* Asks whose file it is, and git whether it is tracked. */
#include "loop/adopt.h"

#include "base/path.h"
#include "git/git.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/project.h"

#define GIT_MS 5000

struct str
loop_adoption_problem(struct arena *a, struct str path)
{
	struct str claude = str_copy(a, path_parent(path)), root = str_copy(a, path_parent(claude));
	struct repository r = { .root = root, .deadline_ms = clock_mono_ms() + GIT_MS };
	struct project_dirs where;
	struct err err;

	/* Who may write to the root can put another .claude there, but then it is not ours. */
	if (fs_check_safe(a, str_copy(a, path).s, &err) < 0 || fs_check_safe(a, claude.s, &err) < 0)
		return str_fmt(a, "%s", err.msg);
	project_find_above(&where, root, WITHIN_REPOSITORY);
	if (!where.repository.s)
		return STR_NONE;
	switch (git_tracks(a, &r, path, &err)) {
	case ANSWER_YES:
		return STR("git tracks it, so it came with the repository; 'git rm --cached' changes that");
	case ANSWER_UNKNOWN:
		return str_fmt(a, "whether git tracks it is not known: %s", err.msg);
	case ANSWER_NO:
		break;
	}
	return STR_NONE;
}
