/* SPDX-License-Identifier: MIT */
/* The answer that is always given. Everything a handler uses is set while signals are blocked; a handler only
 * makes system calls: it writes, waits for the warden, removes files and ends the process. */
#include "os/exit_reply.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "os/warden.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static struct {
	const char *s;
	size_t n;
	int exit_code;
} words = { .exit_code = EXIT_BY_SIGNAL };
static volatile sig_atomic_t is_said;
static char removed[EXIT_FILES][PATH_LIMIT_BYTES]; /* empty: a free place */

static const int ends[] = {
	SIGTERM, SIGINT,  SIGHUP,  SIGQUIT,   SIGALRM, SIGXCPU, /* from outside */
	SIGUSR1, SIGUSR2, SIGPOLL, SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT,
	SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,    SIGILL,  SIGSYS,  SIGTRAP, /* a fault of ours */
};
static const int ignored[] = { SIGPIPE, SIGXFSZ };

/* A handler for a stack that has overflowed needs another one. */
static char handler_stack[KIB(64)];

/* People are only told where nobody has to wait for that: a pipe may be full. */
static void
say(void)
{
	struct pollfd people = { .fd = STDERR_FILENO, .events = POLLOUT };

	if (words.exit_code != EXIT_BY_SIGNAL)
		(void)!write(STDOUT_FILENO, words.s, words.n);
	else if (poll(&people, 1, 0) > 0 && (people.revents & POLLOUT))
		(void)!write(STDERR_FILENO, words.s, words.n);
}

static void
say_and_clean_up(void)
{
	if (!is_said) {
		is_said = 1;
		if (words.n > 0)
			say();
	}
	warden_end(); /* before the lock: whoever takes it next meets nobody of ours */
	for (size_t i = 0; i < EXIT_FILES; i++)
		if (removed[i][0] != '\0' && unlink(removed[i]) < 0)
			(void)rmdir(removed[i]);
}

/* Before a call that does not return, AddressSanitizer looks at the stack, for which it allocates: not in here. */
NOT_SANITIZED static void
on_end(int signal_number)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t only;

	say_and_clean_up();
	if (words.exit_code != EXIT_BY_SIGNAL)
		_exit(words.exit_code);
	(void)sigaction(signal_number, &normal, NULL);
	(void)sigemptyset(&only);
	(void)sigaddset(&only, signal_number);
	(void)raise(signal_number);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	_exit(1);
}

NOT_SANITIZED static void
on_exhaustion(void)
{
	say_and_clean_up();
	_exit(words.exit_code == EXIT_BY_SIGNAL ? 1 : words.exit_code);
}

void
exit_reply_prepare(struct str text, int exit_code)
{
	struct sigaction end = { .sa_handler = on_end, .sa_flags = SA_ONSTACK };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };

	fd_reserve_stdio();
	sigset_t old = signals_hold();

	words.s = text.s;
	words.n = text.n;
	words.exit_code = exit_code;
	(void)sigfillset(&end.sa_mask);
	(void)sigaltstack(&stack, NULL);
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		(void)sigaction(ends[i], &end, NULL);
		(void)sigdelset(&old, ends[i]); /* whoever started us may have blocked them */
	}
	for (size_t i = 0; i < COUNT_OF(ignored); i++)
		(void)sigaction(ignored[i], &ignore, NULL);
	arena_on_exhaustion(on_exhaustion);
	signals_release(&old);
}

int
exit_reply_send(struct str answer, struct err *err)
{
	sigset_t held = signals_hold();
	int result;

	if (is_said) {
		result = err_set(err, ERR_VALUE, "an answer was given before");
	} else {
		is_said = 1;
		result = fd_write_all(STDOUT_FILENO, answer, err);
	}
	/* A signal that came meanwhile ends us here; the answer is out. */
	signals_release(&held);
	return result < 0 ? err_wrap(err, "the answer") : 0;
}

void
exit_if_orphaned(void)
{
	struct pollfd listener = { .fd = STDOUT_FILENO };

	if (words.exit_code == EXIT_BY_SIGNAL || is_said)
		return;
	if (poll(&listener, 1, 0) > 0 && (listener.revents & (POLLERR | POLLHUP)))
		(void)raise(SIGHUP);
}

void
exit_at(int64_t ms)
{
	int64_t left = ms - clock_mono_ms();

	if (left < 1)
		left = 1; /* none at all would be no end */
	struct itimerval once = { .it_value = { left / 1000, left % 1000 * 1000 } };

	(void)setitimer(ITIMER_REAL, &once, NULL); /* where there is none, the client has one */
}

static void
change_removed(const char *from, const char *to)
{
	CLEANUP(signals_release) sigset_t held = signals_hold();

	for (size_t i = 0; i < EXIT_FILES; i++)
		if (strcmp(removed[i], from) == 0) {
			memcpy(removed[i], to, strlen(to) + 1);
			break;
		}
}

void
exit_register_file(const char *path)
{
	if (strlen(path) < PATH_LIMIT_BYTES)
		change_removed("", path);
}

void
exit_unregister_file(const char *path)
{
	change_removed(path, "");
}
