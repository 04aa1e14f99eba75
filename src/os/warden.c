/* SPDX-License-Identifier: MIT */
/* The warden. It is forked and not executed, so it is there whatever happens to our binary. A record is a group's
 * number, negative when the group is released, or a file's path behind a plus, or a minus when it is spared; each is one
 * packet, so they never mix. */
#include "os/warden.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MS 500
#define POLL_MS 10
#define LAST_REAP_MS 50
/* As many commands as run at once, and more. */
#define GROUPS_MAX 1024

static struct {
	pid_t owner; /* a fork of ours has our memory, but not our warden */
	pid_t pid;
	int fd;
} warden = { .fd = -1 };

static struct {
	pid_t items[GROUPS_MAX];
	size_t count;
} groups; /* the warden's own */

#define LOCK_END ".lock"
static char files[WARDEN_FILES][PATH_LIMIT_BYTES + sizeof(LOCK_END)]; /* likewise; empty: a free place */

struct file_record {
	char what;
	char path[PATH_LIMIT_BYTES];
};

static void
note(pid_t record)
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
note_file(const struct file_record *record)
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
	for (size_t i = 0; i < WARDEN_FILES; i++) {
		char *name = strrchr(files[i], '/'), *end = files[i] + strlen(files[i]);

		if (!name)
			continue;
		(void)unlink(files[i]);
		memcpy(end, LOCK_END, sizeof(LOCK_END));
		(void)unlink(files[i]);
		*name = '\0';
		(void)rmdir(files[i]);
	}
}

/* The signals that end us are not for the warden: it is the one that is still needed then. */
static void
set_signals(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, i < SIGRTMIN && i != SIGCHLD ? &ignore : &normal, NULL);
	/* A fault of its own must end it, and an ignored one would not be ignored anyway. */
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
	if (close_range(1, ~0u, 0) < 0)
		for (int i = 1; i < DESCRIPTORS_MOST; i++)
			(void)close(i);
}

static _Noreturn void
be_warden(int fd)
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
			note(record.group);
		else if (n > (ssize_t)sizeof(record.group))
			note_file(&record.file);
		else if (n >= 0 || errno != EINTR)
			break;
	}
	end_groups();
	remove_files(); /* last: nobody puts new ones there any more */
	_exit(0);
}

/* Reaps it too, so that it does not stay behind as a zombie where nobody reaps orphans; and meanwhile our other
 * children: to the warden a group whose dead are not reaped is one that is still there. */
void
warden_end(void)
{
	if (warden.owner != getpid())
		return;
	fd_close(&warden.fd);
	struct pollfd ended = { .fd = pidfd_open(warden.pid, 0), .events = POLLIN };
	int64_t give_up_at = clock_mono_ms() + (int64_t)2 * GRACE_MS;
	pid_t reaped = 0;

	while (reaped >= 0 && clock_mono_ms() < give_up_at) {
		reaped = waitpid(-1, NULL, WNOHANG);
		if (reaped == warden.pid) { /* whom it killed last may not be dead yet */
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
	sigset_t held = signals_hold(); /* our handlers are not for the warden */
	pid_t pid = fork();

	if (pid == 0)
		be_warden(theirs);
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

/* A sandbox may forbid sending to any socket, also to one that leads nowhere: then it is written to, which is the same
 * but for SIGPIPE. */
static bool
send_packet(const void *bytes, size_t n)
{
	ssize_t sent = send(warden.fd, bytes, n, MSG_NOSIGNAL);

	if (sent < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS))
		sent = write(warden.fd, bytes, n);
	return sent == (ssize_t)n;
}

static bool
send_record(pid_t record)
{
	return send_packet(&record, sizeof(record));
}

bool
warden_guard(pid_t group)
{
	return send_record(group);
}

void
warden_release(pid_t group)
{
	(void)send_record(-group);
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
