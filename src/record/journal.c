/* SPDX-License-Identifier: MIT */
/* The journal as a file. What its lines mean is record.c's. */
#include "record/journal.h"

#include "base/path.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <inttypes.h>

/* Of the project's name; a hash of its whole path follows. */
#define NAME_BYTES 100
#define LOCAL ".results.jsonl"
/* The last line is a run's, which names what it has reviewed; a longer one is found by reading all. */
#define TAIL_BYTES KIB(64)

struct str
journal_beside(struct arena *a, struct str root, const char *name)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	if (!state.s)
		return STR_NONE;
	return str_fmt(a, STR_FMT "/holdfast/projects/" STR_FMT "-%016" PRIx64 "/%s", STR_ARG(state),
		       STR_ARG(str_sub(path_base(root), 0, NAME_BYTES)), str_hash(STR_HASH_START, root),
		       name);
}

struct journal
journal_of(struct arena *a, struct str root, const struct logdir *d)
{
	return (struct journal){
		.local = logdir_file(a, d, LOCAL),
		.path = journal_beside(a, root, "results.jsonl"),
	};
}

static struct str
complete_lines(struct str text)
{
	while (text.n > 0 && text.s[text.n - 1] != '\n')
		text.n--;
	return text;
}

/* The lines that had to go to the log directory; absent: none. What is there instead of that file, or keeps it from being read,
 * must not hide the journal itself. */
static struct str
read_local(struct arena *a, const struct journal *j)
{
	struct str text = STR_NONE;
	struct err ignored;

	return fs_read(a, j->local.s, JOURNAL_LIMIT_BYTES, &text, &ignored) == 0 ? text : STR_NONE;
}

int
journal_read(struct arena *a, const struct journal *j, struct str *ret, struct err *err)
{
	struct str main = STR_NONE, local = read_local(a, j);

	if (j->path.s && fs_read(a, j->path.s, JOURNAL_LIMIT_BYTES, &main, err) < 0)
		return err_wrap(err, "the results journal");
	*ret = main.s ? complete_lines(main) : main;
	if (local.s)
		*ret = str_fmt(a, STR_FMT STR_FMT, STR_ARG(*ret), STR_ARG(complete_lines(local)));
	return 0;
}

static struct str
last_line_of(struct arena *a, const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	struct err ignored;
	size_t n = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return STR_NONE;
	uint64_t size = fs_size(fd), from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
	char *bytes = arena_bytes(a, (size_t)(size - from) + 1);

	if (fd_read_at(fd, from, bytes, (size_t)(size - from), &n, &ignored) < 0)
		return STR_NONE;
	struct str text = complete_lines((struct str){ bytes, n });
	size_t start;

	if (text.n == 0)
		return STR_NONE;
	text.n--;
	for (start = text.n; start > 0 && text.s[start - 1] != '\n';)
		start--;
	return start > 0 || from == 0 ? str_sub(text, start, text.n) : STR_NONE;
}

struct str
journal_last_line(struct arena *a, const struct journal *j)
{
	struct str line = last_line_of(a, j->local.s);

	return line.s || !j->path.s ? line : last_line_of(a, j->path.s);
}

/* A line that a killed process left half-written must not swallow the next one. */
static bool
ends_within_a_line(const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	struct err ignored;
	char last = '\n';
	size_t n;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0 || fs_size(fd) == 0)
		return false;
	return fd_read_at(fd, fs_size(fd) - 1, &last, 1, &n, &ignored) == 0 && last != '\n';
}

static int
append_to(struct arena *a, struct str path, struct str lines, struct err *err)
{
	if (ends_within_a_line(path.s))
		lines = str_fmt(a, "\n" STR_FMT, STR_ARG(lines));
	return fs_append(path.s, lines, 0600, err);
}

/* Lines that had to go to the log directory come first, then that file goes away. */
static int
append_to_main(struct arena *a, struct journal *j, struct str lines, struct err *err)
{
	if (j->is_ready)
		return fs_append(j->path.s, lines, 0600, err);
	if (!j->path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep results in");
	if (fs_make_parents(a, j->path, 0700, err) < 0)
		return -1;
	struct str local = read_local(a, j);

	if (local.s)
		lines = str_fmt(a, STR_FMT STR_FMT, STR_ARG(complete_lines(local)), STR_ARG(lines));
	if (append_to(a, j->path, lines, err) < 0)
		return -1;
	if (local.s)
		(void)(fs_remove(j->local.s, err) == 0);
	j->is_ready = true;
	return 0;
}

int
journal_append(struct arena *a, struct journal *j, struct str lines, bool *ret_is_local, struct err *err)
{
	struct err ignored;

	*ret_is_local = append_to_main(a, j, lines, &ignored) < 0;
	j->is_ready &= !*ret_is_local;
	return *ret_is_local ? append_to(a, j->local, lines, err) : 0;
}

int
journal_replace(struct arena *a, const struct journal *j, struct str lines, struct err *err)
{
	struct err ignored;

	if (!j->path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep results in");
	if (fs_replace_unsynced(a, j->path.s, lines, 0600, err) < 0)
		return -1;
	(void)(fs_remove(j->local.s, &ignored) == 0);
	return 0;
}
