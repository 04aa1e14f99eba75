/* SPDX-License-Identifier: MIT */
/* holdfast uninstall: takes out of Claude Code's settings what init put in. Without the record of it, whatever is
 * recognised as holdfast's own. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/init.h"
#include "cmd/setup.h"
#include "doc/jsonedit.h"
#include "os/access.h"
#include "os/fs.h"
#include "store/installed.h"
#include "ui/print.h"

/* One settings file. */
struct job {
	struct arena *arena;
	const struct invocation *inv;
	struct str path, shown;
	struct installed record;
	bool has_record;
	struct str text, new_text;
	size_t removed;
	bool is_cap_removed;
	struct buf *out;
};

static int
plan(struct job *j, struct err *err)
{
	bool is_all = !j->has_record || option_has(j->inv, "all");
	const struct settings_made *made = j->has_record ? &j->record.made : NULL;
	const struct str *events = is_all ? NULL : j->record.events;
	struct node root;

	if (settings_read(j->arena, j->path, &j->text, &root, err) < 0)
		return -1;
	j->new_text = j->text;
	if (root.kind != NODE_MAP)
		return 0;
	if (claude_settings_remove(j->arena, j->text, events, j->record.event_count, made, &j->removed,
				   &j->new_text, err) < 0)
		return err_wrap(err, STR_FMT, STR_ARG(j->shown));
	if (!j->has_record || !j->record.cap.s || str_trim(j->new_text).n == 0)
		return 0;
	return claude_settings_unset_env(j->arena, j->new_text, BLOCK_CAP_NAME, j->record.cap, made,
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
	struct hook_list list = claude_settings_hooks(j->arena, &root);

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
		buf_addf(j->out, "  removed   env %s\n", BLOCK_CAP_NAME);
	if (!j->new_text.s && j->text.s)
		buf_add(j->out, STR("  removed   the file, which 'holdfast init' had made\n"));
	if (left > 0)
		buf_addf(j->out,
			 "  kept      %zu %s that 'holdfast init' did not put in; --all takes %s out too\n",
			 left, left == 1 ? "hook" : "hooks", left == 1 ? "it" : "them");
}

static int
save(struct job *j, struct err *err)
{
	if (access_is_read_only(j->path.s))
		return err_set(err, ERR_VALUE, STR_FMT ": is read-only and was left as it is",
			       STR_ARG(j->shown));
	if ((j->new_text.s ? fs_replace(j->arena, j->path.s, j->new_text, 0644, err)
			   : fs_remove(j->path.s, err)) < 0)
		return -1;
	return installed_forget(j->arena, j->path, err);
}

/* One file; nothing is said about one that has nothing of ours. */
static int
clean_file(struct job *j, bool *ret_is_found)
{
	bool is_dry = option_has(j->inv, "dry-run");
	struct err err;

	if (installed_find(j->arena, j->path, &j->record, &j->has_record, &err) < 0 || plan(j, &err) < 0)
		return command_fail(j->inv, "%s", err.msg);
	bool is_changed = j->removed > 0 || j->is_cap_removed;

	if (!is_changed && count_left(j) == 0)
		return 0;
	*ret_is_found = true;
	report(j, is_dry);
	if (is_changed && !is_dry && save(j, &err) < 0)
		return command_fail(j->inv, "%s", err.msg);
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct setup *setup = arena_new(a, struct setup);
	struct str cwd = fs_cwd(a);
	struct buf out = BUF(a, MIB(1));
	bool is_found = false, is_any = false;
	int code = 0;

	if (!cwd.s)
		return command_fail(inv, "the current directory does not exist any more");
	setup_look(a, cwd, setup);
	for (int i = 0; i < SCOPE_COUNT; i++)
		is_any |= option_has(inv, settings_scope_names[i]);
	for (int i = 0; i < SCOPE_COUNT; i++) {
		bool is_meant = is_any ? option_has(inv, settings_scope_names[i]) : i != SCOPE_USER;
		struct job j = { .arena = a,
				 .inv = inv,
				 .out = &out,
				 .path = settings_path(a, setup, (enum settings_scope)i) };

		if (!is_meant || !j.path.s)
			continue;
		j.shown = shown_path(j.path, cwd);
		if (clean_file(&j, &is_found) != 0)
			code = 1;
	}
	if (!is_found && code == 0)
		buf_add(&out, is_any ? STR("Nothing of holdfast's is registered there.\n")
				     : STR("Nothing of holdfast's is registered in this project; --user "
					   "looks at your own "
					   "settings.\n"));
	return print_out(buf_str(&out)) != 0 ? 1 : code;
}

static const struct option_row options[] = {
	{ .name = "project", .help = "only the project's settings, .claude/settings.json" },
	{ .name = "local", .help = "only your own settings for the project, .claude/settings.local.json" },
	{ .name = "user", .help = "only your settings for all projects, ~/.claude/settings.json" },
	{ .name = "all",
	  .short_name = 'a',
	  .help = "also hooks of holdfast's that 'holdfast init' did not put in" },
	{ .name = "dry-run", .short_name = 'n', .help = "only say what would be done" },
};

const struct command uninstall_command = {
	.name = "uninstall",
	.summary = "take holdfast's hooks out of Claude Code's settings",
	.details = "Takes out what 'holdfast init' put in, and gives the file the bytes back that it had "
		   "before if "
		   "nothing else changed. Looks at the project's settings and at your own for the project; "
		   "--user looks at "
		   "those for all projects. The program itself, loops and configuration files stay.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
