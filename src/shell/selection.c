/* SPDX-License-Identifier: MIT */
/* Programs that choose files, and those that run a command for what was chosen: find, xargs. */
#include "shell/eval.h"

static void
add_arg(struct sh_eval *e, struct sh_args *to, struct sh_arg arg)
{
	arena_make_room(e->arena, to->items, to->count, &to->capacity);
	to->items[to->count++] = arg;
}

static struct sh_arg
filled(struct sh_eval *e, const struct sh_arg *arg, struct str mark, struct str value)
{
	struct sh_arg made = *arg;
	ptrdiff_t at;

	for (int i = 0; i < 8 && mark.n > 0 && (at = str_find(made.text, mark)) >= 0; i++) {
		made.text = str_fmt(e->arena, STR_FMT STR_FMT STR_FMT,
				    STR_ARG(str_sub(made.text, 0, (size_t)at)), STR_ARG(value),
				    STR_ARG(str_sub(made.text, (size_t)at + mark.n, made.text.n)));
	}
	made.is_unknown = sh_has_hole(made.text);
	return made;
}

/* The command from `first` to `end`, with the value in place of the mark; at the end where there is no mark. */
static void
run_filled(struct sh_eval *e, const struct sh_command *c, size_t first, size_t end, struct str mark,
	   struct str value, bool appends)
{
	struct sh_command inner = *c;
	struct sh_args args = { 0 };

	for (size_t i = first; i < end; i++)
		add_arg(e, &args, filled(e, &c->args[i], mark, value));
	if (appends)
		add_arg(e, &args,
			(struct sh_arg){
				.text = value, .source = STR("{}"), .is_unknown = sh_has_hole(value) });
	inner.args = args.items;
	inner.count = args.count;
	inner.file_count = 0;
	inner.input = STR_NONE;
	inner.is_nested = true;
	inner.is_wrapper = false;
	if (inner.count > 0)
		sh_eval_command(e, &inner);
}

void
sh_run_xargs(struct sh_eval *e, struct sh_command *c)
{
	struct str mark = STR("");
	size_t i = 1;

	for (; i < c->count && c->args[i].text.n > 1 && c->args[i].text.s[0] == '-'; i++) {
		struct str t = c->args[i].text;

		if (str_starts(t, STR("-I")) || str_starts(t, STR("-i")) || str_starts(t, STR("-J"))) {
			mark = t.n > 2 ? str_sub(t, 2, t.n) : STR("{}");
			if (t.n == 2 && t.s[1] != 'i' && i + 1 < c->count)
				mark = c->args[++i].text;
		} else if (t.n == 2 && str_find_char(STR("aEdLnPs"), t.s[1]) >= 0)
			i++;
		else if (str_starts(t, STR("--replace")))
			mark = t.n > 10 ? str_sub(t, 10, t.n) : STR("{}");
		else if (str_is(t, "--max-args") || str_is(t, "--max-procs") || str_is(t, "--delimiter") ||
			 str_is(t, "--arg-file") || str_is(t, "--max-lines"))
			i++;
	}
	c->is_selected = e->is_selected;
	/* what a person wrote before the pipe is known */
	struct str value = c->input.s && !sh_has_hole(c->input) &&
					   str_find_char(str_trim(c->input), ' ') < 0 &&
					   str_find_char(str_trim(c->input), '\n') < 0
				   ? str_trim(c->input)
				   : STR("\xFF");

	run_filled(e, c, i, c->count, mark, value, mark.n == 0);
}

/* Does find choose by name, and not everything? */
static bool
selects_by_name(const struct sh_command *c)
{
	static const char *const tests[] = { "-name",      "-iname", "-path",  "-ipath",
					     "-wholename", "-regex", "-iregex" };

	for (size_t i = 1; i + 1 < c->count; i++)
		if (sh_is_one_of(c->args[i].text, tests, COUNT_OF(tests)) &&
		    !str_is(c->args[i + 1].text, "*") && !str_is(c->args[i + 1].text, "*.*") &&
		    !str_is(c->args[i + 1].text, "?*") && !c->args[i + 1].is_unknown &&
		    !str_is(c->args[i - 1].text, "-not") && !str_is(c->args[i - 1].text, "!"))
			return true;
	return false;
}

void
sh_run_find(struct sh_eval *e, struct sh_command *c)
{
	static const char *const actions[] = { "-exec", "-execdir", "-ok", "-okdir" };
	struct str start = c->count > 1 && !str_starts(c->args[1].text, STR("-")) ? c->args[1].text
										  : STR(".");

	c->is_selected = selects_by_name(c);
	sh_add_command(e, c);
	for (size_t i = 1; i < c->count; i++) {
		size_t end = i + 1;

		if (!sh_is_one_of(c->args[i].text, actions, COUNT_OF(actions)))
			continue;
		while (end < c->count && !str_is(c->args[end].text, ";") && !str_is(c->args[end].text, "+"))
			end++;
		run_filled(e, c, i + 1, end, STR("{}"), str_fmt(e->arena, STR_FMT "/\xFF", STR_ARG(start)),
			   false);
		i = end;
	}
	if (e->output)
		buf_add(e->output, STR("\xFF"));
}
