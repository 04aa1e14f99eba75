/* SPDX-License-Identifier: MIT */
/* Ends what a command has left behind. Its orphans are our children, because we are a subreaper while it runs. */
#include "os/proc.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "os/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* As many are ended at a time. */
#define LIST_BYTES KIB(4)

/* Is it of the command? One without a mark may be of any that runs. */
static bool
is_left_by(pid_t group, pid_t pid, bool is_last)
{
	enum mark mark = group_mark_of(pid, group);

	return mark == MARK_OURS || (mark == MARK_NONE && is_last && !warden_is(pid));
}

void
adopted_end(pid_t group, bool is_last, int64_t until_ms)
{
	char bytes[LIST_BYTES];
	struct str rest, word;

	/* The children of those that were killed become ours, and are in the next list. */
	for (bool is_any = true; is_any && clock_mono_ms() < until_ms;) {
		uint64_t number;

		is_any = false;
		/* Our children: numbers, each with a blank after it. Not every system lists them. */
		char path[64];

		(void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
		CLEANUP(fd_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, bytes, LIST_BYTES);

		rest = n < 0 ? STR_NONE : (struct str){ bytes, (size_t)n };
		if (!rest.s)
			group_kill_rest(group, ANY_SESSION);
		while (str_next(&rest, ' ', &word)) {
			if (!number_parse(word, &number) || !is_left_by(group, (pid_t)number, is_last) ||
			    kill((pid_t)number, SIGKILL) < 0)
				continue;
			is_any = true;
			while (waitpid((pid_t)number, NULL, WNOHANG) == 0 && clock_mono_ms() < until_ms)
				(void)poll(NULL, 0, 1);
		}
	}
}
