/* SPDX-License-Identifier: MIT */
/* What is compared with when what should be is not there, in throw-away repositories. */
#include "git_repository.h"

/* scenario: G13-52 */
TEST(a_base_that_does_not_exist_is_replaced_with_a_warning)
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
		  "head '1111111111111111111111111111111111111111' does not exist: HEAD is used instead" },
		{ "in CI, no commits", "git init -q -b main", CHANGES_CI, "main", NULL,
		  "[git diff: bad revision 'refs/heads/main...HEAD']", NULL, NULL },
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

#define SNAPSHOT "snapshot"
/* A required filter that is not installed. */
#define FILTERED                                                                                             \
	COMMITTED "echo '*.big filter=big' >.gitattributes; echo 1 | tee x.big >y.big; touch -d 2020-01-02 " \
		  "x.big y.big; git add .; git commit -qm big; git tag " SNAPSHOT "; git config "            \
		  "filter.big.required true; git config filter.big.clean /nonexistent/filter; "
/* A partial clone without contents, whose remote is gone. */
#define PARTIAL                                                                                          \
	"mkdir full; cd full; " COMMITTED "git config uploadpack.allowFilter true; cd ..; git clone -q " \
	"--no-checkout --filter=blob:none \"file://$PWD/full\" part; mv part/.git .; rm -rf full part; " \
	"git read-tree HEAD; mkdir src; printf '1\\n' | tee a.c b.c >src/c.c; git tag " SNAPSHOT "; "

TEST(files_that_git_cannot_compare_count_as_changed_if_they_may_be)
{
#define SINCE_                                                                         \
	{                                                                              \
		.mode = CHANGES_SINCE, .commit = STR(SNAPSHOT), .log_dir = STR("logs") \
	}
	static const struct {
		const char *name, *script;
		struct change_spec spec;
		const char *changes;
	} rows[] = {
		{ "changed", FILTERED "echo 2 >x.big", LOCAL_, "x.big" },
		{ "another time", FILTERED "touch -d 2020-01-01 x.big a.c", LOCAL_, "a.c x.big" },
		{ "as new as the index",
		  FILTERED "touch x.big; git -c filter.big.required=false add x.big; echo 2 >x.big", LOCAL_,
		  "x.big" },
		{ "beside a new file", FILTERED "echo 2 >x.big; echo 2 >new.c", UNCOMMITTED_, "new.c x.big" },
		{ "since a commit", FILTERED "echo 2 >x.big", SINCE_, "x.big" },
		{ "the base is missing, too", FILTERED "git branch -m other; echo 2 >x.big", LOCAL_,
		  ".gitattributes x.big y.big" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct repository r = make_repository(&a, rows[i].script);
		struct change_list list = { 0 };
		struct str told = changes_or_error(&a, &r, &rows[i].spec, &list);

		if (!str_is(told, rows[i].changes))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
		CHECK_ROW(rows[i].name, str_find(list.fallback_reason, STR("can't compare")) >= 0);
	}
	/* Git knows the names of the contents that a partial clone does not have. */
	static const struct change_spec whole[] = { LOCAL_, SINCE_ };

	for (size_t i = 0; i < COUNT_OF(whole); i++) {
		struct repository part = make_repository(&a, PARTIAL);
		struct change_list all;

		CHECK(str_is(changes_text(&a, &part, &whole[i], &all), "a.c b.c src/c.c"));
		CHECK(!all.fallback_reason.s);
	}
	/* Git need not read these files. */
	struct repository r = make_repository(&a, FILTERED "echo 2 >new.c");
	struct change_list list;

	CHECK(str_is(changes_text(&a, &r, &rows[0].spec, &list), "new.c") && !list.fallback_reason.s);
}
