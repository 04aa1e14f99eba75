/* SPDX-License-Identifier: MIT */
/* Untracked repositories, and untracked files that are too large: they are in no snapshot and no diff. Such a file is never read. */
#include "git/git_spawn.h"

#include "os/fs.h"

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
