/* SPDX-License-Identifier: MIT */
/* Which filters the configuration insists on. Git runs them even where it is asked for names only, for files as new as its
 * index; and where one is missing it gives up. Nothing is written: what is read without its filter must not get into the
 * repository. */
#include "git/filters.h"

int
git_filters_optional(struct arena *a, const struct repository *r, struct str_list *ret, struct err *err)
{
	struct git_job job = { 0 };
	struct str_list list = { 0 };
	struct str rest, key;
	size_t capacity = 0;

	/* Code 1: there are none. */
	git_args(&job, GIT_ARGS("config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.required$"));
	if (git_run(a, r, &job, 1, err) < 0)
		return -1;
	for (rest = buf_str(&job.out); str_next(&rest, '\0', &key);) {
		if (str_find_char(key, '=') >= 0)
			continue; /* can't be said on a command line */
		arena_make_room(a, list.items, list.count, &capacity);
		list.items[list.count++] = str_fmt(a, STR_FMT "=false", STR_ARG(key));
	}
	*ret = list;
	return 0;
}
