/* SPDX-License-Identifier: MIT */
/* Appends to the history of loops. Callers only report a line that can't be written. */
#include "store/loop_journal.h"

#include "base/path.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

int
loop_journal_add(struct arena *a, const struct loop_journal_entry *e, struct err *err)
{
	struct str state = env_xdg(a, "XDG_STATE_HOME", ".local/state");
	struct buf line = BUF(a, SIZE_MAX);

	if (!state.s)
		return err_set(err, ERR_VALUE, "no home directory for the history of loops");
	struct str path = path_join(a, state, STR("holdfast/loops.jsonl"));

	buf_addc(&line, '{');
	json_add_member(&line, "time", clock_format_seconds(a, e->ended_us));
	json_add_member(&line, "project", e->project);
	json_add_member(&line, "session", e->session);
	json_add_member(&line, "state_file", e->state_file);
	json_add_member_int(&line, "passes", (int64_t)e->passes);
	json_add_member(&line, "reason", str_from(e->reason));
	buf_add(&line, STR("}\n"));
	if (fs_make_parents(a, path, 0700, err) < 0)
		return -1;
	return fs_append(path.s, buf_str(&line), 0600, err);
}
