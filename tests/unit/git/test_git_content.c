/* SPDX-License-Identifier: MIT */
/* What is in files that changed: the same before and after a commit, and nothing is stored. */
#include "git_repository.h"

#include "base/path.h"
#include "gates/plan.h"
#include "git/git_spawn.h"
#include "os/fs.h"

static const struct change_spec local = LOCAL_;

/* The key of all changes; absent: it can't be known. */
static struct str
key_of(struct arena *a, const struct repository *r)
{
	struct repo_status_spec spec = { .changes = local };
	struct repo_status now;
	struct err err;

	if (git_status(a, r, &spec, &now, &err) < 0)
		fail_msg("%s", err.msg);
	if (git_read_contents(a, r, &now.changes, &err) < 0)
		return STR_NONE;
	return content_key(a, &now.changes);
}

TEST(the_key_follows_the_content_and_nothing_else)
{
	static const struct {
		const char *name, *script;
		bool is_same;
	} rows[] = {
		{ "nothing", ":", true },
		{ "a commit", "git add -A; git commit -qm two", true },
		{ "a commit of a part", "git add a.c; git commit -qm two", true },
		{ "staged", "git add -A", true },
		{ "other times", "touch a.c new.c", true },
		{ "logs", "mkdir logs; echo x >logs/x", true },
		{ "stash and pop", "git stash -q -u; git stash pop -q", true },
		{ "a changed file", "echo y >>a.c", false },
		{ "another untracked file", "echo y >other.c", false },
		{ "an untracked file that changed", "echo y >>new.c", false },
		{ "a file that is gone", "rm b.c", false },
		{ "a mode", "chmod +x b.c", false },
		{ "a mode of an untracked file", "chmod +x new.c", false },
		{ "a change taken back", "git checkout -q a.c", false },
		{ "a name with a newline", "echo x >'two\nlines'", false },
		{ "a link", "ln -s a.c link", false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(
			&a, COMMITTED "git checkout -qb work; echo x >>a.c; echo new >new.c; rm src/c.c");
		struct str before = key_of(&a, &r);

		(void)repository_run(&a, r.root, rows[i].script);
		struct str after = key_of(&a, &r);

		CHECK_ROW(rows[i].name, before.s && after.s);
		CHECK_ROW(rows[i].name, str_eq(before, after) == rows[i].is_same);
	}
}

TEST(the_names_of_contents_are_those_of_git)
{
	static const struct {
		const char *name, *init;
		size_t chars;
	} rows[] = {
		{ "SHA-1", "git init -q -b main; ", 40 },
		{ "SHA-256", "git init -q -b main --object-format=sha256; ", 64 },
	};
	static const char files[] = "echo '* text eol=crlf' >.gitattributes; : >empty; echo text >text; "
				    "head -c 65536 /dev/zero >one; head -c 65537 /dev/zero >more; "
				    "head -c 3000000 /dev/zero | tr '\\0' '\\r' >big; echo x >'two\nlines'; ";

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, str_cat(&a, rows[i].init, files).s);
		struct str_list paths;
		struct err err;

		CHECK_ROW(rows[i].name, object_name_chars(&a, &r) == rows[i].chars);
		CHECK(fs_list(&a, r.root.s, FS_NO_LIMIT, &paths, &err) == 0);
		for (size_t k = 0; k < paths.count; k++) {
			struct str path = path_join(&a, r.root, paths.items[k]), name, asked;

			if (str_is(paths.items[k], ".git"))
				continue;
			asked = repository_run(
				&a, r.root,
				str_cat(&a, "git hash-object --no-filters -- '", paths.items[k], "'").s);
			CHECK(object_name_of_file(&a, path.s, rows[i].chars, &name, &err) == 0);
			CHECK_ROW(paths.items[k].s, str_eq(name, asked));
		}
	}
}

TEST(what_is_no_file_has_no_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED "mkfifo fifo");
	struct str name;
	struct err err;

	CHECK(object_name_of_file(&a, path_join(&a, r.root, STR("fifo")).s, 40, &name, &err) < 0);
	CHECK(object_name_of_file(&a, path_join(&a, r.root, STR("gone")).s, 40, &name, &err) < 0);
}

TEST(files_that_changed_are_read_until_the_deadline)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED "echo new >u");
	struct repo_status_spec spec = { .changes = local };
	struct repo_status now;
	struct err err;

	CHECK(git_status(&a, &r, &spec, &now, &err) == 0);
	r.deadline_ms = 1;
	CHECK(git_read_contents(&a, &r, &now.changes, &err) < 0 && err.code == ERR_LIMIT);
}

TEST(to_know_the_content_stores_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED "echo x >>a.c; head -c 20000000 /dev/zero >big");
	struct str before = repository_run(&a, r.root, "find .git -type f | sort | cksum");

	CHECK(key_of(&a, &r).s != NULL);
	CHECK(str_eq(repository_run(&a, r.root, "find .git -type f | sort | cksum"), before));
}

TEST(a_big_file_is_known_by_size_time_and_inode)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED "head -c 20000000 /dev/zero >big");
	struct str before = key_of(&a, &r);

	CHECK(before.s && str_eq(before, key_of(&a, &r)));
	(void)repository_run(&a, r.root, "printf x | dd of=big bs=1 seek=9 conv=notrunc 2>/dev/null");
	CHECK(!str_eq(before, key_of(&a, &r)));
}

TEST(a_nested_repository_has_a_content_that_nobody_knows)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED "git init -q inner; cd inner; echo x >x; git add x; git commit -qm x");

	CHECK(!key_of(&a, &r).s);
}

TEST(a_tag_of_the_same_name_is_never_taken_for_the_base)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED "git checkout -qb work; echo x >>a.c; git commit -qam two; git tag main");
	struct change_list changes;

	CHECK_STR(changes_text(&a, &r, &local, &changes), "a.c");
	(void)repository_run(&a, r.root, "git replace refs/heads/main HEAD");
	CHECK_STR(changes_text(&a, &r, &local, &changes), "a.c");
}

TEST(the_commit_of_a_branch_is_found_without_git)
{
	static const struct {
		const char *name, *script;
	} rows[] = {
		{ "loose", ":" },
		{ "packed", "git pack-refs --all" },
		{ "detached", "git checkout -q --detach" },
		{ "a worktree", "git worktree add -q tree -b other; cd tree; pwd >../where" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, COMMITTED);

		(void)repository_run(&a, r.root, rows[i].script);
		if (i == 3)
			r = repository_at(&a, r, "tree");
		CHECK_ROW(rows[i].name, str_eq(git_commit_now(&a, r.root),
					       repository_run(&a, r.root, "git rev-parse HEAD")));
	}
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository empty = make_repository(&a, "git init -q");

	CHECK(!git_commit_now(&a, empty.root).s);
}

/* Git's name for the content of the untracked file u; what is kept about it is in *ret_kept. */
static struct str
name_of_u(struct arena *a, const struct repository *r, struct str *ret_kept)
{
	struct str file = str_fmt(a, STR_FMT "/../kept", STR_ARG(r->root));
	struct git_known known = { .blob_file = file };
	struct repository now = { .root = r->root, .known = &known };
	struct repo_status_spec spec = { .changes = local };
	struct repo_status status;
	struct err err;

	CHECK(git_status(a, &now, &spec, &status, &err) == 0);
	CHECK(git_read_contents(a, &now, &status.changes, &err) == 0);
	CHECK(status.changes.count == 1 && str_is(status.changes.items[0], "u"));
	CHECK(fs_read(a, file.s, KIB(4), ret_kept, &err) == 0);
	return status.changes.files[0].object;
}

#define KEPT_ID "1111111111111111111111111111111111111111"

TEST(a_file_that_stays_as_it_is_is_not_read_again)
{
	static const struct {
		const char *name, *script;
		bool is_read;
	} rows[] = {
		{ "nothing", ":", false },
		{ "another size", "echo more >>u", true },
		{ "another content with the old time", "t=$(stat -c %y u); echo ol2 >u; touch -d \"$t\" u",
		  true },
		{ "another file with the old time", "cp -p u v; sleep 0.1; mv v u", true },
		{ "another time", "touch u", true },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, COMMITTED
						      "git checkout -qb work; echo old >u; sleep 0.1");
		struct str kept, first = name_of_u(&a, &r, &kept),
				 path = str_fmt(&a, STR_FMT "/../kept", STR_ARG(r.root));
		struct err err;

		/* Another name in the file: what is answered with it was not read. */
		ptrdiff_t at = str_find(kept, first);

		CHECK_ROW(rows[i].name, at > 0);
		struct buf forged = BUF(&a, SIZE_MAX);

		buf_add(&forged, str_sub(kept, 0, (size_t)at));
		buf_add(&forged, STR(KEPT_ID));
		buf_add(&forged, str_sub(kept, (size_t)at + first.n, kept.n));
		CHECK(fs_replace_unsynced(&a, path.s, buf_str(&forged), 0600, &err) == 0);
		(void)repository_run(&a, r.root, rows[i].script);
		CHECK_ROW(rows[i].name, str_is(name_of_u(&a, &r, &kept), KEPT_ID) == !rows[i].is_read);
	}
}

TEST(the_content_of_a_file_that_was_just_written_is_not_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(&a, COMMITTED
					      "git checkout -qb work; echo old >u; touch -d '+1 hour' u");
	struct str kept, first = name_of_u(&a, &r, &kept);

	CHECK(first.n == 40 && str_find(kept, first) < 0);
}

TEST(the_start_of_a_list_that_is_too_long_answers_whether_there_is_any)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a,
		"git init -q -b main; mkdir d u; n=a-name-of-fifty-bytes-or-so-that-fills-an-answer; for i "
		"in $(seq -w 2000); do echo >d/$n$i; echo >u/$n$i; done; git add d; git commit -qm one");
	struct str_list list;
	struct err err;

	CHECK(git_tracks(&a, &r, STR("d"), &err) == ANSWER_YES);
	CHECK(git_unsaved(&a, &r, STR("u"), &list, &err) == 0 && list.count == 2000);
	CHECK_STR(list.items[0], "?? u/a-name-of-fifty-bytes-or-so-that-fills-an-answer0001");
}
