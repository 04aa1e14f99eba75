/* SPDX-License-Identifier: MIT */
/* Reads todo lists backwards: what is said of an item last holds. A call counts unless its result says that it failed, and
 * a result counts once its call is seen to be one of these tools: what other tools answer is no list. */
#include "client/todos.h"

#include "doc/json.h"

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
	struct node result; /* what the client adds; null: nothing of todos, or several results share it */
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
		return str_cat(a, id->integer);
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
	struct task *t = arena_push(r->arena, r->tasks, r->task_count);

	t->todo.id = id;
	return t;
}

/* Takes over what newer lines have not said. Text and status may be absent; owned: -1 where the line does not say whether another
 * agent has the task; is_first: it is the first line about this task. */
static void
learn(struct reading *r, struct str id, struct str text, struct str status, int owned, bool is_first)
{
	struct task *t = task_of(r, id);

	if (!t)
		return;
	if (!t->todo.text.s)
		t->todo.text = text_of(r->arena, text);
	if (!t->has_status && status.n > 0) {
		t->has_status = true;
		t->is_open = is_open(status);
	}
	if (!t->has_owner && owned >= 0) {
		t->has_owner = true;
		t->todo.is_owned = owned > 0;
	}
	t->is_begun = is_first;
}

/* ---- results ---- */

/* As in "Task #7 created successfully: Write the parser". */
static const struct str created = STR("Task #"), created_end = STR(" created successfully: ");

static void
read_list(struct reading *r, const struct node *list)
{
	if (r->is_listed || !list || list->kind != NODE_LIST)
		return;
	for_each (task, list->items, list->count)
		learn(r, id_in(r->arena, task, "id"), node_get_str(task, "subject"),
		      node_get_str(task, "status"), node_get_str(task, "owner").n > 0, true);
	r->is_listed = true;
}

static void
read_items(struct reading *r, const struct node *list)
{
	if (r->has_items || !list || list->kind != NODE_LIST)
		return;
	r->has_items = true;
	for (size_t i = 0; i < list->count; i++)
		if (is_open(node_get_str(&list->items[i], "status")))
			*arena_push(r->arena, r->items, r->item_count) = (struct todo){
				.text = text_of(r->arena, node_get_str(&list->items[i], "content"))
			};
}

/* A line with the results of tools. What the client adds to it is about one of them: with several it is not known which. */
static void
hold_results(struct reading *r, const struct node *line, const struct node *blocks, struct arena *of_line)
{
	const struct node *result = node_get(line, "toolUseResult");
	const struct node *success = node_get(result, "success");
	bool is_one = blocks->count == 1;

	/* The last result is the newest. */
	for (size_t i = blocks->count; i-- > 0;) {
		const struct node *b = &blocks->items[i];

		if (!str_is(node_get_str(b, "type"), "tool_result"))
			continue;
		struct str answer = utf8_head(node_get_str(b, "content"), ANSWER_BYTES);
		bool is_failure = node_get_bool(b, "is_error") ||
				  (is_one && success && success->kind == NODE_BOOL && !success->boolean);
		bool has_result = !is_failure && is_one &&
				  (node_get(result, "tasks") || node_get(result, "task") ||
				   node_get(result, "taskId") || node_get(result, "newTodos"));

		if (!is_failure && !has_result && !str_starts(answer, created))
			continue;
		struct held *h = &r->held[r->held_count++ % HELD_MAX];

		arena_free(&h->arena);
		*h = (struct held){ .call = str_hash(STR_HASH_START, node_get_str(b, "tool_use_id")),
				    .has_failed = is_failure };
		if (has_result) {
			h->result = *result;
			arena_adopt(&h->arena, of_line);
		}
		h->answer = str_copy(&h->arena, answer);
	}
}

/* ---- calls ---- */

static void
read_call(struct reading *r, const struct node *call)
{
	uint64_t hash = str_hash(STR_HASH_START, node_get_str(call, "id"));
	const struct held *h = NULL;
	struct str name = node_get_str(call, "name");

	for (size_t i = 0; i < HELD_MAX && i < r->held_count && !h; i++)
		if (r->held[i].call == hash)
			h = &r->held[i];
	if (h && h->has_failed)
		return;
	const struct node *input = node_get(call, "input"), *result = h ? &h->result : NULL;

	if (str_is(name, "TodoWrite")) {
		read_items(r, node_get(result, "newTodos"));
		read_items(r, node_get(input, "todos"));
	} else if (str_is(name, "TaskList")) {
		read_list(r, node_get(result, "tasks"));
	} else if (str_is(name, "TaskCreate")) {
		const struct node *task = node_get(result, "task");
		struct str answer = h ? h->answer : STR_NONE;
		ptrdiff_t end = str_find(answer, created_end);

		if (str_skip(&answer, created.s) && end >= (ptrdiff_t)created.n &&
		    (size_t)end - created.n <= TODO_BYTES)
			learn(r, str_copy(r->arena, str_sub(answer, 0, (size_t)end - created.n)),
			      str_rest(answer, (size_t)end - created.n + created_end.n), STR("pending"), -1,
			      true);
		learn(r, id_in(r->arena, task, "id"), node_get_str(task, "subject"), STR("pending"), -1,
		      true);
	} else if (str_is(name, "TaskUpdate")) {
		int owned = node_get(input, "owner") ? node_get_str(input, "owner").n > 0 : -1;

		learn(r, id_in(r->arena, result, "taskId"), STR_NONE,
		      node_get_str(node_get(result, "statusChange"), "to"), -1, false);
		learn(r, id_in(r->arena, input, "taskId"), node_get_str(input, "subject"),
		      node_get_str(input, "status"), owned, false);
	}
}

static void
read_line(struct reading *r, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node line;
	size_t i = 0;

	while (i < COUNT_OF(words) && str_find(text, words[i]) < 0)
		i++;
	/* A subagent has a list of its own. */
	if (i == COUNT_OF(words) || json_parse(&scratch, text, &line, IGNORED) < 0 ||
	    node_get_bool(&line, "isSidechain"))
		return;
	const struct node *blocks = node_get_list(node_get(&line, "message"), "content");

	if (str_is(node_get_str(&line, "type"), "user"))
		hold_results(r, &line, blocks, &scratch);
	if (!str_is(node_get_str(&line, "type"), "assistant"))
		return;
	/* The last call of a message is the newest. */
	for (i = blocks->count; i-- > 0;)
		if (str_is(node_get_str(&blocks->items[i], "type"), "tool_use"))
			read_call(r, &blocks->items[i]);
}

/* ---- all of it ---- */

/* The CLEANUP function. */
static void
reading_free(struct reading *r)
{
	for (size_t i = 0; i < HELD_MAX; i++)
		arena_free(&r->held[i].arena);
}

/* Ids are numbers: a shorter one is smaller. */
static int
compare_ids(const void *x, const void *y)
{
	struct str one = ((const struct todo *)x)->id, other = ((const struct todo *)y)->id;

	return one.n != other.n ? (one.n > other.n) - (one.n < other.n) : str_cmp(one, other);
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
	do {
		if (new_lines_next(&lines, &line, err) < 0)
			return -1;
		if (line.s)
			read_line(&r, line);
	} while (line.s);
	/* What was open before the new lines, unless they say otherwise. */
	for (size_t i = t->count; i-- > 0;)
		learn(&r, t->items[i].id, t->items[i].text, STR("pending"), t->items[i].is_owned, true);
	for (size_t i = 0; i < t->count && !r.has_items; i++)
		if (!t->items[i].id.s)
			*arena_push(a, r.items, r.item_count) = t->items[i];
	now.read = new_lines_place(&lines);
	now.items = arena_array(a, r.item_count + r.task_count + 1, struct todo);
	for (size_t i = 0; i < r.item_count && now.count < TODOS_MAX; i++)
		now.items[now.count++] = r.items[i];
	size_t first = now.count; /* of the tasks */

	for (size_t i = 0; i < r.task_count && now.count < TODOS_MAX; i++)
		if (r.tasks[i].has_status && r.tasks[i].is_open)
			now.items[now.count++] = r.tasks[i].todo;
	sort(now.items + first, now.count - first, compare_ids);
	*t = now;
	return 0;
}

void
todos_add_members(struct buf *b, const struct todos *t)
{
	json_add(b, "offset", t->read.offset, "mark", str_cat(b->arena, t->read.mark));
	json_open(b, "open", '[');
	for (size_t i = 0; i < t->count; i++)
		json_add_object(b, NULL, "id", t->items[i].id, "text", t->items[i].text, "owned",
				JSON_IF(t->items[i].is_owned, t->items[i].is_owned));
	json_close(b, "]");
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
