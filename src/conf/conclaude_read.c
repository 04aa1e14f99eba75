/* SPDX-License-Identifier: MIT */
/* Readers for the values of conclaude's configuration that are more than a type and a range. Pure; each either
 * stores a value that the rest of the program can rely on or fails with the place. */
#include "conf/conclaude_keys.h"

int
conclaude_read_glob(struct arena *a, const struct node *n, const struct field *f, void *to,
		    const struct decode_at *at, struct err *err)
{
	/* as the item of a list it can't be left out */
	if (n->kind == NODE_NULL && f->read != conclaude_read_glob)
		return decode_fail_type(n, at, err, "a pattern");
	return decode_str(a, n, f, to, at, err);
}

int
conclaude_read_regex(struct arena *a, const struct node *n, const struct field *f, void *to,
		     const struct decode_at *at, struct err *err)
{
	return decode_str(a, n, f, to, at, err);
}

int
conclaude_read_text(struct arena *a, const struct node *n, const struct field *f, void *to,
		    const struct decode_at *at, struct err *err)
{
	struct str text = STR_NONE;

	if (decode_str(a, n, f, &text, at, err) < 0)
		return -1;
	if (str_trim(text).n == 0)
		return decode_fail(n, at, err,
				   "expected a text, not a blank one: the agent would be told nothing");
	*(struct str *)to = text;
	return 0;
}

int
conclaude_read_filled(struct arena *a, const struct node *n, const struct field *f, void *to,
		      const struct decode_at *at, struct err *err)
{
	struct str text = STR_NONE;

	if (decode_str(a, n, f, &text, at, err) < 0)
		return -1;
	if (str_trim(text).n > 0)
		*(struct str *)to = text;
	return 0;
}

int
conclaude_read_times(struct arena *a, const struct node *n, const struct field *f, void *to,
		     const struct decode_at *at, struct err *err)
{
	if (n->kind == NODE_INT && n->integer > f->most) {
		*(int64_t *)to = f->most;
		return 0;
	}
	return decode_int(a, n, f, to, at, err);
}

int
conclaude_read_uneditable(struct arena *a, const struct node *n, const struct field *f, void *to,
			  const struct decode_at *at, struct err *err)
{
	struct conclaude_uneditable *u = to;

	(void)f;
	if (n->kind == NODE_STRING) {
		u->pattern = n->text;
		return 0;
	}
	/* a number or a boolean is no pattern here, although it is one for every other glob */
	if (n->kind != NODE_MAP)
		return decode_fail_type(n, at, err, "a pattern or a map with 'pattern'");
	return decode_map(a, n, conclaude_uneditable.fields, conclaude_uneditable.count, u, at, err);
}

int
conclaude_read_tool_rule(struct arena *a, const struct node *n, const struct field *f, void *to,
			 const struct decode_at *at, struct err *err)
{
	struct conclaude_tool_rule *rule = to;

	(void)f;
	if (n->kind != NODE_MAP)
		return decode_fail_type(n, at, err, "a map");
	if (decode_map(a, n, conclaude_tool_rule.fields, conclaude_tool_rule.count, rule, at, err) < 0)
		return -1;
	if (!rule->pattern.s && !rule->command_pattern.s)
		return decode_fail(n, at, err, "missing key 'pattern' (or 'commandPattern')");
	return 0;
}
