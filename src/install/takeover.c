/* SPDX-License-Identifier: MIT */
/* Nothing is lost: a file is copied before it changes, other hooks of the same programs stay, and no file of somebody else is
 * replaced by a link. */
#include "install/register.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/state_path.h"

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
	for (size_t i = 0; i < f->hooks.count; i++) {
		struct hook_entry *h = &f->hooks.items[i];

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
	buf_cat(out, shown_path(f->path, r->cwd), r->is_dry ? " (dry run: nothing is written)\n" : "\n",
		buf_str(&lines));
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
