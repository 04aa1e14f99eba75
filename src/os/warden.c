/* SPDX-License-Identifier: MIT */
/* The warden. It is forked and not executed, so that it works even if our binary is replaced. It shares a table with us, of groups
 * and files, and reads it when the pipe from us ends; until then it sleeps. */
#include "os/warden.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MS 500
#define POLL_MS 10
#define LAST_REAP_MS 50
/* More than the number of commands that run in parallel. */
#define GROUPS_MAX 1024

#define LOCK_END ".lock"

/* Our children that have not yet executed their program share our memory, and register in it. */
struct table {
	_Atomic pid_t groups[GROUPS_MAX]; /* 0: free */
	struct {
		atomic_bool is_set; /* last, when the path is whole */
		char path[PATH_LIMIT_BYTES + sizeof(LOCK_END)];
	} files[WARDEN_FILES];
};

static struct {
	pid_t owner; /* a fork of ours has a copy of this, but no warden */
	pid_t pid;
	int fd; /* the only end of the pipe from which the warden reads, with those of children before their exec */
	struct table *table;
} warden = { .fd = -1 };

static bool
is_any_left(void)
{
	for (size_t i = 0; i < GROUPS_MAX; i++)
		if (warden.table->groups[i] > 1 && group_signal(warden.table->groups[i], 0))
			return true;
	return false;
}

static void
for_each_group(void (*act)(pid_t group))
{
	for (size_t i = 0; i < GROUPS_MAX; i++)
		if (warden.table->groups[i] > 1)
			act(warden.table->groups[i]);
}

static void
remove_file(char *path)
{
	char *name = strrchr(path, '/'), *end = path + strlen(path);

	if (!name)
		return;
	if (name + 1 == end) {
		*name = '\0';
		(void)!fs_remove_tree(path, IGNORED);
		return;
	}
	(void)unlink(path);
	memcpy(end, LOCK_END, sizeof(LOCK_END));
	(void)unlink(path);
	*name = '\0';
	(void)rmdir(path);
}

static _Noreturn void
run_warden(int fd)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, normal = { .sa_handler = SIG_DFL };
	sigset_t none;
	char byte;

	(void)setsid();
	/* It ignores the signals that end us: it is needed after them. Its own faults end it; the kernel does not ignore them
	 * anyway. */
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, i < SIGRTMIN && i != SIGCHLD ? &ignore : &normal, NULL);
	for (size_t i = 0; i < COUNT_OF(faults); i++)
		(void)sigaction(faults[i], &normal, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (fd != 0 && dup2(fd, 0) < 0)
		_exit(1);
	sys_close_from(1, false);
	(void)!chdir("/");
	(void)prctl(PR_SET_NAME, "holdfast-warden");
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	int64_t kill_at = clock_mono_ms() + GRACE_MS;

	for_each_group(group_terminate);
	while (is_any_left() && clock_mono_ms() < kill_at)
		(void)poll(NULL, 0, POLL_MS);
	for_each_group(group_kill);
	/* A process that is executing a program has no environment at that moment, so the first look may miss it. */
	(void)poll(NULL, 0, POLL_MS);
	for_each_group(group_kill);
	/* Last: no process is left to create new ones. */
	for (size_t i = 0; i < WARDEN_FILES; i++)
		if (warden.table->files[i].is_set)
			remove_file(warden.table->files[i].path);
	_exit(0);
}

/* Reaps the warden, because in some containers no process reaps orphans, and meanwhile our other children: the warden waits
 * for a group until all its processes are reaped. */
void
warden_end(void)
{
	if (warden.owner != getpid())
		return;
	fd_close(&warden.fd);
	struct pollfd ended = { .fd = sys_pidfd_open(warden.pid), .events = POLLIN };
	int64_t give_up_at = clock_mono_ms() + (int64_t)2 * GRACE_MS;
	pid_t reaped = 0;

	while (reaped >= 0 && clock_mono_ms() < give_up_at) {
		reaped = waitpid(-1, NULL, WNOHANG);
		if (reaped == warden.pid) { /* the last processes that it killed may not be dead yet */
			fd_close(&ended.fd);
			give_up_at = clock_mono_ms() + LAST_REAP_MS;
		} else if (reaped == 0) {
			(void)poll(&ended, 1, ended.fd < 0 ? 1 : POLL_MS);
		}
	}
	fd_close(&ended.fd);
	warden.owner = 0;
}

int
warden_start(struct err *err)
{
	static bool is_ended_at_exit;
	int ends[2];

	if (warden.owner == getpid() && waitpid(warden.pid, NULL, WNOHANG) == 0)
		return 0;
	fd_close(&warden.fd);
	/* A fork of ours must not register its commands in our table. Where our warden was killed, the table is as good as before. */
	if (warden.owner != getpid())
		warden.table = NULL;
	warden.owner = 0;
	if (!warden.table) {
		void *table = mmap(NULL, sizeof(*warden.table), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (table == MAP_FAILED)
			return err_sys(err, "no memory to share with the warden");
		warden.table = table;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(err, "can't make a pipe for the warden");
	CLEANUP(fd_close) int theirs = ends[0];
	CLEANUP(fd_close) int ours = ends[1];

	sigset_t held = signals_hold(); /* our handlers must not run in the warden */

	pid_t pid = fork();

	if (pid == 0)
		run_warden(theirs);
	signals_release(&held);
	if (pid < 0)
		return err_sys(err, "can't start the warden");
	warden.pid = pid;
	warden.owner = getpid();
	warden.fd = ours;
	ours = -1;
	if (!is_ended_at_exit)
		is_ended_at_exit = atexit(warden_end) == 0;
	return 0;
}

NOT_SANITIZED bool
warden_guard(pid_t group)
{
	for (size_t i = 0; i < GROUPS_MAX; i++)
		if (warden.table->groups[i] == 0) {
			warden.table->groups[i] = group;
			return true;
		}
	return false;
}

bool
warden_is(pid_t pid)
{
	return warden.owner == getpid() && pid == warden.pid;
}

void
warden_release(pid_t group)
{
	for (size_t i = 0; warden.table && i < GROUPS_MAX; i++)
		if (warden.table->groups[i] == group) {
			warden.table->groups[i] = 0;
			return;
		}
}

void
warden_register_file(const char *path)
{
	size_t n = strlen(path) + 1;

	for (size_t i = 0; warden.table && n <= PATH_LIMIT_BYTES && i < WARDEN_FILES; i++)
		if (!warden.table->files[i].is_set) {
			memcpy(warden.table->files[i].path, path, n);
			warden.table->files[i].is_set = true;
			return;
		}
}

void
warden_unregister_file(const char *path)
{
	for (size_t i = 0; warden.table && i < WARDEN_FILES; i++)
		if (warden.table->files[i].is_set && strcmp(warden.table->files[i].path, path) == 0)
			warden.table->files[i].is_set = false;
}
