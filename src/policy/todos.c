/* SPDX-License-Identifier: MIT */
/* Open items of the agent's own todo list hold it back. The list is the agent's: what it says is believed, and a list that does not
 * change holds the agent back only as often as `tries` says. The count is written before the block that it bounds; without a
 * reliable count there is no block. */
#include "policy/policies.h"

#include "base/escapes.h"
#include "client/todos.h"
#include "doc/json.h"
#include "os/fs.h"
#include "os/locked.h"
#include "policy/block_limit.h"
#include "store/session.h"
#include "store/state_path.h"

#include <inttypes.h>

#define FILE_BYTES KIB(512)
#define SHOWN_MAX 20

/* What is known of a session's list, in a file of its own. */
struct todo_file {
	struct locked_file file;
	struct todos todos;
	struct str list; /* a hash of the prompt and of what was open at the last block */
	int64_t blocks;  /* in a row because of it */
	bool is_unwritten; /* it can't be kept: the list is read from its start each time, and blocks can't be counted */
};

static struct str
path_of(struct arena *a, struct str session)
{
	return state_path(a, "todos", str_fmt(a, STR_FMT ".json", STR_ARG(session_slug(a, session))));
}

static void
open_file(struct stop_context *s, struct todo_file *f)
{
	struct locked_how how = { .creates = !s->is_dry,
				  .timeout_ms = (int)stop_wait_ms(s, SESSION_LOCK_MS) };
	struct str path = path_of(s->arena, stop_owner(s, project_root(&s->where))), text = STR("");
	struct err ignored;
	struct node n;

	f->file = LOCKED_NONE;
	f->is_unwritten = !path.s || (!s->is_dry && fs_make_parents(s->arena, path, 0700, &ignored) < 0) ||
			  locked_open(path.s, &how, &f->file, &ignored) < 0 ||
			  (!s->is_dry && f->file.is_read_only);
	if (f->is_unwritten || f->file.fd < 0 ||
	    locked_read(s->arena, &f->file, FILE_BYTES, &text, &ignored) < 0 || text.n == 0 ||
	    json_parse(s->arena, text, &n, &ignored) < 0)
		return;
	const struct node *blocks = node_get(&n, "blocks");

	f->todos = todos_of(s->arena, &n);
	f->list = node_get_str(&n, "list");
	f->blocks = blocks && blocks->kind == NODE_INT && blocks->integer > 0 ? blocks->integer : 0;
}

static int
save_file(struct stop_context *s, const struct todo_file *f, struct err *err)
{
	struct buf b = BUF(s->arena, FILE_BYTES);

	if (s->is_dry)
		return 0;
	if (f->is_unwritten)
		return err_set(err, ERR_VALUE, "its file can't be written");
	buf_addc(&b, '{');
	todos_add_members(&b, &f->todos);
	if (f->list.s)
		json_add_member(&b, "list", f->list);
	json_add_member_int(&b, "blocks", f->blocks);
	buf_add(&b, STR("}\n"));
	return locked_overwrite(&f->file, buf_str(&b), err);
}

/* Fails with the reason where this client's list can't be read. */
static int
read_list(struct stop_context *s, struct todo_file *f, struct err *err)
{
	const struct client *client = s->event->client ? s->event->client : client_default;
	const char *path;

	if (client->transcript_line != claude_transcript_line)
		return err_set(err, ERR_VALUE, "the transcript of %s has another format", client->title);
	if (s->event->transcript_path.n == 0)
		return err_set(err, ERR_VALUE, "the event names no transcript");
	if (str_cz(s->arena, s->event->transcript_path, &path, err) < 0)
		return -1;
	return todos_read(s->arena, path, &f->todos, err);
}

static struct open_todos
open_of(struct stop_context *s, const struct todos *t)
{
	struct buf b = BUF(s->arena, SIZE_MAX);
	struct open_todos o = { 0 };

	for (size_t i = 0; i < t->count; i++) {
		const struct todo *item = &t->items[i];

		if (item->is_owned || ++o.count > SHOWN_MAX)
			continue;
		buf_addf(&b, "- " STR_FMT STR_FMT "%s" STR_FMT "\n", STR_ARG(item->id.s ? STR("#") : STR("")),
			 STR_ARG(item->id.s ? strip_escapes_line(s->arena, item->id) : STR("")),
			 item->id.s ? " " : "",
			 STR_ARG(item->text.s ? strip_escapes_line(s->arena, item->text) : STR("")));
	}
	if (o.count > SHOWN_MAX)
		buf_addf(&b, "- and %zu more\n", o.count - SHOWN_MAX);
	o.text = str_trim(buf_str(&b));
	return o;
}

struct str
todos_in_words(struct arena *a, size_t count)
{
	return str_fmt(a, "%zu item%s of your todo list %s open", count, count == 1 ? "" : "s",
		       count == 1 ? "is" : "are");
}

static struct open_todos
look(struct stop_context *s, struct todo_file *f)
{
	struct err err;

	open_file(s, f);
	if (read_list(s, f, &err) < 0)
		return (struct open_todos){
			.problem = str_fmt(s->arena, "the agent's todo list can't be read: %s", err.msg)
		};
	return open_of(s, &f->todos);
}

struct open_todos
todos_look(struct stop_context *s)
{
	struct todo_file f = { 0 };
	struct open_todos o = look(s, &f);
	struct err ignored;

	if (!o.problem.s)
		(void)(save_file(s, &f, &ignored) == 0); /* else the next stop reads more */
	locked_close(&f.file);
	return o;
}

static struct verdict
allow(struct stop_context *s, size_t count, const char *why)
{
	return (struct verdict){ .status = STATUS_TODOS_LEFT,
				 .message = str_fmt(s->arena, "%zu of the agent's todos %s open, and %s",
						    count, count == 1 ? "is" : "are", why) };
}

/* The same list at the same prompt. */
static struct str
list_hash(struct stop_context *s, const struct open_todos *o)
{
	return str_fmt(s->arena, "%016" PRIx64,
		       str_hash(str_hash(STR_HASH_START, s->event->prompt_id), o->text));
}

static struct verdict
decide(struct stop_context *s, struct todo_file *f)
{
	struct open_todos o = look(s, f);
	int64_t most = s->conclaude->tries;
	struct err err = { 0 };

	if (o.problem.s)
		return (struct verdict){ .status = STATUS_TODOS_UNKNOWN, .message = o.problem };
	struct str list = list_hash(s, &o);
	int64_t before = str_eq(list, f->list) ? f->blocks : 0;
	bool waits = s->event->background_tasks + s->event->wake_ups > 0;
	bool blocks = o.count > 0 && !waits && before < most;

	f->list = list;
	f->blocks = blocks ? before + 1 : before;
	if (save_file(s, f, &err) < 0 && blocks)
		return allow(s, o.count, str_fmt(s->arena, "the block can't be counted: %s", err.msg).s);
	if (o.count == 0)
		return (struct verdict){ .status = STATUS_TODOS_DONE };
	if (waits)
		return allow(s, o.count, "the agent waits for a background task or a scheduled wake-up");
	if (!blocks)
		return allow(s, o.count,
			     str_fmt(s->arena, "the list is the same as at the last %" PRId64 " block%s",
				     before, before == 1 ? "" : "s")
				     .s);
	return (struct verdict){
		.status = STATUS_TODOS_OPEN,
		.message = str_fmt(s->arena, "%zu of the agent's todos %s open", o.count,
				   o.count == 1 ? "is" : "are"),
		.reason = str_fmt(
			s->arena,
			STR_FMT
			":\n\n" STR_FMT
			"\n\nFinish what is open, and mark it as completed. Remove what is no longer to be "
			"done. If an item needs the user, remove it from the list and say in your answer "
			"what you need.",
			STR_ARG(todos_in_words(s->arena, o.count)), STR_ARG(o.text)),
		.number = (uint64_t)f->blocks,
		.of = (uint64_t)most,
	};
}

bool
todos_policy(struct stop_context *s, struct verdict *ret)
{
	struct todo_file f = { 0 };

	if (!s->conclaude || !s->conclaude->needs_todos_done || !s->is_main)
		return false;
	*ret = decide(s, &f);
	locked_close(&f.file);
	return true;
}

int
todos_forget(struct arena *a, struct str session, struct err *err)
{
	static const struct locked_how how = { .timeout_ms = SESSION_LOCK_MS };
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;
	struct str path = path_of(a, session);

	if (!path.s)
		return 0;
	if (locked_open(path.s, &how, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}
