/* SPDX-License-Identifier: MIT */
/* Finds loops. Only reads. */
#include "loop/find.h"

#include "base/path.h"
#include "os/fs.h"

#define LOOPS_MAX 256

static bool
is_loop_name(struct str name)
{
	return str_is(name, "ralph-loop.local.md") ||
	       (str_starts(name, STR("ralph-loop.")) && str_ends(name, STR(".local.md")));
}

static void
look_in(struct arena *a, struct str dir, struct loop_refs *refs)
{
	struct str claude = path_join(a, dir, STR(".claude"));
	struct fs_names names;
	struct err err;

	if (fs_list(a, claude.s, FS_NO_LIMIT, &names, &err) < 0)
		return;
	for (size_t i = 0; i < names.count && refs->count < LOOPS_MAX; i++) {
		if (!is_loop_name(names.items[i]))
			continue;
		struct loop_ref *ref = &refs->items[refs->count];
		struct str text = STR_NONE;

		*ref = (struct loop_ref){ .path = path_join(a, claude, names.items[i]) };
		ref->is_corrupt = fs_read(a, ref->path.s, STATE_LIMIT_BYTES, &text, &ref->why_corrupt) < 0 ||
				  (text.s && loop_state_parse(a, text, &ref->state, &ref->why_corrupt) < 0);
		if (text.s || ref->is_corrupt)
			refs->count++;
	}
}

void
loops_find(struct arena *a, const struct project_dirs *where, struct loop_refs *ret)
{
	*ret = (struct loop_refs){ .items = arena_array(a, LOOPS_MAX, struct loop_ref) };
	for (size_t i = 0; i < where->count; i++)
		look_in(a, where->dirs[i], ret);
}
