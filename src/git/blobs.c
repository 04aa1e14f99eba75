/* SPDX-License-Identifier: MIT */
/* Asks git for the names of contents, and keeps the answers. A name is used again for a file with the same size, times and
 * inode. As with git's index, that is not enough for a file that was changed when it was hashed, or just before: another
 * change could leave the same time. The name of such a file is not kept. */
#include "git/blobs.h"

#include "base/path.h"
#include "os/clock.h"

#include <inttypes.h>

#define HEADER "holdfast blobs 1\n"
#define FILE_LIMIT_BYTES MIB(64)
/* Beyond this, files that nobody asked about are forgotten. */
#define KEPT_MAX 65536

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
		char c = field.s[i];
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;

		if (digit > 15)
			return false;
		value = value << 4 | digit;
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
	size_t capacity = 0;
	struct err ignored;

	k->blobs = cache;
	if (fs_read(a, k->blob_file.s, FILE_LIMIT_BYTES, &text, &ignored) < 0 ||
	    !str_starts(text, STR(HEADER)))
		return;
	text = str_sub(text, STR(HEADER).n, text.n);
	while (str_next(&text, '\0', &record)) {
		arena_make_room(a, cache->items, cache->count, &capacity);
		struct blob *last = &cache->items[cache->count];

		if (!read_record(record, last) ||
		    (cache->count > 0 && str_cmp(last[-1].path, last->path) >= 0)) {
			cache->count = 0;
			return;
		}
		cache->count++;
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

/* ---- asking ---- */

/* As git spells a path in a list of lines. */
static void
add_path(struct buf *b, struct str path)
{
	if (str_find_char(path, '\n') < 0 && !str_starts(path, STR("\""))) {
		buf_addf(b, STR_FMT "\n", STR_ARG(path));
		return;
	}
	buf_addc(b, '"');
	for (size_t i = 0; i < path.n; i++) {
		if (path.s[i] == '\n') {
			buf_add(b, STR("\\n"));
			continue;
		}
		if (path.s[i] == '"' || path.s[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, path.s[i]);
	}
	buf_add(b, STR("\"\n"));
}

static int
ask(struct arena *a, const struct repository *r, struct blob **asked, size_t count, struct err *err)
{
	struct git_job job = { 0 };
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);
	/* Git reads these paths from the top of the work tree, wherever it is started. */
	bool is_top = fs_has(r->root, ".git");

	for (size_t i = 0; i < count; i++)
		add_path(&input, is_top ? asked[i]->path : path_join(a, r->root, asked[i]->path));
	git_args(&job, GIT_ARGS("hash-object", "--stdin-paths"));
	job.input = buf_str(&input);
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	struct str rest = buf_str(&job.out), line;

	for (size_t i = 0; i < count; i++) {
		if (!str_next(&rest, '\n', &line))
			return err_set(err, ERR_SYNTAX, "git hash-object: an answer that can't be read");
		asked[i]->id = str_copy(a, line);
	}
	return 0;
}

/* ---- keeping ---- */

static void
add_record(struct buf *b, const struct blob *x)
{
	buf_addf(b, "%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " ", x->facts.size,
		 (uint64_t)x->facts.changed_ns, (uint64_t)x->facts.written_ns, x->facts.inode);
	buf_add(b, x->id);
	buf_addc(b, ' ');
	buf_add(b, x->path);
	buf_addc(b, '\0');
}

/* Joins the old entries and the new ones. If the file can't be written, git is asked again next time. */
static void
keep(struct arena *a, struct git_known *k, const struct blob *items, size_t count, int64_t asked_ns)
{
	const struct blob_cache *old = k->blobs;
	struct blob_cache *all = arena_new(a, struct blob_cache);
	struct buf text = BUF(a, FILE_LIMIT_BYTES);
	size_t i = 0, at = 0;
	bool forgets = old->count > KEPT_MAX;
	struct err ignored;

	all->items = arena_array(a, old->count + count, struct blob);
	while (i < count || at < old->count) {
		int order = i == count         ? 1
			    : at == old->count ? -1
					       : str_cmp(items[i].path, old->items[at].path);

		if (order <= 0 && fs_is_settled(&items[i].facts, asked_ns))
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
	for (size_t n = 0; n < all->count; n++)
		add_record(&text, &all->items[n]);
	if (!text.is_cut && fs_make_parents(a, k->blob_file, 0700, &ignored) == 0)
		(void)(fs_replace_unsynced(a, k->blob_file.s, buf_str(&text), 0600, &ignored) == 0);
}

int
blob_ids(struct arena *a, const struct repository *r, struct blob *items, size_t count, struct err *err)
{
	struct git_known *k = r->known && r->known->blob_file.s ? r->known : NULL;
	struct blob **asked = arena_array(a, count, struct blob *);
	size_t asked_count = 0;
	int64_t asked_ns = clock_real_us() * 1000;

	if (k && !k->blobs)
		load(a, k);
	if (k)
		look_up(k->blobs, items, count);
	for (size_t i = 0; i < count; i++)
		if (!items[i].id.s)
			asked[asked_count++] = &items[i];
	if (asked_count == 0)
		return 0;
	if (ask(a, r, asked, asked_count, err) < 0)
		return -1;
	if (k)
		keep(a, k, items, count, asked_ns);
	return 0;
}
