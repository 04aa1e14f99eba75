/* SPDX-License-Identifier: MIT */
/* holdfast uninstall: takes out of the clients' settings, and of Claude Code's agents, what init put in. Without the record
 * of it, whatever is recognised as holdfast's own. */
#include "install/claude_agents.h"
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/setup/init.h"
#include "cmd/setup/setup.h"
#include "doc/jsonedit.h"
#include "model/block_cap.h"
#include "os/fs.h"
#include "store/installed.h"
#include "ui/print.h"

#include <stdlib.h>

/* The directories that were made for the settings files, and all that is removed from them. They go when the files are gone,
 * those of all clients: one directory may have been for two of them. */
struct sweep {
	struct str_set dirs, gone;
};

/* One settings file. */
struct job {
	struct arena *arena;
	const struct invocation *inv;
	const struct client *client;
	struct str path, shown;
	struct installed record;
	bool has_record;
	struct str text, new_text;
	size_t removed;
	bool is_cap_removed;
	struct buf agents; /* what is to be said about the agents' files */
	struct sweep *sweep;
	struct buf *out;
};

/* The hooks that 'conclaude init' put in; others of conclaude's are not ours to take out. */
static int
remove_conclaude(struct job *j, const struct settings_made *made, struct err *err)
{
	const struct hook_filter which = { HOOK_CONCLAUDE, &j->record.conclaude_events };
	size_t removed = 0;

	if (!j->has_record || j->record.conclaude_events.count == 0 || str_trim(j->new_text).n == 0)
		return 0;
	if (hook_settings_remove(j->arena, &j->client->settings->shape, j->new_text, &which, made, &removed,
				 &j->new_text, err) < 0)
		return -1;
	j->removed += removed;
	return 0;
}

/* An agent's file without the hook that 'conclaude init' put in; absent where there is nothing to take out. */
static int
plan_agent(struct job *j, struct str path, struct str *ret, struct err *err)
{
	struct claude_agent agent;
	struct str text, without;
	const char *z;

	*ret = STR_NONE;
	if (str_cz(j->arena, path, &z, err) < 0 || fs_read(j->arena, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s || !claude_agent_has_matter(text))
		return 0;
	if (claude_agent_read(j->arena, text, &agent, err) < 0 ||
	    claude_agent_remove(j->arena, &agent, &without, err) < 0)
		return err_wrap(err, "%s", z);
	if (!str_eq(text, without))
		*ret = without;
	return 0;
}

/* Goes through the agents' files, and changes them unless it is a dry run. One that can't be changed is said and left:
 * it is no reason to leave the others. */
static void
clean_agents(struct job *j, bool is_dry)
{
	for (size_t i = 0; j->has_record && i < j->record.agents.count; i++) {
		struct str path = j->record.agents.items[i], without;
		struct err err;

		if (plan_agent(j, path, &without, &err) < 0 ||
		    (without.s && !is_dry && fs_replace(j->arena, path.s, without, 0644, &err) < 0))
			buf_addf(&j->agents, "  kept      the hook in an agent's file: %s\n", err.msg);
		else if (without.s)
			buf_addf(&j->agents, "  removed   the hook in " STR_FMT "\n", STR_ARG(path));
	}
}

static int
plan(struct job *j, struct err *err)
{
	bool is_all = !j->has_record || option_has(j->inv, "all");
	const struct settings_made *made = j->has_record ? &j->record.made : NULL;
	const struct hook_filter which = { HOOK_HOLDFAST, is_all ? NULL : &j->record.events };
	struct node root;

	if (settings_read(j->arena, j->path, &j->text, &root, err) < 0)
		return -1;
	j->new_text = j->text;
	if (root.kind != NODE_MAP)
		return 0;
	if (hook_settings_remove(j->arena, &j->client->settings->shape, j->text, &which, made, &j->removed,
				 &j->new_text, err) < 0 ||
	    remove_conclaude(j, made, err) < 0)
		return err_wrap_file(err, str_copy(j->arena, j->path).s);
	if (!j->has_record || !j->record.cap.s || str_trim(j->new_text).n == 0)
		return 0;
	return claude_settings_unset_env(j->arena, j->new_text, CLAUDE_BLOCK_CAP_NAME, j->record.cap, made,
					 &j->is_cap_removed, &j->new_text, err);
}

/* What is left of holdfast's, which init did not put in. */
static size_t
count_left(struct job *j)
{
	struct node root;
	struct err err;
	size_t left = 0;

	if (str_trim(j->new_text).n == 0 || jsonedit_check(j->arena, j->new_text, &root, &err) < 0)
		return 0;
	struct hook_list list = hook_settings_list(j->arena, &j->client->settings->shape, &root);

	for (size_t i = 0; i < list.count; i++)
		left += list.items[i].kind == HOOK_HOLDFAST;
	return left;
}

static void
report(struct job *j, bool is_dry)
{
	size_t left = count_left(j);

	buf_addf(j->out, STR_FMT "%s\n", STR_ARG(j->shown), is_dry ? " (dry run: nothing is written)" : "");
	if (j->removed > 0)
		buf_addf(j->out, "  removed   %zu %s\n", j->removed, j->removed == 1 ? "hook" : "hooks");
	if (j->is_cap_removed)
		buf_addf(j->out, "  removed   env %s\n", CLAUDE_BLOCK_CAP_NAME);
	buf_add(j->out, buf_str(&j->agents));
	if (!j->new_text.s && j->text.s)
		buf_add(j->out, STR("  removed   the file, which was made by init\n"));
	if (left > 0)
		buf_addf(j->out,
			 "  kept      %zu %s that 'holdfast init' did not put in; --all takes %s out too\n",
			 left, left == 1 ? "hook" : "hooks", left == 1 ? "it" : "them");
}

/* Of what was reported only what became of the agents is true where the file can't be written. */
static int
save(struct job *j, size_t told, struct err *err)
{
	if (settings_write(j->arena, j->path, j->text, j->new_text, err) == 0)
		return installed_forget(j->arena, j->path, err);
	j->out->n = told;
	if (j->agents.n > 0)
		buf_addf(j->out, STR_FMT "\n" STR_FMT, STR_ARG(j->shown), STR_ARG(buf_str(&j->agents)));
	return -1;
}

/* What may become of the directories that were made for the file, which is told when all files are done. */
static void
note_dirs(struct job *j)
{
	for (size_t i = 0; j->has_record && i < j->record.dirs.count; i++)
		str_set_add(j->arena, &j->sweep->dirs, j->record.dirs.items[i]);
	if (!j->new_text.s)
		str_set_add(j->arena, &j->sweep->gone, j->path);
}

/* A file that is gone already leaves its record and its directory. */
static int
forget_deleted(struct job *j, bool is_dry)
{
	struct err err;

	if (!j->has_record || j->text.s)
		return 0;
	note_dirs(j);
	return is_dry || installed_forget(j->arena, j->path, &err) == 0 ? 0
									: command_fail(j->inv, "%s", err.msg);
}

static bool
is_empty_now(struct arena *a, const struct sweep *s, struct str dir)
{
	struct fs_names names;
	struct err ignored;

	if (fs_lkind(dir.s) != FS_DIR || fs_list(a, dir.s, s->gone.count + 1, &names, &ignored) < 0)
		return false;
	for (size_t i = 0; i < names.count; i++)
		if (!str_set_has(&s->gone, fs_join(a, dir, names.items[i])))
			return false;
	return true;
}

static int
compare_lengths(const void *x, const void *y)
{
	const struct str *one = x, *other = y;

	return one->n < other->n ? 1 : one->n > other->n ? -1 : str_cmp(*one, *other);
}

/* One file; nothing is said about one that has nothing of ours. */
static int
clean_file(struct job *j, bool *ret_is_found)
{
	bool is_dry = option_has(j->inv, "dry-run");
	size_t told = j->out->n;
	struct err err;

	if (installed_find(j->arena, j->path, &j->record, &j->has_record, &err) < 0 || plan(j, &err) < 0)
		return command_fail(j->inv, "%s", err.msg);
	bool is_changed = j->removed > 0 || j->is_cap_removed;

	clean_agents(j, is_dry);
	if (!is_changed && j->agents.n == 0 && count_left(j) == 0)
		return forget_deleted(j, is_dry);
	*ret_is_found = true;
	report(j, is_dry);
	if (is_changed && !is_dry && save(j, told, &err) < 0)
		return command_fail(j->inv, "%s", err.msg);
	if (is_changed)
		note_dirs(j);
	return 0;
}

/* Takes away what has become empty, the deepest first: a path is longer than that of its parent. */
static bool
sweep(struct arena *a, struct sweep *s, bool is_dry, struct buf *out)
{
	struct str cwd = fs_cwd(a);
	size_t before = s->gone.count;

	if (s->dirs.count == 0)
		return false;
	qsort(s->dirs.items, s->dirs.count, sizeof(*s->dirs.items), compare_lengths);
	for (size_t i = 0; i < s->dirs.count; i++) {
		struct str dir = s->dirs.items[i], shown = shown_path(dir, cwd);
		struct err ignored;

		if (!is_empty_now(a, s, dir) || (!is_dry && fs_remove(dir.s, &ignored) < 0))
			continue; /* somebody's file is in it, or came into it just now */
		str_set_add(a, &s->gone, dir);
		buf_addf(out, "  removed   " STR_FMT ", which init made and which is empty now\n",
			 STR_ARG(shown));
	}
	return s->gone.count > before;
}

/* Is the client one of those that are named, if any are? */
static bool
is_meant(const struct invocation *inv, const struct client *c)
{
	size_t count = option_count(inv, "client");

	for (size_t i = 0; i < count; i++)
		if (str_is(option_at(inv, "client", i), c->name))
			return true;
	return count == 0 && c->settings;
}

/* One client's file of one scope. */
static int
clean_scope(struct arena *a, const struct invocation *inv, const struct client *c, struct str path,
	    struct sweep *sweep, struct buf *out, bool *ret_is_found)
{
	struct job *j = arena_new(a, struct job);
	struct str cwd = fs_cwd(a);

	*j = (struct job){
		.arena = a, .inv = inv, .client = c, .sweep = sweep, .out = out, .agents = BUF(a, MIB(1))
	};
	j->path = path;
	j->shown = shown_path(path, cwd);
	return clean_file(j, ret_is_found);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct setup *setup = arena_new(a, struct setup);
	struct str cwd = fs_cwd(a);
	struct buf out = BUF(a, MIB(1));
	struct sweep dirs = { 0 };
	bool is_found = false, is_any = false;
	int code = 0;

	if (!cwd.s)
		return command_fail(inv, "the current directory does not exist any more");
	setup_look(a, cwd, setup);
	for (int i = 0; i < SCOPE_COUNT; i++)
		is_any |= option_has(inv, settings_scope_names[i]);
	for (size_t c = 0; c < client_count; c++)
		for (int i = 0; i < SCOPE_COUNT && is_meant(inv, clients[c]); i++) {
			bool is_scope = is_any ? option_has(inv, settings_scope_names[i]) : i != SCOPE_USER;
			struct str path = settings_path(a, setup->project, clients[c],
							(enum settings_scope)i);

			if (is_scope && path.s &&
			    clean_scope(a, inv, clients[c], path, &dirs, &out, &is_found) != 0)
				code = 1;
		}
	is_found |= sweep(a, &dirs, option_has(inv, "dry-run"), &out);
	if (!is_found && code == 0)
		buf_add(&out, is_any ? STR("Nothing of holdfast's is registered there.\n")
				     : STR("Nothing of holdfast's is registered in this project; --user "
					   "looks at your own "
					   "settings.\n"));
	return print_out(buf_str(&out)) != 0 ? 1 : code;
}

static const struct option_row options[] = {
	{ .name = "client",
	  .short_name = 'c',
	  .arg_name = "NAME",
	  .choices = client_settings_names,
	  .help = "only this client's settings; may be repeated" },
	{ .name = "project", .help = "only the project's settings, such as .claude/settings.json" },
	{ .name = "local", .help = "only your own settings for the project, .claude/settings.local.json" },
	{ .name = "user", .help = "only your settings for all projects, such as ~/.claude/settings.json" },
	{ .name = "all",
	  .short_name = 'a',
	  .help = "also remove holdfast hooks that 'holdfast init' did not add" },
	{ .name = "dry-run", .short_name = 'n', .help = "only show what would be done" },
};

const struct command uninstall_command = {
	.name = "uninstall",
	.summary = "remove holdfast's hooks from the clients' settings",
	.details = "Removes what 'holdfast init' added. If nothing else has changed, the file gets "
		   "its original bytes back. If nothing was recorded, all holdfast hooks are "
		   "removed. A file or directory that init created is removed too, unless it "
		   "contains something else by now. Covers the project's settings of all clients and"
		   " your own settings for the project; with --user, your settings for all projects."
		   " Also removes what 'conclaude init' added, including in the files of agents. The"
		   " program itself, loops and configuration files stay.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
