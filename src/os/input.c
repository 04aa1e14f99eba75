/* SPDX-License-Identifier: MIT */
/* Reads with a deadline. Does not change the descriptor: it is shared with whoever gave it to us. */
#include "os/input.h"

#include "os/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

int
input_read(int fd, char *to, size_t n, int64_t deadline_ms, size_t *ret_n, enum input_state *ret_state,
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
