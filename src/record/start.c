/* SPDX-License-Identifier: MIT */
/* The file is a JSON object: branch or session, commit. It may be lost without harm: then the next prompt notes where it is. */

#include "doc/json.h"
#include "model/event.h"
#include "os/fs.h"
#include "os/locked.h"
#include "record/journal.h"

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
	struct err ignored;

	return text.n > 0 && json_parse(a, text, &n, &ignored) == 0 && n.kind == NODE_MAP ? n
											  : node_map(a, 0);
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
	struct err ignored;

	if (!file.s || fs_read(a, file.s, FILE_BYTES, &text, &ignored) < 0)
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
