/* SPDX-License-Identifier: MIT */
/* The journal as a file. What its lines mean is record.c's. */
#include "record/journal.h"

#include "record/gatelog.h"
#include "store/state_path.h"

#define LOCAL ".results.jsonl"

struct str
journal_beside(struct arena *a, struct str root, const char *name)
{
	return state_path(a, "projects", str_cat(a, project_slug(a, root), "/", name));
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
	return str_sub(text, 0, (size_t)(str_find_last(text, '\n') + 1));
}

/* The lines that had to go to the log directory; absent: none. What is there instead of that file, or keeps it from being read,
 * must not hide the journal itself. */
static struct str
read_local(struct arena *a, const struct journal *j)
{
	struct str text = STR_NONE;
	struct err ignored;

	return fs_read(a, j->local.s, JOURNAL_LIMIT_BYTES, &text, &ignored) == 0 ? complete_lines(text)
										 : STR_NONE;
}

int
journal_read(struct arena *a, struct journal *j, struct str *ret, struct err *err)
{
	struct fs_facts facts = { 0 }, local_facts = { 0 };
	struct str main = STR_NONE;

	(void)fs_facts(j->local.s, &local_facts);
	struct str local = read_local(a, j);

	if (j->path.s)
		(void)fs_facts(j->path.s, &facts);
	if (j->path.s && fs_read(a, j->path.s, JOURNAL_LIMIT_BYTES, &main, err) < 0)
		return err_wrap(err, "the results journal");
	j->read = facts;
	j->local_read = local_facts;
	*ret = main.s ? complete_lines(main) : main;
	if (local.s)
		*ret = str_cat(a, *ret, local);
	return 0;
}

/* What a link leads to may have changed without a trace in the link. */
static bool
is_as_read(struct str path, const struct fs_facts *then)
{
	struct fs_facts now = { 0 };
	enum fs_kind kind = fs_facts(path.s, &now);

	return (kind == FS_FILE || kind == FS_NOTHING) && fs_is_same(&now, then);
}

bool
journal_is_as_read(const struct journal *j)
{
	return j->path.s && (j->read.inode != 0 || j->local_read.inode != 0) &&
	       is_as_read(j->path, &j->read) && is_as_read(j->local, &j->local_read);
}

static int
append_to(struct arena *a, struct str path, struct str lines, struct err *err)
{
	bool is_cut;
	struct str last = log_read_tail(a, path.s, 1, &is_cut);

	/* A line that a killed process left half-written must not swallow the next one. */
	if (last.n > 0 && !str_is(last, "\n"))
		lines = str_cat(a, "\n", lines);
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
		lines = str_cat(a, local, lines);
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
