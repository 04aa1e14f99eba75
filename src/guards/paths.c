/* SPDX-License-Identifier: MIT */
/* Rules about paths: protected ones, places for new files, secrets, and what a deletion would lose. */
#include "guards/rules.h"

#include "base/glob.h"
#include "model/gate.h"

/* ---- patterns ---- */

static struct str
pattern_text(struct str text)
{
	(void)str_skip(&text, "!");
	if (text.n > 1 && str_starts(text, STR("./")))
		text = str_rest(text, 1);
	while (text.n > 1 && str_ends(text, STR("/")))
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
	/* without wildcards, it names the path or a directory above it */
	if (literal_length(text) == text.n && str_find_char(text, '/') >= 0) {
		(void)str_skip(&text, "/");
		return path_is_at_or_below(path, text);
	}
	if (literal_length(text) == text.n) {
		struct str part = STR("");

		while (!str_eq(part, text) && str_next(&path, '/', &part))
			continue;
		return str_eq(part, text);
	}
	struct gate_patterns g = gate_patterns_of(a, &(struct str_list){ &text, 1 });

	return gate_patterns_have(&g, path);
}

/* Could something below the directory match? */
static bool
holds(const struct guard_case *c, struct str rule, struct str relative, struct str path)
{
	struct str text = pattern_text(rule);

	if (str_find_char(text, '/') < 0)
		return literal_length(text) == text.n &&
		       guard_kind(path_join(c->arena, path, text)) != FS_NOTHING;
	(void)str_skip(&text, "/");
	if (relative.n == 0)
		return true;
	return str_starts(str_sub(text, 0, literal_length(text)), str_cat(c->arena, relative, "/"));
}

/* ---- protect ---- */

/* The last rule that matches decides. */
static void
check_protected(struct guard_case *c, struct str path, bool is_deleted)
{
	const struct guard_rule_list *list = &c->config->protect;
	/* empty: the root, or above it; absent: it is not below the root */
	struct str relative = path_is_at_or_below(c->request->root, path)
				      ? STR("")
				      : path_below(path, c->request->root);

	for (size_t i = relative.s ? list->count : 0; i-- > 0;) {
		struct str text = guard_rule_text(&list->items[i]);

		if (!(relative.n > 0 && matches(c->arena, text, relative)) &&
		    !(is_deleted && holds(c, text, relative, path)))
			continue;
		struct guard_rule rule = guard_rule_of(&list->items[i]);
		struct str shown = relative.n > 0 ? relative : c->subject;

		if (!guard_is_for(c, &rule))
			continue;
		if (!str_starts(text, STR("!")))
			guard_find(c, GUARD_DENY, str_cat(c->arena, "protect[", i, "]"),
				   rule.message.s ? rule.message
						  : str_cat(c->arena, shown, " is protected by '", rule.text,
							    "' in holdfast.yml and may not be changed. Leave "
							    "it as it is, or ask the user to change it."));
		return;
	}
}

/* ---- create ---- */

static void
check_created(struct guard_case *c, struct str path)
{
	const struct guard_rule_list *list = &c->config->create;
	struct str relative = path_below(path, c->request->root), message = STR_NONE;
	bool is_allowed = true, has_rule = false;
	size_t last = 0;
	struct buf places = BUF(c->arena, SIZE_MAX);

	if (!relative.s || path_is_at_or_below(relative, STR(".git")) || guard_kind(path) != FS_NOTHING)
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
			buf_cat(&places, places.n > 0 ? ", " : "", rule.text);
		if (matches(c->arena, rule.text, relative)) {
			is_allowed = !takes_out;
			last = i;
		}
		message = rule.message.s ? rule.message : message;
	}
	if (!has_rule || is_allowed)
		return;
	guard_find(c, GUARD_DENY, str_cat(c->arena, "create[", last, "]"),
		   message.s       ? message
		   : places.n == 0 ? str_cat(c->arena, "No new file may be made at ", relative,
					     " (guards.create in holdfast.yml). Change a file that exists, "
					     "or choose another place.")
				   : str_cat(c->arena, "New files may only be made in ", buf_str(&places),
					     " (guards.create in holdfast.yml), not at ", relative,
					     ". Choose such a place, or change a file that exists."));
}

/* ---- secrets ---- */

/* Names of files, and of directories, all of which a recursive command reads. */
static const char secret_names[] =
	".env .env.* .envrc .dev.vars .secrets *.pem *.key *.p12 *.pfx *.jks *.keystore id_rsa* id_dsa* "
	"id_ecdsa* id_ed25519* .netrc _netrc .pypirc .npmrc .git-credentials .htpasswd .pgpass .my.cnf "
	".vault-token credentials.json secrets.yml secrets.yaml secrets.json secrets.toml .boto "
	"service-account*.json *.kdbx *.ovpn .dockercfg master.key *.tfstate .ssh .gnupg .aws";
static const char harmless[] =
	"*.example *.sample *.template *.dist *.pub *.defaults *.schema *.md .env.d.ts *cert*.pem *-crt.pem "
	"ca.pem *chain*.pem *public*.pem *.pub.pem";
static const char secret_places[] =
	"*/.ssh/* */.gnupg/* */.aws/credentials */.aws/config */.aws/sso/cache/* */.kube/config "
	"/etc/kubernetes/admin.conf */.docker/config.json */.config/gh/hosts.yml */.azure/* "
	"*/.config/gcloud/* */.cargo/credentials */.cargo/credentials.toml */.gem/credentials "
	"*/.config/containers/auth.json */.config/pypoetry/auth.toml */.config/glab-cli/config.yml "
	"*/Library/Keychains/* */.local/share/keyrings/* */.password-store/* /etc/shadow /etc/gshadow "
	"/proc/*/environ";
static const char harmless_places[] =
	"*/known_hosts* */.ssh/config */.ssh/config.d/* */.ssh/authorized_keys* */.gnupg/*.conf";

bool
guard_is_secret(struct str path)
{
	struct str name = path_base(path);

	return (glob_match_any(secret_names, name) || glob_match_any(secret_places, path)) &&
	       !glob_match_any(harmless, name) && !glob_match_any(harmless_places, path);
}

/* ---- one file ---- */

void
guard_check_path(struct guard_case *c, enum effect_kind kind, struct str path)
{
	/* keys and certificates are for use: by ssh, openssl and others */
	static const char key_names[] = "*.pem *.key *.p12 *.pfx *.jks *.keystore id_* *.ovpn *.kdbx";
	bool is_read = kind == EFFECT_READ || kind == EFFECT_USE;

	if (!is_read)
		check_protected(c, path, kind == EFFECT_DELETE);
	if (!is_read && !c->ignores_secrets && guard_is_setting(c, path, kind == EFFECT_DELETE))
		guard_break(c, SH_SETTINGS,
			    str_cat(c->arena, "This changes ", path,
				    ", one of the agent's own settings or hooks"));
	enum sh_act_id id = is_read ? SH_SECRET_READ : SH_SECRET_CHANGE;

	/* a new one may be made, from an example for instance */
	if (!c->ignores_secrets && guard_has(c, id) && guard_is_secret(path) &&
	    !(kind == EFFECT_USE && glob_match_any(key_names, path_base(path))) &&
	    (is_read || guard_kind(path) != FS_NOTHING || glob_match_any(secret_places, path)))
		guard_break(c, id,
			    str_cat(c->arena, "This ", sh_act(id)->what, " ", path_base(path),
				    ", which holds secrets"));
	if (!is_read && kind != EFFECT_DELETE && !c->ignores_new)
		check_created(c, path);
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
		/* what is next to a project in /tmp belongs to it */
		if (!root.s || !str_next(&root, '/', &own) || !str_eq(top, own))
			return true;
	}
	return home.s && path_is_at_or_below(path, path_join(c->arena, home, STR(".cache")));
}

static bool
is_in_git(const struct guard_case *c, struct str path)
{
	return path_is_at_or_below(path, path_join(c->arena, c->request->root, STR(".git")));
}

/* Has the line made it, or what is above it? */
static bool
is_made(const struct guard_case *c, struct str path)
{
	for (size_t i = 0; i < c->memory->made.count; i++)
		if (path_is_at_or_below(path, c->memory->made.items[i]))
			return guard_kind(path) == FS_NOTHING;
	return false;
}

/* What is lost if everything at and below the path is deleted, or overwritten. */
static void
check_loss(struct guard_case *c, enum sh_act_id id, struct str path, bool tracked_only)
{
	struct str root = c->request->root, home = c->request->home, relative = path_below(path, root);
	const struct str_list *moved = &c->memory->moved;

	/* what the line has moved there is still where it was */
	for (size_t i = 0; i + 1 < moved->count; i += 2)
		if (path_is_at_or_below(moved->items[i], path) || path_is_at_or_below(path, moved->items[i]))
			guard_loses(c, id, moved->items[i + 1], STR_NONE, tracked_only);
	if (is_made(c, path))
		return;
	if (path_is_at_or_below(root, path))
		guard_break(c, SH_WHOLE,
			    str_cat(c->arena, "This deletes ", path, ", with the whole project"));
	else if (home.s && path_is_at_or_below(home, path))
		guard_break(c, SH_WHOLE,
			    str_cat(c->arena, "This deletes ", path, ", with the home directory"));
	else if (is_in_git(c, path))
		guard_break(c, SH_GIT_DIR, str_cat(c->arena, "This ", sh_act(SH_GIT_DIR)->what));
	else if (relative.s)
		guard_loses(c, id, path, STR_NONE, tracked_only);
	else if (!is_temporary(c, path))
		guard_break(c, SH_OUTSIDE,
			    str_cat(c->arena, "This ", sh_act(SH_OUTSIDE)->what, " ", path,
				    ", which is not in the project"));
}

/* "$x"/y and $(cmd)/y: what comes after it, if the beginning is not known; absent: it is. */
static struct str
after_unknown(struct str text)
{
	size_t n = 0;

	while (n < text.n && sh_has_hole(str_sub(text, n, n + 1)))
		n++;
	return n > 0 ? str_rest(text, n) : STR_NONE;
}

/* Is it everything in a directory? */
static bool
is_everything(const struct sh_arg *path)
{
	return path->has_glob && str_is_word_of(path_base(path->text), "* .* ** .[!.]* *.* {*,.*}");
}

static void
check_deleted(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str path)
{
	struct str parent = path_parent(path);
	struct str after = after_unknown(e->path.text);
	bool is_unknown = e->path.is_unknown, is_all = is_everything(&e->path);
	bool is_of_git = is_in_git(c, path);
	bool is_open = after.s || (!path_is_absolute(e->path.text) && after_unknown(command->cwd).s);

	if (e->is_move) {
		/* mv ~ and mv ~/ * elsewhere, not each file of a loop */
		struct str dir = is_all && parent.s ? parent : path, home = c->request->home;

		if (!is_open && (!is_all || str_find_char(e->path.source, '*') >= 0) &&
		    (path_is_at_or_below(c->request->root, path) || str_is(dir, "/") || str_eq(dir, home)))
			check_loss(c, SH_UNSAVED, dir, false);
		return;
	}
	if (is_open && e->is_recursive && is_all && after.s && e->path.text.s[0] == SH_HOLE_ENV &&
	    after.n < 5)
		guard_break(c, SH_WHOLE,
			    STR("This deletes everything on the machine if the variable is empty"));
	else if (is_open && command->is_fed)
		guard_unknown(c, STR("what it deletes comes from a list that is not in the command line"));
	else if (is_open && (e->is_recursive || is_all))
		guard_unknown(c, STR("where it deletes is not in the command line"));
	else if (is_open)
		return;
	/* rm *: everything that is here */
	else if (is_all)
		check_loss(c, SH_UNSAVED, parent.s ? parent : path, false);
	/* a single file that is named */
	else if (!e->is_recursive && !is_unknown) {
		if ((guard_kind(path) != FS_NOTHING || is_of_git) &&
		    !(e->path.has_glob && str_find_char(path, '*') >= 0))
			check_loss(c, SH_UNSAVED, path, true);
	} else if (!is_unknown || str_find_char(path_base(path), '*') < 0)
		check_loss(c, SH_UNSAVED, path, false);
	else if (!e->is_recursive)
		return;
	/* rm -rf dir/$x may be all of dir */
	else if (!parent.s || str_eq(parent, c->request->root))
		guard_unknown(c, STR("what it deletes is not in the command line"));
	else
		check_loss(c, SH_UNSAVED, is_temporary(c, path) ? path : parent, false);
}

/* A file that is emptied, or that something else is written over. */
static void
check_overwritten(struct guard_case *c, const struct effect *e, struct str path)
{
	enum fs_kind kind = guard_kind(path);
	bool is_of_git = is_in_git(c, path) && str_find(path, STR("/objects/")) > 0;

	if (is_of_git || (!e->is_edit && kind != FS_DIR && kind != FS_NOTHING &&
			  !str_starts(path, STR("/dev/")) && !str_starts(path, STR("/proc/"))))
		check_loss(c, SH_OVERWRITE, path, true);
}

/* ---- effects ---- */

static void
check_one(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str path)
{
	struct arena *a = c->arena;
	struct str real = guard_real_in(c, path);

	if (str_is(real, "/dev/null") || str_starts(real, STR("/dev/std")) || str_is(real, "/dev/tty"))
		return;
	if (e->named.s) {
		guard_check_below(c, e, real);
		return;
	}
	bool is_below = e->is_recursive && (e->kind == EFFECT_READ || e->kind == EFFECT_USE ||
					    (e->is_chosen && e->kind != EFFECT_DELETE));

	if (is_below && guard_kind(real) == FS_DIR)
		guard_check_below(c, e, real);
	if (e->must_exist && guard_kind(real) == FS_NOTHING)
		return;
	if (e->may_be_dir && guard_kind(real) == FS_DIR)
		real = guard_real(c->arena, path_join(a, real, path_base(path_tidy(e->source))));
	if (e->kind != EFFECT_MAKE)
		guard_check_path(c, e->kind, real);
	bool is_here = path_below(real, c->request->root).s;

	if (e->kind == EFFECT_WRITE && e->is_recursive && is_here)
		check_protected(c, real, true);
	if (e->kind == EFFECT_WRITE || e->kind == EFFECT_EMPTY)
		check_overwritten(c, e, real);
	else if (e->kind == EFFECT_DELETE)
		/* of a link, the link is deleted */
		check_deleted(c, command, e, e->is_recursive ? path : real);
	if (e->kind == EFFECT_WRITE || e->kind == EFFECT_MAKE || e->kind == EFFECT_EMPTY)
		str_list_add_new(a, &c->memory->made, real);
	if (e->kind == EFFECT_WRITE && e->is_move && !sh_has_hole(e->source)) {
		struct str from = path_normalise(a, path_from(a, command->cwd, e->source));

		*arena_push(a, c->memory->moved.items, c->memory->moved.count) = real;
		*arena_push(a, c->memory->moved.items, c->memory->moved.count) = from.s ? from : path;
	}
}

static void
check_selection(struct guard_case *c, const struct sh_command *command, const struct effect *e)
{
	struct sh_command inner = *command;
	struct effects effects = { .arena = c->arena };
	struct effect like = {
		.kind = e->kind, .filter = e->filter, .search = e->search, .takes_below = e->is_recursive
	};

	inner.cwd = command->selection->cwd;
	inner.may_be_elsewhere = command->selection->may_be_elsewhere;
	inner.selection = NULL;
	inner.is_fed = false;
	/* a formatter for all files is everyday work; what it has changed is compared afterwards */
	if (e->is_move || (e->kind == EFFECT_WRITE && e->must_exist))
		return;
	/* neither does a program that does not print them */
	if (e->kind == EFFECT_READ && !e->is_printed)
		return;
	effects_of_selection(command->selection, &like, &effects);
	for (size_t i = 0; i < effects.count; i++)
		guard_check_effect(c, &inner, &effects.items[i]);
}

static void
check_from(struct guard_case *c, const struct sh_command *command, const struct effect *e, struct str cwd)
{
	struct arena *a = c->arena;
	bool has_glob = e->path.has_glob || e->path.is_unknown;
	struct str text = e->path.is_unknown ? guard_fill(a, e->path.text, "*") : e->path.text;
	struct str from = after_unknown(cwd).s ? str_cat(a, c->request->cwd, "/*") : guard_fill(a, cwd, "*");
	struct str path = path_normalise(a, path_from(a, from, text));

	if (!path.s)
		return;
	check_one(c, command, e, path);
	/* where the name itself is unknown, it may be any */
	if (!has_glob || sh_has_hole(path_base(e->path.text)) || e->path.text.n == 0)
		return;
	struct str_list found = guard_matches(a, path);
	struct guard_case inner = *c;

	inner.ignores_secrets |= is_everything(&e->path) && e->kind != EFFECT_READ && e->kind != EFFECT_USE;

	for (size_t i = 0; i < found.count; i++) {
		struct effect one = *e;

		/* a wildcard of the shell matches no dot at the start of a name */
		if (!e->path.is_unknown && str_starts(path_base(found.items[i]), STR(".")) &&
		    !str_starts(path_base(path), STR(".")))
			continue;

		/* of what a pattern matches, each is a file with a name; that all of them are meant is said above */
		one.path = (struct sh_arg){ .text = found.items[i], .source = e->path.source };
		if (e->path.is_unknown && e->kind != EFFECT_READ)
			continue;
		one.is_move |= is_everything(&e->path);
		check_one(&inner, command, &one, found.items[i]);
	}
}

void
guard_check_effect(struct guard_case *c, const struct sh_command *command, const struct effect *e)
{
	/* /dev/fd is what another command prints */
	if (e->path.text.n == 0 || str_starts(e->path.text, STR("/dev/fd/")))
		return;
	struct str text = e->path.text, start = str_sub(text, 0, text.n - 1);

	/* what another command has chosen, and nothing made of it */
	if (command->selection && sh_has_hole(str_rest(text, start.n)) &&
	    (start.n == 0 || str_ends(start, STR("/"))) && !sh_has_hole(start)) {
		check_selection(c, command, e);
		return;
	}
	check_from(c, command, e, command->cwd);
	if (command->may_be_elsewhere && !path_is_absolute(e->path.text) && e->kind != EFFECT_READ)
		check_from(c, command, e, c->request->cwd);
}
