/* SPDX-License-Identifier: MIT */
/* Programs to run: scripts of the shell. */
#ifndef TESTS_UNIT_SHELL_PROGRAM_H
#define TESTS_UNIT_SHELL_PROGRAM_H

#include "test.h"

#include "os/proc.h"

#define SH(script_) ((const char *const[]){ "sh", "-c", (script_), NULL })

/* The test fails where it can't be started. */
static inline struct proc_result
run(struct arena *a, struct proc_spec spec)
{
	struct proc_result r;
	struct err err;

	if (proc_run(a, &spec, &r, &err) < 0)
		fail_msg("%s", err.msg);
	return r;
}

#endif
