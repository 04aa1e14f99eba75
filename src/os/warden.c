/* SPDX-License-Identifier: MIT */
/* The warden. It is forked and not executed, so that it works even if our binary is replaced. A record is the number of a
 * group, negative if the group is released, or + and the path of a file, or - to unregister it. Each record is one packet, so
 * they never mix. */
#include "os/warden.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "os/signals.h"
#include "os/syscalls.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MS 500
#define POLL_MS 10
#define LAST_REAP_MS 50
/* More than the number of commands that run in parallel. */
#define GROUPS_MAX 1024

static struct {
	pid_t owner; /* a fork of ours has a copy of this, but no warden */
	pid_t pid;
	int fd;
} warden = { .fd = -1 };

static struct {
	pid_t items[GROUPS_MAX];
	size_t count;
} groups; /* in the warden only */

#define LOCK_END ".lock"
static char files[WARDEN_FILES][PATH_LIMIT_BYTES + sizeof(LOCK_END)]; /* in the warden only; empty: free */

struct file_record {
	char what;
	char path[PATH_LIMIT_BYTES];
};

static void
record_group(pid_t record)
{
	if (record > 1 && groups.count < GROUPS_MAX)
		groups.items[groups.count++] = record;
	for (size_t i = 0; record < -1 && i < groups.count; i++)
		if (groups.items[i] == -record) {
			groups.items[i] = groups.items[--groups.count];
			break;
		}
}

static void
record_file(const struct file_record *record)
{
	const char *from = record->what == '+' ? "" : record->path,
		   *to = record->what == '+' ? record->path : "";

	for (size_t i = 0; i < WARDEN_FILES; i++)
		if (strcmp(files[i], from) == 0) {
			memcpy(files[i], to, strlen(to) + 1);
			break;
		}
}

static bool
is_any_left(void)
{
	for (size_t i = 0; i < groups.count; i++)
		if (group_signal(groups.items[i], 0))
			return true;
	return false;
}

static void
end_groups(void)
{
	int64_t kill_at = clock_mono_ms() + GRACE_MS;

	for (size_t i = 0; i < groups.count; i++)
		group_terminate(groups.items[i]);
	while (is_any_left() && clock_mono_ms() < kill_at)
		(void)poll(NULL, 0, POLL_MS);
	for (size_t i = 0; i < groups.count; i++)
		group_kill(groups.items[i]);
}

static void
remove_files(void)
{
	struct err ignored;

	for (size_t i = 0; i < WARDEN_FILES; i++) {
		char *name = strrchr(files[i], '/'), *end = files[i] + strlen(files[i]);

		if (!name)
			continue;
		if (name + 1 == end) {
			*name = '\0';
			(void)!fs_remove_tree(files[i], &ignored);
			continue;
		}
		(void)unlink(files[i]);
		memcpy(end, LOCK_END, sizeof(LOCK_END));
		(void)unlink(files[i]);
		*name = '\0';
		(void)rmdir(files[i]);
	}
}

/* The warden ignores the signals that end us: it is needed after them. */
static void
set_signals(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, i < SIGRTMIN && i != SIGCHLD ? &ignore : &normal, NULL);
	/* Its own faults end it; the kernel does not ignore them anyway. */
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };

	for (size_t i = 0; i < COUNT_OF(faults); i++)
		(void)sigaction(faults[i], &normal, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
close_all_but(int fd)
{
	if (fd != 0 && dup2(fd, 0) < 0)
		_exit(1);
	if (sys_close_range(1, ~0u, false) < 0)
		for (int i = 1; i < DESCRIPTORS_MAX; i++)
			(void)close(i);
}

static _Noreturn void
run_warden(int fd)
{
	union {
		pid_t group;
		struct file_record file;
	} record;

	(void)setsid();
	set_signals();
	close_all_but(fd);
	(void)!chdir("/");
	(void)prctl(PR_SET_NAME, "holdfast-warden");
	for (;;) {
		ssize_t n = read(0, &record, sizeof(record));

		if (n == (ssize_t)sizeof(record.group))
			record_group(record.group);
		else if (n > (ssize_t)sizeof(record.group))
			record_file(&record.file);
		else if (n >= 0 || errno != EINTR)
			break;
	}
	end_groups();
	remove_files(); /* last: no process is left to create new ones */
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

static int
fork_warden(int theirs, struct err *err)
{
	sigset_t held = signals_hold(); /* our handlers must not run in the warden */

	signals_note_session();
	pid_t pid = fork();

	if (pid == 0)
		run_warden(theirs);
	signals_release(&held);
	if (pid < 0)
		return err_sys(err, "can't start the warden");
	warden.pid = pid;
	warden.owner = getpid();
	return 0;
}

int
warden_start(struct err *err)
{
	static bool is_ended_at_exit;
	int pair[2];

	if (warden.owner == getpid() && waitpid(warden.pid, NULL, WNOHANG) == 0)
		return 0;
	fd_close(&warden.fd);
	warden.owner = 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return err_sys(err, "can't make a socket for the warden");
	CLEANUP(fd_close) int ours = pair[0];
	CLEANUP(fd_close) int theirs = pair[1];

	if (fork_warden(theirs, err) < 0)
		return -1;
	warden.fd = ours;
	ours = -1;
	if (!is_ended_at_exit)
		is_ended_at_exit = atexit(warden_end) == 0;
	return 0;
}

/* A sandbox may forbid send() on any socket, even on a socketpair. write() does the same, except that it may raise
 * SIGPIPE. */
static bool
send_packet(const void *bytes, size_t n)
{
	ssize_t sent = send(warden.fd, bytes, n, MSG_NOSIGNAL);

	if (sent < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS))
		sent = write(warden.fd, bytes, n);
	return sent == (ssize_t)n;
}

bool
warden_guard(pid_t group)
{
	return send_packet(&group, sizeof(group));
}

void
warden_release(pid_t group)
{
	pid_t record = -group;

	(void)send_packet(&record, sizeof(record));
}

static void
send_file(char what, const char *path)
{
	struct file_record record = { .what = what };
	size_t n = strlen(path) + 1;

	if (n <= sizeof(pid_t) || n > sizeof(record.path))
		return;
	memcpy(record.path, path, n);
	(void)send_packet(&record, offsetof(struct file_record, path) + n);
}

void
warden_register_file(const char *path)
{
	send_file('+', path);
}

void
warden_unregister_file(const char *path)
{
	send_file('-', path);
}
