/* SPDX-License-Identifier: MIT */
/* The agent's own list of what is to be done, from its transcript in Claude Code's format: the newest list of TodoWrite, and the
 * tasks of TaskCreate, TaskUpdate and TaskList. A stop reads only the lines that were added since the last one. */
#ifndef CLIENT_TODOS_H
#define CLIENT_TODOS_H

#include "client/new_lines.h"
#include "doc/node.h"

/* More open items than this are not kept. */
#define TODOS_MAX 500
/* Of an item's text. */
#define TODO_BYTES 200

struct todo {
	struct str id;   /* of a task; absent: an item of TodoWrite */
	struct str text; /* may be absent: a task of which only the number is known */
	bool is_owned;   /* another agent has taken the task, and its transcript has what became of it */
};

struct todos {
	struct read_place read;
	struct todo *items; /* that are open, in their order */
	size_t count;
};

/* Brings *t, which was read before or is empty, to what the transcript says now. */
int todos_read(struct arena *a, const char *path, struct todos *t, struct err *err) MUST_CHECK;

/* Members of a JSON object, for the next reading. What is wrong in them counts as missing. */
void todos_add_members(struct buf *b, const struct todos *t);
struct todos todos_of(struct arena *a, const struct node *n);

#endif
