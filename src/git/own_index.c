/* SPDX-License-Identifier: MIT */
/* Keeps an index of our own. Its name says of which state of the repository's index it is a copy: after any change to that,
 * another one is made. Git writes to it once, and the repository's index is never written. See doc/decisions/0026. */
#include "git/git_spawn.h"

#include "os/clock.h"

#include <inttypes.h>

/* The cache holds what is asked for: all untracked files. */
static struct str settings[] = {
	STR("core.untrackedCache=true"),
	STR("status.showUntrackedFiles=all"),
};

/* Also the names of many untracked files are quicker to find with a cache: as many as their contents take to keep. */
static bool
has_many_new(const struct git_known *k)
{
	struct fs_facts kept;

	return k->blob_file.s && fs_facts(k->blob_file.s, &kept) == FS_FILE &&
	       kept.size >= k->index_least_bytes;
}

struct str
own_index_path(struct arena *a, const struct repository *r, struct own_index *own)
{
	const struct git_known *k = r->known;
	struct str git_dir = k && k->index_file.s ? git_dir_at(a, r->root) : STR_NONE;

	own->asked_ns = clock_real_us() * 1000;
	if (!git_dir.s || fs_facts(path_join(a, git_dir, STR("index")).s, &own->from) != FS_FILE ||
	    (own->from.size < k->index_least_bytes && !has_many_new(k)) ||
	    !fs_is_settled(&own->from, own->asked_ns))
		return STR_NONE;
	return str_fmt(a, STR_FMT ".%" PRIx64 "-%" PRIx64 "-%" PRIx64, STR_ARG(k->index_file), own->from.size,
		       (uint64_t)own->from.changed_ns, own->from.inode);
}

void
own_index_use(struct arena *a, const struct repository *r, struct own_index *own, struct git_job *job)
{
	const struct git_known *k = r->known;
	struct str path = own->is_refused ? STR_NONE : own_index_path(a, r, own);

	own->path = STR_NONE;
	if (!path.s)
		return;
	struct str index = path_join(a, git_dir_at(a, r->root), STR("index"));

	/* Our files are not synced, so a crash of the machine may have left zeros in it. */
	int64_t started_ns = clock_real_us() * 1000 - clock_boot_ms() * 1000000;

	if (fs_facts(path.s, &own->facts) == FS_FILE && own->facts.changed_ns > started_ns) {
		job->index = path.s;
	} else {
		if (k->is_read_only || git_index_copy(&own->dir, a, index, IGNORED) < 0)
			return;
		job->index = own->dir.file;
		job->writes_index = true;
	}
	own->path = path;
	job->settings = (struct str_list){ settings, COUNT_OF(settings) };
}

/* Keeps what git has completed. Its time is set to that of the question: git then looks again at every file and directory that
 * was changed at that time or later, which the cache may not know as it is now. If it can't be kept, it is made again next
 * time. */
static void
keep(struct arena *a, const struct repository *r, const struct own_index *own)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	/* Other stops may use the path as soon as there is something, so it has its time before. */
	struct str content = STR_NONE, new = str_cat(&scratch, own->path, ".new");
	struct fs_facts now;

	/* Another program may have changed it while it was copied. */
	struct str index = path_join(&scratch, git_dir_at(a, r->root), STR("index"));

	if (fs_facts(index.s, &now) != FS_FILE || !fs_is_same(&now, &own->from) ||
	    fs_read(&scratch, own->dir.file, GIT_INDEX_LIMIT_BYTES, &content, IGNORED) < 0 || !content.s ||
	    fs_make_parents(&scratch, own->path, 0700, IGNORED) < 0 ||
	    fs_replace_unsynced(&scratch, new.s, content, 0600, IGNORED) < 0 ||
	    fs_set_written_at(new.s, fs_settled_before(&own->from, own->asked_ns), IGNORED) < 0 ||
	    fs_rename(new.s, own->path.s, IGNORED) < 0)
		return;
	/* The copies of earlier states go. Whoever uses one of them notices that. */
	struct str dir = path_parent(own->path), name = path_base(own->path);
	struct str prefix = str_cat(&scratch, path_base(r->known->index_file), ".");
	struct str_list names = { 0 };

	if (fs_list(&scratch, str_copy(&scratch, dir).s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		if (str_starts(names.items[i], prefix) && !str_eq(names.items[i], name))
			(void)!fs_remove(path_join(&scratch, dir, names.items[i]).s, IGNORED);
}

bool
own_index_settle(struct arena *a, const struct repository *r, struct own_index *own,
		 const struct git_job *job)
{
	bool is_made = own->dir.path != NULL;
	struct fs_facts now;

	if (!own->path.s)
		return true;
	/* Git takes an index that is gone for an empty one. */
	bool is_there = is_made || (fs_facts(own->path.s, &now) == FS_FILE && fs_is_same(&now, &own->facts));

	own->is_refused = job->code != 0 || !is_there;
	if (is_made && !own->is_refused)
		keep(a, r, own);
	else if (job->code != 0 && !r->known->is_read_only)
		(void)!fs_remove(own->path.s, IGNORED);
	own_index_clear(own);
	return !own->is_refused;
}

void
own_index_clear(struct own_index *own)
{
	tempdir_clear(&own->dir);
	own->path = STR_NONE;
}
