/* SPDX-License-Identifier: MIT */
/* Locks. Waiting is by asking again: a blocking flock could only be given up by a signal. */
#include "os/lock.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#define RETRY_MS 3

int
lock_take(int fd, int timeout_ms, struct err *err)
{
	int64_t deadline = clock_mono_ms() + timeout_ms;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return err_sys(err, "can't lock");
		if (clock_mono_ms() >= deadline)
			return err_set(err, ERR_BUSY, "another process holds the lock");
		(void)poll(NULL, 0, RETRY_MS);
	}
	return 0;
}

int
lock_open(const char *path, int timeout_ms, int *ret_fd, struct err *err)
{
	int64_t deadline = clock_mono_ms() + timeout_ms;

	do {
		CLEANUP(fd_close)
		int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
		int64_t left = deadline - clock_mono_ms();

		if (fd < 0)
			return err_sys(err, "%s", path);
		if (fs_check_regular(fd, path, err) < 0)
			return -1;
		if (lock_take(fd, left > 0 ? (int)left : 0, err) < 0)
			return err_wrap(err, "%s", path);
		if (fs_is_at(fd, path)) {
			*ret_fd = fd;
			fd = -1;
			return 0;
		}
	} while (clock_mono_ms() < deadline);
	return err_set(err, ERR_BUSY, "%s: the file is replaced again and again", path);
}
