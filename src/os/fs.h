/* SPDX-License-Identifier: MIT */
/* Files and directories. Paths end in NUL. A missing file is a value, not an error. Every descriptor is opened
 * close-on-exec. A mode without rights for others is set whatever the umask. */
#ifndef OS_FS_H
#define OS_FS_H

#include "base/base.h"

#include <sys/types.h>

enum fs_kind { FS_NOTHING, FS_FILE, FS_DIR, FS_LINK, FS_OTHER };

/* What is at the path. fs_lkind() does not follow a link. */
enum fs_kind fs_kind(const char *path);
enum fs_kind fs_lkind(const char *path);
/* The same as fs_lkind(), with what is known about the file without reading it. */
struct fs_facts {
	uint64_t size, inode;
	int64_t changed_ns; /* the last change of content or attributes, which no program can set back */
	int64_t written_ns; /* the last change of content, which can be set */
	uint32_t mode;      /* permission bits */
	bool is_executable;
};
enum fs_kind fs_facts(const char *path, struct fs_facts *ret);
/* The same from an open directory, which spares the kernel the way to it: for many files. */
enum fs_kind fs_facts_at(int dir, const char *path, struct fs_facts *ret);
/* A file that was changed at this time or later may change again without a trace, now or in a moment. */
int64_t fs_settled_before(const struct fs_facts *f, int64_t now_ns);
bool fs_is_settled(const struct fs_facts *f, int64_t now_ns);
bool fs_is_same(const struct fs_facts *x, const struct fs_facts *y);
/* Do the files in this directory have a new time after every change? Not where only memory holds them: a program that has mapped
 * such a file changes it without a trace. */
bool fs_notes_all_writes(const char *dir);
/* Where a link points; absent: it is no link that can be read. */
struct str fs_read_link(struct arena *a, const char *path);
/* Does `name` exist in the directory? Allocates nothing, because every stop calls it. If the answer is unknown, as in a
 * directory below `dir` that we may not search, it is yes: the caller then reads the file and reports the error. */
bool fs_has(struct str dir, const char *name);
/* May we write the file, or create and remove names in the directory? Only for messages: the answer may change before it is
 * used. */
bool fs_is_writable(const char *path);

/* Is the file write-protected for everyone, or for us? False if there is no file. */
bool fs_is_read_only(const char *path);

/* Is it safe to run what the file, or a file in the directory, says? It must belong to us or to root, and not everybody
 * may write to it. A link is followed, and then the directory that it leads into must be safe, too. The error says why
 * not, and how to change that. */
int fs_check_safe(struct arena *a, const char *path, struct err *err) MUST_CHECK;

/* Opens a regular file for reading; never waits on a FIFO or a device. *ret_fd is -1 if nothing is at the path; anything but a
 * regular file is an error. */
int fs_open_regular(const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* The same, with its size. */
int fs_open_sized(const char *path, int *ret_fd, uint64_t *ret_size, struct err *err) MUST_CHECK;
/* Opens a directory, to lock it. */
int fs_open_dir(const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* Its content; absent if nothing is at the path. */
int fs_read(struct arena *a, const char *path, size_t limit, struct str *ret, struct err *err) MUST_CHECK;
/* Fails unless fd is a regular file; the message names the path. */
int fs_check_regular(int fd, const char *path, struct err *err) MUST_CHECK;
uint64_t fs_size(int fd);
/* Does the path (a link is not followed) still name the file that fd is? */
bool fs_is_at(int fd, const char *path);
/* When the file was last written, in nanoseconds; 0 if there is none. For comparison only. */
int64_t fs_written_at(const char *path);
/* Sets that time. */
int fs_set_written_at(const char *path, int64_t time, struct err *err) MUST_CHECK;

/* How many letters a temporary file has after the name of the file that it will be: `.NAME.abcdef`. */
#define FS_TEMP_LETTERS 6
/* Replaces the file by temporary file, fsync and rename in the same directory; keeps the old file's mode if there is one, else
 * `mode`. A link at the path is followed and stays; a dangling link is an error, as is anything but a regular file. */
int fs_replace(struct arena *a, const char *path, struct str content, mode_t mode,
	       struct err *err) MUST_CHECK;
/* The same with a content that `fill` writes, and without fsync. */
int fs_replace_with(struct arena *a, const char *path, int (*fill)(void *context, int fd, struct err *err),
		    void *context, mode_t mode, struct err *err) MUST_CHECK;
/* The same as fs_replace() without fsync, which may take long: for a hook's own files. */
int fs_replace_unsynced(struct arena *a, const char *path, struct str content, mode_t mode,
			struct err *err) MUST_CHECK;
/* Puts a new file, with this mode whatever the umask, or a new link, in place of a file or link at the path, in one step. A link there
 * is not followed. */
int fs_put(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err) MUST_CHECK;
int fs_put_link(struct arena *a, const char *path, struct str target, struct err *err) MUST_CHECK;
/* n random letters for a unique name, and a NUL. */
void fs_random_letters(char *to, size_t n);
/* Writes a new file in the same directory, not synced, with the mode and, if we may set it, the owner of `old`. The caller
 * renames or removes it, and holds signals until then. */
struct stat;
int fs_make_temp(struct arena *a, const char *path, struct str content, const struct stat *old,
		 const char **ret, struct err *err) MUST_CHECK;
/* Opens a file of mode 0600 without a name on the same file system, of which nothing remains if we are killed... */
int fs_open_nameless(struct arena *a, const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* ...and puts it, or a copy of it, at the path. The caller no longer writes to it. Nothing is synced. */
int fs_replace_from(struct arena *a, const char *path, int fd, struct err *err) MUST_CHECK;
/* Creates the file, failing (ERR_SYS, EEXIST) if anything is at the path. */
int fs_create(const char *path, struct str content, mode_t mode, struct err *err) MUST_CHECK;
/* Creates a log of mode 0600 and opens it for appending; fails (ERR_SYS, EEXIST) if anything is at the path. */
int fs_create_log(const char *path, int *ret_fd, struct err *err) MUST_CHECK;
/* The same with the inode of an old log, which is emptied first and then gets that name; false: it is none, or the name is taken. */
bool fs_reuse_log(const char *old, const char *path, int *ret_fd);
/* Appends by one write under O_APPEND, so that lines of several processes do not mix. */
int fs_append(const char *path, struct str content, mode_t mode, struct err *err) MUST_CHECK;
/* Creates the missing ones. The error (ERR_SYS, ENOTDIR) names a file that is in the way. */
int fs_make_dirs(const char *path, mode_t mode, struct err *err) MUST_CHECK;
/* Creates the directory of the file, whose path must contain one. */
int fs_make_parents(struct arena *a, struct str file, mode_t mode, struct err *err) MUST_CHECK;
/* Removes a file, a link or an empty directory; 0 also if nothing is at the path. */
int fs_remove(const char *path, struct err *err) MUST_CHECK;
/* Removes a directory with its content, or what fs_remove() removes; links are removed and not followed. */
int fs_remove_tree(const char *path, struct err *err) MUST_CHECK;
/* Creates a link with the text `target`; fails if anything is at the path. */
int fs_symlink(const char *target, const char *path, struct err *err) MUST_CHECK;
int fs_rename(const char *from, const char *to, struct err *err) MUST_CHECK;
/* The same, failing (ERR_SYS, EEXIST) if anything is at the new name. */
int fs_rename_new(const char *from, const char *to, struct err *err) MUST_CHECK;

/* The names in a directory, sorted by bytes, without . and ..; none if the directory does not exist. More than `max` names
 * are an error (ERR_LIMIT): a part could be mistaken for all. */
#define FS_NO_LIMIT SIZE_MAX
int fs_list(struct arena *a, const char *path, size_t max, struct str_list *ret, struct err *err) MUST_CHECK;

/* The working directory; absent if it was removed. */
struct str fs_cwd(struct arena *a);
int fs_enter(const char *dir, struct err *err) MUST_CHECK;
/* Absolute, without . and .. and without links; absent if the path does not exist. */
struct str fs_real(struct arena *a, const char *path);
/* Where the path leads by its links, if that is outside of the directory; absent: it is in it, or one of them does not exist. */
struct str fs_leads_out(struct arena *a, const char *path, const char *dir);

#endif
