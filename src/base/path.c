/* SPDX-License-Identifier: MIT */
/* Path arithmetic. */
#include "base/path.h"

#include "base/buf.h"

#include <string.h>

bool
path_is_absolute(struct str path)
{
	return path.n > 0 && path.s[0] == '/';
}

static struct str
strip_slashes(struct str path)
{
	while (path.n > 0 && path.s[path.n - 1] == '/')
		path.n--;
	return path;
}

static struct str
skip_slashes(struct str path)
{
	while (path_is_absolute(path))
		path = str_sub(path, 1, path.n);
	return path;
}

struct str
path_join(struct arena *a, struct str dir, struct str name)
{
	if (dir.n == 0)
		return str_copy(a, name);
	dir = strip_slashes(dir);
	name = skip_slashes(name);
	char *s = arena_bytes(a, dir.n + name.n + 2);

	memcpy(s, dir.s, dir.n);
	s[dir.n] = '/';
	if (name.n)
		memcpy(s + dir.n + 1, name.s, name.n);
	s[dir.n + 1 + name.n] = '\0';
	return (struct str){ s, dir.n + 1 + name.n };
}

struct str
path_from(struct arena *a, struct str dir, struct str path)
{
	return path_is_absolute(path) ? str_copy(a, path) : path_join(a, dir, path);
}

struct str
path_parent(struct str path)
{
	path = strip_slashes(path);
	while (path.n > 0 && path.s[path.n - 1] != '/')
		path.n--;
	if (path.n == 0)
		return STR_NONE;
	struct str parent = strip_slashes(path);

	return parent.n ? parent : str_sub(path, 0, 1);
}

struct str
path_base(struct str path)
{
	path = strip_slashes(path);
	size_t from = path.n;

	while (from > 0 && path.s[from - 1] != '/')
		from--;
	return str_sub(path, from, path.n);
}

struct str
path_tidy(struct str path)
{
	while (path.n > 2 && str_starts(path, STR("./"))) {
		struct str rest = skip_slashes(str_sub(path, 2, path.n));

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
			if (b.n > 0 || is_absolute)
				buf_addc(&b, '/');
			buf_add(&b, part);
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
	struct str top = strip_slashes(dir);

	return dir.n > 0 && str_starts(path, top) && (path.n == top.n || path.s[top.n] == '/');
}

struct str
path_below(struct str path, struct str dir)
{
	if (!path_is_at_or_below(path, dir))
		return STR_NONE;
	struct str rest = skip_slashes(str_sub(path, strip_slashes(dir).n, path.n));

	return rest.n > 0 ? rest : STR_NONE;
}

struct str
path_up(struct arena *a, struct str path)
{
	struct str rest = path, part, up = STR("");

	while (str_next(&rest, '/', &part))
		if (part.n > 0)
			up = str_fmt(a, "../" STR_FMT, STR_ARG(up));
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
