/* SPDX-License-Identifier: MIT */
/* The names of contents, as they are on disk, which are kept. A name is used again for a file with the same
 * size, times and inode. As with git's index, that is not enough for a file that was changed when it was hashed, or just before:
 * another change could leave the same time. The name of such a file is not kept. A file that git does not convert has the same
 * name before and after it is committed; nothing is stored. */
#include "git/git_spawn.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <inttypes.h>

#define HEADER "holdfast blobs 3\n"
/* Beyond this, files that nobody asked about are forgotten. */
#define KEPT_MAX 524288
#define CHUNK_BYTES KIB(64)

/* A regular file. */
struct blob {
	struct str path; /* relative to the root */
	struct fs_facts *facts;
	struct str *id; /* absent: not known yet */
};

/* What is kept of one; then come the name of the content and the path. */
struct kept {
	uint64_t size, inode;
	int64_t changed_ns, written_ns;
	uint16_t id_bytes, path_bytes;
	uint32_t zero;
};

/* Reads records one after another, which are sorted by path; the program may never have all of them in memory. */
struct kept_reader {
	int fd; /* -1: nothing is kept */
	char *bytes;
	size_t at, end;
	uint64_t offset;
	size_t count;
	struct kept kept; /* of the last record */
	struct str id, path;
};

static bool
has_bytes(struct kept_reader *x, size_t n)
{
	size_t got = 1;

	if (x->end - x->at >= n)
		return true;
	memmove(x->bytes, x->bytes + x->at, x->end - x->at);
	x->end -= x->at;
	x->at = 0;
	while (x->end < n && got > 0 && n <= CHUNK_BYTES) {
		if (fd_read_at(x->fd, x->offset, x->bytes + x->end, CHUNK_BYTES - x->end, &got, IGNORED) < 0)
			return false;
		x->end += got;
		x->offset += got;
	}
	return x->end >= n;
}

/* False: there are no more; what can't be read is not known. Texts are valid until the next one. */
static bool
read_kept(struct kept_reader *x)
{
	size_t n = sizeof(x->kept);

	if (x->fd < 0 || !has_bytes(x, n))
		return false;
	memcpy(&x->kept, x->bytes + x->at, n);
	size_t id_bytes = x->kept.id_bytes, path_bytes = x->kept.path_bytes;

	if (id_bytes == 0 || path_bytes == 0 || !has_bytes(x, n + id_bytes + path_bytes))
		return false;
	x->id = (struct str){ x->bytes + x->at + n, id_bytes };
	x->path = (struct str){ x->bytes + x->at + n + id_bytes, path_bytes };
	x->at += n + id_bytes + path_bytes;
	x->count++;
	return true;
}

/* The CLEANUP function. */
static void
close_kept(struct kept_reader *x)
{
	fd_close(&x->fd);
}

static struct kept_reader
open_kept(struct arena *a, const struct git_known *k)
{
	struct kept_reader x = { .fd = -1, .bytes = arena_bytes(a, CHUNK_BYTES) };
	size_t n = STR(HEADER).n;

	if (k && k->blob_file.s && fs_open_regular(k->blob_file.s, &x.fd, IGNORED) == 0 && x.fd >= 0 &&
	    has_bytes(&x, n) && memcmp(x.bytes, HEADER, n) == 0)
		x.at = n;
	else
		fd_close(&x.fd);
	return x;
}

static bool
is_of(const struct kept *k, const struct fs_facts *now)
{
	struct fs_facts then = {
		.size = k->size,
		.inode = k->inode,
		.changed_ns = k->changed_ns,
		.written_ns = k->written_ns,
	};

	return fs_is_same(&then, now);
}

/* Returns how many names are kept. */
static size_t
look_up(struct arena *a, const struct git_known *k, struct blob *items, size_t count)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(close_kept) struct kept_reader x = open_kept(&scratch, k);
	size_t i = 0;

	while (read_kept(&x)) {
		while (i < count && str_cmp(items[i].path, x.path) < 0)
			i++;
		if (i < count && str_eq(items[i].path, x.path) && is_of(&x.kept, items[i].facts))
			*items[i].id = str_copy(a, x.id);
	}
	return x.count;
}

/* ---- keeping ---- */

static void
add_kept(struct buf *to, const struct kept *k, struct str id, struct str path)
{
	struct kept record = *k;

	record.id_bytes = (uint16_t)id.n;
	record.path_bytes = (uint16_t)path.n;
	buf_add(to, (struct str){ (const char *)&record, sizeof(record) });
	buf_add(to, id);
	buf_add(to, path);
}

static int
flush(int fd, struct buf *b, size_t least, struct err *err)
{
	if (b->n < least)
		return 0;
	int result = fd_write_all(fd, buf_str(b), err);

	b->n = 0;
	return result;
}

/* Joins the old entries and the new ones. If the file can't be written, the files are read again next time. */
static int
keep(const struct git_known *k, const struct blob *items, size_t count, size_t kept_count, int64_t asked_ns,
     struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(close_kept) struct kept_reader x = open_kept(&scratch, k);
	CLEANUP(fd_close) int fd = -1;
	struct buf b = BUF(&scratch, SIZE_MAX);
	bool has_old = read_kept(&x), forgets = kept_count > KEPT_MAX;
	size_t i = 0;

	if (fs_make_parents(&scratch, k->blob_file, 0700, err) < 0 ||
	    fs_open_nameless(&scratch, k->blob_file.s, &fd, err) < 0)
		return -1;
	buf_add(&b, STR(HEADER));
	while (i < count || has_old) {
		int order = i == count ? 1 : !has_old ? -1 : str_cmp(items[i].path, x.path);
		const struct blob *item = &items[i];

		if (order > 0 && !forgets)
			add_kept(&b, &x.kept, x.id, x.path);
		else if (order <= 0 && item->id->s && item->path.n < PATH_LIMIT_BYTES &&
			 fs_is_settled(item->facts, asked_ns))
			add_kept(&b,
				 &(struct kept){
					 .size = item->facts->size,
					 .inode = item->facts->inode,
					 .changed_ns = item->facts->changed_ns,
					 .written_ns = item->facts->written_ns,
				 },
				 *item->id, item->path);
		i += order <= 0;
		if (order >= 0)
			has_old = read_kept(&x);
		if (flush(fd, &b, CHUNK_BYTES, err) < 0)
			return -1;
	}
	if (flush(fd, &b, 0, err) < 0)
		return -1;
	return fs_replace_from(&scratch, k->blob_file.s, fd, err);
}

/* Sets the ids of files that are sorted by path. */
static int
blob_ids(struct arena *a, const struct repository *r, struct blob *items, size_t count, struct err *err)
{
	const struct git_known *k = r->known && r->known->blob_file.s ? r->known : NULL;
	struct buf path = BUF(a, SIZE_MAX);
	int64_t asked_ns = clock_real_us() * 1000;
	size_t chars = 0, kept_count = k && count > 0 ? look_up(a, k, items, count) : 0;
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		if (items[i].id->s)
			continue;
		chars = chars > 0 ? chars : object_name_chars(a, r);
		path.n = 0;
		buf_cat(&path, r->root, "/", items[i].path, STR("\0"));
		result = r->deadline_ms > 0 && clock_mono_ms() >= r->deadline_ms
				 ? err_set(err, ERR_LIMIT, "the files that changed can't be read in time")
				 : object_name_of_file(a, buf_str(&path).s, chars, items[i].id, err);
	}
	if (k && chars > 0 && !k->is_read_only)
		(void)(keep(k, items, count, kept_count, asked_ns, IGNORED) == 0);
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

	for_each (entry, open->items, open->count)
		buf_cat(&input, entry->old.mode, " ", entry->old.object, "\t", prefix, entry->path,
			STR("\0"));
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
	struct fs_facts *facts = arena_array(a, open->count, struct fs_facts);
	struct change_entry *plain = arena_array(a, open->count, struct change_entry);
	struct change_set others = { .arena = a };
	struct str answer;
	size_t count = 0;

	for (size_t i = 0; i < open->count; i++) {
		if (!is_plain(a, r, &open->items[i], &facts[count])) {
			change_set_add(&others, open->items[i]);
			continue;
		}
		plain[count] = open->items[i];
		plain[count].new = (struct changed_file){ plain[count].old.mode, STR_NONE };
		blobs[count] = (struct blob){ plain[count].path, &facts[count], &plain[count].new.object };
		count++;
	}
	if (blob_ids(a, r, blobs, count, err) < 0)
		return -1;
	if (others.count > 0 && (open_diff(a, r, &others, GIT_ARGS(GIT_NAMES_OPTIONS), &answer, err) < 0 ||
				 change_set_read_diff(changes, answer, err) < 0))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (!str_eq(plain[i].old.object, plain[i].new.object))
			change_set_add(changes, plain[i]);
	return 0;
}

/* ---- the content of changed files ---- */

/* The work tree, open, because the way to it takes longer than what there is to know about a file. */
struct work_tree {
	struct arena *arena;
	struct str root;
	int fd;
	struct buf name;
};

/* Fills in what the file system knows. *ret_is_for_git: its content has to be hashed, about which *facts says the rest. */
static int
look_at_file(struct work_tree *t, struct str path, struct changed_file *file, struct fs_facts *facts,
	     bool *ret_is_for_git, struct err *err)
{
	struct arena *a = t->arena;

	*ret_is_for_git = false;
	t->name.n = 0;
	buf_cat(&t->name, path, STR("\0"));
	switch (fs_facts_at(t->fd, buf_str(&t->name).s, facts)) {
	case FS_NOTHING:
		*file = (struct changed_file){ 0 };
		return 0;
	case FS_LINK:
		*file = (struct changed_file){ STR("120000"),
					       fs_read_link(a, path_join(a, t->root, path).s) };
		if (file->object.s)
			return 0;
		return err_set(err, ERR_SYS, STR_FMT ": the link can't be read", STR_ARG(path));
	case FS_FILE:
		file->mode = facts->is_executable ? STR("100755") : STR("100644");
		*ret_is_for_git = facts->size <= CONTENT_LIMIT_BYTES;
		if (!*ret_is_for_git)
			file->object = str_fmt(a, "%" PRIu64 "-%" PRId64 "-%" PRIu64, facts->size,
					       facts->changed_ns, facts->inode);
		return 0;
	default:
		return err_set(err, ERR_VALUE, STR_FMT ": its content can't be known", STR_ARG(path));
	}
}

int
contents_on_disk(struct arena *a, const struct repository *r, struct change_list *list, bool is_strict,
		 struct err *err)
{
	struct blob *blobs = arena_array(a, list->count, struct blob);
	CLEANUP(fd_close) int fd = -1;
	size_t count = 0;

	if (list->count > 0 && fs_open_dir(str_copy(a, r->root).s, &fd, err) < 0)
		return -1;
	struct work_tree tree = { a, r->root, fd, BUF(a, SIZE_MAX) };

	list->facts = arena_array(a, list->count, struct fs_facts);
	for (size_t i = 0; i < list->count; i++) {
		struct changed_file *file = &list->files[i];
		bool is_for_git;

		/* Git has hashed it, or says that it was deleted. */
		if (file->object.s)
			continue;
		if (look_at_file(&tree, list->items[i], file, &list->facts[i], &is_for_git, err) < 0 &&
		    is_strict)
			return -1;
		if (is_for_git)
			blobs[count++] = (struct blob){ list->items[i], &list->facts[i], &file->object };
	}
	return blob_ids(a, r, blobs, count, err);
}

int
git_read_contents(struct arena *a, const struct repository *r, struct change_list *list, struct err *err)
{
	if (list->unseen_error.s)
		return err_set(err, ERR_SYS, STR_FMT, STR_ARG(list->unseen_error));
	return contents_on_disk(a, r, list, true, err);
}
