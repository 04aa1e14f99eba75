/* SPDX-License-Identifier: MIT */
/* Finds the answer in an output and decides whether to believe it. An answer that is quoted, cut off, broken or
 * contradictory never becomes a pass. */
#include "review/answer.h"

#include "doc/json.h"

/* Braces may be nested: the search gives up after reading this many times the length of the output, and a little more. */
#define WORK_FACTOR 16
#define WORK_LEAST MIB(1)
/* How many objects that never end are tried, from the outermost. */
#define OPEN_MAX 8
/* The beginning of a finding that lacks something, for messages. */
#define SHOWN_BYTES 300
/* A tool's JSON around a text around a tool's JSON. */
#define WRAP_MAX 2
#define NO_STATUS "Invalid JSON: missing or invalid \"status\" field"

struct object {
	size_t begin, end;
	bool says_fail;
};

struct search {
	struct arena *arena;
	struct str text;
	int wraps;
	struct object *items; /* complete ones that may matter, in their order, none inside another */
	size_t count;
	bool has_any;
	size_t open[OPEN_MAX], open_count, last_open; /* objects without an end, from the first on */
	bool has_broken_fail; /* a failure that can't be read, and the position of the last one */
	size_t broken_fail;
};

static int parse(struct arena *a, struct str text, int wraps, struct answer *ret, bool *ret_is_none,
		 struct err *err);

/* ---- objects in the text ---- */

/* An object without any of these keys is ignored. */
static bool
may_matter(struct str object)
{
	static const struct str keys[] = { { "\"status\"", 8 }, { "\"violations\"", 12 }, { "\"issue\"", 7 },
					   { "\"result\"", 8 }, { "\"response\"", 10 },   { "\"item\"", 6 } };

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (str_find(object, keys[i]) >= 0)
			return true;
	return false;
}

static void
note_broken_fail(struct search *s, size_t at)
{
	s->has_broken_fail = true;
	s->broken_fail = at > s->broken_fail ? at : s->broken_fail;
}

/* Takes the object at the brace; returns where to search for the next one. */
static size_t
add_object(struct search *s, size_t at, const struct object_scan *o)
{
	if (o->how == OBJECT_WHOLE) {
		s->has_any = true;
		if (may_matter(str_sub(s->text, at, o->end)))
			*arena_push(s->arena, s->items, s->count) = (struct object){ at, o->end,
										     o->says_fail };
		return o->end;
	}
	if (o->how == OBJECT_OPEN) {
		s->last_open = at;
		if (s->open_count < OPEN_MAX)
			s->open[s->open_count++] = at;
	}
	if (o->how == OBJECT_BROKEN && o->says_fail)
		note_broken_fail(s, at);
	return at + 1;
}

/* Can an object begin like this? Most braces of prose and of code can't. */
static bool
is_opening(struct str after)
{
	size_t i = 0;

	while (i < after.n && i < 8 && str_find_char(STR(" \t\r\n"), after.s[i]) >= 0)
		i++;
	return i == after.n || str_find_char(STR("\"}/ \t\r\n"), after.s[i]) >= 0;
}

static int
read_object(struct arena *a, struct str object, struct node *ret)
{
	return json_parse_as(a, object, JSON_LOOSE, ret, IGNORED);
}

/* ---- fields ---- */

/* False: it lacks a field that a finding must have. */
static bool
read_finding(const struct node *n, struct finding *ret)
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
excerpt_of(struct arena *a, const struct node *n)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, n);
	return utf8_head(buf_str(&b), SHOWN_BYTES);
}

struct finding
answer_vague(struct arena *a, struct str unreadable)
{
	struct str issue =
		unreadable.s
			? str_cat(a, "The reviewer found something that lacks a file, a line or an issue: ",
				  unreadable)
			: STR("The reviewer says that the change fails, and does not say why.");

	return (struct finding){
		.file = STR("unknown"), .issue = issue, .priority = STR("high"), .status = FINDING_NEW
	};
}

static void
read_findings(struct arena *a, const struct node *list, struct answer *ret)
{
	size_t count = list && list->kind == NODE_LIST ? list->count : 0;

	ret->findings = arena_array(a, count + 1, struct finding);
	for (size_t i = 0; i < count; i++) {
		if (read_finding(&list->items[i], &ret->findings[ret->finding_count])) {
			ret->finding_count++;
			continue;
		}
		if (ret->malformed++ == 0)
			ret->unreadable = excerpt_of(a, &list->items[i]);
	}
	if (list && list->kind != NODE_LIST && list->kind != NODE_NULL) {
		ret->malformed = 1;
		ret->unreadable = excerpt_of(a, list);
	}
	if (ret->finding_count > 0)
		return;
	ret->is_vague = true;
	ret->findings[ret->finding_count++] = answer_vague(a, ret->unreadable);
}

/* ---- what an object is ---- */

enum object_kind { OTHER, ANSWER, VIOLATION, WRAPPER };

/* The text that a tool wrapped in its own JSON; absent: none. */
static struct str
wrapped_text(const struct node *n)
{
	struct str text = node_get_str(n, "result");

	if (!text.s)
		text = node_get_str(n, "response");
	if (!text.s)
		text = node_get_str(node_get(n, "item"), "text");
	return text;
}

static enum object_kind
kind_of(const struct node *n)
{
	struct str status = node_get_str(n, "status");

	if (node_get(n, "violations"))
		return ANSWER;
	if (node_get(n, "file") || node_get(n, "issue"))
		return VIOLATION;
	if (wrapped_text(n).s && !str_is(status, "pass") && !str_is(status, "fail"))
		return WRAPPER;
	return node_get(n, "status") ? ANSWER : OTHER;
}

/* ---- the one that counts ---- */

/* Is there a closing brace that nothing after the object opens? Then the object is a part of something else. */
static bool
is_enclosed(struct str after)
{
	size_t depth = 0;

	for (size_t i = 0; i < after.n; i++) {
		if (after.s[i] == '}' && depth-- == 0)
			return true;
		depth += after.s[i] == '{';
	}
	return false;
}

static int
believe_pass(const struct search *s, size_t end, struct err *err)
{
	if (is_enclosed(str_rest(s->text, end)))
		return err_set(err, ERR_VALUE, "the answer is a pass within something else");
	if (s->open_count > 0)
		return err_set(err, ERR_VALUE, "the output is cut off");
	if (s->has_broken_fail)
		return err_set(err, ERR_VALUE, "the answer is a pass next to a failure that can't be read");
	for (size_t i = 0; i < s->count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		const struct object *o = &s->items[i];
		struct node n;

		if (read_object(&scratch, str_sub(s->text, o->begin, o->end), &n) == 0 &&
		    kind_of(&n) == VIOLATION)
			return err_set(err, ERR_VALUE, "the answer is a pass next to a violation");
	}
	return 0;
}

static int
judge_answer(const struct search *s, const struct object *o, struct answer *ret, struct err *err)
{
	struct answer answer = { 0 };
	struct node *n = arena_new(s->arena, struct node);

	if (s->has_broken_fail && s->broken_fail > o->begin)
		return err_set(err, ERR_VALUE, "the last answer in the output can't be read");
	if (s->open_count > 0 && s->last_open > o->begin)
		return err_set(err, ERR_VALUE, "the output is cut off");
	if (read_object(s->arena, str_sub(s->text, o->begin, o->end), n) < 0)
		return err_set(err, ERR_VALUE, "the last answer in the output can't be read");
	struct str status = node_get_str(n, "status");
	const struct node *list = node_get(n, "violations");

	if (str_is(status, "fail")) {
		read_findings(s->arena, list, &answer);
	} else if (!str_is(status, "pass")) {
		return err_set(err, ERR_VALUE, NO_STATUS);
	} else {
		if (list && list->kind != NODE_NULL && (list->kind != NODE_LIST || list->count > 0))
			return err_set(err, ERR_VALUE, "the answer is a pass with violations");
		if (believe_pass(s, o->end, err) < 0)
			return -1;
		answer.is_pass = true;
		answer.message = node_get_str(n, "message");
	}
	*ret = answer;
	return 0;
}

/* An object that never ends, up to its last complete violation. Violations mean a failure whatever the rest would have
 * contained; a pass before them is a contradiction. */
static bool
repair(const struct search *s, size_t at, struct answer *ret)
{
	struct object_scan o = object_scan(s->text, at);
	struct node *n = arena_new(s->arena, struct node);

	if (o.how != OBJECT_OPEN || o.cut == 0)
		return false;
	struct buf closed = BUF(s->arena, SIZE_MAX);

	buf_cat(&closed, str_sub(s->text, at, o.cut), "]}");
	if (read_object(s->arena, buf_str(&closed), n) < 0 ||
	    (node_get(n, "status") && !str_is(node_get_str(n, "status"), "fail")))
		return false;
	*ret = (struct answer){ .is_cut_off = true };
	read_findings(s->arena, node_get(n, "violations"), ret);
	return true;
}

/* Goes back from the end to the first object that decides. *ret_is_none: none does. */
static int
choose(struct search *s, struct answer *ret, bool *ret_is_none, struct err *err)
{
	*ret_is_none = false;
	for (size_t i = s->count; i-- > 0;) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		const struct object *o = &s->items[i];
		struct node n;
		bool is_readable = read_object(&scratch, str_sub(s->text, o->begin, o->end), &n) == 0;
		enum object_kind kind = is_readable ? kind_of(&n) : OTHER;

		if (kind == ANSWER)
			return judge_answer(s, o, ret, err);
		if (!is_readable && o->says_fail)
			note_broken_fail(s, o->begin);
		if (kind != WRAPPER || s->wraps == WRAP_MAX)
			continue;
		int result = parse(s->arena, str_copy(s->arena, wrapped_text(&n)), s->wraps + 1, ret,
				   ret_is_none, err);

		if (!*ret_is_none)
			return result == 0 && ret->is_pass ? believe_pass(s, o->end, err) : result;
	}
	*ret_is_none = true;
	return -1;
}

static int
parse(struct arena *a, struct str text, int wraps, struct answer *ret, bool *ret_is_none, struct err *err)
{
	struct search s = { .arena = a, .text = text, .wraps = wraps };

	*ret_is_none = false;
	size_t work = 0, at = 0;

	while (at < s.text.n) {
		ptrdiff_t n = str_find_char(str_rest(s.text, at), '{');

		if (n < 0)
			break;
		at += (size_t)n;
		if (!is_opening(str_rest(s.text, at + 1))) {
			at++;
			continue;
		}
		if (work / WORK_FACTOR > s.text.n + WORK_LEAST / WORK_FACTOR)
			return err_set(err, ERR_LIMIT,
				       "the output has too many braces to find an answer in it");
		struct object_scan o = object_scan(s.text, at);

		work += o.end - at;
		at = add_object(&s, at, &o);
	}
	for (size_t i = 0; i < s.open_count; i++)
		if (repair(&s, s.open[i], ret))
			return 0;
	if (choose(&s, ret, ret_is_none, err) == 0)
		return 0;
	if (!*ret_is_none)
		return -1;
	if (s.open_count > 0 || s.has_broken_fail) {
		*ret_is_none = false;
		return err_set(err, ERR_VALUE,
			       s.open_count ? "the output is cut off"
					    : "the answer in the output is no valid JSON");
	}
	if (s.has_any)
		return err_set(err, ERR_VALUE, NO_STATUS);
	return err_set(err, ERR_VALUE, "No valid JSON object found in output");
}

int
answer_parse(struct arena *a, struct str output, struct answer *ret, struct err *err)
{
	bool is_none;

	return parse(a, output, 0, ret, &is_none, err);
}
