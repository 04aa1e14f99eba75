/* SPDX-License-Identifier: MIT */
/* Did all files stay as they are? Git's cache of untracked files, in our index, lists every directory in which git looked, and
 * the index lists every file. If none of them has a new time, git would answer as before, and is not asked. A directory or a rule that
 * changed after the cache was made leaves it uncertain. */
#include "git/git_spawn.h"

#include "base/path.h"

/* The format of the cache: https://git-scm.com/docs/index-format */
#define STAT_BYTES 36
#define FLAGS_BYTES 4
#define DEPTH_LIMIT 256

struct look {
	struct arena *arena;
	struct buf path; /* the root, and what is looked at below it */
	size_t root_bytes;
	struct str hidden;
	int64_t since_ns;
};

/* What is at the path below the root. */
static enum fs_kind
facts_at(struct look *k, struct str path, const char *name, struct fs_facts *ret)
{
	k->path.n = k->root_bytes;
	buf_cat(&k->path, path, name, STR("\0"));
	return fs_facts(buf_str(&k->path).s, ret);
}

/* A file that is gone left a new time at its directory. A repository of its own may change where nobody looks. */
static bool
file_stayed(void *context, const struct index_entry *e, const unsigned char *object)
{
	struct look *k = context;
	struct fs_facts facts;
	enum fs_kind kind = facts_at(k, e->path, "", &facts);

	(void)object;
	return kind == FS_NOTHING || (kind != FS_DIR && facts.changed_ns < k->since_ns);
}

static bool
next_text(const unsigned char **at, const unsigned char *end, struct str *ret)
{
	const unsigned char *nul = memchr(*at, '\0', (size_t)(end - *at));

	if (!nul)
		return false;
	*ret = (struct str){ (const char *)*at, (size_t)(nul - *at) };
	*at = nul + 1;
	return true;
}

/* A directory of the cache and those below it. `above` ends in a slash, or is empty. */
static bool
dir_stayed(struct look *k, struct str above, int depth, const unsigned char **at, const unsigned char *end)
{
	struct fs_facts facts;
	struct str name, file;
	size_t files, dirs;

	if (depth > DEPTH_LIMIT || !index_number(at, end, &files) || !index_number(at, end, &dirs) ||
	    !next_text(at, end, &name))
		return false;
	struct str path = name.n > 0 ? str_cat(k->arena, above, name, "/") : above;

	for (; files > 0; files--)
		if (!next_text(at, end, &file))
			return false;
	if ((!k->hidden.s || !path_is_at_or_below(path_tidy(path), k->hidden)) &&
	    (facts_at(k, path, ".", &facts) != FS_DIR || facts.changed_ns >= k->since_ns ||
	     (facts_at(k, path, ".gitignore", &facts) != FS_NOTHING && facts.changed_ns >= k->since_ns)))
		return false;
	for (; dirs > 0; dirs--)
		if (!dir_stayed(k, path, depth + 1, at, end))
			return false;
	return true;
}

/* The directories of the cache, which begins with the settings that it was made with. */
static bool
dirs_stayed(struct look *k, struct str cache, size_t hash_bytes)
{
	static const char none[STAT_BYTES];
	const unsigned char *at = (const unsigned char *)cache.s, *end = at + cache.n;
	struct str name;
	size_t n;

	if (!cache.s || !index_number(&at, end, &n) || n > cache.n ||
	    (size_t)(end - at) < n + 2 * STAT_BYTES + FLAGS_BYTES + 2 * hash_bytes)
		return false;
	/* A file of the user's own with rules may be anywhere. */
	if (memcmp(at + n + STAT_BYTES, none, STAT_BYTES) != 0)
		return false;
	at += n + 2 * STAT_BYTES + FLAGS_BYTES + 2 * hash_bytes;
	return next_text(&at, end, &name) && index_number(&at, end, &n) && n > 0 &&
	       dir_stayed(k, STR(""), 0, &at, end);
}

bool
git_stayed(struct arena *a, const struct repository *r, struct str log_dir, int64_t since_ns)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct look k = { .arena = &scratch,
			  .path = BUF(&scratch, SIZE_MAX),
			  .hidden = git_log_dir(a, r->root, log_dir),
			  .since_ns = since_ns };
	struct own_index own = { 0 };
	struct str path = own_index_path(&scratch, r, &own), cache = STR_NONE;
	struct ref_files files;
	struct fs_facts made;

	if (!path.s || !ref_files_find(&scratch, r->root, &files) || files.below.n > 0 ||
	    fs_facts(path.s, &made) != FS_FILE || made.written_ns > since_ns ||
	    own.from.changed_ns >= since_ns)
		return false;
	buf_cat(&k.path, r->root, "/");
	k.root_bytes = k.path.n;
	if (!index_read(&scratch, path, files.name_length / 2, file_stayed, &k, &cache))
		return false;
	/* A directory that is newer than the cache may have others in it that the cache lacks. */
	k.since_ns = made.written_ns;
	return dirs_stayed(&k, cache, files.name_length / 2) &&
	       !ignores_changed_outside(&scratch, r, made.written_ns);
}
