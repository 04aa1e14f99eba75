/* SPDX-License-Identifier: MIT */
/* Reading from somebody who may be slow, or never finish. */
#ifndef OS_INPUT_H
#define OS_INPUT_H

#include "base/base.h"

enum input_state { INPUT_BYTES, INPUT_END, INPUT_TIMEOUT };

/* What is there, up to n bytes, as soon as anything is; deadline_ms is on clock_mono_ms(). */
int input_read(int fd, char *to, size_t n, int64_t deadline_ms, size_t *ret_n, enum input_state *ret_state,
	       struct err *err) MUST_CHECK;

#endif
