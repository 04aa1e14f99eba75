/* SPDX-License-Identifier: MIT */
/* Changes of directories, by inotify(7). A gate's output is no change: its log is closed when it ends. */
#include "os/notice.h"

#include <sys/inotify.h>
#include <unistd.h>

int
notice_open(int *ret_fd, struct err *err)
{
	*ret_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	return *ret_fd < 0 ? err_sys(err, "inotify") : 0;
}

void
notice_add(int fd, const char *dir)
{
	(void)inotify_add_watch(
		fd, dir, IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
}

bool
notice_take(int fd)
{
	char bytes[KIB(16)];
	bool is_any = false;

	while (read(fd, bytes, sizeof(bytes)) > 0)
		is_any = true;
	return is_any;
}
