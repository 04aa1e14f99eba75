/* SPDX-License-Identifier: MIT */
/* Chooses what is compared. In the usual case git resolves the names itself while it compares. Only if it fails is it
 * asked which commits exist, and the best of them is used instead. Never compares anything itself. */
#include "git/git_spawn.h"

#define END "--end-of-options"

/* Git knows the empty tree even if it is not stored; its name depends on the hash. */
#define EMPTY_TREE_SHA256 "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"

static void
set_args(struct comparison *c, const char *first, const char *second, const char *third)
{
	c->args[0] = first;
	c->args[1] = second;
	c->args[2] = third;
}

static int
check_name(const char *what, struct str name, struct err *err)
{
	if (git_is_commit_name(name))
		return 0;
	return err_set(err, ERR_VALUE, "%s '" STR_FMT "' is no name of a commit", what, STR_ARG(name));
}

static struct str
commit_named(struct arena *a, struct str name)
{
	return str_cat(a, name, "^{commit}");
}

struct str
git_branch_ref(struct arena *a, struct str name)
{
	if (str_is(name, "HEAD") || str_starts(name, STR("refs/")) || is_object_name(name))
		return str_copy(a, name);
	return str_cat(a, "refs/", str_starts(name, STR("origin/")) ? "remotes" : "heads", "/", name);
}

const char *
empty_tree_beside(struct str object)
{
	return object.n == STR(EMPTY_TREE_SHA256).n ? EMPTY_TREE_SHA256 : GIT_EMPTY_TREE;
}

int
comparison_make(struct arena *a, const struct change_spec *spec, struct comparison *ret, struct err *err)
{
	struct comparison c = { .has_files = spec->mode != CHANGES_CI && spec->mode != CHANGES_COMMIT };
	struct str head = spec->head.s ? spec->head : STR("HEAD");

	switch (spec->mode) {
	case CHANGES_LOCAL:
		if (check_name("base branch", spec->base, err) < 0)
			return -1;
		c.base_used = str_copy(a, spec->base);
		set_args(&c, "--merge-base", END, git_branch_ref(a, spec->base).s);
		break;
	case CHANGES_CI:
		if (check_name("base branch", spec->base, err) < 0 || check_name("head", head, err) < 0)
			return -1;
		c.base_used = str_copy(a, spec->base);
		set_args(&c, END, str_cat(a, git_branch_ref(a, spec->base), "...", head).s, NULL);
		break;
	case CHANGES_COMMIT:
		if (check_name("commit", spec->commit, err) < 0)
			return -1;
		c.is_of_commit = true;
		c.base_used = str_cat(a, spec->commit, "^");
		set_args(&c, END, commit_named(a, spec->commit).s, NULL);
		break;
	case CHANGES_UNCOMMITTED:
		c.base_used = STR("uncommitted");
		set_args(&c, END, "HEAD", NULL);
		break;
	case CHANGES_SINCE:
		if (check_name("commit", spec->commit, err) < 0)
			return -1;
		c.base_used = c.commit = str_copy(a, spec->commit);
		set_args(&c, END,
			 str_is(c.commit, GIT_EMPTY_TREE) || str_is(c.commit, EMPTY_TREE_SHA256)
				 ? c.commit.s
				 : commit_named(a, c.commit).s,
			 NULL);
		break;
	}
	*ret = c;
	return 0;
}

void
comparison_since(struct comparison *c, struct str commit)
{
	c->commit = commit;
	set_args(c, END, commit.s, NULL);
}

void
comparison_args(struct git_job *job, const struct comparison *c)
{
	git_args(job, c->args);
	git_arg(job, "--");
}

/* Names to ask for; the first that exists is used. */
#define CANDIDATES_MAX 16
struct candidates {
	struct str names[CANDIDATES_MAX];
	struct str objects[CANDIDATES_MAX]; /* absent: it does not exist */
	size_t count;
};
enum { AT_HEAD, AT_OWN_HEAD, AT_EMPTY, AT_EMPTY_SHA256, AT_BASE, AT_BASE_REMOTE, AT_BASE_ANY };

static void
add_candidate(struct candidates *c, struct str name)
{
	c->names[c->count++] = name;
}

/* Asks for all of them at once. Fails if this is not a repository. */
static int
find_candidates(struct arena *a, const struct repository *r, struct candidates *c, struct err *err)
{
	struct git_job job = { .args = { "cat-file", "--batch-check=%(objectname) %(objecttype)" } };
	struct buf input = BUF(a, KIB(64));

	for (size_t i = 0; i < c->count; i++)
		buf_cat(&input, c->names[i], "\n");
	job.input = buf_str(&input);
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	struct str rest = buf_str(&job.out), line;

	for (size_t i = 0; i < c->count && str_next(&rest, '\n', &line); i++)
		if (str_ends(line, STR(" commit")) || str_ends(line, STR(" tree")))
			c->objects[i] = str_copy(a, str_before(line, ' '));
	return 0;
}

static void
list_candidates(struct arena *a, const struct change_spec *spec, struct candidates *c)
{
	static const char *const usual[] = { "origin/HEAD", "origin/main", "origin/master", "main",
					     "master" };
	struct str head = spec->mode == CHANGES_CI && spec->head.s ? spec->head : STR("HEAD");
	struct str local = spec->base;

	add_candidate(c, commit_named(a, head));
	add_candidate(c, STR("HEAD^{commit}"));
	add_candidate(c, STR(GIT_EMPTY_TREE));
	add_candidate(c, STR(EMPTY_TREE_SHA256));
	if (spec->mode == CHANGES_UNCOMMITTED)
		return;
	add_candidate(c, commit_named(a, git_branch_ref(a, spec->base)));
	add_candidate(c, commit_named(a, str_cat(a, "refs/remotes/", spec->base)));
	add_candidate(c, commit_named(a, spec->base));
	/* A clone may have only the local or only the remote branch. */
	add_candidate(c, commit_named(a, str_skip(&local, "origin/") ? local : str_cat(a, "origin/", local)));
	for (size_t i = 0; i < COUNT_OF(usual); i++)
		add_candidate(c, commit_named(a, str_from(usual[i])));
	add_candidate(c, str_cat(a, head, "^"));
}

/* The merge base; absent if the histories have nothing in common, or if a shallow clone hides what they have. */
static int
find_common(struct arena *a, const struct repository *r, struct str one, struct str other, struct str *ret,
	    struct err *err)
{
	struct git_job job = { .args = { "merge-base", END, one.s, other.s } };

	if (git_run(a, r, &job, 1, err) < 0)
		return -1;
	if (job.code > 1)
		return git_error(&job, err);
	*ret = job.code == 0 ? git_line(a, &job) : STR_NONE;
	return 0;
}

static int
compare_with_base(struct arena *a, const struct repository *r, const struct change_spec *spec,
		  const struct candidates *c, struct str empty, struct comparison *ret, struct err *err)
{
	struct str head = c->objects[AT_HEAD].s ? c->objects[AT_HEAD] : c->objects[AT_OWN_HEAD];
	size_t chosen = AT_BASE;

	/* The first that exists. If only commits are compared, the head itself is useless as a base. */
	while (chosen < c->count &&
	       (!c->objects[chosen].s ||
		(chosen > AT_BASE_ANY && spec->mode != CHANGES_LOCAL && str_eq(c->objects[chosen], head))))
		chosen++;
	bool is_found = chosen < c->count;
	struct str from = is_found ? c->objects[chosen] : empty, common = from;

	ret->base_used = STR("the empty tree");
	if (chosen <= AT_BASE_ANY) {
		ret->base_used = spec->base;
	} else if (is_found) {
		struct str name = c->names[chosen], end = STR("^{commit}");

		ret->base_used = str_ends(name, end) ? str_sub(name, 0, name.n - end.n) : name;
	}
	if (chosen > AT_BASE_ANY)
		ret->warning = str_cat(a, "base branch '", spec->base, "' does not exist: compared with ",
				       is_found ? "'" : "", ret->base_used, is_found ? "'" : "");
	else if (!c->objects[AT_HEAD].s)
		ret->warning = str_cat(a, "head '", spec->head, "' does not exist: HEAD is used instead");
	if (is_found && find_common(a, r, from, head, &common, err) < 0)
		return -1;
	if (!common.s) {
		common = from;
		ret->warning = str_cat(a, "'", ret->base_used,
				       "' has no commit in common with HEAD: compared with its files");
	}
	if (spec->mode == CHANGES_CI) {
		set_args(ret, END, common.s, head.s);
	} else {
		set_args(ret, END, common.s, NULL);
		ret->commit = common;
	}
	return 0;
}

int
comparison_fallback(struct arena *a, const struct repository *r, const struct change_spec *spec,
		    const struct git_job *job, struct comparison *ret, struct err *err)
{
	struct comparison c = { .has_files = ret->has_files, .base_used = STR("the empty tree") };
	struct candidates list = { 0 };

	if (spec->mode == CHANGES_COMMIT || spec->mode == CHANGES_SINCE) {
		(void)git_error(job, err);
		return err_wrap(err, "commit '" STR_FMT "'", STR_ARG(spec->commit));
	}
	list_candidates(a, spec, &list);
	if (find_candidates(a, r, &list, err) < 0)
		return -1;
	struct str empty = list.objects[list.objects[AT_EMPTY].s ? AT_EMPTY : AT_EMPTY_SHA256];
	bool has_commits = list.objects[AT_OWN_HEAD].s != NULL;

	/* With a HEAD, the working tree can be compared with it, so the problem is another one. */
	if (!empty.s ||
	    (spec->mode == CHANGES_UNCOMMITTED ? has_commits : spec->mode == CHANGES_CI && !has_commits))
		return git_error(job, err);
	if (!has_commits) {
		set_args(&c, END, empty.s, NULL);
		c.commit = empty;
	}
	if (has_commits && compare_with_base(a, r, spec, &list, empty, &c, err) < 0)
		return -1;
	*ret = c;
	return 0;
}
