/* SPDX-License-Identifier: MIT */
/* Snapshots of the working tree and the changes since them, in throw-away repositories. */
#include "git_repository.h"

#include "base/buf.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/fs.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOGS STR("logs")

static struct str
snapshot(struct arena *a, const struct repository *r)
{
	struct str commit = STR_NONE;
	struct err err;

	if (snapshot_or_error(a, r, &commit, &err) < 0)
		fail_msg("%s", err.msg);
	return commit;
}

/* Everything that a snapshot must leave as it is. */
static struct str
state_of(struct arena *a, const struct repository *r)
{
	return repository_run(
		a, r->root,
		"d=$(git rev-parse --absolute-git-dir); cksum <\"$d/index\" || :; cat \"$d/HEAD\"; "
		"git for-each-ref; find \"$d\" -name objects -prune -o -type f -print | sort; git stash "
		"list");
}

/* Its files and their contents: "a.c=1,2," with , for newlines. */
static struct str
files_of(struct arena *a, const struct repository *r, struct str commit)
{
	const char *script = str_fmt(a,
				     "git -c core.quotepath=off ls-tree -r --name-only " STR_FMT
				     " | while read -r f; do printf '%%s=' \"$f\"; git show " STR_FMT
				     ":\"$f\" | tr '\\n' ,; echo; done",
				     STR_ARG(commit), STR_ARG(commit))
				     .s;

	return repository_run(a, r->root, script);
}

#define SMALL "git init -q -b main; mkdir src; echo 1 | tee a b >src/c; git add .; git commit -qm one; "

TEST(a_snapshot_has_the_files_as_they_are_and_changes_nothing_else)
{
	static const struct {
		const char *name, *script, *files;
	} rows[] = {
		{ "changed", SMALL "echo 2 >>a", "a=1,2,\nb=1,\nsrc/c=1," },
		{ "staged", SMALL "echo 2 >>a; git add a", "a=1,2,\nb=1,\nsrc/c=1," },
		{ "staged, then changed", SMALL "echo 2 >>a; git add a; echo 3 >>a",
		  "a=1,2,3,\nb=1,\nsrc/c=1," },
		{ "untracked", SMALL "echo 2 >u", "a=1,\nb=1,\nsrc/c=1,\nu=2," },
		{ "deleted", SMALL "rm b", "a=1,\nsrc/c=1," },
		{ "deleted in the index", SMALL "git rm -q --cached b", "a=1,\nb=1,\nsrc/c=1," },
		{ "renamed", SMALL "mv b z", "a=1,\nsrc/c=1,\nz=1," },
		{ "intent to add", SMALL "echo 2 >i; git add -N i", "a=1,\nb=1,\ni=2,\nsrc/c=1," },
		{ "intent to add, and gone", SMALL "echo 2 >i; git add -N i; rm i; rm b", "a=1,\nsrc/c=1," },
		{ "ignored", SMALL "echo '*.o' >.gitignore; echo 2 >x.o",
		  ".gitignore=*.o,\na=1,\nb=1,\nsrc/c=1," },
		{ "no commits", "git init -q -b main; echo 1 >a; echo 2 >b; git add a", "a=1,\nb=2," },
		{ "no commits, nothing staged", "git init -q -b main; echo 1 >a", "a=1," },
		{ "no commits and no files", "git init -q -b main", "" },
		{ "a file becomes a directory", SMALL "rm a; mkdir a; echo 2 >a/x",
		  "a/x=2,\nb=1,\nsrc/c=1," },
		{ "a directory becomes a file", SMALL "rm -r src; echo 2 >src", "a=1,\nb=1,\nsrc=2," },
		{ "in conflict",
		  SMALL "git checkout -qb s; echo 5 >a; git rm -q b; git commit -qam s; git checkout -q "
			"main; echo 6 >a; echo 6 >b; "
			"git commit -qam m; git merge -q s || :; echo 7 >a",
		  "a=7,\nb=6,\nsrc/c=1," },
		{ "logs", SMALL "mkdir logs; echo 2 >logs/x; echo 2 >>a", "a=1,2,\nb=1,\nsrc/c=1," },
		{ "ignored logs", SMALL "mkdir logs; echo 2 >logs/x; echo logs >.git/info/exclude; echo 2 >u",
		  "a=1,\nb=1,\nsrc/c=1,\nu=2," },
		{ "committed logs stay",
		  SMALL "mkdir logs; echo 1 >logs/x; git add .; git commit -qm l; echo 2 >logs/x; echo 2 >u",
		  "a=1,\nb=1,\nlogs/x=1,\nsrc/c=1,\nu=2," },
		{ "a blank, a quote and UTF-8", SMALL "echo 2 >'x y'; echo 2 >'\xc3\xa9'",
		  "a=1,\nb=1,\nsrc/c=1,\nx y=2,\n\xc3\xa9=2," },
		{ "a link", SMALL "ln -s nowhere l", "a=1,\nb=1,\nl=nowhere\nsrc/c=1," },
		{ "a repository without commits", SMALL "git init -q nested; echo 1 >nested/x; echo 2 >u",
		  "a=1,\nb=1,\nsrc/c=1,\nu=2," },
		{ "a split index",
		  SMALL
		  "git config core.splitIndex true; git update-index --split-index; echo 2 >>a; echo 2 >u",
		  "a=1,2,\nb=1,\nsrc/c=1,\nu=2," },
		{ "files outside of a sparse checkout",
		  SMALL "mkdir out other; echo 1 | tee out/x >other/x; git add .; git commit -qm two; "
			"git sparse-checkout set src; mkdir out; echo 2 | tee out/u >out/x",
		  "a=1,\nb=1,\nother/x=1,\nout/u=2,\nout/x=2,\nsrc/c=1," },
		{ "sha256",
		  "git init -q -b main --object-format=sha256; echo 1 >a; git add .; git commit -qm one; "
		  "echo 2 >u",
		  "a=1,\nu=2," },
		{ "hooks, signatures and nobody's name",
		  SMALL "for h in pre-commit post-index-change commit-msg reference-transaction; do printf "
			"'#!/bin/sh\\nexit 1\\n' >.git/hooks/$h; "
			"chmod +x .git/hooks/$h; done; git config commit.gpgSign true; git config "
			"gpg.program false; "
			"git config user.useConfigOnly true; git config core.safecrlf true; git config "
			"core.autocrlf input; printf '2\\r\\n' >u",
		  "a=1,\nb=1,\nsrc/c=1,\nu=2," },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		struct str before = state_of(&a, &r), commit = snapshot(&a, &r),
			   files = files_of(&a, &r, commit);

		if (!str_is(files, rows[i].files))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(files));
		CHECK_ROW(rows[i].name, str_eq(state_of(&a, &r), before));
		/* The same files are the same commit. */
		CHECK_ROW(rows[i].name, str_eq(snapshot(&a, &r), commit));
	}
}

/* Git knows only by the age of its index that it must read such a file. */
TEST(a_snapshot_has_a_change_made_in_the_second_in_which_the_index_was_written)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, "git init -q -b main; git config core.trustctime false; echo 1 >a; touch -d @1000000000 "
		    "a; git "
		    "add a; git commit -qm one; echo 2 >a; touch -d @1000000000 a .git/index");

	CHECK_STR(files_of(&a, &r, snapshot(&a, &r)), "a=2,");
}

/* scenario: G13-77 */
TEST(a_log_directory_of_any_name_is_left_out_and_nothing_else)
{
	static const char *const names[] = { "lo*gs", "[lL]ogs", "?",   "-logs",  "!l",  "^l",      "]",
					     "a b",   "\\l",     "l\\", ":(top)", "l/m", "\xc3\xa9" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		for (int is_ignored = 0; is_ignored < 2; is_ignored++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct repository r = make_repository(&a,
							      SMALL "echo 2 >lXgs; echo 2 >lll; echo 2 >L");
			struct repo_status_spec wanted = { .changes = { .mode = CHANGES_UNCOMMITTED } };
			struct repo_status look;
			struct str commit;
			struct err err;

			CHECK(setenv("LOGS", names[i], 1) == 0);
			(void)repository_run(&a, r.root, "mkdir -p \"./$LOGS\"; echo 2 >\"./$LOGS/x\"");
			if (is_ignored)
				(void)repository_run(&a, r.root, "echo x >.git/info/exclude");
			CHECK(git_status(&a, &r, &wanted, &look, &err) == 0);
			if (git_snapshot(&a, &r, &look.head, str_from(names[i]), &commit, &err) < 0)
				fail_msg("%s: %s", names[i], err.msg);
			CHECK_STR(files_of(&a, &r, commit), "L=2,\na=1,\nb=1,\nlXgs=2,\nlll=2,\nsrc/c=1,");
		}
	CHECK(unsetenv("LOGS") == 0);
}

TEST(head_is_in_the_base_or_it_is_not)
{
	static const struct {
		const char *script, *base;
		bool is_in_base;
	} rows[] = {
		{ SMALL "echo 2 >u", "main", true },
		{ SMALL "git checkout -qb side; git commit -qm two --allow-empty; echo 2 >u", "main", false },
		{ SMALL "git checkout -qb side; git commit -qm two --allow-empty; git branch -f main", "main",
		  true },
		{ SMALL, "nowhere", false },
		{ SMALL, "--all", false },
		{ "git init -q -b main; echo 1 >a", "main", false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		struct repo_status_spec wanted = { .changes = { .mode = CHANGES_UNCOMMITTED } };
		struct repo_status look;
		struct err err;

		CHECK(git_status(&a, &r, &wanted, &look, &err) == 0);
		CHECK_ROW(rows[i].script,
			  git_is_ancestor(&a, &r, look.head.commit, str_from(rows[i].base), &err) ==
				  (rows[i].is_in_base ? ANSWER_YES : ANSWER_NO));
	}
}

/* scenario: G13-32 */
TEST(the_snapshot_of_a_clean_tree_is_head)
{
	static const char *const scripts[] = {
		SMALL,
		SMALL "touch -d 2001-01-01 a",
		SMALL "mkdir logs; echo >logs/x",
		SMALL "echo 2 >>a; git add a; echo 1 >a",
		SMALL "git worktree add -q ../side",
	};

	for (size_t i = 0; i < COUNT_OF(scripts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, scripts[i]);

		CHECK_ROW(scripts[i],
			  str_eq(snapshot(&a, &r), repository_run(&a, r.root, "git rev-parse HEAD")));
	}
}

/* scenario: G13-32 */
TEST(a_snapshot_is_a_commit_on_top_of_head)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, SMALL "echo 2 >>a");
	struct str commit = snapshot(&a, &r);
	struct err err;

	CHECK(git_has_commit(&a, &r, commit, &err) == ANSWER_YES);
	CHECK(is_in_base(&a, &r, STR("HEAD"), commit));
	CHECK_STR(repository_run(&a, r.root,
				 str_fmt(&a, "git log -1 --format=%%an:%%s " STR_FMT, STR_ARG(commit)).s),
		  "holdfast:holdfast: the working tree");
}

#define SUBMODULE                                                                                         \
	SMALL "git init -q sub; for m in 1 2; do git -C sub commit -q --allow-empty -m $m; done; echo 1 " \
	      ">sub/x; "                                                                                  \
	      "git -C sub add x; git -C sub commit -qm x; git add . 2>/dev/null; git commit -qm sub; "

/* scenario: G13-52 */
TEST(changes_since_a_snapshot_are_those_after_it)
{
	static const struct {
		const char *name, *before, *after, *below, *changes;
	} rows[] = {
		{ "nothing", SMALL "echo 2 >>a; echo 2 >u; rm b; mkdir logs", ":", ".", "" },
		{ "a log", SMALL "echo 2 >u; mkdir logs", "echo >logs/x", ".", "" },
		{ "changed again", SMALL "echo 2 >>a; echo 2 >u", "echo 3 >>a", ".", "a" },
		{ "an untracked one changed", SMALL "echo 2 >u; echo 2 >v", "echo 3 >>u", ".", "u" },
		{ "an untracked one gone", SMALL "echo 2 >u; echo 2 >v", "rm u", ".", "u" },
		{ "an untracked one new", SMALL "echo 2 >u", "echo 2 >v", ".", "v" },
		{ "an untracked one added", SMALL "echo 2 >u", "git add u", ".", "" },
		{ "an untracked one executable", SMALL "echo 2 >u", "chmod +x u", ".", "u" },
		{ "an untracked link", SMALL "ln -s a l; ln -s a m", "ln -sf b l", ".", "l" },
		{ "an untracked binary file", SMALL "head -c 9 /dev/zero >u", "touch -d 2001-01-01 u", ".",
		  "" },
		{ "any bytes", SMALL "echo 2 >'u\nv'; echo 2 >'w\nx'; echo 2 >\"$(printf '\\377')\"",
		  "echo 3 >>'w\nx'", ".", "w%0Ax" },
		{ "committed as it was", SMALL "echo 2 >>a; echo 2 >u", "git add .; git commit -qm two", ".",
		  "" },
		{ "committed after a change", SMALL "echo 2 >>a; echo 2 >u",
		  "echo 3 >>b; git add .; git commit -qm two", ".", "b" },
		{ "taken back", SMALL "echo 2 >>a", "git checkout -q a", ".", "a" },
		{ "below the top", SMALL "echo 2 >src/u; echo 2 >src/v; echo 2 >w",
		  "echo 3 >>src/u; echo 3 >>w; echo 3 >>a", "src", "u" },
		{ "a repository in it",
		  SMALL "git init -q nested; cd nested; echo >x; git add .; git commit -qm n", ":", ".", "" },
		{ "which has another commit",
		  SMALL "git init -q nested; cd nested; echo >x; git add .; git commit -qm n",
		  "cd nested; git commit -q --allow-empty -m m", ".", "nested" },
		{ "a submodule at another commit", SUBMODULE "git -C sub checkout -q HEAD^", ":", ".", "" },
		{ "then at a third", SUBMODULE "git -C sub checkout -q HEAD^", "git -C sub checkout -q HEAD^",
		  ".", "sub" },
		{ "then changed", SUBMODULE "git -C sub commit -q --allow-empty -m n", "echo 2 >sub/x", ".",
		  "sub" },
		{ "no commits", "git init -q -b main; echo 1 >a; echo 2 >b; git add a", "echo 3 >>b", ".",
		  "b" },
		{ "another branch", SMALL "echo 2 >u", "git checkout -qb s; echo 2 >>a; git commit -qam s",
		  ".", "a" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = repository_at(&a, make_repository(&a, rows[i].before), rows[i].below);
		struct change_spec spec = { .mode = CHANGES_SINCE,
					    .log_dir = LOGS,
					    .commit = snapshot(&a, &r) };
		struct change_list list;

		(void)repository_run(&a, str_sub(r.root, 0, (size_t)str_find(r.root, STR("/top")) + 4),
				     rows[i].after);
		struct str told = changes_or_error(&a, &r, &spec, &list);

		if (!str_is(told, rows[i].changes))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
		CHECK_ROW(rows[i].name, str_eq(list.base_used, spec.commit));
	}
}

/* scenario: G13-52 */
TEST(files_that_git_does_not_know_are_counted_only_where_they_changed)
{
	static const struct {
		const char *after;
		uint64_t added, removed;
	} rows
		[] = {
			{ ":", 0, 0 },          { "echo 3 >>u", 1, 0 }, { "echo 3 >u", 1, 2 },
			{ "rm u", 0, 2 },       { "git add u", 0, 0 },  { "echo 3 >>u; rm a", 1, 1 },
			{ "echo 3 >>v", 0, 0 }, /* lines of new files are not counted */
		};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = repository_at(
			&a, make_repository(&a, SMALL "printf '1\\n2\\n' >u; echo 2 >w"), ".");
		struct change_spec spec = { .mode = CHANGES_SINCE, .commit = snapshot(&a, &r) };
		struct line_counts lines;
		struct err err;

		(void)repository_run(&a, r.root, rows[i].after);
		CHECK_ROW(rows[i].after, git_count_lines(&a, &r, &spec, &lines, &err) == 0);
		CHECK_ROW(rows[i].after, lines.added == rows[i].added && lines.removed == rows[i].removed);
	}
}

TEST(a_snapshot_that_cannot_be_made_is_an_error_and_leaves_no_files)
{
	static const struct {
		const char *name, *script;
	} rows[] = {
		{ "no repository", ":" },
		{ "nowhere to put objects", SMALL
		  "echo 2 >>a; mv .git/objects .git/o; mkdir -p .git/objects/info; "
		  "echo \"$PWD/.git/o\" >.git/objects/info/alternates; "
		  "for i in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for j in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do "
		  ": >.git/objects/$i$j; done; done" },
		{ "an index that is none", SMALL "echo 2 >>a; echo x >.git/index" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		const char *temp = str_fmt(&a, STR_FMT "/../temp", STR_ARG(r.root)).s;
		struct str commit = STR("untouched");
		struct str_list names;
		struct err err;

		CHECK(setenv("GIT_CEILING_DIRECTORIES", str_copy(&a, path_parent(r.root)).s, 1) == 0);
		CHECK(fs_make_dirs(temp, 0700, &err) == 0 && setenv("TMPDIR", temp, 1) == 0);
		CHECK_ROW(rows[i].name, snapshot_or_error(&a, &r, &commit, &err) < 0);
		CHECK_STR(commit, "untouched");
		CHECK_ROW(rows[i].name, fs_list(&a, temp, 10, &names, &err) == 0 && names.count == 0);
	}
	CHECK(unsetenv("GIT_CEILING_DIRECTORIES") == 0 && unsetenv("TMPDIR") == 0);
}

/* In a process of a user who may not read everything. */
static bool
is_snapshot_right(struct arena *a, const struct repository *r)
{
	struct str commit;
	struct err err;

	if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
		return false;
	if (setenv("GIT_CONFIG_COUNT", "1", 1) < 0 || setenv("GIT_CONFIG_KEY_0", "safe.directory", 1) < 0 ||
	    setenv("GIT_CONFIG_VALUE_0", "*", 1) < 0 || snapshot_or_error(a, r, &commit, &err) < 0)
		return false;
	return str_is(files_of(a, r, commit), "a=1,\nb=1,\nsrc/c=1,\nv=2,");
}

TEST(a_file_that_can_not_be_read_does_not_spoil_the_snapshot)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, SMALL "echo 2 >u; echo 2 >v; chmod 0 u; chmod -R a+rwX .git; chmod 755 . .. ../..");
	int status = -1;

	pid_t pid = fork();

	if (pid == 0)
		_exit(is_snapshot_right(&a, &r) ? 0 : 1);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

TEST(a_snapshot_leaves_no_file_of_its_own_behind)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, SMALL "echo 2 >u; mkdir ../temp");
	struct str_list names;
	struct err err;
	const char *temp = str_fmt(&a, STR_FMT "/../temp", STR_ARG(r.root)).s;

	CHECK(setenv("TMPDIR", temp, 1) == 0);
	(void)snapshot(&a, &r);
	CHECK(unsetenv("TMPDIR") == 0);
	CHECK(fs_list(&a, temp, 10, &names, &err) == 0 && names.count == 0);
}

TEST(a_snapshot_ends_at_its_deadline)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, SMALL
		"echo '* filter=slow' >.git/info/attributes; git config filter.slow.clean 'sleep 30; cat'; "
		"echo 2 >u");
	struct str commit;
	struct err err;
	int64_t before = clock_mono_ms();

	r.deadline_ms = before + 300;
	CHECK(snapshot_or_error(&a, &r, &commit, &err) < 0);
	CHECK(err.code == ERR_LIMIT && clock_mono_ms() - before < 10000);
}

TEST(a_snapshot_does_not_copy_an_untracked_file_that_is_too_large)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, SMALL "echo 2 >u; truncate -s 16777216 limit; truncate -s "
							"16777217 src/large '*'; mkdir x; echo 1 >x/y");
	struct str commit = snapshot(&a, &r);
	struct change_spec since = { .mode = CHANGES_SINCE, .commit = commit, .log_dir = LOGS };
	struct change_list changes;

	CHECK_STR(repository_run(&a, r.root,
				 str_fmt(&a, "git ls-tree -r --name-only " STR_FMT " | tr '\\n' ' '",
					 STR_ARG(commit))
					 .s),
		  "a b limit src/c u x/y ");
	/* Whoever compares with the snapshot may not take them for new. */
	CHECK_STR(changes_text(&a, &r, &since, &changes), "* src/large");
	since.is_without_large = true;
	CHECK_STR(changes_text(&a, &r, &since, &changes), "");
	CHECK(str_eq(snapshot(&a, &r), commit));
	/* A file that git tracks is the user's choice. */
	(void)repository_run(&a, r.root, "git add src/large");
	CHECK_STR(repository_run(&a, r.root,
				 str_fmt(&a, "git ls-tree -r --name-only " STR_FMT " -- src | tr '\\n' ' '",
					 STR_ARG(snapshot(&a, &r)))
					 .s),
		  "src/c src/large ");
}

/* What git keeps while it writes objects. */
static struct str
temporary_objects(struct arena *a, const struct repository *r)
{
	return repository_run(a, r->root, "find .git -name 'tmp_*'");
}

/* git writes a pack for the large file, and the filter of the next one does not end. */
TEST(a_snapshot_that_is_stopped_leaves_no_temporary_packs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a,
		SMALL "echo 'b filter=slow' >.git/info/attributes; git config filter.slow.clean 'sleep 60'; "
		      "head -c 20000000 /dev/zero >a; echo 2 >>b");
	struct repo_status_spec wanted = { .changes = { .mode = CHANGES_UNCOMMITTED } };
	struct repo_status look;
	struct str commit;
	struct err err;

	(void)repository_run(&a, r.root, "git config filter.slow.clean cat");
	CHECK(git_status(&a, &r, &wanted, &look, &err) == 0);
	(void)repository_run(&a, r.root, "git config filter.slow.clean 'sleep 60'");
	struct str before = repository_run(&a, r.root, "find .git/objects | sort");

	r.deadline_ms = clock_mono_ms() + 1500;
	CHECK(git_snapshot(&a, &r, &look.head, STR_NONE, &commit, &err) < 0);
	CHECK_STR(temporary_objects(&a, &r), "");
	CHECK(str_eq(repository_run(&a, r.root, "find .git/objects | sort"), before));
	/* The objects of one that ends are in the repository, packs too. */
	(void)repository_run(&a, r.root, "git config filter.slow.clean cat");
	r.deadline_ms = 0;
	CHECK(git_snapshot(&a, &r, &look.head, STR_NONE, &commit, &err) == 0);
	CHECK_STR(temporary_objects(&a, &r), "");
	(void)repository_run(&a, r.root,
			     str_fmt(&a,
				     "test $(git cat-file -s " STR_FMT
				     ":a) = 20000000; ls .git/objects/pack/*.idx; git fsck",
				     STR_ARG(commit))
				     .s);
}

TEST(a_snapshot_in_a_worktree_stores_its_objects_in_the_repository)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository top = make_repository(&a, SMALL
						"git worktree add -q -b side ../a:side; echo 2 >../a:side/u");
	struct repository side = repository_at(&a, top, "../a:side");
	struct str commit = snapshot(&a, &side);

	CHECK_STR(repository_run(&a, top.root, str_fmt(&a, "git show " STR_FMT ":u", STR_ARG(commit)).s),
		  "2");
	CHECK_STR(temporary_objects(&a, &top), "");
}
