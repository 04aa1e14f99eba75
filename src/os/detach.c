/* SPDX-License-Identifier: MIT */
/* Forks twice, so that the process is not our child: at our end we wait for our children. */
#include "os/detach.h"

#include "os/exit_reply.h"
#include "os/signals.h"
#include "os/syscalls.h"
#include "os/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int
detach(void (*work)(void *context), void *context, struct err *err)
{
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0); /* else it would become our child again */
	sigset_t held = signals_hold();         /* our handlers must not run in it */
	pid_t pid = fork();

	if (pid == 0) {
		(void)setsid();
		sys_close_from(0, false);
		for (int i = 0; i < 3; i++)
			(void)!open("/dev/null", O_RDWR); /* the lowest free number */
		if (fork() != 0)
			_exit(0);
		exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
		work(context);
		warden_end();
		_exit(0);
	}
	signals_release(&held);
	if (pid < 0)
		return err_sys(err, "can't start a process");
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}
