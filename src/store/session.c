/* SPDX-License-Identifier: MIT */
/* The files of sessions. No fsync: a count lost to a power cut is accepted. */
#include "store/session.h"

#include "base/path.h"
#include "doc/json.h"
#include "model/event.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/counter.h"

#define CONTENT_BYTES KIB(8)
#define SESSIONS_MAX 100000

/* Of the state directory; absent without a home. */
static struct str
usual_path(struct arena *a, struct str id)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	return state.s ? str_fmt(a, STR_FMT "/holdfast/sessions/" STR_FMT ".json", STR_ARG(state),
				 STR_ARG(session_slug(a, id)))
		       : STR_NONE;
}

static int64_t
get_count(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT && value->integer > 0 ? value->integer : 0;
}

static int
open_file(struct arena *a, struct str id, int64_t wait_ms, bool creates, struct locked_file *ret,
	  struct err *err)
{
	struct locked_how how = { .creates = creates, .timeout_ms = (int)wait_ms };
	struct str path = usual_path(a, id);

	*err = (struct err){ 0 };
	if (path.s && (!creates || fs_make_parents(a, path, 0700, err) == 0) &&
	    locked_open(path.s, &how, ret, err) == 0 && !ret->is_read_only)
		return 0;
	if (path.s && err->code == ERR_BUSY)
		return -1;
	locked_close(ret);
	how.is_in_shared = true;
	return locked_open(counter_path(a, id, COUNTER_SESSION).s, &how, ret, err);
}

static void
read_text(struct arena *a, struct str text, struct session *s)
{
	struct node n;
	struct err ignored;

	if (text.n == 0 || json_parse(a, text, &n, &ignored) < 0)
		return;
	s->tries = get_count(&n, "tries");
	s->root = node_get_str(&n, "root");
	s->blocks = get_count(&n, "blocks");
	s->reason = node_get_str(&n, "reason");
	s->is_told_untrusted = node_get_bool(&n, "told_untrusted");
	s->is_told_of_loop = node_get_bool(&n, "told_of_loop");
}

int
session_open(struct arena *a, struct str id, bool creates, int64_t wait_ms, struct session *ret,
	     struct err *err)
{
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };
	struct str text = STR("");

	if (open_file(a, id, wait_ms, creates, &s.file, err) < 0 ||
	    (s.file.fd >= 0 && locked_read(a, &s.file, CONTENT_BYTES, &text, err) < 0))
		return err_wrap(err, "the file of this session");
	read_text(a, text, &s);
	*ret = s;
	s.file = LOCKED_NONE;
	return 0;
}

int
session_save(struct arena *a, const struct session *s, struct err *err)
{
	struct buf b = BUF(a, CONTENT_BYTES);

	buf_addc(&b, '{');
	json_add_member_int(&b, "tries", s->tries);
	if (s->root.s)
		json_add_member(&b, "root", s->root);
	json_add_member_int(&b, "blocks", s->blocks);
	if (s->reason.s)
		json_add_member(&b, "reason", s->reason);
	json_add_member_bool(&b, "told_untrusted", s->is_told_untrusted);
	json_add_member_bool(&b, "told_of_loop", s->is_told_of_loop);
	buf_add(&b, STR("}\n"));
	return locked_overwrite(&s->file, buf_str(&b), err) < 0 ? err_wrap(err, "the file of this session")
								: 0;
}

void
session_close(struct session *s)
{
	locked_close(&s->file);
}

/* Calls for each session that has used tries in the project, while its file is locked. */
static void
each_with_tries(struct arena *a, struct str root, void (*call)(struct arena *, struct session *, void *),
		void *context)
{
	struct str path = usual_path(a, STR("any"));
	struct str dir = path.s ? str_copy(a, path_parent(path)) : STR_NONE;
	struct fs_names names = { 0 };
	struct err ignored;

	if (!dir.s || fs_list(a, dir.s, SESSIONS_MAX, &names, &ignored) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		static const struct locked_how how = { .timeout_ms = SESSION_LOCK_MS };
		CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };
		struct str text = STR("");

		if (locked_open(path_join(a, dir, names.items[i]).s, &how, &s.file, &ignored) < 0 ||
		    s.file.fd < 0 || locked_read(a, &s.file, CONTENT_BYTES, &text, &ignored) < 0)
			continue;
		read_text(a, text, &s);
		if (s.tries > 0 && str_eq(s.root, root))
			call(a, &s, context);
	}
}

static void
take_most(struct arena *a, struct session *s, void *most)
{
	(void)a;
	if (s->tries > *(int64_t *)most)
		*(int64_t *)most = s->tries;
}

int64_t
sessions_most_tries(struct arena *a, struct str root)
{
	int64_t most = 0;

	each_with_tries(a, root, take_most, &most);
	return most;
}

static void
reset_tries(struct arena *a, struct session *s, void *context)
{
	struct err ignored;

	(void)context;
	s->tries = 0;
	(void)(session_save(a, s, &ignored) == 0);
}

void
sessions_reset_tries(struct arena *a, struct str root)
{
	each_with_tries(a, root, reset_tries, NULL);
}

int
session_forget(struct arena *a, struct str id, struct err *err)
{
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	if (open_file(a, id, SESSION_LOCK_MS, false, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}
