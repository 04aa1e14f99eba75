/* SPDX-License-Identifier: MIT */
/* What git has said about commits is not asked again, unless it may have changed. */
#include "git_repository.h"

#include "base/path.h"
#include "os/fs.h"

#include <stdlib.h>

/* main with a second commit, and work, with one more, where we are. */
#define BRANCHED                                                                                            \
	COMMITTED "git tag first; echo 4 >>b.c; git commit -qam two; git checkout -qb work; echo 4 >>a.c; " \
		  "git commit -qam three; "

static struct repository
with_answers(struct arena *a, struct repository r, bool is_read_only)
{
	r.root = fs_real(a, r.root.s);
	r.known = arena_new(a, struct git_known);
	*r.known = (struct git_known){ .answer_file = str_cat(a, path_parent(r.root), "/answers"),
				       .is_read_only = is_read_only };
	return r;
}

static enum git_answer
is_ancestor(struct arena *a, struct repository r, struct str commit, const char *of)
{
	struct err err;

	r = with_answers(a, r, false);
	return git_is_ancestor(a, &r, commit, str_from(of), &err);
}

/* Without git there are only the answers that were kept. */
static void
hide_git(bool hides)
{
	static char *path;

	if (!path)
		path = strdup(getenv("PATH"));
	CHECK(path && setenv("PATH", hides ? "/nowhere" : path, 1) == 0);
}

TEST(an_answer_about_two_commits_is_asked_for_once)
{
	static const struct {
		const char *name, *script; /* between the question and the next one */
		enum git_answer answer, of_other;
	} rows[] = {
		{ "nothing happened", ":", ANSWER_YES, ANSWER_NO },
		{ "a ref moved", "git branch -f main first", ANSWER_YES, ANSWER_UNKNOWN },
		{ "a ref was packed", "git pack-refs --all", ANSWER_YES, ANSWER_NO },
		{ "the history was cut", "git rev-parse first >.git/shallow", ANSWER_UNKNOWN,
		  ANSWER_UNKNOWN },
		{ "a graft", "git rev-parse main >.git/info/grafts", ANSWER_UNKNOWN, ANSWER_UNKNOWN },
		{ "the file is cut", "truncate -s -3 ../answers", ANSWER_YES, ANSWER_UNKNOWN },
		{ "the file is damaged",
		  "printf 'xx' | dd of=../answers bs=1 seek=40 conv=notrunc 2>/dev/null", ANSWER_UNKNOWN,
		  ANSWER_NO },
		{ "the file is gone", "rm ../answers", ANSWER_UNKNOWN, ANSWER_UNKNOWN },
		{ "the file is a directory", "rm ../answers; mkdir ../answers", ANSWER_UNKNOWN,
		  ANSWER_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, BRANCHED);
		struct str first = repository_run(&a, r.root, "git rev-parse first");
		struct str third = repository_run(&a, r.root, "git rev-parse work");

		CHECK_ROW(rows[i].name, is_ancestor(&a, r, first, "main") == ANSWER_YES);
		CHECK_ROW(rows[i].name, is_ancestor(&a, r, third, "main") == ANSWER_NO);
		(void)repository_run(&a, r.root, rows[i].script);
		hide_git(true);
		enum git_answer answer = is_ancestor(&a, r, first, "main");
		enum git_answer of_other = is_ancestor(&a, r, third, "main");

		hide_git(false);
		CHECK_ROW(rows[i].name, answer == rows[i].answer);
		CHECK_ROW(rows[i].name, of_other == rows[i].of_other);
	}
}

/* Also where the commits do not exist, which is no fact for ever. */
TEST(a_commit_that_is_not_there_is_asked_for_again)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, BRANCHED);
	struct str made = repository_run(&a, r.root, "git commit-tree -m x HEAD^{tree}");
	struct str gone = repository_run(&a, r.root, "git rev-parse --git-path objects | tr -d '\\n'");

	gone = str_cat(&a, "mv ", gone, "/", str_sub(made, 0, 2), "/", str_rest(made, 2), " ../object");
	(void)repository_run(&a, r.root, gone.s);
	CHECK(is_ancestor(&a, r, made, "main") == ANSWER_NO);
	(void)repository_run(&a, r.root,
			     str_cat(&a, "mv ../object .git/objects/", str_sub(made, 0, 2), "/",
				     str_rest(made, 2), "; git update-ref refs/heads/main ", made)
				     .s);
	CHECK(is_ancestor(&a, r, made, "main") == ANSWER_YES);
}

/* Also where HEAD and the base move between the two, and from below the top. */
TEST(changes_with_kept_answers_are_those_that_git_finds)
{
	static const char *const scripts[] = {
		":",
		"echo x >new.c",
		"git commit -qam four --allow-empty",
		"git branch -f main work",
		"git branch -f main first",
		"git checkout -q --detach",
		"git checkout -q main",
		"git branch -D main; git update-ref refs/remotes/origin/main first",
		"git checkout -q --orphan fresh; git commit -qm x",
		"git checkout -qb t; git checkout -q main; git merge -q --no-ff -m m work; git checkout -q "
		"t; echo 5 >>b.c; "
		"git commit -qam t; git branch -f main main~1; git merge -q -m tm main || git commit -qam tm",
		"git tag main first",
		"git symbolic-ref HEAD refs/heads/unborn",
		"rm a.c; git rm -q --cached b.c",
	};
	static const char *const roots[] = { ".", "src" };

	for (size_t i = 0; i < COUNT_OF(scripts) * COUNT_OF(roots); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository top = make_repository(&a, BRANCHED "echo 1 >>src/c.c");
		struct repository r = repository_at(&a, top, roots[i % COUNT_OF(roots)]);
		struct repo_status_spec spec = { .changes = LOCAL_, .base = STR("main") };
		struct repo_status kept, asked;
		struct err err;

		r.root = fs_real(&a, r.root.s);
		spec.commit = repository_run(&a, top.root, "git rev-parse first");
		for (int round = 0; round < 3; round++) {
			struct repository with = with_answers(&a, r, round == 2);

			if (round == 1)
				(void)repository_run(&a, top.root, scripts[i / COUNT_OF(roots)]);
			CHECK_ROW(scripts[i / 2], git_status(&a, &r, &spec, &asked, &err) == 0);
			CHECK_ROW(scripts[i / 2], git_status(&a, &with, &spec, &kept, &err) == 0);
			CHECK_ROW(scripts[i / 2],
				  str_eq(asked.head.commit, kept.head.commit) &&
					  str_eq(asked.head.branch, kept.head.branch) &&
					  str_eq(asked.head.merge_base, kept.head.merge_base) &&
					  asked.is_in_base == kept.is_in_base);
			CHECK_ROW(scripts[i / 2],
				  str_eq(asked.changes.commit, kept.changes.commit) &&
					  str_eq(asked.changes.base_used, kept.changes.base_used) &&
					  str_eq(asked.changes.warning, kept.changes.warning) &&
					  asked.changes.count == kept.changes.count &&
					  git_differences(&a, &asked.changes, &kept.changes).count == 0);
		}
	}
}
