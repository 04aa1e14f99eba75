/* SPDX-License-Identifier: MIT */
/* read_log and mark_finding: what can be asked and said about the results of gates. Only logs and review files that the results journal
 * names are touched, and never through a link. */
#include "cmd/mcp/mcp.h"

#include "cmd/gates/gates.h"
#include "doc/jsonedit.h"
#include "os/fd.h"
#include "os/fs.h"
#include "overview/overview.h"
#include "record/record.h"

/* ---- read_log: a page of a log ---- */

/* The longest character in UTF-8. */
#define CHARACTER_BYTES 4

/* The record of the project in the current directory; NULL: there is none, and the result of the call says why. */
static const struct record *
results_load(const struct call *c, struct str *ret_result)
{
	struct overview *o = arena_new(c->arena, struct overview);
	struct str problem = gates_overview(c->arena, OVERVIEW_RECORD, o);

	if (problem.s)
		*ret_result = tool_fail(c, problem);
	return problem.s ? NULL : o->record;
}

/* An integer among the arguments, or `fallback` where there is none. */
static int64_t
argument_int(const struct call *c, const char *name, int64_t fallback)
{
	const struct node *n = node_get(c->arguments, name);

	return n && n->kind == NODE_INT ? n->integer : fallback;
}

static bool
is_asked_for(const struct call *c, const struct past_result *r)
{
	struct str in = node_get_str(c->arguments, "in");
	int64_t slot = argument_int(c, "slot", 0);

	return str_eq(r->name, node_get_str(c->arguments, "gate")) &&
	       (!in.s || str_eq(in, r->place.s ? r->place : STR("."))) && (slot == 0 || slot == r->slot);
}

/* The only result that is asked for, or the only one of them that failed. NULL: the result of the call says why there is none. */
static const struct past_result *
find_result(const struct call *c, const struct past_results *all, struct str *ret_result)
{
	const struct past_result *found = NULL, *failed = NULL;
	struct buf places = BUF(c->arena, KIB(16));
	size_t count = 0, failed_count = 0, known = 0;

	for_each (r, all->items, all->count) {
		known += is_asked_for(c, r);
		if (!is_asked_for(c, r) || !(r->log.s && !r->is_archived && str_find_char(r->log, '/') < 0))
			continue;
		found = r;
		count++;
		failed = past_is_failure(r) ? r : failed;
		failed_count += past_is_failure(r);
		buf_cat(&places, count > 1 ? ", " : "", "in '", r->place.s ? r->place : STR("."), "'");
		if (r->slot > 0)
			buf_cat(&places, " slot ", r->slot);
	}
	if (count == 1)
		return found;
	if (failed_count == 1)
		return failed;
	if (count > 1)
		*ret_result = tool_fail(c, "there are ", count,
					" such logs; name one by 'in' and 'slot': ", buf_str(&places));
	else
		*ret_result = tool_fail(c, known > 0 ? "the log of '" : "no result of a gate '",
					node_get_str(c->arguments, "gate"),
					known > 0 ? "' was archived; a run writes a new one"
						  : "' is known; list_gates has the names");
	return NULL;
}

static struct str
page_of(const struct call *c, const struct past_result *r, struct str path, int fd)
{
	int64_t size = (int64_t)fs_size(fd), offset = argument_int(c, "offset", 0);
	int64_t limit = argument_int(c, "limit", LOG_PAGE_BYTES);
	struct err err;
	size_t n;

	limit = limit < 1 ? 1 : limit > (int64_t)LOG_PAGE_LIMIT_BYTES ? (int64_t)LOG_PAGE_LIMIT_BYTES : limit;
	offset = offset < -size ? 0 : offset < 0 ? size + offset : offset > size ? size : offset;
	char *bytes = arena_bytes(c->arena, (size_t)limit + CHARACTER_BYTES);

	if (fd_read_at(fd, (uint64_t)offset, bytes, (size_t)limit + CHARACTER_BYTES, &n, &err) < 0)
		return tool_fail(c, err.msg);
	/* A character is on one page; one that is longer than the page is on it, too. */
	struct str page = utf8_head((struct str){ bytes, n }, (size_t)limit);

	page = page.n > 0 ? page : utf8_prefix((struct str){ bytes, n }, 1);
	struct str text = strip_escapes(c->arena, page);
	int64_t next = offset + (int64_t)page.n;

	return tool_done(c, text,
			 json_object(c->arena, "log", path, "outcome", gate_outcome_name(r->outcome), "size",
				     size, "offset", offset, "next_offset",
				     JSON_IF(next < size && page.n > 0, next), "text", text));
}

struct str
tool_read_log(struct call *c)
{
	CLEANUP(fd_close) int fd = -1;
	struct str result = STR_NONE;
	struct err err;

	if (node_get_str(c->arguments, "gate").n == 0)
		return tool_fail(c, "gate: expected the name of a gate");
	const struct record *record = results_load(c, &result);
	const struct past_result *r = record ? find_result(c, &record->latest, &result) : NULL;

	if (!r)
		return result;
	struct str path = path_join(c->arena, record->logs.path, r->log);

	if (fs_lkind(path.s) == FS_LINK)
		return tool_fail(c, path, " is a link, and not what the run wrote");
	if (fs_open_regular(path.s, &fd, &err) < 0)
		return tool_fail(c, err.msg);
	return fd < 0 ? tool_fail(c, path, " was deleted; a run writes a new one") : page_of(c, r, path, fd);
}

/* ---- mark_finding ---- */

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

	for_each (n, list->items, list->count) {
		struct finding f = { .file = node_get_str(n, "file"),
				     .issue = node_get_str(n, "issue"),
				     .line = finding_line(node_get(n, "line")) };

		if (n->kind == NODE_MAP && str_eq(finding_id(a, &f), m->id))
			mark_one(m, &j, n);
	}
	return m->count == before ? 0 : fs_replace(a, path, edit_apply(&j.edit, a), 0600, err);
}

struct str
tool_mark_finding(struct call *c)
{
	struct mark m = { .call = c,
			  .gate = node_get_str(c->arguments, "gate"),
			  .id = node_get_str(c->arguments, "finding"),
			  .status = node_get_str(c->arguments, "status"),
			  .reason = node_get_str(c->arguments, "reason") };
	enum finding_status status;
	struct str result;
	struct err err;

	m.reason = m.reason.s ? m.reason : STR("");
	if (m.gate.n == 0)
		return tool_fail(c, "gate: expected the name of a review");
	if (m.id.n == 0)
		return tool_fail(c, "finding: expected the id of a finding, from status");
	if (!finding_status_parse(m.status, &status) || status == FINDING_NEW)
		return tool_fail(c, "status: expected 'fixed' or 'skipped'");
	if (status == FINDING_SKIPPED && str_trim(m.reason).n == 0)
		return tool_fail(c, "reason: a finding is skipped only with a reason");
	if (m.reason.n > REASON_MAX_BYTES)
		return tool_fail(c, "reason: longer than 4 KiB");
	const struct record *record = results_load(c, &result);

	if (!record)
		return result;
	if (logdir_lock_state(c->arena, &record->logs) == PIDFILE_HELD)
		return tool_fail(c, "a run is in progress; mark findings when it has ended");
	for_each (r, record->latest.items, record->latest.count) {
		/* Only the slots of a review that the journal knows to have failed have findings that are open. */
		if (r->kind != GATE_REVIEW || !past_is_failure(r) || r->is_archived || !r->file.s ||
		    str_find_char(r->file, '/') >= 0 || !str_eq(r->name, m.gate))
			continue;
		if (mark_in(&m, path_join(c->arena, record->logs.path, r->file).s, &err) < 0)
			return tool_fail(c, err.msg);
	}
	if (m.count == 0)
		return tool_fail(c, "the review '", m.gate, "' has no open finding '", m.id,
				 "'; status lists those that are open");
	return tool_done(c,
			 str_cat(c->arena, "marked as ", m.status,
				 "; the next run of the review decides whether it passes"),
			 STR("{\"marked\":true}"));
}
