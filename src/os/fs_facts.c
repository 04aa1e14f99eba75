/* SPDX-License-Identifier: MIT */
/* Whether a file is still the one that was read, by what is known without reading it. */
#include "os/fs.h"

#include <sys/vfs.h>

/* How much older than the time of the question a file must be. Kernels note times in ticks of up to 10 ms, some file systems
 * in steps of two seconds. */
#define TICK_NS (50 * 1000000LL)
#define STEP_NS (2 * 1000000000LL)
/* The kernel's, from linux/magic.h, which not every C library has. */
#define TMPFS 0x01021994
#define RAMFS 0x858458f6
#define HUGETLBFS 0x958458f6

int64_t
fs_settled_before(const struct fs_facts *f, int64_t now_ns)
{
	bool has_ticks = f->changed_ns % 1000000000 != 0 || f->written_ns % 1000000000 != 0;

	return now_ns - (has_ticks ? TICK_NS : STEP_NS);
}

bool
fs_is_settled(const struct fs_facts *f, int64_t now_ns)
{
	int64_t newest = f->changed_ns > f->written_ns ? f->changed_ns : f->written_ns;

	return newest < fs_settled_before(f, now_ns);
}

bool
fs_is_same(const struct fs_facts *x, const struct fs_facts *y)
{
	return x->size == y->size && x->inode == y->inode && x->changed_ns == y->changed_ns &&
	       x->written_ns == y->written_ns;
}

bool
fs_notes_all_writes(const char *dir)
{
	struct statfs fs;

	if (statfs(dir, &fs) < 0)
		return false;
	uint32_t type = (uint32_t)fs.f_type;

	return type != TMPFS && type != RAMFS && type != HUGETLBFS;
}
