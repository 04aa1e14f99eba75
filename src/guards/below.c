/* SPDX-License-Identifier: MIT */
/* Effects on files that are not named one by one: everything below a directory, or what was chosen there by a pattern. */
#include "guards/rules.h"

#include "base/glob.h"

/* Questions to git about one directory. */
#define QUESTIONS_MAX 16

/* Is one of the patterns for the file, or for a directory above it? */
static bool
is_among(const struct str_list *patterns, struct str below)
{
	for (size_t i = 0; i < patterns->count; i++) {
		struct str pattern = path_tidy(patterns->items[i]), rest = below, part;

		if (str_starts(pattern, STR("./")))
			pattern = str_rest(pattern, 2);
		if (glob_match(pattern, below) || glob_match(pattern, str_rest(below, 1)))
			return true;
		while (str_next(&rest, '/', &part))
			if (part.n > 0 && glob_match(pattern, part))
				return true;
	}
	return false;
}

/* Does the command look at it? */
static bool
passes(const struct effect_filter *f, struct str below)
{
	if (f->skips_hidden && str_find(below, STR("/.")) >= 0)
		return false;
	if (f->only.count > 0 && !is_among(&f->only, path_base(below)))
		return false;
	return !is_among(&f->except, below);
}

/* What git tracks is shared with everybody who has the repository. Is it a secret? */
static bool
check_secret_below(struct guard_case *c, const struct effect *e, struct str path, struct str below)
{
	bool is_tracked = path_below(path, c->request->root).s &&
			  git_tracks(c->arena, &c->repository, path, IGNORED) == ANSWER_YES;

	bool is_late = false;

	if (is_tracked ||
	    (e->filter.skips_ignored && !guard_unsaved(c, path, STR_NONE, false, &is_late).s && !is_late))
		return false;
	struct str how = e->filter.how
				 ? str_cat(c->arena, "; ", e->filter.how, path_base(path), "' leaves it out")
				 : STR("");
	enum sh_act_id id = e->search.s ? SH_SECRET_SEARCH : SH_SECRET_TREE;

	if (e->search.s && !guard_would_print(c->arena, path, e->search))
		return false;
	guard_break(c, id,
		    str_cat(c->arena, "This ", sh_act(id)->what, " ", str_rest(below, 1),
			    ", which holds secrets", how));
	return true;
}

static void
check_lost(struct guard_case *c, const struct effect *e, struct str dir)
{
	struct str named = e->named;

	if (e->path.is_unknown) {
		guard_unknown(c, STR("where it deletes is not in the command line"));
	} else if (path_below(c->request->root, dir).s) {
		guard_break(c, SH_OUTSIDE, STR("This deletes files outside of the project"));
	} else if (path_is_at_or_below(dir, c->request->root)) {
		guard_loses(c, SH_UNSAVED, dir, named, false);
		if (e->takes_below && named.s)
			guard_loses(c, SH_UNSAVED, dir,
				    str_cat(c->arena, named, str_starts(named, STR("/")) ? "/*" : "/**"),
				    false);
	}
}

/* Keys of the user, where all of the home directory is read. */
static void
check_home(struct guard_case *c, const struct effect *e, struct str dir)
{
	static const struct str names[] = { STR("/.ssh"), STR("/.aws"), STR("/.gnupg"), STR("/.netrc") };
	struct str home = c->request->home;

	for (size_t i = 0; home.s && path_is_at_or_below(home, dir) && i < COUNT_OF(names); i++) {
		struct str path = path_join(c->arena, home, str_sub(names[i], 1, names[i].n));

		if (guard_kind(path) != FS_NOTHING && passes(&e->filter, names[i]))
			(void)check_secret_below(c, e, path, names[i]);
	}
}

bool
guard_is_setting(const struct guard_case *c, struct str path, bool is_deleted)
{
	static const char settings[] =
		".claude/settings.json .claude/settings.local.json .claude/hooks .claude/CLAUDE.md "
		".claude/skills .claude/agents .claude/commands .claude/plugins .claude.json "
		".codex/config.toml "
		".codex/hooks .codex/hooks.json .codex/rules .codex/AGENTS.md .gemini/settings.json "
		".gemini/hooks .gemini/extensions .qwen/settings.json .qwen/hooks .copilot/config.json "
		".copilot/hooks .copilot/settings.json .github/hooks .cursor/hooks.json .cursor/hooks "
		".config/holdfast .local/state/holdfast holdfast.yml .git/hooks .git/info/holdfast";
	const struct str places[] = { c->request->root, c->request->home };

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		struct str rest = str_from(settings), one, below = path_below(path, places[i]);

		while (places[i].s && below.s && str_next(&rest, ' ', &one))
			if (path_is_at_or_below(below, one) ||
			    (is_deleted && path_is_at_or_below(one, below)))
				return true;
	}
	return false;
}

void
guard_check_below(struct guard_case *c, const struct effect *e, struct str dir)
{
	bool is_needed = e->kind != EFFECT_READ || (!c->ignores_secrets && guard_has(c, SH_SECRET_TREE));
	/* elsewhere, keys of installed packages would be found */
	bool is_here = path_is_at_or_below(dir, c->request->root) ||
		       path_is_at_or_below(c->request->root, dir);
	struct str_list found = is_needed && is_here ? guard_below(c, dir) : (struct str_list){ 0 };

	size_t questions = 0;

	if (is_needed && e->kind == EFFECT_READ && !e->named.s)
		check_home(c, e, dir);
	for (size_t i = 0; i < found.count; i++) {
		struct str path = found.items[i], below = str_rest(path, str_is(dir, "/") ? 0 : dir.n);

		/* a pattern that begins with a slash is for the path below; `*` in it stands for slashes, too */
		if (e->named.s && !glob_match(e->named, e->named.s[0] == '/' ? below : path_base(below)))
			continue;
		if (e->kind == EFFECT_READ) {
			/* one is enough to say so */
			if (guard_is_secret(path) && passes(&e->filter, below) &&
			    (++questions > QUESTIONS_MAX || check_secret_below(c, e, path, below)))
				break;
		} else {
			struct guard_case inner = *c;

			/* a change of all files does not mean the secrets among them */
			inner.ignores_secrets |= !e->named.s;
			guard_check_path(&inner, e->kind == EFFECT_WRITE ? EFFECT_WRITE : EFFECT_DELETE,
					 path);
		}
	}
	if (e->kind == EFFECT_DELETE || e->kind == EFFECT_EMPTY)
		check_lost(c, e, dir);
}
