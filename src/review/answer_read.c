/* SPDX-License-Identifier: MIT */
/* From an answer's JSON to violations, by the contract that the prompt states. What a reviewer says about the status of
 * a violation is not taken over: that is ours to set. */
#include "review/answer_read.h"

#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"
#include "doc/json.h"

#define SHOWN_BYTES 300

/* `12`, "12", and, since models give places so, "12-15" and "12:3"; 0 for anything else. */
static int64_t
line_of(const struct node *n)
{
	uint64_t number;
	size_t digits = 0;

	if (n && n->kind == NODE_INT && n->integer > 0)
		return n->integer;
	if (!n || n->kind != NODE_STRING)
		return 0;
	struct str text = str_trim(n->text);

	while (digits < text.n && text.s[digits] >= '0' && text.s[digits] <= '9')
		digits++;
	if (digits < text.n && str_find_char(STR("-:, "), text.s[digits]) < 0)
		return 0;
	return number_parse(str_sub(text, 0, digits), &number) && number <= INT64_MAX ? (int64_t)number : 0;
}

static struct str
priority_of(const struct node *n)
{
	static const char *const known[] = { "critical", "high", "medium", "low" };
	struct str word = str_trim(node_get_str(n, "priority"));

	if (word.n == 0)
		return STR("low");
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (str_is_word(word, known[i]))
			return str_from(known[i]);
	return word;
}

/* False: it lacks what a violation must have. */
static bool
violation_of(const struct node *n, struct violation *ret)
{
	struct violation v = {
		.file = str_trim(node_get_str(n, "file")),
		.line = line_of(node_get(n, "line")),
		.issue = str_trim(node_get_str(n, "issue")),
		.fix = node_get_str(n, "fix"),
		.status = STR("new"),
		.document = n,
	};

	if (v.file.n == 0 || v.line == 0 || v.issue.n == 0)
		return false;
	v.priority = priority_of(n);
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

struct violation
answer_vague(struct arena *a, struct str unreadable)
{
	struct str issue = unreadable.s
				   ? str_fmt(a,
					     "The reviewer found something that lacks a file, a line or an "
					     "issue: " STR_FMT,
					     STR_ARG(unreadable))
				   : STR("The reviewer says that the change fails, and does not say why.");

	return (struct violation){
		.file = STR("unknown"), .issue = issue, .priority = STR("high"), .status = STR("new")
	};
}

static void
read_violations(struct arena *a, const struct node *list, struct answer *ret)
{
	size_t count = list && list->kind == NODE_LIST ? list->count : 0;

	ret->violations = arena_array(a, count + 1, struct violation);
	for (size_t i = 0; i < count; i++) {
		if (violation_of(&list->items[i], &ret->violations[ret->violation_count])) {
			ret->violation_count++;
			continue;
		}
		if (ret->malformed++ == 0)
			ret->unreadable = shown(a, &list->items[i]);
	}
	if (list && list->kind != NODE_LIST && list->kind != NODE_NULL) {
		ret->malformed = 1;
		ret->unreadable = shown(a, list);
	}
	if (ret->violation_count > 0)
		return;
	ret->is_vague = true;
	ret->violations[ret->violation_count++] = answer_vague(a, ret->unreadable);
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
