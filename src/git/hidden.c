/* SPDX-License-Identifier: MIT */
/* Files whose changes are not seen. Git was told not to see some, by assume-unchanged or skip-worktree: the flags are read from the
 * index itself, because git lists all files to tell of a few, and git is asked about an index of a kind that is not read here.
 * Untracked repositories, and files that are too large, are in no snapshot and no diff; such a file is never read. */
#include "git/git_spawn.h"

#include "base/path.h"
#include "os/fs.h"

/* The format: https://git-scm.com/docs/index-format */
#define HEADER_BYTES 12
#define STAT_BYTES 40
#define ASSUME_VALID 0x8000u
#define EXTENDED 0x4000u
#define SKIP_WORKTREE 0x4000u

struct index_reader {
	const unsigned char *at, *end;
	size_t hash_bytes;
	uint32_t version;
	struct buf path; /* of the last entry, for version 4 */
};

static uint32_t
read32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Git's number of variable length. */
static bool
read_varint(struct index_reader *x, size_t *ret)
{
	size_t value = 0;

	for (int i = 0; i < 4 && x->at < x->end; i++) {
		unsigned char c = *x->at++;

		value = (value + (i > 0)) << 7 | (c & 127);
		if (!(c & 128)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

/* The next entry: whether a flag is set, and its path. False: the index is not as expected. */
static bool
read_entry(struct index_reader *x, bool *ret_is_hidden, struct str *ret_path)
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
	if (x->version == 4 && (!read_varint(x, &dropped) || dropped > x->path.n))
		return false;
	const unsigned char *nul = memchr(x->at, '\0', (size_t)(x->end - x->at));

	if (!nul)
		return false;
	*ret_is_hidden = (flags & ASSUME_VALID) || (more & SKIP_WORKTREE);
	*ret_path = (struct str){ (const char *)x->at, (size_t)(nul - x->at) };
	if (x->version == 4) {
		x->path.n -= dropped;
		buf_add(&x->path, *ret_path);
		*ret_path = buf_str(&x->path);
		x->at = nul + 1;
		return true;
	}
	/* One to eight NULs pad the entry. */
	x->at = begin + (((size_t)(nul - begin) + 8) & ~(size_t)7);
	return x->at <= x->end;
}

/* Are there only extensions that do not change which entries there are, and what they are? */
static bool
is_whole(const struct index_reader *x)
{
	const unsigned char *at = x->at, *end = x->end - x->hash_bytes;

	while (at < end) {
		if (end - at < 8 || memcmp(at, "link", 4) == 0 || memcmp(at, "sdir", 4) == 0)
			return false;
		uint32_t n = read32(at + 4);

		if (n > (size_t)(end - at) - 8)
			return false;
		at += 8 + n;
	}
	return true;
}

static void
add_hidden(struct arena *a, const struct repository *r, struct str path, struct str_list *l)
{
	/* A sparse checkout has skip-worktree for files that do not exist, which hide nothing. */
	if (fs_lkind(path_join(a, r->root, path).s) != FS_NOTHING)
		*arena_push(a, l->items, l->count) = str_copy(a, path);
}

/* False: git has to be asked. */
static bool
read_index(struct arena *a, const struct repository *r, const struct git_head *head, struct str_list *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct index_reader x = { .hash_bytes = head->commit.n / 2, .path = BUF(&scratch, SIZE_MAX) };
	struct str text = STR_NONE, path;
	bool is_hidden;

	/* Paths in the index are relative to the top. */
	if (!head->commit.s || !head->index.s || !fs_has(r->root, ".git") ||
	    fs_read(&scratch, head->index.s, GIT_INDEX_LIMIT_BYTES, &text, IGNORED) < 0 ||
	    text.n < HEADER_BYTES + x.hash_bytes || !str_starts(text, STR("DIRC")))
		return false;
	x.at = (const unsigned char *)text.s + HEADER_BYTES;
	x.end = (const unsigned char *)text.s + text.n;
	x.version = read32(x.at - 8);
	if (x.version < 2 || x.version > 4)
		return false;
	for (uint32_t left = read32(x.at - 4); left > 0; left--) {
		if (!read_entry(&x, &is_hidden, &path))
			return false;
		if (is_hidden)
			add_hidden(a, r, path, ret);
	}
	return is_whole(&x);
}

struct str_list
hidden_by_flags(struct arena *a, const struct repository *r, const struct git_head *head)
{
	struct str_list found = { 0 };
	struct git_job job = { .args = { "ls-files", "-v", "-z" }, .may_be_cut = true };

	if (read_index(a, r, head, &found))
		return found;
	found = (struct str_list){ 0 };
	if (git_run(a, r, &job, 1, IGNORED) < 0)
		return found;
	struct str list = buf_str(&job.out), one;

	/* A small letter is assume-unchanged, S is skip-worktree. */
	while (str_next(&list, '\0', &one))
		if (one.n > 2 && ((one.s[0] >= 'a' && one.s[0] <= 'z') || one.s[0] == 'S'))
			add_hidden(a, r, str_rest(one, 2), &found);
	return found;
}

/* ---- untracked files that are too large for a snapshot or a diff, and untracked repositories ---- */

bool
is_large_file(struct arena *a, const struct repository *r, struct str path)
{
	struct fs_facts facts;

	return fs_facts(path_join(a, r->root, path).s, &facts) == FS_FILE && facts.size > CONTENT_LIMIT_BYTES;
}

struct hidden_files
untracked_hidden(struct arena *a, const struct repository *r, struct str log_dir, struct str answer)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct change_set set = { .arena = &scratch, .hidden = git_log_dir(a, r->root, log_dir) };
	struct hidden_files l = { 0 };

	change_set_read_untracked(&set, answer);
	for (size_t i = 0; i < set.count; i++) {
		struct arena_mark mark = arena_mark(&scratch);
		const struct change_entry *entry = &set.items[i];
		const char *why = entry->new.mode.s                         ? HIDDEN_REPOSITORY
				  : is_large_file(&scratch, r, entry->path) ? HIDDEN_LARGE
									    : NULL;

		arena_reset(&scratch, mark);
		if (why)
			*arena_push(a, l.items, l.count) = (struct hidden_file){ str_copy(a, entry->path),
										 why };
	}
	return l;
}

bool
is_hidden_file(const struct hidden_files *l, struct str path, const char *why)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->items[i].why, why) == 0 && str_eq(l->items[i].path, path))
			return true;
	return false;
}

void
add_without_wildcards(struct buf *b, struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		if (memchr("*?[\\", path.s[i], 4))
			buf_addc(b, '\\');
		buf_addc(b, path.s[i]);
	}
}

struct str
pathspecs_without(struct arena *a, const struct repository *r, const char *path, struct str log_dir,
		  const struct hidden_files *hidden)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str logs = git_log_dir(a, r->root, log_dir);

	buf_cat(&b, path, STR("\0"));
	/* The directory's content. Git reports an ignored path as an error even there, unless the path is a pattern; so its first
	 * byte becomes one. */
	if (logs.s) {
		buf_cat(&b, ":(exclude,glob)[\\", logs.s[0], "]");
		add_without_wildcards(&b, str_rest(logs, 1));
		buf_cat(&b, "/**", STR("\0"));
	}
	for (size_t i = 0; i < hidden->count; i++)
		if (strcmp(hidden->items[i].why, HIDDEN_LARGE) == 0)
			buf_cat(&b, ":(exclude,literal)", hidden->items[i].path, STR("\0"));
	return buf_str(&b);
}
