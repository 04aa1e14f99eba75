/* SPDX-License-Identifier: MIT */
/* Keeps the records: one JSON line per settings file in holdfast/installed.jsonl under the XDG state directory. Lines that it does
 * not understand are left unchanged. */
#include "install/settings.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/locked.h"
#include "store/state_path.h"

#define LOCK_MS 5000
#define FILE_LIMIT_BYTES STATE_LIMIT_BYTES

const struct undo_entry *
undo_log_find(const struct undo_log *log, struct str place)
{
	for (size_t i = 0; i < log->count; i++)
		if (str_eq(log->items[i].place, place))
			return &log->items[i];
	return NULL;
}

void
undo_log_add(struct undo_log *log, struct undo_entry entry)
{
	for (size_t i = 0; i < log->count; i++)
		if (str_eq(log->items[i].place, entry.place)) {
			log->items[i].now = entry.now;
			return;
		}
	if (log->count < UNDO_ENTRIES_MAX)
		log->items[log->count++] = entry;
}

/* Keeps the lines that are JSON. */
static void
read_lines(struct install_records *all, struct str text)
{
	struct str line;
	struct node entry;

	all->items = NULL;
	all->count = 0;
	while (str_next(&text, '\n', &line))
		if (json_parse(all->arena, line, &entry, IGNORED) == 0)
			*arena_push(all->arena, all->items, all->count) = entry;
}

void
install_records_load(struct arena *a, struct install_records *ret)
{
	struct str path = state_path(a, NULL, STR("installed.jsonl")), text = STR_NONE;

	*ret = (struct install_records){ .arena = a };
	ret->is_bad = path.s && fs_read(a, path.s, FILE_LIMIT_BYTES, &text, &ret->why_bad) < 0;
	if (!ret->is_bad)
		read_lines(ret, text);
}

static void
read_set(struct arena *a, const struct node *record, const char *key, struct str_list *ret)
{
	const struct node *list = node_get_list(record, key);

	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == NODE_STRING)
			str_list_add_new(a, ret, list->items[i].text);
}

/* JSON returns a path without bytes that are not UTF-8. */
static bool
is_record_of(struct arena *a, const struct node *line, struct str settings)
{
	return str_eq(node_get_str(line, "settings"), utf8_clean(a, settings));
}

bool
install_record_find(const struct install_records *all, struct str settings, struct install_record *ret)
{
	const struct node *root = NULL;

	for (size_t i = 0; i < all->count; i++)
		if (is_record_of(all->arena, &all->items[i], settings))
			root = &all->items[i];
	if (!root)
		return false;
	*ret = (struct install_record){ .cap = node_get_str(root, "cap"),
					.has_server = node_get_bool(root, "server") };
	read_set(all->arena, root, "events", &ret->events);
	read_set(all->arena, root, "conclaude", &ret->conclaude_events);
	read_set(all->arena, root, "agents", &ret->agents);
	read_set(all->arena, root, "dirs", &ret->dirs);
	const struct node *was = node_get_list(root, "was");

	for (size_t i = 0; i < was->count; i++) {
		struct str place = node_get_str(&was->items[i], "place");

		if (place.s)
			undo_log_add(&ret->undo,
				     (struct undo_entry){ place, node_get_str(&was->items[i], "text"),
							  node_get_str(&was->items[i], "now") });
	}
	return true;
}

bool
install_records_have_dir(const struct install_records *all, struct str dir, struct str other_than)
{
	for (size_t i = 0; i < all->count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct str other = node_get_str(&all->items[i], "settings");
		struct str_list dirs = { 0 };
		const char *z;

		read_set(&scratch, &all->items[i], "dirs", &dirs);
		if (other.s && str_list_has(&dirs, utf8_clean(&scratch, dir)) &&
		    !is_record_of(&scratch, &all->items[i], other_than) &&
		    str_cz(&scratch, other, &z, IGNORED) == 0 && fs_kind(z) == FS_FILE)
			return true;
	}
	return false;
}

static struct json_value
unless_empty(const struct str_list *l)
{
	return JSON_IF(l->count > 0, l);
}

int
install_record_save(struct install_records *all, struct str settings, const struct install_record *record,
		    struct err *err)
{
	static const struct locked_how how = { .creates = true, .timeout_ms = LOCK_MS };
	CLEANUP(locked_close) struct locked_file lock = LOCKED_NONE;
	CLEANUP(arena_free) struct arena scratch = { 0 }, lines = { 0 };
	struct buf b = BUF(&lines, FILE_LIMIT_BYTES + SETTINGS_LIMIT_BYTES);
	struct str path = state_path(&scratch, NULL, STR("installed.jsonl")), text, line;
	struct node root;

	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep the record in");
	if (fs_make_parents(&scratch, path, 0700, err) < 0 ||
	    locked_open(str_cat(&scratch, path, ".lock").s, &how, &lock, err) < 0 ||
	    fs_read(&scratch, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (str_next(&text, '\n', &line))
		if (json_parse(&scratch, line, &root, IGNORED) < 0 ||
		    !is_record_of(&scratch, &root, settings))
			buf_cat(&b, line, "\n");
	if (record) {
		json_open(&b, NULL, '{');
		json_add(&b, "settings", settings, "time", clock_format_seconds(b.arena, clock_real_us()),
			 "events", &record->events, "conclaude", unless_empty(&record->conclaude_events),
			 "agents", unless_empty(&record->agents), "dirs", unless_empty(&record->dirs));
		json_open(&b, "was", '[');
		for_each (e, record->undo.items, record->undo.count)
			json_add_object(&b, NULL, "place", e->place, "text", e->text, "now", e->now);
		json_close(&b, "]");
		json_add(&b, "cap", record->cap, "server", JSON_IF(record->has_server, record->has_server));
		json_close(&b, "}\n");
	}
	if (fs_replace(&scratch, path.s, buf_str(&b), 0600, err) < 0)
		return -1;
	read_lines(all, str_copy(all->arena, buf_str(&b)));
	return 0;
}

int
install_record_delete(struct install_records *all, struct str settings, struct err *err)
{
	struct install_record old;

	return install_record_find(all, settings, &old) ? install_record_save(all, settings, NULL, err) : 0;
}
