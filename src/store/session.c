/* SPDX-License-Identifier: MIT */
/* The files of sessions. No fsync: a count lost to a power cut is accepted. */
#include "store/session.h"

#include "doc/json.h"
#include "model/event.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/state_path.h"

#include <string.h>

#define DIRECTORY "sessions"
/* With the longest paths of so many projects. */
#define CONTENT_BYTES KIB(512)
#define SESSIONS_MAX 100000

static const char *const told_keys[TOLD_COUNT] = {
	[TOLD_UNTRUSTED] = "told_untrusted",
	[TOLD_OF_LOOP] = "told_of_loop",
	[TOLD_OF_GUARDS] = "told_of_guards",
};

struct str
session_shared_dir(void)
{
	return env_has("CONCLAUDE_STATE_DIR") ? env_get("CONCLAUDE_STATE_DIR") : STR("/tmp");
}

struct str
session_shared_path(struct arena *a, struct str id, const char *name)
{
	return path_join(a, session_shared_dir(), str_cat(a, "conclaude-", session_slug(a, id), ".", name));
}

static int
open_file(struct arena *a, struct str id, int64_t wait_ms, bool creates, struct locked_file *ret,
	  struct err *err)
{
	struct locked_how how = { .creates = creates, .timeout_ms = (int)wait_ms };
	struct str path = state_path(a, DIRECTORY, str_cat(a, session_slug(a, id), ".json"));

	*err = (struct err){ 0 };
	if (path.s && (!creates || fs_make_parents(a, path, 0700, err) == 0) &&
	    locked_open(path.s, &how, ret, err) == 0 && !ret->is_read_only)
		return 0;
	if (path.s && err->code == ERR_BUSY)
		return -1;
	locked_close(ret);
	how.is_in_shared = true;
	return locked_open(session_shared_path(a, id, "session").s, &how, ret, err);
}

/* What the file says, where there is one. */
static int
read_file(struct arena *a, struct session *s, struct err *err)
{
	struct str text = STR("");
	struct node n;

	if (s->file.fd >= 0 && locked_read(a, &s->file, CONTENT_BYTES, &text, err) < 0)
		return -1;
	if (text.n == 0 || json_parse(a, text, &n, IGNORED) < 0)
		return 0;
	const struct node *tries = node_get_list(&n, "tries");

	for (size_t i = 0; i < tries->count && i < SESSION_PROJECTS; i++)
		s->tries[s->tries_count++] = (struct session_tries){
			node_get_str(&tries->items[i], "project"),
			node_get_count(&tries->items[i], "used", INT64_MAX)
		};
	s->blocks = node_get_count(&n, "blocks", INT64_MAX);
	s->reason = node_get_str(&n, "reason");
	for (int i = 0; i < TOLD_COUNT; i++)
		s->is_told[i] = node_get_bool(&n, told_keys[i]);
	return 0;
}

int
session_open(struct arena *a, struct str id, bool creates, int64_t wait_ms, struct session *ret,
	     struct err *err)
{
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

	if (open_file(a, id, wait_ms, creates, &s.file, err) < 0 || read_file(a, &s, err) < 0)
		return err_wrap(err, "the file of this session");
	*ret = s;
	s.file = LOCKED_NONE;
	return 0;
}

int
session_save(struct arena *a, const struct session *s, struct err *err)
{
	struct buf b = BUF(a, CONTENT_BYTES);

	json_open(&b, NULL, '{');
	json_open(&b, "tries", '[');
	for (size_t i = 0; i < s->tries_count; i++)
		if (s->tries[i].used > 0)
			json_add_object(&b, NULL, "project", s->tries[i].project, "used", s->tries[i].used);
	json_close(&b, "]");
	json_add(&b, "blocks", s->blocks, "reason", s->reason);
	for (int i = 0; i < TOLD_COUNT; i++)
		json_add(&b, told_keys[i], s->is_told[i]);
	json_close(&b, "}\n");
	return locked_overwrite(&s->file, buf_str(&b), err) < 0 ? err_wrap(err, "the file of this session")
								: 0;
}

int64_t *
session_tries(struct session *s, struct str root)
{
	for (size_t i = 0; i < s->tries_count; i++)
		if (str_eq(s->tries[i].project, root))
			return &s->tries[i].used;
	if (s->tries_count == SESSION_PROJECTS)
		memmove(s->tries, s->tries + 1, --s->tries_count * sizeof(s->tries[0]));
	s->tries[s->tries_count] = (struct session_tries){ .project = root };
	return &s->tries[s->tries_count++].used;
}

void
session_close(struct session *s)
{
	locked_close(&s->file);
}

int64_t
sessions_most_tries(struct arena *a, struct str root, bool resets)
{
	struct str dir = state_path(a, DIRECTORY, STR(""));
	struct str_list names = { 0 };
	int64_t most = 0;

	if (!dir.s || fs_list(a, dir.s, SESSIONS_MAX, &names, IGNORED) < 0)
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		static const struct locked_how how = { .timeout_ms = SESSION_LOCK_MS };
		CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

		if (locked_open(path_join(a, dir, names.items[i]).s, &how, &s.file, IGNORED) < 0 ||
		    read_file(a, &s, IGNORED) < 0)
			continue;
		int64_t *tries = session_tries(&s, root), used = *tries;

		most = used > most ? used : most;
		*tries = 0;
		if (resets && used > 0)
			(void)(session_save(a, &s, IGNORED) == 0);
	}
	return most;
}

int
session_forget(struct arena *a, struct str id, struct err *err)
{
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	return open_file(a, id, SESSION_LOCK_MS, false, &file, err) < 0 ? -1 : locked_remove(&file, err);
}
