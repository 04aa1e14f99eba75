/* SPDX-License-Identifier: MIT */
/* Keeps the records. Lines that it does not understand are left unchanged. */
#include "install/record.h"

#include "base/buf.h"
#include "base/path.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/locked.h"

#define LOCK_MS 5000
#define FILE_LIMIT_BYTES STATE_LIMIT_BYTES

bool
name_set_has(const struct name_set *set, struct str x)
{
	return str_is_among(x, set->items, set->count);
}

void
name_set_add(struct arena *a, struct name_set *set, struct str x)
{
	if (name_set_has(set, x))
		return;
	arena_make_room(a, set->items, set->count, &set->capacity);
	set->items[set->count++] = x;
}

const struct undo_entry *
undo_log_find(const struct undo_log *log, struct str place)
{
	for (size_t i = 0; log && i < log->count; i++)
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

bool
undo_log_has_event(const struct undo_log *log, struct str event)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct undo_entry *u = &log->items[i];

		if (u->now.s && str_starts(u->place, event) && u->place.n > event.n &&
		    u->place.s[event.n] == '.')
			return true;
	}
	return false;
}

static int
find_path(struct arena *a, struct str *ret, struct err *err)
{
	struct str base = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	if (!base.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep the record in");
	*ret = path_join(a, base, STR("holdfast/installed.jsonl"));
	return 0;
}

static void
read_set(struct arena *a, const struct node *record, const char *key, struct name_set *ret)
{
	const struct node *list = node_get(record, key);

	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++)
		if (list->items[i].kind == NODE_STRING)
			name_set_add(a, ret, list->items[i].text);
}

/* The path as the JSON of a record returns it: bytes that are not UTF-8 do not survive. */
static struct str
as_recorded(struct arena *a, struct str settings)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct node n;
	struct err ignored;

	json_add_string(&b, settings);
	return json_parse(a, buf_str(&b), &n, &ignored) == 0 ? n.text : settings;
}

static bool
is_record_of(struct str line, struct str settings)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root;
	struct err ignored;

	return json_parse(&scratch, line, &root, &ignored) == 0 &&
	       str_eq(node_get_str(&root, "settings"), as_recorded(&scratch, settings));
}

/* Reads one line; false when it is not a record of that settings file. */
static bool
read_line(struct arena *a, struct str line, struct str settings, struct install_record *ret)
{
	struct node root;
	struct err ignored;

	if (!is_record_of(line, settings) || json_parse(a, line, &root, &ignored) < 0)
		return false;
	*ret = (struct install_record){ .settings = settings,
					.cap = node_get_str(&root, "cap"),
					.has_server = node_get_bool(&root, "server") };
	read_set(a, &root, "events", &ret->events);
	read_set(a, &root, "conclaude", &ret->conclaude_events);
	read_set(a, &root, "agents", &ret->agents);
	read_set(a, &root, "dirs", &ret->dirs);
	const struct node *was = node_get(&root, "was");

	for (size_t i = 0; was && was->kind == NODE_LIST && i < was->count; i++) {
		struct str place = node_get_str(&was->items[i], "place");

		if (place.s)
			undo_log_add(&ret->undo,
				     (struct undo_entry){ place, node_get_str(&was->items[i], "text"),
							  node_get_str(&was->items[i], "now") });
	}
	return true;
}

int
install_record_find(struct arena *a, struct str settings, struct install_record *ret, bool *ret_is_there,
		    struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str path, text, line;
	struct err no_home;

	*ret_is_there = false;
	if (find_path(&scratch, &path, &no_home) < 0)
		return 0;
	if (fs_read(&scratch, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (str_next(&text, '\n', &line))
		if (read_line(a, line, settings, ret))
			*ret_is_there = true;
	return 0;
}

bool
install_record_has_dir(struct str dir, struct str other_than)
{
	CLEANUP(arena_free) struct arena texts = { 0 };
	struct str path, text, line, own = as_recorded(&texts, other_than), wanted = as_recorded(&texts, dir);
	struct err ignored;

	if (find_path(&texts, &path, &ignored) < 0 ||
	    fs_read(&texts, path.s, FILE_LIMIT_BYTES, &text, &ignored) < 0)
		return false;
	while (str_next(&text, '\n', &line)) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct name_set dirs = { 0 };
		struct node root;
		struct str other;
		const char *z;

		if (json_parse(&scratch, line, &root, &ignored) < 0)
			continue;
		read_set(&scratch, &root, "dirs", &dirs);
		if (!name_set_has(&dirs, wanted))
			continue;
		other = node_get_str(&root, "settings");
		if (other.s && !str_eq(other, own) && str_cz(&scratch, other, &z, &ignored) == 0 &&
		    fs_kind(z) == FS_FILE)
			return true;
	}
	return false;
}

static void
add_set(struct buf *b, const char *key, const struct name_set *set)
{
	json_add_key(b, key);
	json_add_strings(b, set->items, set->count);
}

static void
add_record(struct buf *b, const struct install_record *r)
{
	buf_addc(b, '{');
	json_add_member(b, "settings", r->settings);
	json_add_member(b, "time", clock_format_seconds(b->arena, clock_real_us()));
	add_set(b, "events", &r->events);
	if (r->conclaude_events.count > 0)
		add_set(b, "conclaude", &r->conclaude_events);
	if (r->agents.count > 0)
		add_set(b, "agents", &r->agents);
	if (r->dirs.count > 0)
		add_set(b, "dirs", &r->dirs);
	json_add_key(b, "was");
	buf_addc(b, '[');
	for (size_t k = 0; k < r->undo.count; k++) {
		if (k > 0)
			buf_addc(b, ',');
		buf_addc(b, '{');
		json_add_member(b, "place", r->undo.items[k].place);
		if (r->undo.items[k].text.s)
			json_add_member(b, "text", r->undo.items[k].text);
		if (r->undo.items[k].now.s)
			json_add_member(b, "now", r->undo.items[k].now);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
	if (r->cap.s)
		json_add_member(b, "cap", r->cap);
	if (r->has_server)
		json_add_member_bool(b, "server", true);
	buf_add(b, STR("}\n"));
}

/* Replaces the file: without the line of that settings file, and with the record unless it is NULL. */
static int
rewrite(struct str settings, const struct install_record *record, struct err *err)
{
	static const struct locked_how how = { .creates = true, .timeout_ms = LOCK_MS };
	CLEANUP(locked_close) struct locked_file lock = LOCKED_NONE;
	CLEANUP(arena_free) struct arena scratch = { 0 }, lines = { 0 };
	struct buf b = BUF(&lines, FILE_LIMIT_BYTES + SETTINGS_LIMIT_BYTES);
	struct str path, text, line;

	if (find_path(&scratch, &path, err) < 0 || fs_make_parents(&scratch, path, 0700, err) < 0 ||
	    locked_open(str_fmt(&scratch, "%s.lock", path.s).s, &how, &lock, err) < 0 ||
	    fs_read(&scratch, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (str_next(&text, '\n', &line)) {
		if (is_record_of(line, settings))
			continue;
		buf_add(&b, line);
		buf_addc(&b, '\n');
	}
	if (record)
		add_record(&b, record);
	return fs_replace(&scratch, path.s, buf_str(&b), 0600, err);
}

int
install_record_save(const struct install_record *r, struct err *err)
{
	return rewrite(r->settings, r, err);
}

int
install_record_delete(struct str settings, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct install_record old;
	bool is_there;

	if (install_record_find(&scratch, settings, &old, &is_there, err) < 0)
		return -1;
	arena_free(&scratch);
	return is_there ? rewrite(settings, NULL, err) : 0;
}
