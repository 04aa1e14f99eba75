/* SPDX-License-Identifier: MIT */
/* Loops on disk: where their files are, opening and ending them. */
#include "loop/loop.h"

#include "base/path.h"
#include "os/clock.h"
#include "os/fs.h"
#include "store/loop_journal.h"

#include <errno.h>
#include <inttypes.h>

/* So many corrupt files can be renamed within one second. */
#define ASIDE_TRIES 100
#define LOOPS_MAX 256

struct str
loop_path(struct arena *a, struct str dir)
{
	return path_join(a, dir, STR(".claude/ralph-loop.local.md"));
}

struct str
loop_session_path(struct arena *a, struct str dir, struct str session)
{
	struct str name = session_slug(a, session);

	return path_join(a, dir, str_fmt(a, ".claude/ralph-loop." STR_FMT ".local.md", STR_ARG(name)));
}

/* Follows a link only below the directory that holds .claude: nothing is written elsewhere. */
static int
resolve_link(struct arena *a, struct str path, struct str *ret, struct err *err)
{
	struct str project = fs_real(a, str_copy(a, path_parent(path_parent(path))).s);
	struct str target = fs_real(a, path.s);

	if (!target.s)
		return err_set(err, ERR_VALUE, STR_FMT ": is a symbolic link to nothing", STR_ARG(path));
	if (!path_below(target, project).s)
		return err_set(err, ERR_VALUE, STR_FMT ": is a symbolic link out of the project",
			       STR_ARG(path));
	*ret = target;
	return 0;
}

int
loop_open(struct arena *a, struct str path, struct loop *ret, struct err *err)
{
	static const struct locked_how how = { .timeout_ms = LOOP_LOCK_MS };
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

	int result = locked_open(path.s, &how, &l.file, err);

	if (result < 0 && fs_lkind(path.s) == FS_LINK) {
		l.link = path;
		if (resolve_link(a, path, &path, err) < 0)
			return -1;
		result = locked_open(path.s, &how, &l.file, err);
	}
	if (result < 0)
		return -1;
	if (l.file.fd >= 0) {
		if (locked_read(a, &l.file, STATE_LIMIT_BYTES, &l.text, err) < 0)
			return -1;
		l.is_corrupt = loop_state_parse(a, l.text, &l.state, &l.why_corrupt) < 0;
	}
	*ret = l;
	l.file = LOCKED_NONE;
	return 0;
}

void
loop_close(struct loop *l)
{
	locked_close(&l->file);
}

/* A loop ends even if that can't be recorded. */
static void
record_end(struct arena *a, const struct loop *l, struct str path, uint64_t iterations, const char *reason)
{
	struct loop_journal_entry entry = {
		.ended_us = clock_real_us(),
		.project = path_parent(path_parent(path)),
		.session = l->state.session_id,
		.state_file = path,
		.passes = iterations,
		.reason = reason,
		.started_at = l->state.started_at,
		.has_usage = l->state.options.usage.read.offset > 0,
		.tokens = l->state.options.usage.tokens,
		.cost = l->state.options.usage.cost,
	};
	struct err ignored;

	(void)(loop_journal_add(a, &entry, &ignored) == 0);
}

/* A link to a file that is gone would be in the way of every later stop. */
static int
remove_link(const struct loop *l, struct err *err)
{
	return l->link.s ? fs_remove(l->link.s, err) : 0;
}

int
loop_end(struct arena *a, struct loop *l, struct str path, uint64_t iterations, const char *reason,
	 struct err *err)
{
	record_end(a, l, path, iterations, reason);
	if (locked_remove(&l->file, err) < 0)
		return -1;
	return remove_link(l, err);
}

/* The new name ends in the time and, where that name is taken, in a number. */
static int
rename_aside(struct arena *a, const struct loop *l, struct str path, struct str *ret, struct err *err)
{
	struct str time = clock_format_seconds(a, clock_real_us());
	struct str name = str_fmt(a, STR_FMT ".corrupt-" STR_FMT, STR_ARG(path), STR_ARG(time));

	*ret = name;
	for (int i = 2; locked_rename(&l->file, ret->s, err) < 0; i++) {
		if (err->sys != EEXIST || i > ASIDE_TRIES)
			return -1;
		*ret = str_fmt(a, STR_FMT "-%d", STR_ARG(name), i);
	}
	return 0;
}

int
loop_set_aside(struct arena *a, const struct loop *l, struct str path, struct str *ret, struct err *err)
{
	if (rename_aside(a, l, path, ret, err) < 0 || remove_link(l, err) < 0)
		return -1;
	record_end(a, l, path, 0, LOOP_CORRUPT_STATE);
	return 0;
}

int
loop_replace(struct arena *a, struct str path, struct str text, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	struct err ignored;

	if (loop_open(a, path, &l, &ignored) == 0 && l.file.fd >= 0)
		record_end(a, &l, path, l.state.iteration > 0 ? l.state.iteration - 1 : 0, LOOP_REPLACED);
	return fs_replace(a, path.s, text, 0644, err);
}

struct str
loop_problem(struct arena *a, struct str path, const struct err *why)
{
	struct err all = *why;

	if (str_find(str_from(why->msg), path) >= 0)
		return str_copy(a, str_from(why->msg)); /* the message of a read error names the file */
	(void)err_wrap_file(&all, str_copy(a, path).s);
	return str_copy(a, str_from(all.msg));
}

struct str
loop_progress(struct arena *a, uint64_t iteration, uint64_t max)
{
	return max ? str_fmt(a, "%" PRIu64 " of %" PRIu64, iteration, max)
		   : str_fmt(a, "%" PRIu64, iteration);
}

/* ---- all loops of a project ---- */

static bool
is_loop_name(struct str name)
{
	return str_is(name, "ralph-loop.local.md") ||
	       (str_starts(name, STR("ralph-loop.")) && str_ends(name, STR(".local.md")));
}

static void
add_loops(struct arena *a, struct str dir, struct loop_refs *refs)
{
	struct str claude = path_join(a, dir, STR(".claude"));
	struct fs_names names;
	struct err err;

	if (fs_list(a, claude.s, FS_NO_LIMIT, &names, &err) < 0)
		return;
	for (size_t i = 0; i < names.count && refs->count < LOOPS_MAX; i++) {
		if (!is_loop_name(names.items[i]))
			continue;
		struct loop_ref *ref = &refs->items[refs->count];
		struct str text = STR_NONE;

		*ref = (struct loop_ref){ .path = path_join(a, claude, names.items[i]) };
		ref->is_corrupt = fs_read(a, ref->path.s, STATE_LIMIT_BYTES, &text, &ref->why_corrupt) < 0 ||
				  (text.s && loop_state_parse(a, text, &ref->state, &ref->why_corrupt) < 0);
		if (text.s || ref->is_corrupt)
			refs->count++;
	}
}

void
loops_find(struct arena *a, const struct project_dirs *where, struct loop_refs *ret)
{
	*ret = (struct loop_refs){ .items = arena_array(a, LOOPS_MAX, struct loop_ref) };
	for (size_t i = 0; i < where->count; i++)
		add_loops(a, where->dirs[i], ret);
}
