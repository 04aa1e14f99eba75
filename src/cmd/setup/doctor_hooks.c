/* SPDX-License-Identifier: MIT */
/* Checks the registrations: holdfast's, other programs' for the same events, and the clients' limits on blocks. */
#include "cmd/setup/doctor.h"

#include "base/nearest.h"
#include "base/path.h"
#include "cmd/command.h"
#include "install/server_toml.h"
#include "install/settings_edit.h"
#include "install/wanted.h"
#include "model/event.h"
#include "os/env.h"
#include "os/fs.h"

/* Where holdfast is registered for an event. */
struct registration {
	const struct hook_entry *hook; /* NULL: nowhere */
	const struct registry_file *where;
	/* Of all lines, equal ones too, the one with the shortest timeout. */
	const struct hook_entry *briefest;
	const struct registry_file *briefest_where;
	size_t count;
	bool has_silent; /* the project has one, too, which leaves the decision to the user's */
};

/* In the user's own settings, with the option that makes it decide. */
static bool
is_users(const struct registry_client *c, const struct registry_file *file, const struct hook_entry *f)
{
	return c->client->settings->runs_equal_lines && file->scope == SCOPE_USER &&
	       str_find(f->command, STR("--user")) >= 0;
}

static int64_t
time_of(const struct client *c, const struct hook_entry *f)
{
	return f->timeout_s > 0 ? f->timeout_s : c->timeout_s;
}

/* The lines that the client runs, apart from those that leave the decision to the user's. */
static struct registration
find_registration(const struct registry_client *c, const char *event)
{
	/* Other events than stops may safely be handled twice. */
	bool counts_equal = c->client->settings->runs_equal_lines &&
			    client_is_stop_name(c->client, str_from(event));
	struct registration r = { 0 };

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->files[i].hooks.count; k++) {
			const struct registry_file *file = &c->files[i];
			const struct hook_entry *f = &file->hooks.items[k];

			if (f->kind != HOOK_HOLDFAST || !str_is(f->event, event))
				continue;
			if (r.hook && is_users(c, r.where, r.hook) && file->scope != SCOPE_USER) {
				r.has_silent = true;
				continue;
			}
			if (!r.briefest || time_of(c->client, f) < time_of(c->client, r.briefest)) {
				r.briefest = f;
				r.briefest_where = file;
			}
			if (r.hook && !counts_equal && str_eq(r.hook->command, f->command))
				continue;
			r.count++;
			r.hook = f;
			r.where = file;
		}
	return r;
}

/* Does the program exist? Only checked where the command line begins with it. */
static void
check_program(struct doctor *d, const struct registration *r)
{
	struct str shown = hook_shown(d->arena, r->hook->command);
	struct shell_word word;
	const char *path;
	struct err err;

	if (!hook_runs_holdfast_first(d->arena, r->hook->command, NULL, &word))
		return;
	if (str_is(word.text, "holdfast")) {
		struct str found = env_find_program(d->arena, "holdfast");

		if (!found.s)
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
				   "add its directory to PATH, or run init with the full path of holdfast",
				   "'" STR_FMT "' can't run: holdfast is not in PATH", STR_ARG(shown));
		return;
	}
	if (word.text.n == 0 || word.text.s[0] != '/' || str_cz(d->arena, word.text, &path, &err) < 0)
		return;
	if (fs_kind(path) != FS_FILE)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "run 'holdfast init' again: it corrects the path",
			   "'" STR_FMT "' can't run: there is no such file", STR_ARG(shown));
}

static bool
is_always_wanted(const struct client *c, const struct hook_wanted *w)
{
	for (size_t i = 0; i < c->settings->wanted_count; i++)
		if (str_is(str_from(c->settings->wanted[i].event), w->event))
			return true;
	return false;
}

/* How serious a missing hook is depends on its purpose and on what is configured. */
static enum finding_level
missing_level(const struct doctor *d, const struct registry_client *c, const struct hook_wanted *w)
{
	const struct project_facts *s = d->facts;

	if (!c->is_registered && registry_has_other_client(&d->registry, c->client))
		return FINDING_NOTE;
	if (client_is_stop_name(c->client, str_from(w->event)))
		return FINDING_ERROR;
	if (!s->has_conclaude)
		return FINDING_NOTE;
	if (!is_always_wanted(c->client, w))
		return FINDING_ERROR;
	if (str_find(str_from(w->words), STR("UserPromptSubmit")) >= 0)
		return conclaude_follow_ups(&s->conclaude) > 0 ? FINDING_ERROR : FINDING_NOTE;
	return s->conclaude.stop.rounds > 0 ? FINDING_WARNING : FINDING_NOTE;
}

/* `Codex CLI, `, and nothing for Claude Code. */
static const char *
prefix_of(struct doctor *d, const struct client *c)
{
	return c == &client_claude ? "" : str_fmt(d->arena, "%s, ", c->title).s;
}

/* The command's own --deadline; 0: it has none. */
static uint64_t
deadline_of(struct arena *a, struct str command)
{
	struct shell_words words = shell_words(a, command);
	uint64_t seconds = 0;

	for (size_t i = 0; i < words.count; i++) {
		struct str word = words.items[i].text;

		if (str_is(word, "--deadline") && i + 1 < words.count)
			(void)number_parse(words.items[i + 1].text, &seconds);
		else if (str_starts(word, STR("--deadline=")))
			(void)number_parse(str_sub(word, sizeof("--deadline=") - 1, word.n), &seconds);
	}
	return seconds;
}

/* The client must not give up before holdfast answers. */
static void
check_time(struct doctor *d, const struct client *c, const struct hook_wanted *w,
	   const struct registration *r)
{
	static const char *const options[SCOPE_COUNT] = {
		[SCOPE_LOCAL] = " --local", [SCOPE_USER] = " --user"
	};
	const struct hook_entry *f = r->briefest;
	const char *option = options[r->briefest_where->scope];
	int64_t deadline_s = (int64_t)deadline_of(d->arena, f->command);
	int64_t timeout_s = time_of(c, f);
	bool is_short = deadline_s > 0 ? deadline_s >= timeout_s
				       : f->timeout_s > 0 && timeout_s < w->timeout_s;

	if (is_short)
		doctor_add(d, FINDING_WARNING, TOPIC_HOOKS,
			   str_fmt(d->arena, "%s%s", init_command_of(d->arena, c), option ? option : "").s,
			   "%s%s: the client gives up after %lld s, but holdfast needs %lld s (" STR_FMT ")",
			   prefix_of(d, c), w->event, (long long)timeout_s,
			   (long long)(deadline_s > 0 ? deadline_s : w->timeout_s),
			   STR_ARG(shown_path(r->briefest_where->path, d->cwd)));
}

/* Warns where the client reads only the directory in which it is started, and doctor runs below the project's root. */
static void
check_place(struct doctor *d, const struct client *c, const struct registration *r)
{
	struct str root = d->facts->project;

	if (!c->settings->looks_only_here || r->where->scope == SCOPE_USER || str_eq(d->cwd, root) ||
	    registry_has_stop_in(d->arena, d->cwd, c))
		return;
	doctor_add(d, FINDING_NOTE, TOPIC_HOOKS,
		   str_fmt(d->arena, "start it in " STR_FMT ", or '%s --user'", STR_ARG(root),
			   init_command_of(d->arena, c))
			   .s,
		   "%s only reads the settings of the directory in which it is started; started here, it "
		   "does not see the project's",
		   c->title);
}

/* Such a file was reported already, and it may register anything. */
static bool
has_bad_file(const struct registry_client *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->files[i].is_bad)
			return true;
	return false;
}

static void
check_event(struct doctor *d, const struct registry_client *c, const struct hook_wanted *w)
{
	struct registration r = find_registration(c, w->event);
	const char *prefix = prefix_of(d, c->client);

	if (r.count == 0 && has_bad_file(c))
		return;
	if (r.count == 0) {
		doctor_add(d, missing_level(d, c, w), TOPIC_HOOKS, init_command_of(d->arena, c->client),
			   is_always_wanted(c->client, w) ? "%s%s is not registered"
							  : "%s%s is configured, but not registered",
			   prefix, w->event);
		return;
	}
	struct str shown = shown_path(r.where->path, d->cwd);

	doctor_add(d, FINDING_OK, TOPIC_HOOKS, NULL, "%s%s: " STR_FMT " (" STR_FMT ")", prefix, w->event,
		   STR_ARG(hook_shown(d->arena, r.hook->command)), STR_ARG(shown));
	if (r.count > 1)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, KEEP_ONE_LINE,
			   "%s%s is registered %zu times%s, and all of them run", prefix, w->event, r.count,
			   c->client->settings->runs_equal_lines ? "" : " with different command lines");
	if (r.hook->is_disabled)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "remove 'enabled' or 'disabled' from that entry",
			   "%s%s is turned off by its own entry (" STR_FMT ")", prefix, w->event,
			   STR_ARG(shown));
	if (r.has_silent)
		doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, NULL,
			   "%s%s: the project's registration leaves the decision to the one in your own "
			   "settings",
			   prefix, w->event);
	if (client_is_stop_name(c->client, str_from(w->event)))
		check_place(d, c->client, &r);
	check_time(d, c->client, w, &r);
	check_program(d, &r);
}

static void
check_rivals(struct doctor *d, const struct registry_client *c)
{
	bool is_ours = c->is_registered || c->has_plugin;

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->files[i].hooks.count; k++) {
			const struct hook_entry *f = &c->files[i].hooks.items[k];
			struct hook_list one = { &c->files[i].hooks.items[k], 1 };

			struct str shown = shown_path(c->files[i].path, d->cwd);

			if (!find_rival(c->client, &one))
				continue;
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
				   is_ours ? "remove that entry from the file"
					   : "remove that entry from the file, then run 'holdfast init'",
				   "%s" STR_FMT ": %s is registered%s: '" STR_FMT "' (" STR_FMT ")%s",
				   prefix_of(d, c->client), STR_ARG(f->event), hook_kind_name(f->kind),
				   is_ours ? " too" : " instead of holdfast", STR_ARG(f->command),
				   STR_ARG(shown), is_ours ? "; both check the same stop" : "");
		}
}

/* Is the word a command of holdfast? */
static bool
is_command(const struct doctor *d, struct str word)
{
	for (size_t i = 0; i < d->root->sub_count; i++)
		if (str_is(word, d->root->subs[i]->name))
			return true;
	return false;
}

/* A hook that was written by hand with a typing error, so that it never does anything. */
static void
check_typo(struct doctor *d, const struct registry_client *c, const struct registry_file *file,
	   const struct hook_entry *f)
{
	struct str command = hook_shown(d->arena, f->command);
	struct shell_words words = shell_words(d->arena, command);
	struct str shown = shown_path(file->path, d->cwd), near[NEAREST_MAX];

	if (f->kind == HOOK_HOLDFAST && c->client == &client_claude &&
	    !str_is_among(f->event, event_names, event_name_count))
		doctor_add(d, FINDING_WARNING, TOPIC_HOOKS,
			   nearest(f->event, event_names, event_name_count, near) > 0
				   ? str_fmt(d->arena,
					     "rename it to '" STR_FMT "', or remove it from the file",
					     STR_ARG(near[0]))
					     .s
				   : "remove it from the file",
			   STR_FMT ": Claude Code has no event '" STR_FMT "', so '" STR_FMT "' never runs",
			   STR_ARG(shown), STR_ARG(f->event), STR_ARG(command));
	if (f->kind == HOOK_OTHER && words.count > 0 && str_is(path_base(words.items[0].text), "holdfast") &&
	    (words.count == 1 || !is_command(d, words.items[1].text)))
		doctor_add(d, FINDING_WARNING, TOPIC_HOOKS,
			   "change it to 'holdfast stop-hook' or 'holdfast hook EVENT', or remove it from "
			   "the file",
			   STR_FMT ": " STR_FMT ": '" STR_FMT "' is not a command of holdfast",
			   STR_ARG(shown), STR_ARG(f->event), STR_ARG(command));
}

/* It is no problem if holdfast is not registered with this client. */
static void
check_client(struct doctor *d, const struct registry_client *c)
{
	const struct client_settings *s = c->client->settings;

	if (!c->is_registered) {
		if (client_is_installed(d->arena, c->client))
			doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, init_command_of(d->arena, c->client),
				   "%s is installed, but holdfast is not registered with it",
				   c->client->title);
		return;
	}
	struct hooks_wanted wanted;
	struct str missing = hooks_missing(d->arena, c->client, d->facts);

	hooks_wanted(d->arena, c->client, d->facts, &wanted);
	for (size_t i = 0; i < wanted.count; i++)
		check_event(d, c, &wanted.items[i]);
	if (missing.n > 0)
		doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, NULL,
			   "%s has no event for what is configured at " STR_FMT, c->client->title,
			   STR_ARG(missing));
	if (s->doctor_note)
		doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, NULL, "%s: %s", c->client->title, s->doctor_note);
	if (s->reads_claude_settings && registry_find(&d->registry, &client_claude)->is_registered)
		doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, NULL,
			   "where %s also runs the hooks in Claude Code's settings, holdfast leaves the "
			   "decision to this registration",
			   c->client->title);
}

/* The program of the server in the client's file; absent: there is none, or the file does not parse. */
static struct str
server_program(struct doctor *d, const struct client_settings *s, struct str path)
{
	bool is_settings = str_is(str_from(s->server_file), s->project_file);
	struct str text, command = STR_NONE;
	struct node root;
	struct err err;

	if (str_ends(path, STR(".toml"))) {
		if (fs_read(d->arena, path.s, SETTINGS_LIMIT_BYTES, &text, &err) == 0)
			(void)toml_server_find(d->arena, text, &command);
	} else if (settings_read(d->arena, d->arena, path, &text, &root, &err) == 0) {
		(void)settings_server(&root, &command);
	} else if (!is_settings) { /* else it was reported with the hooks */
		doctor_add(d, FINDING_WARNING, TOPIC_HOOKS, "fix the file", "%s", err.msg);
	}
	return command;
}

/* `holdfast mcp` in the client's file for servers. */
static void
check_server(struct doctor *d, const struct client *c)
{
	const struct client_settings *s = c->settings;
	struct str path = s->server_file ? path_join(d->arena, d->facts->project, str_from(s->server_file))
					 : STR_NONE;
	struct str command = path.s ? server_program(d, s, path) : STR_NONE, shown = shown_path(path, d->cwd);

	if (!command.s)
		return;
	bool is_there = str_is(command, "holdfast") ? env_find_program(d->arena, "holdfast").s != NULL
						    : fs_kind(str_copy(d->arena, command).s) == FS_FILE;

	doctor_add(d, is_there ? FINDING_OK : FINDING_ERROR, TOPIC_HOOKS,
		   is_there ? NULL : init_command_of(d->arena, c),
		   "%sthe agent's questions: " STR_FMT " mcp (" STR_FMT ")%s", prefix_of(d, c),
		   STR_ARG(command), STR_ARG(shown), is_there ? "" : " can't run: there is no such program");
}

void
doctor_check_hooks(struct doctor *d)
{
	const struct registry_client *claude = registry_find(&d->registry, &client_claude);
	const struct client_settings *s = claude->client->settings;
	const char *ralph = registry_ralph_plugin(&d->registry);
	const struct registry_file *off = registry_disabled_by(&d->registry);
	bool has_plugin = claude->has_plugin;
	struct hooks_wanted wanted;

	if (has_plugin)
		doctor_add(d, FINDING_OK, TOPIC_HOOKS, NULL,
			   "the plugin 'holdfast' is enabled and registers the hooks");
	hooks_wanted(d->arena, claude->client, d->facts, &wanted);
	for (size_t i = 0; i < wanted.count; i++)
		if (!has_plugin || i >= s->wanted_count ||
		    find_registration(claude, wanted.items[i].event).count > 0)
			check_event(d, claude, &wanted.items[i]);
	if (has_plugin && find_registration(claude, s->wanted[0].event).count > 0)
		doctor_add(d, FINDING_NOTE, TOPIC_HOOKS, NULL,
			   "the plugin leaves the decision to the registration in the settings");
	for (size_t i = 0; i < d->registry.count; i++)
		if (&d->registry.clients[i] != claude)
			check_client(d, &d->registry.clients[i]);
	for (size_t i = 0; i < d->registry.count; i++) {
		const struct registry_client *c = &d->registry.clients[i];

		check_server(d, c->client);
		check_rivals(d, c);
		for (size_t n = 0; n < c->count; n++)
			for (size_t k = 0; k < c->files[n].hooks.count; k++)
				check_typo(d, c, &c->files[n], &c->files[n].hooks.items[k]);
	}
	if (ralph)
		doctor_add(
			d, FINDING_ERROR, TOPIC_HOOKS, "disable the plugin in Claude Code: /plugin",
			"the plugin '%s' has a Stop hook of its own for the same loop file: both would count "
			"and block",
			ralph);
	if (off)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "remove that key",
			   STR_FMT ": disableAllHooks is true, so no hook runs at all",
			   STR_ARG(shown_path(off->path, d->cwd)));
}

void
doctor_check_cap(struct doctor *d)
{
	uint64_t blocks = project_facts_blocks(d->facts);

	for (size_t i = 0; i < d->registry.count; i++) {
		const struct client *c = d->registry.clients[i].client;
		struct cap_warning cap;

		if (registry_cap_matters(&d->registry, c) &&
		    registry_cap_is_low(d->arena, &d->registry, c, blocks, d->cwd, &cap))
			doctor_add(d, FINDING_WARNING, TOPIC_NEXT, cap.fix, STR_FMT, STR_ARG(cap.text));
	}
}
