/* SPDX-License-Identifier: MIT */
/* Whether a deletion would lose what git does not have. */
#include "git/git_spawn.h"

struct str
git_unsaved(struct arena *a, const struct repository *r, struct str path, struct err *err)
{
	struct git_job job = { .limit = KIB(64), .may_be_cut = true };
	struct str rest, entry;

	git_args(&job, GIT_ARGS("--literal-pathspecs", "status", "--porcelain", "-z", "--untracked-files=all",
				"--no-renames", "--ignore-submodules=none", "--"));
	git_arg(&job, str_copy(a, path).s);
	if (git_run_one(a, r, &job, err) < 0)
		return STR_NONE;
	rest = buf_str(&job.out);
	/* XY path; what is deleted in the work tree is not lost again */
	while (str_next(&rest, '\0', &entry))
		if (entry.n > 3 && entry.s[1] != 'D')
			return str_copy(a, str_sub(entry, 3, entry.n));
	return STR("");
}
