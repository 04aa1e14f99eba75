/* SPDX-License-Identifier: MIT */
/* Effects on files that are not named one by one: everything below a directory, or what was chosen there by a pattern. */
#include "guards/rules.h"

#include "base/glob.h"
#include "base/path.h"
#include "guards/effects.h"

/* Questions to git about one directory. */
#define QUESTIONS_MAX 16

/* A pattern that begins with a slash is for the path below the directory; `*` in it stands for slashes, too. */
static bool
is_named(const struct effect *e, struct str below)
{
	if (!e->named.s)
		return true;
	if (str_starts(e->named, STR("/")))
		return glob_match(e->named, below);
	return glob_match(e->named, path_base(below));
}

/* Is one of the patterns for the file, or for a directory above it? */
static bool
is_among(const struct str_list *patterns, struct str below)
{
	for (size_t i = 0; i < patterns->count; i++) {
		struct str pattern = path_tidy(patterns->items[i]), rest = below, part;

		if (str_starts(pattern, STR("./")))
			pattern = str_sub(pattern, 2, pattern.n);
		if (glob_match(pattern, below) || glob_match(pattern, str_sub(below, 1, below.n)))
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
check_secret_below(struct guard_case *c, const struct effect *e, struct str path, struct str below,
		   struct str subject)
{
	if (c->world->tracks(c->world->data, path) ||
	    (e->filter.skips_ignored && !c->world->unsaved(c->world->data, c->arena, path, STR_NONE).s))
		return false;
	struct str how = e->filter.how ? str_fmt(c->arena, "Leave it out with %s" STR_FMT "', or name",
						 e->filter.how, STR_ARG(path_base(path)))
				       : STR("Name");

	guard_find(c, GUARD_DENY, STR("secrets"), subject,
		   str_fmt(c->arena,
			   "This reads " STR_FMT ", which holds secrets. " STR_FMT " what you mean.",
			   STR_ARG(str_sub(below, 1, below.n)), STR_ARG(how)));
	return true;
}

static void
check_lost(struct guard_case *c, const struct effect *e, struct str dir, struct str subject)
{
	struct arena *a = c->arena;
	struct str unsaved;

	if (!c->is_destructive)
		return;
	if (e->path.is_unknown) {
		guard_unknown(c, subject, STR("where it deletes is not in the command line"));
		return;
	}
	if (path_below(c->request->root, dir).s) {
		guard_find(c, GUARD_DENY, STR("destructive"), subject,
			   STR("This deletes files outside of the project. Name a directory in it."));
		return;
	}
	if (!path_is_at_or_below(dir, c->request->root))
		return;
	unsaved = c->world->unsaved(c->world->data, a, dir, e->named);
	if (!unsaved.s && e->takes_below && e->named.s)
		unsaved = c->world->unsaved(c->world->data, a, dir,
					    str_fmt(a, STR_FMT "%s", STR_ARG(e->named),
						    str_starts(e->named, STR("/")) ? "/*" : "/**"));
	if (unsaved.s)
		guard_find(c, GUARD_DENY, STR("destructive"), subject,
			   str_fmt(a,
				   "This deletes " STR_FMT
				   ", whose content git does not have. Commit first, or name the files that "
				   "you made yourself.",
				   STR_ARG(unsaved)));
}

/* Keys of the user, where all of the home directory is read. */
static void
check_home(struct guard_case *c, const struct effect *e, struct str dir, struct str subject)
{
	static const struct str names[] = { STR("/.ssh"), STR("/.aws"), STR("/.gnupg"), STR("/.netrc") };
	struct str home = c->request->home;

	for (size_t i = 0; home.s && path_is_at_or_below(home, dir) && i < COUNT_OF(names); i++) {
		struct str path = path_join(c->arena, home, str_sub(names[i], 1, names[i].n));

		if (c->world->kind(c->world->data, path) != GUARD_NOTHING && passes(&e->filter, names[i]))
			(void)check_secret_below(c, e, path, names[i], subject);
	}
}

void
guard_check_below(struct guard_case *c, const struct effect *e, struct str dir, struct str subject)
{
	bool is_needed = e->kind != EFFECT_READ || c->has_secrets;
	/* elsewhere, keys of installed packages would be found */
	bool is_here = path_is_at_or_below(dir, c->request->root) ||
		       path_is_at_or_below(c->request->root, dir);
	struct str_list found = is_needed && is_here ? c->world->below(c->world->data, c->arena, dir)
						     : (struct str_list){ 0 };

	size_t questions = 0;

	if (is_needed && e->kind == EFFECT_READ && !e->named.s)
		check_home(c, e, dir, subject);
	for (size_t i = 0; i < found.count; i++) {
		struct str path = found.items[i], below = str_sub(path, str_is(dir, "/") ? 0 : dir.n, path.n);

		if (!is_named(e, below))
			continue;
		if (e->kind == EFFECT_READ) {
			/* one is enough to say so */
			if (guard_is_secret(path) && passes(&e->filter, below) &&
			    (++questions > QUESTIONS_MAX || check_secret_below(c, e, path, below, subject)))
				break;
		} else if (e->kind == EFFECT_WRITE)
			guard_check_write(c, path, subject);
		else
			guard_check_delete(c, path, subject);
	}
	if (e->kind == EFFECT_DELETE || e->kind == EFFECT_EMPTY)
		check_lost(c, e, dir, subject);
}
