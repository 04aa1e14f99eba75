/* SPDX-License-Identifier: MIT */
/* Files with output that is too long for an answer. */
#include "store/spill.h"

#include "model/event.h"
#include "os/fd.h"
#include "os/fs.h"
#include "store/state_path.h"

static struct str
spill_path(struct arena *a, struct str session)
{
	return state_path(a, "output",
			  str_cat(a, session_slug(a, session.n > 0 ? session : STR("unknown")), ".log"));
}

int
spill_begin(struct arena *a, struct str session, struct spill *ret, struct err *err)
{
	*ret = (struct spill){ .fd = -1, .path = spill_path(a, session) };
	if (!ret->path.s)
		return err_set(err, ERR_VALUE, "no home directory for the output");
	return fs_make_parents(a, ret->path, 0700, err) < 0 ? -1
							    : fs_open_nameless(a, ret->path.s, &ret->fd, err);
}

void
spill_add(struct spill *o, struct str bytes)
{
	if (o->is_cut || o->fd < 0)
		return;
	if (bytes.n > SPILL_LIMIT_BYTES - o->written) {
		bytes.n = (size_t)(SPILL_LIMIT_BYTES - o->written);
		o->is_cut = true;
	}
	if (fd_write_all(o->fd, bytes, IGNORED) < 0)
		o->is_cut = true;
	o->written += bytes.n;
}

int
spill_keep(struct arena *a, const struct spill *o, struct err *err)
{
	return fs_replace_from(a, o->path.s, o->fd, err);
}

void
spill_close(struct spill *o)
{
	fd_close(&o->fd);
}

int
spill_forget(struct arena *a, struct str session, struct err *err)
{
	struct str path = spill_path(a, session);

	return path.s ? fs_remove(path.s, err) : 0;
}
