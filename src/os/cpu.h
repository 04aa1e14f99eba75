/* SPDX-License-Identifier: MIT */
/* How much can be done at once. */
#ifndef OS_CPU_H
#define OS_CPU_H

#include "base/base.h"

/* The cores that this process may use; at least 1. */
size_t cpu_count(void);

#endif
