/* SPDX-License-Identifier: MIT */
/* The prepared answer. Everything that a handler uses is set while signals are blocked. A handler only makes system calls: it
 * writes, waits for the warden, removes files and ends the process. */
#include "os/exit_reply.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "os/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static struct {
	struct str text;
	int exit_code;
} reply = { .exit_code = EXIT_BY_SIGNAL };
#define NOTE_FLAGS (O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
static struct {
	const char *path;
	struct str line;
} note;
static volatile sig_atomic_t is_sent;
static char registered[EXIT_FILES][PATH_LIMIT_BYTES]; /* empty: free */

static const int ends[] = {
	SIGTERM, SIGINT,  SIGHUP,  SIGQUIT,   SIGALRM, SIGXCPU, /* from outside */
	SIGUSR1, SIGUSR2, SIGPOLL, SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT,
	SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,    SIGILL,  SIGSYS,  SIGTRAP, /* a fault of ours */
};
static const int ignored[] = { SIGPIPE, SIGXFSZ };

/* After a stack overflow, a handler needs another stack. */
static char handler_stack[KIB(64)];

static void
send_and_clean_up(void)
{
	struct pollfd ready = { .fd = STDERR_FILENO, .events = POLLOUT };

	if (!is_sent) {
		is_sent = 1;
		/* Stderr is written only if that does not block: the pipe may be full. */
		if (reply.text.n > 0 && reply.exit_code != EXIT_BY_SIGNAL)
			(void)!write(STDOUT_FILENO, reply.text.s, reply.text.n);
		else if (reply.text.n > 0 && poll(&ready, 1, 0) > 0 && (ready.revents & POLLOUT))
			(void)!write(STDERR_FILENO, reply.text.s, reply.text.n);
		int fd = note.path ? open(note.path, NOTE_FLAGS, 0600) : -1;

		if (fd >= 0)
			(void)!write(fd, note.line.s, note.line.n);
	}
	warden_end(); /* before the lock is removed: the next holder must not meet our commands */
	for (size_t i = 0; i < EXIT_FILES; i++)
		if (registered[i][0] != '\0' && unlink(registered[i]) < 0)
			(void)rmdir(registered[i]);
}

/* Before a call that does not return, AddressSanitizer allocates, which a handler must not. */
NOT_SANITIZED static void
on_end(int signal_number)
{
	send_and_clean_up();
	if (reply.exit_code != EXIT_BY_SIGNAL)
		_exit(reply.exit_code);
	signal_end_by(signal_number);
	_exit(1);
}

NOT_SANITIZED static void
on_exhaustion(void)
{
	send_and_clean_up();
	_exit(reply.exit_code == EXIT_BY_SIGNAL ? 1 : reply.exit_code);
}

void
exit_reply_prepare(struct str text, int exit_code)
{
	struct sigaction end = { .sa_handler = on_end, .sa_flags = SA_ONSTACK };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };

	sigset_t old = signals_hold();

	reply.text = text;
	reply.exit_code = exit_code;
	(void)sigfillset(&end.sa_mask);
	(void)sigaltstack(&stack, NULL);
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		(void)sigaction(ends[i], &end, NULL);
		(void)sigdelset(&old, ends[i]); /* our parent may have blocked them */
	}
	for (size_t i = 0; i < COUNT_OF(ignored); i++)
		(void)sigaction(ignored[i], &ignore, NULL);
	arena_on_exhaustion(on_exhaustion);
	signals_release(&old);
}

void
exit_reply_note(const char *path, struct str line)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();

	note.path = path;
	note.line = line;
}

int
exit_reply_send(struct str answer, struct err *err)
{
	sigset_t held = signals_hold();
	int result;

	if (is_sent) {
		result = err_set(err, ERR_VALUE, "an answer was sent before");
	} else {
		is_sent = 1;
		result = fd_write_all(STDOUT_FILENO, answer, err);
	}
	/* A pending signal ends us here; the answer is already sent. */
	signals_release(&held);
	return result < 0 ? err_wrap(err, "the answer") : 0;
}

void
exit_if_orphaned(void)
{
	struct pollfd reader = { .fd = STDOUT_FILENO };

	if (reply.exit_code == EXIT_BY_SIGNAL || is_sent)
		return;
	if (poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)))
		(void)raise(SIGHUP);
}

void
exit_at(int64_t ms)
{
	int64_t left = ms - clock_mono_ms();

	if (left < 1)
		left = 1; /* 0 would turn the timer off */
	struct itimerval once = { .it_value = { left / 1000, left % 1000 * 1000 } };

	(void)setitimer(ITIMER_REAL, &once, NULL); /* if it fails, the client's own timeout ends us */
}

static void
replace_registered(const char *from, const char *to)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();

	for (size_t i = 0; i < EXIT_FILES; i++)
		if (strcmp(registered[i], from) == 0) {
			memcpy(registered[i], to, strlen(to) + 1);
			break;
		}
}

void
exit_register_file(const char *path)
{
	if (strlen(path) < PATH_LIMIT_BYTES)
		replace_registered("", path);
}

void
exit_unregister_file(const char *path)
{
	replace_registered(path, "");
}
