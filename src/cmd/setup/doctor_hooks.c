/* SPDX-License-Identifier: MIT */
/* Checks the registrations: holdfast's, other programs' for the same events, and the clients' limits on blocks. */
#include "cmd/setup/doctor.h"

#include "base/nearest.h"
#include "cmd/command.h"
#include "model/event.h"
#include "os/env.h"
#include "os/fs.h"

/* Where holdfast is registered for an event. */
struct registration {
	const struct hook_entry *hook; /* NULL: nowhere */
	const struct settings_file *where;
	/* Of all lines, equal ones too, the one with the shortest timeout. */
	const struct hook_entry *briefest;
	const struct settings_file *briefest_where;
	size_t count;
	bool has_silent; /* the project has one, too, which leaves the decision to the user's */
};

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
			    str_is_word_of(str_from(event), c->client->stop_names);
	struct registration r = { 0 };

	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->files[i].hooks.count; k++) {
			const struct settings_file *file = &c->files[i];
			const struct hook_entry *f = &file->hooks.items[k];

			if (f->kind != HOOK_HOLDFAST || !str_is(f->event, event))
				continue;
			if (r.hook && c->client->settings->runs_equal_lines && r.where->scope == SCOPE_USER &&
			    str_find(r.hook->command, STR("--user")) >= 0 && file->scope != SCOPE_USER) {
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

	if (!hook_runs_holdfast_first(d->arena, r->hook->command, NULL, &word))
		return;
	if (str_is(word.text, "holdfast") && !env_find_program(d->arena, "holdfast").s)
		doctor_add(d, FINDING_ERROR,
			   "add its directory to PATH, or run init with the full path of holdfast", "'",
			   shown, "' can't run: holdfast is not in PATH");
	if (word.text.n > 0 && word.text.s[0] == '/' && str_cz(d->arena, word.text, &path, IGNORED) == 0 &&
	    fs_kind(path) != FS_FILE)
		doctor_add(d, FINDING_ERROR, "run 'holdfast init' again: it corrects the path", "'", shown,
			   "' can't run: there is no such file");
}

/* How serious a missing hook is depends on its purpose and on what is configured. */
static enum finding_level
missing_level(const struct doctor *d, const struct registry_client *c, const struct hook_wanted *w)
{
	const struct project_facts *s = d->facts;

	if (!c->is_registered && registry_has_other_client(&d->registry, c->client))
		return FINDING_NOTE;
	if (str_is_word_of(str_from(w->event), c->client->stop_names))
		return FINDING_ERROR;
	if (!s->has_policies)
		return FINDING_NOTE;
	if (w->is_optional)
		return FINDING_ERROR;
	if (str_find(str_from(w->words), STR("UserPromptSubmit")) >= 0)
		return policies_follow_ups(&s->policies) > 0 ? FINDING_ERROR : FINDING_NOTE;
	return s->policies.rounds > 0 ? FINDING_WARNING : FINDING_NOTE;
}

/* `Codex CLI, `, and nothing for Claude Code. */
static const char *
prefix_of(struct doctor *d, const struct client *c)
{
	return c == &client_claude ? "" : str_cat(d->arena, c->title, ", ").s;
}

/* The client must not give up before holdfast answers. */
static void
check_time(struct doctor *d, const struct client *c, const struct hook_wanted *w,
	   const struct registration *r)
{
	const struct hook_entry *f = r->briefest;
	struct shell_words words = shell_words(d->arena, f->command);
	uint64_t deadline = 0; /* the command's own; 0: it has none */

	for (size_t i = 0; i < words.count; i++) {
		struct str word = words.items[i].text;

		if (str_is(word, "--deadline") && i + 1 < words.count)
			(void)number_parse(words.items[i + 1].text, &deadline);
		else if (str_skip(&word, "--deadline="))
			(void)number_parse(word, &deadline);
	}
	int64_t deadline_s = (int64_t)deadline, timeout_s = time_of(c, f);
	bool is_short = deadline_s > 0 ? deadline_s >= timeout_s
				       : f->timeout_s > 0 && timeout_s < w->timeout_s;

	if (is_short)
		doctor_add(d, FINDING_WARNING, init_command_of(d->arena, c, r->briefest_where->scope),
			   prefix_of(d, c), w->event, ": the client gives up after ", timeout_s,
			   " s, but holdfast needs ", deadline_s > 0 ? deadline_s : w->timeout_s, " s (",
			   path_shown(r->briefest_where->path, d->cwd), ")");
}

/* Warns where the client reads only the directory in which it is started, and doctor runs below the project's root. */
static void
check_place(struct doctor *d, const struct client *c, const struct registration *r)
{
	struct str root = d->facts->project;
	struct registry *here = arena_new(d->arena, struct registry);

	if (!c->settings->looks_only_here || r->where->scope == SCOPE_USER || str_eq(d->cwd, root))
		return;
	registry_load(d->arena, d->cwd, here);
	if (registry_has_stop(here, c, false))
		return;
	doctor_add(
		d, FINDING_NOTE,
		str_cat(d->arena, "start it in ", root, ", or '", init_command_of(d->arena, c, SCOPE_USER),
			"'")
			.s,
		c->title,
		" only reads the settings of the directory in which it is started; started here, it does not "
		"see the project's");
}

static void
check_event(struct doctor *d, const struct registry_client *c, const struct hook_wanted *w)
{
	struct registration r = find_registration(c, w->event);
	const char *prefix = prefix_of(d, c->client);

	if (r.count == 0) {
		/* Such a file was reported already, and it may register anything. */
		for (size_t i = 0; i < c->count; i++)
			if (c->files[i].is_bad)
				return;
		struct registration stop = find_registration(c, c->client->settings->wanted[0].event);

		doctor_add(
			d, missing_level(d, c, w),
			init_command_of(d->arena, c->client, stop.hook ? stop.where->scope : SCOPE_PROJECT),
			prefix, w->event,
			!w->is_optional ? " is not registered"
			: str_find(str_from(w->words), STR("PreToolUse")) >= 0 &&
					policies_guard_tools(&d->facts->policies)
				? " is not registered, so the guards are off"
				: " is configured, but not registered");
		return;
	}
	struct str shown = path_shown(r.where->path, d->cwd);

	doctor_add(d, FINDING_OK, NULL, prefix, w->event, ": ", hook_shown(d->arena, r.hook->command), " (",
		   shown, ")");
	if (r.count > 1)
		doctor_add(d, FINDING_ERROR, KEEP_ONE_LINE, prefix, w->event, " is registered ", r.count,
			   " times",
			   c->client->settings->runs_equal_lines ? "" : " with different command lines",
			   ", and all of them run");
	if (r.hook->is_disabled)
		doctor_add(d, FINDING_ERROR, "remove 'enabled' or 'disabled' from that entry", prefix,
			   w->event, " is turned off by its own entry (", shown, ")");
	if (r.has_silent)
		doctor_add(
			d, FINDING_NOTE, NULL, prefix, w->event,
			": the project's registration leaves the decision to the one in your own settings");
	if (str_is_word_of(str_from(w->event), c->client->stop_names))
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
			struct str shown = path_shown(c->files[i].path, d->cwd);

			if (!find_rival(c->client, &one))
				continue;
			doctor_add(d, FINDING_ERROR,
				   is_ours ? "remove that entry from the file"
					   : "remove that entry from the file, then run 'holdfast init'",
				   prefix_of(d, c->client), f->event, ": ", hook_kind_name(f->kind),
				   " is registered", is_ours ? " too" : " instead of holdfast", ": '",
				   f->command, "' (", shown, ")",
				   is_ours ? "; both check the same stop" : "");
		}
}

/* A hook that was written by hand with a typing error, so that it never does anything. */
static void
check_typo(struct doctor *d, const struct registry_client *c, const struct settings_file *file,
	   const struct hook_entry *f)
{
	struct str command = hook_shown(d->arena, f->command);
	struct shell_words words = shell_words(d->arena, command);
	struct str shown = path_shown(file->path, d->cwd), near[NEAREST_MAX];

	if (f->kind == HOOK_HOLDFAST && c->client == &client_claude &&
	    !str_is_among(f->event, event_names, event_name_count))
		doctor_add(d, FINDING_WARNING,
			   nearest(f->event, event_names, event_name_count, near) > 0
				   ? str_cat(d->arena, "rename it to '", near[0],
					     "', or remove it from the file")
					     .s
				   : "remove it from the file",
			   shown, ": Claude Code has no event '", f->event, "', so '", command,
			   "' never runs");
	if (f->kind == HOOK_OTHER && words.count > 0 && str_is(path_base(words.items[0].text), "holdfast") &&
	    (words.count == 1 || !command_find(d->root, words.items[1].text)))
		doctor_add(d, FINDING_WARNING,
			   "change it to 'holdfast stop-hook' or 'holdfast hook EVENT', or remove it from "
			   "the file",
			   shown, ": ", f->event, ": '", command, "' is not a command of holdfast");
}

/* It is no problem if holdfast is not registered with a client other than Claude Code. */
static void
check_client(struct doctor *d, const struct registry_client *c)
{
	const struct client_settings *s = c->client->settings;

	if (!c->is_registered && c->client != &client_claude) {
		if (client_is_installed(d->arena, c->client))
			doctor_add(d, FINDING_NOTE, init_command_of(d->arena, c->client, SCOPE_PROJECT),
				   c->client->title, " is installed, but holdfast is not registered with it");
		return;
	}
	struct hooks_wanted wanted, of_plugin;
	struct str missing = hooks_missing(d->arena, c->client, d->facts);

	if (c->has_plugin)
		doctor_add(d, FINDING_OK, NULL, "the plugin 'holdfast' is enabled and registers the hooks");
	hooks_wanted(d->arena, c->client, NULL, &of_plugin);
	hooks_wanted(d->arena, c->client, d->facts, &wanted);
	for (size_t i = 0; i < wanted.count; i++) {
		size_t k = 0;

		while (k < of_plugin.count &&
		       !str_is(str_from(of_plugin.items[k].event), wanted.items[i].event))
			k++;
		if (!c->has_plugin || k == of_plugin.count ||
		    find_registration(c, wanted.items[i].event).count > 0)
			check_event(d, c, &wanted.items[i]);
	}
	if (c->has_plugin && find_registration(c, s->wanted[0].event).count > 0)
		doctor_add(d, FINDING_NOTE, NULL,
			   "the plugin leaves the decision to the registration in the settings");
	if (missing.n > 0)
		doctor_add(d, FINDING_NOTE, NULL, c->client->title,
			   " has no event for what is configured at ", missing);
	if (s->doctor_note)
		doctor_add(d, FINDING_NOTE, NULL, c->client->title, ": ", s->doctor_note);
	if (s->reads_claude_settings && registry_find(&d->registry, &client_claude)->is_registered)
		doctor_add(d, FINDING_NOTE, NULL, "where ", c->client->title,
			   " also runs the hooks in Claude Code's settings, holdfast leaves the decision to "
			   "this registration");
}

/* `holdfast mcp` in the client's file for servers. */
static void
check_server(struct doctor *d, const struct client *c)
{
	const struct settings_file *f = registry_server_file(d->arena, &d->registry, c, d->facts->project);

	if (!f)
		return;
	/* a settings file was reported with the hooks */
	if (f->is_bad && !settings_is_toml(f) && !registry_file(&d->registry, c, f->path))
		doctor_add(d, FINDING_WARNING, "fix the file", f->why_bad.msg);
	struct str command = f->server_command;

	if (!command.s)
		return;
	bool is_there = str_is(command, "holdfast") ? env_find_program(d->arena, "holdfast").s != NULL
						    : fs_kind(command.s) == FS_FILE;

	doctor_add(d, is_there ? FINDING_OK : FINDING_ERROR,
		   is_there ? NULL : init_command_of(d->arena, c, SCOPE_PROJECT), prefix_of(d, c),
		   "the agent's questions: ", command, " mcp (", path_shown(f->path, d->cwd), ")",
		   is_there ? "" : " can't run: there is no such program");
}

void
doctor_check_hooks(struct doctor *d)
{
	struct str ralph = registry_ralph_plugin(&d->registry);
	const struct settings_file *off = registry_disabled_by(&d->registry);

	/* The other checks know nothing of these files, so this comes first. */
	for_each (c, d->registry.clients, d->registry.count) {
		for (size_t n = 0; n < c->count; n++)
			if (c->files[n].is_bad)
				doctor_add(d, FINDING_ERROR,
					   str_cat(d->arena, "fix the file: ", c->client->title,
						   " can't read it either")
						   .s,
					   c->files[n].why_bad.msg);
	}
	for (size_t i = 0; i < d->registry.count; i++)
		check_client(d, &d->registry.clients[i]);
	for_each (c, d->registry.clients, d->registry.count) {
		check_server(d, c->client);
		check_rivals(d, c);
		for (size_t n = 0; n < c->count; n++)
			for (size_t k = 0; k < c->files[n].hooks.count; k++)
				check_typo(d, c, &c->files[n], &c->files[n].hooks.items[k]);
	}
	if (ralph.s)
		doctor_add(d, FINDING_ERROR, "disable the plugin in Claude Code: /plugin", "the plugin '",
			   ralph,
			   "' has a Stop hook of its own for the same loop file: both would count and block");
	if (off)
		doctor_add(d, FINDING_ERROR, "remove that key", path_shown(off->path, d->cwd),
			   ": disableAllHooks is true, so no hook runs at all");
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
			doctor_add(d, FINDING_WARNING, cap.fix, cap.text);
	}
}
