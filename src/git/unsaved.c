/* SPDX-License-Identifier: MIT */
/* Whether a deletion would lose what git does not have. */
#include "git/git_spawn.h"

/* The path with its own wildcards escaped, then any directories, then the name; a name with a slash in front is a path, and its
 * wildcards match slashes. */
static struct str
named_below(struct arena *a, struct str path, struct str name)
{
	struct buf b = BUF(a, SIZE_MAX);

	bool is_path = str_starts(name, STR("/"));

	buf_add(&b, is_path ? STR("") : STR(":(glob)"));
	for (size_t i = 0; i < path.n; i++) {
		if (str_find_char(STR("*?[\\"), path.s[i]) >= 0)
			buf_addc(&b, '\\');
		buf_addc(&b, path.s[i]);
	}
	buf_addf(&b, "%s" STR_FMT, is_path ? "" : "/**/", STR_ARG(name));
	return buf_str(&b);
}

struct str
git_unsaved(struct arena *a, const struct repository *r, struct str path, struct str name, struct err *err)
{
	struct git_job job = { .limit = KIB(64), .may_be_cut = true };
	struct str rest, entry;

	git_args(&job,
		 GIT_ARGS(name.s ? "--no-literal-pathspecs" : "--literal-pathspecs", "status", "--porcelain",
			  "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none", "--"));
	git_arg(&job, str_copy(a, name.s ? named_below(a, path, name) : path).s);
	if (git_run_one(a, r, &job, err) < 0)
		return STR_NONE;
	rest = buf_str(&job.out);
	/* XY path; what is deleted in the work tree is not lost again */
	while (str_next(&rest, '\0', &entry))
		if (entry.n > 3 && entry.s[1] != 'D')
			return str_copy(a, str_sub(entry, 3, entry.n));
	return STR("");
}
