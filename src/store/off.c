/* SPDX-License-Identifier: MIT */
/* The files of projects in which holdfast is off. Each is replaced as a whole. */
#include "store/off.h"

#include "doc/json.h"
#include "os/fs.h"
#include "store/state_path.h"

#define DIRECTORY "off"
#define LIMIT_BYTES KIB(64)

/* Absent: there is no home. */
static struct str
off_path(struct arena *a, struct str root, struct str *ret_real)
{
	*ret_real = fs_real(a, str_copy(a, root).s);
	if (!ret_real->s)
		*ret_real = root;
	return state_path(a, DIRECTORY, project_slug(a, *ret_real));
}

bool
off_is_set(struct arena *a, struct str root, int64_t now_ms, int64_t *ret_until_ms)
{
	struct str dir = state_path(a, DIRECTORY, STR("")), real, path, text;
	struct node n;

	/* What nearly every stop finds out, at the cost of one call. */
	if (!dir.s || !root.s || fs_kind(dir.s) != FS_DIR)
		return false;
	path = off_path(a, root, &real);
	if (fs_read(a, path.s, LIMIT_BYTES, &text, IGNORED) < 0 || !text.s ||
	    fs_check_safe(a, path.s, IGNORED) < 0 || json_parse(a, text, &n, IGNORED) < 0 ||
	    !str_eq(node_get_str(&n, "project"), real))
		return false;
	*ret_until_ms = node_get_count(&n, "until_ms", INT64_MAX);
	return *ret_until_ms > now_ms;
}

int
off_set(struct arena *a, struct str root, int64_t until_ms, struct err *err)
{
	struct str real, path = off_path(a, root, &real);

	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to note it in");
	struct str text = json_line(a, "project", real, "until_ms", until_ms);

	return fs_make_parents(a, path, 0700, err) < 0 ? -1 : fs_replace_unsynced(a, path.s, text, 0600, err);
}

int
off_clear(struct arena *a, struct str root, bool *ret_was_there, struct err *err)
{
	struct str real, path = off_path(a, root, &real);

	*ret_was_there = path.s && fs_kind(path.s) != FS_NOTHING;
	if (!*ret_was_there)
		return 0;
	if (fs_remove(path.s, err) < 0)
		return -1;
	/* The last one takes the directory along. */
	(void)(fs_remove(state_path(a, DIRECTORY, STR("")).s, IGNORED) == 0);
	return 0;
}
