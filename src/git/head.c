/* SPDX-License-Identifier: MIT */
/* Where HEAD is, and yes-or-no questions about single commits. */
#include "git/git_spawn.h"

#include "os/fs.h"

#define HEAD_FILE_LIMIT_BYTES KIB(8)

#define REFLOG_LIMIT_BYTES MIB(16)

void
head_ask(struct arena *a, struct git_job *job, struct str base)
{
	/* Git omits from its answer what does not exist. */
	git_args(job, GIT_ARGS("rev-parse", "--show-cdup", "--revs-only", "HEAD^{commit}"));
	if (base.s)
		git_arg(job, str_cat(a, base, "...HEAD").s);
	git_args(job, GIT_ARGS("--symbolic-full-name", "HEAD"));
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

/* The commit; for "A...B" both names, then each merge base after a ^; at last the ref, which git omits if a tag is called HEAD. Several
 * merge bases are none: git compares with no one of them. */
int
head_read(struct arena *a, const struct repository *r, struct git_job *job, struct git_head *ret,
	  struct err *err)
{
	struct str answer = buf_str(&job->out), line;
	struct git_head head = { 0 };
	size_t base_count = 0;

	if (job->code != 0)
		return git_error(job, err);
	if (str_next(&answer, '\n', &line))
		head.up = str_copy(a, line);
	while (str_next(&answer, '\n', &line)) {
		if (str_starts(line, STR("^")))
			head.merge_base = base_count++ == 0 ? str_copy(a, str_rest(line, 1)) : STR_NONE;
		else if (!is_object_name(line))
			head.branch = utf8_clean(a, branch_of_ref(line));
		else if (!head.commit.s)
			head.commit = str_copy(a, line);
	}
	*ret = head;
	return head.branch.s ? 0 : ask_branch(a, r, ret, err);
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

struct str
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
	struct ref_files files = { .dir = git_dir_above(a, root) };
	struct str commit = STR_NONE;

	if (!files.dir.s)
		return STR_NONE;
	files.shared = git_shared_dir(a, files.dir);
	return ref_read(a, &files, STR("HEAD"), &commit, NULL) == ANSWER_YES ? commit : STR_NONE;
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

static const char *const usual_bases[] = { "refs/remotes/origin/HEAD",   "refs/heads/main",
					   "refs/remotes/origin/main",   "refs/heads/master",
					   "refs/remotes/origin/master", NULL };

/* The branch where a usual ref ends; absent: it is none. origin/HEAD counts only by what it is a link to. */
static struct str
branch_led_to(struct arena *a, struct str last)
{
	if (str_is(last, usual_bases[0]) ||
	    (!str_skip(&last, "refs/heads/") && !str_skip(&last, "refs/remotes/")) ||
	    !git_is_commit_name(last))
		return STR_NONE;
	return str_copy(a, last);
}

static struct str
ask_usual_base(struct arena *a, const struct repository *r)
{
	struct git_job job = { .args = { "for-each-ref", "--format=%(refname) %(symref)" } };
	struct str base = STR_NONE;

	git_args(&job, usual_bases);
	/* Whoever asks next is told what is wrong with the repository. */
	if (git_run_good(a, r, &job, 1, IGNORED) < 0)
		return STR_NONE;
	for (const char *const *usual = usual_bases; *usual && !base.s; usual++) {
		struct str rest = buf_str(&job.out), line;

		while (str_next(&rest, '\n', &line)) {
			struct str name = str_before(line, ' '), target = str_rest(line, name.n + 1);

			if (str_is(name, *usual))
				base = branch_led_to(a, target.n > 0 ? target : name);
		}
	}
	return base;
}

struct str
git_usual_base(struct arena *a, const struct repository *r)
{
	struct str base = STR_NONE, object, last;
	struct ref_files files;
	bool is_read = ref_files_find(a, r->root, &files);

	for (const char *const *usual = usual_bases; is_read && *usual && !base.s; usual++) {
		enum git_answer answer = ref_read(a, &files, str_from(*usual), &object, &last);

		is_read = answer != ANSWER_UNKNOWN;
		if (answer == ANSWER_YES)
			base = branch_led_to(a, last);
	}
	if (!is_read)
		base = ask_usual_base(a, r);
	return base.s ? base : STR("main");
}

/* The commit of that name, by the files of refs; absent: not known. */
static struct str
commit_in_files(struct arena *a, const struct repository *r, struct str name)
{
	struct str object = STR_NONE, ref = git_branch_ref(a, name);
	struct ref_files files;

	if (is_object_name(ref))
		return ref;
	return ref_files_find(a, r->root, &files) && ref_read(a, &files, ref, &object, NULL) == ANSWER_YES
		       ? object
		       : STR_NONE;
}

enum git_answer
ancestor_known(struct arena *a, const struct repository *r, struct question *q)
{
	struct str commit = commit_in_files(a, r, q->one), of = commit_in_files(a, r, q->other);

	if (!git_is_commit_name(q->one) || !git_is_commit_name(q->other))
		return ANSWER_NO;
	if (!commit.s || !of.s)
		return ANSWER_UNKNOWN;
	/* A name that was given may be that of no commit; what a ref names is one. */
	if (str_eq(commit, of) && !is_object_name(q->other))
		return ANSWER_YES;
	*q = (struct question){ .what = "ancestor", .one = commit, .other = of };
	struct str answer = answer_known(a, r, q);

	return !answer.s ? ANSWER_UNKNOWN : str_is(answer, "yes") ? ANSWER_YES : ANSWER_NO;
}

void
ancestor_ask(struct arena *a, struct git_job *job, const struct question *q)
{
	git_args(job, GIT_ARGS("merge-base", "--is-ancestor", "--end-of-options", str_copy(a, q->one).s,
			       str_copy(a, q->other).s));
}

enum git_answer
ancestor_read(struct arena *a, const struct repository *r, const struct git_job *job,
	      const struct question *q, struct err *err)
{
	const struct str names[] = { q->one, q->other };

	if (job->code == 0 || job->code == 1) {
		answer_keep(a, r, q, job->code == 0 ? STR("yes") : STR("no"));
		return job->code == 0 ? ANSWER_YES : ANSWER_NO;
	}
	/* Git fails in the same way for a commit that does not exist: then the answer is no. */
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		enum git_answer exists = git_has_commit(a, r, names[i], err);

		if (exists != ANSWER_YES)
			return exists;
	}
	return git_unknown(job, err);
}

enum git_answer
git_is_ancestor(struct arena *a, const struct repository *r, struct str commit, struct str of,
		struct err *err)
{
	struct question q = { .what = "ancestor", .one = commit, .other = of };
	enum git_answer answer = ancestor_known(a, r, &q);
	struct git_job job = { 0 };

	if (answer != ANSWER_UNKNOWN)
		return answer;
	ancestor_ask(a, &job, &q);
	return git_run(a, r, &job, 1, err) < 0 ? ANSWER_UNKNOWN : ancestor_read(a, r, &job, &q, err);
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
