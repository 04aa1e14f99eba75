/* SPDX-License-Identifier: MIT */
/* Loops on disk: where their files are, opening and ending them. */
#include "loop/loop.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "store/journals.h"

#include <errno.h>

/* So many corrupt files can be renamed within one second. */
#define ASIDE_TRIES 100
#define LOOPS_MAX 256

struct str
loop_path(struct arena *a, struct str dir, struct str session)
{
	return path_join(a, dir,
			 str_cat(a, ".claude/ralph-loop.", session_slug(a, session), session.n > 0 ? "." : "",
				 "local.md"));
}

int
loop_open(struct arena *a, struct str path, struct loop *ret, struct err *err)
{
	static const struct locked_how how = { .timeout_ms = LOOP_LOCK_MS };
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

	int result = locked_open(path.s, &how, &l.file, err);

	/* A link is followed only below the directory that holds .claude: nothing is written elsewhere. */
	if (result < 0 && fs_lkind(path.s) == FS_LINK) {
		struct str project = fs_real(a, str_copy(a, path_parent(path_parent(path))).s);
		struct str target = fs_real(a, path.s);

		if (!target.s || !path_below(target, project).s)
			return err_set(err, ERR_VALUE, STR_FMT ": is a symbolic link %s", STR_ARG(path),
				       target.s ? "out of the project" : "to nothing");
		l.link = path;
		result = locked_open(target.s, &how, &l.file, err);
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

static void
record_end(struct arena *a, const struct loop *l, struct str path, uint64_t iterations, const char *reason)
{
	const struct loop_state *s = &l->state;
	const struct usage *usage = &s->options.usage;
	struct buf line = BUF(a, SIZE_MAX);

	json_open(&line, NULL, '{');
	json_add(&line, "time", clock_format_seconds(a, clock_real_us()), "project",
		 path_parent(path_parent(path)), "session", s->session_id.s ? s->session_id : STR(""),
		 "state_file", path, "passes", iterations, "reason", reason, "started_at", s->started_at);
	if (usage->read.offset > 0)
		json_add(&line, "tokens", usage->tokens, "cost_usd",
			 JSON(loop_dollars_exact(a, usage->cost)));
	json_close(&line, "}\n");
	loop_journal_add(a, buf_str(&line));
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
int
loop_set_aside(struct arena *a, const struct loop *l, struct str path, struct str *ret, struct err *err)
{
	struct str name = str_cat(a, path, ".corrupt-", clock_format_seconds(a, clock_real_us()));

	*ret = name;
	for (int i = 2; locked_rename(&l->file, ret->s, err) < 0; i++) {
		if (err->sys != EEXIST || i > ASIDE_TRIES)
			return -1;
		*ret = str_cat(a, name, "-", i);
	}
	if (remove_link(l, err) < 0)
		return -1;
	record_end(a, l, path, 0, LOOP_CORRUPT_STATE);
	return 0;
}

int
loop_replace(struct arena *a, struct str path, struct str text, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

	if (loop_open(a, path, &l, IGNORED) == 0 && l.file.fd >= 0)
		record_end(a, &l, path, l.state.iteration > 0 ? l.state.iteration - 1 : 0, LOOP_REPLACED);
	return fs_replace(a, path.s, text, 0644, err);
}

struct str
loop_problem(struct arena *a, struct str path, const struct err *why)
{
	struct err all = *why;

	if (str_find(str_from(why->msg), path) >= 0)
		return str_cat(a, why->msg); /* the message of a read error names the file */
	(void)err_wrap_file(&all, str_copy(a, path).s);
	return str_cat(a, all.msg);
}

struct str
loop_progress(struct arena *a, uint64_t iteration, uint64_t max)
{
	return max ? str_cat(a, iteration, " of ", max) : str_cat(a, iteration);
}

/* ---- all loops of a project ---- */

void
loops_find(struct arena *a, const struct project_dirs *where, struct loop_refs *ret)
{
	*ret = (struct loop_refs){ .items = arena_array(a, LOOPS_MAX, struct loop_ref) };
	for (size_t i = 0; i < where->count; i++) {
		struct str claude = path_join(a, where->dirs[i], STR(".claude"));
		struct str_list names;

		if (fs_list(a, claude.s, FS_NO_LIMIT, &names, IGNORED) < 0)
			continue;
		for (size_t k = 0; k < names.count && ret->count < LOOPS_MAX; k++) {
			struct str name = names.items[k], text = STR_NONE;
			struct loop_ref *ref = &ret->items[ret->count];

			if (!str_starts(name, STR("ralph-loop.")) || !str_ends(name, STR(".local.md")))
				continue;
			*ref = (struct loop_ref){ .path = path_join(a, claude, name) };
			ref->is_corrupt = fs_read(a, ref->path.s, STATE_LIMIT_BYTES, &text,
						  &ref->why_corrupt) < 0 ||
					  (text.s &&
					   loop_state_parse(a, text, &ref->state, &ref->why_corrupt) < 0);
			if (text.s || ref->is_corrupt)
				ret->count++;
		}
	}
}
