/* SPDX-License-Identifier: MIT */
/* Where the log directory is, and what the names in it say. Looks at names only, never at contents. */
#include "record/logdir.h"

#include "base/path.h"
#include "conf/holdfast.h"
#include "model/logname.h"
#include "os/fs.h"

struct logdir
logdir_of(struct arena *a, struct str root, struct str log_dir)
{
	struct str shown = str_copy(a, path_tidy(log_dir));
	bool is_native = str_is(shown, HOLDFAST_LOG_DIR);

	if (path_is_absolute(shown))
		return (struct logdir){ .path = shown, .shown = shown };
	if (shown.n == 0 || str_is(shown, "."))
		return (struct logdir){ .path = str_copy(a, root), .shown = STR(".") };
	return (struct logdir){ .path = path_join(a, root, shown), .shown = shown, .is_native = is_native };
}

struct str
logdir_file(struct arena *a, const struct logdir *d, const char *name)
{
	return path_join(a, d->path, str_from(name));
}

int
logdir_make(const struct logdir *d, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct err ignored;

	if (fs_kind(d->path.s) != FS_DIR && (fs_make_parents(&scratch, d->path, 0777, err) < 0 ||
					     fs_make_dirs(d->path.s, LOGDIR_MODE, err) < 0))
		return err_wrap(err, "the log directory");
	/* Without it the logs are untracked files, which are no reason not to run. A run that was killed may have left the
	 * directory without it; an empty one would be the user's. */
	if (d->is_native && !fs_has(d->path, ".gitignore"))
		(void)(fs_replace_unsynced(&scratch, logdir_file(&scratch, d, ".gitignore").s, STR("*\n"),
					   0666, &ignored) == 0);
	return 0;
}

void
logdir_list(struct arena *a, const struct logdir *d, struct log_listing *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct fs_names names = { 0 };
	struct err ignored;

	*ret = (struct log_listing){ 0 };
	if (fs_list(a, d->path.s, FS_NO_LIMIT, &names, &ignored) < 0)
		return;
	int64_t *all = arena_array(&scratch, names.count, int64_t);
	int64_t *gates = arena_array(&scratch, names.count, int64_t);
	size_t all_count = 0, gate_count = 0;

	ret->names = names.items;
	ret->count = names.count;
	for (size_t i = 0; i < names.count; i++) {
		struct log_name l;

		if (!log_name_parse(names.items[i], &l))
			continue;
		ret->has_gate_logs |= !l.is_console;
		if (l.run > ret->last_run)
			ret->last_run = l.run;
		if (l.run > 0)
			all[all_count++] = l.run;
		if (l.run > 0 && !l.is_console)
			gates[gate_count++] = l.run;
	}
	ret->runs = log_count_runs(all, all_count);
	ret->gate_runs = log_count_runs(gates, gate_count);
}
