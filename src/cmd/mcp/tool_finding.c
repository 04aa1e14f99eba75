/* SPDX-License-Identifier: MIT */
/* mark_finding: writes into a review file what the agent may write there, the status of a finding and a reason. The next run
 * reads it, and decides what it counts for (record/review_read.c). */
#include "cmd/mcp/mcp.h"

#include "base/path.h"
#include "doc/jsonedit.h"
#include "os/fs.h"
#include "record/record.h"

#define REASON_MAX_BYTES KIB(4)

/* What is to be written. */
struct mark {
	const struct call *call;
	struct str gate, id, status, reason;
	size_t count; /* findings that were marked */
};

static struct str
quoted(struct arena *a, struct str text)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_string(&b, text);
	return buf_str(&b);
}

static void
mark_one(struct mark *m, struct jsonedit *j, const struct node *n)
{
	struct arena *a = j->edit.arena;
	const struct node *status = node_get(n, "status"), *result = node_get(n, "result");
	struct json_item items[2];
	size_t count = 0;

	if (status)
		jsonedit_replace(j, status, quoted(a, m->status));
	else
		items[count++] = (struct json_item){ "status", quoted(a, m->status) };
	if (result)
		jsonedit_replace(j, result, quoted(a, m->reason));
	else if (m->reason.n > 0)
		items[count++] = (struct json_item){ "result", quoted(a, m->reason) };
	if (count > 0)
		jsonedit_append(j, n, items, count);
	m->count++;
}

/* Marks the finding in the file of one slot, if it is there. */
static int
mark_in(struct mark *m, const char *path, struct err *err)
{
	struct arena *a = m->call->arena;
	size_t before = m->count;
	struct jsonedit j;
	struct node strict;
	struct str text;

	if (fs_lkind(path) == FS_LINK)
		return err_set(err, ERR_VALUE, "%s: is a link, and not what the run wrote", path);
	if (fs_read(a, path, REVIEW_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "%s: was deleted; a run writes a new one", path);
	if (json_parse(a, text, &strict, err) < 0 || jsonedit_open(a, text, &j, err) < 0)
		return err_wrap_file(err, path);
	const struct node *list = node_get_list(&j.root, "violations");

	for (size_t i = 0; i < list->count; i++) {
		const struct node *n = &list->items[i];
		struct finding f = { .file = node_get_str(n, "file"),
				     .issue = node_get_str(n, "issue"),
				     .line = finding_line(node_get(n, "line")) };

		if (n->kind == NODE_MAP && str_eq(finding_id(a, &f), m->id))
			mark_one(m, &j, n);
	}
	return m->count == before ? 0 : fs_replace(a, path, edit_apply(&j.edit, a), 0600, err);
}

/* Only the slots of a review that the journal knows to have failed have findings that are open. */
static int
mark_all(struct mark *m, const struct record *record, struct err *err)
{
	for (size_t i = 0; i < record->latest.count; i++) {
		const struct past_result *r = &record->latest.items[i];

		if (r->kind != GATE_REVIEW || !past_is_failure(r) || r->is_archived || !r->file.s ||
		    str_find_char(r->file, '/') >= 0 || !str_eq(r->name, m->gate))
			continue;
		if (mark_in(m, path_join(m->call->arena, record->logs.path, r->file).s, err) < 0)
			return -1;
	}
	return 0;
}

/* Why it can't be marked so; NULL: it can. */
static const char *
problem_of(const struct mark *m)
{
	enum finding_status status;

	if (m->gate.n == 0)
		return "gate: expected the name of a review";
	if (m->id.n == 0)
		return "finding: expected the id of a finding, from status";
	if (!finding_status_parse(m->status, &status) || status == FINDING_NEW)
		return "status: expected 'fixed' or 'skipped'";
	if (status == FINDING_SKIPPED && str_trim(m->reason).n == 0)
		return "reason: a finding is skipped only with a reason";
	if (m->reason.n > REASON_MAX_BYTES)
		return "reason: longer than 4 KiB";
	return NULL;
}

struct str
tool_mark_finding(struct call *c)
{
	struct mark m = { .call = c,
			  .gate = node_get_str(c->arguments, "gate"),
			  .id = node_get_str(c->arguments, "finding"),
			  .status = node_get_str(c->arguments, "status"),
			  .reason = node_get_str(c->arguments, "reason") };
	const char *problem = problem_of(&m);
	struct str result;
	struct err err;

	m.reason = m.reason.s ? m.reason : STR("");
	if (problem)
		return tool_fail(c, problem);
	const struct record *record = results_load(c, &result);

	if (!record)
		return result;
	if (logdir_lock_state(c->arena, &record->logs) == PIDFILE_HELD)
		return tool_fail(c, "a run is in progress; mark findings when it has ended");
	if (mark_all(&m, record, &err) < 0)
		return tool_fail(c, err.msg);
	if (m.count == 0)
		return tool_fail(c, "the review '", m.gate, "' has no open finding '", m.id,
				 "'; status lists those that are open");
	return tool_done(c,
			 str_cat(c->arena, "marked as ", m.status,
				 "; the next run of the review decides whether it passes"),
			 STR("{\"marked\":true}"));
}
