/* SPDX-License-Identifier: MIT */
/* Reads the optional keys. Pure. */
#include "loop/state.h"

#include "doc/json.h"
#include "doc/yaml.h"
#include "os/clock.h"

#include <inttypes.h>

#define NUMBER_MAX INT64_C(1000000000000)
#define DOLLARS_MAX 1000000

/* A key and its value. */
struct setting {
	struct arena *arena;
	const char *key;
	const struct node *node;
	struct loop_options *to;
	uint64_t *number; /* of a limit: where it goes */
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

static int
read_verify(struct setting *s, struct err *err)
{
	struct loop_options *o = s->to;
	bool is_list = s->node->kind == NODE_LIST;
	const struct node *items = is_list ? s->node->items : s->node;

	o->verify.items = arena_array(s->arena, LOOP_VERIFY_MAX, struct str);
	for (size_t i = 0; i < (is_list ? s->node->count : 1); i++) {
		const struct node *n = &items[i];

		if (n->kind != NODE_STRING || str_trim(n->text).n == 0 || str_find_char(n->text, '\0') >= 0)
			return fail(err, s, n, "a command, 'gates', or a list of them");
		if (str_is(n->text, "gates"))
			o->verifies_gates = true;
		else if (o->verify.count == LOOP_VERIFY_MAX)
			return err_at(err, ERR_LIMIT, n->line, n->column, "%s: more than %d commands", s->key,
				      LOOP_VERIFY_MAX);
		else
			o->verify.items[o->verify.count++] = n->text;
	}
	return 0;
}

bool
loop_options_verify(const struct loop_options *o)
{
	return o->verifies_todos || o->verifies_gates || o->verify.count > 0;
}

static int
read_todos(struct setting *s, struct err *err)
{
	s->to->verifies_todos = s->node->kind == NODE_STRING && str_is(s->node->text, "done");
	return s->to->verifies_todos ? 0 : fail(err, s, s->node, "'done'");
}

/* ---- promises ---- */

static int
read_promises(struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	if (n->kind != NODE_MAP || n->count == 0)
		return fail(err, s, n, "a map from promises to 'done' or 'stopped'");
	if (n->count > LOOP_OUTCOMES_MAX)
		return err_at(err, ERR_LIMIT, n->line, n->column, "%s: more than %d promises", s->key,
			      LOOP_OUTCOMES_MAX);
	s->to->has_own_promises = true;
	s->to->outcomes = arena_array(s->arena, n->count, struct loop_outcome);
	for_each (e, n->entries, n->count) {
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
read_limit(struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	if (n->kind != NODE_INT || n->integer < 0 || n->integer > NUMBER_MAX)
		return fail(err, s, n, "a whole number from 0, where 0 is no limit");
	*s->number = (uint64_t)n->integer;
	return 0;
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
read_cost(struct setting *s, struct err *err)
{
	return read_dollars(s, s->node, &s->to->max_cost, err);
}

/* ---- prices ---- */

static int
read_prices(struct setting *s, struct err *err)
{
	const struct node *n = s->node;

	if (n->kind != NODE_MAP)
		return fail(err, s, n, "a map from models to their prices");
	s->to->prices = arena_array(s->arena, n->count + 1, struct model_price);
	for_each (e, n->entries, n->count) {
		const struct node *input = node_get(&e->value, "input"),
				  *output = node_get(&e->value, "output"),
				  *cached = node_get(&e->value, "cache_read");
		struct model_price *p = &s->to->prices[s->to->price_count++];

		if (!input || !output)
			return err_at(err, ERR_VALUE, e->value.line, e->value.column,
				      "%s." STR_FMT
				      ": expected {input: DOLLARS, output: DOLLARS}, per million tokens",
				      s->key, STR_ARG(e->key));
		if (read_dollars(s, input, &p->input, err) < 0 ||
		    read_dollars(s, output, &p->output, err) < 0 ||
		    (cached && read_dollars(s, cached, &p->cache_read, err) < 0))
			return -1;
		/* From a million tokens to one. */
		p->model = e->key;
		p->input /= 1000000;
		p->output /= 1000000;
		p->cache_read = cached ? p->cache_read / 1000000 : p->input / 10;
	}
	return 0;
}

/* ---- what holdfast itself keeps there. What is wrong in it counts as 0, and is found out again ---- */

static int64_t
counted(const struct node *n)
{
	return n->kind == NODE_INT && n->integer > 0 ? n->integer : 0;
}

static uint64_t
hash_in(struct str text)
{
	uint64_t hash;

	return number_parse(text, &hash) ? hash : 0;
}

static void
load_usage(const struct node *n, struct loop_options *o)
{
	const struct node *last = node_get_list(n, "last");
	struct usage u = {
		.read.offset = (uint64_t)node_get_count(n, "offset", INT64_MAX),
		.read.mark = hash_in(node_get_str(n, "mark")),
		.tokens = node_get_count(n, "tokens", INT64_MAX),
		.cost = node_get_count(n, "cost", INT64_MAX),
		.unknown_model = node_get_str(n, "unknown_model"),
	};

	for (size_t i = 0; i < last->count && i < USAGE_LAST_MAX; i++) {
		const struct node *m = &last->items[i];

		if (m->kind != NODE_LIST || m->count != 6 || hash_in(m->items[0].text) == 0)
			continue;
		u.last[u.last_count++] = (struct usage_message){
			hash_in(m->items[0].text),
			{ counted(&m->items[1]), counted(&m->items[2]), counted(&m->items[3]),
			  counted(&m->items[4]), counted(&m->items[5]) },
		};
	}
	o->usage = u;
}

/* A name without what could end the value or begin a comment. */
static struct str
plain_name(struct arena *a, struct str name)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];
		bool is_plain = is_letter(c) || is_digit(c) || str_find_char(STR("-._:/@"), c) >= 0;

		buf_addc(&b, is_plain ? c : '?');
	}
	return buf_str(&b);
}

struct str
loop_usage_text(struct arena *a, const struct usage *u)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_open(&b, NULL, '{');
	json_add(&b, "offset", u->read.offset, "mark", str_cat(a, u->read.mark), "tokens", u->tokens, "cost",
		 u->cost, "unknown_model", u->unknown_model.s ? plain_name(a, u->unknown_model) : STR_NONE);
	json_open(&b, "last", '[');
	for (size_t i = 0; i < u->last_count; i++) {
		const struct token_counts *c = &u->last[i].counts;

		buf_cat(&b, i > 0 ? "," : "", "[\"", u->last[i].id, "\",", c->input, ",", c->output, ",",
			c->cache_write, ",", c->cache_write_1h, ",", c->cache_read, "]");
	}
	json_close(&b, "]}");
	return buf_str(&b);
}

struct str
loop_dollars(struct arena *a, int64_t billionths)
{
	int64_t cents = (billionths + 5000000) / 10000000;

	return str_fmt(a, "%" PRId64 ".%02" PRId64, cents / 100, cents % 100);
}

struct str
loop_dollars_exact(struct arena *a, int64_t billionths)
{
	return str_fmt(a, "%" PRId64 ".%09" PRId64, billionths / 1000000000, billionths % 1000000000);
}

static void
load_progress(const struct node *n, struct loop_options *o)
{
	o->stuck = (struct loop_stuck){
		.message = hash_in(node_get_str(n, "message")),
		.tree = hash_in(node_get_str(n, "tree")),
		.without_tool = (uint64_t)node_get_count(n, "without_tool", INT64_MAX),
		.same_message = (uint64_t)node_get_count(n, "same_message", INT64_MAX),
		.same_tree = (uint64_t)node_get_count(n, "same_tree", INT64_MAX),
	};
}

struct str
loop_stuck_text(struct arena *a, const struct loop_stuck *s)
{
	return str_cat(a, "{\"message\":\"", s->message, "\",\"tree\":\"", s->tree,
		       "\",\"without_tool\":", s->without_tool, ",\"same_message\":", s->same_message,
		       ",\"same_tree\":", s->same_tree, "}");
}

static void
load_usage_limit(const struct node *n, struct loop_options *o)
{
	o->limit.resumes = (uint64_t)node_get_count(n, "resumes", INT64_MAX);
	if (!clock_parse(node_get_str(n, "until"), &o->limit.until_us))
		o->limit.until_us = 0;
}

struct str
loop_limit_text(struct arena *a, const struct loop_limit *l)
{
	return json_object(a, "resumes", l->resumes, "until",
			   l->until_us > 0 ? clock_format_seconds(a, l->until_us) : STR_NONE);
}

static void
load_steer(const struct node *n, struct loop_options *o)
{
	o->steer = n->text;
}

const char *const loop_prompted_names[] = {
	[PROMPTED_NOT] = "no", [PROMPTED_NOW] = "now", [PROMPTED_OVER] = "over"
};

static void
load_prompted(const struct node *n, struct loop_options *o)
{
	for (int i = 0; i <= PROMPTED_OVER; i++)
		if (str_is(n->text, loop_prompted_names[i]))
			o->prompted = (enum loop_prompted)i;
}

static int
read_refeed(struct setting *s, struct err *err)
{
	s->to->is_brief = str_is(s->node->text, "brief");
	if (s->node->kind != NODE_STRING || (!s->to->is_brief && !str_is(s->node->text, "full")))
		return fail(err, s, s->node, "'full' or 'brief'");
	return 0;
}

/* ---- all of them ---- */

#define LIMIT(name) #name, .read = read_limit, .number = offsetof(struct loop_options, name)
static const struct row {
	const char *key;
	int (*read)(struct setting *s, struct err *err); /* what the user writes: any YAML */
	size_t number;                                   /* of a limit: the offset of its member */
	/* What holdfast writes: YAML on one line, which counts as missing if anything is wrong in it, or a text, also on several
	 * lines. */
	void (*load)(const struct node *n, struct loop_options *o);
	bool is_text;
} rows[] = {
	{ "limit", .load = load_usage_limit },
	{ LIMIT(resume_after_limit) },
	{ "max_cost_usd", .read = read_cost },
	{ LIMIT(max_minutes) },
	{ LIMIT(max_tokens) },
	{ "prices", .read = read_prices },
	{ "progress", .load = load_progress },
	{ "promises", .read = read_promises },
	{ "prompted", .load = load_prompted },
	{ "refeed", .read = read_refeed },
	{ "steer", .load = load_steer, .is_text = true },
	{ LIMIT(stuck_after) },
	{ "todos", .read = read_todos },
	{ "usage", .load = load_usage },
	{ "verify", .read = read_verify },
};

int
loop_options_parse(struct arena *a, const struct frontmatter *f, struct loop_options *ret, struct err *err)
{
	struct loop_options o = { 0 };
	bool is_read[COUNT_OF(rows)] = { 0 }, is_twice;
	struct frontmatter_value v;
	struct str key;

	for (size_t at = 0; frontmatter_next_key(f, &at, &key);) {
		const struct row *row = rows;
		struct node node;

		while (row < rows + COUNT_OF(rows) && !str_is(key, row->key))
			row++;
		if (row == rows + COUNT_OF(rows) || is_read[row - rows])
			continue;
		is_read[row - rows] = true; /* of two, the first counts */
		if (row->read) {
			struct setting s = { a, row->key, &node, &o,
					     (uint64_t *)(void *)((char *)&o + row->number) };

			if (frontmatter_get_node(a, f, row->key, &node, err) < 0 ||
			    (node.kind != NODE_NULL && row->read(&s, err) < 0))
				return -1;
			continue;
		}
		if (frontmatter_get(a, f, row->key, &v, &is_twice, err) < 0) {
			if (row->is_text)
				return -1;
			continue;
		}
		node = (struct node){ .kind = NODE_STRING, .text = v.value };
		if (!v.is_null && (row->is_text || yaml_parse(a, v.value, &node, IGNORED) == 0) &&
		    node.kind != NODE_NULL)
			row->load(&node, &o);
	}
	*ret = o;
	return 0;
}
