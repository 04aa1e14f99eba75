/* SPDX-License-Identifier: MIT */
/* Creates and replaces files. No temporary file remains, and no process ever sees a file half written. */
#include "os/fd.h"
#include "os/fs.h"

#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much of the old name is in the temporary one: a name has at most 255 bytes. */
#define TEMP_NAME_BYTES 200
#define TEMP_TRIES 100
#define LOG_FLAGS (O_APPEND | O_CLOEXEC | O_NOCTTY)

void
fs_random_letters(char *to, size_t n)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-";

	/* If the system has no randomness yet, retries after EEXIST still find a free name. */
	memset(to, 0, n + 1);
	(void)!getrandom(to, n, GRND_NONBLOCK);
	for (size_t i = 0; i < n; i++)
		to[i] = letters[(unsigned char)to[i] % (sizeof(letters) - 1)];
}

/* dir/.base.XXXXXX for dir/base */
static const char *
temp_name(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char suffix[FS_TEMP_LETTERS + 1];

	fs_random_letters(suffix, FS_TEMP_LETTERS);
	return str_fmt(a, "%.*s.%.*s.%s", (int)(base - path), path, TEMP_NAME_BYTES, base, suffix).s;
}

/* The umask must not change such a mode. */
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

/* Creates a file with a temporary name, or gives such a name to a file without one; -1 with errno if neither is possible. */
static int
take_name(struct arena *a, const char *path, int unnamed, mode_t mode, const char **ret_name)
{
	const char *self = str_fmt(a, "/proc/self/fd/%d", unnamed).s;

	for (int try = 0; try < TEMP_TRIES; try++) {
		*ret_name = temp_name(a, path);
		int result = unnamed < 0 ? open_new(*ret_name, mode)
					 : linkat(AT_FDCWD, self, AT_FDCWD, *ret_name, AT_SYMLINK_FOLLOW);

		if (result >= 0 || errno != EEXIST)
			return result;
	}
	return -1;
}

static int
open_temp(struct arena *a, const char *path, mode_t mode, const char **ret_name, struct err *err)
{
	int fd = take_name(a, path, -1, mode, ret_name);

	return fd < 0 ? err_sys(err, "%s: can't create a temporary file in its directory", path) : fd;
}

/* Copies mode and, if we may set it, owner of the file that will be replaced. */
static int
copy_owner_and_mode(int fd, const struct stat *old)
{
	if (old->st_uid != geteuid() || old->st_gid != getegid())
		(void)!fchown(fd, old->st_uid, old->st_gid);
	if (fchmod(fd, old->st_mode & 07777) == 0)
		return 0;
	/* On a shared folder modes are fixed and can't be changed. */
	struct stat st;
	int why = errno;
	bool is_same = fstat(fd, &st) == 0 && (st.st_mode & 07777) == (old->st_mode & 07777);

	errno = why;
	return is_same ? 0 : -1;
}

struct content {
	struct str text;
	bool is_synced;                                      /* it survives a power cut */
	int (*fill)(void *context, int fd, struct err *err); /* writes it; NULL: it is the text */
	void *context;
};

static int
fill_temp(int fd, const char *path, struct content content, const struct stat *old, struct err *err)
{
	if (old && copy_owner_and_mode(fd, old) < 0)
		return err_sys(err, "%s: can't keep the file's mode", path);
	if ((content.fill ? content.fill(content.context, fd, err) : fd_write_all(fd, content.text, err)) < 0)
		return err_wrap(err, "%s", path);
	if (content.is_synced && fsync(fd) < 0)
		return err_sys(err, "%s: can't sync", path);
	return 0;
}

/* A file without a name in the directory of path, of which nothing remains if we are killed; -1 if the file system does not
 * support that. */
static int
open_unnamed(struct arena *a, const char *path, mode_t mode)
{
	const char *slash = strrchr(path, '/');
	const char *dir = slash ? str_fmt(a, "%.*s", (int)(slash - path) + 1, path).s : ".";
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);

	if (fd >= 0 && is_private(mode))
		(void)fchmod(fd, mode);
	return fd;
}

static int
make_temp(struct arena *a, const char *path, struct content content, mode_t mode, const struct stat *old,
	  const char **ret, struct err *err)
{
	CLEANUP(fd_close) int fd = open_unnamed(a, path, mode);

	if (fd >= 0) {
		if (fill_temp(fd, path, content, old, err) < 0)
			return -1;
		if (take_name(a, path, fd, 0, ret) == 0)
			return 0;
		fd_close(&fd);
	}
	fd = open_temp(a, path, mode, ret, err);
	if (fd < 0)
		return -1;
	if (fill_temp(fd, path, content, old, err) < 0) {
		(void)unlink(*ret);
		return -1;
	}
	return 0;
}

int
fs_make_temp(struct arena *a, const char *path, struct str content, const struct stat *old, const char **ret,
	     struct err *err)
{
	/* Whoever may not read the old content may not read the new one. */
	return make_temp(a, path, (struct content){ .text = content }, 0600, old, ret, err);
}

static int
take_place(const char *temp, const char *path, struct err *err)
{
	if (rename(temp, path) == 0)
		return 0;
	int result = err_sys(err, "%s: can't be replaced", path);

	(void)unlink(temp);
	return result;
}

static int
replace_any(struct arena *a, const char *path, struct content content, mode_t mode, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();
	char real[PATH_LIMIT_BYTES];
	struct stat st;
	bool is_there = lstat(path, &st) == 0;
	const char *temp = NULL;

	if (!is_there && errno != ENOENT)
		return err_sys(err, "%s", path);
	if (is_there && S_ISLNK(st.st_mode)) {
		if (!realpath(path, real) || stat(real, &st) < 0)
			return err_sys(err, "%s: what the link points to", path);
		path = real;
	}
	if (is_there && !S_ISREG(st.st_mode))
		return err_set(err, ERR_VALUE, "%s: not a regular file", path);
	if (make_temp(a, path, content, is_there ? 0600 : mode, is_there ? &st : NULL, &temp, err) < 0)
		return -1;
	return take_place(temp, path, err);
}

int
fs_replace(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err)
{
	return replace_any(a, path, (struct content){ .text = content, .is_synced = true }, mode, err);
}

int
fs_replace_unsynced(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err)
{
	return replace_any(a, path, (struct content){ .text = content }, mode, err);
}

int
fs_replace_with(struct arena *a, const char *path, int (*fill)(void *context, int fd, struct err *err),
		void *context, mode_t mode, struct err *err)
{
	return replace_any(a, path, (struct content){ .fill = fill, .context = context }, mode, err);
}

int
fs_open_nameless(struct arena *a, const char *path, int *ret_fd, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();
	const char *temp = NULL;
	int fd = open_unnamed(a, path, 0600);

	if (fd < 0) {
		fd = open_temp(a, path, 0600, &temp, err);
		if (fd < 0)
			return -1;
		(void)unlink(temp);
	}
	*ret_fd = fd;
	return 0;
}

int
fs_put(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();
	struct stat as = { .st_mode = mode, .st_uid = getuid(), .st_gid = getgid() };
	const char *temp;

	return fs_make_temp(a, path, content, &as, &temp, err) < 0 ? -1 : take_place(temp, path, err);
}

int
fs_put_link(struct arena *a, const char *path, struct str target, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();
	const char *temp = temp_name(a, path), *to;

	if (str_cz(a, target, &to, err) < 0 || fs_symlink(to, temp, err) < 0)
		return -1;
	return take_place(temp, path, err);
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
	CLEANUP(signals_release) sigset_t held = signals_hold();
	const char *temp;

	if (take_name(a, path, fd, 0, &temp) == 0)
		return take_place(temp, path, err);
	CLEANUP(fd_close) int to = open_temp(a, path, 0600, &temp, err);

	if (to < 0)
		return -1;
	if (copy_all(fd, to, err) < 0) {
		(void)unlink(temp);
		return err_wrap(err, "%s", path);
	}
	return take_place(temp, path, err);
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
fs_create_log(const char *path, int *ret_fd, struct err *err)
{
	int fd;

	do
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | LOG_FLAGS, 0600);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return err_sys(err, "%s", path);
	*ret_fd = fd;
	return 0;
}

bool
fs_reuse_log(const char *old, const char *path, int *ret_fd)
{
	CLEANUP(fd_close) int fd = open(old, O_WRONLY | LOG_FLAGS | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 ||
	    st.st_uid != geteuid() || (st.st_mode & 07777) != 0600 || ftruncate(fd, 0) < 0 ||
	    fs_rename_new(old, path, IGNORED) < 0)
		return false;
	*ret_fd = fd;
	fd = -1;
	return true;
}
