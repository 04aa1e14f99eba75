/* SPDX-License-Identifier: MIT */
/* The names of signals are those of the C library. */
#include "test.h"

#include "os/syscalls.h"

#include <signal.h>

TEST(a_signal_has_the_name_that_the_C_library_gives_it)
{
	for (int i = -1; i < 70; i++) {
		const char *ours = signal_name(i), *theirs = sigabbrev_np(i);

		CHECK(ours && theirs ? strcmp(ours, theirs) == 0 : !ours && !theirs);
	}
}
