/* SPDX-License-Identifier: MIT */
/* Appends to the history of loops, and reads it. Callers only report a line that can't be written. */
#include "store/loop_journal.h"

#include "base/path.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

#include <inttypes.h>

#define LIMIT_BYTES MIB(64)

static struct str
journal_path(struct arena *a)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");

	return state.s ? path_join(a, state, STR("holdfast/loops.jsonl")) : STR_NONE;
}

int
loop_journal_add(struct arena *a, const struct loop_journal_entry *e, struct err *err)
{
	struct str path = journal_path(a);
	struct buf line = BUF(a, SIZE_MAX);

	if (!path.s)
		return err_set(err, ERR_VALUE, "no home directory for the history of loops");

	buf_addc(&line, '{');
	json_add_member(&line, "time", clock_format_seconds(a, e->ended_us));
	json_add_member(&line, "project", e->project);
	json_add_member(&line, "session", e->session);
	json_add_member(&line, "state_file", e->state_file);
	json_add_member_int(&line, "passes", (int64_t)e->passes);
	json_add_member(&line, "reason", str_from(e->reason));
	if (e->started_at.s)
		json_add_member(&line, "started_at", e->started_at);
	if (e->has_usage) {
		json_add_member_int(&line, "tokens", e->tokens);
		json_add_key(&line, "cost_usd");
		buf_addf(&line, "%" PRId64 ".%09" PRId64, e->cost / 1000000000, e->cost % 1000000000);
	}
	buf_add(&line, STR("}\n"));
	if (fs_make_parents(a, path, 0700, err) < 0)
		return -1;
	return fs_append(path.s, buf_str(&line), 0600, err);
}

int
loop_journal_read(struct arena *a, struct node **ret, size_t *ret_count, struct err *err)
{
	struct str path = journal_path(a), text = STR_NONE, line;
	struct node *items = NULL;
	size_t count = 0, capacity = 0;

	if (path.s && fs_read(a, path.s, LIMIT_BYTES, &text, err) < 0)
		return -1;
	while (text.s && str_next(&text, '\n', &line)) {
		struct node n;
		struct err ignored;

		/* A line of which only a part could be written. */
		if (json_parse(a, line, &n, &ignored) < 0 || n.kind != NODE_MAP)
			continue;
		arena_make_room(a, items, count, &capacity);
		items[count++] = n;
	}
	*ret = items;
	*ret_count = count;
	return 0;
}
