/* SPDX-License-Identifier: MIT */
/* Git's answers: whatever comes, what is read is in order, each path once, nothing of the log directory among it, and
 * every text is part of the answer. The first byte says which answer it is. */
#include "base/path.h"
#include "git/git_spawn.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check(bool claim)
{
	if (!claim)
		abort();
}

static bool
is_within(struct str part, struct str whole)
{
	return part.s >= whole.s && part.s + part.n <= whole.s + whole.n;
}

static void
check_set(struct change_set *set, struct str answer)
{
	change_set_settle(set);
	for (size_t i = 0; i < set->count; i++) {
		check(set->items[i].path.n > 0 && is_within(set->items[i].path, answer));
		check(!path_is_at_or_below(set->items[i].path, set->hidden));
		check(i == 0 || str_cmp(set->items[i - 1].path, set->items[i].path) < 0);
	}
}

static void
check_path(struct arena *a, struct str path)
{
	struct str told = path_relative(a, STR("/p"), path);

	check(!told.s || (told.n > 0 && told.s[0] != '/' && told.s[told.n - 1] != '/'));
	/* What is told once stays. */
	check(!told.s || str_eq(path_relative(a, STR("/p"), told), told));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct change_set set = { .arena = &a, .hidden = STR("l") };
	struct err err;

	if (n == 0)
		return 0;
	struct str answer = { (const char *)data + 1, n - 1 };

	switch (data[0] % 5) {
	case 0:
		if (change_set_read_diff(&set, answer, &err) == 0)
			check_set(&set, answer);
		break;
	case 4:
		(void)head_of_status(answer);
		if (change_set_read_status(&set, answer, STR(""), &err) == 0)
			check_set(&set, answer);
		break;
	case 1:
		change_set_read_untracked(&set, answer);
		check_set(&set, answer);
		break;
	case 2:
		check_path(&a, answer);
		break;
	default:
		(void)branch_of_head(answer);
		break;
	}
	return 0;
}
