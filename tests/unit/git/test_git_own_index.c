/* SPDX-License-Identifier: MIT */
/* An index of our own: its answers are those of the repository's index, whatever happens to either. */
#include "git_repository.h"

#include "base/path.h"
#include "os/fs.h"

static const struct change_spec local = LOCAL_;

/* A few directories, tracked and not, on a branch with changes; old enough for its index to be copied. */
#define GROWN                                                                                        \
	COMMITTED                                                                                    \
	"mkdir -p lib/deep out; echo '*.o' >.gitignore; echo 1 | tee lib/x.c lib/deep/y.c >gone.c; " \
	"git add .; git commit -qm two; git checkout -qb work; echo 4 >>a.c; echo new >lib/new.c; "  \
	"echo o >lib/x.o; echo o >out/o.c; rm gone.c; sleep 0.1; "

static struct str
kept_beside(struct arena *a, const struct repository *r)
{
	return str_fmt(a, STR_FMT "/../kept/index", STR_ARG(r->root));
}

/* The changes, asked for with what is kept. */
static struct str
changes_with(struct arena *a, const struct repository *r, bool is_read_only)
{
	struct git_known known = { .index_file = kept_beside(a, r), .is_read_only = is_read_only };
	struct repository with = { .root = r->root, .known = &known };
	struct change_list list;

	return changes_text(a, &with, &local, &list);
}

static struct str
changes_without(struct arena *a, const struct repository *r)
{
	struct change_list list;

	return changes_text(a, r, &local, &list);
}

/* Are so many kept? */
static bool
has_kept(struct arena *a, const struct repository *r, size_t count, struct str_list *ret)
{
	struct str dir = str_copy(a, path_parent(kept_beside(a, r)));
	struct err err;

	return fs_list(a, dir.s, FS_NO_LIMIT, ret, &err) == 0 && ret->count == count;
}

TEST(an_index_of_our_own_answers_as_the_repositorys)
{
	static const struct {
		const char *name, *script;
	} rows[] = {
		{ "nothing", ":" },
		{ "a new file", "echo x >lib/z.c" },
		{ "a new file below", "echo x >lib/deep/z.c" },
		{ "a new directory", "mkdir -p lib/deep/er; echo x >lib/deep/er/z.c" },
		{ "a new file at the top", "echo x >z.c" },
		{ "an untracked file is gone", "rm lib/new.c" },
		{ "an untracked directory is gone", "rm -r out" },
		{ "an untracked file moved", "mv lib/new.c lib/deep/" },
		{ "a directory moved", "mv lib/deep deep" },
		{ "a tracked file that is changed", "echo x >>lib/x.c" },
		{ "a tracked file of the same size", "echo 2 >lib/x.c" },
		{ "a tracked file of the same size and time",
		  "t=$(stat -c %y lib/x.c); echo 2 >lib/x.c; touch -d \"$t\" lib/x.c" },
		{ "a mode", "chmod +x lib/x.c" },
		{ "a tracked file is gone", "rm lib/x.c" },
		{ "a deleted file is back", "echo 1 >gone.c" },
		{ "a pattern is gone", "echo >.gitignore" },
		{ "a new pattern", "echo '*.c' >lib/.gitignore" },
		{ "a new pattern of the repository", "echo out >>.git/info/exclude" },
		{ "a pattern in an untracked directory", "echo o.c >out/.gitignore" },
		{ "staged", "git add -A" },
		{ "staged, with another index at once", "git add lib; git add out" },
		{ "no longer tracked", "git rm -q --cached lib/x.c" },
		{ "no longer tracked, with an empty rest", "git rm -q -r --cached lib" },
		{ "committed", "git add -A; git commit -qm three" },
		{ "another branch",
		  "git stash -q -u; git checkout -q main; git checkout -q work; git stash pop -q" },
		{ "a link in place of a directory", "mv out elsewhere; ln -s elsewhere out" },
		{ "a file in place of a directory", "rm -r out; echo x >out" },
		{ "a repository inside", "git init -q out/inner" },
		{ "a repository with a file", "git init -q inner; echo x >inner/x; git -C inner add x" },
		{ "times alone", "touch lib/x.c a.c lib out" },
		{ "an old time of a directory", "t=$(stat -c %y lib); echo x >lib/z.c; touch -d \"$t\" lib" },
		{ "a directory that nobody may read", "chmod 0 out" },
		{ "assumed unchanged", "git update-index --assume-unchanged lib/x.c; echo 2 >lib/x.c" },
		{ "intended", "git add -N out/o.c" },
		{ "a conflict",
		  "git stash -q -u; git checkout -q main; echo 5 >>a.c; git commit -qam five; "
		  "git checkout -q work; git stash pop -q; git commit -qam six; git merge -q main || :" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, GROWN);
		struct str_list names;

		CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, false), changes_without(&a, &r)));
		CHECK_ROW(rows[i].name, has_kept(&a, &r, 1, &names));
		(void)repository_run(&a, r.root, rows[i].script);
		struct str now = changes_without(&a, &r);

		for (int again = 0; again < 2; again++) {
			CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, true), now));
			CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, false), now));
			CHECK_ROW(rows[i].name, has_kept(&a, &r, 1, &names));
			/* After this, a changed index is copied, too. */
			(void)repository_run(&a, r.root, "sleep 0.1");
		}
		(void)repository_run(&a, r.root, "chmod -R u+rwX .");
	}
}

TEST(the_index_that_is_kept_is_used_while_the_repositorys_stays)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, GROWN);
	struct str_list first, second, third;

	(void)changes_with(&a, &r, true);
	CHECK(has_kept(&a, &r, 0, &first));
	(void)changes_with(&a, &r, false);
	CHECK(has_kept(&a, &r, 1, &first));
	/* What only this index says: a change to the file is not to be seen. */
	struct str command = str_fmt(&a,
				     "GIT_INDEX_FILE=../kept/" STR_FMT
				     " git update-index --assume-unchanged b.c; echo 9 >>b.c",
				     STR_ARG(first.items[0]));

	(void)repository_run(&a, r.root, command.s);
	CHECK(str_find(changes_without(&a, &r), STR("b.c")) >= 0);
	CHECK(str_find(changes_with(&a, &r, true), STR("b.c")) < 0);
	CHECK(has_kept(&a, &r, 1, &second) && str_eq(first.items[0], second.items[0]));
	(void)repository_run(&a, r.root, "git add lib; sleep 0.1");
	CHECK(str_eq(changes_with(&a, &r, false), changes_without(&a, &r)));
	CHECK(has_kept(&a, &r, 1, &third) && !str_eq(first.items[0], third.items[0]));
}

TEST(an_index_of_our_own_that_is_damaged_is_not_used)
{
	static const struct {
		const char *name, *script;
	} rows[] = {
		{ "empty", ": >$(echo ../kept/index.*)" },
		{ "cut", "f=$(echo ../kept/index.*); head -c 200 $f >../x; cat ../x >$f" },
		{ "zeros", "f=$(echo ../kept/index.*); head -c 500 /dev/zero >$f" },
		{ "a directory", "f=$(echo ../kept/index.*); rm $f; mkdir $f" },
		{ "a link to nothing", "f=$(echo ../kept/index.*); rm $f; ln -s nothing $f" },
		{ "gone", "rm ../kept/index.*" },
		{ "nothing can be written", "rm -r ../kept; echo >../kept" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, GROWN);

		(void)changes_with(&a, &r, false);
		(void)repository_run(&a, r.root, rows[i].script);
		struct str now = changes_without(&a, &r);

		CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, true), now));
		CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, false), now));
		CHECK_ROW(rows[i].name, str_eq(changes_with(&a, &r, false), now));
	}
}
