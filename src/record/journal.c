/* SPDX-License-Identifier: MIT */
/* The journal as a file, and a small file beside it. What the journal's lines mean is record.c's. */
#include "record/journal.h"

#include "doc/json.h"
#include "model/event.h"
#include "os/fs.h"
#include "os/locked.h"
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

	return fs_read(a, j->local.s, JOURNAL_LIMIT_BYTES, &text, IGNORED) == 0 ? complete_lines(text)
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
	*ret_is_local = append_to_main(a, j, lines, IGNORED) < 0;
	j->is_ready &= !*ret_is_local;
	return *ret_is_local ? append_to(a, j->local, lines, err) : 0;
}

int
journal_replace(struct arena *a, const struct journal *j, struct str lines, struct err *err)
{
	if (!j->path.s)
		return err_set(err, ERR_VALUE, "there is no home directory to keep results in");
	if (fs_replace_unsynced(a, j->path.s, lines, 0600, err) < 0)
		return -1;
	(void)(fs_remove(j->local.s, IGNORED) == 0);
	return 0;
}

/* ---- where work started: a JSON object of branch or session and commit. It may be lost without harm: then the next prompt
 * notes where it is. ---- */

#define FILE_NAME "starts.json"
#define FILE_BYTES KIB(64)
#define LOCK_MS 1000
/* Branches in the file, and sessions; the oldest goes first. */
#define ENTRIES_MAX 150
#define SESSION "session:"

/* What the file says; without members where it can't be read. */
static struct node
parse(struct arena *a, struct str text)
{
	struct node n;

	return text.n > 0 && json_parse(a, text, &n, IGNORED) == 0 && n.kind == NODE_MAP ? n : node_map(a, 0);
}

struct str
start_key_of_session(struct arena *a, struct str session)
{
	return session.n > 0 ? str_cat(a, SESSION, session_slug(a, session)) : STR_NONE;
}

struct str
start_commit(struct arena *a, struct str root, struct str branch)
{
	struct str file = journal_beside(a, root, FILE_NAME), text;

	if (!file.s || fs_read(a, file.s, FILE_BYTES, &text, IGNORED) < 0)
		return STR_NONE;
	struct node n = parse(a, text);

	for (size_t i = 0; i < n.count; i++)
		if (str_eq(n.entries[i].key, branch) && n.entries[i].value.kind == NODE_STRING)
			return n.entries[i].value.text;
	return STR_NONE;
}

int
start_note(struct arena *a, struct str root, struct str branch, struct str commit, bool replaces,
	   struct err *err)
{
	static const struct locked_how how = { .creates = true, .timeout_ms = LOCK_MS };
	CLEANUP(locked_close) struct locked_file f = LOCKED_NONE;
	struct str file = journal_beside(a, root, FILE_NAME), known = start_commit(a, root, branch), text;
	struct buf b = BUF(a, FILE_BYTES);

	if (!file.s || str_eq(known, commit) || (known.s && !replaces))
		return 0;
	if (fs_make_parents(a, file, 0700, err) < 0 || locked_open(file.s, &how, &f, err) < 0 ||
	    locked_read(a, &f, FILE_BYTES, &text, err) < 0)
		return err_wrap(err, STR_FMT, STR_ARG(file));
	struct node old = parse(a, text), new = node_map(a, old.count + 1);
	bool is_session = str_starts(branch, STR(SESSION));
	size_t alike = 0;

	for (size_t i = 0; i < old.count; i++)
		alike += str_starts(old.entries[i].key, STR(SESSION)) == is_session;
	for (size_t i = 0; i < old.count; i++) {
		bool is_oldest = alike >= ENTRIES_MAX &&
				 str_starts(old.entries[i].key, STR(SESSION)) == is_session;

		alike -= is_oldest;
		if (!is_oldest && !str_eq(old.entries[i].key, branch) &&
		    old.entries[i].value.kind == NODE_STRING)
			node_add(&new, old.entries[i].key, old.entries[i].value);
	}
	node_add(&new, branch, (struct node){ .kind = NODE_STRING, .text = commit });
	json_add_node(&b, &new);
	buf_addc(&b, '\n');
	return locked_overwrite(&f, buf_str(&b), err) < 0 ? err_wrap(err, STR_FMT, STR_ARG(file)) : 0;
}
