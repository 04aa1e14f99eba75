/* SPDX-License-Identifier: MIT */
/* Makes log directories for tests. */
#include "log_directory.h"

#include "base/path.h"
#include "os/fs.h"

struct logdir
new_logs(struct arena *a)
{
	struct logdir d = logdir_of(a, str_from(test_dir()), STR("logs"), &dialects[DIALECT_GAUNTLET]);
	struct err err;

	CHECK(fs_make_dirs(d.path.s, 0777, &err) == 0);
	return d;
}

void
put(struct arena *a, const struct logdir *d, const char *name, const char *content)
{
	struct err err;
	const char *path = logdir_file(a, d, name).s;

	CHECK(fs_make_dirs(str_copy(a, path_parent(str_from(path))).s, 0777, &err) == 0);
	CHECK(fs_replace(a, path, str_from(content), 0644, &err) == 0);
}

struct str
content(struct arena *a, const struct logdir *d, const char *name)
{
	struct str text;
	struct err err;

	CHECK(fs_read(a, logdir_file(a, d, name).s, MIB(1), &text, &err) == 0);
	return text.s ? text : STR("(nothing)");
}

struct str
names(struct arena *a, const struct logdir *d, const char *below)
{
	struct str_list found;
	struct str all = STR("");
	struct err err;

	CHECK(fs_list(a, logdir_file(a, d, below).s, 1000, &found, &err) == 0);
	for (size_t i = 0; i < found.count; i++)
		all = str_fmt(a, STR_FMT STR_FMT " ", STR_ARG(all), STR_ARG(found.items[i]));
	return all;
}
