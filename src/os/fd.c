/* SPDX-License-Identifier: MIT */
/* Descriptors. A file may be longer or shorter than its size says. A descriptor that we were given may be non-blocking: then
 * we wait for it. */
#include "os/fd.h"

#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long the reader of an optional text may keep us waiting. */
#define WRITE_SOME_MS 1000

void
fd_close(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
	errno = saved;
}

/* After a failed read or write: retry? Waits until the descriptor is ready. */
static bool
may_retry(int fd, short events)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	struct pollfd ready = { .fd = fd, .events = events };

	return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

int
fd_read_all(struct arena *a, int fd, size_t limit, struct str *ret, struct err *err)
{
	struct stat st;
	bool is_known = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= 0;
	uint64_t size = is_known ? (uint64_t)st.st_size : KIB(4);
	/* One byte more, so that the first read also finds the end. */
	size_t capacity = (size < limit ? (size_t)size : limit) + 1, n = 0;
	char *s = arena_bytes(a, capacity + 1);

	for (;;) {
		ssize_t got = read(fd, s + n, capacity - n);

		if (got < 0 && may_retry(fd, POLLIN))
			continue;
		if (got < 0)
			return err_sys(err, "can't read");
		if (got == 0)
			break;
		n += (size_t)got;
		if (n > limit)
			return err_set(err, ERR_LIMIT, "more than %zu bytes", limit);
		if (n < capacity)
			continue;
		size_t more = capacity < KIB(4) ? KIB(4) : capacity * 2;

		capacity = more < limit ? more : limit + 1;
		char *larger = arena_bytes(a, capacity + 1);

		memcpy(larger, s, n);
		s = larger;
	}
	s[n] = '\0';
	*ret = (struct str){ s, n };
	return 0;
}

int
fd_read_at(int fd, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = pread(fd, to + have, n - have, (off_t)(offset + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, "can't read");
		if (got == 0)
			break;
		have += (size_t)got;
	}
	*ret_n = have;
	return 0;
}

int
fd_read_at_of(void *fd, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	return fd_read_at(*(const int *)fd, offset, to, n, ret_n, err);
}

int
fd_read_until(int fd, char *to, size_t n, int64_t deadline_ms, size_t *ret_n, enum input_state *ret_state,
	      struct err *err)
{
	for (;;) {
		int64_t left = deadline_ms - clock_mono_ms();
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		int count = poll(&ready, 1, left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left);

		if (count == 0) {
			*ret_state = INPUT_TIMEOUT;
			return 0;
		}
		if (count < 0 && errno != EINTR)
			return err_sys(err, "waiting for input");
		ssize_t got = count < 0 ? -1 : read(fd, to, n);

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return err_sys(err, "reading the input");
		*ret_n = (size_t)got;
		*ret_state = got == 0 ? INPUT_END : INPUT_BYTES;
		return 0;
	}
}

int
fd_write_all(int fd, struct str x, struct err *err)
{
	while (x.n > 0) {
		ssize_t put = write(fd, x.s, x.n);

		if (put < 0 && may_retry(fd, POLLOUT))
			continue;
		if (put < 0)
			return err_sys(err, "can't write");
		x = str_rest(x, (size_t)put);
	}
	return 0;
}

void
fd_write_some(int fd, struct str x)
{
	while (x.n > 0) {
		struct pollfd ready = { .fd = fd, .events = POLLOUT };
		int count = poll(&ready, 1, WRITE_SOME_MS);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return;
		/* A pipe that is ready takes PIPE_BUF bytes without blocking. */
		ssize_t put = write(fd, x.s, x.n < PIPE_BUF ? x.n : PIPE_BUF);

		if (put < 0 && errno != EINTR)
			return;
		x = str_rest(x, put < 0 ? 0 : (size_t)put);
	}
}

bool
fd_has_no_locks(int error)
{
	return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP;
}

static struct rlimit limit_before;
static bool has_raised_limit;

void
fd_raise_limit(size_t wanted)
{
	struct rlimit now;

	if (has_raised_limit || getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur >= wanted)
		return;
	limit_before = now;
	now.rlim_cur = now.rlim_max < wanted ? now.rlim_max : wanted;
	has_raised_limit = setrlimit(RLIMIT_NOFILE, &now) == 0;
}

void
fd_restore_limit(void)
{
	if (has_raised_limit)
		(void)setrlimit(RLIMIT_NOFILE, &limit_before);
}

bool
fd_has_room(size_t count)
{
	CLEANUP(fd_close) int one = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (one < 0 || count <= 1)
		return one >= 0;
	return fd_has_room(count - 1);
}

void
fd_reserve_stdio(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", O_RDONLY | O_NOCTTY); /* takes the lowest number: this one */
}
