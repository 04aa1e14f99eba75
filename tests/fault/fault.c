/* SPDX-License-Identifier: MIT */
/* System calls that fail on request. The linker puts these functions between holdfast (with its libraries) and the
 * C library; the program is otherwise the one that all other tests run. Two variables control it:
 *
 *     HOLDFAST_FAULT=KIND:N:WHAT    the N-th call of that kind fails; N+: it and all after it. The kind * matches any
 *     HOLDFAST_FAULT_LOG=FILE       the kind of every call is appended to the file, one on a line
 *
 * WHAT is the name of an error, SHORT (half of a read or write is done), or KILL or TERM: the process gets that signal
 * just before the call. Writes to 1 and 2 have the kinds stdout and stderr. * does not match stdout: when the answer
 * itself can't be written there is no answer. The kind git is for bin/git. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	int number;
} errors[] = {
#define ERROR(name)         \
	{                   \
#name, name \
	}
	ERROR(EACCES), ERROR(EAGAIN),       ERROR(EBADF),   ERROR(EBUSY),  ERROR(EDQUOT), ERROR(EEXIST),
	ERROR(EFBIG),  ERROR(EINTR),        ERROR(EINVAL),  ERROR(EIO),    ERROR(EISDIR), ERROR(ELOOP),
	ERROR(EMFILE), ERROR(ENAMETOOLONG), ERROR(ENFILE),  ERROR(ENOENT), ERROR(ENOLCK), ERROR(ENOMEM),
	ERROR(ENOSPC), ERROR(ENOSYS),       ERROR(ENOTDIR), ERROR(EPERM),  ERROR(EPIPE),  ERROR(EWOULDBLOCK),
	ERROR(EROFS),  ERROR(ESTALE),
#undef ERROR
};

enum what { DO_NOTHING, DO_FAIL, DO_SHORT, DO_SIGNAL };

static struct {
	bool is_read;
	char kind[32];
	long from, seen;
	bool is_all_after;
	enum what what;
	int number; /* of the error or signal */
	const char *log;
} plan;

static void
give_up(const char *text)
{
	(void)!syscall(SYS_write, 2, text, strlen(text));
	_exit(125);
}

static void
read_what(const char *name)
{
	plan.what = DO_FAIL;
	if (strcmp(name, "SHORT") == 0)
		plan.what = DO_SHORT;
	else if (strcmp(name, "KILL") == 0 || strcmp(name, "TERM") == 0) {
		plan.what = DO_SIGNAL;
		plan.number = name[0] == 'K' ? SIGKILL : SIGTERM;
	} else {
		for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
			if (strcmp(errors[i].name, name) == 0)
				plan.number = errors[i].number;
		if (plan.number == 0)
			give_up("HOLDFAST_FAULT: no such error\n");
	}
}

static void
read_plan(void)
{
	const char *text = getenv("HOLDFAST_FAULT");
	char from[16], what[32], *end;

	plan.is_read = true;
	plan.log = getenv("HOLDFAST_FAULT_LOG");
	if (!text || !*text)
		return;
	if (sscanf(text, "%31[^:]:%15[^:]:%31s", plan.kind, from, what) != 3)
		give_up("HOLDFAST_FAULT: not KIND:N:WHAT\n");
	if (strcmp(plan.kind, "git") == 0)
		return; /* the git of tests/fault/bin reads it */
	plan.from = strtol(from, &end, 10);
	plan.is_all_after = *end == '+';
	if (plan.from < 1 || (*end && *end != '+'))
		give_up("HOLDFAST_FAULT: N is a number from 1\n");
	read_what(what);
}

static void
add_to_log(const char *kind)
{
	char line[40];
	int n = snprintf(line, sizeof(line), "%s\n", kind);
	long fd = syscall(SYS_openat, AT_FDCWD, plan.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd >= 0) {
		(void)!syscall(SYS_write, fd, line, (size_t)n);
		(void)syscall(SYS_close, fd);
	}
}

/* What happens at this call. Keeps errno unless the call fails. */
static enum what
next(const char *kind)
{
	int saved = errno;

	if (!plan.is_read)
		read_plan();
	if (plan.log)
		add_to_log(kind);
	errno = saved;
	bool is_any = strcmp(plan.kind, "*") == 0 && strcmp(kind, "stdout") != 0;

	if (plan.what == DO_NOTHING || (!is_any && strcmp(plan.kind, kind) != 0))
		return DO_NOTHING;
	plan.seen++;
	if (plan.seen < plan.from || (plan.seen > plan.from && !plan.is_all_after))
		return DO_NOTHING;
	if (plan.what == DO_SIGNAL)
		(void)kill(getpid(), plan.number);
	if (plan.what == DO_FAIL)
		errno = plan.number;
	return plan.what;
}

static const char *
write_kind(int fd)
{
	return fd == 1 ? "stdout" : fd == 2 ? "stderr" : "write";
}

#define WRAP(type, name, kind, parameters, arguments)                              \
	type __real_##name parameters;                                             \
	type __wrap_##name parameters;                                             \
	type __wrap_##name parameters                                              \
	{                                                                          \
		return next(kind) == DO_FAIL ? (type)-1 : __real_##name arguments; \
	}

/* Calls that move bytes can also do half of their work. */
#define WRAP_BYTES(name, kind, parameters, ...)        \
	ssize_t __real_##name parameters;              \
	ssize_t __wrap_##name parameters;              \
	ssize_t __wrap_##name parameters               \
	{                                              \
		enum what what = next(kind);           \
                                                       \
		if (what == DO_FAIL)                   \
			return -1;                     \
		if (what == DO_SHORT && n > 1)         \
			n /= 2;                        \
		return __real_##name(fd, __VA_ARGS__); \
	}

#define MODE_OF(flags, last)                   \
	va_list args;                          \
	mode_t mode = 0;                       \
                                               \
	va_start(args, last);                  \
	if ((flags) & (O_CREAT | __O_TMPFILE)) \
		mode = va_arg(args, mode_t);   \
	va_end(args)

#define WRAP_OPEN(name)                                                                 \
	int __real_##name(const char *path, int flags, ...);                            \
	int __wrap_##name(const char *path, int flags, ...);                            \
	int __wrap_##name(const char *path, int flags, ...)                             \
	{                                                                               \
		MODE_OF(flags, flags);                                                  \
		return next("open") == DO_FAIL ? -1 : __real_##name(path, flags, mode); \
	}

#define WRAP_OPENAT(name)                                                                    \
	int __real_##name(int dir, const char *path, int flags, ...);                        \
	int __wrap_##name(int dir, const char *path, int flags, ...);                        \
	int __wrap_##name(int dir, const char *path, int flags, ...)                         \
	{                                                                                    \
		MODE_OF(flags, flags);                                                       \
		return next("open") == DO_FAIL ? -1 : __real_##name(dir, path, flags, mode); \
	}

WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
WRAP_BYTES(read, "read", (int fd, void *to, size_t n), to, n)
WRAP_BYTES(pread, "read", (int fd, void *to, size_t n, off_t at), to, n, at)
WRAP_BYTES(pread64, "read", (int fd, void *to, size_t n, off_t at), to, n, at)
WRAP_BYTES(write, write_kind(fd), (int fd, const void *from, size_t n), from, n)
WRAP_BYTES(pwrite, "write", (int fd, const void *from, size_t n, off_t at), from, n, at)
WRAP_BYTES(pwrite64, "write", (int fd, const void *from, size_t n, off_t at), from, n, at)
WRAP(int, rename, "rename", (const char *from, const char *to), (from, to))
WRAP(int, sys_rename_new, "rename", (const char *from, const char *to), (from, to))
WRAP(int, sys_rename_exchange, "rename", (const char *from, const char *to), (from, to))
WRAP(int, link, "link", (const char *from, const char *to), (from, to))
WRAP(int, fsync, "fsync", (int fd), (fd))
WRAP(int, fdatasync, "fsync", (int fd), (fd))
WRAP(int, ftruncate, "ftruncate", (int fd, off_t n), (fd, n))
WRAP(int, ftruncate64, "ftruncate", (int fd, off_t n), (fd, n))
WRAP(int, fchmod, "fchmod", (int fd, mode_t mode), (fd, mode))
WRAP(int, unlink, "unlink", (const char *path), (path))
WRAP(int, remove, "unlink", (const char *path), (path))
WRAP(int, mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))
WRAP(int, flock, "flock", (int fd, int operation), (fd, operation))
WRAP(int, fstat, "stat", (int fd, struct stat *st), (fd, st))
WRAP(int, fstat64, "stat", (int fd, struct stat *st), (fd, st))
WRAP(int, stat, "stat", (const char *path, struct stat *st), (path, st))
WRAP(int, stat64, "stat", (const char *path, struct stat *st), (path, st))
WRAP(int, lstat, "stat", (const char *path, struct stat *st), (path, st))
WRAP(int, lstat64, "stat", (const char *path, struct stat *st), (path, st))
WRAP(int, pipe2, "pipe", (int *ends, int flags), (ends, flags))
WRAP(pid_t, fork, "fork", (void), ())
WRAP(int, execvpe, "exec", (const char *file, char *const *argv, char *const *env), (file, argv, env))
WRAP(int, dup2, "dup", (int from, int to), (from, to))
WRAP(int, chdir, "chdir", (const char *path), (path))
WRAP(int, sys_pidfd_open, "pidfd", (pid_t pid), (pid))
WRAP(int, poll, "poll", (struct pollfd * fds, nfds_t count, int timeout_ms), (fds, count, timeout_ms))
WRAP(int, waitid, "wait", (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))
WRAP(pid_t, waitpid, "wait", (pid_t pid, int *status, int options), (pid, status, options))

/* The calls of the child are counted too: it shares our memory. */
int __real_clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);
int __wrap_clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);
int
__wrap_clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	return next("fork") == DO_FAIL ? -1 : __real_clone(fn, stack, flags, arg);
}

/* The descriptor is closed even when close() fails. */
int __real_close(int fd);
int __wrap_close(int fd);
int
__wrap_close(int fd)
{
	bool is_failing = next("close") == DO_FAIL;
	int error = errno, result = __real_close(fd);

	if (!is_failing)
		return result;
	errno = error;
	return -1;
}
