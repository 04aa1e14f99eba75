/* SPDX-License-Identifier: MIT */
/* Makes names; asks the file system nothing. */
#include "store/state_path.h"

#include "os/env.h"

#include <inttypes.h>

#define NAME_BYTES 100

struct str
state_path(struct arena *a, const char *dir, struct str name)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	return state.s ? str_cat(a, state, "/holdfast/", dir, dir ? "/" : "", name) : STR_NONE;
}

struct str
project_slug(struct arena *a, struct str root)
{
	struct str name = str_sub(path_base(root), 0, NAME_BYTES);

	return str_fmt(a, STR_FMT "-%016" PRIx64, STR_ARG(name), str_hash(STR_HASH_START, root));
}
