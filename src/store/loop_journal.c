/* SPDX-License-Identifier: MIT */
/* Appends to the history of loops, and reads it. Callers only report a line that can't be written. */
#include "store/loop_journal.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "store/state_path.h"

#include <inttypes.h>

#define NAME "loops.jsonl"
#define LIMIT_BYTES MIB(64)

int
loop_journal_add(struct arena *a, const struct loop_journal_entry *e, struct err *err)
{
	struct str path = state_path(a, NULL, STR(NAME));
	struct buf line = BUF(a, SIZE_MAX);

	if (!path.s)
		return err_set(err, ERR_VALUE, "no home directory for the history of loops");
	json_open(&line, NULL, '{');
	json_add(&line, "time", clock_format_seconds(a, e->ended_us), "project", e->project, "session",
		 e->session.s ? e->session : STR(""), "state_file", e->state_file, "passes", e->passes,
		 "reason", e->reason, "started_at", e->started_at);
	if (e->has_usage) {
		json_add(&line, "tokens", e->tokens);
		json_add_key(&line, "cost_usd");
		buf_addf(&line, "%" PRId64 ".%09" PRId64, e->cost / 1000000000, e->cost % 1000000000);
	}
	json_close(&line, "}\n");
	return fs_make_parents(a, path, 0700, err) < 0 ? -1 : fs_append(path.s, buf_str(&line), 0600, err);
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
