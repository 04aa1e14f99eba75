/* SPDX-License-Identifier: MIT */
/* What is compared with when what should be is not there, in throw-away repositories. */
#include "git_repository.h"

/* scenario: G13-52 */
TEST(a_base_that_does_not_exist_is_replaced_and_that_is_told)
{
#define TWO "git checkout -qb side; echo 4 >>a.c; git commit -qam two; echo 4 >>b.c; "
	static const struct {
		const char *name, *script;
		enum change_mode mode;
		const char *base, *head, *changes, *base_used, *warning; /* warning NULL: none */
	} rows[] = {
		{ "the local branch", COMMITTED TWO, CHANGES_LOCAL, "origin/main", NULL, "a.c b.c", "main",
		  "base branch 'origin/main' does not exist: compared with 'main'" },
		{ "the remote one", COMMITTED "git update-ref refs/remotes/origin/dev HEAD; " TWO,
		  CHANGES_LOCAL, "dev", NULL, "a.c b.c", "origin/dev",
		  "base branch 'dev' does not exist: compared with 'origin/dev'" },
		{ "what the remote calls its default",
		  COMMITTED "git update-ref refs/remotes/origin/trunk HEAD; git symbolic-ref "
			    "refs/remotes/origin/HEAD refs/remotes/origin/trunk; " TWO,
		  CHANGES_LOCAL, "gone", NULL, "a.c b.c", "origin/HEAD",
		  "base branch 'gone' does not exist: compared with 'origin/HEAD'" },
		{ "the remote's main before ours",
		  COMMITTED "git update-ref refs/remotes/origin/main HEAD; " TWO, CHANGES_LOCAL, "gone", NULL,
		  "a.c b.c", "origin/main",
		  "base branch 'gone' does not exist: compared with 'origin/main'" },
		{ "master", COMMITTED "git branch -m master; " TWO, CHANGES_LOCAL, "gone", NULL, "a.c b.c",
		  "master", "base branch 'gone' does not exist: compared with 'master'" },
		{ "on main itself", COMMITTED "echo 4 >>b.c", CHANGES_LOCAL, "origin/main", NULL, "b.c",
		  "main", "base branch 'origin/main' does not exist: compared with 'main'" },
		{ "the commit before", COMMITTED TWO "git branch -D main", CHANGES_LOCAL, "gone", NULL,
		  "a.c b.c", "HEAD^", "base branch 'gone' does not exist: compared with 'HEAD^'" },
		{ "nothing", COMMITTED "git branch -m other; echo >u.c", CHANGES_LOCAL, "gone", NULL,
		  "a.c b.c src/c.c u.c", "the empty tree",
		  "base branch 'gone' does not exist: compared with the empty tree" },
		{ "in CI", COMMITTED TWO, CHANGES_CI, "origin/main", NULL, "a.c", "main",
		  "base branch 'origin/main' does not exist: compared with 'main'" },
		{ "in CI, main is HEAD", COMMITTED "echo 4 >>a.c; git commit -qam two", CHANGES_CI,
		  "origin/main", NULL, "a.c", "HEAD^",
		  "base branch 'origin/main' does not exist: compared with 'HEAD^'" },
		{ "in CI, one commit", COMMITTED, CHANGES_CI, "origin/main", NULL, "a.c b.c src/c.c",
		  "the empty tree",
		  "base branch 'origin/main' does not exist: compared with the empty tree" },
		{ "in CI, no such head", COMMITTED TWO, CHANGES_CI, "main",
		  "1111111111111111111111111111111111111111", "a.c", "main",
		  "head '1111111111111111111111111111111111111111' does not exist: HEAD was taken" },
		{ "in CI, no commits", "git init -q -b main", CHANGES_CI, "main", NULL,
		  "[git diff: bad revision 'main...HEAD']", NULL, NULL },
		{ "nothing in common",
		  COMMITTED
		  "git checkout -q --orphan side; git commit -qm x; echo 4 >>a.c; git commit -qam y",
		  CHANGES_LOCAL, "main", NULL, "a.c", "main",
		  "'main' has no commit in common with HEAD: compared with its files" },
		{ "two in common", /* which of them git takes goes by their dates */
		  "export GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' "
		  "GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'; " COMMITTED
		  "git checkout -qb s; echo >s; git add s; git commit -qm s; git checkout -q main; "
		  "echo >m; git add m; git commit -qm m; "
		  "git checkout -qb t; git merge -qm ts s; git checkout -q s; git merge -qm st "
		  "main; git checkout -q t; echo 4 >>a.c; git commit -qam t",
		  CHANGES_LOCAL, "s", NULL, "a.c s", "s", NULL },
		{ "an option", COMMITTED, CHANGES_LOCAL, "--output=x", NULL,
		  "[base branch '--output=x' is no name of a commit]", NULL, NULL },
		{ "no base", COMMITTED, CHANGES_LOCAL, "", NULL, "[base branch '' is no name of a commit]",
		  NULL, NULL },
		{ "a head that is an option", COMMITTED, CHANGES_CI, "main", "-x",
		  "[head '-x' is no name of a commit]", NULL, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		struct change_spec spec = { .mode = rows[i].mode,
					    .base = str_from(rows[i].base),
					    .head = str_from(rows[i].head) };
		struct change_list list = { 0 };
		struct str told = changes_or_error(&a, &r, &spec, &list);

		if (!str_is(told, rows[i].changes))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
		if (!rows[i].base_used)
			continue;
		CHECK_ROW(rows[i].name, str_is(list.base_used, rows[i].base_used));
		if (!str_eq(list.warning, str_from(rows[i].warning)))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(list.warning));
	}
}

/* scenario: G13-52 */
TEST(a_commit_that_does_not_exist_is_an_error)
{
	static const char *const names[] = { "gone", "1111111111111111111111111111111111111111",
					     "-x",   "",
					     "a..b", "HEAD:a.c" };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED);

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct change_spec spec = { .mode = CHANGES_COMMIT, .commit = str_from(names[i]) };
		struct change_list list;
		struct err err;

		CHECK_ROW(names[i], git_changes(&a, &r, &spec, &list, &err) < 0);
		CHECK_ROW(names[i], str_starts(str_from(err.msg), str_fmt(&a, "commit '%s'", names[i])));
		spec.mode = CHANGES_SINCE;
		CHECK_ROW(names[i], git_changes(&a, &r, &spec, &list, &err) < 0);
	}
}
