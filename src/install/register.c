/* SPDX-License-Identifier: MIT */
/* Plans the change to a settings file, reports it, and writes it unless it is a dry run. A file that does not parse is
 * left alone. */
#include "install/register.h"

#include "model/block_cap.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/state_path.h"

struct plan {
	const struct register_request *request;
	struct settings_file *file;
	struct hooks_wanted hooks;
	struct settings_goal goal;
	struct settings_done done;
	struct str why_cap;
	struct buf *out;
};

/* A line of the report, made of pieces, as by str_cat(). */
#define add_line(out, what, ...) add_line_text((out), (what), str_cat((out)->arena, __VA_ARGS__))

static void
add_line_text(struct buf *out, const char *what, struct str text)
{
	buf_addf(out, "  %-9s " STR_FMT "\n", what, STR_ARG(text));
}

static const char *
dry_text(const struct register_request *r)
{
	return r->is_dry ? " (dry run: nothing is written)\n" : "\n";
}

/* The bare name where the shell finds it, else this program's own path. */
static struct str
own_program(struct arena *a)
{
	struct str self = env_self(a);

	return env_find_program(a, "holdfast").s || !self.s ? STR("holdfast") : self;
}

/* Which entries the file should have, and the difference to those that it has. */
static int
plan_changes(struct plan *p, struct err *err)
{
	const struct register_request *r = p->request;
	const struct client_settings *s = r->client->settings;
	struct settings_file *f = p->file;
	bool is_user = r->scope == SCOPE_USER;
	uint64_t blocks = project_facts_blocks(r->facts), have = 0;
	struct cap_warning warning;

	hooks_wanted(r->arena, r->client, is_user ? NULL : r->facts, &p->hooks);
	if (is_user && s->runs_equal_lines)
		p->hooks.items[0].words = str_cat(r->arena, p->hooks.items[0].words, " --user").s;
	if (s->has_status_message && !is_user)
		p->hooks.items[0].status_message = r->message;
	p->goal = (struct settings_goal){ .program = own_program(r->arena),
					  .kind = HOOK_HOLDFAST,
					  .hooks = p->hooks.items,
					  .count = p->hooks.count,
					  .is_guarded = true };
	/* Claude Code ends a turn without a word after its limit of blocks, so the limit is raised to what is configured. A
	 * limit that the user has set, in whatever file, is kept. */
	if (s->has_env && blocks != BLOCKS_ENDLESS &&
	    registry_cap_is_low(r->arena, r->registry, r->client, blocks, r->cwd, &warning) &&
	    !warning.is_users &&
	    (!f->has_cap || (settings_has_our_cap(f) && number_parse(f->cap, &have) && have < blocks))) {
		p->goal.cap = str_cat(r->arena, blocks);
		p->why_cap = warning.text;
	}
	return settings_edit(f, &p->goal, &p->done, err);
}

/* ---- the report ---- */

/* A duplicate is in another of the client's files, which registers holdfast with a different command line, so that the client
 * runs both. A rival in the file itself is refused; one in another of the client's files is only reported. */
static void
report_other_files(struct plan *p)
{
	const struct register_request *r = p->request;
	const struct registry_client *row = registry_find(r->registry, r->client);
	/* with runs_equal_lines the user's line always differs, and it alone decides */
	bool is_done = r->client->settings->runs_equal_lines;

	for (size_t i = 0; i < p->hooks.count; i++)
		for (size_t n = 0; n < row->count; n++)
			for (size_t k = 0; !is_done && k < row->files[n].hooks.count; k++) {
				const struct hook_change *c = &p->done.changes[i];
				const struct settings_file *other = &row->files[n];
				const struct hook_entry *h = &other->hooks.items[k];

				if (str_eq(other->path, p->file->path) || h->kind != HOOK_HOLDFAST ||
				    !str_is(h->event, c->event) || str_eq(h->command, c->command))
					continue;
				/* the other events are most likely duplicated, too */
				is_done = true;
				add_line(p->out, "note", path_shown(other->path, r->cwd),
					 " registers holdfast for ", c->event,
					 " with another command line, and both run; " KEEP_ONE_LINE);
			}
	for_each (file, row->files, row->count) {
		const struct hook_entry *rival = find_rival(r->client, &file->hooks);

		if (rival && !str_eq(file->path, p->file->path))
			add_line(p->out, "note", hook_kind_name(rival->kind), " is registered for ",
				 rival->event, " in ", path_shown(file->path, r->cwd), ": '", rival->command,
				 "'; each stop would be checked twice; 'holdfast init --replace",
				 file->scope == SCOPE_USER ? " --user" : "", "' removes it");
	}
}

static void
report(struct plan *p)
{
	static const char *const words[] = {
		[CHANGE_NONE] = "kept", [CHANGE_ADDED] = "added", [CHANGE_UPDATED] = "updated"
	};
	const struct register_request *r = p->request;
	const struct client_settings *s = r->client->settings;
	struct str plugin = registry_ralph_plugin(r->registry);
	const struct settings_file *off = registry_disabled_by(r->registry);
	struct str missing = r->scope == SCOPE_USER ? STR("") : hooks_missing(r->arena, r->client, r->facts);
	struct cap_warning warning;
	size_t width = 16;

	for (size_t i = 0; i < p->hooks.count; i++)
		if (strlen(p->hooks.items[i].event) > width)
			width = strlen(p->hooks.items[i].event);
	buf_cat(p->out, path_shown(p->file->path, r->cwd), dry_text(r));
	for_each (c, p->done.changes, p->hooks.count) {
		/* In full only where it was changed. */
		struct str command = c->kind == CHANGE_UPDATED ? c->command
							       : hook_shown(r->arena, c->command);

		buf_addf(p->out, "  %-9s %-*s  ", words[c->kind], (int)width, c->event);
		buf_cat(p->out, command, c->old.s ? " (" : "", c->old, c->old.s ? ")\n" : "\n");
	}
	if (missing.n > 0)
		add_line(p->out, "note", r->client->title, " has no event for what is configured at ",
			 missing);
	if (p->goal.cap.s)
		add_line(p->out, "set", "env ", r->client->block_cap_env, "=", p->goal.cap, ": ", p->why_cap);
	if (registry_cap_is_low(r->arena, r->registry, r->client, project_facts_blocks(r->facts), r->cwd,
				&warning))
		add_line(p->out, "note", warning.text, "; ", warning.fix);
	report_other_files(p);
	if (plugin.s && s->plugins_key)
		add_line(p->out, "note", "the plugin '", plugin,
			 "' has a Stop hook of its own for the same loop file; disable it in ",
			 r->client->title, ": /plugin");
	if (off && s->disable_key)
		add_line(p->out, "note", s->disable_key, " is true in ", path_shown(off->path, r->cwd),
			 ", so no hook runs at all; remove that key");
}

/* Appends to the message, because FILE:LINE:COLUMN must begin it. */
static int
not_changed(struct err *err)
{
	struct err why = *err;

	return err_set(err, why.code, "%s; the settings were not changed", why.msg);
}

int
register_hooks(const struct register_request *r, struct buf *out, const struct hook_entry **ret_rival,
	       struct err *err)
{
	struct settings_file *f = registry_own_file(r->registry, r->client, r->scope);
	struct str note;
	size_t reported = out->n;

	*ret_rival = NULL;
	if (!f)
		return err_set(err, ERR_VALUE, "there is no home directory, so there are no user settings");
	struct plan *p = arena_new(r->arena, struct plan);

	*p = (struct plan){ .request = r, .file = f, .out = out };
	if (settings_check(f, err) < 0)
		return not_changed(err);
	settings_drop_stale_record(f);
	*ret_rival = r->is_forced ? NULL : find_rival(r->client, &f->hooks);
	if (*ret_rival)
		return -1;
	if (plan_changes(p, err) < 0) {
		(void)err_wrap_file(err, str_copy(r->arena, f->path).s);
		return not_changed(err);
	}
	report(p);
	if (!settings_is_changed(f)) {
		buf_add(out, STR("Nothing to change.\n"));
	} else if (!r->is_dry) {
		if (settings_save(f, &note, err) < 0) {
			out->n = reported;
			return -1;
		}
		if (note.s)
			add_line(out, "note", note);
		buf_cat(out, "Next: ", r->client->settings->next,
			". Run 'holdfast doctor' to see what is active.\n");
	}
	return 0;
}

/* ---- the server ---- */

static int
put_server(const struct register_request *r, struct settings_file *f, struct str command, struct str *note,
	   struct err *err)
{
	const struct settings_goal goal = { .server = command };
	bool is_new = f->server == SERVER_MISSING;
	struct settings_done done;

	if (is_new)
		settings_drop_stale_record(f);
	if (settings_edit(f, &goal, &done, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, f->path).s);
	if (r->is_dry)
		return 0;
	return is_new ? settings_save(f, note, err) : settings_write(f, err);
}

void
register_server(const struct register_request *r, struct buf *out)
{
	struct settings_file *f = r->scope == SCOPE_PROJECT
					  ? registry_server_file(r->arena, r->registry, r->client,
								 r->facts->project)
					  : NULL;
	struct str command = own_program(r->arena), note = STR_NONE;
	struct err err;

	if (!f)
		return;
	struct str shown = path_shown(f->path, r->cwd);
	enum server_state was = f->server;
	bool is_toml = settings_is_toml(f),
	     is_current = was == SERVER_OURS && str_eq(f->server_command, command);

	if (settings_check(f, &err) == 0 && was == SERVER_OTHER) {
		buf_cat(out, "warning: ", shown, ": ",
			is_toml ? "it has a server 'holdfast', or servers to which no table can be added"
				: "the server 'holdfast' starts another program than holdfast",
			"; it was left alone\n");
		return;
	}
	if (settings_check(f, &err) < 0 || (!is_current && put_server(r, f, command, &note, &err) < 0)) {
		buf_cat(out, "warning: ", err.msg, "; the server 'holdfast mcp' was not registered\n");
		return;
	}
	buf_cat(out, shown, dry_text(r));
	add_line(out,
		 is_current           ? "kept"
		 : was == SERVER_OURS ? "updated"
				      : "added",
		 is_toml ? "mcp_servers" : SERVERS_KEY, ".holdfast  ", command, " mcp");
	if (note.s)
		add_line(out, "note", note);
	if (r->client->settings->server_note && !is_current)
		add_line(out, "note", str_from(r->client->settings->server_note));
}

/* ---- the status message ---- */

void
register_renew_status(struct registry *r, const char *message)
{
	const struct settings_goal goal = { .status = message };

	for (size_t i = 0; message && i < r->count; i++)
		for (int k = SCOPE_PROJECT; k <= SCOPE_LOCAL; k++) {
			const struct client *c = r->clients[i].client;
			struct settings_file *f = registry_own_file(r, c, (enum settings_scope)k);
			struct settings_done done;
			struct str note;
			struct err ignored; /* only the words in the client are older then */

			/* without a record, somebody registered the hook by hand */
			if (!f || !c->settings->has_status_message || !f->has_record ||
			    settings_check(f, &ignored) < 0)
				continue;
			(void)(settings_edit(f, &goal, &done, &ignored) == 0 && settings_is_changed(f) &&
			       settings_save(f, &note, &ignored) == 0);
		}
}

void
register_new_gates(struct arena *a, struct str cwd)
{
	struct project_facts *facts = arena_new(a, struct project_facts);
	struct registry *r = arena_new(a, struct registry);

	project_facts_load(a, cwd, facts);
	const char *message = gates_message(a, facts);

	if (!message)
		return;
	registry_load(a, facts->project, r);
	register_renew_status(r, message);
}

/* ---- taking over: nothing is lost. A file is copied before it changes, other hooks of the same programs stay, and no file of somebody
 * else is replaced by a link ---- */

/* Programs whose hooks holdfast takes over. */
#define TAKEN_KINDS \
	(1U << HOOK_CONCLAUDE | 1U << HOOK_GAUNTLET | 1U << HOOK_RALPH_SCRIPT | 1U << HOOK_LOOP_ALONE)

/* Copies the file to the state directory; *ret is where. */
static int
keep_copy(const struct settings_file *f, struct str *ret, struct err *err)
{
	struct arena *a = f->arena;

	*ret = state_path(
		a, "replaced",
		str_cat(a, project_slug(a, f->path), ".", clock_format_seconds(a, clock_real_us())));
	if (!ret->s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep a copy of " STR_FMT " in",
			       STR_ARG(f->path));
	return fs_make_parents(a, *ret, 0700, err) < 0 ? -1 : fs_replace(a, ret->s, f->text, 0600, err);
}

static int
take_over_file(const struct register_request *r, struct settings_file *f, unsigned *kinds, struct buf *out,
	       struct err *err)
{
	const struct settings_goal goal = { .disables_ralph = true, .forgets = true };
	struct buf lines = BUF(r->arena, MIB(1));
	struct settings_done done;
	struct str copy = STR_NONE, before = f->new_text;

	if (settings_check(f, err) < 0)
		return -1;
	for_each (h, f->hooks.items, f->hooks.count) {
		if (!(TAKEN_KINDS >> h->kind & 1))
			continue;
		h->is_unwanted = hook_is_known(r->client, h->event);
		buf_cat(&lines, h->is_unwanted ? "  removed   " : "  kept      ", h->event, "  ", h->command,
			h->is_unwanted ? "\n" : " (holdfast does not handle this event)\n");
		if (h->is_unwanted)
			*kinds |= 1U << h->kind;
	}
	if (settings_edit(f, &goal, &done, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, f->path).s);
	for (size_t i = 0; i < done.plugins.count; i++)
		buf_cat(&lines, "  disabled  the plugin ", done.plugins.items[i], "\n");
	if (lines.n == 0)
		return 0;
	if (r->is_dry) {
		f->new_text = before;
		settings_look(f);
	} else if (done.hooks + done.plugins.count > 0 &&
		   (keep_copy(f, &copy, err) < 0 || settings_write(f, err) < 0)) {
		return -1;
	}
	buf_cat(out, path_shown(f->path, r->cwd), dry_text(r), buf_str(&lines));
	if (copy.s)
		buf_cat(out, "  kept      the file as it was; to restore it: cp ",
			shell_quote(r->arena, copy), " ", shell_quote(r->arena, f->path), "\n");
	return 0;
}

int
takeover_settings(const struct register_request *r, unsigned *kinds, struct buf *out, struct err *err)
{
	const struct registry_client *row = registry_find(r->registry, r->client);

	for (size_t i = 0; i < row->count; i++)
		if ((row->files[i].scope == SCOPE_USER) == (r->scope == SCOPE_USER) &&
		    take_over_file(r, &row->files[i], kinds, out, err) < 0)
			return -1;
	return 0;
}

void
takeover_names(const struct register_request *r, unsigned kinds, struct buf *out)
{
	static const enum hook_kind programs[] = { HOOK_CONCLAUDE, HOOK_GAUNTLET };
	struct arena *a = r->arena;
	/* Where this program is found: in PATH, else its own path. */
	struct str self = env_self(a), in_path = env_find_program(a, "holdfast");
	struct str here = in_path.s && self.s && str_eq(fs_real(a, in_path.s), self) ? in_path : self;

	for (size_t i = 0; i < COUNT_OF(programs) && here.s; i++) {
		const char *name = hook_kind_name(programs[i]);
		struct str path = path_join(a, path_parent(here), str_from(name));
		struct str other = env_find_program(a, name);
		struct err err;

		if (!(kinds >> programs[i] & 1))
			continue;
		if (!other.s && fs_lkind(path.s) != FS_NOTHING)
			other = path;
		if (other.s && str_eq(fs_real(a, other.s), self))
			continue; /* it is one already */
		buf_cat(out, name, ": ");
		if (other.s)
			buf_cat(out, other,
				" is another program and stays; holdfast does not answer to that name\n");
		else if (r->is_dry)
			buf_cat(out, "would become a link to holdfast: ", path, "\n");
		else if (fs_symlink(str_copy(a, path_base(here)).s, path.s, &err) < 0)
			buf_cat(out, "no link to holdfast was made: ", err.msg, "\n");
		else
			buf_cat(out, "a link to holdfast was made: ", path, "\n");
	}
}
