/* SPDX-License-Identifier: MIT */
/* Simple commands: their words, assignments and redirections. */
#include "shell/eval.h"

static const struct str hole = { "\xFF", 1 };

static struct str
text_of(struct sh_eval *e, const struct sh_word *w)
{
	return sh_expand_one(e, w).text;
}

static bool
is_descriptor(struct str text)
{
	uint64_t ignored;

	return str_is(text, "-") || number_parse(text, &ignored) ||
	       (str_ends(text, STR("-")) && number_parse(str_sub(text, 0, text.n - 1), &ignored));
}

/* The files of redirections; what a here-document says becomes the input. */
static void
add_redirects(struct sh_eval *e, const struct sh_node *n, struct sh_command *c)
{
	c->files = arena_array(e->arena, n->redirect_count, struct sh_file);
	for (size_t i = 0; i < n->redirect_count; i++) {
		const struct sh_redirect *r = &n->redirects[i];
		struct str op = r->operator;

		if (r->body) {
			c->input = text_of(e, r->body);
			continue;
		}
		struct sh_arg target = sh_expand_one(e, &r->target);

		if (str_is(op, "<<<")) {
			c->input = str_fmt(e->arena, STR_FMT "\n", STR_ARG(target.text));
			continue;
		}
		if ((str_is(op, ">&") || str_is(op, "<&")) && is_descriptor(target.text))
			continue;
		bool reads = op.s[0] == '<';

		if (reads && r->fd <= 0)
			c->input = str_is(target.text, "/dev/null") ? STR("") : hole;
		c->files[c->file_count++] = (struct sh_file){
			.path = target,
			.is_read = reads,
			.is_written = !reads || str_is(op, "<>"),
			.is_appended = str_ends(op, STR(">>")),
		};
	}
}

static void
assign(struct sh_eval *e, const struct sh_assign *s, struct str value)
{
	struct str old = sh_value(e, s->name);

	if (s->is_list)
		value = hole;
	else if (s->appends)
		value = str_fmt(e->arena, STR_FMT STR_FMT, STR_ARG(old.s ? old : hole), STR_ARG(value));
	sh_set(e, s->name, value);
}

void
sh_eval_simple(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_command c = {
		.cwd = e->cwd,
		.may_be_elsewhere = e->may_be_elsewhere,
		.is_nested = e->is_nested,
		.is_piped = e->is_piped,
		.is_background = e->is_background,
		.is_fed = e->is_fed,
		.selection = e->selection,
		.input = e->input,
	};
	struct sh_args args = { 0 };
	struct str *values = arena_array(e->arena, n->assign_count, struct str);

	e->substituted = NULL;
	c.assignments.items = arena_array(e->arena, n->assign_count, struct str);
	for (size_t i = 0; i < n->assign_count; i++) {
		struct sh_args items = { 0 };

		values[i] = text_of(e, &n->assigns[i].value);
		for (size_t k = 0; k < n->assigns[i].items.count; k++)
			sh_expand(e, &n->assigns[i].items.items[k], &items);
		c.assignments.items[c.assignments.count++] = str_fmt(
			e->arena, STR_FMT "=" STR_FMT, STR_ARG(n->assigns[i].name), STR_ARG(values[i]));
	}
	for (size_t i = 0; i < n->words.count; i++)
		sh_expand(e, &n->words.items[i], &args);
	add_redirects(e, n, &c);
	if (e->substituted)
		c.selection = e->substituted;
	c.args = args.items;
	c.count = args.count;
	sh_eval_assignments(e, &c);
	if (c.count > 0) {
		sh_eval_command(e, &c);
		return;
	}
	for (size_t i = 0; i < n->assign_count; i++)
		assign(e, &n->assigns[i], values[i]);
	if (n->redirect_count > 0 || n->words.count > 0)
		sh_add_command(e, &c);
}

void
sh_eval_redirects(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_command c = { .cwd = e->cwd,
				.may_be_elsewhere = e->may_be_elsewhere,
				.is_nested = e->is_nested };

	if (n->redirect_count == 0)
		return;
	e->substituted = NULL;
	add_redirects(e, n, &c);
	if (c.input.s) {
		e->input = c.input;
		e->is_fed = sh_has_hole(c.input);
		e->selection = e->substituted;
	}
	/* it does not empty a file: something is written there */
	for (size_t i = 0; i < c.file_count; i++)
		c.files[i].is_appended |= c.files[i].is_written;
	sh_add_command(e, &c);
}
