/* SPDX-License-Identifier: MIT */
/* Opens logs; what is written to them is others' business. */
#include "os/logfile.h"

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>

int
logfile_create(const char *path, int *ret_fd, struct err *err)
{
	int fd;

	fd_reserve_stdio();
	do
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return err_sys(err, "%s", path);
	*ret_fd = fd;
	return 0;
}
