/* SPDX-License-Identifier: MIT */
/* Reads and writes settings files together with their records. */
#include "install/settings_file.h"

#include "base/path.h"
#include "doc/jsonedit.h"
#include "os/fs.h"

/* The record, to a text that has been read. */
static int
find_record(struct settings_file *f, struct err *err)
{
	if (install_record_find(f->arena, f->path, &f->record, &f->has_record, err) < 0)
		return -1;
	f->new_text = f->text;
	return 0;
}

int
settings_file_open(struct arena *a, const struct client *c, struct str path, struct settings_file *ret,
		   struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;

	*ret = (struct settings_file){
		.arena = a, .client = c, .path = path, .record = { .settings = path }
	};
	if (settings_read(a, &scratch, path, &ret->text, &root, err) < 0)
		return -1;
	arena_free(&scratch);
	return find_record(ret, err);
}

int
settings_file_open_text(struct arena *a, const struct client *c, struct str path, struct settings_file *ret,
			struct err *err)
{
	const char *z;

	*ret = (struct settings_file){
		.arena = a, .client = c, .path = path, .record = { .settings = path }
	};
	if (str_cz(a, path, &z, err) < 0 || fs_read(a, z, SETTINGS_LIMIT_BYTES, &ret->text, err) < 0)
		return -1;
	return find_record(ret, err);
}

struct node
settings_file_tree(const struct settings_file *f, struct arena *a)
{
	struct node root;
	struct err ignored; /* it was parsed when the file was opened */

	if (str_trim(f->text).n == 0 || jsonedit_check(a, f->text, &root, &ignored) < 0)
		root = (struct node){ .kind = NODE_NULL };
	return root;
}

void
settings_file_drop_stale_record(struct settings_file *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(f, &scratch);
	struct hook_list list = hooks_list(&scratch, &f->client->settings->shape, &root);
	bool is_used = false;

	for (size_t i = 0; f->has_record && i < list.count; i++) {
		const struct hook_entry *h = &list.items[i];

		is_used |= h->kind == HOOK_HOLDFAST && name_set_has(&f->record.events, h->event);
		is_used |= h->kind == HOOK_CONCLAUDE && name_set_has(&f->record.conclaude_events, h->event);
		is_used |= h->kind == HOOK_HOLDFAST && undo_log_has_event(&f->record.undo, h->event);
	}
	struct str command;

	is_used |= f->record.has_server && settings_server(&root, &command) && command.s;
	if (!is_used)
		f->record = (struct install_record){ .settings = f->path };
}

struct settings_edit
settings_file_edit(struct settings_file *f)
{
	return (struct settings_edit){
		.arena = f->arena,
		.shape = &f->client->settings->shape,
		.text = f->new_text,
		.undo = &f->record.undo,
	};
}

bool
settings_file_is_changed(const struct settings_file *f)
{
	return (f->text.s != NULL) != (f->new_text.s != NULL) || !str_eq(f->text, f->new_text);
}

static int
make_dirs(struct settings_file *f, struct err *err)
{
	struct str dir = str_copy(f->arena, path_parent(f->path));

	for (struct str d = dir; d.n > 0; d = str_copy(f->arena, path_parent(d))) {
		if (fs_lkind(d.s) != FS_NOTHING && !install_record_has_dir(d, f->path))
			break;
		name_set_add(f->arena, &f->record.dirs, d);
	}
	return fs_make_dirs(dir.s, 0755, err);
}

int
settings_file_write(struct settings_file *f, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const char *z;
	struct str now;

	if (str_cz(f->arena, f->path, &z, err) < 0)
		return -1;
	if (fs_is_read_only(z))
		return err_set(err, ERR_VALUE, "%s: is read-only and was not changed", z);
	if (fs_read(&scratch, z, SETTINGS_LIMIT_BYTES, &now, err) < 0)
		return -1;
	if ((now.s != NULL) != (f->text.s != NULL) || !str_eq(now, f->text))
		return err_set(
			err, ERR_BUSY,
			"%s: another program changed it just now, so it was left alone; run this again", z);
	return f->new_text.s ? fs_replace(f->arena, z, f->new_text, 0644, err) : fs_remove(z, err);
}

int
settings_file_save(struct settings_file *f, struct str *ret_note, struct err *err)
{
	struct err record_err;

	*ret_note = STR_NONE;
	if (make_dirs(f, err) < 0)
		return -1;
	/* The record goes first: a record of a change that then fails does no harm. */
	if (install_record_save(&f->record, &record_err) < 0)
		*ret_note = str_fmt(f->arena, "the change could not be recorded for 'holdfast uninstall': %s",
				    record_err.msg);
	return settings_file_write(f, err);
}
