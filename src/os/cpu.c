/* SPDX-License-Identifier: MIT */
/* Cores, as the scheduler gives them to us. Only asks. */
#include "os/cpu.h"

#include <sched.h>
#include <unistd.h>

size_t
cpu_count(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (size_t)CPU_COUNT(&set);
	/* More cores than the set has room for. */
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online > 0 ? (size_t)online : 1;
}
