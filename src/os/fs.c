/* SPDX-License-Identifier: MIT */
/* Files and directories. Never waits on anything but a regular file. Acts on the file that it has opened rather than on a
 * path that it has checked before. */
#include "os/fs.h"

#include "os/fd.h"
#include "os/syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NO_WAIT (O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define NS_PER_S INT64_C(1000000000)

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

enum fs_kind
fs_facts(const char *path, struct fs_facts *ret)
{
	return fs_facts_at(AT_FDCWD, path, ret);
}

enum fs_kind
fs_facts_at(int dir, const char *path, struct fs_facts *ret)
{
	struct stat st;

	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return FS_NOTHING;
	*ret = (struct fs_facts){
		.size = (uint64_t)st.st_size,
		.inode = st.st_ino,
		.changed_ns = (int64_t)st.st_ctim.tv_sec * NS_PER_S + st.st_ctim.tv_nsec,
		.written_ns = (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec,
		.mode = st.st_mode & 07777,
		.is_executable = (st.st_mode & S_IXUSR) != 0,
	};
	return kind_of_mode(st.st_mode);
}

/* How much older than the time of the question a file must be. Kernels note times in ticks of up to 10 ms, some file systems
 * in steps of two seconds. */
#define TICK_NS (50 * 1000000LL)
#define STEP_NS (2 * 1000000000LL)
/* The kernel's, from linux/magic.h, which not every C library has. */
#define TMPFS 0x01021994
#define RAMFS 0x858458f6
#define HUGETLBFS 0x958458f6

int64_t
fs_settled_before(const struct fs_facts *f, int64_t now_ns)
{
	bool has_ticks = f->changed_ns % 1000000000 != 0 || f->written_ns % 1000000000 != 0;

	return now_ns - (has_ticks ? TICK_NS : STEP_NS);
}

bool
fs_is_settled(const struct fs_facts *f, int64_t now_ns)
{
	int64_t newest = f->changed_ns > f->written_ns ? f->changed_ns : f->written_ns;

	return newest < fs_settled_before(f, now_ns);
}

bool
fs_is_same(const struct fs_facts *x, const struct fs_facts *y)
{
	return x->size == y->size && x->inode == y->inode && x->changed_ns == y->changed_ns &&
	       x->written_ns == y->written_ns;
}

bool
fs_notes_all_writes(const char *dir)
{
	struct statfs fs;

	if (statfs(dir, &fs) < 0)
		return false;
	uint32_t type = (uint32_t)fs.f_type;

	return type != TMPFS && type != RAMFS && type != HUGETLBFS;
}

struct str
fs_read_link(struct arena *a, const char *path)
{
	char target[PATH_LIMIT_BYTES];
	ssize_t n = readlink(path, target, sizeof(target));

	return n > 0 && (size_t)n < sizeof(target) ? str_copy(a, (struct str){ target, (size_t)n })
						   : STR_NONE;
}

bool
fs_has(struct str dir, const char *name)
{
	char path[PATH_LIMIT_BYTES];
	size_t n = strlen(name);

	if (dir.n == 0 || dir.n + n + 2 > sizeof(path) || str_find_char(dir, '\0') >= 0)
		return false;
	memcpy(path, dir.s, dir.n);
	path[dir.n] = '/';
	memcpy(path + dir.n + 1, name, n + 1);
	if (fs_kind(path) != FS_NOTHING)
		return true;
	if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG)
		return false;
	char *slash = strrchr(path + dir.n + 1, '/');

	if (errno != EACCES)
		return true;
	if (!slash)
		return false;
	*slash = '\0';
	return fs_kind(path) == FS_DIR;
}

bool
fs_is_writable(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

bool
fs_is_read_only(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	/* The superuser may write every file, but must not write one that is protected on purpose. */
	return (st.st_mode & 0222) == 0 || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0;
}

static int
check_owner(const char *path, const struct stat *st, struct err *err)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return err_set(err, ERR_VALUE, "%s belongs to another user (uid %lu); 'chown' changes that",
			       path, (unsigned long)st->st_uid);
	if (st->st_mode & S_IWOTH)
		return err_set(err, ERR_VALUE, "everybody may write to %s; 'chmod o-w' changes that", path);
	return 0;
}

static int
check_target(const char *path, struct err *err)
{
	struct stat st;

	return stat(path, &st) < 0 ? err_sys(err, "%s", path) : check_owner(path, &st, err);
}

int
fs_check_safe(struct arena *a, const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return err_sys(err, "%s", path);
	if (!S_ISLNK(st.st_mode))
		return check_owner(path, &st, err);
	if (check_target(path, err) < 0)
		return -1;
	struct str target = fs_real(a, path), dir = path_parent(target);

	return dir.s ? check_target(str_copy(a, dir).s, err) : 0;
}

int
fs_check_regular(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(err, "%s", path);
	return S_ISREG(st.st_mode) ? 0 : err_set(err, ERR_VALUE, "%s: not a regular file", path);
}

int
fs_open_sized(const char *path, int *ret_fd, uint64_t *ret_size, struct err *err)
{
	/* The open() of some C libraries makes a second system call for O_CLOEXEC. */
	CLEANUP(fd_close) int fd = openat(AT_FDCWD, path, O_RDONLY | NO_WAIT);
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		*ret_fd = -1;
		return 0;
	}
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_VALUE, "%s: not a regular file", path);
	*ret_size = (uint64_t)st.st_size;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int
fs_open_regular(const char *path, int *ret_fd, struct err *err)
{
	uint64_t size;

	return fs_open_sized(path, ret_fd, &size, err);
}

int
fs_open_dir(const char *path, int *ret_fd, struct err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | NO_WAIT);

	if (fd < 0)
		return err_sys(err, "%s", path);
	*ret_fd = fd;
	return 0;
}

int
fs_read(struct arena *a, const char *path, size_t limit, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;

	if (fs_open_regular(path, &fd, err) < 0)
		return -1;
	if (fd < 0)
		*ret = STR_NONE;
	else if (fd_read_all(a, fd, limit, ret, err) < 0)
		return err_wrap(err, "%s", path);
	return 0;
}

uint64_t
fs_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

bool
fs_is_at(int fd, const char *path)
{
	struct stat ours, there;

	return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 && ours.st_dev == there.st_dev &&
	       ours.st_ino == there.st_ino;
}

int64_t
fs_written_at(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec : 0;
}

int
fs_set_written_at(const char *path, int64_t time, struct err *err)
{
	struct timespec times[2] = {
		{ .tv_nsec = UTIME_OMIT },
		{ .tv_sec = time / NS_PER_S, .tv_nsec = time % NS_PER_S },
	};

	if (utimensat(AT_FDCWD, path, times, 0) < 0)
		return err_sys(err, "%s: can't set the time", path);
	return 0;
}

int
fs_append(const char *path, struct str content, mode_t mode, struct err *err)
{
	CLEANUP(fd_close) int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | NO_WAIT, mode);
	ssize_t put;

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (fs_check_regular(fd, path, err) < 0)
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
		/* The umask must not change a private mode. */
		if ((mode & 0077) == 0)
			(void)chmod(path, mode);
		return 0;
	}
	/* EEXIST may mean a file, and some systems return EROFS or EACCES for an existing directory. */
	int why = errno == EEXIST ? ENOTDIR : errno;
	bool is_there = fs_kind(path) == FS_DIR;

	errno = why;
	return is_there ? 0 : -1;
}

int
fs_make_dirs(const char *path, mode_t mode, struct err *err)
{
	char part[PATH_LIMIT_BYTES];
	size_t n = strlen(path);

	if (make_dir(path, mode) == 0)
		return 0;
	/* Create the missing parents, and find the file that is in the way. */
	if (errno != ENOENT && errno != ENOTDIR)
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
fs_make_parents(struct arena *a, struct str file, mode_t mode, struct err *err)
{
	return fs_make_dirs(str_copy(a, path_parent(file)).s, mode, err);
}

int
fs_remove(const char *path, struct err *err)
{
	if (remove(path) < 0 && errno != ENOENT && errno != ENOTDIR)
		return err_sys(err, "%s: can't be removed", path);
	return 0;
}

#define TREE_FDS 16

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

int
fs_remove_tree(const char *path, struct err *err)
{
	if (fs_lkind(path) != FS_DIR)
		return fs_remove(path, err);
	if (nftw(path, remove_one, TREE_FDS, FTW_DEPTH | FTW_PHYS) != 0)
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

/* Reserves the name with an empty file, then replaces that. */
static int
rename_over_reserved(const char *from, const char *to)
{
	CLEANUP(fd_close) int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || rename(from, to) == 0)
		return fd < 0 ? -1 : 0;
	int why = errno;

	(void)unlink(to);
	errno = why;
	return -1;
}

int
fs_rename_new(const char *from, const char *to, struct err *err)
{
	int result = sys_rename_new(from, to);

	/* There are file systems without RENAME_NOREPLACE; shared folders do not even have hard links. */
	if (result < 0 && (errno == EINVAL || errno == ENOSYS)) {
		result = link(from, to);
		if (result == 0)
			result = unlink(from);
		else if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
			result = rename_over_reserved(from, to);
	}
	return result < 0 ? err_sys(err, "%s: can't be renamed to '%s'", from, to) : 0;
}

int
fs_symlink(const char *target, const char *path, struct err *err)
{
	return symlink(target, path) < 0 ? err_sys(err, "%s: can't be linked to '%s'", path, target) : 0;
}

static void
close_dir(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

int
fs_list(struct arena *a, const char *path, size_t max, struct str_list *ret, struct err *err)
{
	CLEANUP(close_dir) DIR *dir = opendir(path);
	CLEANUP(arena_free) struct arena list = { 0 }; /* so that it grows in place */
	struct str_list names = { 0 };
	struct dirent *entry;

	if (!dir) {
		int saved = errno;
		bool is_nothing = (saved == ENOENT || saved == ENOTDIR) && fs_kind(path) == FS_NOTHING;

		errno = saved;
		if (!is_nothing)
			return err_sys(err, "%s", path);
		*ret = names;
		return 0;
	}
	for (errno = 0; (entry = readdir(dir)); errno = 0) {
		struct str name = str_from(entry->d_name);

		if (str_is(name, ".") || str_is(name, ".."))
			continue;
		if (names.count == max)
			return err_set(err, ERR_LIMIT, "%s: more than %zu names", path, max);
		*arena_push(&list, names.items, names.count) = str_copy(a, name);
	}
	if (errno != 0)
		return err_sys(err, "%s", path);
	sort(names.items, names.count, str_compare);
	arena_adopt(a, &list);
	*ret = names;
	return 0;
}

struct str
fs_cwd(struct arena *a)
{
	char path[PATH_LIMIT_BYTES];

	return getcwd(path, sizeof(path)) ? str_copy(a, str_from(path)) : STR_NONE;
}

int
fs_enter(const char *dir, struct err *err)
{
	return chdir(dir) < 0 ? err_sys(err, "%s", dir) : 0;
}

struct str
fs_real(struct arena *a, const char *path)
{
	char real[PATH_LIMIT_BYTES];

	return realpath(path, real) ? str_copy(a, str_from(real)) : STR_NONE;
}

struct str
fs_leads_out(struct arena *a, const char *path, const char *dir)
{
	struct str real = fs_real(a, path), real_dir = fs_real(a, dir);

	return real.s && real_dir.s && !path_is_at_or_below(real, real_dir) ? real : STR_NONE;
}
