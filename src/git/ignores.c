/* SPDX-License-Identifier: MIT */
/* New rules by which git ignores files: those that the change adds, and those that no change shows. Git is asked what they hide only
 * where there are any. */
#include "git/git_spawn.h"

#include "os/env.h"
#include "os/fs.h"

#define CONFIG_LIMIT_BYTES MIB(1)

/* Was the file written since then, and does it mention the word, if one is given? */
static bool
is_newer(struct arena *a, struct str path, const char *word, int64_t since_ns)
{
	struct str text = STR_NONE;
	struct fs_facts facts;

	if (since_ns == 0 || !path.s || fs_facts(path.s, &facts) != FS_FILE || facts.changed_ns <= since_ns)
		return false;
	return !word || fs_read(a, path.s, CONFIG_LIMIT_BYTES, &text, IGNORED) < 0 ||
	       str_mentions(text, word);
}

bool
ignores_changed_outside(struct arena *a, const struct repository *r, int64_t since_ns)
{
	struct str dir = git_dir_above(a, r->root), own = env_xdg(a, "XDG_CONFIG_HOME", ".config");
	struct str shared = dir.s ? git_common_dir(a, dir) : STR_NONE, home = env_home(a);

	return (dir.s && is_newer(a, path_join(a, dir, STR("config.worktree")), "excludesfile", since_ns)) ||
	       (shared.s && (is_newer(a, path_join(a, shared, STR("info/exclude")), NULL, since_ns) ||
			     is_newer(a, path_join(a, shared, STR("config")), "[include", since_ns) ||
			     is_newer(a, path_join(a, shared, STR("config")), "excludesfile", since_ns))) ||
	       (own.s && is_newer(a, path_join(a, own, STR("git/ignore")), NULL, since_ns)) ||
	       (home.s && is_newer(a, path_join(a, home, STR(".gitconfig")), "excludesfile", since_ns));
}

/* The files in the work tree with new rules, and what was in each before. */
struct rule_files {
	struct str_list paths;
	struct str *before;
};

static int
find_rule_files(struct arena *a, const struct repository *r, const struct repo_status *s,
		struct rule_files *ret, struct err *err)
{
	const struct change_list *changes = &s->changes;
	size_t changed;

	for (size_t i = 0; i < changes->count; i++)
		if (str_is(path_base(changes->items[i]), ".gitignore"))
			*arena_push(a, ret->paths.items, ret->paths.count) = changes->items[i];
	changed = ret->paths.count;
	ret->before = arena_array(a, changed + s->own_rules.count, struct str);
	if (changed > 0 && changes->commit.s &&
	    git_read_texts(a, r, changes->commit, &ret->paths, ret->before, err) < 0)
		return -1;
	for (size_t i = 0; i < s->own_rules.count; i++)
		*arena_push(a, ret->paths.items, ret->paths.count) = s->own_rules.items[i];
	return 0;
}

static bool
is_new_rule(const struct rule_files *files, struct str source, struct str rule, bool is_outside_new)
{
	struct str line;
	size_t i = 0;

	while (i < files->paths.count && !str_eq(files->paths.items[i], source))
		i++;
	if (i == files->paths.count)
		return is_outside_new && !str_is(path_base(source), ".gitignore");
	for (struct str rest = files->before[i]; str_next(&rest, '\n', &line);)
		if (str_eq(str_trim(line), str_trim(rule)))
			return false;
	return true;
}

struct str
git_newly_ignored(struct arena *a, const struct repository *r, const struct repo_status *s, int64_t since_ns)
{
	struct git_job list = { .args = { "ls-files", "--others", "--ignored", "--exclude-standard",
					  "--directory", "-z" } };
	struct git_job why = { .args = { "check-ignore", "-v", "-z", "--stdin" } };
	bool is_outside_new = ignores_changed_outside(a, r, since_ns);
	struct rule_files files = { 0 };
	/* The source, the line, the rule and the path. */
	struct str first = STR_NONE, rest, field[4];
	size_t count = 0;

	if (find_rule_files(a, r, s, &files, IGNORED) < 0 || (files.paths.count == 0 && !is_outside_new) ||
	    git_run_good(a, r, &list, 1, IGNORED) < 0 || list.out.n == 0)
		return STR_NONE;
	why.input = buf_str(&list.out);
	if (git_run_good(a, r, &why, 1, IGNORED) < 0)
		return STR_NONE;
	rest = buf_str(&why.out);
	while (str_next(&rest, '\0', &field[0]) && str_next(&rest, '\0', &field[1]) &&
	       str_next(&rest, '\0', &field[2]) && str_next(&rest, '\0', &field[3])) {
		struct change_set shown = { .arena = a };

		/* Not the files of loops, whose rules are ours, and not the rules themselves. */
		change_set_read_untracked(&shown, str_cat(a, field[3], STR("\0")));
		if (shown.count == 0 || str_eq(field[0], field[3]) ||
		    !is_new_rule(&files, field[0], field[2], is_outside_new))
			continue;
		if (count++ == 0)
			first = str_cat(a, field[3], " (by '", field[2], "' in ", field[0], ")");
	}
	return count > 1 ? str_cat(a, first, " and ", count - 1, " more") : first;
}
