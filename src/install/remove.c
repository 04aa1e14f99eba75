/* SPDX-License-Identifier: MIT */
/* Takes out what the record lists. Without a record, takes out all hooks that are recognised as holdfast's. */
#include "install/register.h"

#include "install/claude_agents.h"
#include "os/fs.h"

/* Removes what is ours from the file's new text. */
static int
edit_file(struct removal *r, struct settings_file *f, struct settings_done *ret, struct err *err)
{
	bool is_all = !f->has_record || r->removes_all, is_toml = settings_is_toml(f);
	/* A server that does not look as we write it has something of the user's. */
	const struct settings_goal goal = { .old_cap = f->record.cap,
					    .removes_server = (is_toml || is_all || f->record.has_server) &&
							      (f->is_server_exact || r->removes_all),
					    .forgets = !f->has_record };

	if (is_toml && f->server == SERVER_OTHER && f->has_record) {
		r->has_found = true;
		buf_cat(r->out, path_shown(f->path, r->cwd),
			"\n  kept      the server 'holdfast', which somebody has changed; remove its table "
			"yourself\n");
	}
	for_each (h, f->hooks.items, f->hooks.count)
		h->is_unwanted = (is_all && h->kind == HOOK_HOLDFAST) || settings_added(f, h);
	if (settings_edit(f, &goal, ret, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, f->path).s);
	return 0;
}

/* Removes the hook that 'conclaude init' put into an agent's file. */
static int
clean_agent(const struct removal *r, struct str path, bool *ret_is_changed, struct err *err)
{
	struct claude_agent agent;
	struct str text, without;
	const char *z;

	*ret_is_changed = false;
	if (str_cz(r->arena, path, &z, err) < 0 || fs_read(r->arena, z, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s || !claude_agent_has_matter(text))
		return 0;
	if (claude_agent_read(r->arena, text, &agent, err) < 0 ||
	    claude_agent_remove(&agent, &without, err) < 0)
		return err_wrap(err, "%s", z);
	*ret_is_changed = !str_eq(text, without);
	return *ret_is_changed && !r->is_dry ? fs_replace(r->arena, z, without, 0644, err) : 0;
}

static void
report(const struct removal *r, const struct settings_file *f, const struct settings_done *done, size_t left,
       const struct buf *agents)
{
	struct buf *out = r->out;

	buf_cat(out, path_shown(f->path, r->cwd), r->is_dry ? " (dry run: nothing is written)\n" : "\n");
	if (done->hooks > 0)
		buf_cat(out, "  removed   ", done->hooks, done->hooks == 1 ? " hook\n" : " hooks\n");
	if (done->restored > 0)
		buf_cat(out, "  restored  ", done->restored, done->restored == 1 ? " hook" : " hooks",
			" that 'holdfast init' had updated\n");
	if (done->has_cap)
		buf_cat(out, "  removed   env ", f->client->block_cap_env, "\n");
	if (done->has_server)
		buf_add(out, STR("  removed   the server 'holdfast mcp'\n"));
	buf_add(out, buf_str(agents));
	if (!f->new_text.s && f->text.s)
		buf_add(out, STR("  removed   the file, which init had created\n"));
	if (left > 0)
		buf_cat(out, "  kept      ", left, left == 1 ? " hook" : " hooks",
			" that 'holdfast init' did not add; --all removes ", left == 1 ? "it" : "them",
			" too\n");
	if (f->server == SERVER_OURS)
		buf_add(out, STR("  kept      the server 'holdfast mcp', which 'holdfast init' did not write "
				 "like that; --all removes it too\n"));
}

static void
note_dirs(struct removal *r, const struct settings_file *f)
{
	for (size_t i = 0; f->has_record && i < f->record.dirs.count; i++)
		str_list_add_new(r->arena, &r->dirs, f->record.dirs.items[i]);
	if (!f->new_text.s)
		str_list_add_new(r->arena, &r->gone, f->path);
}

int
remove_from_file(struct removal *r, struct settings_file *f, struct err *err)
{
	struct settings_done done;
	struct buf agents = BUF(r->arena, MIB(1)); /* the report on their files */
	size_t reported = r->out->n, left = 0;

	if (settings_check(f, err) < 0 || edit_file(r, f, &done, err) < 0)
		return -1;
	bool is_changed = done.hooks + done.restored + done.has_cap + done.has_server > 0;

	for (size_t i = 0; i < f->hooks.count; i++)
		left += f->hooks.items[i].kind == HOOK_HOLDFAST;
	/* An agent's file that can't be changed is reported, and the others are changed all the same. */
	for (size_t i = 0; f->has_record && i < f->record.agents.count; i++) {
		bool is_agent_changed;
		struct err why;

		if (clean_agent(r, f->record.agents.items[i], &is_agent_changed, &why) < 0)
			buf_cat(&agents, "  kept      the hook in an agent's file: ", why.msg, "\n");
		else if (is_agent_changed)
			buf_cat(&agents, "  removed   the hook in ", f->record.agents.items[i], "\n");
	}
	if (!is_changed && agents.n == 0 && left == 0 && f->server != SERVER_OURS) {
		if (!f->has_record || f->text.s || settings_is_toml(f))
			return 0;
		/* The user deleted the file; its record and its directories are left. */
		note_dirs(r, f);
		return r->is_dry ? 0 : install_record_delete(f->records, f->path, err);
	}
	r->has_found = true;
	report(r, f, &done, left, &agents);
	if (!is_changed)
		return 0;
	if (!r->is_dry && settings_write(f, err) < 0) {
		/* Of the report, only the part about the agents is true. */
		r->out->n = reported;
		if (agents.n > 0)
			buf_cat(r->out, path_shown(f->path, r->cwd), "\n", buf_str(&agents));
		return -1;
	}
	if (!r->is_dry && install_record_delete(f->records, f->path, err) < 0)
		return -1;
	note_dirs(r, f);
	return 0;
}

static bool
is_empty_now(const struct removal *r, struct str dir)
{
	struct str_list names;

	if (fs_lkind(dir.s) != FS_DIR || fs_list(r->arena, dir.s, r->gone.count + 1, &names, IGNORED) < 0)
		return false;
	for (size_t i = 0; i < names.count; i++)
		if (!str_list_has(&r->gone, path_join(r->arena, dir, names.items[i])))
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
	sort(r->dirs.items, r->dirs.count, compare_lengths);
	for (size_t i = 0; i < r->dirs.count; i++) {
		struct str dir = r->dirs.items[i];

		if (!is_empty_now(r, dir) || (!r->is_dry && fs_remove(dir.s, IGNORED) < 0))
			continue; /* another file is in it, or was just put into it */
		str_list_add_new(r->arena, &r->gone, dir);
		r->has_found = true;
		buf_cat(r->out, "  removed   ", path_shown(dir, r->cwd),
			", which init had created and is empty now\n");
	}
}
