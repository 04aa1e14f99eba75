/* SPDX-License-Identifier: MIT */
/* The built-in set `destructive`: a table of commands that lose work or cannot be taken back, by program, leading words and
 * options. */
#include "guards/effects.h"

#define GIT_KEEP "commit or `git stash` the changes first, or ask the user"

struct act_row {
	struct act act;
	const char *words;   /* program and leading words; | separates alternatives of a word */
	const char *options; /* one of these, separated by blanks; NULL: any */
	const char *without; /* none of these; NULL: none */
};

static const struct act_row acts[] = {
	{ { "git-reset-hard", ACT_DENY, "throws away changes that are not committed", GIT_KEEP, "--hard" },
	  "git reset",
	  "--hard --merge",
	  NULL },
	{ { "git-checkout-force", ACT_DENY, "throws away changes that are not committed", GIT_KEEP,
	    "--force" },
	  "git checkout|switch",
	  "-f --force --discard-changes",
	  NULL },
	{ { "git-restore", ACT_DENY, "throws away changes that are not committed", GIT_KEEP, NULL },
	  "git restore",
	  NULL,
	  "--staged -S" },
	{ { "git-restore", ACT_DENY, "throws away changes that are not committed", GIT_KEEP, "--worktree" },
	  "git restore",
	  "--worktree -W",
	  NULL },
	{ { "git-clean", ACT_DENY, "deletes files that git does not have",
	    "look with `git clean -n`, and remove files by name", "--force" },
	  "git clean",
	  "-f --force",
	  "-n --dry-run" },
	{ { "git-stash-drop", ACT_DENY, "deletes stashed changes", "keep the stash, or ask the user", NULL },
	  "git stash drop|clear",
	  NULL,
	  NULL },
	{ { "git-push-force", ACT_DENY, "overwrites commits on the remote",
	    "push without force, or use --force-with-lease", "--force" },
	  "git push",
	  "-f --force --mirror --delete -d --prune",
	  NULL },
	{ { "git-no-verify", ACT_DENY, "skips the project's own checks", "fix what the hooks report",
	    "--no-verify" },
	  "git commit|push|merge|am|rebase|cherry-pick",
	  "--no-verify",
	  NULL },
	{ { "git-no-verify", ACT_DENY, "skips the project's own checks", "fix what the hooks report",
	    "--no-verify" },
	  "git commit",
	  "-n",
	  NULL },
	{ { "git-branch-delete", ACT_DENY, "deletes a branch that may not be merged",
	    "use `git branch -d`, which refuses that", "-D" },
	  "git branch",
	  "-D",
	  NULL },
	{ { "git-branch-delete", ACT_DENY, "deletes a branch that may not be merged",
	    "use `git branch -d`, which refuses that", "--force" },
	  "git branch",
	  "--force -f -M -C",
	  NULL },
	{ { "git-update-ref", ACT_DENY, "deletes or moves references by hand",
	    "use `git branch` or `git tag`", NULL },
	  "git update-ref",
	  NULL,
	  NULL },
	{ { "git-update-ref", ACT_DENY, "deletes or moves references by hand",
	    "use `git branch` or `git tag`", NULL },
	  "git symbolic-ref",
	  "-d --delete",
	  NULL },
	{ { "git-checkout-index", ACT_DENY, "throws away changes that are not committed", GIT_KEEP,
	    "--force" },
	  "git checkout-index",
	  "-f --force",
	  NULL },
	{ { "git-read-tree", ACT_DENY, "throws away changes that are not committed", GIT_KEEP, "--reset" },
	  "git read-tree",
	  "--reset",
	  NULL },
	{ { "git-mv-force", ACT_DENY, "overwrites a file", "use `git mv` without -f", "--force" },
	  "git mv",
	  "-f --force",
	  NULL },
	{ { "git-submodule-deinit", ACT_DENY, "deletes submodules with their changes",
	    "use it without --force", "--force" },
	  "git submodule deinit",
	  "-f --force",
	  NULL },
	{ { "git-clean", ACT_DENY, "lets `git clean` delete without a question", "leave the setting alone",
	    NULL },
	  "git config clean.requireForce|clean.requireforce",
	  NULL,
	  "--get --unset" },
	{ { "git-reflog", ACT_DENY, "deletes the way back to lost commits", "leave the reflog alone", NULL },
	  "git reflog expire|delete",
	  NULL,
	  NULL },
	{ { "git-gc", ACT_DENY, "deletes what could still be restored", "run `git gc` without --prune",
	    "--prune" },
	  "git gc",
	  "--prune --aggressive",
	  NULL },
	{ { "git-gc", ACT_DENY, "deletes what could still be restored", "leave that to `git gc`", NULL },
	  "git prune",
	  NULL,
	  "-n --dry-run" },
	{ { "git-worktree-remove", ACT_DENY, "deletes a work tree with changes", "remove it without --force",
	    "--force" },
	  "git worktree remove",
	  "-f --force",
	  NULL },
	{ { "git-rm-force", ACT_DENY, "deletes files with changes", "use `git rm` without -f", "--force" },
	  "git rm",
	  "-f --force",
	  "--cached" },
	{ { "git-rewrite", ACT_DENY, "rewrites the history", "ask the user", NULL },
	  "git filter-branch|filter-repo",
	  NULL,
	  NULL },
	{ { "git-hooks", ACT_DENY, "turns off the project's own checks", "fix what the hooks report", NULL },
	  "git config core.hooksPath|core.hookspath",
	  NULL,
	  "--get" },
	{ { "git-hooks", ACT_DENY, "turns off the project's own checks", "fix what the hooks report", NULL },
	  "git config set core.hooksPath|core.hookspath",
	  NULL,
	  NULL },
	{ { "disk", ACT_DENY, "destroys what is on a disk", "ask the user", NULL },
	  "mkfs|mke2fs|wipefs|fdisk|sfdisk|parted|mkswap|blkdiscard",
	  NULL,
	  NULL },
	{ { "shutdown", ACT_DENY, "stops the machine", "ask the user", NULL },
	  "shutdown|reboot|halt|poweroff",
	  NULL,
	  NULL },
	{ { "crontab", ACT_DENY, "deletes the user's jobs", "ask the user", "-r" }, "crontab", "-r", NULL },
	{ { "docker", ACT_ASK, "deletes containers, images or volumes with their data", "ask the user",
	    NULL },
	  "docker|podman system|volume|image|container|builder prune",
	  NULL,
	  NULL },
	{ { "docker", ACT_ASK, "deletes volumes with their data", "ask the user", NULL },
	  "docker|podman volume rm|remove",
	  NULL,
	  NULL },
	{ { "docker", ACT_ASK, "deletes volumes with their data", "run it without -v", "-v" },
	  "docker|podman compose down",
	  "-v --volumes",
	  NULL },
	{ { "docker", ACT_ASK, "deletes volumes with their data", "run it without -v", "-v" },
	  "docker-compose down",
	  "-v --volumes",
	  NULL },
	{ { "cluster", ACT_ASK, "deletes resources of a cluster", "ask the user", NULL },
	  "kubectl|oc|helm delete|uninstall",
	  NULL,
	  NULL },
	{ { "infrastructure", ACT_ASK, "destroys infrastructure", "ask the user", NULL },
	  "terraform|tofu|pulumi destroy",
	  NULL,
	  NULL },
	{ { "cloud", ACT_ASK, "deletes data in the cloud", "ask the user", "--recursive" },
	  "aws s3 rm|rb",
	  NULL,
	  NULL },
	{ { "database", ACT_ASK, "deletes a database", "ask the user", NULL },
	  "dropdb|dropuser",
	  NULL,
	  NULL },
	{ { "repository", ACT_ASK, "deletes a repository or a release", "ask the user", NULL },
	  "gh repo|release delete",
	  NULL,
	  NULL },
	{ { "publish", ACT_ASK, "publishes, which can't be taken back", "ask the user", NULL },
	  "npm|yarn|pnpm|bun|cargo|poetry|gem|twine|uv publish|unpublish|push|upload|yank",
	  NULL,
	  NULL },
};

static bool
is_alternative(struct str list, struct str word)
{
	struct str one;

	while (str_next(&list, '|', &one))
		if (str_eq(one, word))
			return true;
	return false;
}

/* mkfs.ext4 is mkfs too. */
static struct str
first_part(struct str program)
{
	ptrdiff_t dot = str_find_char(program, '.');

	return dot > 0 ? str_sub(program, 0, (size_t)dot) : program;
}

static bool
has_words(const struct words *w, const char *wanted)
{
	struct str rest = str_from(wanted), one;
	size_t i = 0;

	while (str_next(&rest, ' ', &one)) {
		if (i >= w->count || !is_alternative(one, i == 0 ? first_part(w->items[0]) : w->items[i]))
			return false;
		i++;
	}
	return true;
}

/* Is one of the words there, as it is? */
static bool
has_exactly(const struct sh_command *c, const char *options)
{
	struct str rest = str_from(options), one;

	while (options && str_next(&rest, ' ', &one))
		for (size_t i = 1; i < c->count; i++)
			if (str_eq(c->args[i].text, one) ||
			    (one.n == 2 && c->args[i].text.n > 2 && c->args[i].text.s[0] == '-' &&
			     c->args[i].text.s[1] != '-' && str_find_char(c->args[i].text, one.s[1]) > 0))
				return true;
	return false;
}

static bool
has_one_of(const struct sh_command *c, const char *options)
{
	struct str rest = str_from(options), one;

	while (options && str_next(&rest, ' ', &one)) {
		char text[32];

		memcpy(text, one.s, one.n);
		text[one.n] = '\0';
		if (has_option(c, text))
			return true;
	}
	return false;
}

/* +refs and :refs of a push are a force and a deletion. */
static bool
forces_by_refspec(const struct words *w)
{
	for (size_t i = 3; i < w->count; i++)
		if (w->items[i].n > 1 && (w->items[i].s[0] == '+' || w->items[i].s[0] == ':'))
			return true;
	return false;
}

/* git checkout -- files, git checkout ., git checkout REVISION -- files */
static bool
checks_out_files(const struct sh_command *c, const struct words *w)
{
	for (size_t i = 1; i < c->count; i++)
		if (str_is(c->args[i].text, "--") && i + 1 < c->count)
			return true;
	return w->count > 2 &&
	       (str_is(w->items[w->count - 1], ".") || str_starts(w->items[w->count - 1], STR("./")) ||
		str_starts(w->items[w->count - 1], STR(":/")));
}

static bool
turns_off_hooks(const struct sh_command *c)
{
	static const struct str marks[] = { STR("HUSKY=0"), STR("HUSKY_SKIP_HOOKS=1"), STR("LEFTHOOK=0") };

	for (size_t i = 0; i < c->assignments.count; i++)
		if (str_is_among(c->assignments.items[i], marks, COUNT_OF(marks)) ||
		    str_starts(c->assignments.items[i], STR("SKIP=")) ||
		    (str_starts(c->assignments.items[i], STR("GIT_CONFIG_KEY_")) &&
		     str_find(c->assignments.items[i], STR("=core.hooks")) > 0))
			return true;
	for (size_t i = 1; i < c->count; i++)
		if (str_starts(c->args[i].text, STR("core.hooksPath=")) ||
		    str_starts(c->args[i].text, STR("core.hookspath=")))
			return true;
	return false;
}

/* git show HEAD:file > file */
static bool
overwrites_shown(const struct sh_command *c)
{
	for (size_t i = 2; i < c->count; i++) {
		ptrdiff_t colon = str_find_char(c->args[i].text, ':');
		struct str path = str_sub(c->args[i].text, (size_t)(colon + 1), c->args[i].text.n);

		for (size_t k = 0; colon > 0 && path.n > 0 && k < c->file_count; k++)
			if (c->files[k].is_written && !c->files[k].is_appended &&
			    (str_eq(c->files[k].path.text, path) ||
			     str_ends(path, str_sub(c->files[k].path.text,
						    str_starts(c->files[k].path.text, STR("./")) ? 2 : 0,
						    c->files[k].path.text.n))))
				return true;
	}
	return false;
}

/* git -c clean.requireForce=false clean */
static bool
cleans_unasked(const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (str_is_word(c->args[i].text, "clean.requireforce=false") ||
		    str_is_word(c->args[i].text, "clean.requireforce=0"))
			return true;
	return false;
}

/* chmod -R 777 /, kill -9 -1 */
static bool
is_everything(const struct sh_command *c)
{
	bool is_rights = str_is(sh_program(c), "chmod") || str_is(sh_program(c), "chown") ||
			 str_is(sh_program(c), "chgrp");

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (is_rights && has_option(c, "-R") &&
		    (str_is(t, "/") || str_is(t, "/*") || str_is(t, "/etc") || str_is(t, "/usr")))
			return true;
		if (i > 1 && str_is(sh_program(c), "kill") && str_is(t, "-1"))
			return true;
	}
	return false;
}

static bool
writes_device(const struct sh_command *c)
{
	for (size_t i = 0; i < c->file_count; i++)
		if (c->files[i].is_written && str_starts(c->files[i].path.text, STR("/dev/")) &&
		    (str_find(c->files[i].path.text, STR("/sd")) >= 0 ||
		     str_find(c->files[i].path.text, STR("/nvme")) >= 0 ||
		     str_find(c->files[i].path.text, STR("/disk")) >= 0 ||
		     str_find(c->files[i].path.text, STR("/vd")) >= 0))
			return true;
	for (size_t i = 1; i < c->count && str_is(sh_program(c), "dd"); i++)
		if (str_starts(c->args[i].text, STR("of=/dev/")) && !str_is(c->args[i].text, "of=/dev/null"))
			return true;
	return false;
}

static const struct act push_refspec = { "git-push-force", ACT_DENY,
					 "overwrites or deletes commits on the remote",
					 "push without + and : in the name of the branch", "+" };
static const struct act checkout_files = { "git-checkout-files", ACT_DENY,
					   "throws away changes that are not committed", GIT_KEEP, "--" };
static const struct act apply_back = { "git-apply-reverse", ACT_ASK,
				       "takes back changes, which may not be committed", GIT_KEEP,
				       "--reverse" };
static const struct act clean_unasked = { "git-clean", ACT_DENY, "deletes files that git does not have",
					  "look with `git clean -n`, and remove files by name", NULL };
static const struct act no_hooks = { "git-no-verify", ACT_DENY, "skips the project's own checks",
				     "fix what the hooks report", NULL };
static const struct act everything = { "everything", ACT_DENY, "changes everything on the machine",
				       "name what you mean", NULL };
static const struct act device = { "disk", ACT_DENY, "destroys what is on a disk", "ask the user", NULL };

const struct act *
act_of(const struct sh_command *c)
{
	struct words w = words_of(c);

	if (writes_device(c))
		return &device;
	if (c->is_wrapper || w.count == 0)
		return NULL;
	for (size_t i = 0; i < COUNT_OF(acts); i++) {
		const struct act_row *row = &acts[i];

		if (has_words(&w, row->words) && (!row->options || has_one_of(c, row->options)) &&
		    !has_exactly(c, row->without))
			return &row->act;
	}
	if (str_is(w.items[0], "git") && w.count > 1) {
		bool commits = str_is(w.items[1], "commit") || str_is(w.items[1], "push");

		if (str_is(w.items[1], "push") && forces_by_refspec(&w))
			return &push_refspec;
		if (str_is(w.items[1], "checkout") && checks_out_files(c, &w))
			return &checkout_files;
		if (commits && turns_off_hooks(c))
			return &no_hooks;
		if (str_is(w.items[1], "clean") && cleans_unasked(c) && !has_exactly(c, "-n --dry-run -i"))
			return &clean_unasked;
		if ((str_is(w.items[1], "show") || str_is(w.items[1], "cat-file")) && overwrites_shown(c))
			return &checkout_files;
		if (str_is(w.items[1], "apply") && c->is_piped && has_one_of(c, "-R --reverse"))
			return &apply_back;
	}
	return is_everything(c) ? &everything : data_act_of(c);
}
