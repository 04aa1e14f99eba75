/* SPDX-License-Identifier: MIT */
/* holdfast init: puts the hooks into the clients' settings and nothing else. A file that it does not understand is left
 * alone. */
#include "cmd/setup/init.h"

#include "base/buf.h"
#include "base/number.h"
#include "cmd/commands.h"
#include "cmd/setup/init_clients.h"
#include "cmd/setup/init_notes.h"
#include "doc/jsonedit.h"
#include "model/block_cap.h"
#include "os/access.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/installed.h"
#include "ui/print.h"

#include <assert.h>
#include <string.h>

int
settings_read(struct arena *a, struct str path, struct str *ret_text, struct node *ret_root, struct err *err)
{
	const char *z;
	struct node root = { .kind = NODE_NULL };
	struct str text;

	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, SETTINGS_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (str_trim(text).n > 0 && jsonedit_check(a, text, &root, err) < 0) {
		/* FILE:LINE:COLUMN, as editors and people know it */
		struct str where = str_fmt(a, "%s", err->msg);

		return err_set(err, ERR_SYNTAX, "%s:" STR_FMT, z, STR_ARG(where));
	}
	*ret_text = text;
	*ret_root = root;
	return 0;
}

int
settings_write(struct arena *a, struct str path, struct str old, struct str new, struct err *err)
{
	const char *z;
	struct str now;

	if (str_cz(a, path, &z, err) < 0)
		return -1;
	if (access_is_read_only(z))
		return err_set(err, ERR_VALUE, "%s: is read-only and was left as it is", z);
	if (fs_read(a, z, SETTINGS_LIMIT_BYTES, &now, err) < 0)
		return -1;
	if ((now.s != NULL) != (old.s != NULL) || !str_eq(now, old))
		return err_set(
			err, ERR_BUSY,
			"%s: was changed by somebody else just now and was left as it is; run this again", z);
	return new.s ? fs_replace(a, z, new, 0644, err) : fs_remove(z, err);
}

const char *
hook_kind_name(enum hook_kind kind)
{
	switch (kind) {
	case HOOK_HOLDFAST:
		return "holdfast";
	case HOOK_LOOP_ALONE:
		return "holdfast's Ralph hook";
	case HOOK_CONCLAUDE:
		return "conclaude";
	case HOOK_GAUNTLET:
		return "agent-gauntlet";
	case HOOK_RALPH_SCRIPT:
		return "the Ralph plugin's script";
	case HOOK_OTHER:
		break;
	}
	return "another hook";
}

const struct hook_found *
settings_rival(const struct client *c, const struct hook_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct hook_found *f = &list->items[i];

		if (f->kind == HOOK_OTHER || f->kind == HOOK_HOLDFAST)
			continue;
		for (size_t k = 0; k < c->settings->wanted_count; k++)
			if (str_is(f->event, c->settings->wanted[k].event))
				return f;
	}
	return NULL;
}

int
settings_record(struct arena *a, const struct client *c, struct str path, const struct node *root,
		struct installed *ret, struct err *err)
{
	struct hook_list list = hook_settings_list(a, &c->settings->shape, root);
	struct installed record = { .settings = path };
	bool is_there, is_used = false;

	if (installed_find(a, path, &record, &is_there, err) < 0)
		return -1;
	for (size_t i = 0; is_there && i < list.count; i++) {
		const struct hook_found *f = &list.items[i];

		is_used |= f->kind == HOOK_HOLDFAST && str_set_has(&record.events, f->event);
		is_used |= f->kind == HOOK_CONCLAUDE && str_set_has(&record.conclaude_events, f->event);
	}
	*ret = is_used ? record : (struct installed){ .settings = path };
	return 0;
}

int
settings_make_dirs(struct arena *a, struct str path, struct installed *record, struct err *err)
{
	struct str dir = str_copy(a, fs_parent(path));

	for (struct str d = dir; d.n > 0; d = str_copy(a, fs_parent(d))) {
		if (fs_lkind(d.s) != FS_NOTHING && !installed_made_for_another(a, d, path))
			break;
		str_set_add(a, &record->dirs, d);
	}
	return fs_make_dirs(dir.s, 0755, err);
}

/* The registration in one client's settings. */
struct job {
	struct arena *arena;
	const struct invocation *inv;
	const struct client *client;
	const struct setup *setup;
	struct registered *registered; /* with all clients */
	struct str cwd;
	enum settings_scope scope;
	struct str path, shown; /* the settings file */
	struct str text;        /* as it is */
	struct node root;
	struct installed record;
	bool has_cap_change;
	struct str why_cap;
	struct str new_text;
	struct hook_change changes[HOOKS_WANTED_MAX];
	struct buf *out;
};

static int
pick_scope(const struct invocation *inv, enum settings_scope *ret)
{
	size_t count = 0;

	*ret = SCOPE_PROJECT;
	for (int i = 0; i < SCOPE_COUNT; i++)
		if (option_has(inv, settings_scope_names[i])) {
			*ret = (enum settings_scope)i;
			count++;
		}
	return count > 1 ? command_misuse(inv, "only one of --user, --project and --local can be meant") : 0;
}

/* `holdfast` where the shell finds it, else where this program is. */
static struct str
program(struct arena *a)
{
	struct str self = access_self(a);

	return access_find_program(a, "holdfast").s || !self.s ? STR("holdfast") : self;
}

/* More blocks in a row than Claude Code lets through end the turn without a word, so the cap goes up with what is
 * configured; one that the user has set, wherever, stays. */
static int
raise_cap(struct job *j, struct err *err)
{
	const struct node *there = node_get(node_get(&j->root, "env"), CLAUDE_BLOCK_CAP_NAME);
	struct str now = claude_settings_env(&j->root, CLAUDE_BLOCK_CAP_NAME);
	uint64_t blocks = setup_blocks(j->setup), have = 0;
	const char *fix;

	if (j->client != &client_claude || blocks == BLOCKS_ENDLESS ||
	    !claude_cap(j->arena, j->registered, blocks, j->cwd, &j->why_cap, &fix) ||
	    claude_cap_is_users(j->arena, j->registered))
		return 0;
	if (there && (!now.s || !claude_cap_is_inits(j->arena, j->path, now) || !number_parse(now, &have) ||
		      have >= blocks))
		return 0;
	struct str value = str_fmt(j->arena, "%llu", (unsigned long long)blocks);

	if (claude_settings_set_env(j->arena, j->new_text, CLAUDE_BLOCK_CAP_NAME, value, &j->record.made,
				    &j->new_text, err) < 0)
		return -1;
	j->record.cap = value;
	j->has_cap_change = true;
	return 0;
}

static int
plan(struct job *j, struct err *err)
{
	const struct client_settings *s = j->client->settings;
	struct hook_wanted wanted[HOOKS_WANTED_MAX];
	const struct hooks_request request = { &s->shape, program(j->arena), wanted, s->wanted_count };

	assert(s->wanted_count <= HOOKS_WANTED_MAX);
	for (size_t i = 0; i < s->wanted_count; i++) {
		wanted[i] = s->wanted[i];
		if (j->scope == SCOPE_USER && wanted[i].user_words)
			wanted[i].words = wanted[i].user_words;
	}
	if (hook_settings_register(j->arena, j->text, &request, j->changes, &j->record.made, &j->new_text,
				   err) < 0 ||
	    raise_cap(j, err) < 0)
		return err_wrap_file(err, str_copy(j->arena, j->path).s);
	for (size_t i = 0; i < s->wanted_count; i++)
		if (j->changes[i].kind == CHANGE_ADDED)
			str_set_add(j->arena, &j->record.events, str_from(j->changes[i].event));
	return 0;
}

/* What was done about the client's limit on blocks, and what is left to the user. */
static void
tell_cap(struct job *j)
{
	uint64_t blocks = setup_blocks(j->setup);
	struct node root;
	struct err ignored;
	struct str text;
	const char *fix;
	bool is_low;

	if (j->has_cap_change)
		init_tell(j->arena, j->out, "set", "env %s=" STR_FMT ": " STR_FMT, CLAUDE_BLOCK_CAP_NAME,
			  STR_ARG(j->record.cap), STR_ARG(j->why_cap));
	if (j->client != &client_claude) {
		is_low = client_cap(j->arena, j->client, blocks, &text, &fix);
	} else {
		if (jsonedit_check(j->arena, j->new_text, &root, &ignored) == 0)
			registered_pretend(j->registered, j->path, &root);
		is_low = claude_cap(j->arena, j->registered, blocks, j->cwd, &text, &fix);
	}
	if (is_low)
		init_tell(j->arena, j->out, "note", STR_FMT "; %s", STR_ARG(text), fix);
}

static void
report(struct job *j, bool is_dry)
{
	static const char *const words[] = {
		[CHANGE_NONE] = "kept",
		[CHANGE_ADDED] = "added",
		[CHANGE_UPDATED] = "updated",
	};
	int width = 16;

	for (size_t i = 0; i < j->client->settings->wanted_count; i++)
		if ((int)strlen(j->changes[i].event) > width)
			width = (int)strlen(j->changes[i].event);
	buf_addf(j->out, STR_FMT "%s\n", STR_ARG(j->shown), is_dry ? " (dry run: nothing is written)" : "");
	for (size_t i = 0; i < j->client->settings->wanted_count; i++)
		init_tell(j->arena, j->out, words[j->changes[i].kind], "%-*s  " STR_FMT, width,
			  j->changes[i].event, STR_ARG(j->changes[i].command));
	tell_cap(j);
	struct init_place place = { j->arena, j->registered, j->client, j->path, j->cwd, j->changes };

	init_note_settings(&place, j->out);
}

static int
save(struct job *j, struct err *err)
{
	struct err record_err;

	if (settings_make_dirs(j->arena, j->path, &j->record, err) < 0)
		return -1;
	/* First the record: one of something that was then not put in does no harm. */
	if (installed_save(j->arena, &j->record, &record_err) < 0)
		init_tell(j->arena, j->out, "note", "what was put in could not be recorded: %s",
			  record_err.msg);
	return settings_write(j->arena, j->path, j->text, j->new_text, err);
}

static int
refuse_rival(struct job *j, const struct hook_found *rival)
{
	const struct client_settings *s = j->client->settings;
	const char *words = "";

	for (size_t i = 0; i < s->wanted_count; i++)
		if (str_is(rival->event, s->wanted[i].event))
			words = s->wanted[i].words;
	return command_fail(
		j->inv,
		STR_FMT ": %s is registered for " STR_FMT " already: '" STR_FMT
			"'; with both, each stop would be judged twice\n"
			"Nothing was changed. Put 'holdfast %s' in its place, or take it out, and run this "
			"again; --force registers beside it.",
		STR_ARG(j->shown), hook_kind_name(rival->kind), STR_ARG(rival->event),
		STR_ARG(rival->command), words);
}

static int
finish(struct job *j)
{
	bool is_dry = option_has(j->inv, "dry-run"), is_changed = !j->text.s || !str_eq(j->text, j->new_text);
	size_t told = j->out->n;
	struct err err;

	report(j, is_dry);
	if (is_changed && !is_dry && save(j, &err) < 0) {
		j->out->n = told; /* nothing of that was done */
		return command_fail(j->inv, "%s", err.msg);
	}
	if (!is_changed)
		buf_add(j->out, STR("Nothing to change.\n"));
	else if (!is_dry)
		buf_addf(j->out, "Next: %s; 'holdfast doctor' tells what is active here.\n",
			 j->client->settings->next);
	return 0;
}

static int
register_client(struct job *j)
{
	struct err err;

	if (!j->path.s)
		return command_fail(j->inv, "there is no home directory, so there are no user settings");
	j->shown = shown_path(j->path, j->cwd);
	if (settings_read(j->arena, j->path, &j->text, &j->root, &err) < 0 ||
	    settings_record(j->arena, j->client, j->path, &j->root, &j->record, &err) < 0)
		return command_fail(j->inv, "%s; the settings were left as they are", err.msg);
	struct hook_list list = hook_settings_list(j->arena, &j->client->settings->shape, &j->root);
	const struct hook_found *rival = settings_rival(j->client, &list);

	if (rival && !option_has(j->inv, "force"))
		return refuse_rival(j, rival);
	if (plan(j, &err) < 0)
		return command_fail(j->inv, "%s; the settings were left as they are", err.msg);
	return finish(j);
}

/* What --gates would do. */
static void
tell_gates(struct buf *out)
{
	buf_add(out,
		fs_lkind(".gauntlet") != FS_NOTHING
			? STR(".gauntlet directory already exists.\n")
			: STR(".gauntlet (dry run: nothing is written)\n"
			      "  added     a configuration, a review, and the command 'gauntlet' for the "
			      "agents\n"));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct setup *setup = arena_new(a, struct setup);
	struct registered *registered = arena_new(a, struct registered);
	const struct client *picked[CLIENTS_MAX];
	struct str cwd = fs_cwd(a);
	struct buf out = BUF(a, MIB(1));
	enum settings_scope scope;
	size_t count;
	int code = 0;

	if (pick_scope(inv, &scope) != 0)
		return 1;
	if (!cwd.s)
		return command_fail(inv, "the current directory does not exist any more");
	if (init_pick_clients(a, inv, scope, picked, &count) != 0)
		return 1;
	if (option_has(inv, "gates") && option_has(inv, "dry-run"))
		tell_gates(&out);
	else if (option_has(inv, "gates") && gauntlet_init(a, false, true) != 0)
		return 1;
	setup_look(a, cwd, setup);
	registered_look(a, setup->project, registered);
	for (size_t i = 0; i < count; i++) {
		struct job *j = arena_new(a, struct job);

		*j = (struct job){ .arena = a,
				   .inv = inv,
				   .client = picked[i],
				   .setup = setup,
				   .registered = registered,
				   .cwd = cwd,
				   .scope = scope,
				   .out = &out };
		j->path = settings_path(a, setup->project, picked[i], scope);
		if (register_client(j) != 0)
			code = 1;
	}
	if (code == 0)
		init_note_others(a, inv, &out);
	return print_out(buf_str(&out)) != 0 ? 1 : code;
}

static const struct option_row options[] = {
	{ .name = "client",
	  .short_name = 'c',
	  .arg_name = "NAME",
	  .choices = client_settings_names,
	  .help = "register in this client's settings; may be repeated" },
	{ .name = "project", .help = "the project's settings, such as .claude/settings.json (default)" },
	{ .name = "local",
	  .help = "your own settings for the project, .claude/settings.local.json (Claude Code "
		  "only)" },
	{ .name = "user", .help = "your settings for all projects, such as ~/.claude/settings.json" },
	{ .name = "gates", .help = "also write a starter configuration for gates to .gauntlet" },
	{ .name = "dry-run", .short_name = 'n', .help = "only show what would be done" },
	{ .name = "force", .short_name = 'f', .help = "register even if other hooks do the same work" },
};

const struct command init_command = {
	.name = "init",
	.summary = "register holdfast's hooks in the clients' settings",
	.details = "Adds the hooks Stop, UserPromptSubmit and SessionEnd, under the client's own "
		   "names for them. All other settings, their order and other hooks are kept byte "
		   "for byte, and running it again changes nothing. What was added is recorded, so "
		   "that 'holdfast uninstall' can remove exactly that.\n\n"
		   "Without --client, it asks on a terminal about each client that it finds on this "
		   "machine: its program in PATH, or its directory in the home directory. Without a "
		   "terminal, it registers with Claude Code only.\n\n"
		   "If a loop, follow-ups or rounds may block more than 8 stops in a row, it also "
		   "sets CLAUDE_CODE_STOP_HOOK_BLOCK_CAP, the limit at which Claude Code ends the "
		   "turn by itself. A value that you set yourself is kept; you are warned if it is "
		   "too low.\n\n"
		   "With --gates, it first writes .gauntlet as 'agent-gauntlet init -y' does: a "
		   "configuration, a review, and the command 'gauntlet' for the agents.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
