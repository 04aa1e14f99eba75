/* SPDX-License-Identifier: MIT */
/* Open items of the agent's own todo list hold it back. The list is the agent's: what it says is believed, and a list that does not
 * change holds the agent back only as often as `tries` says. One that does change has a limit too, so that the policies after this
 * one get their turn. The count is written before the block that it bounds; without a reliable count there is no block. */
#include "policy/policies.h"

#include "client/todos.h"
#include "doc/json.h"
#include "os/fs.h"
#include "os/locked.h"
#include "store/state_path.h"

#include <inttypes.h>

/* TODOS_MAX items fit, with an id and a text of TODO_BYTES that JSON makes six times as long. */
#define FILE_BYTES MIB(2)
#define SHOWN_MAX 20
/* At one prompt, in times of `tries`, however the list changes. */
#define PROMPT_TIMES 3
/* Of the blocks in a row, whoever blocked: the rest is for the gates. */
#define ROW_MAX (BLOCKS_MAX / 2)

/* What is known of a session's list, in a file of its own. */
struct todo_file {
	struct locked_file file;
	struct todos todos;
	struct str list;       /* a hash of the prompt and of what was open at the last block */
	int64_t blocks;        /* in a row because of it */
	struct str prompt;     /* a hash of its id */
	int64_t prompt_blocks; /* since that prompt, whatever was open */
	bool is_unwritten; /* it can't be kept: the list is read from its start each time, and blocks can't be counted */
};

static struct str
path_of(struct arena *a, struct str session)
{
	return state_path(a, "todos", str_cat(a, session_slug(a, session), ".json"));
}

static void
open_file(struct stop_context *s, struct todo_file *f)
{
	struct locked_how how = { .creates = !s->is_dry,
				  .timeout_ms = (int)stop_wait_ms(s, SESSION_LOCK_MS) };
	struct str path = path_of(s->arena, stop_owner(s, project_root(&s->where))), text = STR("");
	struct node n;

	f->file = LOCKED_NONE;
	f->is_unwritten = !path.s || (!s->is_dry && fs_make_parents(s->arena, path, 0700, IGNORED) < 0) ||
			  locked_open(path.s, &how, &f->file, IGNORED) < 0 ||
			  (!s->is_dry && f->file.is_read_only);
	if (f->is_unwritten || f->file.fd < 0 ||
	    locked_read(s->arena, &f->file, FILE_BYTES, &text, IGNORED) < 0 || text.n == 0 ||
	    json_parse(s->arena, text, &n, IGNORED) < 0)
		return;
	f->todos = todos_of(s->arena, &n);
	f->list = node_get_str(&n, "list");
	f->blocks = node_get_count(&n, "blocks", INT64_MAX);
	f->prompt = node_get_str(&n, "prompt");
	f->prompt_blocks = node_get_count(&n, "prompt_blocks", INT64_MAX);
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
	json_add(&b, "list", f->list, "blocks", f->blocks, "prompt", f->prompt, "prompt_blocks",
		 f->prompt_blocks);
	json_close(&b, "}\n");
	if (b.is_cut)
		return err_set(err, ERR_VALUE, "the list is too long");
	return locked_overwrite(&f->file, buf_str(&b), err);
}

/* Fails with the reason where this client's list can't be read. */
static int
read_list(struct stop_context *s, struct todo_file *f, struct err *err)
{
	const struct client *client = s->event->client ? s->event->client : client_default;
	const char *path;

	if (client->transcript != &claude_transcript)
		return err_set(err, ERR_VALUE, "the transcript of %s has another format", client->title);
	if (s->event->transcript_path.n == 0)
		return err_set(err, ERR_VALUE, "the event names no transcript");
	if (str_cz(s->arena, s->event->transcript_path, &path, err) < 0)
		return -1;
	return todos_read(s->arena, path, &f->todos, err);
}

static struct open_todos
look(struct stop_context *s, struct todo_file *f)
{
	struct buf b = BUF(s->arena, SIZE_MAX);
	struct open_todos o = { 0 };
	struct err err;

	open_file(s, f);
	if (read_list(s, f, &err) < 0) {
		o.problem = str_cat(s->arena, "the agent's todo list can't be read: ", err.msg);
		return o;
	}
	for_each (item, f->todos.items, f->todos.count) {
		if (item->is_owned || ++o.count > SHOWN_MAX)
			continue;
		buf_cat(&b, "- ", item->id.s ? "#" : "", strip_escapes_line(s->arena, item->id),
			item->id.s ? " " : "", strip_escapes_line(s->arena, item->text), "\n");
	}
	if (o.count > SHOWN_MAX)
		buf_cat(&b, "- and ", o.count - SHOWN_MAX, " more\n");
	o.text = str_trim(buf_str(&b));
	return o;
}

struct str
todos_in_words(struct arena *a, size_t count)
{
	return str_cat(a, count, " item", count == 1 ? "" : "s", " of your todo list ",
		       count == 1 ? "is" : "are", " open");
}

struct open_todos
todos_look(struct stop_context *s)
{
	struct todo_file f = { 0 };
	struct open_todos o = look(s, &f);

	if (!o.problem.s)
		(void)(save_file(s, &f, IGNORED) == 0); /* else the next stop reads more */
	locked_close(&f.file);
	return o;
}

static struct verdict
allow(struct stop_context *s, size_t count, const char *why)
{
	return verdict_of(STATUS_TODOS_LEFT, str_cat(s->arena, count, " of the agent's todos ",
						     count == 1 ? "is" : "are", " open, and ", why));
}

/* Why open items do not block any more; absent: they do. */
static struct str
why_enough(struct stop_context *s, const struct todo_file *f, int64_t row)
{
	int64_t most = s->policies->tries;

	if (s->event->background_tasks + s->event->wake_ups > 0)
		return STR("the agent waits for a background task or a scheduled wake-up");
	if (f->blocks >= most)
		return str_cat(s->arena, "the list is the same as at the last ", f->blocks, " block",
			       f->blocks == 1 ? "" : "s");
	if (f->prompt_blocks / PROMPT_TIMES >= most)
		return str_cat(s->arena, "the list has blocked ", f->prompt_blocks,
			       " times since the last prompt");
	if (row >= ROW_MAX)
		return str_cat(s->arena, row, " stops in a row were blocked");
	return STR_NONE;
}

static struct verdict
decide(struct stop_context *s, struct todo_file *f)
{
	CLEANUP(session_close) struct session session = { .file = LOCKED_NONE };
	struct open_todos o = look(s, f);
	int64_t row = 0;
	struct err err;

	if (o.problem.s)
		return verdict_of(STATUS_TODOS_UNKNOWN, o.problem);
	/* If the blocks in a row can't be read, their limit allows the stop. */
	if (o.count > 0 && stop_session(s, project_root(&s->where), false, &session, &err) == 0)
		row = session.blocks;
	session_close(&session);
	/* Counts from zero what is about another prompt, or another list. */
	uint64_t hash = str_hash(STR_HASH_START, s->event->prompt_id);
	struct str prompt = str_fmt(s->arena, "%016" PRIx64, hash);
	struct str list = str_fmt(s->arena, "%016" PRIx64, str_hash(hash, o.text));

	if (!str_eq(list, f->list))
		f->blocks = 0;
	/* Without an id, a stop that was allowed ends the turn. */
	if (!str_eq(prompt, f->prompt) || (s->event->prompt_id.n == 0 && row == 0))
		f->prompt_blocks = 0;
	f->list = list;
	f->prompt = prompt;
	struct str enough = why_enough(s, f, row);
	bool blocks = o.count > 0 && !enough.s;

	f->blocks += blocks;
	f->prompt_blocks += blocks;
	if (save_file(s, f, &err) < 0 && blocks)
		return allow(s, o.count, str_cat(s->arena, "the block can't be counted: ", err.msg).s);
	if (o.count == 0)
		return verdict_of(STATUS_TODOS_DONE, STR_NONE);
	if (!blocks)
		return allow(s, o.count, enough.s);
	return (struct verdict){
		.status = STATUS_TODOS_OPEN,
		.message = str_cat(s->arena, o.count, " of the agent's todos ", o.count == 1 ? "is" : "are",
				   " open"),
		.reason = str_cat(s->arena, todos_in_words(s->arena, o.count), ":\n\n", o.text,
				  "\n\nFinish what is open, and mark it as completed. Remove what is no "
				  "longer to be done. If an item needs the user, remove it from the list and "
				  "say in your answer what you need."),
		.number = (uint64_t)f->blocks,
		.of = (uint64_t)s->policies->tries,
	};
}

bool
todos_policy(struct stop_context *s, struct verdict *ret)
{
	struct todo_file f = { 0 };

	if (!s->policies || !s->policies->todos.s || !s->is_main)
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
	return locked_open(path.s, &how, &file, err) < 0 ? -1 : locked_remove(&file, err);
}
