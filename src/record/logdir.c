/* SPDX-License-Identifier: MIT */
/* Where the log directory is, and what the names in it tell. Only names are looked at, never contents. */
#include "record/logdir.h"

#include "record/logname.h"
#include "os/fs.h"

/* Without ./ before it and slashes behind it: as path functions would print it. */
static struct str
tidy(struct str path)
{
	while (str_starts(path, STR("./"))) {
		path = str_sub(path, 2, path.n);
		while (str_starts(path, STR("/")))
			path = str_sub(path, 1, path.n);
	}
	while (path.n > 1 && str_ends(path, STR("/")))
		path.n--;
	return path;
}

struct logdir
logdir_of(struct arena *a, struct str root, struct str log_dir)
{
	struct str shown = str_copy(a, tidy(log_dir));

	if (str_starts(shown, STR("/")))
		return (struct logdir){ .path = shown, .shown = shown };
	if (shown.n == 0 || str_is(shown, "."))
		return (struct logdir){ .path = str_copy(a, root), .shown = STR(".") };
	return (struct logdir){ .path = fs_join(a, root, shown), .shown = shown };
}

struct str
logdir_file(struct arena *a, const struct logdir *d, const char *name)
{
	return fs_join(a, d->path, str_from(name));
}

int
logdir_make(const struct logdir *d, struct err *err)
{
	return fs_make_dirs(d->path.s, 0777, err) < 0 ? err_wrap(err, "the log directory") : 0;
}

/* A directory that can't be read has no logs: whoever writes to it will say what is wrong. */
static struct fs_names
names_of(struct arena *a, const struct logdir *d)
{
	struct fs_names names = { 0 };
	struct err ignored;

	if (fs_list(a, d->path.s, LOG_FILES_LIMIT, &names, &ignored) < 0)
		return (struct fs_names){ 0 };
	return names;
}

bool
logdir_has_gate_logs(struct arena *a, const struct logdir *d)
{
	struct fs_names names = names_of(a, d);
	struct log_name l;

	for (size_t i = 0; i < names.count; i++)
		if (log_name_parse(names.items[i], &l) && !l.is_console)
			return true;
	return false;
}

int64_t
logdir_next_run(struct arena *a, const struct logdir *d)
{
	struct fs_names names = names_of(a, d);
	int64_t highest = 0;
	struct log_name l;

	for (size_t i = 0; i < names.count; i++)
		if (log_name_parse(names.items[i], &l) && l.run > highest)
			highest = l.run;
	return highest + 1;
}

int64_t
logdir_gate_runs(struct arena *a, const struct logdir *d)
{
	struct fs_names names = names_of(a, d);
	int64_t *runs = arena_array(a, names.count, int64_t);
	size_t count = 0;
	struct log_name l;

	for (size_t i = 0; i < names.count; i++)
		if (log_name_parse(names.items[i], &l) && !l.is_console && l.run > 0)
			runs[count++] = l.run;
	return (int64_t)log_count_runs(runs, count);
}
