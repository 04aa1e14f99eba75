/* SPDX-License-Identifier: MIT */
/* Rules about paths: protected ones, places for new files, secrets, and what a deletion would lose. */
#include "guards/rules.h"

#include "base/path.h"
#include "base/pathglob.h"
#include "guards/effects.h"
#include "model/gate.h"

/* ---- patterns ---- */

/* Does the text, without wildcards, name the path or a directory above it? */
static bool
is_literal_match(struct str text, struct str path)
{
	if (str_find_char(text, '/') >= 0) {
		if (text.s[0] == '/')
			text = str_sub(text, 1, text.n);
		return path_is_at_or_below(path, text);
	}
	for (struct str rest = path, part; str_next(&rest, '/', &part);)
		if (str_eq(part, text))
			return true;
	return false;
}

static struct str
pattern_text(struct str text)
{
	if (text.n > 0 && text.s[0] == '!')
		text = str_sub(text, 1, text.n);
	if (text.n > 1 && text.s[0] == '.' && text.s[1] == '/')
		text = str_sub(text, 1, text.n);
	while (text.n > 1 && text.s[text.n - 1] == '/')
		text.n--;
	return text;
}

static bool
is_literal(char c)
{
	return c != '*' && c != '?' && c != '[' && c != '{' && c != '\\';
}

/* How much of the text comes before the first wildcard. */
static size_t
literal_length(struct str text)
{
	size_t n = 0;

	while (n < text.n && is_literal(text.s[n]))
		n++;
	return n;
}

/* Does the path differ from the text before the first wildcard? Only a text with a slash begins at the root. */
static bool
is_elsewhere(struct str text, struct str path)
{
	size_t skip = text.s[0] == '/', n = skip;

	while (n < text.n && n - skip < path.n && text.s[n] == path.s[n - skip] && is_literal(text.s[n]))
		n++;
	return n < text.n && is_literal(text.s[n]) && str_find_char(text, '/') >= 0;
}

static bool
matches(struct arena *a, struct str rule, struct str path)
{
	struct str text = pattern_text(rule);

	/* of a thousand rules, most are out here */
	if (text.n == 0 || is_elsewhere(text, path))
		return false;
	if (literal_length(text) == text.n)
		return is_literal_match(text, path);
	struct gate_patterns g = gate_patterns_of(a, &(struct str_list){ &text, 1 });

	return gate_patterns_have(&g, path);
}

/* Could something below the directory match? */
static bool
holds(const struct guard_case *c, struct str rule, struct str relative, struct str path)
{
	struct str text = pattern_text(rule);
	size_t literal = literal_length(text);

	if (str_find_char(text, '/') < 0)
		return literal == text.n &&
		       c->world->kind(c->world->data, path_join(c->arena, path, text)) != GUARD_NOTHING;
	if (text.s[0] == '/')
		text = str_sub(text, 1, text.n);
	if (relative.n == 0)
		return true;
	return str_starts(str_sub(text, 0, literal), str_fmt(c->arena, STR_FMT "/", STR_ARG(relative)));
}

/* ---- protect ---- */

/* The path from the root; absent: it is not below the root. Empty: the root, or above it. */
static struct str
relative_of(const struct guard_case *c, struct str path)
{
	if (str_eq(path, c->request->root) || path_is_at_or_below(c->request->root, path))
		return STR("");
	return path_below(path, c->request->root);
}

/* The last rule that matches decides. */
static void
check_protected(struct guard_case *c, struct str path, struct str subject, bool is_deleted)
{
	const struct guard_rule_list *list = &c->config->protect;
	struct str relative = relative_of(c, path);
	size_t found = SIZE_MAX;

	for (size_t i = 0; relative.s && i < list->count; i++) {
		struct str text = guard_rule_text(&list->items[i]);
		bool is_match = (relative.n > 0 && matches(c->arena, text, relative)) ||
				(is_deleted && holds(c, text, relative, path));
		struct guard_rule rule = is_match ? guard_rule_of(&list->items[i]) : (struct guard_rule){ 0 };

		if (is_match && guard_is_for(c, &rule))
			found = str_starts(text, STR("!")) ? SIZE_MAX : i;
	}
	if (found == SIZE_MAX)
		return;
	struct guard_rule rule = guard_rule_of(&list->items[found]);
	struct str shown = relative.n > 0 ? relative : subject;

	guard_find(c, GUARD_DENY, str_fmt(c->arena, "protect[%zu]", found), subject,
		   rule.message.s ? rule.message
				  : str_fmt(c->arena,
					    STR_FMT " is protected by '" STR_FMT
						    "' in holdfast.yml and may not be changed. "
						    "Leave it as it is, or ask the user to change it.",
					    STR_ARG(shown), STR_ARG(rule.text)));
}

/* ---- create ---- */

static void
check_created(struct guard_case *c, struct str path, struct str subject)
{
	const struct guard_rule_list *list = &c->config->create;
	struct str relative = path_below(path, c->request->root), message = STR_NONE;
	bool is_allowed = true, has_rule = false;
	size_t last = 0;
	struct buf places = BUF(c->arena, SIZE_MAX);

	if (!relative.s || path_is_at_or_below(relative, STR(".git")) ||
	    c->world->kind(c->world->data, path) != GUARD_NOTHING)
		return;
	for (size_t i = 0; i < list->count; i++) {
		struct guard_rule rule = guard_rule_of(&list->items[i]);
		bool takes_out = str_starts(rule.text, STR("!"));

		if (!guard_is_for(c, &rule))
			continue;
		/* where the first takes out, it takes out of everything */
		if (!has_rule)
			is_allowed = takes_out;
		has_rule = true;
		if (!takes_out)
			buf_addf(&places, "%s" STR_FMT, places.n > 0 ? ", " : "", STR_ARG(rule.text));
		if (matches(c->arena, rule.text, relative)) {
			is_allowed = !takes_out;
			last = i;
		}
		message = rule.message.s ? rule.message : message;
	}
	if (!has_rule || is_allowed)
		return;
	guard_find(c, GUARD_DENY, str_fmt(c->arena, "create[%zu]", last), subject,
		   message.s       ? message
		   : places.n == 0 ? str_fmt(c->arena,
					     "No new file may be made at " STR_FMT
					     " (guards.create in holdfast.yml). Change a "
					     "file that exists, or choose another place.",
					     STR_ARG(relative))
				   : str_fmt(c->arena,
					     "New files may only be made in " STR_FMT
					     " (guards.create in holdfast.yml), not at " STR_FMT
					     ". Choose such a place, or change a file that exists.",
					     STR_ARG(buf_str(&places)), STR_ARG(relative)));
}

/* ---- one file ---- */

static void
check_secret(struct guard_case *c, struct str path, struct str subject, bool is_read)
{
	if (!c->has_secrets || !guard_is_secret(path))
		return;
	/* a new one may be made, from an example for instance */
	if (!is_read && c->world->kind(c->world->data, path) == GUARD_NOTHING)
		return;
	guard_find(c, GUARD_DENY, STR("secrets"), subject,
		   str_fmt(c->arena,
			   STR_FMT " holds secrets and may not be %s. Use an example file, or ask the user "
				   "for what you need to know.",
			   STR_ARG(path_base(path)), is_read ? "read" : "changed"));
}

void
guard_check_read(struct guard_case *c, struct str path, struct str subject)
{
	check_secret(c, path, subject, true);
}

void
guard_check_write(struct guard_case *c, struct str path, struct str subject)
{
	check_protected(c, path, subject, false);
	check_secret(c, path, subject, false);
	if (c->config->create.count > 0)
		check_created(c, path, subject);
}

void
guard_check_delete(struct guard_case *c, struct str path, struct str subject)
{
	check_protected(c, path, subject, true);
	check_secret(c, path, subject, false);
}

/* ---- loss of work ---- */

static bool
is_temporary(const struct guard_case *c, struct str path)
{
	static const struct str dirs[] = { STR("/tmp"), STR("/var/tmp"), STR("/dev/shm"),
					   STR("/private/tmp") };
	struct str home = c->request->home;

	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		struct str rest = path_below(path, dirs[i]), root = path_below(c->request->root, dirs[i]);
		struct str top, own = STR_NONE;

		if (!rest.s || !str_next(&rest, '/', &top))
			continue;
		/* what is beside a project in /tmp belongs to it */
		if (!root.s || !str_next(&root, '/', &own) || !str_eq(top, own))
			return true;
	}
	return home.s && path_is_at_or_below(path, path_join(c->arena, home, STR(".cache")));
}

/* What is lost if everything at and below the path is deleted. */
static void
check_loss(struct guard_case *c, struct str path, struct str subject)
{
	struct arena *a = c->arena;
	struct str root = c->request->root, relative = path_below(path, root), unsaved;
	const char *instead = "Commit first, or name the files that you made yourself.";

	if (path_is_at_or_below(root, path) ||
	    (c->request->home.s && path_is_at_or_below(c->request->home, path)))
		guard_find(c, GUARD_DENY, STR("destructive"), subject,
			   str_fmt(a, "This deletes " STR_FMT ", with the whole project. Name what you mean.",
				   STR_ARG(path)));
	else if (relative.s && path_is_at_or_below(relative, STR(".git")))
		guard_find(
			c, GUARD_DENY, STR("destructive"), subject,
			STR("This deletes what git keeps: commits, branches and stashes. Leave .git alone."));
	else if (!relative.s && !is_temporary(c, path))
		guard_find(c, GUARD_DENY, STR("destructive"), subject,
			   str_fmt(a, "This deletes " STR_FMT ", which is not in the project. Ask the user.",
				   STR_ARG(path)));
	else if (relative.s && (unsaved = c->world->unsaved(c->world->data, a, path, STR_NONE)).s)
		guard_find(c, GUARD_DENY, STR("destructive"), subject,
			   str_fmt(a, "This deletes " STR_FMT ", whose content git does not have. %s",
				   STR_ARG(unsaved), instead));
}

/* rm *: everything that is here */
static bool
is_everything(struct str text)
{
	struct str name = path_base(text);

	return str_is(name, "*") || str_is(name, ".*") || str_is(name, "**") || str_is(name, ".[!.]*") ||
	       str_is(name, "*.*");
}

static void
check_deleted(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str path,
	      struct str subject)
{
	struct str name = path_base(path);

	if (!c->is_destructive || e->is_move)
		return;
	if (e->path.has_glob && is_everything(e->path.text)) {
		struct str parent = path_parent(path);

		check_loss(c, parent.s ? parent : path, subject);
		return;
	}
	bool is_in_git = path_below(path, c->request->root).s &&
			 path_is_at_or_below(path_below(path, c->request->root), STR(".git"));

	if (e->kind == EFFECT_DELETE && !e->is_recursive && !is_in_git && !e->path.is_unknown)
		return;
	if (e->path.is_unknown && command->is_fed && sh_has_hole(str_sub(e->path.text, 0, 1))) {
		guard_unknown(c, subject,
			      STR("what it deletes comes from a list that is not in the command line"));
		return;
	}
	if (e->path.is_unknown && str_find_char(name, '*') >= 0) {
		/* rm -rf dir/$x may be all of dir; rm -rf $x may be anything */
		struct str parent = path_parent(path);
		bool is_open = sh_has_hole(str_sub(e->path.text, 0, 1)) || str_eq(parent, c->request->root) ||
			       !parent.s;

		if (!e->is_recursive)
			return;
		if (is_open)
			guard_unknown(c, subject, STR("what it deletes is not in the command line"));
		else
			check_loss(c, is_temporary(c, path) ? path : parent, subject);
		return;
	}
	check_loss(c, path, subject);
}

/* ---- effects ---- */

static void
check_one(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str path)
{
	struct arena *a = c->arena;
	struct str subject = guard_shown(a, command), real = c->world->real(c->world->data, a, path);

	if (str_is(real, "/dev/null") || str_starts(real, STR("/dev/std")) || str_is(real, "/dev/tty"))
		return;
	if (e->named.s) {
		guard_check_below(c, e, real, subject);
		return;
	}
	bool is_below = e->is_recursive &&
			(e->kind == EFFECT_READ || (e->is_chosen && e->kind != EFFECT_DELETE));

	if (is_below && c->world->kind(c->world->data, real) == GUARD_DIRECTORY)
		guard_check_below(c, e, real, subject);
	if (e->must_exist && c->world->kind(c->world->data, real) == GUARD_NOTHING)
		return;
	if (e->may_be_dir && c->world->kind(c->world->data, real) == GUARD_DIRECTORY)
		real = c->world->real(c->world->data, a, path_join(a, real, path_base(path_tidy(e->source))));
	switch (e->kind) {
	case EFFECT_READ:
		guard_check_read(c, real, subject);
		break;
	case EFFECT_WRITE:
		guard_check_write(c, real, subject);
		if (e->is_recursive && path_below(real, c->request->root).s)
			check_protected(c, real, subject, true);
		break;
	case EFFECT_EMPTY:
		guard_check_write(c, real, subject);
		if (c->is_destructive && path_below(real, c->request->root).s &&
		    c->world->kind(c->world->data, real) != GUARD_NOTHING)
			check_loss(c, real, subject);
		break;
	case EFFECT_DELETE:
		guard_check_delete(c, real, subject);
		/* of a link, the link is deleted */
		check_deleted(c, command, e, e->is_recursive ? path : real, subject);
		break;
	}
}

/* Holes as wildcards. */
static struct str
with_wildcards(struct arena *a, struct str text)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < text.n; i++)
		buf_addc(&b, text.s[i] == SH_HOLE || text.s[i] == SH_HOLE_ENV ? '*' : text.s[i]);
	return buf_str(&b);
}

/* Is it what another command has chosen, and nothing made of it? */
static bool
is_selection(const struct sh_command *command, struct str text)
{
	return command->selection && text.n > 0 && text.s[text.n - 1] == SH_HOLE &&
	       (text.n == 1 || text.s[text.n - 2] == '/') && !sh_has_hole(str_sub(text, 0, text.n - 1));
}

static void
check_selection(struct guard_case *c, const struct sh_command *command, const struct effect *e)
{
	struct sh_command inner = *command;
	struct effects effects = { 0 };
	struct effect like = *e;

	like.takes_below = e->is_recursive;
	inner.cwd = command->selection->cwd;
	inner.may_be_elsewhere = command->selection->may_be_elsewhere;
	inner.selection = NULL;
	inner.is_fed = false;
	/* a formatter for all files is everyday work; what it has changed is compared afterwards */
	if (e->kind == EFFECT_WRITE && e->must_exist)
		return;
	effects_of_selection(c->arena, command->selection, &like, &effects);
	for (size_t i = 0; !e->is_move && i < effects.count; i++)
		guard_check_effect(c, &inner, &effects.items[i]);
}

static void
check_from(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str cwd)
{
	struct arena *a = c->arena;
	bool has_glob = e->path.has_glob || e->path.is_unknown;
	struct str text = e->path.is_unknown ? with_wildcards(a, e->path.text) : e->path.text;
	struct str path = path_normalise(a, path_from(a, with_wildcards(a, cwd), text));

	if (!path.s)
		return;
	check_one(c, command, e, path);
	/* where the name itself is unknown, it may be any */
	if (!has_glob || sh_has_hole(path_base(e->path.text)) || e->path.text.n == 0)
		return;
	struct str_list found = c->world->matches(c->world->data, a, path);

	for (size_t i = 0; i < found.count; i++) {
		struct effect one = *e;

		/* a wildcard of the shell matches no dot at the start of a name */
		if (!e->path.is_unknown && str_starts(path_base(found.items[i]), STR(".")) &&
		    !str_starts(path_base(path), STR(".")))
			continue;

		/* of what a pattern matches, each is a file with a name; that all of them are meant is said above */
		one.path = (struct sh_arg){ .text = found.items[i], .source = e->path.source };
		if (e->path.is_unknown && e->kind == EFFECT_DELETE)
			one.is_move = true;
		check_one(c, command, &one, found.items[i]);
	}
}

void
guard_check_effect(struct guard_case *c, const struct sh_command *command, const struct effect *e)
{
	if (e->path.text.n == 0)
		return;
	if (is_selection(command, e->path.text)) {
		check_selection(c, command, e);
		return;
	}
	check_from(c, command, e, command->cwd);
	if (command->may_be_elsewhere && !path_is_absolute(e->path.text) && e->kind != EFFECT_READ)
		check_from(c, command, e, c->request->cwd);
}
