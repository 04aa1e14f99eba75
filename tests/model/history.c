/* SPDX-License-Identifier: MIT */
/* What the user does with git. Most of it leaves the content as it is, or brings an earlier one back. */
#include "model.h"

static void
commit(const struct world *w)
{
	(void)world_sh(w, GIT_ADD "; git commit -q -m work");
}

static void
branch(const struct world *w, const struct event *e)
{
	static const char *const names[] = { "main", "work", "other", "--detach" };
	const char *name = names[e->what % 4];

	(void)world_sh(w, "git checkout -q %s 2>/dev/null || git checkout -q -b %s 2>/dev/null", name, name);
}

static void
merge(const struct world *w)
{
	(void)world_sh(w, "git merge-base --is-ancestor main HEAD && git branch -q -f main HEAD 2>/dev/null");
}

/* The settings of the client must not change: init and uninstall do that. */
#define WORK "src docs packages"
/* All branches have the first commit. */
#define HAS_PARENT "git rev-parse -q --verify HEAD~1"

static void
other(const struct world *w, const struct event *e)
{
	static const char *const scripts[] = {
		"git stash push -q -u -- " WORK,
		"git stash pop -q || { git checkout -q -f HEAD -- " WORK "; git reset -q; }",
		"git stash push -q -u -- " WORK " && git stash pop -q",
		HAS_PARENT " && git commit -q --amend --allow-empty -m amended",
		HAS_PARENT " && git diff --quiet HEAD && git revert --no-edit HEAD",
		"find " WORK " -type f -exec touch {} +",
		"git checkout -q HEAD -- " WORK,
		"git checkout -q -B copy",
		HAS_PARENT " && git reset -q --soft HEAD~1",
		"git add src",
	};

	(void)world_sh(w, "%s", scripts[(size_t)e->what % COUNT_OF(scripts)]);
}

void
play_git(struct play *p, const struct event *e)
{
	const struct world *w = &p->world;

	if (!p->config.has_git)
		return;
	if (e->kind == EV_COMMIT)
		commit(w);
	else if (e->kind == EV_BRANCH)
		branch(w, e);
	else if (e->kind == EV_MERGE)
		merge(w);
	else
		other(w, e);
}
