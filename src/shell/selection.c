/* SPDX-License-Identifier: MIT */
/* Programs that choose files (find, fd, ls, git ls-files), and those that run a command for what was chosen (find -exec, xargs,
 * parallel). */
#include "shell/eval.h"

/* Values of a list in the line that are followed. */
#define FED_LIMIT 64

static const struct str hole = { "\xFF", 1 };

/* ---- who has chosen ---- */

static bool
is_selector(const struct sh_command *c)
{
	struct str program = sh_program(c);
	bool names_only = false;

	if (str_is(program, "find") || str_is(program, "ls") || str_is(program, "fd") ||
	    str_is(program, "fdfind"))
		return true;
	for (size_t i = 1; i < c->count; i++) {
		names_only |= str_is(c->args[i].text, "--name-only");
		if (str_is(program, "git") && str_is(c->args[i].text, "ls-files"))
			return true;
	}
	return names_only && c->count > 1 && str_is(program, "git") && str_is(c->args[1].text, "diff");
}

/* Of the names that it reads, it prints some. */
static bool
is_filter(const struct sh_command *c)
{
	static const char *const filters[] = { "grep", "egrep", "fgrep", "sort", "uniq", "head",
					       "tail", "tac",   "shuf",  "cat",  "tee" };

	return sh_is_one_of(sh_program(c), filters, COUNT_OF(filters));
}

const struct sh_command *
sh_selection(struct sh_eval *e, size_t first, const struct sh_command *before)
{
	const struct sh_command *found = before;

	for (size_t i = first; i < e->script->count; i++) {
		const struct sh_command *c = &e->script->items[i];

		if (is_selector(c)) {
			struct sh_command *copy = arena_new(e->arena, struct sh_command);

			*copy = *c;
			found = copy;
		} else if (!is_filter(c) && !c->is_wrapper && !str_is(sh_program(c), "cd")) {
			found = NULL;
		}
	}
	return e->script->count > first ? found : NULL;
}

/* ---- what is run for it ---- */

static void
add_arg(struct sh_eval *e, struct sh_args *to, struct sh_arg arg)
{
	arena_make_room(e->arena, to->items, to->count, &to->capacity);
	to->items[to->count++] = arg;
}

static void
add_value(struct sh_eval *e, struct sh_args *to, struct str value)
{
	add_arg(e, to, (struct sh_arg){ value, STR("{}"), sh_has_hole(value), false });
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

static void
run_made(struct sh_eval *e, const struct sh_command *c, const struct sh_args *args)
{
	const struct sh_command *outer = e->selection;
	struct sh_command inner = *c;

	inner.args = args->items;
	inner.count = args->count;
	inner.file_count = 0;
	inner.input = STR_NONE;
	inner.is_nested = true;
	inner.is_wrapper = false;
	/* of sh -c 'rm "$1"', too */
	e->selection = c->selection;
	if (inner.count > 0)
		sh_eval_command(e, &inner);
	e->selection = outer;
}

/* The command from `first` to `end`, with the value in place of the mark. */
static void
run_filled(struct sh_eval *e, const struct sh_command *c, size_t first, size_t end, struct str mark,
	   struct str value)
{
	struct sh_args args = { 0 };

	for (size_t i = first; i < end; i++)
		add_arg(e, &args, filled(e, &c->args[i], mark, value));
	run_made(e, c, &args);
}

/* The same once for each value; without a mark, once with all of them at the end. */
static void
run_for(struct sh_eval *e, const struct sh_command *c, size_t first, size_t end, struct str mark,
	const struct sh_args *values)
{
	struct sh_args args = { 0 };

	for (size_t i = 0; mark.n > 0 && i < values->count; i++)
		run_filled(e, c, first, end, mark, values->items[i].text);
	if (mark.n > 0)
		return;
	for (size_t i = first; i < end; i++)
		add_arg(e, &args, c->args[i]);
	for (size_t i = 0; i < values->count; i++)
		add_arg(e, &args, values->items[i]);
	run_made(e, c, &args);
}

/* What the command is given on stdin: what a person wrote before the pipe is known. */
static struct sh_args
given_values(struct sh_eval *e, const struct sh_command *c, bool is_by_line)
{
	struct sh_args values = { 0 };
	struct str rest = c->input, line, word;

	if (!c->input.s || sh_has_hole(c->input) || str_find_char(c->input, '\0') >= 0) {
		add_value(e, &values, hole);
		return values;
	}
	while (str_next(&rest, '\n', &line) && values.count < FED_LIMIT) {
		if (is_by_line && str_trim(line).n > 0)
			add_value(e, &values, str_trim(line));
		while (!is_by_line && str_next(&line, ' ', &word) && values.count < FED_LIMIT)
			if (word.n > 0)
				add_value(e, &values, word);
	}
	return values;
}

void
sh_run_xargs(struct sh_eval *e, struct sh_command *c)
{
	struct str mark = STR("");
	bool has_file = false;
	size_t i = 1;

	for (; i < c->count && c->args[i].text.n > 1 && c->args[i].text.s[0] == '-'; i++) {
		struct str t = c->args[i].text;

		has_file |= str_is(t, "-a") || str_starts(t, STR("--arg-file"));
		if (str_is(t, "-a") && i + 1 < c->count)
			sh_add_file(e, c, c->args[i + 1].text, true);
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
	if (has_file) {
		c->input = STR_NONE;
		c->selection = NULL;
	}
	struct sh_args values = given_values(e, c, mark.n > 0);

	c->is_fed = true;
	if (values.count > 0)
		run_for(e, c, i, c->count, mark, &values);
}

/* parallel CMD ::: VALUE..., or with values on stdin; the command may be one text. */
void
sh_run_parallel(struct sh_eval *e, struct sh_command *c)
{
	struct sh_args values = { 0 };
	struct str mark = STR("");
	size_t i = 1, end;

	while (i < c->count && c->args[i].text.n > 1 && c->args[i].text.s[0] == '-') {
		struct str t = c->args[i].text;

		if (str_is(t, "-a") || str_starts(t, STR("--arg-file")))
			c->selection = NULL;
		i += t.n == 2 && str_find_char(STR("ajSINPLn"), t.s[1]) >= 0 ? 2 : 1;
	}
	for (end = i; end < c->count && !str_starts(c->args[end].text, STR(":::")); end++)
		if (str_find(c->args[end].text, STR("{}")) >= 0)
			mark = STR("{}");
	if (end < c->count && str_is(c->args[end].text, ":::"))
		for (size_t k = end + 1; k < c->count && values.count < FED_LIMIT; k++)
			add_arg(e, &values, c->args[k]);
	else
		values = given_values(e, c, true);
	c->is_fed = true;
	if (end == i + 1 && str_find_char(c->args[i].text, ' ') > 0) {
		struct str text = filled(e, &c->args[i], mark, STR("\"$1\"")).text;
		struct sh_args outer = e->positional;

		for (size_t k = 0; k < values.count; k++) {
			e->positional = (struct sh_args){ values.items + k, 1, 0 };
			sh_run_text(e,
				    mark.n > 0 ? text : str_fmt(e->arena, STR_FMT " \"$1\"", STR_ARG(text)),
				    STR_NONE);
		}
		e->positional = outer;
		return;
	}
	run_for(e, c, i, end, mark, &values);
}

void
sh_run_find(struct sh_eval *e, struct sh_command *c)
{
	static const char *const actions[] = { "-exec", "-execdir", "-ok", "-okdir" };
	struct str start = c->count > 1 && !str_starts(c->args[1].text, STR("-")) ? c->args[1].text
										  : STR(".");
	struct sh_command *own = arena_new(e->arena, struct sh_command), inner = *c;

	*own = *c;
	inner.selection = own;
	sh_add_command(e, c);
	for (size_t i = 1; i < c->count; i++) {
		size_t end = i + 1;

		if (!sh_is_one_of(c->args[i].text, actions, COUNT_OF(actions)))
			continue;
		while (end < c->count && !str_is(c->args[end].text, ";") && !str_is(c->args[end].text, "+"))
			end++;
		run_filled(e, &inner, i + 1, end, STR("{}"),
			   str_fmt(e->arena, STR_FMT "/\xFF", STR_ARG(start)));
		i = end;
	}
	if (e->output)
		buf_add(e->output, hole);
}

/* fd -x CMD, fd -X CMD: what it has found comes in place of {}, or at the end. */
void
sh_run_fd(struct sh_eval *e, struct sh_command *c)
{
	static const char *const actions[] = { "-x", "-X", "--exec", "--exec-batch" };
	struct sh_command *own = arena_new(e->arena, struct sh_command), inner = *c;
	struct sh_args values = { 0 };

	*own = *c;
	inner.selection = own;
	add_value(e, &values, hole);
	sh_add_command(e, c);
	for (size_t i = 1; i + 1 < c->count; i++) {
		struct str mark = STR("");

		if (!sh_is_one_of(c->args[i].text, actions, COUNT_OF(actions)))
			continue;
		own->count = i;
		for (size_t k = i + 1; k < c->count; k++)
			mark = str_find(c->args[k].text, STR("{}")) >= 0 ? STR("{}") : mark;
		run_for(e, &inner, i + 1, c->count, mark, &values);
		break;
	}
	if (e->output)
		buf_add(e->output, hole);
}
