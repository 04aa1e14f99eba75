/* SPDX-License-Identifier: MIT */
/* From an answer's JSON to violations, by the contract that the prompt states. What a reviewer says about the status of
 * a violation is not taken over: that is ours to set. */
#include "review/answer_read.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "doc/json.h"

#define SHOWN_BYTES 300

/* False: it lacks what a violation must have. */
static bool
violation_of(const struct node *n, struct finding *ret)
{
	struct finding v = {
		.file = str_trim(node_get_str(n, "file")),
		.line = finding_line(node_get(n, "line")),
		.issue = str_trim(node_get_str(n, "issue")),
		.fix = node_get_str(n, "fix"),
		.priority = str_trim(node_get_str(n, "priority")),
		.status = FINDING_NEW,
		.document = n,
	};

	if (v.file.n == 0 || v.line == 0 || v.issue.n == 0)
		return false;
	v.priority = finding_priority(v.priority.n > 0 ? v.priority : STR("low"));
	*ret = v;
	return true;
}

static struct str
shown(struct arena *a, const struct node *n)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, n);
	return utf8_head(buf_str(&b), SHOWN_BYTES);
}

struct finding
answer_vague(struct arena *a, struct str unreadable)
{
	struct str issue = unreadable.s
				   ? str_fmt(a,
					     "The reviewer found something that lacks a file, a line or an "
					     "issue: " STR_FMT,
					     STR_ARG(unreadable))
				   : STR("The reviewer says that the change fails, and does not say why.");

	return (struct finding){
		.file = STR("unknown"), .issue = issue, .priority = STR("high"), .status = FINDING_NEW
	};
}

static void
read_violations(struct arena *a, const struct node *list, struct answer *ret)
{
	size_t count = list && list->kind == NODE_LIST ? list->count : 0;

	ret->findings = arena_array(a, count + 1, struct finding);
	for (size_t i = 0; i < count; i++) {
		if (violation_of(&list->items[i], &ret->findings[ret->finding_count])) {
			ret->finding_count++;
			continue;
		}
		if (ret->malformed++ == 0)
			ret->unreadable = shown(a, &list->items[i]);
	}
	if (list && list->kind != NODE_LIST && list->kind != NODE_NULL) {
		ret->malformed = 1;
		ret->unreadable = shown(a, list);
	}
	if (ret->finding_count > 0)
		return;
	ret->is_vague = true;
	ret->findings[ret->finding_count++] = answer_vague(a, ret->unreadable);
}

static bool
is_empty(const struct node *list)
{
	return !list || list->kind == NODE_NULL || (list->kind == NODE_LIST && list->count == 0);
}

int
answer_read(struct arena *a, const struct node *document, struct answer *ret, struct err *err)
{
	struct str status = node_get_str(document, "status");
	const struct node *list = node_get(document, "violations");
	struct answer answer = { 0 };

	if (str_is(status, "pass")) {
		if (!is_empty(list))
			return err_set(err, ERR_VALUE, "the answer is a pass with violations");
		answer.is_pass = true;
		answer.message = node_get_str(document, "message");
	} else if (str_is(status, "fail")) {
		read_violations(a, list, &answer);
	} else {
		return err_set(err, ERR_VALUE, "Invalid JSON: missing or invalid \"status\" field");
	}
	*ret = answer;
	return 0;
}

int
answer_read_cut_off(struct arena *a, const struct node *document, struct answer *ret, struct err *err)
{
	const struct node *status = node_get(document, "status");
	struct answer answer = { .is_cut_off = true };

	if (status && (status->kind != NODE_STRING || !str_is(status->text, "fail")))
		return err_set(err, ERR_VALUE, "the answer is cut off");
	read_violations(a, node_get(document, "violations"), &answer);
	*ret = answer;
	return 0;
}
