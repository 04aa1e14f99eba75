/* SPDX-License-Identifier: MIT */
/* Outputs that were too long for an answer. */
#include "store/output.h"

#include "model/session.h"
#include "os/env.h"
#include "os/fs.h"

static struct str
output_path(struct arena *a, struct str session)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");
	struct str part = session_file_part(a, session.n > 0 ? session : STR("unknown"));

	if (!state.s)
		return STR_NONE;
	return fs_join(a, state, str_fmt(a, "holdfast/output/" STR_FMT ".log", STR_ARG(part)));
}

int
output_keep(struct arena *a, struct str session, struct str text, struct str *ret_path, struct err *err)
{
	struct str path = output_path(a, session);

	if (!path.s)
		return err_set(err, ERR_VALUE, "no home directory to keep the output in");
	if (fs_make_dirs(str_copy(a, fs_parent(path)).s, 0700, err) < 0 ||
	    fs_replace(a, path.s, text, 0600, err) < 0)
		return -1;
	*ret_path = path;
	return 0;
}

int
output_forget(struct arena *a, struct str session, struct err *err)
{
	struct str path = output_path(a, session);

	return path.s ? fs_remove(path.s, err) : 0;
}
