/* SPDX-License-Identifier: MIT */
/* Reads todo lists backwards: what is said of an item last holds. A call counts unless its result says that it failed, and
 * a result counts once its call is seen to be one of these tools: what other tools answer is no list. */
#include "client/todos.h"

#include "base/utf8.h"
#include "doc/json.h"

#include <inttypes.h>

/* Distinct tasks in the lines of one reading. */
#define TASKS_MAX 2000
/* Results that wait for their calls. A call is in a line shortly before its result: of more results, the newest are dropped. */
#define HELD_MAX 200
/* Of a result's text. */
#define ANSWER_BYTES 1000

/* A line with none of these has nothing about todos. */
static const struct str words[] = {
	STR("\"TodoWrite\""),     STR("\"TaskCreate\""),     STR("\"TaskList\""), STR("\"newTodos\""),
	STR("\"TaskUpdate\""),    STR("\"taskId\""),         STR("\"tasks\""),    STR("created successfully"),
	STR("\"is_error\":true"), STR("\"is_error\": true"),
};

/* A task, and what newer lines have said of it. */
struct task {
	struct todo todo;
	bool is_open, has_status, has_owner;
	bool is_begun; /* older lines are about another task with this id */
};

/* A result whose call is not yet seen. */
struct held {
	uint64_t call; /* a hash of its id */
	bool has_failed;
	struct str answer;
	struct node
		result; /* what the client adds; null where it says nothing of todos, or several results share it */
	struct arena arena;
};

struct reading {
	struct arena *arena;
	struct task *tasks; /* the newest first */
	size_t task_count;
	bool is_listed; /* TaskList has shown all: older lines say nothing new */
	struct todo *items;
	size_t item_count;
	bool has_items;             /* of TodoWrite */
	struct held held[HELD_MAX]; /* a ring */
	size_t held_count;          /* of all that were ever held */
};

static bool
is_open(struct str status)
{
	return str_is(status, "pending") || str_is(status, "in_progress");
}

static struct str
text_of(struct arena *a, struct str text)
{
	return text.s ? str_copy(a, utf8_head(str_trim(text), TODO_BYTES)) : STR_NONE;
}

/* An id is a string, in some versions a number. */
static struct str
id_in(struct arena *a, const struct node *n, const char *key)
{
	const struct node *id = node_get(n, key);

	if (id && id->kind == NODE_INT)
		return str_fmt(a, "%" PRId64, id->integer);
	return id && id->kind == NODE_STRING && id->text.n > 0 && id->text.n <= TODO_BYTES
		       ? str_copy(a, id->text)
		       : STR_NONE;
}

/* The task, if older lines still say something of it; else NULL. */
static struct task *
task_of(struct reading *r, struct str id)
{
	if (!id.s || r->is_listed)
		return NULL;
	for (size_t i = 0; i < r->task_count; i++)
		if (str_eq(r->tasks[i].todo.id, id))
			return r->tasks[i].is_begun ? NULL : &r->tasks[i];
	if (r->task_count == TASKS_MAX)
		return NULL;
	if (!r->tasks)
		r->tasks = arena_array(r->arena, TASKS_MAX, struct task);
	struct task *t = &r->tasks[r->task_count++];

	*t = (struct task){ .todo.id = id };
	return t;
}

static void
set_status(struct task *t, struct str status)
{
	if (t->has_status || status.n == 0)
		return;
	t->has_status = true;
	t->is_open = is_open(status);
}

static void
set_text(struct reading *r, struct task *t, struct str text)
{
	if (!t->todo.text.s)
		t->todo.text = text_of(r->arena, text);
}

static void
begin_task(struct reading *r, struct str id, struct str subject, struct str status)
{
	struct task *t = task_of(r, id);

	if (!t)
		return;
	set_text(r, t, subject);
	set_status(t, status);
	t->is_begun = true;
}

/* ---- results ---- */

static const struct str created = STR("Task #");

/* "Task #7 created successfully: Write the parser" */
static void
read_created(struct reading *r, struct str text)
{
	static const struct str middle = STR(" created successfully: ");
	ptrdiff_t at = str_find(text, middle);

	if (!str_starts(text, created) || at < (ptrdiff_t)created.n || (size_t)at - created.n > TODO_BYTES)
		return;
	begin_task(r, str_copy(r->arena, str_sub(text, created.n, (size_t)at)),
		   str_sub(text, (size_t)at + middle.n, text.n), STR("pending"));
}

static void
read_list(struct reading *r, const struct node *list)
{
	if (r->is_listed || !list || list->kind != NODE_LIST)
		return;
	for (size_t i = 0; i < list->count; i++) {
		struct task *t = task_of(r, id_in(r->arena, &list->items[i], "id"));

		if (t && !t->has_owner) {
			t->has_owner = true;
			t->todo.is_owned = node_get_str(&list->items[i], "owner").n > 0;
		}
		begin_task(r, id_in(r->arena, &list->items[i], "id"),
			   node_get_str(&list->items[i], "subject"), node_get_str(&list->items[i], "status"));
	}
	r->is_listed = true;
}

static void
read_items(struct reading *r, const struct node *list)
{
	if (r->has_items || !list || list->kind != NODE_LIST)
		return;
	r->has_items = true;
	r->items = arena_array(r->arena, list->count + 1, struct todo);
	for (size_t i = 0; i < list->count; i++)
		if (is_open(node_get_str(&list->items[i], "status")))
			r->items[r->item_count++] = (struct todo){
				.text = text_of(r->arena, node_get_str(&list->items[i], "content"))
			};
}

static bool
has_failed(const struct node *block, const struct node *result)
{
	const struct node *success = node_get(result, "success");

	return node_get_bool(block, "is_error") ||
	       (success && success->kind == NODE_BOOL && !success->boolean);
}

static bool
is_about_todos(const struct node *result)
{
	return node_get(result, "tasks") || node_get(result, "task") || node_get(result, "taskId") ||
	       node_get(result, "newTodos");
}

static struct held *
hold(struct reading *r, struct str call)
{
	struct held *h = &r->held[r->held_count++ % HELD_MAX];

	arena_free(&h->arena);
	*h = (struct held){ .call = str_hash(STR_HASH_START, call) };
	return h;
}

/* A line with the results of tools. What the client adds to it is about one of them: with several it is not known which. */
static void
hold_results(struct reading *r, const struct node *line, struct arena *of_line)
{
	const struct node *blocks = node_get(node_get(line, "message"), "content");
	const struct node *result = node_get(line, "toolUseResult");
	bool is_list = blocks && blocks->kind == NODE_LIST, is_one = is_list && blocks->count == 1;

	/* The last result is the newest. */
	for (size_t i = is_list ? blocks->count : 0; i-- > 0;) {
		const struct node *b = &blocks->items[i];

		if (!str_is(node_get_str(b, "type"), "tool_result"))
			continue;
		struct str answer = utf8_head(node_get_str(b, "content"), ANSWER_BYTES);
		bool is_failure = has_failed(b, is_one ? result : NULL);
		bool has_result = !is_failure && is_one && is_about_todos(result);

		if (!is_failure && !has_result && !str_starts(answer, created))
			continue;
		struct held *h = hold(r, node_get_str(b, "tool_use_id"));

		h->has_failed = is_failure;
		if (has_result) {
			h->result = *result;
			h->arena = *of_line;
			*of_line = (struct arena){ 0 };
		}
		h->answer = str_copy(&h->arena, answer);
	}
}

/* ---- calls ---- */

static const struct held *
result_of(const struct reading *r, struct str call)
{
	uint64_t hash = str_hash(STR_HASH_START, call);

	for (size_t i = 0; i < HELD_MAX && i < r->held_count; i++)
		if (r->held[i].call == hash)
			return &r->held[i];
	return NULL;
}

static void
read_update(struct reading *r, const struct node *input, const struct node *result)
{
	struct task *t = task_of(r, id_in(r->arena, result, "taskId"));

	if (t)
		set_status(t, node_get_str(node_get(result, "statusChange"), "to"));
	t = task_of(r, id_in(r->arena, input, "taskId"));
	if (!t)
		return;
	set_status(t, node_get_str(input, "status"));
	set_text(r, t, node_get_str(input, "subject"));
	if (!t->has_owner && node_get(input, "owner")) {
		t->has_owner = true;
		t->todo.is_owned = node_get_str(input, "owner").n > 0;
	}
}

static void
read_call(struct reading *r, const struct node *call)
{
	const struct held *h = result_of(r, node_get_str(call, "id"));
	const struct node *input = node_get(call, "input"), *result = h ? &h->result : NULL;
	struct str name = node_get_str(call, "name");

	if (h && h->has_failed)
		return;
	if (str_is(name, "TodoWrite")) {
		read_items(r, node_get(result, "newTodos"));
		read_items(r, node_get(input, "todos"));
	} else if (str_is(name, "TaskList")) {
		read_list(r, node_get(result, "tasks"));
	} else if (str_is(name, "TaskCreate")) {
		const struct node *task = node_get(result, "task");

		if (h)
			read_created(r, h->answer);
		begin_task(r, id_in(r->arena, task, "id"), node_get_str(task, "subject"), STR("pending"));
	} else if (str_is(name, "TaskUpdate")) {
		read_update(r, input, result);
	}
}

static void
read_calls(struct reading *r, const struct node *line)
{
	const struct node *blocks = node_get(node_get(line, "message"), "content");

	/* The last call of a message is the newest. */
	for (size_t i = blocks && blocks->kind == NODE_LIST ? blocks->count : 0; i-- > 0;)
		if (str_is(node_get_str(&blocks->items[i], "type"), "tool_use"))
			read_call(r, &blocks->items[i]);
}

static void
read_line(struct reading *r, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node line;
	struct err ignored;
	size_t i = 0;

	while (i < COUNT_OF(words) && str_find(text, words[i]) < 0)
		i++;
	/* A subagent has a list of its own. */
	if (i == COUNT_OF(words) || json_parse(&scratch, text, &line, &ignored) < 0 ||
	    node_get_bool(&line, "isSidechain"))
		return;
	if (str_is(node_get_str(&line, "type"), "user"))
		hold_results(r, &line, &scratch);
	else if (str_is(node_get_str(&line, "type"), "assistant"))
		read_calls(r, &line);
}

/* ---- all of it ---- */

/* The CLEANUP function. */
static void
reading_free(struct reading *r)
{
	for (size_t i = 0; i < HELD_MAX; i++)
		arena_free(&r->held[i].arena);
}

/* What was open before the new lines, unless they say otherwise. */
static void
add_known(struct reading *r, const struct todos *t)
{
	for (size_t i = t->count; i-- > 0;) {
		struct task *known = task_of(r, t->items[i].id);

		if (!known)
			continue;
		set_text(r, known, t->items[i].text);
		set_status(known, STR("pending"));
		if (!known->has_owner)
			known->todo.is_owned = t->items[i].is_owned;
		known->is_begun = true;
	}
	if (r->has_items)
		return;
	r->items = arena_array(r->arena, t->count + 1, struct todo);
	for (size_t i = 0; i < t->count; i++)
		if (!t->items[i].id.s)
			r->items[r->item_count++] = t->items[i];
}

/* Ids are numbers: a shorter one is smaller. */
static bool
is_before(struct str a, struct str b)
{
	return a.n != b.n ? a.n < b.n : str_cmp(a, b) < 0;
}

static void
insert(struct todos *t, const struct todo *task)
{
	size_t at = t->count++;

	for (; at > 0 && t->items[at - 1].id.s && is_before(task->id, t->items[at - 1].id); at--)
		t->items[at] = t->items[at - 1];
	t->items[at] = *task;
}

int
todos_read(struct arena *a, const char *path, struct todos *t, struct err *err)
{
	CLEANUP(new_lines_close) struct new_lines lines = NEW_LINES_NONE;
	CLEANUP(reading_free) struct reading r = { .arena = a };
	struct todos now = { 0 };
	struct str line;

	if (new_lines_open(&lines, path, &t->read, err) < 0)
		return -1;
	if (lines.is_other)
		*t = (struct todos){ 0 };
	for (;;) {
		if (new_lines_next(&lines, &line, err) < 0)
			return -1;
		if (!line.s)
			break;
		read_line(&r, line);
	}
	add_known(&r, t);
	now.read = new_lines_place(&lines);
	now.items = arena_array(a, r.item_count + r.task_count + 1, struct todo);
	for (size_t i = 0; i < r.item_count && now.count < TODOS_MAX; i++)
		now.items[now.count++] = r.items[i];
	for (size_t i = 0; i < r.task_count && now.count < TODOS_MAX; i++)
		if (r.tasks[i].has_status && r.tasks[i].is_open)
			insert(&now, &r.tasks[i].todo);
	*t = now;
	return 0;
}

void
todos_add_members(struct buf *b, const struct todos *t)
{
	json_add_member_int(b, "offset", (int64_t)t->read.offset);
	json_add_member(b, "mark", str_fmt(b->arena, "%" PRIu64, t->read.mark));
	json_add_key(b, "open");
	buf_addc(b, '[');
	for (size_t i = 0; i < t->count; i++) {
		const struct todo *item = &t->items[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		if (item->id.s)
			json_add_member(b, "id", item->id);
		if (item->text.s)
			json_add_member(b, "text", item->text);
		if (item->is_owned)
			json_add_member_bool(b, "owned", true);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

struct todos
todos_of(struct arena *a, const struct node *n)
{
	const struct node *offset = node_get(n, "offset"), *open = node_get(n, "open");
	struct todos t = { 0 };

	if (!offset || offset->kind != NODE_INT || offset->integer < 0 ||
	    !number_parse(node_get_str(n, "mark"), &t.read.mark) || !open || open->kind != NODE_LIST)
		return t;
	t.read.offset = (uint64_t)offset->integer;
	t.items = arena_array(a, open->count + 1, struct todo);
	for (size_t i = 0; i < open->count && t.count < TODOS_MAX; i++)
		t.items[t.count++] = (struct todo){
			.id = node_get_str(&open->items[i], "id"),
			.text = node_get_str(&open->items[i], "text"),
			.is_owned = node_get_bool(&open->items[i], "owned"),
		};
	return t;
}
