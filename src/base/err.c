/* SPDX-License-Identifier: MIT */
/* Error values. Never allocates: an error can be set even if memory is exhausted. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>

struct err err_ignored;

static void
begin(struct err *err, enum err_code code, int sys)
{
	err->code = code;
	err->sys = sys;
	err->line = err->column = 0;
	err->text = 0;
}

int
err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list args;

	begin(err, code, 0);
	va_start(args, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, args);
	va_end(args);
	return -1;
}

int
err_at(struct err *err, enum err_code code, int line, int column, const char *fmt, ...)
{
	va_list args;

	begin(err, code, 0);
	err->line = line;
	err->column = column;
	err->text = (size_t)snprintf(err->msg, sizeof(err->msg), "%d:%d: ", line, column);
	va_start(args, fmt);
	(void)vsnprintf(err->msg + err->text, sizeof(err->msg) - err->text, fmt, args);
	va_end(args);
	return -1;
}

/* Appends the cause to a message of n bytes. If both do not fit, the message loses its end and the cause its start, which is
 * usually a long path: the problem itself comes last. */
static void
add_cause(struct err *err, int n, const char *between, const char *cause)
{
	size_t most = sizeof(err->msg) - 1 - strlen(between), length = strlen(cause),
	       at = n < 0 ? 0 : (size_t)n;
	size_t room = length < most / 2 ? most - length : most / 2;

	if (at > room)
		at = room;
	if (length > most - at)
		cause += length - (most - at);
	(void)snprintf(err->msg + at, sizeof(err->msg) - at, "%s%s", between, cause);
}

int
err_sys(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	begin(err, ERR_SYS, saved);
	va_start(args, fmt);
	int n = vsnprintf(err->msg, sizeof(err->msg), fmt, args);

	va_end(args);
	add_cause(err, n, ": ", strerror(saved));
	return -1;
}

int
err_wrap(struct err *err, const char *fmt, ...)
{
	char inner[sizeof(err->msg)];
	va_list args;

	memcpy(inner, err->msg, sizeof(inner));
	va_start(args, fmt);
	int n = vsnprintf(err->msg, sizeof(err->msg), fmt, args);

	va_end(args);
	add_cause(err, n, ": ", inner);
	err->text = 0;
	return -1;
}

int
err_wrap_file(struct err *err, const char *file)
{
	char inner[sizeof(err->msg)];

	memcpy(inner, err->msg, sizeof(inner));
	add_cause(err, snprintf(err->msg, sizeof(err->msg), "%s", file), err->text > 0 ? ":" : ": ", inner);
	err->text = 0;
	return -1;
}
