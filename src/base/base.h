/* SPDX-License-Identifier: MIT */
/* Included by every file: compiler attributes and the basic types. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define CLEANUP(fn) __attribute__((cleanup(fn), unused))
/* For code that runs where allocation is not possible. */
#define NOT_SANITIZED __attribute__((no_sanitize_address))
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#include "base/arena.h"
#include "base/cat.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

#endif
