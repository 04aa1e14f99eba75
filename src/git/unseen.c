/* SPDX-License-Identifier: MIT */
/* What git does not show of tracked files: bytes and modes that its conversions and settings hide, and files that it was told not to look
 * at, by assume-unchanged, skip-worktree or a sparse checkout. Entries are read from the index itself, because git lists all files to
 * tell of a few; git is asked about an index of a kind that is not read here. Files are compared only where something may be
 * hidden, by the names of their contents, which are kept. */
#include "git/git_spawn.h"

/* The format: https://git-scm.com/docs/index-format */
#define HEADER_BYTES 12
#define WRITTEN_AT 8
#define MODE_AT 24
#define SECOND_NS INT64_C(1000000000)
#define STAT_BYTES 40
#define ASSUME_VALID 0x8000u
#define EXTENDED 0x4000u
#define STAGE 0x3000u
#define SKIP_WORKTREE 0x4000u

struct index_reader {
	const unsigned char *at, *end;
	size_t hash_bytes;
	uint32_t version;
	struct buf path; /* of the last entry, for version 4 */
};

#define ATTRIBUTES "/.gitattributes"
#define IGNORES ".gitignore"

struct index_entries {
	struct index_entry *items; /* sorted by path */
	size_t count;
	bool has_all;                  /* else those that are flagged, and those with attributes */
	struct str_list dirs, ignores; /* all directories with files, and all .gitignore */
};

static uint32_t
read32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t
read_time(const unsigned char *at)
{
	return (int64_t)read32(at) * SECOND_NS + read32(at + 4);
}

bool
index_number(const unsigned char **at, const unsigned char *end, size_t *ret)
{
	size_t value = 0;

	for (int i = 0; i < 4 && *at < end; i++) {
		unsigned char c = *(*at)++;

		value = (value + (i > 0)) << 7 | (c & 127);
		if (!(c & 128)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

/* The next entry, without its object: *ret_object is where that is. Texts are valid until the next one. False: the index is not as
 * expected. */
static bool
read_entry(struct index_reader *x, struct index_entry *ret, const unsigned char **ret_object)
{
	const unsigned char *begin = x->at;
	size_t fixed = STAT_BYTES + x->hash_bytes + 2, dropped = 0;

	if ((size_t)(x->end - x->at) < fixed + 2)
		return false;
	uint32_t flags = (uint32_t)x->at[fixed - 2] << 8 | x->at[fixed - 1], more = 0;

	x->at += fixed;
	if (flags & EXTENDED) {
		more = (uint32_t)x->at[0] << 8 | x->at[1];
		x->at += 2;
	}
	if (x->version == 4 && (!index_number(&x->at, x->end, &dropped) || dropped > x->path.n))
		return false;
	const unsigned char *nul = memchr(x->at, '\0', (size_t)(x->end - x->at));

	if (!nul)
		return false;
	uint32_t mode = read32(begin + MODE_AT);

	*ret_object = begin + STAT_BYTES;
	*ret = (struct index_entry){
		.path = { (const char *)x->at, (size_t)(nul - x->at) },
		.mode = mode == 0100644   ? STR("100644")
			: mode == 0100755 ? STR("100755")
			: mode == 0120000 ? STR("120000")
					  : STR_NONE,
		.changed_ns = read_time(begin),
		.written_ns = read_time(begin + WRITTEN_AT),
		.is_flagged = (flags & ASSUME_VALID) || (more & SKIP_WORKTREE),
		.is_conflict = flags & STAGE,
	};
	if (x->version == 4) {
		x->path.n -= dropped;
		buf_add(&x->path, ret->path);
		ret->path = buf_str(&x->path);
		x->at = nul + 1;
		return true;
	}
	/* One to eight NULs pad the entry. */
	x->at = begin + (((size_t)(nul - begin) + 8) & ~(size_t)7);
	return x->at <= x->end;
}

/* Are there only extensions that do not change which entries there are, and what they are? */
static bool
is_whole(const struct index_reader *x, struct str *ret_untracked)
{
	const unsigned char *at = x->at, *end = x->end - x->hash_bytes;

	while (at < end) {
		if (end - at < 8 || memcmp(at, "link", 4) == 0 || memcmp(at, "sdir", 4) == 0)
			return false;
		uint32_t n = read32(at + 4);

		if (n > (size_t)(end - at) - 8)
			return false;
		if (ret_untracked && memcmp(at, "UNTR", 4) == 0)
			*ret_untracked = (struct str){ (const char *)at + 8, n };
		at += 8 + n;
	}
	return true;
}

/* Texts of an entry are copied. An object in bytes becomes hexadecimal. */
static void
take_entry(struct arena *a, struct index_entry e, const unsigned char *object, size_t hash_bytes,
	   struct index_entries *ret)
{
	struct buf hex = BUF(a, SIZE_MAX);
	static const char digits[] = "0123456789abcdef";

	struct str dir = str_sub(e.path, 0, (size_t)(str_find_last(e.path, '/') + 1));

	if (ret->dirs.count == 0 || !str_eq(dir, ret->dirs.items[ret->dirs.count - 1]))
		*arena_push(a, ret->dirs.items, ret->dirs.count) = str_copy(a, dir);
	if (str_is(str_rest(e.path, dir.n), IGNORES))
		*arena_push(a, ret->ignores.items, ret->ignores.count) = str_copy(a, e.path);
	if (!e.is_flagged && !(ret->has_all && e.mode.s) && !str_ends(e.path, STR(ATTRIBUTES)))
		return;
	for (size_t i = 0; object && i < hash_bytes; i++) {
		buf_addc(&hex, digits[object[i] >> 4]);
		buf_addc(&hex, digits[object[i] & 15]);
	}
	e.path = str_copy(a, e.path);
	e.object = object ? buf_str(&hex) : str_copy(a, e.object);
	*arena_push(a, ret->items, ret->count) = e;
}

bool
index_read(struct arena *a, struct str path, size_t hash_bytes, index_taker take, void *context,
	   struct str *ret_untracked)
{
	struct index_reader x = { .hash_bytes = hash_bytes, .path = BUF(a, SIZE_MAX) };
	struct index_entry entry;
	struct str text = STR_NONE;
	const unsigned char *object;

	if (fs_read(a, path.s, GIT_INDEX_LIMIT_BYTES, &text, IGNORED) < 0 ||
	    text.n < HEADER_BYTES + hash_bytes || !str_starts(text, STR("DIRC")))
		return false;
	x.at = (const unsigned char *)text.s + HEADER_BYTES;
	x.end = (const unsigned char *)text.s + text.n;
	x.version = read32(x.at - 8);
	if (x.version < 2 || x.version > 4)
		return false;
	for (uint32_t left = read32(x.at - 4); left > 0; left--)
		if (!read_entry(&x, &entry, &object) || !take(context, &entry, object))
			return false;
	return is_whole(&x, ret_untracked);
}

struct taking {
	struct arena *arena;
	struct index_entries *ret;
	size_t hash_bytes;
};

static bool
take(void *context, const struct index_entry *e, const unsigned char *object)
{
	struct taking *t = context;

	if (!e->is_conflict)
		take_entry(t->arena, *e, object, t->hash_bytes, t->ret);
	return true;
}

/* False: git has to be asked. Paths in the index are relative to the top. */
static bool
read_index(struct arena *a, const struct repository *r, struct str head, struct index_entries *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct taking t = { a, ret, head.n / 2 };
	struct str dir = git_dir_at(&scratch, r->root);

	return head.s && dir.s &&
	       index_read(&scratch, path_join(&scratch, dir, STR("index")), t.hash_bytes, take, &t, NULL);
}

static int
list_entries(struct arena *a, const struct repository *r, struct str head, struct index_entries *ret,
	     struct err *err)
{
	struct git_job job = { .args = { "ls-files", "-v", "--stage", "-z" } };
	struct str list, one, field[4];
	bool has_all = ret->has_all;

	if (read_index(a, r, head, ret))
		return 0;
	*ret = (struct index_entries){ .has_all = has_all };
	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	list = buf_str(&job.out);
	/* "<letter> <mode> <object> <stage> TAB <path>". A small letter is assume-unchanged, S is skip-worktree. */
	while (str_next(&list, '\0', &one)) {
		for (size_t i = 0; i < COUNT_OF(field); i++)
			if (!str_next(&one, i < 3 ? ' ' : '\t', &field[i]))
				return err_set(err, ERR_SYNTAX, "git ls-files: unexpected output");
		struct index_entry e = {
			.path = one,
			.object = field[2],
			.mode = str_starts(field[1], STR("1")) && !str_is(field[1], "160000")
					? str_copy(a, field[1])
					: STR_NONE,
			.is_flagged = is_letter(field[0].s[0]) &&
				      (field[0].s[0] == 'S' || field[0].s[0] >= 'a'),
		};

		if (str_is(field[3], "0"))
			take_entry(a, e, NULL, 0, ret);
	}
	return 0;
}

/* ---- comparing ---- */

/* Was it edited since git last wrote or compared it? A mode alone has no time but that of the last change. A file system may keep
 * whole seconds. */
static bool
is_edited_since(struct arena *a, const struct repository *r, const struct index_entry *e, bool is_mode)
{
	int64_t then_ns = is_mode ? e->changed_ns : e->written_ns;
	struct fs_facts facts;

	if (then_ns == 0 || fs_facts(path_join(a, r->root, e->path).s, &facts) != FS_FILE)
		return false;
	int64_t now_ns = is_mode ? facts.changed_ns : facts.written_ns;

	return then_ns % SECOND_NS ? now_ns != then_ns : now_ns / SECOND_NS != then_ns / SECOND_NS;
}

static int
compare(struct arena *a, const struct repository *r, const struct index_entries *all, unsigned conversions,
	struct unseen *ret, struct err *err)
{
	struct change_list disk = {
		.items = arena_array(a, all->count, struct str),
		.files = arena_array(a, all->count, struct changed_file),
	};
	struct index_entry *entries = arena_array(a, all->count, struct index_entry);

	for_each (e, all->items, all->count) {
		if (e->is_flagged)
			*arena_push(a, ret->hidden.items, ret->hidden.count) = e->path;
		if (!e->is_flagged && !all->has_all)
			continue;
		entries[disk.count] = *e;
		disk.items[disk.count++] = e->path;
	}
	if (contents_on_disk(a, r, &disk, false, err) < 0)
		return -1;
	for (size_t i = 0; i < disk.count; i++) {
		const struct index_entry *e = &entries[i];
		const struct changed_file *now = &disk.files[i];
		bool is_file = str_starts(now->mode, STR("100"));
		bool is_same = str_eq(now->object, e->object);

		/* Git itself shows that a file is gone or something else, unless it was told not to look. */
		if ((str_eq(now->mode, e->mode) && is_same) || (!e->is_flagged && !is_file))
			continue;
		change_set_add(&ret->files,
			       (struct change_entry){
				       .path = e->path,
				       .status = 'M',
				       .old = { e->mode, e->object },
				       .new = *now,
				       .is_compared = !e->is_flagged &&is_object_name(now->object) &&
						      (!(conversions & CONVERSIONS_AT_CHECKOUT) ||
						       is_edited_since(a, r, e, is_same)),
			       });
	}
	return 0;
}

/* Also those of .gitattributes that are no part of the index yet. */
static unsigned
conversions_in(struct arena *a, const struct repository *r, const struct index_entries *entries,
	       struct str status, struct str prefix)
{
	unsigned found = conversions_at(a, r);
	struct str record;

	for (size_t i = 0; i < entries->count; i++)
		if (str_ends(entries->items[i].path, STR(ATTRIBUTES)))
			found |= conversions_of(a, r, entries->items[i].path);
	while (str_next(&status, '\0', &record))
		if (str_ends(record, STR(ATTRIBUTES)) && str_skip(&record, "? ") &&
		    str_starts(record, prefix))
			found |= conversions_of(a, r, str_rest(record, prefix.n));
	return found;
}

/* Rules next to tracked files that git neither tracks nor shows as new: they hide themselves. */
static struct str_list
find_own_rules(struct arena *a, const struct repository *r, const struct index_entries *entries,
	       struct str status, struct str prefix)
{
	struct strset known = strset_new(a, entries->ignores.count + 1);
	struct buf path = BUF(a, SIZE_MAX);
	struct str_list found = { 0 };
	struct str record;

	for (size_t i = 0; i < entries->ignores.count; i++)
		(void)strset_add(&known, entries->ignores.items[i]);
	while (str_next(&status, '\0', &record))
		if (str_ends(record, STR(IGNORES)) && str_skip(&record, "? ") && str_starts(record, prefix))
			(void)strset_add(&known, str_rest(record, prefix.n));
	for (size_t i = 0; i < entries->dirs.count; i++) {
		path.n = 0;
		buf_cat(&path, r->root, "/", entries->dirs.items[i], IGNORES, STR("\0"));
		struct str name = str_sub(buf_str(&path), r->root.n + 1, path.n - 1);

		/* The index has a directory once for each of its parts between others. */
		if (fs_lkind(buf_str(&path).s) != FS_NOTHING && !strset_has(&known, name)) {
			*arena_push(a, found.items, found.count) = str_copy(a, name);
			(void)strset_add(&known, found.items[found.count - 1]);
		}
	}
	return found;
}

struct unseen *
unseen_find(struct arena *a, const struct repository *r, struct str status, struct str prefix)
{
	struct unseen *found = arena_new(a, struct unseen);
	struct index_entries entries = { 0 };
	struct str head = head_of_status(status);
	struct err err;

	found->files.arena = a;
	bool is_known = list_entries(a, r, head, &entries, &err) == 0;

	if (is_known)
		found->own_rules = find_own_rules(a, r, &entries, status, prefix);
	unsigned conversions = is_known ? conversions_in(a, r, &entries, status, prefix) : 0;

	if (is_known && (conversions & CONVERSIONS_HIDE)) {
		entries = (struct index_entries){ .has_all = true };
		is_known = list_entries(a, r, head, &entries, &err) == 0;
	}
	if (!is_known || compare(a, r, &entries, conversions, found, &err) < 0)
		found->error = str_copy(a, str_from(err.msg));
	return found;
}

bool
git_was_left_out(struct arena *a, const struct repository *r, struct str path, int64_t time_ns)
{
	struct str dir = git_dir_above(a, r->root), parent = path_parent(path_join(a, r->root, path));
	struct fs_facts rules, place;

	if (!dir.s || fs_facts(path_join(a, dir, STR("info/sparse-checkout")).s, &rules) != FS_FILE ||
	    rules.changed_ns >= time_ns)
		return false;
	/* A removed name gives its directory a new time. */
	return fs_facts(str_copy(a, parent).s, &place) == FS_NOTHING || place.changed_ns < time_ns;
}
