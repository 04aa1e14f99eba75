/* SPDX-License-Identifier: MIT */
/* Reads the optional keys. Pure. */
#include "loop/options.h"

#include "base/buf.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "os/clock.h"

#include <inttypes.h>

#define NUMBER_MAX INT64_C(1000000000000)
#define DOLLARS_MAX 1000000

/* A key and its value. */
struct setting {
	const char *key;
	const struct node *node;
	struct loop_options *to;
};

static int
fail(struct err *err, const struct setting *s, const struct node *at, const char *expected)
{
	if (at->kind == NODE_LIST || at->kind == NODE_MAP)
		return err_at(err, ERR_VALUE, at->line, at->column, "%s: expected %s, not %s", s->key,
			      expected, node_kind_name(at->kind));
	return err_at(err, ERR_VALUE, at->line, at->column, "%s: expected %s, not '" STR_FMT "'", s->key,
		      expected, STR_ARG(at->text));
}

/* ---- verify ---- */

#define VERIFY_EXPECTED "a command, 'gates', or a list of them"

static int
add_verify(struct setting *s, const struct node *n, struct err *err)
{
	struct loop_options *o = s->to;

	if (n->kind != NODE_STRING || str_trim(n->text).n == 0 || str_find_char(n->text, '\0') >= 0)
		return fail(err, s, n, VERIFY_EXPECTED);
	if (str_is(n->text, "gates"))
		o->verifies_gates = true;
	else if (o->verify.count == LOOP_VERIFY_MAX)
		return err_at(err, ERR_LIMIT, n->line, n->column, "%s: more than %d commands", s->key,
			      LOOP_VERIFY_MAX);
	else
		o->verify.items[o->verify.count++] = n->text;
	return 0;
}

static int
read_verify(struct arena *a, struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	s->to->verify.items = arena_array(a, LOOP_VERIFY_MAX, struct str);
	if (n->kind != NODE_LIST)
		return add_verify(s, n, err);
	for (size_t i = 0; i < n->count; i++)
		if (add_verify(s, &n->items[i], err) < 0)
			return -1;
	return 0;
}

bool
loop_options_verify(const struct loop_options *o)
{
	return o->verifies_todos || o->verifies_gates || o->verify.count > 0;
}

static int
read_todos(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	s->to->verifies_todos = s->node->kind == NODE_STRING && str_is(s->node->text, "done");
	return s->to->verifies_todos ? 0 : fail(err, s, s->node, "'done'");
}

/* ---- promises ---- */

#define PROMISES_EXPECTED "a map from promises to 'done' or 'stopped'"

static int
read_promises(struct arena *a, struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	if (n->kind != NODE_MAP || n->count == 0)
		return fail(err, s, n, PROMISES_EXPECTED);
	if (n->count > LOOP_OUTCOMES_MAX)
		return err_at(err, ERR_LIMIT, n->line, n->column, "%s: more than %d promises", s->key,
			      LOOP_OUTCOMES_MAX);
	s->to->outcomes = arena_array(a, n->count, struct loop_outcome);
	for (size_t i = 0; i < n->count; i++) {
		const struct node_entry *e = &n->entries[i];
		const struct node *long_form = node_get(&e->value, "means");
		const struct node *meaning = long_form ? long_form : &e->value;
		bool is_done = str_is(meaning->text, "done");

		if (meaning->kind != NODE_STRING || (!is_done && !str_is(meaning->text, "stopped")))
			return err_at(err, ERR_VALUE, meaning->line, meaning->column,
				      "%s." STR_FMT ": expected 'done' or 'stopped', not '" STR_FMT "'",
				      s->key, STR_ARG(e->key), STR_ARG(meaning->text));
		if (str_trim(e->key).n == 0)
			return err_at(err, ERR_VALUE, e->line, e->column, "%s: a promise is empty", s->key);
		s->to->outcomes[s->to->outcome_count++] = (struct loop_outcome){ e->key, is_done };
	}
	return 0;
}

/* ---- numbers ---- */

static int
read_whole(const struct setting *s, const struct node *n, uint64_t most, uint64_t *ret, struct err *err)
{
	if (n->kind != NODE_INT || n->integer < 0 || (uint64_t)n->integer > most)
		return fail(err, s, n, "a whole number from 0, where 0 is no limit");
	*ret = (uint64_t)n->integer;
	return 0;
}

static int
read_minutes(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	return read_whole(s, s->node, NUMBER_MAX, &s->to->max_minutes, err);
}

static int
read_tokens(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	return read_whole(s, s->node, NUMBER_MAX, &s->to->max_tokens, err);
}

bool
loop_dollars_parse(struct str text, int64_t *ret)
{
	ptrdiff_t point = str_find_char(text, '.');
	struct str whole = point < 0 ? text : str_sub(text, 0, (size_t)point);
	struct str rest = point < 0 ? STR("") : str_sub(text, (size_t)point + 1, text.n);
	uint64_t value = 0, part = 0;

	if ((whole.n > 0 && !number_parse(whole, &value)) || value >= DOLLARS_MAX || rest.n > 9 ||
	    (rest.n > 0 && !number_parse(rest, &part)) || whole.n + rest.n == 0)
		return false;
	for (size_t i = rest.n; i < 9; i++)
		part *= 10;
	*ret = (int64_t)(value * 1000000000 + part);
	return true;
}

static int
read_dollars(const struct setting *s, const struct node *n, int64_t *ret, struct err *err)
{
	if ((n->kind != NODE_INT && n->kind != NODE_FLOAT) || !loop_dollars_parse(n->text, ret))
		return fail(err, s, n, "a number of US dollars, such as 2.50");
	return 0;
}

static int
read_cost(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	return read_dollars(s, s->node, &s->to->max_cost, err);
}

/* ---- prices ---- */

static int
read_price(const struct setting *s, const struct node_entry *e, struct model_price *ret, struct err *err)
{
	const struct node *input = node_get(&e->value, "input"), *output = node_get(&e->value, "output"),
			  *cached = node_get(&e->value, "cache_read");

	if (!input || !output)
		return err_at(err, ERR_VALUE, e->value.line, e->value.column,
			      "%s." STR_FMT
			      ": expected {input: DOLLARS, output: DOLLARS}, per million tokens",
			      s->key, STR_ARG(e->key));
	if (read_dollars(s, input, &ret->input, err) < 0 || read_dollars(s, output, &ret->output, err) < 0 ||
	    (cached && read_dollars(s, cached, &ret->cache_read, err) < 0))
		return -1;
	/* From a million tokens to one. */
	ret->model = e->key;
	ret->input /= 1000000;
	ret->output /= 1000000;
	ret->cache_read = cached ? ret->cache_read / 1000000 : ret->input / 10;
	return 0;
}

static int
read_prices(struct arena *a, struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	if (n->kind != NODE_MAP)
		return fail(err, s, n, "a map from models to their prices");
	s->to->prices = arena_array(a, n->count + 1, struct model_price);
	for (size_t i = 0; i < n->count; i++)
		if (read_price(s, &n->entries[i], &s->to->prices[s->to->price_count++], err) < 0)
			return -1;
	return 0;
}

/* ---- what was counted ---- */

static int64_t
counted(const struct node *n)
{
	return n && n->kind == NODE_INT && n->integer > 0 ? n->integer : 0;
}

static uint64_t
hash_in(struct str text)
{
	uint64_t hash;

	return number_parse(text, &hash) ? hash : 0;
}

/* Nobody but holdfast writes it; what is wrong in it counts as 0, and the transcript is read again. */
static int
read_usage(struct arena *a, struct setting *s, struct err *err)
{
	const struct node *n = s->node, *last = node_get(n, "last");
	struct usage u = {
		.read.offset = (uint64_t)counted(node_get(n, "offset")),
		.read.mark = hash_in(node_get_str(n, "mark")),
		.tokens = counted(node_get(n, "tokens")),
		.cost = counted(node_get(n, "cost")),
		.unknown_model = node_get_str(n, "unknown_model"),
	};

	(void)a;
	(void)err;
	for (size_t i = 0; last && last->kind == NODE_LIST && i < last->count && i < USAGE_LAST_MAX; i++) {
		const struct node *m = &last->items[i];

		if (m->kind != NODE_LIST || m->count != 6 || hash_in(m->items[0].text) == 0)
			continue;
		u.last[u.last_count++] = (struct usage_message){
			hash_in(m->items[0].text),
			{ counted(&m->items[1]), counted(&m->items[2]), counted(&m->items[3]),
			  counted(&m->items[4]), counted(&m->items[5]) },
		};
	}
	s->to->usage = u;
	return 0;
}

/* A name without what could end the value or begin a comment. */
static struct str
plain_name(struct arena *a, struct str name)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
				str_find_char(STR("-._:/@"), c) >= 0;

		buf_addc(&b, is_plain ? c : '?');
	}
	return buf_str(&b);
}

struct str
loop_usage_text(struct arena *a, const struct usage *u)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addc(&b, '{');
	json_add_member_int(&b, "offset", (int64_t)u->read.offset);
	json_add_member(&b, "mark", str_fmt(a, "%" PRIu64, u->read.mark));
	json_add_member_int(&b, "tokens", u->tokens);
	json_add_member_int(&b, "cost", u->cost);
	if (u->unknown_model.s)
		json_add_member(&b, "unknown_model", plain_name(a, u->unknown_model));
	json_add_key(&b, "last");
	buf_addc(&b, '[');
	for (size_t i = 0; i < u->last_count; i++) {
		const struct token_counts *c = &u->last[i].counts;

		buf_addf(&b,
			 "%s[\"%" PRIu64 "\",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]",
			 i > 0 ? "," : "", u->last[i].id, c->input, c->output, c->cache_write,
			 c->cache_write_1h, c->cache_read);
	}
	buf_add(&b, STR("]}"));
	return buf_str(&b);
}

struct str
loop_dollars(struct arena *a, int64_t billionths)
{
	int64_t cents = (billionths + 5000000) / 10000000;

	return str_fmt(a, "%" PRId64 ".%02" PRId64, cents / 100, cents % 100);
}

/* ---- progress ---- */

static int
read_stuck_after(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	return read_whole(s, s->node, NUMBER_MAX, &s->to->stuck_after, err);
}

/* As read_usage(). */
static int
read_progress(struct arena *a, struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	(void)a;
	(void)err;
	s->to->stuck = (struct loop_stuck){
		.message = hash_in(node_get_str(n, "message")),
		.tree = hash_in(node_get_str(n, "tree")),
		.without_tool = (uint64_t)counted(node_get(n, "without_tool")),
		.same_message = (uint64_t)counted(node_get(n, "same_message")),
		.same_tree = (uint64_t)counted(node_get(n, "same_tree")),
	};
	return 0;
}

struct str
loop_stuck_text(struct arena *a, const struct loop_stuck *s)
{
	return str_fmt(a,
		       "{\"message\":\"%" PRIu64 "\",\"tree\":\"%" PRIu64 "\",\"without_tool\":%" PRIu64
		       ",\"same_message\":%" PRIu64 ",\"same_tree\":%" PRIu64 "}",
		       s->message, s->tree, s->without_tool, s->same_message, s->same_tree);
}

/* ---- usage limits ---- */

static int
read_resume_after_limit(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	return read_whole(s, s->node, NUMBER_MAX, &s->to->resume_after_limit, err);
}

/* As read_usage(). */
static int
read_limit(struct arena *a, struct setting *s, struct err *err)
{
	struct loop_limit l = { .resumes = (uint64_t)counted(node_get(s->node, "resumes")) };

	(void)a;
	(void)err;
	if (!clock_parse(node_get_str(s->node, "until"), &l.until_us))
		l.until_us = 0;
	s->to->limit = l;
	return 0;
}

struct str
loop_limit_text(struct arena *a, const struct loop_limit *l)
{
	struct buf b = BUF(a, KIB(1));

	buf_addc(&b, '{');
	json_add_member_int(&b, "resumes", (int64_t)l->resumes);
	if (l->until_us > 0)
		json_add_member(&b, "until", clock_format_seconds(a, l->until_us));
	buf_addc(&b, '}');
	return buf_str(&b);
}

/* ---- the prompt ---- */

static int
read_refeed(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	s->to->is_brief = str_is(s->node->text, "brief");
	if (s->node->kind != NODE_STRING || (!s->to->is_brief && !str_is(s->node->text, "full")))
		return fail(err, s, s->node, "'full' or 'brief'");
	return 0;
}

static int
read_steer(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	(void)err;
	s->to->steer = s->node->text;
	return 0;
}

static const char *const prompted_names[] = {
	[PROMPTED_NOT] = "no", [PROMPTED_NOW] = "now", [PROMPTED_OVER] = "over"
};

struct str
loop_prompted_text(enum loop_prompted p)
{
	return str_from(prompted_names[p]);
}

static int
read_prompted(struct arena *a, struct setting *s, struct err *err)
{
	(void)a;
	(void)err;
	for (int i = 0; i <= PROMPTED_OVER; i++)
		if (str_is(s->node->text, prompted_names[i]))
			s->to->prompted = (enum loop_prompted)i;
	return 0;
}

/* ---- all of them ---- */

enum form {
	FORM_YAML, /* any YAML; an error is the user's to fix */
	FORM_LINE, /* YAML on one line, which holdfast itself writes; what is wrong in it counts as missing */
	FORM_SCALAR, /* a text, also on several lines, which holdfast replaces */
};

#define ROW(key, form, read)                             \
	{                                                \
		{ key, sizeof(key) - 1 }, (form), (read) \
	}
static const struct row {
	struct str key;
	enum form form;
	int (*read)(struct arena *a, struct setting *s, struct err *err);
} rows[] = {
	ROW("limit", FORM_LINE, read_limit),
	ROW("resume_after_limit", FORM_YAML, read_resume_after_limit),
	ROW("max_cost_usd", FORM_YAML, read_cost),
	ROW("max_minutes", FORM_YAML, read_minutes),
	ROW("max_tokens", FORM_YAML, read_tokens),
	ROW("prices", FORM_YAML, read_prices),
	ROW("progress", FORM_LINE, read_progress),
	ROW("promises", FORM_YAML, read_promises),
	ROW("prompted", FORM_LINE, read_prompted),
	ROW("refeed", FORM_YAML, read_refeed),
	ROW("steer", FORM_SCALAR, read_steer),
	ROW("stuck_after", FORM_YAML, read_stuck_after),
	ROW("todos", FORM_YAML, read_todos),
	ROW("usage", FORM_LINE, read_usage),
	ROW("verify", FORM_YAML, read_verify),
};

/* The value of a key; null where it counts as missing. */
static int
read_value(struct arena *a, const struct frontmatter *f, const struct row *row, struct node *ret,
	   struct err *err)
{
	struct frontmatter_value v;
	bool is_twice;
	struct err ignored;

	*ret = (struct node){ .kind = NODE_NULL };
	if (row->form == FORM_YAML)
		return frontmatter_get_node(a, f, row->key.s, ret, err);
	if (frontmatter_get(a, f, row->key.s, &v, &is_twice, err) < 0)
		return row->form == FORM_SCALAR ? -1 : 0;
	*ret = (struct node){ .kind = v.is_null ? NODE_NULL : NODE_STRING, .text = v.value };
	if (row->form == FORM_LINE && !v.is_null && yaml_parse(a, v.value, ret, &ignored) < 0)
		*ret = (struct node){ .kind = NODE_NULL };
	return 0;
}

int
loop_options_parse(struct arena *a, const struct frontmatter *f, struct loop_options *ret, struct err *err)
{
	struct loop_options o = { 0 };
	bool is_read[COUNT_OF(rows)] = { 0 };
	struct str key;

	for (size_t at = 0; frontmatter_next_key(f, &at, &key);) {
		for (size_t i = 0; i < COUNT_OF(rows); i++) {
			struct node node;
			struct setting s = { rows[i].key.s, &node, &o };

			if (!str_eq(key, rows[i].key) || is_read[i])
				continue;
			is_read[i] = true; /* of two, the first counts */
			if (read_value(a, f, &rows[i], &node, err) < 0)
				return -1;
			if (node.kind != NODE_NULL && rows[i].read(a, &s, err) < 0)
				return -1;
		}
	}
	*ret = o;
	return 0;
}
