/* SPDX-License-Identifier: MIT */
/* Reads the optional keys. Pure. */
#include "loop/options.h"

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
	return o->verifies_gates || o->verify.count > 0;
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

/* ---- all of them ---- */

#define ROW(key, read)                           \
	{                                        \
		{ key, sizeof(key) - 1 }, (read) \
	}
static const struct {
	struct str key;
	int (*read)(struct arena *a, struct setting *s, struct err *err);
} rows[] = {
	ROW("promises", read_promises),
	ROW("verify", read_verify),
};

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
			if (frontmatter_get_node(a, f, rows[i].key.s, &node, err) < 0)
				return -1;
			if (node.kind != NODE_NULL && rows[i].read(a, &s, err) < 0)
				return -1;
		}
	}
	*ret = o;
	return 0;
}
