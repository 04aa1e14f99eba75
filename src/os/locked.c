/* SPDX-License-Identifier: MIT */
/* Locked state files. After every wait for the lock the path is checked again, because the previous holder may have replaced
 * or removed the file. */
#include "os/locked.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define OPEN_FLAGS (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
#define OPEN_TRIES 100

static int
open_once(const char *path, const struct locked_how *how, struct locked_file *ret, struct err *err)
{
	int fd = open(path, O_RDWR | OPEN_FLAGS | (how->creates ? O_CREAT : 0), 0600);

	ret->is_read_only = false;
	if (fd < 0 && (errno == EACCES || errno == EROFS || errno == EPERM)) {
		int refused = errno;

		fd = open(path, O_RDONLY | OPEN_FLAGS);
		ret->is_read_only = true;
		if (fd < 0 && how->creates && errno == ENOENT)
			errno = refused;
	}
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR) && !how->creates) {
		ret->fd = -1;
		return 0;
	}
	if (fd < 0 && errno == ELOOP)
		return err_set(err, ERR_VALUE, "%s: is a symbolic link", path);
	if (fd < 0)
		return err_sys(err, "%s", path);
	ret->fd = fd;
	return 0;
}

/* ---- waiting for a lock ---- */

static void
on_time_over(int signal_number)
{
	(void)signal_number;
}

/* A signal when the time is over, because nothing else interrupts a flock that waits; and again, should the first one come just
 * before it waits. */
static bool
alarm_set(timer_t timer, int64_t ms)
{
	const struct timespec pause = { .tv_sec = (time_t)(ms / 1000),
					.tv_nsec = (long)(ms % 1000) * 1000000 };
	const struct itimerspec times = { .it_interval = pause, .it_value = pause };

	return ms > 0 && timer_settime(timer, 0, &times, NULL) == 0;
}

static int
take(int fd, int how, int64_t (*left_ms)(void *context), void *context, struct err *err)
{
	struct sigaction over = { .sa_handler = on_time_over }, old;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	timer_t timer;
	int result = flock(fd, how | LOCK_NB);

	if (result < 0 && errno == EWOULDBLOCK && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
		(void)sigemptyset(&over.sa_mask);
		(void)sigaction(SIGRTMIN, &over, &old);
		errno = EINTR;
		while (result < 0 && errno == EINTR && alarm_set(timer, left_ms(context)))
			result = flock(fd, how);
		int why = result < 0 && errno == EINTR ? EWOULDBLOCK : errno;

		(void)timer_delete(timer);
		(void)sigaction(SIGRTMIN, &old, NULL);
		errno = why;
	}
	if (result == 0 || fd_has_no_locks(errno))
		return 0;
	return errno == EWOULDBLOCK ? err_set(err, ERR_BUSY, "another process holds the lock")
				    : err_sys(err, "can't lock");
}

int
lock_take(int fd, int64_t (*left_ms)(void *context), void *context, struct err *err)
{
	return take(fd, LOCK_EX, left_ms, context, err);
}

int
lock_await(int fd, int64_t (*left_ms)(void *context), void *context, struct err *err)
{
	return take(fd, LOCK_SH, left_ms, context, err);
}

static int64_t
until_deadline(void *deadline_ms)
{
	int64_t left = *(const int64_t *)deadline_ms - clock_mono_ms();

	return left > 0 ? left : 0;
}

int
locked_open(const char *path, const struct locked_how *how, struct locked_file *ret, struct err *err)
{
	int64_t deadline_ms = clock_mono_ms() + how->timeout_ms;

	for (int try = 0; try < OPEN_TRIES; try++) {
		CLEANUP(locked_close) struct locked_file f = { .fd = -1, .path = path };
		struct stat st;

		if (open_once(path, how, &f, err) < 0)
			return -1;
		if (f.fd >= 0) {
			if (fstat(f.fd, &st) < 0)
				return err_sys(err, "%s", path);
			if (!S_ISREG(st.st_mode))
				return err_set(err, ERR_VALUE, "%s: is not a regular file", path);
			if (how->is_in_shared && st.st_uid != geteuid())
				return err_set(err, ERR_VALUE, "%s: belongs to another user", path);
			if (how->is_in_shared && st.st_nlink > 1)
				return err_set(err, ERR_VALUE, "%s: has more than one link", path);
			/* A new file, created under an unusual umask. */
			if (how->creates && st.st_size == 0 && (st.st_mode & 0777) != 0600)
				(void)fchmod(f.fd, 0600);
			if (lock_take(f.fd, until_deadline, &deadline_ms, err) < 0)
				return err_wrap(err, "%s", path);
			if (!fs_is_at(f.fd, f.path))
				continue;
		}
		*ret = f;
		f.fd = -1;
		return 0;
	}
	return err_set(err, ERR_BUSY, "%s: is being replaced repeatedly", path);
}

int
locked_read(struct arena *a, const struct locked_file *f, size_t limit, struct str *ret, struct err *err)
{
	if (lseek(f->fd, 0, SEEK_SET) < 0)
		return err_sys(err, "%s", f->path);
	if (fd_read_all(a, f->fd, limit, ret, err) < 0)
		return err_wrap(err, "%s", f->path);
	return 0;
}

static int
write_at(const struct locked_file *f, struct str x, off_t offset, struct err *err)
{
	while (x.n > 0) {
		ssize_t n = pwrite(f->fd, x.s, x.n, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(err, "%s", f->path);
		x = str_rest(x, (size_t)n);
		offset += n;
	}
	return 0;
}

/* Exchanges both names in one step, so that a file that was removed in the meantime is not created again. */
static int
exchange(const char *temp, const struct locked_file *f, bool *ret_is_gone, struct err *err)
{
	if (sys_rename_exchange(temp, f->path) == 0) {
		if (!fs_is_at(f->fd, temp) && fs_lkind(temp) != FS_NOTHING) {
			/* Another process has put a file there: it goes back. */
			*ret_is_gone = true;
			if (sys_rename_exchange(temp, f->path) < 0)
				return err_sys(err, "%s", f->path);
		}
		return 0;
	}
	if (errno == ENOENT) {
		*ret_is_gone = true;
		return 0;
	}
	if (errno != EINVAL && errno != ENOSYS && errno != ENOTTY)
		return err_sys(err, "%s", f->path);
	/* The file system can't exchange names. */
	if (!fs_is_at(f->fd, f->path)) {
		*ret_is_gone = true;
		return 0;
	}
	if (rename(temp, f->path) < 0)
		return err_sys(err, "%s", f->path);
	return 0;
}

int
locked_change(struct arena *a, const struct locked_file *f, struct str old, struct str new, bool *ret_is_gone,
	      struct err *err)
{
	struct str now;

	*ret_is_gone = false;
	if (f->is_read_only)
		return err_set(err, ERR_SYS, "%s: is read-only", f->path);
	/* Editors write without taking the lock. */
	if (locked_read(a, f, old.n, &now, IGNORED) < 0 || !str_eq(now, old)) {
		*ret_is_gone = true;
		return 0;
	}
	if (old.n == new.n) {
		size_t from = 0, to = new.n;

		while (from < to && old.s[from] == new.s[from])
			from++;
		while (to > from && old.s[to - 1] == new.s[to - 1])
			to--;
		if (write_at(f, str_sub(new, from, to), (off_t)from, err) < 0)
			return -1;
		*ret_is_gone = !fs_is_at(f->fd, f->path);
		return 0;
	}
	CLEANUP(signals_release) sigset_t held = signals_hold();
	const char *temp;
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return err_sys(err, "%s", f->path);
	if (fs_make_temp(a, f->path, new, &st, &temp, err) < 0)
		return -1;
	int result = exchange(temp, f, ret_is_gone, err);

	(void)unlink(temp);
	return result;
}

int
locked_overwrite(const struct locked_file *f, struct str content, struct err *err)
{
	if (f->is_read_only)
		return err_set(err, ERR_SYS, "%s: is read-only", f->path);
	if (write_at(f, content, 0, err) < 0)
		return -1;
	if (ftruncate(f->fd, (off_t)content.n) < 0)
		return err_sys(err, "%s", f->path);
	return 0;
}

int
locked_remove(const struct locked_file *f, struct err *err)
{
	if (fs_is_at(f->fd, f->path) && unlink(f->path) < 0 && errno != ENOENT)
		return err_sys(err, "%s", f->path);
	return 0;
}

int
locked_rename(const struct locked_file *f, const char *to, struct err *err)
{
	if (f->fd >= 0 && !fs_is_at(f->fd, f->path))
		return err_set(err, ERR_BUSY, "%s: has just been replaced", f->path);
	return fs_rename_new(f->path, to, err);
}

int
locked_create(struct arena *a, const char *path, struct str content, mode_t mode, struct err *err)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();
	const char *temp = str_fmt(a, "%s.%ld.tmp", path, (long)getpid()).s;

	(void)unlink(temp); /* from a killed process with our number */
	int result = fs_create(temp, content, mode, err);

	if (result == 0)
		result = fs_rename_new(temp, path, err);
	if (result < 0)
		(void)unlink(temp);
	return result;
}

void
locked_close(struct locked_file *f)
{
	fd_close(&f->fd);
}
