/* SPDX-License-Identifier: MIT */
/* The files of earlier definitions. Each is replaced as a whole, so that no lock is needed. */
#include "store/baseline.h"

#include "model/event.h"
#include "os/fs.h"
#include "store/prune.h"
#include "store/state_path.h"

#define OF_SESSIONS "definitions/sessions"
#define OF_FAILURES "definitions/failures"
#define LIMIT_BYTES MIB(1)

/* Keeps the text unless there is one already; *ret is the one that is kept then. Processes that are here at the same moment
 * replace each other's file, and none of them ever reads half of one. */
static int
keep_first(struct arena *a, struct str path, struct str text, struct str *ret, struct err *err)
{
	if (fs_read(a, path.s, LIMIT_BYTES, ret, err) < 0)
		return -1;
	if (ret->s || !text.s)
		return 0;
	*ret = text;
	return fs_make_parents(a, path, 0700, err) < 0 ? -1 : fs_replace_unsynced(a, path.s, text, 0600, err);
}

/* A directory for each session, so that all of its files can be found. */
static struct str
session_dir(struct arena *a, struct str session)
{
	return state_path(a, OF_SESSIONS, session_slug(a, session));
}

int
baseline_of_session(struct arena *a, struct str session, struct str root, struct str now, struct str *ret,
		    struct err *err)
{
	struct str dir = session_dir(a, session), before = now;

	*ret = now;
	if (!dir.s || session.n == 0)
		return 0;
	int result = keep_first(a, path_join(a, dir, project_slug(a, root)), now, ret, err);

	if (result == 0 && ret->s == before.s && before.s)
		sessions_prune(a); /* a session begins */
	else if (result == 0 && ret->s)
		session_mark_used(dir.s);
	return result;
}

int64_t
baseline_session_ns(struct arena *a, struct str session, struct str root)
{
	struct str dir = session_dir(a, session);
	struct fs_facts facts;

	return dir.s && session.n > 0 &&
			       fs_facts(path_join(a, dir, project_slug(a, root)).s, &facts) == FS_FILE
		       ? facts.written_ns
		       : 0;
}

int
baseline_forget_session(struct arena *a, struct str session, struct err *err)
{
	struct str dir = session_dir(a, session);

	return dir.s && session.n > 0 ? fs_remove_tree(dir.s, err) : 0;
}

struct str
baseline_of_failure(struct arena *a, struct str root)
{
	struct str path = state_path(a, OF_FAILURES, project_slug(a, root)), text = STR_NONE;

	return path.s && fs_read(a, path.s, LIMIT_BYTES, &text, IGNORED) == 0 ? text : STR_NONE;
}

int
baseline_keep_failure(struct arena *a, struct str root, struct str now, struct err *err)
{
	struct str path = state_path(a, OF_FAILURES, project_slug(a, root)), ignored;

	return path.s ? keep_first(a, path, now, &ignored, err) : 0;
}

int
baseline_forget_failure(struct arena *a, struct str root, struct err *err)
{
	struct str path = state_path(a, OF_FAILURES, project_slug(a, root));

	return path.s ? fs_remove(path.s, err) : 0;
}

void
baseline_accept(struct arena *a, struct str root, struct str now)
{
	struct str dir = state_path(a, OF_SESSIONS, STR("")), slug = project_slug(a, root);
	struct str_list sessions = { 0 };

	if (baseline_of_failure(a, root).s && baseline_forget_failure(a, root, IGNORED) == 0)
		(void)(baseline_keep_failure(a, root, now, IGNORED) == 0);
	if (!dir.s || fs_list(a, dir.s, FS_NO_LIMIT, &sessions, IGNORED) < 0)
		return;
	for (size_t i = 0; i < sessions.count; i++) {
		struct str session = path_join(a, dir, sessions.items[i]);

		(void)(fs_remove(path_join(a, session, slug).s, IGNORED) == 0);
	}
}
