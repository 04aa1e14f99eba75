/* SPDX-License-Identifier: MIT */
/* Where HEAD is, and yes-or-no questions about single commits. */
#include "git/git_spawn.h"

#include "os/fs.h"

#define HEAD_FILE_LIMIT_BYTES KIB(8)
#define PACKED_REFS_LIMIT_BYTES MIB(16)

#define REFLOG_LIMIT_BYTES MIB(16)

#define OBJECT_NAME_LEAST 40

void
head_ask(struct arena *a, struct git_job *job, struct str base)
{
	/* Git omits from its answer what does not exist. */
	git_args(job, GIT_ARGS("rev-parse", "--show-cdup", "--git-path", "index", "--revs-only",
			       "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"));
	if (base.s)
		git_arg(job, str_cat(a, base, "...HEAD").s);
}

/* Removes the last line from the text and returns it; absent if the text has only one. */
static struct str
take_line(struct arena *a, struct str *text)
{
	struct str lines = str_sub(*text, 0, text->n - (text->n > 0));
	size_t from = (size_t)(str_find_last(lines, '\n') + 1);

	if (from == 0)
		return STR_NONE;
	text->n = from;
	return str_copy(a, str_rest(lines, from));
}

/* "A...B" is answered by the two names, then by each merge base after a ^. Removes these lines. Several merge bases are
 * none: git compares with no one of them. */
static struct str
take_merge_base(struct arena *a, struct str *text)
{
	struct str rest = *text, found = take_line(a, &rest), more = found;
	size_t count = 0;

	for (; str_starts(more, STR("^")); more = take_line(a, &rest))
		count++;
	if (count == 0)
		return STR_NONE;
	(void)take_line(a, &rest); /* `more` was the second name */
	*text = rest;
	return count == 1 ? str_rest(found, 1) : STR_NONE;
}

/* Works for a branch without commits too. */
static int
ask_branch(struct arena *a, const struct repository *r, struct git_head *ret, struct err *err)
{
	struct git_job job = { .args = { "symbolic-ref", "--quiet", "HEAD" } };

	if (git_run(a, r, &job, 1, err) < 0)
		return -1;
	if (job.code > 1)
		return git_error(&job, err);
	ret->branch = job.code == 0 ? utf8_clean(a, branch_of_ref(git_line(a, &job))) : STR("HEAD");
	return 0;
}

int
head_read(struct arena *a, const struct repository *r, struct git_job *job, struct git_head *ret,
	  struct err *err)
{
	struct str answer = buf_str(&job->out), rest, up = STR_NONE;

	if (job->code != 0)
		return git_error(job, err);
	if (str_next(&answer, '\n', &up))
		up = str_copy(a, up);
	rest = answer;
	/* From the end, as the path that comes first may contain newlines. Git omits the ref also if a tag is called
	 * HEAD. */
	struct str merge_base = take_merge_base(a, &rest), with_ref = rest;
	struct str ref = take_line(a, &rest);

	if (!str_is(ref, "HEAD") && !str_starts(ref, STR("refs/"))) {
		ref = STR_NONE;
		rest = with_ref;
	}
	struct str tree = take_line(a, &rest), commit = take_line(a, &rest);

	if (commit.n >= OBJECT_NAME_LEAST && tree.n == commit.n) {
		*ret = (struct git_head){ utf8_clean(a, branch_of_ref(ref)), commit,     tree,
					  git_answer_path(a, r, rest),       merge_base, up };
		return ref.s ? 0 : ask_branch(a, r, ret, err);
	}
	*ret = (struct git_head){ .index = git_answer_path(a, r, answer), .up = up };
	return ask_branch(a, r, ret, err);
}

static struct str
read_small(struct arena *a, struct str dir, const char *name)
{
	const char *path;
	struct str text;

	if (str_cz(a, path_join(a, dir, str_from(name)), &path, IGNORED) < 0 ||
	    fs_read(a, path, HEAD_FILE_LIMIT_BYTES, &text, IGNORED) < 0)
		return STR_NONE;
	return text;
}

struct str
git_dir_at(struct arena *a, struct str top)
{
	struct str dir = path_join(a, top, STR(".git"));

	if (fs_kind(dir.s) == FS_DIR)
		return dir;
	struct str text = str_trim(read_small(a, top, ".git"));

	if (!str_skip(&text, "gitdir:"))
		return STR_NONE;
	text = str_trim(text);
	return text.n > 0 ? path_from(a, top, text) : STR_NONE;
}

/* The nearest directory with a .git, upwards; absent: none. */
static struct str
find_top(struct str root)
{
	struct str top = root;

	for (int level = 0; level < REPOSITORY_LEVELS && top.s && !fs_has(top, ".git"); level++)
		top = path_parent(top);
	return top;
}

struct str
git_dir_above(struct arena *a, struct str root)
{
	struct str top = find_top(root);

	return top.s ? git_dir_at(a, top) : STR_NONE;
}

/* What all work trees of a repository share is there; the git directory itself where it has no other. */
struct str
git_shared_dir(struct arena *a, struct str dir)
{
	struct str shared = str_trim(read_small(a, dir, "commondir"));

	return shared.n > 0 ? path_from(a, dir, shared) : dir;
}

struct str
git_common_dir(struct arena *a, struct str root)
{
	struct str dir = git_dir_above(a, root);

	return dir.s ? git_shared_dir(a, dir) : STR_NONE;
}

/* Anybody can write a .git file that names a repository. So the repository must name the work tree, too: the git directory
 * of one is in its `worktrees`, and has a file with the way back. */
struct str
git_shared_root(struct arena *a, struct str root)
{
	struct str top = find_top(root), file = path_join(a, top, STR(".git"));
	struct str given = top.s && fs_kind(file.s) == FS_FILE ? git_dir_at(a, top) : STR_NONE;
	struct str dir = given.s ? fs_real(a, given.s) : STR_NONE;
	struct str back = dir.s ? str_trim(read_small(a, dir, "gitdir")) : STR_NONE;
	struct str shared = back.n > 0 ? fs_real(a, git_shared_dir(a, dir).s) : STR_NONE;

	if (!shared.s || !str_eq(path_join(a, shared, STR("worktrees")), path_parent(dir)) ||
	    !str_eq(fs_real(a, path_from(a, dir, back).s), file))
		return root;
	if (str_is(path_base(shared), ".git"))
		shared = path_parent(shared);
	return str_eq(top, root) ? str_copy(a, shared) : path_join(a, shared, path_below(root, top));
}

struct str_list
git_own_dirs(struct arena *a, struct str root)
{
	struct str top = find_top(root), dir = git_dir_above(a, root);
	ptrdiff_t at = str_find(dir, STR("/.git/"));
	const struct str dirs[] = { top.s ? top : root, at > 0 ? str_sub(dir, 0, (size_t)at) : STR_NONE };
	struct str_list list = { 0 };

	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		struct str real = dirs[i].s ? fs_real(a, str_copy(a, dirs[i]).s) : STR_NONE;

		if (real.n > 1) /* below the root of the file system is everything */
			*arena_push(a, list.items, list.count) = real;
	}
	return list;
}

int
head_check_top(struct arena *a, const struct repository *r, const struct git_head *head, struct err *err)
{
	struct str top = find_top(r->root);

	if (!top.s || str_eq(head->up, path_up(a, path_below(r->root, top))))
		return 0;
	return err_set(err, ERR_VALUE,
		       "git compares the files of another directory than the project's, '" STR_FMT
		       "'; 'git config --unset core.worktree' ends that",
		       STR_ARG(head->up));
}

struct str
git_commit_now(struct arena *a, struct str root)
{
	struct str dir = git_dir_above(a, root);

	if (!dir.s)
		return STR_NONE;
	struct str head = str_trim(read_small(a, dir, "HEAD"));

	if (!str_skip(&head, "ref:"))
		return head.n >= OBJECT_NAME_LEAST ? head : STR_NONE;
	struct str ref = str_copy(a, str_trim(head)), refs = git_shared_dir(a, dir);
	struct str commit = str_trim(read_small(a, refs, ref.s));

	if (commit.n >= OBJECT_NAME_LEAST)
		return commit;
	struct str path = path_join(a, refs, STR("packed-refs")), text = STR_NONE, line;

	if (fs_read(a, path.s, PACKED_REFS_LIMIT_BYTES, &text, IGNORED) < 0)
		return STR_NONE;
	while (str_next(&text, '\n', &line))
		if (str_ends(line, ref) && line.n > ref.n && line.s[line.n - ref.n - 1] == ' ')
			return str_copy(a, str_sub(line, 0, line.n - ref.n - 1));
	return STR_NONE;
}

/* Each line of a reflog begins with the commits before and after the move. */
struct head_mark
git_head_mark(struct arena *a, struct str root)
{
	struct str dir = git_dir_above(a, root);
	struct head_mark m = { .commit = git_commit_now(a, root) };
	struct fs_facts facts;

	if (!dir.s)
		return m;
	m.log = path_join(a, dir, STR("logs/HEAD")).s;
	if (fs_facts(m.log, &facts) == FS_FILE)
		m.log_bytes = facts.size;
	return m;
}

bool
git_head_moved(struct arena *a, struct str root, const struct head_mark *m)
{
	struct head_mark now = git_head_mark(a, root);
	struct str moves = STR(""), line, before;

	if (!str_eq(now.commit, m->commit) || now.log_bytes < m->log_bytes)
		return true;
	if (now.log_bytes == m->log_bytes)
		return false;
	if (fs_read(a, now.log, REFLOG_LIMIT_BYTES, &moves, IGNORED) < 0 || moves.n < now.log_bytes)
		return true;
	moves = str_rest(moves, m->log_bytes);
	while (str_next(&moves, '\n', &line)) {
		before = str_before(line, ' ');
		if (line.n > 0 && !str_starts(str_rest(line, before.n + 1), before))
			return true;
	}
	return false;
}

struct str
git_branch_now(struct arena *a, struct str root)
{
	struct str dir = git_dir_above(a, root);

	return dir.s ? utf8_clean(a, branch_of_head(read_small(a, dir, "HEAD"))) : STR_NONE;
}

struct str
git_usual_base(struct arena *a, const struct repository *r)
{
	static const char *const preferred[] = { "refs/remotes/origin/HEAD ", "refs/heads/main ",
						 "refs/remotes/origin/main ", "refs/heads/master ",
						 "refs/remotes/origin/master " };
	struct git_job job = { .args = { "for-each-ref", "--format=%(refname) %(symref)",
					 "refs/remotes/origin/HEAD", "refs/remotes/origin/main",
					 "refs/remotes/origin/master", "refs/heads/main",
					 "refs/heads/master" } };

	/* Whoever asks next is told what is wrong with the repository. */
	if (git_run_good(a, r, &job, 1, IGNORED) < 0)
		return STR("main");
	for (size_t i = 0; i < COUNT_OF(preferred); i++) {
		struct str rest = buf_str(&job.out), line;

		while (str_next(&rest, '\n', &line)) {
			struct str base = line;

			/* origin/HEAD counts by its target, which the others do not have. */
			if (!str_skip(&base, preferred[i]))
				continue;
			if (base.n == 0 && i > 0)
				base = str_before(line, ' ');
			if ((str_skip(&base, "refs/heads/") || str_skip(&base, "refs/remotes/")) &&
			    git_is_commit_name(base))
				return str_copy(a, base);
		}
	}
	return STR("main");
}

bool
ancestor_ask(struct arena *a, struct git_job *job, struct str commit, struct str of)
{
	if (!git_is_commit_name(commit) || !git_is_commit_name(of))
		return false;
	git_args(job, GIT_ARGS("merge-base", "--is-ancestor", "--end-of-options", str_copy(a, commit).s,
			       str_copy(a, of).s));
	return true;
}

enum git_answer
ancestor_read(struct arena *a, const struct repository *r, const struct git_job *job, struct err *err)
{
	if (job->code == 0 || job->code == 1)
		return job->code == 0 ? ANSWER_YES : ANSWER_NO;
	/* Git fails in the same way for a commit that does not exist: then the answer is no. */
	for (size_t i = 3; job->args[i]; i++) {
		enum git_answer exists = git_has_commit(a, r, str_from(job->args[i]), err);

		if (exists != ANSWER_YES)
			return exists;
	}
	return git_unknown(job, err);
}

enum git_answer
git_is_ancestor(struct arena *a, const struct repository *r, struct str commit, struct str of,
		struct err *err)
{
	struct git_job job = { 0 };

	if (!ancestor_ask(a, &job, commit, of))
		return ANSWER_NO;
	return git_run(a, r, &job, 1, err) < 0 ? ANSWER_UNKNOWN : ancestor_read(a, r, &job, err);
}

enum git_answer
git_has_commit(struct arena *a, const struct repository *r, struct str commit, struct err *err)
{
	struct git_job job = { .args = { "rev-parse", "--quiet", "--verify", "--end-of-options",
					 str_cat(a, commit, "^{commit}").s } };

	if (!git_is_commit_name(commit))
		return ANSWER_NO;
	if (git_run(a, r, &job, 1, err) < 0)
		return ANSWER_UNKNOWN;
	if (job.code > 1)
		return git_unknown(&job, err);
	return job.code == 0 ? ANSWER_YES : ANSWER_NO;
}
