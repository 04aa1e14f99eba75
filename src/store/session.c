/* SPDX-License-Identifier: MIT */
/* The files of sessions. No fsync: a count lost to a power cut is accepted. */
#include "store/session.h"

#include "base/path.h"
#include "doc/json.h"
#include "model/event.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/counter.h"

#define CONTENT_BYTES KIB(4)

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

int
session_open(struct arena *a, struct str id, int64_t wait_ms, struct session *ret, struct err *err)
{
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };
	struct str text = STR("");
	struct node n;
	struct err ignored;

	if (open_file(a, id, wait_ms, true, &s.file, err) < 0 ||
	    locked_read(a, &s.file, CONTENT_BYTES, &text, err) < 0)
		return err_wrap(err, "the file of this session");
	if (text.n > 0 && json_parse(a, text, &n, &ignored) == 0) {
		s.tries = get_count(&n, "tries");
		s.blocks = get_count(&n, "blocks");
		s.reason = node_get_str(&n, "reason");
		s.definitions = node_get_str(&n, "definitions");
		s.is_told_untrusted = node_get_bool(&n, "told_untrusted");
	}
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
	json_add_member_int(&b, "blocks", s->blocks);
	if (s->reason.s)
		json_add_member(&b, "reason", s->reason);
	if (s->definitions.s)
		json_add_member(&b, "definitions", s->definitions);
	json_add_member_bool(&b, "told_untrusted", s->is_told_untrusted);
	buf_add(&b, STR("}\n"));
	return locked_overwrite(&s->file, buf_str(&b), err) < 0 ? err_wrap(err, "the file of this session")
								: 0;
}

void
session_close(struct session *s)
{
	locked_close(&s->file);
}

int
session_forget(struct arena *a, struct str id, struct err *err)
{
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	if (open_file(a, id, SESSION_LOCK_MS, false, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}
