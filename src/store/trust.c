/* SPDX-License-Identifier: MIT */
/* The files of trusted projects. A copy is complete before the record names it, and is never changed after that. */
#include "store/trust.h"

#include "base/digest.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "store/state_path.h"

#define DIRECTORY "trust"
#define COPIES "trust/pinned"
#define RECORD_LIMIT_BYTES MIB(1)

static struct str
record_path(struct arena *a, struct str project)
{
	return state_path(a, DIRECTORY, str_cat(a, project_slug(a, project), ".json"));
}

/* Each version has a directory of its own in this one. */
static struct str
copies_dir(struct arena *a, struct str project)
{
	return state_path(a, COPIES, project_slug(a, project));
}

static int
read_record(struct arena *a, struct str path, struct trust *ret, struct err *err)
{
	struct str text;
	struct node n;

	*ret = (struct trust){ 0 };
	if (fs_read(a, path.s, RECORD_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return 0;
	if (fs_check_safe(a, path.s, err) < 0)
		return -1;
	if (json_parse(a, text, &n, err) < 0)
		return err_wrap_file(err, path.s);
	struct trust t = {
		.project = node_get_str(&n, "project"),
		.root = node_get_str(&n, "root"),
		.from = node_get_str(&n, "from"),
		.definitions = node_get_str(&n, "definitions"),
		.since = node_get_str(&n, "since"),
	};
	struct str version = node_get_str(&n, "pinned");

	if (!t.project.s || !t.definitions.s)
		return err_set(err, ERR_VALUE, "%s: not the record of a trusted project", path.s);
	if (!t.root.s)
		t.root = t.project;
	if (version.s)
		t.copy = path_join(a, copies_dir(a, t.project), version);
	*ret = t;
	return 0;
}

int
trust_find(struct arena *a, struct str project, struct trust *ret, struct err *err)
{
	struct str path = record_path(a, project);

	*ret = (struct trust){ 0 };
	if (path.s && read_record(a, path, ret, err) < 0)
		return -1;
	if (!str_eq(ret->project, project))
		*ret = (struct trust){ 0 };
	return 0;
}

int
trust_list(struct arena *a, struct trust_list *ret, struct err *err)
{
	struct str dir = state_path(a, DIRECTORY, STR(""));
	struct str_list names = { 0 };

	*ret = (struct trust_list){ 0 };
	if (!dir.s)
		return 0;
	if (fs_list(a, dir.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	ret->items = arena_array(a, names.count + 1, struct trust);
	for (size_t i = 0; i < names.count; i++) {
		if (str_ends(names.items[i], STR(".json")) &&
		    read_record(a, path_join(a, dir, names.items[i]), &ret->items[ret->count], IGNORED) == 0)
			ret->count += ret->items[ret->count].project.s != NULL;
	}
	return 0;
}

bool
trust_has_pins(struct arena *a)
{
	struct str dir = state_path(a, COPIES, STR(""));

	return dir.s && fs_kind(dir.s) == FS_DIR;
}

bool
trust_tell_first(struct arena *a, struct str copy)
{
	return fs_create(str_cat(a, copy, ".told").s, STR(""), 0600, IGNORED) == 0;
}

/* Those of the project but one, if any; an old copy that stays is harmless. */
static void
remove_copies(struct arena *a, struct str project, struct str but)
{
	struct str dir = copies_dir(a, project);
	struct str_list names = { 0 };

	if (!dir.s || fs_list(a, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		if (!str_eq(names.items[i], but))
			(void)(fs_remove_tree(path_join(a, dir, names.items[i]).s, IGNORED) == 0);
	/* the last one to go takes the directory of all copies along */
	if (!but.s && fs_remove(dir.s, IGNORED) == 0)
		(void)(fs_remove(state_path(a, COPIES, STR("")).s, IGNORED) == 0);
}

int
trust_record(struct arena *a, const struct trust *t, const struct trust_copied_file *files, size_t count,
	     struct err *err)
{
	struct str path = record_path(a, t->project);
	struct str version = files ? digest_of(a, t->definitions) : STR_NONE;

	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to record trusted projects in");
	struct str dir = files ? path_join(a, copies_dir(a, t->project), version) : STR_NONE;

	if (fs_make_parents(a, path, 0700, err) < 0 || (files && fs_make_dirs(dir.s, 0700, err) < 0))
		return -1;
	for (size_t i = 0; files && i < count; i++) {
		struct str copy = path_join(a, dir, files[i].path);

		if (fs_make_parents(a, copy, 0700, err) < 0 ||
		    fs_replace_unsynced(a, copy.s, files[i].content, 0600, err) < 0)
			return -1;
	}
	if (fs_replace(a, path.s,
		       json_line(a, "project", t->project, "root", t->root, "since",
				 clock_format_seconds(a, clock_real_us()), "pinned", version, "from", t->from,
				 "definitions", t->definitions),
		       0600, err) < 0)
		return -1;
	remove_copies(a, t->project, version);
	return 0;
}

int
trust_revoke(struct arena *a, struct str project, bool *ret_was_there, struct err *err)
{
	struct str path = record_path(a, project);

	*ret_was_there = path.s && fs_kind(path.s) != FS_NOTHING;
	if (!*ret_was_there)
		return 0;
	if (fs_remove(path.s, err) < 0)
		return -1;
	remove_copies(a, project, STR_NONE);
	return 0;
}
