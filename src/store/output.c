/* SPDX-License-Identifier: MIT */
/* Outputs that were too long for an answer. */
#include "store/output.h"

#include "base/path.h"
#include "model/session.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"

static struct str
output_path(struct arena *a, struct str session)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");
	struct str part = session_file_part(a, session.n > 0 ? session : STR("unknown"));

	if (!state.s)
		return STR_NONE;
	return path_join(a, state, str_fmt(a, "holdfast/output/" STR_FMT ".log", STR_ARG(part)));
}

int
output_begin(struct arena *a, struct str session, struct output *ret, struct err *err)
{
	struct output o = { .fd = -1, .path = output_path(a, session) };

	if (!o.path.s)
		return err_set(err, ERR_VALUE, "no home directory to keep the output in");
	if (fs_make_parents(a, o.path, 0700, err) < 0 || fs_open_nameless(a, o.path.s, &o.fd, err) < 0)
		return -1;
	*ret = o;
	return 0;
}

void
output_add(struct output *o, struct str bytes)
{
	struct err ignored;

	if (o->is_cut || o->fd < 0)
		return;
	if (bytes.n > OUTPUT_LIMIT_BYTES - o->written) {
		bytes.n = (size_t)(OUTPUT_LIMIT_BYTES - o->written);
		o->is_cut = true;
	}
	if (fd_write_all(o->fd, bytes, &ignored) < 0)
		o->is_cut = true;
	o->written += bytes.n;
}

int
output_keep(struct arena *a, const struct output *o, struct err *err)
{
	return fs_replace_from(a, o->path.s, o->fd, err);
}

void
output_close(struct output *o)
{
	fd_close(&o->fd);
}

int
output_forget(struct arena *a, struct str session, struct err *err)
{
	struct str path = output_path(a, session);

	return path.s ? fs_remove(path.s, err) : 0;
}
