/* SPDX-License-Identifier: MIT */
/* Appends to the history of loops, and reads it. */
#include "store/loop_journal.h"

#include "doc/json.h"
#include "os/fs.h"
#include "store/state_path.h"

#define NAME "loops.jsonl"
#define LIMIT_BYTES MIB(64)

void
loop_journal_add(struct arena *a, struct str line)
{
	struct str path = state_path(a, NULL, STR(NAME));
	struct err ignored;

	if (path.s && fs_make_parents(a, path, 0700, &ignored) == 0)
		(void)(fs_append(path.s, line, 0600, &ignored) == 0);
}

int
loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err)
{
	struct str path = state_path(a, NULL, STR(NAME)), text = STR_NONE, line;
	struct node *items = NULL;
	size_t count = 0;

	if (path.s && fs_read(a, path.s, LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (text.s && str_next(&text, '\n', &line)) {
		struct node n;
		struct err ignored;

		/* A line of which only a part could be written. */
		if (json_parse(a, line, &n, &ignored) < 0 || n.kind != NODE_MAP)
			continue;
		*arena_push(a, items, count) = n;
	}
	*ret = items;
	*ret_count = count;
	return 0;
}
