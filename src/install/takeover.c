/* SPDX-License-Identifier: MIT */
/* Nothing is lost: a file is copied before it changes, other hooks of the same programs stay, and no file of somebody else is
 * replaced by a link. */
#include "install/takeover.h"

#include "install/wanted.h"

#include "base/path.h"
#include "doc/jsonedit.h"
#include "install/settings_file.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/state_path.h"

/* Programs whose hooks holdfast takes over. */
static const enum hook_kind taken[] = { HOOK_CONCLAUDE, HOOK_GAUNTLET, HOOK_RALPH_SCRIPT, HOOK_LOOP_ALONE };

static bool
is_taken_kind(enum hook_kind kind)
{
	for (size_t i = 0; i < COUNT_OF(taken); i++)
		if (taken[i] == kind)
			return true;
	return false;
}

/* What is done to one file. */
struct takeover {
	const struct register_request *request;
	struct settings_file file;
	struct buf lines; /* the report */
	size_t changes;
	unsigned kinds;
};

/* Reports each hook, and collects the events of which they are removed. */
static void
list_hooks(struct takeover *t, const struct hook_list *hooks, struct name_set *ret_events)
{
	struct arena *a = t->request->arena;

	for (size_t i = 0; i < hooks->count; i++) {
		const struct hook_entry *h = &hooks->items[i];

		if (!is_taken_kind(h->kind))
			continue;
		if (hook_is_known(t->request->client, h->event)) {
			name_set_add(a, ret_events, str_copy(a, h->event));
			buf_addf(&t->lines, "  removed   " STR_FMT "  " STR_FMT "\n", STR_ARG(h->event),
				 STR_ARG(h->command));
			t->changes++;
			t->kinds |= 1U << h->kind;
		} else {
			buf_addf(&t->lines,
				 "  kept      " STR_FMT "  " STR_FMT
				 " (holdfast does not handle this event)\n",
				 STR_ARG(h->event), STR_ARG(h->command));
		}
	}
}

static int
remove_hooks(struct takeover *t, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct settings_file *f = &t->file;
	struct node root = settings_file_tree(f, &scratch);
	struct hook_list hooks = hooks_list(&scratch, &f->client->settings->shape, &root);
	struct settings_edit edit = settings_file_edit(f);
	struct name_set events = { 0 };
	size_t removed;

	list_hooks(t, &hooks, &events);
	edit.undo = NULL;
	for (size_t i = 0; events.count > 0 && i < COUNT_OF(taken); i++) {
		const struct hook_filter which = { taken[i], &events };

		if (str_trim(edit.text).n > 0 && settings_edit_remove(&edit, &which, &removed, err) < 0)
			return -1;
	}
	f->new_text = edit.text;
	return 0;
}

/* Sets what enables the Ralph plugin to false. */
static int
disable_plugins(struct takeover *t, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct settings_file *f = &t->file;
	const char *key = f->client->settings->plugins_key;
	struct jsonedit j;

	if (!key || str_trim(f->new_text).n == 0)
		return 0;
	if (jsonedit_open(&scratch, f->new_text, &j, err) < 0)
		return -1;
	const struct node *plugins = node_get(&j.root, key);

	for (size_t i = 0; plugins && plugins->kind == NODE_MAP && i < plugins->count; i++) {
		const struct node *value = &plugins->entries[i].value;
		struct str id = plugins->entries[i].key, rest = id, name;

		if (!str_next(&rest, '@', &name) ||
		    !(str_is(name, "ralph-wiggum") || str_is(name, "ralph-loop")) ||
		    (value->kind == NODE_BOOL && !value->boolean))
			continue;
		jsonedit_replace(&j, value, STR("false"));
		buf_addf(&t->lines, "  disabled  the plugin " STR_FMT "\n", STR_ARG(id));
		t->changes++;
	}
	if (j.edit.count > 0)
		f->new_text = edit_apply(&j.edit, f->arena);
	return 0;
}

/* Copies the file to the state directory; *ret is where. */
static int
keep_copy(struct takeover *t, struct str *ret, struct err *err)
{
	struct arena *a = t->request->arena;
	struct str time = clock_format_seconds(a, clock_real_us());
	struct str name = str_fmt(a, STR_FMT "." STR_FMT, STR_ARG(project_slug(a, t->file.path)),
				  STR_ARG(time));

	*ret = state_path(a, "replaced", name);
	if (!ret->s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep a copy of " STR_FMT " in",
			       STR_ARG(t->file.path));
	return fs_make_parents(a, *ret, 0700, err) < 0 ? -1 : fs_replace(a, ret->s, t->file.text, 0600, err);
}

static int
take_over_file(const struct register_request *r, struct str path, unsigned *kinds, struct buf *out,
	       struct err *err)
{
	struct takeover *t = arena_new(r->arena, struct takeover);
	struct str copy = STR_NONE;

	*t = (struct takeover){ .request = r, .lines = BUF(r->arena, MIB(1)) };
	if (settings_file_open(r->arena, r->client, path, &t->file, err) < 0)
		return -1;
	if (str_trim(t->file.text).n == 0)
		return 0;
	if (remove_hooks(t, err) < 0 || disable_plugins(t, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, path).s);
	if (t->lines.n == 0)
		return 0;
	if (t->changes > 0 && !r->is_dry) {
		/* A file in which nothing is left stays: it is the user's. */
		if (!t->file.new_text.s)
			t->file.new_text = STR("{}\n");
		if (keep_copy(t, &copy, err) < 0 || settings_file_write(&t->file, err) < 0)
			return -1;
	}
	buf_addf(out, STR_FMT "%s\n" STR_FMT, STR_ARG(shown_path(path, r->cwd)),
		 r->is_dry ? " (dry run: nothing is written)" : "", STR_ARG(buf_str(&t->lines)));
	*kinds |= t->kinds;
	if (copy.s)
		buf_addf(out, "  kept      the file as it was; to restore it: cp " STR_FMT " " STR_FMT "\n",
			 STR_ARG(shell_quote(r->arena, copy)), STR_ARG(shell_quote(r->arena, path)));
	return 0;
}

int
takeover_settings(const struct register_request *r, unsigned *kinds, struct buf *out, struct err *err)
{
	static const enum settings_scope of_project[] = { SCOPE_PROJECT, SCOPE_LOCAL },
					 of_user[] = { SCOPE_USER };
	bool is_user = r->scope == SCOPE_USER;
	const enum settings_scope *scopes = is_user ? of_user : of_project;
	struct str paths[SETTINGS_FILES_MAX];

	for (size_t i = 0; i < (is_user ? COUNT_OF(of_user) : COUNT_OF(of_project)); i++) {
		size_t count = settings_files(r->arena, r->facts->project, r->client, scopes[i], paths);

		for (size_t k = 0; k < count; k++)
			if (take_over_file(r, paths[k], kinds, out, err) < 0)
				return -1;
	}
	return 0;
}

/* Where this program is found: in PATH, else its own path. */
static struct str
found_at(struct arena *a, struct str self)
{
	struct str in_path = env_find_program(a, "holdfast");

	return in_path.s && str_eq(fs_real(a, in_path.s), self) ? in_path : self;
}

static void
take_over_name(const struct register_request *r, const char *name, struct buf *out)
{
	struct arena *a = r->arena;
	struct str self = env_self(a), other = env_find_program(a, name);
	struct str here = self.s ? found_at(a, self) : STR_NONE;
	struct str path = here.s ? path_join(a, path_parent(here), str_from(name)) : STR_NONE;
	struct err err;

	if (!path.s)
		return;
	if (!other.s && fs_lkind(path.s) != FS_NOTHING)
		other = path;
	if (other.s && str_eq(fs_real(a, other.s), self))
		return; /* it is one already */
	if (other.s)
		buf_addf(out,
			 "%s: " STR_FMT
			 " is another program and stays; holdfast does not answer to that name\n",
			 name, STR_ARG(other));
	else if (r->is_dry)
		buf_addf(out, "%s: would become a link to holdfast: " STR_FMT "\n", name, STR_ARG(path));
	else if (fs_symlink(str_copy(a, path_base(here)).s, path.s, &err) < 0)
		buf_addf(out, "%s: no link to holdfast was made: %s\n", name, err.msg);
	else
		buf_addf(out, "%s: a link to holdfast was made: " STR_FMT "\n", name, STR_ARG(path));
}

void
takeover_names(const struct register_request *r, unsigned kinds, struct buf *out)
{
	static const enum hook_kind programs[] = { HOOK_CONCLAUDE, HOOK_GAUNTLET };

	for (size_t i = 0; i < COUNT_OF(programs); i++)
		if (kinds >> programs[i] & 1)
			take_over_name(r, hook_kind_name(programs[i]), out);
}
