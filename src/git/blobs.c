/* SPDX-License-Identifier: MIT */
/* The names of contents, as they are on disk, which are kept. A name is used again for a file with the same
 * size, times and inode. As with git's index, that is not enough for a file that was changed when it was hashed, or just before:
 * another change could leave the same time. The name of such a file is not kept. A file that git does not convert has the same
 * name before and after it is committed; nothing is stored. */
#include "git/git_spawn.h"

#include "os/clock.h"
#include "os/fs.h"

#include <inttypes.h>

#define HEADER "holdfast blobs 2\n"
#define FILE_LIMIT_BYTES MIB(64)
/* Beyond this, files that nobody asked about are forgotten. */
#define KEPT_MAX 524288

/* A regular file. */
struct blob {
	struct str path; /* relative to the root */
	struct fs_facts facts;
	struct str id;
};

struct blob_cache {
	struct blob *items; /* sorted by path */
	size_t count;
};

/* A hexadecimal number and the blank after it. */
static bool
take_number(struct str *record, uint64_t *ret)
{
	struct str field;
	uint64_t value = 0;

	if (!str_next(record, ' ', &field) || field.n == 0 || field.n > 16)
		return false;
	for (size_t i = 0; i < field.n; i++) {
		if (hex_value(field.s[i]) > 15)
			return false;
		value = value << 4 | hex_value(field.s[i]);
	}
	*ret = value;
	return true;
}

static bool
read_record(struct str record, struct blob *ret)
{
	uint64_t changed, written;

	if (!take_number(&record, &ret->facts.size) || !take_number(&record, &changed) ||
	    !take_number(&record, &written) || !take_number(&record, &ret->facts.inode) ||
	    !str_next(&record, ' ', &ret->id) || ret->id.n == 0 || record.n == 0)
		return false;
	ret->facts.changed_ns = (int64_t)changed;
	ret->facts.written_ns = (int64_t)written;
	ret->path = record;
	return true;
}

/* What can't be read is not known. */
static void
load(struct arena *a, struct git_known *k)
{
	struct blob_cache *cache = arena_new(a, struct blob_cache);
	struct str text = STR_NONE, record;

	k->blobs = cache;
	if (fs_read(a, k->blob_file.s, FILE_LIMIT_BYTES, &text, IGNORED) < 0 || !str_skip(&text, HEADER))
		return;
	while (str_next(&text, '\0', &record)) {
		struct blob *last = arena_push(a, cache->items, cache->count);

		if (!read_record(record, last) ||
		    (cache->count > 1 && str_cmp(last[-1].path, last->path) >= 0)) {
			cache->count = 0;
			return;
		}
	}
}

static void
look_up(const struct blob_cache *cache, struct blob *items, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		while (at < cache->count && str_cmp(cache->items[at].path, items[i].path) < 0)
			at++;
		if (at < cache->count && str_eq(cache->items[at].path, items[i].path) &&
		    fs_is_same(&cache->items[at].facts, &items[i].facts))
			items[i].id = cache->items[at].id;
	}
}

/* ---- keeping ---- */

/* Joins the old entries and the new ones. If the file can't be written, the files are read again next time. */
static void
keep(struct arena *a, struct git_known *k, const struct blob *items, size_t count, int64_t asked_ns)
{
	const struct blob_cache *old = k->blobs;
	struct blob_cache *all = arena_new(a, struct blob_cache);
	struct buf text = BUF(a, FILE_LIMIT_BYTES);
	size_t i = 0, at = 0;
	bool forgets = old->count > KEPT_MAX;

	all->items = arena_array(a, old->count + count, struct blob);
	while (i < count || at < old->count) {
		int order = i == count         ? 1
			    : at == old->count ? -1
					       : str_cmp(items[i].path, old->items[at].path);

		if (order <= 0 && items[i].id.s && fs_is_settled(&items[i].facts, asked_ns))
			all->items[all->count++] = items[i];
		else if (order > 0 && !forgets)
			all->items[all->count++] = old->items[at];
		i += order <= 0;
		at += order >= 0;
	}
	k->blobs = all;
	if (k->is_read_only)
		return;
	buf_add(&text, STR(HEADER));
	for (size_t n = 0; n < all->count; n++) {
		const struct fs_facts *facts = &all->items[n].facts;

		buf_addf(&text, "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " ", facts->size,
			 (uint64_t)facts->changed_ns, (uint64_t)facts->written_ns, facts->inode);
		buf_cat(&text, all->items[n].id, " ", all->items[n].path, STR("\0"));
	}
	if (!text.is_cut && fs_make_parents(a, k->blob_file, 0700, IGNORED) == 0)
		(void)(fs_replace_unsynced(a, k->blob_file.s, buf_str(&text), 0600, IGNORED) == 0);
}

/* Sets the ids of files that are sorted by path. */
static int
blob_ids(struct arena *a, const struct repository *r, struct blob *items, size_t count, struct err *err)
{
	struct git_known *k = r->known && r->known->blob_file.s ? r->known : NULL;
	struct buf path = BUF(a, SIZE_MAX);
	int64_t asked_ns = clock_real_us() * 1000;
	size_t chars = 0;
	int result = 0;

	if (k && !k->blobs)
		load(a, k);
	if (k)
		look_up(k->blobs, items, count);
	for (size_t i = 0; i < count && result == 0; i++) {
		if (items[i].id.s)
			continue;
		chars = chars > 0 ? chars : object_name_chars(a, r);
		path.n = 0;
		buf_cat(&path, r->root, "/", items[i].path, STR("\0"));
		result = r->deadline_ms > 0 && clock_mono_ms() >= r->deadline_ms
				 ? err_set(err, ERR_LIMIT, "the files that changed can't be read in time")
				 : object_name_of_file(a, buf_str(&path).s, chars, &items[i].id, err);
	}
	if (k && chars > 0)
		keep(a, k, items, count, asked_ns);
	return result;
}

/* ---- single files against an old side ---- */

/* A regular file is compared by git's name for its content, which the run needs anyway and which may be known; git itself is
 * asked about links, repositories and modes. */

int
open_diff(struct arena *a, const struct repository *r, const struct change_set *open,
	  const char *const *options, struct str *ret, struct err *err)
{
	CLEANUP(tempdir_clear) struct tempdir dir = { 0 };
	struct git_job where = { .args = { "rev-parse", "--show-prefix" } };
	struct git_job fill = { .args = { "update-index", "-z", "--index-info" } },
		       compare = { .args = { "diff" } };
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);

	if (git_run_good(a, r, &where, 1, err) < 0 || tempdir_make(&dir, a, "index", err) < 0)
		return -1;
	struct str prefix = git_path(buf_str(&where.out));

	for (size_t i = 0; i < open->count; i++) {
		const struct change_entry *entry = &open->items[i];

		buf_cat(&input, entry->old.mode, " ", entry->old.object, "\t", prefix, entry->path,
			STR("\0"));
	}
	fill.index = dir.file;
	fill.input = buf_str(&input);
	git_args(&compare, options);
	git_arg(&compare, "--");
	compare.index = dir.file;
	if (git_run_good(a, r, &fill, 1, err) < 0 || git_run_good(a, r, &compare, 1, err) < 0)
		return -1;
	*ret = buf_str(&compare.out);
	return 0;
}

/* Is it a regular file, of the mode of the old side? */
static bool
is_plain(struct arena *a, const struct repository *r, const struct change_entry *e, struct fs_facts *ret)
{
	struct arena_mark mark = arena_mark(a);
	bool is_file = fs_facts(path_join(a, r->root, e->path).s, ret) == FS_FILE;

	arena_reset(a, mark);
	return is_file && str_is(e->old.mode, ret->is_executable ? "100755" : "100644");
}

int
open_compare(struct arena *a, const struct repository *r, const struct change_set *open,
	     struct change_set *changes, struct err *err)
{
	struct blob *blobs = arena_array(a, open->count, struct blob);
	struct change_entry *plain = arena_array(a, open->count, struct change_entry);
	struct change_set others = { .arena = a };
	struct str answer;
	size_t count = 0;

	for (size_t i = 0; i < open->count; i++) {
		if (!is_plain(a, r, &open->items[i], &blobs[count].facts)) {
			change_set_add(&others, open->items[i]);
			continue;
		}
		blobs[count].path = open->items[i].path;
		plain[count++] = open->items[i];
	}
	if (blob_ids(a, r, blobs, count, err) < 0)
		return -1;
	if (others.count > 0 && (open_diff(a, r, &others, GIT_ARGS(GIT_NAMES_OPTIONS), &answer, err) < 0 ||
				 change_set_read_diff(changes, answer, err) < 0))
		return -1;
	for (size_t i = 0; i < count; i++) {
		plain[i].new = (struct changed_file){ plain[i].old.mode, blobs[i].id };
		if (!str_eq(plain[i].old.object, blobs[i].id))
			change_set_add(changes, plain[i]);
	}
	return 0;
}

/* ---- the content of changed files ---- */

/* Fills in what the file system knows. *ret_is_for_git: git has to hash the file, about which *facts says the rest. */
static int
look_at_file(struct arena *a, const char *name, struct changed_file *file, struct fs_facts *facts,
	     bool *ret_is_for_git, struct err *err)
{
	*ret_is_for_git = false;
	switch (fs_facts(name, facts)) {
	case FS_NOTHING:
		*file = (struct changed_file){ 0 };
		return 0;
	case FS_LINK:
		*file = (struct changed_file){ STR("120000"), fs_read_link(a, name) };
		return file->object.s ? 0 : err_set(err, ERR_SYS, "%s: the link can't be read", name);
	case FS_FILE:
		file->mode = facts->is_executable ? STR("100755") : STR("100644");
		*ret_is_for_git = facts->size <= CONTENT_LIMIT_BYTES;
		if (!*ret_is_for_git)
			file->object = str_fmt(a, "%" PRIu64 "-%" PRId64 "-%" PRIu64, facts->size,
					       facts->changed_ns, facts->inode);
		return 0;
	default:
		return err_set(err, ERR_VALUE, "%s: its content can't be known", name);
	}
}

int
contents_on_disk(struct arena *a, const struct repository *r, struct change_list *list, bool is_strict,
		 struct err *err)
{
	struct blob *blobs = arena_array(a, list->count, struct blob);
	size_t *asked = arena_array(a, list->count, size_t), count = 0;
	struct buf path = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < list->count; i++) {
		struct changed_file *file = &list->files[i];
		struct blob *blob = &blobs[count];
		bool is_for_git;

		/* Git has hashed it, or says that it was deleted. */
		if (file->object.s)
			continue;
		path.n = 0;
		buf_cat(&path, r->root, "/", list->items[i], STR("\0"));
		if (look_at_file(a, buf_str(&path).s, file, &blob->facts, &is_for_git, err) < 0 && is_strict)
			return -1;
		if (!is_for_git)
			continue;
		blob->path = list->items[i];
		asked[count++] = i;
	}
	if (blob_ids(a, r, blobs, count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		list->files[asked[i]].object = blobs[i].id;
	return 0;
}

int
git_read_contents(struct arena *a, const struct repository *r, struct change_list *list, struct err *err)
{
	if (list->unseen_error.s)
		return err_set(err, ERR_SYS, STR_FMT, STR_ARG(list->unseen_error));
	return contents_on_disk(a, r, list, true, err);
}
