/* SPDX-License-Identifier: MIT */
/* The names of signals are those of glibc, which the sanitized build is linked with. */
#include "test.h"

#include "os/syscalls.h"

#include <signal.h>

TEST(a_signal_has_the_name_that_glibc_gives_it)
{
	CHECK(strcmp(signal_name(SIGTERM), "TERM") == 0);
	CHECK(!signal_name(0));
#ifdef __GLIBC__
	for (int i = -1; i < 70; i++) {
		const char *ours = signal_name(i), *theirs = sigabbrev_np(i);

		CHECK(ours && theirs ? strcmp(ours, theirs) == 0 : !ours && !theirs);
	}
#endif
}
