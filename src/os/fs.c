/* SPDX-License-Identifier: MIT */
/* Files and directories. Never waits on what is no regular file, never leaves a temporary file behind, and acts
 * on what it has opened rather than on a path that it has looked at before. */
#include "os/fs.h"

#include "os/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NO_WAIT (O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
/* Of the old name, in that of the temporary file: the longest name that a file can have is 255. */
#define TEMP_NAME_BYTES 200
#define TEMP_TRIES 100

static enum fs_kind
kind_of_mode(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return FS_FILE;
	case S_IFDIR:
		return FS_DIR;
	case S_IFLNK:
		return FS_LINK;
	default:
		return FS_OTHER;
	}
}

enum fs_kind
fs_kind(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? FS_NOTHING : kind_of_mode(st.st_mode);
}

enum fs_kind
fs_lkind(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 ? FS_NOTHING : kind_of_mode(st.st_mode);
}

bool
fs_is_writable(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static int
check_regular(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_VALUE, "%s: not a regular file", path);
	return 0;
}

int
fs_open_regular(const char *path, int *ret_fd, struct err *err)
{
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | NO_WAIT);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		*ret_fd = -1;
		return 0;
	}
	if (fd < 0)
		return err_sys(err, "%s", path);
	if (check_regular(fd, path, err) < 0)
		return -1;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int
fs_read(struct arena *a, const char *path, size_t limit, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;

	if (fs_open_regular(path, &fd, err) < 0)
		return -1;
	if (fd < 0) {
		*ret = STR_NONE;
		return 0;
	}
	if (fd_read_all(a, fd, limit, ret, err) < 0)
		return err_wrap(err, "%s", path);
	return 0;
}

uint64_t
fs_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* The name of a temporary file beside path, which is the base: dir/.base.XXXXXX */
static const char *
temp_name(struct arena *a, const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	unsigned char random[6] = { 0 };
	char suffix[sizeof(random) + 1] = { 0 };

	/* Where there is no randomness yet, EEXIST and another try still find a free name. */
	(void)!getrandom(random, sizeof(random), GRND_NONBLOCK);
	for (size_t i = 0; i < sizeof(random); i++)
		suffix[i] = letters[random[i] % (sizeof(letters) - 1)];
	return str_fmt(a, "%.*s.%.*s.%s", (int)(base - path), path, TEMP_NAME_BYTES, base, suffix).s;
}

/* What is for the user alone is so whatever the umask. */
static bool
is_private(mode_t mode)
{
	return (mode & 0077) == 0;
}

static int
open_new(const char *path, mode_t mode)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

	if (fd >= 0 && is_private(mode))
		(void)fchmod(fd, mode);
	return fd;
}

static int
open_temp(struct arena *a, const char *path, mode_t mode, const char **ret_name, struct err *err)
{
	for (int try = 0; try < TEMP_TRIES; try++) {
		const char *name = temp_name(a, path);
		int fd = open_new(name, mode);

		if (fd >= 0) {
			*ret_name = name;
			return fd;
		}
		if (errno != EEXIST)
			break;
	}
	return err_sys(err, "%s: can't make a temporary file beside it", path);
}

/* Mode and, where we may give files away, owner as those of the file that will be replaced. */
static int
take_over(int fd, const struct stat *old)
{
	if (old->st_uid != geteuid() || old->st_gid != getegid())
		(void)!fchown(fd, old->st_uid, old->st_gid);
	return fchmod(fd, old->st_mode & 07777);
}

static int
fill_temp(int fd, const char *path, struct str content, const struct stat *old, struct err *err)
{
	if (old && take_over(fd, old) < 0)
		return err_sys(err, "%s: can't keep the file's mode", path);
	if (fd_write_all(fd, content, err) < 0)
		return err_wrap(err, "%s", path);
	if (fsync(fd) < 0)
		return err_sys(err, "%s: can't sync", path);
	return 0;
}

static int
replace_file(struct arena *a, const char *path, struct str content, mode_t mode, const struct stat *old,
	     struct err *err)
{
	const char *temp = NULL;
	/* Nobody may read the new content who could not read the old one. */
	CLEANUP(fd_close) int fd = open_temp(a, path, old ? 0600 : mode, &temp, err);

	if (fd < 0)
		return -1;
	int result = fill_temp(fd, path, content, old, err);

	if (result == 0 && rename(temp, path) < 0)
		result = err_sys(err, "%s: can't be replaced", path);
	if (result < 0)
		(void)unlink(temp);
	return result;
}

int
fs_replace(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err)
{
	char real[PATH_LIMIT_BYTES];
	struct stat st;

	if (lstat(path, &st) < 0) {
		if (errno != ENOENT)
			return err_sys(err, "%s", path);
		return replace_file(a, path, content, mode, NULL, err);
	}
	if (S_ISLNK(st.st_mode)) {
		if (!realpath(path, real) || stat(real, &st) < 0)
			return err_sys(err, "%s: what the link points to", path);
		path = real;
	}
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_VALUE, "%s: not a regular file", path);
	return replace_file(a, path, content, mode, &st, err);
}

int
fs_open_nameless(struct arena *a, const char *path, int *ret_fd, struct err *err)
{
	const char *temp = NULL;
	int fd = open_temp(a, path, 0600, &temp, err);

	if (fd < 0)
		return -1;
	(void)unlink(temp);
	*ret_fd = fd;
	return 0;
}

static int
copy_all(int from, int to, struct err *err)
{
	char bytes[KIB(64)];
	size_t n = 0;

	for (uint64_t at = 0;; at += n) {
		if (fd_read_at(from, at, bytes, sizeof(bytes), &n, err) < 0)
			return -1;
		if (n == 0)
			return 0;
		if (fd_write_all(to, (struct str){ bytes, n }, err) < 0)
			return -1;
	}
}

int
fs_replace_from(struct arena *a, const char *path, int fd, struct err *err)
{
	const char *temp = NULL;
	CLEANUP(fd_close) int to = open_temp(a, path, 0600, &temp, err);

	if (to < 0)
		return -1;
	int result = copy_all(fd, to, err) < 0 ? err_wrap(err, "%s", path) : 0;

	if (result == 0 && rename(temp, path) < 0)
		result = err_sys(err, "%s: can't be replaced", path);
	if (result < 0)
		(void)unlink(temp);
	return result;
}

int
fs_create(const char *path, struct str content, mode_t mode, struct err *err)
{
	CLEANUP(fd_close) int fd = open_new(path, mode);

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (fd_write_all(fd, content, err) < 0) {
		(void)unlink(path);
		return err_wrap(err, "%s", path);
	}
	return 0;
}

int
fs_append(const char *path, struct str content, mode_t mode, struct err *err)
{
	CLEANUP(fd_close) int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | NO_WAIT, mode);
	ssize_t put;

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (check_regular(fd, path, err) < 0)
		return -1;
	do
		put = write(fd, content.s, content.n);
	while (put < 0 && errno == EINTR);
	if (put < 0)
		return err_sys(err, "%s: can't write", path);
	if ((size_t)put < content.n)
		return err_set(err, ERR_SYS, "%s: only %zd of %zu bytes were written", path, put, content.n);
	return 0;
}

static int
make_dir(const char *path, mode_t mode)
{
	if (mkdir(path, mode) == 0) {
		if (is_private(mode))
			(void)chmod(path, mode);
		return 0;
	}
	/* EEXIST may also be a file; and some systems say EROFS or EACCES of a directory that is there. */
	int saved = errno;
	bool is_there = fs_kind(path) == FS_DIR;

	errno = saved;
	return is_there ? 0 : -1;
}

int
fs_make_dirs(const char *path, mode_t mode, struct err *err)
{
	char part[PATH_LIMIT_BYTES];
	size_t n = strlen(path);

	if (make_dir(path, mode) == 0)
		return 0;
	if (errno != ENOENT)
		return err_sys(err, "%s", path);
	if (n >= sizeof(part))
		return err_set(err, ERR_LIMIT, "a path of %zu bytes", n);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && (path[i] != '/' || path[i - 1] == '/'))
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (make_dir(part, mode) < 0)
			return err_sys(err, "%s", part);
	}
	return 0;
}

int
fs_remove(const char *path, struct err *err)
{
	if (remove(path) < 0 && errno != ENOENT && errno != ENOTDIR)
		return err_sys(err, "%s: can't be removed", path);
	return 0;
}

int
fs_rename(const char *from, const char *to, struct err *err)
{
	if (rename(from, to) < 0)
		return err_sys(err, "%s: can't be renamed to '%s'", from, to);
	return 0;
}

static void
close_dir(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

static int
compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The next name of its own; NULL at the end, or on an error, when errno is set. */
static const char *
next_name(DIR *dir)
{
	struct dirent *entry;

	errno = 0;
	while ((entry = readdir(dir)))
		if (!str_is(STR("."), entry->d_name) && !str_is(STR(".."), entry->d_name))
			return entry->d_name;
	return NULL;
}

int
fs_list(struct arena *a, const char *path, size_t max, struct fs_names *ret, struct err *err)
{
	CLEANUP(close_dir) DIR *dir = opendir(path);
	struct fs_names names = { 0 };
	size_t capacity = 0;
	const char *name;

	if (!dir) {
		int saved = errno;
		bool is_nothing = (saved == ENOENT || saved == ENOTDIR) && fs_kind(path) == FS_NOTHING;

		errno = saved;
		if (!is_nothing)
			return err_sys(err, "%s", path);
		*ret = names;
		return 0;
	}
	while ((name = next_name(dir))) {
		if (names.count == max) {
			names.is_cut = true;
			break;
		}
		if (names.count == capacity) {
			size_t larger = capacity ? capacity * 2 : 32;
			struct str *items = arena_array(a, larger, struct str);

			if (names.count)
				memcpy(items, names.items, names.count * sizeof(*items));
			names.items = items;
			capacity = larger;
		}
		names.items[names.count++] = str_copy(a, str_from(name));
	}
	if (!name && errno != 0)
		return err_sys(err, "%s", path);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), compare_names);
	*ret = names;
	return 0;
}

struct str
fs_cwd(struct arena *a)
{
	char path[PATH_LIMIT_BYTES];

	return getcwd(path, sizeof(path)) ? str_copy(a, str_from(path)) : STR_NONE;
}

struct str
fs_real(struct arena *a, const char *path)
{
	char real[PATH_LIMIT_BYTES];

	return realpath(path, real) ? str_copy(a, str_from(real)) : STR_NONE;
}

/* Without slashes at the end. */
static struct str
strip(struct str path)
{
	while (path.n > 0 && path.s[path.n - 1] == '/')
		path.n--;
	return path;
}

struct str
fs_join(struct arena *a, struct str dir, struct str name)
{
	if (dir.n == 0)
		return str_copy(a, name);
	dir = strip(dir);
	while (str_starts(name, STR("/")))
		name = str_sub(name, 1, name.n);
	char *s = arena_bytes(a, dir.n + name.n + 2);

	memcpy(s, dir.s, dir.n);
	s[dir.n] = '/';
	if (name.n)
		memcpy(s + dir.n + 1, name.s, name.n);
	s[dir.n + 1 + name.n] = '\0';
	return (struct str){ s, dir.n + 1 + name.n };
}

struct str
fs_parent(struct str path)
{
	path = strip(path);
	while (path.n > 0 && path.s[path.n - 1] != '/')
		path.n--;
	if (path.n == 0)
		return STR_NONE;
	struct str parent = strip(path);

	return parent.n ? parent : str_sub(path, 0, 1);
}
