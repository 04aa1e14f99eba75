/* SPDX-License-Identifier: MIT */
/* Path arithmetic. */
#include "base/path.h"

bool
path_is_absolute(struct str path)
{
	return path.n > 0 && path.s[0] == '/';
}

struct str
path_join(struct arena *a, struct str dir, struct str name)
{
	if (dir.n == 0)
		return str_copy(a, name);
	return str_cat(a, str_trim_end(dir, '/'), "/", str_trim_start(name, '/'));
}

struct str
path_from(struct arena *a, struct str dir, struct str path)
{
	return path_is_absolute(path) ? str_copy(a, path) : path_join(a, dir, path);
}

struct str
path_parent(struct str path)
{
	path = str_trim_end(path, '/');
	ptrdiff_t slash = str_find_last(path, '/');
	struct str parent = slash < 0 ? STR_NONE : str_trim_end(str_sub(path, 0, (size_t)slash), '/');

	return slash < 0 || parent.n > 0 ? parent : str_sub(path, 0, 1);
}

struct str
path_base(struct str path)
{
	path = str_trim_end(path, '/');
	return str_rest(path, (size_t)(str_find_last(path, '/') + 1));
}

struct str
path_tidy(struct str path)
{
	while (path.n > 2 && str_starts(path, STR("./"))) {
		struct str rest = str_trim_start(str_rest(path, 2), '/');

		path = rest.n > 0 ? rest : str_sub(path, 0, 1);
	}
	while (path.n > 1 && path.s[path.n - 1] == '/')
		path.n--;
	return path;
}

struct str
path_normalise(struct arena *a, struct str path)
{
	bool is_absolute = path_is_absolute(path);
	struct buf b = BUF(a, path.n + 2);
	struct str part;

	while (str_next(&path, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (!str_is(part, "..")) {
			buf_cat(&b, b.n > 0 || is_absolute ? "/" : "", part);
			continue;
		}
		if (b.n == 0 && !is_absolute)
			return STR_NONE;
		while (b.n > 0 && b.s[b.n - 1] != '/')
			b.n--;
		b.n -= b.n > 0;
	}
	if (b.n == 0)
		return is_absolute ? STR("/") : STR(".");
	return str_copy(a, buf_str(&b));
}

bool
path_is_at_or_below(struct str path, struct str dir)
{
	struct str top = str_trim_end(dir, '/');

	return dir.n > 0 && str_starts(path, top) && (path.n == top.n || path.s[top.n] == '/');
}

struct str
path_below(struct str path, struct str dir)
{
	if (!path_is_at_or_below(path, dir))
		return STR_NONE;
	struct str rest = str_trim_start(str_rest(path, str_trim_end(dir, '/').n), '/');

	return rest.n > 0 ? rest : STR_NONE;
}

struct str
path_shown(struct str path, struct str dir)
{
	struct str below = path_below(path, dir);

	return below.s ? below : path;
}

struct str
path_up(struct arena *a, struct str path)
{
	struct str rest = path, part, up = STR("");

	while (str_next(&rest, '/', &part))
		if (part.n > 0)
			up = str_cat(a, "../", up);
	return up;
}

struct str
path_relative(struct arena *a, struct str root, struct str path)
{
	struct str normal = path_normalise(a, path);

	if (!normal.s || str_is(normal, "."))
		return STR_NONE;
	return path_is_absolute(normal) ? path_below(normal, path_normalise(a, root)) : normal;
}

bool
path_is_outside(struct str path)
{
	struct str rest = path, part;
	bool goes_up = false;

	while (str_next(&rest, '/', &part))
		goes_up |= str_is(part, "..");
	return goes_up || path_is_absolute(path);
}
