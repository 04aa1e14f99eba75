/* SPDX-License-Identifier: MIT */
/* Lock files with a process id. A new one is created without a name, locked and written, and then named in one step, so that
 * no process ever sees it incomplete. A file is judged while its lock is held. */
#include "os/pidfile.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/exit_reply.h"
#include "os/locked.h"
#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
#define RETRY_MS 3
/* Between two looks at a file that is held without a lock. */
#define LOOK_MS 20
#define RETRIES 300
#define TEXT_BYTES 64
/* Fields of /proc/N/stat from the state to the start time. */
#define FIELDS_TO_START 20
/* An empty line at the end, which no other program writes. A file with this mark and without a lock is stale, even if its
 * number is that of another process now. */
#define MARK "\n\n"

static struct str
our_text(struct arena *a)
{
	return str_fmt(a, "%ld" MARK, (long)getpid());
}

struct process {
	char state;             /* as in /proc/N/stat */
	uint64_t started_ticks; /* since boot; 0: unknown */
};

static struct process
process_of(pid_t pid)
{
	char path[TEXT_BYTES], bytes[512];
	struct process p = { 0 };
	size_t count = 0, n;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | OPEN_FLAGS);

	if (fd < 0 || fd_read_at(fd, 0, bytes, sizeof(bytes), &count, IGNORED) < 0)
		return p;
	/* The state follows the name, which may contain anything. */
	for (n = count; n > 0 && bytes[n - 1] != ')';)
		n--;
	if (n == 0 || n + 1 >= count)
		return p;
	struct str rest = { bytes + n + 1, count - n - 1 }, word = STR("");

	p.state = rest.s[0];
	for (int i = 0; i < FIELDS_TO_START; i++)
		if (!str_next(&rest, ' ', &word))
			return p;
	if (!number_parse(word, &p.started_ticks))
		p.started_ticks = 0;
	return p;
}

/* A zombie is dead. */
static bool
is_alive(pid_t pid)
{
	char state = (kill(pid, 0) == 0 || errno == EPERM) ? process_of(pid).state : 'X';

	return state != 'Z' && state != 'X';
}

/* Is it a process of agent-gauntlet, or of ours? Anybody can write a number into a file, that of a process that never ends
 * too. Where its command line can't be read, the number is believed. */
static bool
is_gauntlet(pid_t pid)
{
	char path[TEXT_BYTES], bytes[4096];
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/cmdline", (long)pid);
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | OPEN_FLAGS);

	if (fd < 0 || fd_read_at(fd, 0, bytes, sizeof(bytes), &count, IGNORED) < 0)
		return true;
	struct str line = { bytes, count };
	struct stat theirs, ours;

	if (str_find(line, STR("gauntlet")) >= 0 || str_find(line, STR("holdfast")) >= 0)
		return true;
	/* our program under another name */
	(void)snprintf(path, sizeof(path), "/proc/%ld/exe", (long)pid);
	return stat(path, &theirs) == 0 && stat("/proc/self/exe", &ours) == 0 &&
	       theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

/* Was the number reused after the file was written? Only a clear difference counts, because the clock may have been
 * adjusted. */
static bool
is_younger(pid_t pid, const struct stat *st)
{
	uint64_t ticks = process_of(pid).started_ticks;
	int64_t per_second = sysconf(_SC_CLK_TCK);

	if (ticks == 0 || per_second <= 0)
		return false;
	int64_t age_s = clock_boot_ms() / 1000 - (int64_t)(ticks / (uint64_t)per_second);

	return clock_real_us() / 1000000 - age_s > (int64_t)st->st_mtime + PIDFILE_YOUNGER_S;
}

static bool
parse_pid(struct str text, pid_t *ret)
{
	uint64_t number;

	if (!number_parse(str_trim(text), &number) || number == 0 || number > INT_MAX)
		return false;
	*ret = (pid_t)number;
	return true;
}

static struct str
read_text(int fd, char bytes[TEXT_BYTES])
{
	size_t n = 0;

	if (fd_read_at(fd, 0, bytes, TEXT_BYTES, &n, IGNORED) < 0)
		n = 0;
	return (struct str){ bytes, n };
}

/* The state of an existing file without a kernel lock. */
static enum pidfile_state
judge(int fd)
{
	char bytes[TEXT_BYTES];
	struct str text = read_text(fd, bytes);
	struct stat st;
	pid_t pid;

	bool has_time = fstat(fd, &st) == 0;

	if (!parse_pid(text, &pid)) {
		int64_t age_s = has_time ? clock_real_us() / 1000000 - (int64_t)st.st_mtime : 0;

		return text.n > 0 || age_s >= PIDFILE_EMPTY_S || age_s <= -PIDFILE_EMPTY_S ? PIDFILE_STALE
											   : PIDFILE_HELD;
	}
	if (str_ends(text, STR(MARK)) || pid == getpid())
		return PIDFILE_STALE;
	return is_alive(pid) && is_gauntlet(pid) && !(has_time && is_younger(pid, &st)) ? PIDFILE_HELD
											: PIDFILE_STALE;
}

static int
lock_now(int fd, int how)
{
	int result;

	do
		result = flock(fd, how | LOCK_NB);
	while (result < 0 && errno == EINTR);
	return result;
}

enum pidfile_state
pidfile_state(const char *path)
{
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | OPEN_FLAGS);
	struct stat st;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? PIDFILE_FREE : PIDFILE_STALE;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return PIDFILE_STALE;
	if (lock_now(fd, LOCK_SH) < 0 && errno == EWOULDBLOCK)
		return PIDFILE_HELD;
	return judge(fd);
}

bool
pidfile_wait(const char *path, int64_t (*left_ms)(void *context), void *context)
{
	CLEANUP(fd_close) int fd = open(path, O_RDONLY | OPEN_FLAGS);
	struct err err;

	if (fd >= 0 && lock_await(fd, left_ms, context, &err) < 0 && err.code == ERR_BUSY)
		return false;
	/* Only the number in the file says that it is held. */
	if (fd >= 0 && fs_is_at(fd, path) && judge(fd) == PIDFILE_HELD)
		clock_sleep_ms(LOOK_MS);
	return left_ms(context) > 0;
}

/* ---- a new file ---- */

/* If the file system has no locks, the mark is omitted: then the file is held while its process lives, as those of other
 * programs. */
static int
fill(int fd, struct str text, const char *path, struct err *err)
{
	if (lock_now(fd, LOCK_EX) < 0) {
		if (!fd_has_no_locks(errno))
			return err_sys(err, "%s: can't be locked", path);
		text.n--;
	}
	if (fd_write_all(fd, text, err) < 0)
		return err_wrap(err, "%s", path);
	return 0;
}

/* Fails if the name is taken. 1: the file system does not support files without names. */
static int
create_unnamed(struct arena *scratch, const char *path, struct str text, int *ret_fd, struct err *err)
{
	struct str dir = str_sub(str_from(path), 0, (size_t)(str_find_last(str_from(path), '/') + 1));
	CLEANUP(fd_close) int fd = open(str_cat(scratch, dir, ".").s, O_RDWR | O_TMPFILE | O_CLOEXEC, 0644);

	if (fd < 0)
		return 1;
	if (fill(fd, text, path, err) < 0)
		return -1;
	const char *self = str_fmt(scratch, "/proc/self/fd/%d", fd).s;

	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0)
		return errno == EEXIST ? err_sys(err, "%s", path) : 1;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

static int
create_by_rename(struct arena *scratch, const char *path, struct str text, int *ret_fd, struct err *err)
{
	const char *temp = str_fmt(scratch, "%s.%ld", path, (long)getpid()).s;

	(void)unlink(temp); /* from a killed process with our number */
	CLEANUP(fd_close) int fd = open(temp, O_RDWR | O_CREAT | O_EXCL | OPEN_FLAGS, 0644);

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (fill(fd, text, path, err) < 0 || fs_rename_new(temp, path, err) < 0) {
		(void)unlink(temp);
		return -1;
	}
	*ret_fd = fd;
	fd = -1;
	return 0;
}

/* ---- an existing file ---- */

static int
busy(const char *path, struct err *err)
{
	return err_set(err, ERR_BUSY, "%s: another process holds the lock", path);
}

/* For file systems without locks: removes a stale file. Two processes that do so at the same moment may both get the lock. */
static int
remove_stale(int fd, const char *path, struct err *err)
{
	bool is_held = judge(fd) == PIDFILE_HELD;

	if (!fs_is_at(fd, path))
		return 1;
	if (is_held)
		return busy(path, err);
	if (unlink(path) < 0 && errno != ENOENT)
		return err_sys(err, "%s: is stale and can't be removed", path);
	return 1;
}

/* 1: the file has changed in the meantime, try again. */
static int
take_existing(struct arena *scratch, const char *path, int *ret_fd, struct err *err)
{
	CLEANUP(fd_close) int fd = open(path, O_RDWR | OPEN_FLAGS);
	char bytes[TEXT_BYTES];
	pid_t pid;

	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0 && errno == ELOOP)
		return err_set(err, ERR_VALUE, "%s: is a symbolic link", path);
	if (fd < 0)
		return err_sys(err, "%s", path);
	if (fs_check_regular(fd, path, err) < 0)
		return -1;
	if (lock_now(fd, LOCK_EX) < 0) {
		if (fd_has_no_locks(errno))
			return remove_stale(fd, path, err);
		if (errno != EWOULDBLOCK)
			return err_sys(err, "%s: can't be locked", path);
		if (fs_is_at(fd, path) && parse_pid(read_text(fd, bytes), &pid) && is_alive(pid))
			return busy(path, err);
		/* Another process inspects it, takes it over or releases it. */
		(void)poll(NULL, 0, RETRY_MS);
		return 1;
	}
	if (!fs_is_at(fd, path))
		return 1;
	if (judge(fd) == PIDFILE_HELD)
		return busy(path, err);
	struct str text = our_text(scratch);

	if (pwrite(fd, text.s, text.n, 0) != (ssize_t)text.n || ftruncate(fd, (off_t)text.n) < 0)
		return err_sys(err, "%s: can't be taken over", path);
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int
pidfile_take(struct arena *scratch, const char *path, int *ret_fd, struct err *err)
{
	for (int i = 0; i < RETRIES; i++) {
		/* A signal before the file is registered would leave it behind. */
		CLEANUP(signals_release) sigset_t held = signals_hold();
		struct str text = our_text(scratch);
		int result = create_unnamed(scratch, path, text, ret_fd, err);

		if (result == 1)
			result = create_by_rename(scratch, path, text, ret_fd, err);
		if (result < 0 && err->sys == EEXIST)
			result = take_existing(scratch, path, ret_fd, err);
		if (result == 0)
			exit_register_file(path);
		if (result != 1)
			return result;
	}
	return busy(path, err);
}

void
pidfile_release(const char *path, int *fd)
{
	if (*fd < 0)
		return;
	CLEANUP(signals_release) sigset_t held = signals_hold();

	/* First: once the file is removed, another process may use the name. */
	exit_unregister_file(path);
	if (fs_is_at(*fd, path))
		(void)unlink(path);
	fd_close(fd);
}
