/* SPDX-License-Identifier: MIT */
/* Keeps the records of installations. Lines that it does not understand stay as they are. */
#include "store/installed.h"

#include "base/buf.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/locked.h"

#define LOCK_MS 5000
#define FILE_LIMIT_BYTES STATE_LIMIT_BYTES

static int
find_path(struct arena *a, struct str *ret, struct err *err)
{
	struct str base = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	if (!base.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep the record in");
	*ret = fs_join(a, base, STR("holdfast/installed.jsonl"));
	return 0;
}

static void
read_set(struct arena *a, const struct node *record, const char *key, struct str_set *ret)
{
	const struct node *list = node_get(record, key);

	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++)
		if (list->items[i].kind == NODE_STRING)
			str_set_add(a, ret, list->items[i].text);
}

static void
read_was(struct installed *to, const struct node *list)
{
	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++) {
		struct str place = node_get_str(&list->items[i], "place");

		if (place.s)
			settings_made_note(&to->made, place, node_get_str(&list->items[i], "text"));
	}
}

/* The path as a record has it: bytes that are no text can't be in it as they are. */
static struct str
as_recorded(struct arena *a, struct str settings)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct node n;
	struct err ignored;

	json_add_string(&b, settings);
	return json_parse(a, buf_str(&b), &n, &ignored) == 0 ? n.text : settings;
}

/* The record in a line; false when the line is no record of that settings file. */
static bool
read_line(struct arena *a, struct str line, struct str settings, struct installed *ret)
{
	struct node root;
	struct err err;

	if (json_parse(a, line, &root, &err) < 0 ||
	    !str_eq(node_get_str(&root, "settings"), as_recorded(a, settings)))
		return false;
	*ret = (struct installed){ .settings = settings, .cap = node_get_str(&root, "cap") };
	read_set(a, &root, "events", &ret->events);
	read_set(a, &root, "conclaude", &ret->conclaude_events);
	read_set(a, &root, "agents", &ret->agents);
	read_set(a, &root, "dirs", &ret->dirs);
	read_was(ret, node_get(&root, "was"));
	return true;
}

int
installed_find(struct arena *a, struct str settings, struct installed *ret, bool *ret_is_there,
	       struct err *err)
{
	struct str path, text, line;
	struct err no_home;

	*ret_is_there = false;
	if (find_path(a, &path, &no_home) < 0)
		return 0;
	if (fs_read(a, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (str_next(&text, '\n', &line))
		if (read_line(a, line, settings, ret))
			*ret_is_there = true;
	return 0;
}

bool
installed_made_for_another(struct arena *a, struct str dir, struct str settings)
{
	struct str path, text, line, own = as_recorded(a, settings), wanted = as_recorded(a, dir);
	struct err ignored;

	if (find_path(a, &path, &ignored) < 0 || fs_read(a, path.s, FILE_LIMIT_BYTES, &text, &ignored) < 0)
		return false;
	while (str_next(&text, '\n', &line)) {
		struct str_set dirs = { 0 };
		struct node root;
		struct str other;
		const char *z;

		if (json_parse(a, line, &root, &ignored) < 0)
			continue;
		read_set(a, &root, "dirs", &dirs);
		if (!str_set_has(&dirs, wanted))
			continue;
		other = node_get_str(&root, "settings");
		if (other.s && !str_eq(other, own) && str_cz(a, other, &z, &ignored) == 0 &&
		    fs_kind(z) == FS_FILE)
			return true;
	}
	return false;
}

static void
add_set(struct buf *b, const char *key, const struct str_set *set)
{
	json_add_key(b, key);
	json_add_strings(b, set->items, set->count);
}

static void
add_record(struct buf *b, const struct installed *i)
{
	buf_addc(b, '{');
	json_add_member(b, "settings", i->settings);
	json_add_member(b, "time", clock_format_seconds(b->arena, clock_real_us()));
	add_set(b, "events", &i->events);
	if (i->conclaude_events.count > 0)
		add_set(b, "conclaude", &i->conclaude_events);
	if (i->agents.count > 0)
		add_set(b, "agents", &i->agents);
	if (i->dirs.count > 0)
		add_set(b, "dirs", &i->dirs);
	json_add_key(b, "was");
	buf_addc(b, '[');
	for (size_t k = 0; k < i->made.count; k++) {
		if (k > 0)
			buf_addc(b, ',');
		buf_addc(b, '{');
		json_add_member(b, "place", i->made.items[k].place);
		if (i->made.items[k].text.s)
			json_add_member(b, "text", i->made.items[k].text);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
	if (i->cap.s)
		json_add_member(b, "cap", i->cap);
	buf_add(b, STR("}\n"));
}

/* Writes the file anew without the line of that settings file, and with the record if there is one. */
static int
rewrite(struct arena *a, struct str settings, const struct installed *record, struct err *err)
{
	static const struct locked_how how = { .creates = true, .timeout_ms = LOCK_MS };
	CLEANUP(locked_close) struct locked_file lock = LOCKED_NONE;
	struct buf b = BUF(a, FILE_LIMIT_BYTES + SETTINGS_LIMIT_BYTES);
	struct str path, text, line;
	struct installed old;

	if (find_path(a, &path, err) < 0 || fs_make_parents(a, path, 0700, err) < 0 ||
	    locked_open(str_fmt(a, "%s.lock", path.s).s, &how, &lock, err) < 0 ||
	    fs_read(a, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (str_next(&text, '\n', &line)) {
		if (read_line(a, line, settings, &old))
			continue;
		buf_add(&b, line);
		buf_addc(&b, '\n');
	}
	if (record)
		add_record(&b, record);
	return fs_replace(a, path.s, buf_str(&b), 0600, err);
}

int
installed_save(struct arena *a, const struct installed *i, struct err *err)
{
	return rewrite(a, i->settings, i, err);
}

int
installed_forget(struct arena *a, struct str settings, struct err *err)
{
	struct installed old;
	bool is_there;

	if (installed_find(a, settings, &old, &is_there, err) < 0)
		return -1;
	return is_there ? rewrite(a, settings, NULL, err) : 0;
}
