/* SPDX-License-Identifier: MIT */
/* Reads and writes settings files together with their records. */
#include "install/settings.h"

#include "os/fs.h"

struct str
plugin_enabled(const struct node_entry *entry)
{
	bool is_off = entry->value.kind == NODE_BOOL && !entry->value.boolean;

	return is_off ? STR_NONE : str_before(entry->key, '@'); /* NAME@MARKETPLACE */
}

bool
settings_is_toml(const struct settings_file *f)
{
	return str_ends(f->path, STR(".toml"));
}

void
settings_open(struct arena *a, struct install_records *records, const struct client *c, struct str path,
	      struct settings_file *ret)
{
	const char *z;

	*ret = (struct settings_file){ .arena = a, .records = records, .client = c, .path = path };
	ret->is_bad = str_cz(a, path, &z, &ret->why_bad) < 0 ||
		      fs_read(a, z, SETTINGS_LIMIT_BYTES, &ret->text, &ret->why_bad) < 0;
	ret->new_text = ret->text;
	ret->has_record = install_record_find(records, path, &ret->record);
	ret->recorded_cap = ret->record.cap;
	if (!ret->is_bad)
		settings_look(ret);
}

int
settings_check(const struct settings_file *f, struct err *err)
{
	if (!f->is_bad && !f->records->is_bad)
		return 0;
	*err = f->is_bad ? f->why_bad : f->records->why_bad;
	return -1;
}

void
settings_look(struct settings_file *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct client_settings *s = f->client->settings;
	struct node root = { .kind = NODE_NULL };

	if (settings_is_toml(f)) {
		f->server = toml_server_find(f->arena, f->new_text, &f->server_command);
		f->is_server_exact = true;
		return;
	}
	f->is_bad = str_trim(f->new_text).n > 0 &&
		    jsonedit_check(&scratch, f->new_text, &root, &f->why_bad) < 0;
	if (f->is_bad) { /* FILE:LINE:COLUMN, which editors can follow */
		struct str where = str_cat(f->arena, f->path, ":", f->why_bad.msg);

		(void)err_set(&f->why_bad, ERR_SYNTAX, STR_FMT, STR_ARG(where));
	}
	const struct node *cap = s->has_env ? node_get(node_get(&root, "env"), f->client->block_cap_env)
					    : NULL;
	const struct node *plugins = s->plugins_key ? node_get(&root, s->plugins_key) : NULL;
	const struct node *server = node_get(node_get(&root, SERVERS_KEY), SERVER_NAME);
	const struct node *args = node_get_list(server, "args");
	struct str command = node_get_str(server, "command");
	struct hook_list all = hooks_list(&scratch, &s->shape, &root);

	/* Copies what is asked for: the tree of a large file is larger. */
	f->hooks = (struct hook_list){ 0 };
	for (size_t i = 0; i < all.count; i++) {
		struct hook_entry h = all.items[i];

		if (h.kind == HOOK_OTHER && str_find(h.command, STR("holdfast")) < 0)
			continue;
		struct hook_entry *last = arena_push(f->arena, f->hooks.items, f->hooks.count);

		h.event = f->hooks.count > 1 && str_eq(h.event, last[-1].event) ? last[-1].event
										: str_copy(f->arena, h.event);
		h.command = str_copy(f->arena, h.command);
		*last = h;
	}
	f->has_cap = cap != NULL;
	f->cap = cap && cap->text.s ? str_copy(f->arena, cap->text) : STR_NONE;
	f->is_disabling = s->disable_key && node_get_bool(&root, s->disable_key);
	f->plugins = (struct str_list){ 0 };
	for (size_t i = 0; plugins && plugins->kind == NODE_MAP && i < plugins->count; i++) {
		struct str plugin = plugin_enabled(&plugins->entries[i]);

		if (plugin.s)
			str_list_add_new(f->arena, &f->plugins, str_copy(f->arena, plugin));
	}
	bool is_ours = str_is(path_base(command), "holdfast") && args->count > 0 &&
		       str_is(args->items[0].text, "mcp");

	f->server = !server ? SERVER_MISSING : is_ours ? SERVER_OURS : SERVER_OTHER;
	f->server_command = is_ours ? str_copy(f->arena, command) : STR_NONE;
	f->is_server_exact = is_ours && server->count == 2 && args->count == 1;
}

bool
settings_added(const struct settings_file *f, const struct hook_entry *h)
{
	return (h->kind == HOOK_HOLDFAST && str_list_has(&f->record.events, h->event)) ||
	       (h->kind == HOOK_CONCLAUDE && str_list_has(&f->record.conclaude_events, h->event));
}

void
settings_drop_stale_record(struct settings_file *f)
{
	bool is_used = f->record.has_server && f->server == SERVER_OURS;

	for (size_t i = 0; f->has_record && i < f->hooks.count; i++) {
		const struct hook_entry *h = &f->hooks.items[i];

		is_used |= settings_added(f, h);
		for (size_t k = 0; h->kind == HOOK_HOLDFAST && k < f->record.undo.count; k++) {
			struct str place = f->record.undo.items[k].place; /* EVENT.KEY */

			is_used |= f->record.undo.items[k].now.s && str_eq(str_before(place, '.'), h->event);
		}
	}
	if (!is_used)
		f->record = (struct install_record){ 0 };
}

bool
settings_is_changed(const struct settings_file *f)
{
	return (f->text.s != NULL) != (f->new_text.s != NULL) || !str_eq(f->text, f->new_text);
}

int
settings_write(struct settings_file *f, struct err *err)
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
	if ((f->new_text.s ? fs_replace(f->arena, z, f->new_text, 0644, err) : fs_remove(z, err)) < 0)
		return -1;
	f->text = f->new_text;
	return 0;
}

int
settings_save(struct settings_file *f, struct str *ret_note, struct err *err)
{
	struct str dir = str_copy(f->arena, path_parent(f->path));
	struct err record_err;

	*ret_note = STR_NONE;
	for (struct str d = dir; d.n > 0; d = str_copy(f->arena, path_parent(d))) {
		if (fs_lkind(d.s) != FS_NOTHING && !install_records_have_dir(f->records, d, f->path))
			break;
		str_list_add_new(f->arena, &f->record.dirs, d);
	}
	if (fs_make_dirs(dir.s, 0755, err) < 0)
		return -1;
	/* The record goes first: a record of a change that then fails does no harm. */
	if (install_record_save(f->records, f->path, &f->record, &record_err) < 0)
		*ret_note = str_cat(f->arena, "the change could not be recorded for 'holdfast uninstall': ",
				    record_err.msg);
	else
		f->has_record = true;
	f->recorded_cap = f->record.cap;
	return settings_write(f, err);
}
