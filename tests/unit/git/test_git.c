/* SPDX-License-Identifier: MIT */
/* The repository asked through git itself, in throw-away ones: where HEAD is and what changed. */
#include "git_repository.h"

#include "base/path.h"
#include "git/git_spawn.h"
#include "os/clock.h"
#include "os/fs.h"

#include <stdlib.h>

TEST(head_is_a_branch_and_a_commit)
{
	static const struct {
		const char *name, *script, *below, *branch;
		bool has_commit;
	} rows[] = {
		{ "a branch", COMMITTED, ".", "main", true },
		{ "a branch with a slash", COMMITTED "git checkout -qb a/b", ".", "a/b", true },
		{ "detached", COMMITTED "git checkout -q --detach", ".", "HEAD", true },
		{ "no commits", "git init -q -b trunk", ".", "trunk", false },
		{ "a tag of the same name", COMMITTED "git tag main", ".", "main", true },
		{ "a tag called HEAD", COMMITTED "git update-ref refs/tags/HEAD HEAD", ".", "main", true },
		{ "a tag called HEAD, detached",
		  COMMITTED "git update-ref refs/tags/HEAD HEAD; git checkout -q --detach", ".", "HEAD",
		  true },
		{ "a directory below", COMMITTED, "src", "main", true },
		{ "a worktree", COMMITTED "git worktree add -q ../side", "../side", "side", true },
		{ "a submodule",
		  COMMITTED "git -c protocol.file.allow=always submodule --quiet add ./. sub; git -C sub "
			    "checkout -qb inner",
		  "sub", "inner", true },
		{ "a name of other objects",
		  "git init -q -b main --object-format=sha256; touch a; git add .; git commit -qm one", ".",
		  "main", true },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = repository_at(&a, make_repository(&a, rows[i].script), rows[i].below);
		struct repo_status_spec spec = { .changes = { .mode = CHANGES_UNCOMMITTED } };
		struct repo_status look;
		struct err err;

		if (git_status(&a, &r, &spec, &look, &err) < 0)
			fail_msg("%s: %s", rows[i].name, err.msg);
		struct git_head head = look.head;

		CHECK_ROW(rows[i].name, str_is(head.branch, rows[i].branch));
		CHECK_ROW(rows[i].name, (head.commit.n == 40 || head.commit.n == 64) == rows[i].has_commit);
		CHECK_ROW(rows[i].name, !head.commit.s == !rows[i].has_commit);
		CHECK_ROW(rows[i].name, str_is(git_branch_now(&a, r.root), rows[i].branch));
	}
}

/* scenario: G13-32 */
TEST(without_a_repository_every_question_has_an_answer)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, ":");
	struct change_list list;
	struct repo_status_spec wanted = { .changes = { .mode = CHANGES_UNCOMMITTED } };
	struct repo_status look;
	struct err err;

	CHECK(setenv("GIT_CEILING_DIRECTORIES", str_copy(&a, path_parent(r.root)).s, 1) == 0);
	CHECK(git_status(&a, &r, &wanted, &look, &err) < 0);
	CHECK(str_find(str_from(err.msg), STR("not a git repository")) >= 0);
	for (int mode = CHANGES_LOCAL; mode <= CHANGES_SINCE; mode++) {
		struct change_spec spec = { .mode = (enum change_mode)mode,
					    .base = STR("main"),
					    .commit = STR("HEAD") };

		CHECK(git_changes(&a, &r, &spec, &list, &err) < 0);
		CHECK(str_find(str_from(err.msg), STR("not a git repository")) >= 0);
		CHECK(str_find(str_from(err.msg), STR("'git init' creates one")) >= 0);
	}
	CHECK(!is_in_base(&a, &r, STR("HEAD"), STR("HEAD")));
	CHECK(git_has_commit(&a, &r, STR("HEAD"), &err) == ANSWER_UNKNOWN);
	CHECK(git_is_ancestor(&a, &r, STR("HEAD"), STR("HEAD"), &err) == ANSWER_UNKNOWN);
	CHECK(str_find(str_from(err.msg), STR("not a git repository")) >= 0);
	CHECK(unsetenv("GIT_CEILING_DIRECTORIES") == 0);
	/* Also in a directory that does not exist. */
	r.root = str_fmt(&a, STR_FMT "/gone", STR_ARG(r.root));
	CHECK(git_status(&a, &r, &wanted, &look, &err) < 0);
	CHECK(!git_branch_now(&a, r.root).s);
}

TEST(errors_of_git_name_the_remedy)
{
	static const struct {
		const char *said, *told;
	} rows[] = {
		{ "", "git diff: exit code 128" },
		{ "hint: one\nfatal: two\nerror: three\n", "git diff: two" },
		{ "something\nelse\n", "git diff: else" },
		{ "fatal: not a git repository (or any of the parent directories): .git\n",
		  "not a git repository, so the changes can't be determined; 'git init' creates one" },
		{ "fatal: not a git repository: /home/me/r/.git/worktrees/w\n",
		  "not a git repository here: .git names '/home/me/r/.git/worktrees/w', which does not "
		  "exist; the worktree or submodule needs its repository under that path" },
		{ "fatal: detected dubious ownership in repository at '/srv/it's mine'\nTo add an "
		  "exception for this directory, call:\n",
		  "git refuses a repository of another user; \"git config --global --add safe.directory "
		  "'/srv/it's mine'\" allows it" },
		{ "fatal: unsafe repository ('/srv/r' is owned by someone else)\nTo add an exception\n",
		  "git refuses a repository of another user; \"git config --global --add safe.directory "
		  "'/srv/r'\" allows it" },
		{ "fatal: unsafe repository\n", "git diff: unsafe repository" },
		{ "fatal: this operation must be run in a work tree\n",
		  "git treats this repository as bare; 'git config core.bare false' changes that" },
		{ "fatal: unrecognized argument: --end-of-options\n",
		  "git diff: unrecognized argument: --end-of-options; git 2.34 or newer is required" },
		{ "error: unknown option `sparse'\nusage: git add\n",
		  "git diff: unknown option `sparse'; git 2.34 or newer is required" },
		{ "error: invalid option: --merge-base\n",
		  "git diff: invalid option: --merge-base; git 2.34 or newer is required" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct git_job job = { .code = 128, .stderr_text = BUF(&a, KIB(4)) };
		struct err err;

		git_arg(&job, "diff");
		buf_add(&job.stderr_text, str_from(rows[i].said));
		CHECK_ROW(rows[i].said, git_error(&job, &err) < 0);
		if (!str_is(str_from(err.msg), rows[i].told))
			fail_msg("%s: %s", rows[i].said, err.msg);
	}
}

/* scenario: G13-32 */
TEST(ancestors_and_commits_are_recognised)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED "git checkout -qb side; git commit -q --allow-empty -m two; git tag v1");
	struct err err;

	CHECK(is_in_base(&a, &r, STR("main"), STR("side")));
	CHECK(is_in_base(&a, &r, STR("side"), STR("side")));
	CHECK(!is_in_base(&a, &r, STR("side"), STR("main")));
	CHECK(!is_in_base(&a, &r, STR("main"), STR("missing")));
	CHECK(!is_in_base(&a, &r, STR("--all"), STR("side")));
	CHECK(git_is_ancestor(&a, &r, STR("main"), STR("side"), &err) == ANSWER_YES);
	CHECK(git_is_ancestor(&a, &r, STR("side"), STR("main"), &err) == ANSWER_NO);
	CHECK(git_is_ancestor(&a, &r, STR("main"), STR("missing"), &err) == ANSWER_NO);
	CHECK(git_is_ancestor(&a, &r, STR("missing"), STR("main"), &err) == ANSWER_NO);
	CHECK(git_is_ancestor(&a, &r, STR("--all"), STR("side"), &err) == ANSWER_NO);
	CHECK(git_has_commit(&a, &r, STR("v1"), &err) == ANSWER_YES);
	CHECK(git_has_commit(&a, &r, repository_run(&a, r.root, "git rev-parse HEAD:src"), &err) ==
	      ANSWER_NO);
	CHECK(git_has_commit(&a, &r, STR("1111111111111111111111111111111111111111"), &err) == ANSWER_NO);
	CHECK(git_has_commit(&a, &r, STR("-t"), &err) == ANSWER_NO);
	CHECK(git_has_commit(&a, &r, STR(""), &err) == ANSWER_NO);
}

/* On side: a.c changed and committed, b.c changed, n.c new and staged, u.c untracked, src/c.c gone. */
#define WORKED                                                                                            \
	COMMITTED "git checkout -qb side; echo 4 >>a.c; git commit -qam two; echo 4 >>b.c; echo 1 >n.c; " \
		  "git add n.c; echo 1 >u.c; rm src/c.c; "

/* scenario: G13-52 */
TEST(each_mode_has_its_changes)
{
	static const struct {
		const char *name;
		struct change_spec spec;
		const char *changes, *base;
		size_t added, modified, deleted;
		uint64_t lines_added, lines_removed;
	} rows[] = {
		{ "local",
		  { .mode = CHANGES_LOCAL, .base = STR("main") },
		  "a.c b.c n.c src/c.c u.c",
		  "main",
		  2,
		  2,
		  1,
		  3,
		  3 },
		{ "local, base is HEAD",
		  { .mode = CHANGES_LOCAL, .base = STR("side") },
		  "b.c n.c src/c.c u.c",
		  "side",
		  2,
		  1,
		  1,
		  2,
		  3 },
		{ "ci", { .mode = CHANGES_CI, .base = STR("main") }, "a.c", "main", 0, 1, 0, 1, 0 },
		{ "ci with a head",
		  { .mode = CHANGES_CI, .base = STR("side"), .head = STR("main") },
		  "",
		  "side",
		  0,
		  0,
		  0,
		  0,
		  0 },
		{ "commit",
		  { .mode = CHANGES_COMMIT, .commit = STR("HEAD") },
		  "a.c",
		  "HEAD^",
		  0,
		  1,
		  0,
		  1,
		  0 },
		{ "the first commit",
		  { .mode = CHANGES_COMMIT, .commit = STR("main") },
		  "a.c b.c src/c.c",
		  "root",
		  3,
		  0,
		  0,
		  9,
		  0 },
		{ "uncommitted",
		  { .mode = CHANGES_UNCOMMITTED },
		  "b.c n.c src/c.c u.c",
		  "uncommitted",
		  2,
		  1,
		  1,
		  2,
		  3 },
		{ "since",
		  { .mode = CHANGES_SINCE, .commit = STR("main") },
		  "a.c b.c n.c src/c.c u.c",
		  "main",
		  2,
		  2,
		  1,
		  3,
		  3 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, WORKED);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct change_list list;
		struct line_counts lines;
		struct err err;

		CHECK_ROW(rows[i].name, str_is(changes_text(&a, &r, &rows[i].spec, &list), rows[i].changes));
		CHECK_ROW(rows[i].name, str_is(list.base_used, rows[i].base) && !list.warning.s);
		CHECK_ROW(rows[i].name, git_count_lines(&a, &r, &rows[i].spec, &lines, &err) == 0);
		CHECK_ROW(rows[i].name, list.added == rows[i].added && list.modified == rows[i].modified &&
						list.deleted == rows[i].deleted);
		CHECK_ROW(rows[i].name,
			  lines.added == rows[i].lines_added && lines.removed == rows[i].lines_removed);
	}
}

#define SINCE_                                                                       \
	{                                                                            \
		.mode = CHANGES_SINCE, .commit = STR("main"), .log_dir = STR("logs") \
	}
#define SUBMODULE "git -c protocol.file.allow=always submodule --quiet add ./. sub; git commit -qm sub; "

#define BINARY \
	COMMITTED "head -c 100 /dev/zero | tee bin bin2 src/bin >src/bin2; git add .; git commit -qm two; "

TEST(every_kind_of_change_is_seen)
{
	static const struct {
		const char *name, *script, *below;
		struct change_spec spec;
		const char *changes;
	} rows[] = {
		{ "nothing", COMMITTED, ".", LOCAL_, "" },
		{ "a rename has both paths", COMMITTED "git mv a.c src/a2.c", ".", LOCAL_, "a.c src/a2.c" },
		{ "a committed one too", COMMITTED "git checkout -qb s; git mv a.c z.c; git commit -qm two",
		  ".", CI_, "a.c z.c" },
		{ "a blank", COMMITTED "echo >'with blank.c'; mkdir 'a b'; echo >'a b/c d'; git add 'a b'",
		  ".", LOCAL_, "a%20b/c%20d with%20blank.c" },
		{ "a newline", COMMITTED "echo >'a\nb'; echo >'c\nd'; git add 'a\nb'", ".", LOCAL_,
		  "a%0Ab c%0Ad" },
		{ "quotes", COMMITTED "echo >'\"q\"'; echo >'\\'; git add '\"q\"'", ".", LOCAL_, "\"q\" \\" },
		{ "no UTF-8",
		  COMMITTED "echo >\"$(printf '\\377')\"; echo >\"$(printf '\\303\\251')\"; git add .", ".",
		  LOCAL_, "%C3%A9 %FF" },
		{ "a leading dash", COMMITTED "echo >-x; echo >:y", ".", LOCAL_, "-x :y" },
		{ "only the mode", COMMITTED "chmod +x a.c", ".", LOCAL_, "a.c" },
		{ "only the time", COMMITTED "touch -d 2001-01-01 a.c", ".", LOCAL_, "" },
		{ "only the time of a binary file", BINARY "touch -d 2001-01-01 bin", ".", LOCAL_, "" },
		{ "a binary file", BINARY "touch -d 2001-01-01 bin a.c; head -c 99 /dev/zero >bin2", ".",
		  LOCAL_, "bin2" },
		{ "a binary file below the top",
		  BINARY "cd src; touch -d 2001-01-01 bin; head -c 99 /dev/zero >bin2", "src", LOCAL_,
		  "bin2" },
		{ "only the time of a link",
		  COMMITTED "ln -s a.c l; git add l; git commit -qm l; touch -h -d 2001-01-01 l", ".", LOCAL_,
		  "" },
		{ "only the mode of a binary file", BINARY "chmod +x bin", ".", LOCAL_, "bin" },
		{ "a file becomes a link", COMMITTED "rm a.c; ln -s b.c a.c", ".", LOCAL_, "a.c" },
		{ "intent to add", COMMITTED "echo >i.c; git add -N i.c", ".", LOCAL_, "i.c" },
		{ "ignored", COMMITTED "echo '*.o' >.gitignore; git add .; git commit -qm two; echo >x.o",
		  ".", UNCOMMITTED_, "" },
		{ "staged and taken back", COMMITTED "echo 4 >>a.c; git add a.c; git show HEAD:a.c >a.c", ".",
		  UNCOMMITTED_, "a.c" },
		{ "out of the index, but there", COMMITTED "git rm -q --cached a.c", ".", UNCOMMITTED_,
		  "a.c" },
		{ "in conflict",
		  COMMITTED "git checkout -qb s; echo 5 >a.c; git commit -qam s; git checkout -q main; echo "
			    "6 >a.c; git commit -qam m; git merge -q s || :",
		  ".", UNCOMMITTED_, "a.c" },
		{ "base went on",
		  COMMITTED "git checkout -qb s; echo 4 >>a.c; git commit -qam s; git checkout -q main; echo "
			    "4 >>b.c; git commit -qam m; git checkout -q s",
		  ".", LOCAL_, "a.c" },
		{ "a merge is compared with its first parent",
		  COMMITTED "git checkout -qb s; echo 4 >>a.c; git commit -qam s; git checkout -q main; echo "
			    "4 >>b.c; git commit -qam m; git merge -qm j s",
		  ".", COMMIT_, "a.c" },
		{ "a tag", COMMITTED "git tag -am v main; echo 4 >>a.c", ".", SINCE_, "a.c" },
		{ "below the top", COMMITTED "echo 4 >>a.c; echo 4 >>src/c.c; echo >src/u.c; echo >v.c",
		  "src", LOCAL_, "c.c u.c" },
		{ "below the top, one commit", COMMITTED, "src", COMMIT_, "c.c" },
		{ "below the top, since", COMMITTED "echo 4 >>a.c; echo 4 >>src/c.c; echo >src/u.c", "src",
		  SINCE_, "c.c u.c" },
		{ "a worktree",
		  COMMITTED "git worktree add -q ../side; echo 4 >>../side/a.c; echo >../side/u.c; echo >v.c",
		  "../side", LOCAL_, "a.c u.c" },
		{ "a submodule as it is", COMMITTED SUBMODULE, ".", UNCOMMITTED_, "" },
		{ "its commit", COMMITTED SUBMODULE "git -C sub commit -q --allow-empty -m x", ".",
		  UNCOMMITTED_, "sub" },
		{ "its files", COMMITTED SUBMODULE "echo 4 >>sub/a.c", ".", UNCOMMITTED_, "sub" },
		{ "what is untracked in it", COMMITTED SUBMODULE "echo 4 >sub/u.c", ".", UNCOMMITTED_, "" },
		{ "in it", COMMITTED SUBMODULE "echo 4 >>sub/a.c; echo >sub/u.c; echo >v.c", "sub",
		  UNCOMMITTED_, "a.c u.c" },
		{ "a repository in it", COMMITTED "git init -q -b main nested; echo >nested/a", ".", LOCAL_,
		  "nested" },
		{ "logs are left out", COMMITTED "mkdir logs; echo >logs/a.log; echo >logs.c", ".", LOCAL_,
		  "logs.c" },
		{ "ignored logs",
		  COMMITTED
		  "echo logs >.gitignore; git add .; git commit -qm two; mkdir logs; echo >logs/a.log",
		  ".", UNCOMMITTED_, "" },
		{ "committed logs",
		  COMMITTED "mkdir logs; echo 1 >logs/a; git add .; git commit -qm two; echo 2 >logs/a; echo "
			    "3 >logs/b; git add .",
		  ".", UNCOMMITTED_, "" },
		{ "a commit of logs", COMMITTED "mkdir logs; echo 1 >logs/a; git add .; git commit -qm two",
		  ".", COMMIT_, "" },
		{ "no commits", "git init -q -b main; echo >a; echo >b; git add a", ".", LOCAL_, "a b" },
		{ "no commits, uncommitted", "git init -q -b main; echo >a; echo >b; git add a", ".",
		  UNCOMMITTED_, "a b" },
		{ "no commits and no files", "git init -q -b main", ".", LOCAL_, "" },
		{ "no commits, other objects",
		  "git init -q -b main --object-format=sha256; echo >a; git add a", ".", LOCAL_, "a" },
		{ "a bare path of options", COMMITTED "mkdir -- --all; echo >--all/x", ".", LOCAL_,
		  "--all/x" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = repository_at(&a, make_repository(&a, rows[i].script), rows[i].below);
		struct change_list list;
		struct str told = changes_or_error(&a, &r, &rows[i].spec, &list);

		if (!str_is(told, rows[i].changes))
			fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(told));
	}
}

TEST(the_log_directory_may_be_named_in_any_way)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED
		"mkdir -p out/logs; echo >out/logs/a.log; echo >out/b; ln -s . ../link; ln -s top ../alias");
	struct str names[] = {
		STR("out/logs"),
		STR("./out//logs/"),
		STR("src/../out/logs"),
		STR("../top/out/logs"),
		STR("../alias/out/logs"),
		str_fmt(&a, STR_FMT "/out/logs", STR_ARG(r.root)),
		str_fmt(&a, STR_FMT "/../alias/out/logs", STR_ARG(r.root)),
	};
	struct change_list list;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct change_spec spec = { .mode = CHANGES_LOCAL, .base = STR("main"), .log_dir = names[i] };

		CHECK_STR(changes_text(&a, &r, &spec, &list), "out/b");
	}
	struct change_spec outside = { .mode = CHANGES_LOCAL,
				       .base = STR("main"),
				       .log_dir = STR("/var/log") };

	CHECK_STR(changes_text(&a, &r, &outside, &list), "out/b out/logs/a.log");
	outside.log_dir = STR("."); /* all would be logs */
	CHECK_STR(changes_text(&a, &r, &outside, &list), "out/b out/logs/a.log");
	outside.log_dir = STR_NONE;
	CHECK_STR(changes_text(&a, &r, &outside, &list), "out/b out/logs/a.log");
}

TEST(settings_and_variables_of_others_do_not_change_the_answer)
{
	static const char *const variables[][2] = {
		{ "GIT_DIR", "/nonexistent" },
		{ "GIT_WORK_TREE", "/tmp" },
		{ "GIT_INDEX_FILE", "/nonexistent/index" },
		{ "GIT_OBJECT_DIRECTORY", "/nonexistent" },
		{ "GIT_EXTERNAL_DIFF", "false" },
		{ "GIT_DIFF_OPTS", "-u0" },
		{ "GIT_CONFIG_PARAMETERS", "'diff.renames=copies'" },
		{ "GIT_LITERAL_PATHSPECS", "1" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED
		"git config color.ui always; git config diff.noprefix true; git config diff.renames copies; "
		"git config diff.external false; git config diff.relative false; git config core.quotepath "
		"true; "
		"git config diff.orderFile nonexistent; git config core.fsmonitor /bin/false; git config "
		"status.short true; "
		"git mv a.c x.c; echo 4 >>x.c; printf '\\n' >'\xc3\xa9'");
	struct change_spec spec = { .mode = CHANGES_LOCAL, .base = STR("main") };
	struct change_list list;

	for (size_t i = 0; i < COUNT_OF(variables); i++)
		CHECK(setenv(variables[i][0], variables[i][1], 1) == 0);
	struct str told = changes_or_error(&a, &r, &spec, &list);

	for (size_t i = 0; i < COUNT_OF(variables); i++)
		CHECK(unsetenv(variables[i][0]) == 0);
	CHECK_STR(told, "a.c x.c %C3%A9");
}

TEST(questions_do_not_change_the_index)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED "touch -d 2001-01-01 a.c; echo 4 >>b.c");
	struct str before = repository_run(&a, r.root, "sha1sum .git/index; find .git -type f | sort");
	struct change_spec spec = { .mode = CHANGES_UNCOMMITTED };
	struct change_list list;

	CHECK_STR(changes_text(&a, &r, &spec, &list), "b.c");
	CHECK(str_eq(repository_run(&a, r.root, "sha1sum .git/index; find .git -type f | sort"), before));
}

TEST(a_deadline_ends_the_asking)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED
		"echo '*.c filter=slow' >.git/info/attributes; git config filter.slow.clean 'sleep 30; cat'; "
		"touch -d 2001-01-01 a.c");
	struct change_spec spec = { .mode = CHANGES_LOCAL, .base = STR("main") };
	struct change_list list;
	struct err err;
	int64_t before = clock_mono_ms();

	r.deadline_ms = before + 200;
	CHECK(git_changes(&a, &r, &spec, &list, &err) < 0);
	CHECK(err.code == ERR_LIMIT);
	CHECK(clock_mono_ms() - before < 10000);
	/* One that had passed before. */
	r.deadline_ms = before;
	CHECK(git_changes(&a, &r, &spec, &list, &err) < 0);
}
