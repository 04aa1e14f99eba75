/* SPDX-License-Identifier: MIT */
/* Reads single values: booleans, numbers in their unit, texts and patterns. Writes a member only if the value is valid. */
#include "conf/read.h"

#include "base/duration.h"
#include "base/glob.h"
#include "base/pathglob.h"
#include "base/regex.h"

#include <math.h>
#include <stdint.h>

#define VALUE_SHOWN_BYTES 60
#define CHOICES_SHOWN_BYTES 1000 /* more than the names of all events */
/* No file has a use for larger numbers. */
#define NUMBER_LIMIT 1000000000
#define DURATION_LIMIT_MS (24 * 3600 * 1000)

/* ---- problems ---- */

bool
reader_wants(const struct reader *r)
{
	return r->problems &&
	       (r->problems->count < CONFIG_PROBLEM_LIMIT || !problems_first_fatal(r->problems));
}

void
reader_note_text(struct reader *r, const struct visit *v, enum severity severity, enum problem_kind kind,
		 struct str text)
{
	const struct node key = { .line = v->entry ? v->entry->line : 0,
				  .column = v->entry ? v->entry->column : 0 };
	const struct problem_at at = { severity, r->file, config_path_text(r->arena, v->at),
				       v->node    ? v->node
				       : v->entry ? &key
						  : v->outer->node };
	struct config_problem *p = problem_add(r->arena, r->problems, &at, text);

	if (!p)
		return;
	p->kind = kind;
	p->outer = config_path_text(r->arena, v->at ? v->at->outer : NULL);
	p->field = v->field;
	p->object = v->outer ? v->outer->field : NULL;
}

struct str
reader_shown(const struct reader *r, struct str text)
{
	return config_shown(r->arena, text, VALUE_SHOWN_BYTES);
}

const char *
reader_wanted(const struct reader *r, const struct field *f)
{
	struct buf b = BUF(r->arena, CHOICES_SHOWN_BYTES);

	switch (f->type) {
	case FIELD_BOOL:
	case FIELD_FLAG:
		return "a boolean";
	case FIELD_INTEGER:
	case FIELD_WHOLE:
		return "an integer";
	case FIELD_FLOOR:
	case FIELD_CEILING:
	case FIELD_SECONDS:
	case FIELD_MEGABYTES:
		return "a number";
	case FIELD_DURATION:
		return "a duration with a unit, such as 90s or 5m";
	case FIELD_GLOB:
	case FIELD_PATH_GLOB:
	case FIELD_REGEX:
		return "a pattern";
	case FIELD_NAMED:
		return "a name, or a map from one name to its definition";
	case FIELD_CHOICE:
		for (size_t i = 0; f->choices[i]; i++)
			buf_addf(&b, "%s%s", i > 0 ? ", " : "one of ", f->choices[i]);
		return str_copy(r->arena, buf_str(&b)).s;
	case FIELD_LIST:
		return f->item->type == FIELD_OBJECT ? "a list" : "a list of strings";
	default:
		return f->type >= FIELD_OBJECT ? "a map" : "a string";
	}
}

void
reader_fail_type(struct reader *r, const struct visit *v, const char *what)
{
	static const char *const kinds[] = {
		[NODE_BOOL] = "the boolean ",
		[NODE_INT] = "the integer ",
		[NODE_FLOAT] = "the number ",
		[NODE_STRING] = "the string ",
	};
	const struct node *n = v->node;

	if (!reader_wants(r))
		return;
	if (!what)
		what = reader_wanted(r, v->field);
	if (n->kind == NODE_NULL || n->kind == NODE_LIST || n->kind == NODE_MAP) {
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_TYPE, "expected ", what, ", not ",
			    node_kind_name(n->kind));
		return;
	}
	const char *quote = n->kind == NODE_STRING ? "\"" : "";
	struct str text = n->kind == NODE_BOOL ? (n->boolean ? STR("true") : STR("false"))
					       : reader_shown(r, n->text);

	reader_note(r, v, SEVERITY_FATAL, PROBLEM_TYPE, "expected ", what, ", not ", kinds[n->kind], quote,
		    text, quote);
}

/* ---- numbers ---- */

static void
fail_range(struct reader *r, const struct visit *v, int64_t least, int64_t most)
{
	struct str text = reader_shown(r, v->node->text);

	reader_note(r, v, SEVERITY_FATAL, PROBLEM_RANGE, "out of range: ", text, " is not in ", least, "..",
		    most);
}

/* An integer that does not fit 64 bits is a float whose text has neither point nor exponent. */
static bool
is_huge_integer(const struct node *n)
{
	for (size_t i = n->text.n > 0 && n->text.s[0] == '-'; i < n->text.n; i++)
		if (n->text.s[i] < '0' || n->text.s[i] > '9')
			return false;
	return n->kind == NODE_FLOAT && n->text.n < 100;
}

static void
read_integer(struct reader *r, const struct visit *v)
{
	const struct field *f = v->field;
	const struct node *n = v->node;
	bool is_any = f->least == 0 && f->most == 0;
	int64_t least = is_any ? INT64_MIN : f->least, most = is_any ? INT64_MAX : f->most;
	int64_t value = n->integer;

	if (n->kind != NODE_INT && !is_huge_integer(n)) {
		reader_fail_type(r, v, NULL);
		return;
	}
	if (n->kind == NODE_INT && value > most && f->is_clamped) {
		reader_note(r, v, SEVERITY_WARNING, PROBLEM_OTHER, value, " counts as ", most);
		value = most;
	}
	if (n->kind != NODE_INT || value < least || value > most)
		fail_range(r, v, least, most);
	else if (v->member)
		*(int64_t *)v->member = value;
}

/* The number in the unit that its type is stored in. */
static int64_t
in_unit(enum field_type type, double x)
{
	switch (type) {
	case FIELD_CEILING:
		return x < 0 ? 0 : (int64_t)ceil(x);
	case FIELD_MEGABYTES:
		return x < 0 ? 0 : (int64_t)ceil(x * (double)MIB(1));
	case FIELD_SECONDS: /* rounded to milliseconds, but never down to 0 */
		return x > 0 && x < 0.001 ? 1 : (int64_t)(x * 1000 + 0.5);
	default:
		return x < 0 ? 0 : (int64_t)x;
	}
}

/* For all types of numbers but FIELD_INTEGER. */
static void
read_number(struct reader *r, const struct visit *v)
{
	const struct field *f = v->field;
	const struct node *n = v->node;
	bool is_whole = f->type == FIELD_WHOLE;
	int64_t least = is_whole ? f->least : -NUMBER_LIMIT;
	int64_t most = is_whole && f->most ? f->most : NUMBER_LIMIT;
	struct str text = str_copy(r->arena, n->text);
	double x = (double)n->integer;
	char *end = NULL;

	if (n->kind == NODE_FLOAT)
		x = strtod(text.s, &end);
	if (n->kind != NODE_INT && n->kind != NODE_FLOAT)
		reader_fail_type(r, v, NULL);
	else if (end && (end != text.s + text.n || !isfinite(x)))
		reader_fail_type(r, v, "a finite number");
	else if (is_whole && x != floor(x))
		reader_fail_type(r, v, NULL);
	else if (x < (double)least || x > (double)most)
		fail_range(r, v, least, most);
	else if (f->type == FIELD_SECONDS && x < 0)
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_RANGE, "out of range: ", f->key,
			    " must be greater than 0, not ", text);
	else if (v->member)
		*(int64_t *)v->member = in_unit(f->type, x);
}

static void
read_duration(struct reader *r, const struct visit *v)
{
	int64_t ms;

	if (v->node->kind != NODE_STRING || !duration_parse(v->node->text, &ms))
		reader_fail_type(r, v, NULL);
	else if (ms < 1 || ms > DURATION_LIMIT_MS)
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_RANGE,
			    "out of range: ", reader_shown(r, v->node->text),
			    " is not more than 0 and at most 24h");
	else if (v->member)
		*(int64_t *)v->member = ms;
}

/* ---- texts ---- */

static bool
is_text(const struct node *n)
{
	return n->kind == NODE_STRING ||
	       (n->is_plain && n->kind != NODE_NULL && n->kind != NODE_LIST && n->kind != NODE_MAP);
}

void
reader_check_pattern(struct reader *r, const struct visit *v, enum field_type type, struct str pattern)
{
	struct err err;

	if (!reader_wants(r) || (type != FIELD_GLOB && type != FIELD_PATH_GLOB && type != FIELD_REGEX))
		return;
	if (type == FIELD_GLOB && glob_check(pattern, &err) < 0)
		reader_note(r, v, SEVERITY_ERROR, PROBLEM_OTHER, "'", reader_shown(r, pattern),
			    "': ", err.msg);
	if (type == FIELD_PATH_GLOB && !pathglob_is_valid(pattern))
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_OTHER, "invalid pattern '",
			    reader_shown(r, pattern), "': a [ or { is not closed, or it is too long");
	if (type == FIELD_REGEX && regex_check(pattern, &err) < 0)
		reader_note(r, v, SEVERITY_ERROR, PROBLEM_OTHER, "invalid regular expression '",
			    reader_shown(r, pattern), "': ", err.msg);
}

static void
read_text(struct reader *r, const struct visit *v)
{
	enum field_type type = v->field->type;
	bool is_key = type == FIELD_NAMED && v->node->kind == NODE_MAP && v->node->count == 1;
	struct str text = is_key ? v->node->entries[0].key : v->node->text;

	if (!is_text(v->node) && !is_key)
		reader_fail_type(r, v, NULL);
	else if (!r->schema->allows_nul && str_find_char(text, '\0') >= 0)
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_TYPE, "expected a text without a NUL byte");
	else if ((type == FIELD_TEXT || type == FIELD_NAMED || type == FIELD_PATH_GLOB) &&
		 str_trim(text).n == 0)
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_TYPE, "expected a text, not ",
			    text.n == 0 ? "an empty one" : "a blank one");
	else if (type == FIELD_FILLED && str_trim(text).n == 0)
		reader_note(r, v, SEVERITY_WARNING, PROBLEM_OTHER, "is blank, so the default is used");
	else {
		reader_check_pattern(r, v, type, text);
		if (v->member)
			*(struct str *)v->member = text;
	}
}

static void
read_choice(struct reader *r, const struct visit *v)
{
	for (size_t i = 0; is_text(v->node) && v->field->choices[i]; i++)
		if (str_is_word(v->node->text, v->field->choices[i])) {
			if (v->member)
				*(struct str *)v->member = str_from(v->field->choices[i]);
			return;
		}
	reader_fail_type(r, v, NULL);
}

void
reader_read_scalar(struct reader *r, const struct visit *v)
{
	enum field_type type = v->field->type;

	if (type == FIELD_BOOL || type == FIELD_FLAG) {
		if (v->node->kind != NODE_BOOL)
			reader_fail_type(r, v, NULL);
		else if (v->member && type == FIELD_BOOL)
			*(bool *)v->member = v->node->boolean;
		else if (v->member)
			*(int64_t *)v->member = v->node->boolean;
	} else if (type == FIELD_INTEGER) {
		read_integer(r, v);
	} else if (type == FIELD_DURATION) {
		read_duration(r, v);
	} else if (type == FIELD_CHOICE) {
		read_choice(r, v);
	} else if (type < FIELD_STRING) {
		read_number(r, v);
	} else {
		read_text(r, v);
	}
}
