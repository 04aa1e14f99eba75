/* SPDX-License-Identifier: MIT */
/* Takes the place of functions of musl, in the program that is linked with it: the heap, the searches, `open` and the clock are ours. The
 * names with _chk and fcntl64 are glibc's: libyaml, SQLite and ncurses call them if the system compiled them for glibc. */
#include "libc/heap.h"
#include "libc/scan.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *
malloc(size_t n)
{
	return heap_alloc(n);
}

void *
calloc(size_t count, size_t size)
{
	return heap_alloc_zeroed(count, size);
}

void *
realloc(void *p, size_t n)
{
	return heap_resize(p, n);
}

void
free(void *p)
{
	heap_free(p);
}

void *
memchr(const void *text, int byte, size_t n)
{
	return scan_forward(text, byte, n);
}

void *
memrchr(const void *text, int byte, size_t n)
{
	return scan_back(text, byte, n);
}

/* Musl marks the new descriptor once more, for kernels older than those that we run on. */
int
open(const char *path, int flags, ...)
{
	unsigned mode = 0;

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_list args;

		va_start(args, flags);
		mode = va_arg(args, unsigned);
		va_end(args);
	}
	return (int)syscall(SYS_open, path, flags | O_LARGEFILE, mode);
}

/* SQLite's. */
#undef open64
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* Musl asks the kernel's code in our address space. To find that, and the two pages that it touches, cost more than the few calls
 * that we make. */
int
clock_gettime(clockid_t clock, struct timespec *ret)
{
	return (int)syscall(SYS_clock_gettime, clock, ret);
}

/* Each has the room as its last or second parameter, and ends the program where it is too small. */
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int byte, size_t n, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
int __sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, va_list args);
int __fprintf_chk(FILE *file, int flag, const char *fmt, ...);
int __vfprintf_chk(FILE *file, int flag, const char *fmt, va_list args);
int fcntl64(int fd, int command, ...);

void *
__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (n > room)
		abort();
	return memcpy(to, from, n);
}

void *
__memset_chk(void *to, int byte, size_t n, size_t room)
{
	if (n > room)
		abort();
	return memset(to, byte, n);
}

char *
__strcpy_chk(char *to, const char *from, size_t room)
{
	return __memcpy_chk(to, from, strlen(from) + 1, room);
}

int
__sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...)
{
	va_list args;
	int n;

	(void)flag;
	va_start(args, fmt);
	/* The room is unlimited where the compiler did not know it; musl accepts no more than this. */
	n = vsnprintf(to, room < INT_MAX ? room : INT_MAX, fmt, args);
	va_end(args);
	if (n >= 0 && (size_t)n >= room)
		abort();
	return n;
}

int
__vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, va_list args)
{
	(void)flag;
	if (n > room)
		abort();
	return vsnprintf(to, n, fmt, args);
}

int
__vfprintf_chk(FILE *file, int flag, const char *fmt, va_list args)
{
	(void)flag;
	return vfprintf(file, fmt, args);
}

int
__fprintf_chk(FILE *file, int flag, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = __vfprintf_chk(file, flag, fmt, args);
	va_end(args);
	return n;
}

int
fcntl64(int fd, int command, ...)
{
	va_list args;
	void *argument;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	return fcntl(fd, command, argument);
}
