/* SPDX-License-Identifier: MIT */
/* Refs read from files are what git says they are; what is not certain is left to git. */
#include "git_repository.h"

#include "git/git_spawn.h"
#include "os/fs.h"

#define ONE "1111111111111111111111111111111111111111"
#define TWO "2222222222222222222222222222222222222222"
/* A git directory without git. */
#define BARE \
	"mkdir -p .git/objects .git/refs/heads; echo ref: refs/heads/main >.git/HEAD; touch .git/config; "
#define PACKED                                                                              \
	"echo '# pack-refs with: peeled fully-peeled sorted' >.git/packed-refs; echo '" TWO \
	" refs/heads/main' >>.git/packed-refs; "

static enum git_answer
answer_of(struct arena *a, const struct repository *r, struct str ref, struct str *ret_object,
	  struct str *ret_last)
{
	struct ref_files files;

	*ret_object = *ret_last = STR_NONE;
	return ref_files_find(a, r->root, &files) ? ref_read(a, &files, ref, ret_object, ret_last)
						  : ANSWER_UNKNOWN;
}

TEST(a_ref_is_read_from_files_or_left_to_git)
{
	static const struct {
		const char *name, *script, *ref;
		enum git_answer answer;
		const char *object, *last; /* NULL: none */
	} rows[] = {
		{ "loose", BARE "echo " ONE " >.git/refs/heads/main", "refs/heads/main", ANSWER_YES, ONE,
		  "refs/heads/main" },
		{ "packed", BARE PACKED, "refs/heads/main", ANSWER_YES, TWO, "refs/heads/main" },
		{ "loose over packed", BARE PACKED "echo " ONE " >.git/refs/heads/main", "refs/heads/main",
		  ANSWER_YES, ONE, "refs/heads/main" },
		{ "missing", BARE, "refs/heads/main", ANSWER_NO, NULL, "refs/heads/main" },
		{ "missing, others are packed", BARE PACKED, "refs/heads/mai", ANSWER_NO, NULL,
		  "refs/heads/mai" },
		{ "the end of another name",
		  BARE "echo '" TWO " refs/remotes/x/refs/heads/main' >.git/packed-refs", "refs/heads/main",
		  ANSWER_NO, NULL, "refs/heads/main" },
		{ "a peeled line before it",
		  BARE "printf '" ONE " refs/tags/v1\n^" TWO "\n" TWO " refs/heads/main\n' >.git/packed-refs",
		  "refs/heads/main", ANSWER_YES, TWO, "refs/heads/main" },
		{ "a tag of the same name", BARE "mkdir .git/refs/tags; echo " ONE " >.git/refs/tags/main",
		  "refs/heads/main", ANSWER_NO, NULL, "refs/heads/main" },
		{ "a directory of its name", BARE PACKED "mkdir .git/refs/heads/main", "refs/heads/main",
		  ANSWER_YES, TWO, "refs/heads/main" },
		{ "below a file", BARE "echo " ONE " >.git/refs/heads/a", "refs/heads/a/b", ANSWER_NO, NULL,
		  "refs/heads/a/b" },
		{ "HEAD on a branch", BARE "echo " ONE " >.git/refs/heads/main", "HEAD", ANSWER_YES, ONE,
		  "refs/heads/main" },
		{ "HEAD, detached", BARE "echo " ONE " >.git/HEAD", "HEAD", ANSWER_YES, ONE, "HEAD" },
		{ "HEAD without a commit", BARE, "HEAD", ANSWER_NO, NULL, "refs/heads/main" },
		{ "a chain",
		  BARE "mkdir -p .git/refs/remotes/origin; echo 'ref: refs/remotes/origin/x' "
		       ">.git/refs/remotes/origin/HEAD; printf 'ref:\trefs/heads/main  \n' "
		       ">.git/refs/remotes/origin/x; echo " ONE " >.git/refs/heads/main",
		  "refs/remotes/origin/HEAD", ANSWER_YES, ONE, "refs/heads/main" },
		{ "a chain to nothing", BARE "echo 'ref: refs/heads/gone' >.git/refs/heads/main",
		  "refs/heads/main", ANSWER_NO, NULL, "refs/heads/gone" },
		{ "a loop", BARE "echo 'ref: refs/heads/main' >.git/refs/heads/main", "refs/heads/main",
		  ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "a chain out of refs", BARE "echo 'ref: config' >.git/refs/heads/main", "refs/heads/main",
		  ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "a chain upwards", BARE "echo 'ref: refs/../HEAD' >.git/refs/heads/main", "refs/heads/main",
		  ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "a link", BARE "ln -s main .git/refs/heads/other; echo " ONE " >.git/refs/heads/main",
		  "refs/heads/other", ANSWER_UNKNOWN, NULL, NULL },
		{ "empty", BARE PACKED ": >.git/refs/heads/main", "refs/heads/main", ANSWER_UNKNOWN, NULL,
		  "refs/heads/main" },
		{ "zeros", BARE "head -c 41 /dev/zero >.git/refs/heads/main", "refs/heads/main",
		  ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "the name of nothing",
		  BARE "echo 0000000000000000000000000000000000000000 >.git/refs/heads/main",
		  "refs/heads/main", ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "cut", BARE "echo 1111 >.git/refs/heads/main", "refs/heads/main", ANSWER_UNKNOWN, NULL,
		  "refs/heads/main" },
		{ "packed refs that are cut", BARE "printf '" TWO " refs/heads/mai' >.git/packed-refs",
		  "refs/heads/main", ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "packed refs that are no file", BARE "mkdir .git/packed-refs", "refs/heads/main",
		  ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "a packed line that is broken", BARE "echo '2222 refs/heads/main' >.git/packed-refs",
		  "refs/heads/main", ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "a lock", BARE "echo " ONE " >.git/refs/heads/x.lock", "refs/heads/x.lock", ANSWER_UNKNOWN,
		  NULL, NULL },
		{ "a name with a blank", BARE "echo " ONE " >'.git/refs/heads/a b'", "refs/heads/a b",
		  ANSWER_UNKNOWN, NULL, NULL },
		{ "names of another length",
		  BARE "echo '[extensions] objectFormat = sha256' >.git/config; echo " ONE
		       " >.git/refs/heads/main",
		  "refs/heads/main", ANSWER_UNKNOWN, NULL, "refs/heads/main" },
		{ "no repository", "mkdir .git; echo " ONE " >.git/HEAD", "HEAD", ANSWER_UNKNOWN, NULL,
		  NULL },
		{ "refs in tables", BARE "echo '[extensions]\n refstorage = reftable' >.git/config", "HEAD",
		  ANSWER_UNKNOWN, NULL, NULL },
		{ "another work tree", BARE "echo '[core]\n bare = false\n worktree = /tmp' >.git/config",
		  "HEAD", ANSWER_UNKNOWN, NULL, NULL },
		{ "on one line", BARE "echo '[a \"]\"][core] WorkTree = /tmp' >.git/config", "HEAD",
		  ANSWER_UNKNOWN, NULL, NULL },
		{ "of one work tree", BARE "echo '[core] worktree = /tmp' >.git/config.worktree", "HEAD",
		  ANSWER_UNKNOWN, NULL, NULL },
		{ "a branch of that name",
		  BARE "echo '[branch \"worktree\"]\n\tremote = worktree' >.git/config", "HEAD", ANSWER_NO,
		  NULL, "refs/heads/main" },
		{ "an unknown kind of names", BARE "echo '[extensions] objectFormat = new' >.git/config",
		  "HEAD", ANSWER_UNKNOWN, NULL, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = make_repository(&a, rows[i].script);
		struct str object, last;

		CHECK_ROW(rows[i].name,
			  answer_of(&a, &r, str_from(rows[i].ref), &object, &last) == rows[i].answer);
		CHECK_ROW(rows[i].name, rows[i].answer != ANSWER_YES || str_is(object, rows[i].object));
		CHECK_ROW(rows[i].name,
			  str_eq(last, str_from(rows[i].last)) || rows[i].answer == ANSWER_UNKNOWN);
	}
}

/* What git says about all of the names, "NAME OBJECT", and about HEAD. */
#define ASK                                                                                                \
	"git for-each-ref --format='%(refname) %(objectname)'; printf 'HEAD '; git rev-parse -q --verify " \
	"HEAD "                                                                                            \
	"|| echo"

/* Compares every answer with git's; returns how many were not left to git. */
static size_t
compare_with_git(struct arena *a, const struct repository *r, const char *what)
{
	static const char *const names[] = { "HEAD",
					     "refs/heads/main",
					     "refs/heads/a",
					     "refs/heads/a/b",
					     "refs/heads/v1",
					     "refs/tags/v1",
					     "refs/remotes/origin/main",
					     "refs/remotes/origin/HEAD",
					     "refs/bisect/bad",
					     "refs/heads/gone" };
	struct str said = repository_run(a, r->root, ASK), line, object, last;
	size_t known = 0;

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct str rest = said, expected = STR("");
		enum git_answer answer = answer_of(a, r, str_from(names[i]), &object, &last);

		while (str_next(&rest, '\n', &line))
			if (str_is(str_before(line, ' '), names[i]))
				expected = str_rest(line, strlen(names[i]) + 1);
		known += answer != ANSWER_UNKNOWN;
		if (answer != ANSWER_UNKNOWN && !str_eq(answer == ANSWER_YES ? object : STR(""), expected))
			fail_msg("%s: %s is '" STR_FMT "', and git says '" STR_FMT "'", what, names[i],
				 STR_ARG(object), STR_ARG(expected));
	}
	return known;
}

TEST(refs_in_files_are_those_that_git_sees)
{
	static const char *const acts[] = {
		"git update-ref refs/heads/main one",
		"git update-ref refs/heads/main two",
		"git update-ref refs/heads/a two",
		"git update-ref -d refs/heads/a",
		"git update-ref refs/heads/a/b one",
		"git update-ref -d refs/heads/a/b",
		"git update-ref refs/heads/v1 two",
		"git update-ref refs/tags/v1 one",
		"git tag -f -m x v1 two",
		"git update-ref refs/remotes/origin/main one",
		"git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
		"git symbolic-ref refs/remotes/origin/HEAD refs/heads/a",
		"git symbolic-ref -d refs/remotes/origin/HEAD",
		"git pack-refs --all",
		"git pack-refs --all --no-prune",
		"git pack-refs",
		"git symbolic-ref HEAD refs/heads/a",
		"git symbolic-ref HEAD refs/heads/gone",
		"git symbolic-ref HEAD refs/heads/main",
		"git update-ref --no-deref HEAD one",
		"git update-ref refs/bisect/bad two",
		"git update-ref -d refs/heads/v1",
		"rm .git/refs/heads/main",
		"rm .git/packed-refs",
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, COMMITTED
		"git tag one; git commit -q --allow-empty -m two; git tag two; git worktree add -q ../side");
	struct repository side = repository_at(&a, r, "../side");
	uint32_t seed = 1;
	size_t known = 0, count = 0;

	side.root = fs_real(&a, side.root.s);
	for (; count < 150; count++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };

		seed = seed * 1664525 + 1013904223;
		const char *act = acts[(seed >> 16) % COUNT_OF(acts)];

		/* The tags are what the other acts name. */
		(void)repository_run(&scratch, count % 5 == 4 ? side.root : r.root,
				     str_cat(&scratch, "(", act, ") 2>/dev/null || :").s);
		known += compare_with_git(&scratch, &r, act);
		known += compare_with_git(&scratch, &side, act);
	}
	/* Nothing of this has to be left to git. */
	CHECK(known == 2 * 10 * count);
}

TEST(what_git_reads_elsewhere_is_left_to_it)
{
	static const struct {
		const char *name, *script, *below;
		bool is_read;
		const char *within;
	} rows[] = {
		{ "the top", COMMITTED, ".", true, "" },
		{ "below the top", COMMITTED, "src", true, "src" },
		{ "a work tree", COMMITTED "git worktree add -q ../side", "../side/src", true, "src" },
		{ "a submodule", COMMITTED "git -c protocol.file.allow=always submodule --quiet add ./. sub",
		  "sub", false, NULL },
		{ "through a link", COMMITTED "ln -s src link", "link", false, NULL },
		{ "a bare repository", "git init -q --bare .", ".", false, NULL },
		{ "a shallow clone", COMMITTED "git clone -q --depth 1 file://$PWD clone", "clone", true,
		  "" },
		{ "none", ":", ".", false, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct repository r = repository_at(&a, make_repository(&a, rows[i].script), rows[i].below);
		struct ref_files files;

		if (str_is(str_from(rows[i].name), "through a link"))
			r.root = str_fmt(&a, STR_FMT, STR_ARG(r.root));
		else
			r.root = fs_real(&a, r.root.s);
		CHECK_ROW(rows[i].name, ref_files_find(&a, r.root, &files) == rows[i].is_read);
		CHECK_ROW(rows[i].name, !rows[i].is_read || str_is(files.below, rows[i].within));
	}
}
