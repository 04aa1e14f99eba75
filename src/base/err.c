/* SPDX-License-Identifier: MIT */
/* Error values. Never allocates: an error can be made when there is no memory left. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int
err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list args;

	err->code = code;
	err->sys = 0;
	va_start(args, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, args);
	va_end(args);
	return -1;
}

int
err_sys(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	err->code = ERR_SYS;
	err->sys = saved;
	va_start(args, fmt);
	int n = vsnprintf(err->msg, sizeof(err->msg), fmt, args);

	va_end(args);
	if (n >= 0 && (size_t)n < sizeof(err->msg))
		(void)snprintf(err->msg + n, sizeof(err->msg) - (size_t)n, ": %s", strerror(saved));
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
	if (n >= 0 && (size_t)n < sizeof(err->msg))
		(void)snprintf(err->msg + n, sizeof(err->msg) - (size_t)n, ": %s", inner);
	return -1;
}
