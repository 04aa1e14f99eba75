/* SPDX-License-Identifier: MIT */
/* Makes repositories for tests. */
#include "git_repository.h"

#include "base/buf.h"
#include "os/fs.h"
#include "os/proc.h"

#include <stdlib.h>

struct str
repository_run(struct arena *a, struct str dir, const char *script)
{
	const char *argv[] = { "sh", "-ec", script, NULL };
	struct proc_spec spec = { .argv = argv, .dir = str_copy(a, dir).s, .timeout_ms = 60000 };
	struct proc_result result;
	struct err err;

	/* For ours, too. */
	CHECK(setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1) == 0 && setenv("GIT_CONFIG_NOSYSTEM", "1", 1) == 0);
	spec.env = (const char *const[]){ "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t", "GIT_COMMITTER_NAME=t",
					  "GIT_COMMITTER_EMAIL=t@t", NULL };
	if (proc_run(a, &spec, &result, &err) < 0)
		fail_msg("%s", err.msg);
	if (result.end != PROC_EXITED || result.code != 0)
		fail_msg("%s: " STR_FMT, script, STR_ARG(capture_text(&result.err, a, 0)));
	return capture_text(&result.out, a, 0);
}

struct repository
make_repository(struct arena *a, const char *script)
{
	static const char *all;
	static unsigned made;

	if (!all)
		all = test_dir();
	struct str dir = str_fmt(a, "%s/repository-%u/top", all, made++);
	struct err err;

	CHECK(fs_make_dirs(dir.s, 0755, &err) == 0);
	(void)repository_run(a, dir, script);
	return (struct repository){ .root = dir };
}

struct repository
repository_at(struct arena *a, struct repository r, const char *below)
{
	return (struct repository){ .root = str_fmt(a, STR_FMT "/%s", STR_ARG(r.root), below) };
}

struct str
changes_or_error(struct arena *a, const struct repository *r, const struct change_spec *spec,
		 struct change_list *ret)
{
	struct buf b = BUF(a, KIB(64));
	struct err err;

	if (git_changes(a, r, spec, ret, &err) < 0)
		return str_fmt(a, "[%s]", err.msg);
	for (size_t i = 0; i < ret->count; i++) {
		if (i > 0)
			buf_addc(&b, ' ');
		for (size_t j = 0; j < ret->items[i].n; j++) {
			unsigned char c = (unsigned char)ret->items[i].s[j];

			if (c > ' ' && c < 127)
				buf_addc(&b, (char)c);
			else
				buf_addf(&b, "%%%02X", c);
		}
	}
	return buf_str(&b);
}

struct str
changes_text(struct arena *a, const struct repository *r, const struct change_spec *spec,
	     struct change_list *ret)
{
	struct str told = changes_or_error(a, r, spec, ret);

	if (told.n > 0 && told.s[0] == '[')
		fail_msg(STR_FMT, STR_ARG(told));
	return told;
}

int
snapshot_or_error(struct arena *a, const struct repository *r, struct str *ret_commit, struct err *err)
{
	struct repo_status_spec wanted = { .changes = { .mode = CHANGES_LOCAL, .base = STR("main") } };
	struct repo_status look;

	if (git_status(a, r, &wanted, &look, err) < 0)
		return -1;
	return git_snapshot(a, r, &look.head, STR("logs"), ret_commit, err);
}

bool
is_in_base(struct arena *a, const struct repository *r, struct str commit, struct str base)
{
	struct repo_status_spec wanted = { .changes = { .mode = CHANGES_UNCOMMITTED },
					   .commit = commit,
					   .base = base };
	struct repo_status look;
	struct err err;

	return git_status(a, r, &wanted, &look, &err) == 0 && look.is_in_base == ANSWER_YES;
}
