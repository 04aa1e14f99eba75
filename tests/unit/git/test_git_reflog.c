/* SPDX-License-Identifier: MIT */
/* The commits that were made in a work tree. */
#include "git_repository.h"

#include "base/buf.h"

/* "one:3+9-0 two:1+1-0": subject, files, lines; "!" and the error where git fails. */
static struct str
made(struct arena *a, const struct repository *r, int64_t since_us, int64_t until_us)
{
	struct buf b = BUF(a, KIB(4));
	struct made_commit *commits;
	size_t count;
	struct err err;

	if (git_made_commits(a, r, since_us, until_us, &commits, &count, &err) < 0)
		return str_fmt(a, "!%s", err.msg);
	for (size_t i = 0; i < count; i++)
		buf_addf(&b, "%s" STR_FMT ":%zu+%llu-%llu", i > 0 ? " " : "", STR_ARG(commits[i].subject),
			 commits[i].files.count, (unsigned long long)commits[i].added,
			 (unsigned long long)commits[i].removed);
	return buf_str(&b);
}

#define AT(seconds) "GIT_COMMITTER_DATE='@" #seconds " +0000' "
#define SECOND 1000000

TEST(commits_of_a_work_tree_are_those_that_its_own_head_made)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		const char *script, *made;
	} cases[] = {
		{ "git init -q -b main", "" },
		{ "git init -q -b main; echo 1 >a; git add a; " AT(100) "git commit -qm one", "one:1+1-0" },
		/* An amended one is another one. */
		{ "git init -q -b main; echo 1 >a; git add a; " AT(100) "git commit -qm one; echo 2 >>a; " AT(
			  110) "git commit -qam two --amend",
		  "two:1+2-0" },
		/* By their times, on whatever branch; neither a checkout nor a fast-forward makes one. */
		{ "git init -q -b main; echo 1 >a; git add a; " AT(
			  100) "git commit -qm one; git checkout -q -b side; echo 1 >b; echo 1 >'c d'; git "
			       "add .; " AT(200) "git commit -qm two; git checkout -q main; git merge -q "
						 "side; git reset -q --hard HEAD^",
		  "one:1+1-0 two:2+2-0" },
		/* A merge has no files of its own. */
		{ "git init -q -b main; echo 1 >a; git add a; " AT(100) "git commit -qm one; git checkout -q "
									"-b side; echo 1 >b; git add .; " AT(
										200) "git commit -qm two; "
										     "git checkout -q "
										     "main; " AT(300) "git "
												      "merge "
												      "-q "
												      "--no-"
												      "ff -m "
												      "three "
												      "side",
		  "one:1+1-0 two:1+1-0 three:0+0-0" },
		/* Those of another work tree are not its own. */
		{ "git init -q -b main; echo 1 >a; git add a; " AT(
			  100) "git commit -qm one; git worktree add -q -b side wt; cd wt; echo 1 >b; git "
			       "add .; " AT(200) "git commit -qm two",
		  "one:1+1-0" },
		/* Names with bytes of our own format, and a binary file. */
		{ "git init -q -b main; printf 'a\\0b' >\"$(printf 'x\\001\\ty\\nz')\"; git add .; " AT(
			  100) "git commit -qm \"$(printf 'o\\002ne')\"",
		  "o\002ne:1+0-0" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct repository r = make_repository(&a, cases[i].script);
		struct str seen = made(&a, &r, 1 * SECOND, 1000 * SECOND);

		if (i == 0)
			CHECK(str_starts(seen, STR("!")));
		else
			CHECK_STR(seen, cases[i].made);
	}
}

TEST(commits_before_and_after_a_span_are_left_out)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, "git init -q -b main; for t in 100 300 200 400; do echo $t >a; git add a; "
		    "GIT_COMMITTER_DATE=\"@$t +0000\" git commit -qm $t; done");

	CHECK_STR(made(&a, &r, 200 * SECOND, 300 * SECOND), "200:1+1-1 300:1+1-1");
	r = make_repository(&a, "git init -q -b main; for t in 1 2 3; do echo $t >a; git add a; "
				"GIT_COMMITTER_DATE='@100 +0000' git commit -qm $t; done");
	CHECK_STR(made(&a, &r, 100 * SECOND, 100 * SECOND), "1:1+1-0 2:1+1-1 3:1+1-1");
	CHECK_STR(made(&a, &r, 500 * SECOND, 600 * SECOND), "");
}

TEST(a_fetch_is_what_git_writes_into_the_log_of_a_ref_when_the_remote_moved_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		const char *
			log; /* messages of the ref, oldest first, one a line; commits are 1111..., 2222..., ... */
		const char *brought;
	} cases[] = {
		{ "clone: from /x", "1" },
		{ "fetch: fast-forward\nfetch origin: forced-update", "2" },
		{ "pull --rebase: storing head\nupdate by push", "1" },
		{ "pull -q origin main: fast-forward\n", "1" },
		{ "fetch origin: storing head\n \nupdate by push", "1" },
		{ "fetch --all: fast-forward\nfetch . HEAD:refs/remotes/origin/main: fast-forward", "1" },
		{ "fetch --refmap=+a:b origin: fast-forward", "-" },
		{ "fetched: x", "-" },
		{ "fetch", "-" },
		{ "commit: fetch: x", "-" },
		{ " ", "-" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct repository r = make_repository(
			&a, str_fmt(&a,
				    "git init -q -b main; mkdir -p .git/logs/refs/remotes/origin; n=0; "
				    "printf '%%s\\n' "
				    "'%s' | while IFS= read -r m; do n=$((n + 1)); printf '%%040d %%s n <a> "
				    "1 +0000' "
				    "0 $(printf '%%040d' 0 | tr 0 $n); [ \"$m\" = ' ' ] || printf '\\t%%s' "
				    "\"$m\"; "
				    "echo; done >.git/logs/refs/remotes/origin/main",
				    cases[i].log)
				    .s);
		struct str commit = git_fetched(&a, r.root, STR("origin/main"));

		CHECK_STR(commit.s ? str_sub(commit, 0, 1) : STR("-"), cases[i].brought);
		CHECK(!commit.s || commit.n == 40);
		CHECK(commit.s ? str_is(git_remote_default(&a, r.root), "origin/main")
			       : !git_remote_default(&a, r.root).s);
	}
}
