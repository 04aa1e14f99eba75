/* SPDX-License-Identifier: MIT */
/* How functions fail: they return -1 with the reason in the caller's struct err, which is the last parameter and is written
 * only on failure. Messages are one line, lower case, no full stop, values in single quotes. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stddef.h>

enum err_code {
	ERR_NONE,
	ERR_SYS,    /* a system call failed; err.sys has errno */
	ERR_SYNTAX, /* a document that does not parse */
	ERR_VALUE,  /* it parses but has an invalid value */
	ERR_LIMIT,  /* too large, too deep, too many */
	ERR_BUSY,   /* another process holds it */
	ERR_USAGE,  /* the command line */
};

struct err {
	enum err_code code;
	int sys;
	int line, column; /* in the document with the error; 0: unknown */
	size_t text;      /* where in msg the text begins, after its `LINE:COLUMN: ` */
	char msg[1024];
};

/* For a caller that does not ask why: nobody reads what is written there. */
extern struct err err_ignored;
#define IGNORED (&err_ignored)

/* All return -1, so that a function can fail by `return err_set(...)`. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same with a position in a document: the message starts with `LINE:COLUMN: `. */
int err_at(struct err *err, enum err_code code, int line, int column, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Appends errno's text to the message. */
int err_sys(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts context before the message of an error that is already set. */
int err_wrap(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with a file's name. If the message starts with LINE:COLUMN, no blank is between them, as editors expect. */
int err_wrap_file(struct err *err, const char *file);

#endif
