/* SPDX-License-Identifier: MIT */
/* Takes out what the record lists. Without a record, takes out all hooks that are recognised as holdfast's. */
#include "install/remove.h"

#include "base/path.h"
#include "doc/jsonedit.h"
#include "install/claude_agents.h"
#include "install/project_facts.h"
#include "install/server_toml.h"
#include "model/block_cap.h"
#include "os/fs.h"

#include <stdlib.h>

/* What is removed from one file. */
struct plan {
	struct removal *removal;
	struct settings_file file;
	size_t removed, restored, left; /* hooks; those that are left are in no record */
	bool is_cap_removed, is_server_removed, is_server_left;
	struct buf agents; /* the report on the agents' files */
};

static int
plan_file(struct plan *p, struct err *err)
{
	struct settings_file *f = &p->file;
	bool is_all = !f->has_record || p->removal->removes_all;
	const struct hook_filter ours = { HOOK_HOLDFAST, is_all ? NULL : &f->record.events };
	/* Hooks of conclaude that 'conclaude init' did not register are the user's. */
	const struct hook_filter conclaudes = { HOOK_CONCLAUDE, &f->record.conclaude_events };
	struct settings_edit edit = settings_file_edit(f);
	size_t removed = 0;

	if (str_trim(f->text).n == 0)
		return 0;
	if (!f->has_record)
		edit.undo = NULL;
	if (settings_edit_remove(&edit, &ours, &p->removed, err) < 0)
		return -1;
	if (f->record.conclaude_events.count > 0 && str_trim(edit.text).n > 0 &&
	    settings_edit_remove(&edit, &conclaudes, &removed, err) < 0)
		return -1;
	p->removed += removed;
	if (settings_edit_restore(&edit, &p->restored, err) < 0)
		return -1;
	if (f->record.cap.s && str_trim(edit.text).n > 0 &&
	    settings_edit_unset_env(&edit, f->client->block_cap_env, f->record.cap, &p->is_cap_removed, err) <
		    0)
		return -1;
	/* One that does not look as we write it has something of the user's. */
	if ((is_all || f->record.has_server) && str_trim(edit.text).n > 0 &&
	    settings_edit_remove_server(&edit, !p->removal->removes_all, &p->is_server_removed, err) < 0)
		return -1;
	f->new_text = edit.text;
	return 0;
}

/* The hooks; also looks for a server. */
static size_t
count_left(struct plan *p)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;
	struct err ignored;
	size_t left = 0;

	if (str_trim(p->file.new_text).n == 0 ||
	    jsonedit_check(&scratch, p->file.new_text, &root, &ignored) < 0)
		return 0;
	struct hook_list list = hooks_list(&scratch, &p->file.client->settings->shape, &root);

	struct str command;

	for (size_t i = 0; i < list.count; i++)
		left += list.items[i].kind == HOOK_HOLDFAST;
	p->is_server_left = settings_server(&root, &command) && command.s;
	return left;
}

/* An agent's file without the hook that 'conclaude init' put in; absent where there is nothing to remove. */
static int
plan_agent(struct arena *a, struct str path, struct str *ret, struct err *err)
{
	struct claude_agent agent;
	struct str text, without;
	const char *z;

	*ret = STR_NONE;
	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s || !claude_agent_has_matter(text))
		return 0;
	if (claude_agent_read(a, text, &agent, err) < 0 || claude_agent_remove(a, &agent, &without, err) < 0)
		return err_wrap(err, "%s", z);
	if (!str_eq(text, without))
		*ret = without;
	return 0;
}

/* An agent's file that can't be changed is reported, and the others are changed all the same. */
static void
clean_agents(struct plan *p)
{
	struct arena *a = p->removal->arena;

	for (size_t i = 0; p->file.has_record && i < p->file.record.agents.count; i++) {
		struct str path = p->file.record.agents.items[i], without;
		struct err err;

		if (plan_agent(a, path, &without, &err) < 0 ||
		    (without.s && !p->removal->is_dry && fs_replace(a, path.s, without, 0644, &err) < 0))
			buf_addf(&p->agents, "  kept      the hook in an agent's file: %s\n", err.msg);
		else if (without.s)
			buf_addf(&p->agents, "  removed   the hook in " STR_FMT "\n", STR_ARG(path));
	}
}

static void
report(struct plan *p)
{
	struct buf *out = p->removal->out;

	buf_addf(out, STR_FMT "%s\n", STR_ARG(shown_path(p->file.path, p->removal->cwd)),
		 p->removal->is_dry ? " (dry run: nothing is written)" : "");
	if (p->removed > 0)
		buf_addf(out, "  removed   %zu %s\n", p->removed, p->removed == 1 ? "hook" : "hooks");
	if (p->restored > 0)
		buf_addf(out, "  restored  %zu %s that 'holdfast init' had updated\n", p->restored,
			 p->restored == 1 ? "hook" : "hooks");
	if (p->is_cap_removed)
		buf_addf(out, "  removed   env %s\n", p->file.client->block_cap_env);
	if (p->is_server_removed)
		buf_add(out, STR("  removed   the server 'holdfast mcp'\n"));
	buf_add(out, buf_str(&p->agents));
	if (!p->file.new_text.s && p->file.text.s)
		buf_add(out, STR("  removed   the file, which init had created\n"));
	if (p->left > 0)
		buf_addf(out, "  kept      %zu %s that 'holdfast init' did not add; --all removes %s too\n",
			 p->left, p->left == 1 ? "hook" : "hooks", p->left == 1 ? "it" : "them");
	if (p->is_server_left)
		buf_add(out,
			STR("  kept      the server 'holdfast mcp', which 'holdfast init' did not write like "
			    "that; --all removes it too\n"));
}

static void
note_dirs(struct plan *p)
{
	struct removal *r = p->removal;

	for (size_t i = 0; p->file.has_record && i < p->file.record.dirs.count; i++)
		name_set_add(r->arena, &r->dirs, p->file.record.dirs.items[i]);
	if (!p->file.new_text.s)
		name_set_add(r->arena, &r->gone, p->file.path);
}

/* A file of TOML has only the server. */
static int
remove_from_toml(struct removal *r, const struct client *c, struct str path, struct err *err)
{
	struct plan *p = arena_new(r->arena, struct plan);
	struct str command;

	*p = (struct plan){ .removal = r, .agents = BUF(r->arena, 1) };
	if (settings_file_open_text(r->arena, c, path, &p->file, err) < 0)
		return -1;
	struct settings_file *f = &p->file;
	const struct undo_entry *was = undo_log_find(&f->record.undo, STR(""));

	enum toml_server state = toml_server_find(r->arena, f->text, &command);

	p->is_server_removed = state == TOML_OURS;
	if (state == TOML_OTHERS && f->has_record) {
		r->has_found = true;
		buf_addf(r->out,
			 STR_FMT
			 "\n  kept      the server 'holdfast', which somebody has changed; remove its "
			 "table yourself\n",
			 STR_ARG(shown_path(path, r->cwd)));
	}
	if (!p->is_server_removed)
		return 0;
	f->new_text = toml_server_remove(r->arena, f->text);
	if (f->new_text.n == 0 && (!f->has_record || (was && !was->text.s)))
		f->new_text = STR_NONE; /* there was no file */
	r->has_found = true;
	if (!r->is_dry && (settings_file_write(f, err) < 0 || install_record_delete(path, err) < 0))
		return -1;
	report(p);
	note_dirs(p);
	return 0;
}

int
remove_from_file(struct removal *r, const struct client *c, struct str path, struct err *err)
{
	struct plan *p = arena_new(r->arena, struct plan);
	size_t reported = r->out->n;

	if (str_ends(path, STR(".toml")))
		return remove_from_toml(r, c, path, err);
	*p = (struct plan){ .removal = r, .agents = BUF(r->arena, MIB(1)) };
	if (settings_file_open(r->arena, c, path, &p->file, err) < 0)
		return -1;
	if (plan_file(p, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, path).s);
	bool is_changed = p->removed > 0 || p->restored > 0 || p->is_cap_removed || p->is_server_removed;

	p->left = count_left(p);
	clean_agents(p);
	if (!is_changed && p->agents.n == 0 && p->left == 0 && !p->is_server_left) {
		if (!p->file.has_record || p->file.text.s)
			return 0;
		/* The user deleted the file; its record and its directories are left. */
		note_dirs(p);
		return r->is_dry ? 0 : install_record_delete(path, err);
	}
	r->has_found = true;
	report(p);
	if (is_changed && !r->is_dry && settings_file_write(&p->file, err) < 0) {
		/* Of the report, only the part about the agents is true. */
		r->out->n = reported;
		if (p->agents.n > 0)
			buf_addf(r->out, STR_FMT "\n" STR_FMT, STR_ARG(shown_path(path, r->cwd)),
				 STR_ARG(buf_str(&p->agents)));
		return -1;
	}
	if (is_changed && !r->is_dry && install_record_delete(path, err) < 0)
		return -1;
	if (is_changed)
		note_dirs(p);
	return 0;
}

static bool
is_empty_now(const struct removal *r, struct str dir)
{
	struct fs_names names;
	struct err ignored;

	if (fs_lkind(dir.s) != FS_DIR || fs_list(r->arena, dir.s, r->gone.count + 1, &names, &ignored) < 0)
		return false;
	for (size_t i = 0; i < names.count; i++)
		if (!name_set_has(&r->gone, path_join(r->arena, dir, names.items[i])))
			return false;
	return true;
}

static int
compare_lengths(const void *x, const void *y)
{
	const struct str *one = x, *other = y;

	return one->n < other->n ? 1 : one->n > other->n ? -1 : str_cmp(*one, *other);
}

void
remove_empty_dirs(struct removal *r)
{
	/* The deepest first: a path is longer than that of its parent. */
	if (r->dirs.count > 0)
		qsort(r->dirs.items, r->dirs.count, sizeof(*r->dirs.items), compare_lengths);
	for (size_t i = 0; i < r->dirs.count; i++) {
		struct str dir = r->dirs.items[i];
		struct err ignored;

		if (!is_empty_now(r, dir) || (!r->is_dry && fs_remove(dir.s, &ignored) < 0))
			continue; /* another file is in it, or was just put into it */
		name_set_add(r->arena, &r->gone, dir);
		r->has_found = true;
		buf_addf(r->out, "  removed   " STR_FMT ", which init had created and is empty now\n",
			 STR_ARG(shown_path(dir, r->cwd)));
	}
}
