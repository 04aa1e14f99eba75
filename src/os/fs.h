/* SPDX-License-Identifier: MIT */
/* Files and directories. Paths are terminated strings; "not there" is a value, not an error. Every descriptor
 * is close-on-exec from birth. A mode that is for the user alone holds whatever the umask. */
#ifndef OS_FS_H
#define OS_FS_H

#include "base/base.h"

#include <sys/types.h>

enum fs_kind { FS_NOTHING, FS_FILE, FS_DIR, FS_LINK, FS_OTHER };

/* What the path names; links are followed, except by the l form. */
enum fs_kind fs_kind(const char *path);
enum fs_kind fs_lkind(const char *path);
/* Is there anything of that name in the directory? Allocates nothing, as it is part of every stop. A path that is too
 * long, or none at all, names nothing. If that could not be found out, as in a directory below `dir` that we may not
 * search, the answer is yes: the caller then reads the file and reports the error. */
bool fs_has(struct str dir, const char *name);
/* May we write the file, or make and remove names in the directory? Only good for telling a person: by the time
 * it is done, the answer may be another. */
bool fs_is_writable(const char *path);

/* Is the file protected from writing: no write permission for anyone, or none for us? False where there is no file. */
bool fs_is_read_only(const char *path);

/* A regular file opened for reading, never waiting on a FIFO or a device. *ret_fd is -1 where there is nothing
 * at the path; anything that is not a regular file is an error. */
int fs_open_regular(const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* Its whole content; ret->s is NULL where there is nothing at the path. */
int fs_read(struct arena *a, const char *path, size_t limit, struct str *ret, struct err *err) MUST_CHECK;
/* An error where fd is something else; the message names the path. */
int fs_check_regular(int fd, const char *path, struct err *err) MUST_CHECK;
uint64_t fs_size(int fd);
/* Does the path, a link not followed, still name the file that fd is? */
bool fs_is_at(int fd, const char *path);
/* When the file at the path was last written, as a number that only means something beside another of its kind. */
int64_t fs_written_at(const char *path);
/* Sets that time. */
int fs_set_written_at(const char *path, int64_t time, struct err *err) MUST_CHECK;

/* Replaces the file by temp file, fsync and rename in the same directory; keeps the old file's mode if there is
 * one, else `mode`. A link at the path is followed, so that the link itself stays; one that leads nowhere is an
 * error, as is anything that is no regular file. */
int fs_replace(struct arena *a, const char *path, struct str content, mode_t mode,
	       struct err *err) MUST_CHECK;
/* The same without the fsync, which may take any time: for a hook's own files. */
int fs_replace_unsynced(struct arena *a, const char *path, struct str content, mode_t mode,
			struct err *err) MUST_CHECK;
/* Letters for the end of a name that nobody else has, n of them and a NUL. */
void fs_random_letters(char *to, size_t n);
/* A whole new file beside the path, not synced, with the mode and, where we may give files away, the owner of `old`. It
 * is the caller's to give it its place or to remove it, with signals held meanwhile. */
struct stat;
int fs_make_temp(struct arena *a, const char *path, struct str content, const struct stat *old,
		 const char **ret, struct err *err) MUST_CHECK;
/* A file of mode 0600 beside the path that has no name, so that nothing is left of it when we are killed... */
int fs_open_nameless(struct arena *a, const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* ...and it, or a copy of it, in place of what is at the path: it is not written to any more. Nothing is synced. */
int fs_replace_from(struct arena *a, const char *path, int fd, struct err *err) MUST_CHECK;
/* Creates the file, failing (ERR_SYS, EEXIST) if anything is at the path. */
int fs_create(const char *path, struct str content, mode_t mode, struct err *err) MUST_CHECK;
/* Creates a log and opens it for appending; fails (ERR_SYS, EEXIST) if anything is at the path. Its mode is what the umask
 * leaves of read and write for all. */
int fs_create_log(const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* One write at the end, under O_APPEND: lines of several processes do not mix. */
int fs_append(const char *path, struct str content, mode_t mode, struct err *err) MUST_CHECK;
/* All that are missing. What is in the way is named by the error (ERR_SYS, ENOTDIR). */
int fs_make_dirs(const char *path, mode_t mode, struct err *err) MUST_CHECK;
/* The directory that the file is to be in, which must have one. */
int fs_make_parents(struct arena *a, struct str file, mode_t mode, struct err *err) MUST_CHECK;
/* A file, a link or an empty directory; 0 also when there is nothing at the path. */
int fs_remove(const char *path, struct err *err) MUST_CHECK;
/* A directory with all that is in it, or what fs_remove() removes; links in it are removed and not followed. */
int fs_remove_tree(const char *path, struct err *err) MUST_CHECK;
/* A link at the path that names `target` as it is; fails where anything is there. */
int fs_symlink(const char *target, const char *path, struct err *err) MUST_CHECK;
int fs_rename(const char *from, const char *to, struct err *err) MUST_CHECK;
/* The same, failing (ERR_SYS, EEXIST) if anything is at the new name. */
int fs_rename_new(const char *from, const char *to, struct err *err) MUST_CHECK;

/* The names in a directory, sorted bytewise, without . and ..; none where the directory does not exist. More than `max`
 * names are an error (ERR_LIMIT): a part of them would look like all of them. */
#define FS_NO_LIMIT SIZE_MAX
struct fs_names {
	struct str *items;
	size_t count;
};
int fs_list(struct arena *a, const char *path, size_t max, struct fs_names *ret, struct err *err) MUST_CHECK;

/* The process's working directory; absent when it was removed. */
struct str fs_cwd(struct arena *a);
/* Absolute, without . and .. and without links; absent when the path does not exist. */
struct str fs_real(struct arena *a, const char *path);

#endif
