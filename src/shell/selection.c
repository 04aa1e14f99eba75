/* SPDX-License-Identifier: MIT */
/* Programs that choose files (find, fd, ls, git ls-files), and those that run a command for what was chosen (find -exec, xargs,
 * parallel). */
#include "shell/eval.h"

/* Values of a list in the line that are followed. */
#define FED_LIMIT 64

/* ---- who has chosen ---- */

const struct sh_command *
sh_selection(struct sh_eval *e, size_t first, const struct sh_command *before)
{
	const struct sh_command *found = before;

	for (size_t i = first; i < e->script->count; i++) {
		const struct sh_command *c = &e->script->items[i];
		struct sh_words w = sh_words_of(c);
		const struct sh_row *row = sh_next_row(&w, SH_SELECTS, NULL, NULL);

		while (row && *row->options && !sh_has_exactly(c, row->options))
			row = sh_next_row(&w, SH_SELECTS, row, NULL);
		if (row) {
			struct sh_command *copy = arena_new(e->arena, struct sh_command);

			*copy = *c;
			found = copy;
		} else if (!c->is_wrapper && !sh_row_of(c, SH_FILTERS)) {
			found = NULL;
		}
	}
	return e->script->count > first ? found : NULL;
}

/* ---- what is run for it ---- */

static void
add_value(struct sh_eval *e, struct sh_args *to, struct str value)
{
	sh_add_arg(e, to, (struct sh_arg){ value, STR("{}"), sh_has_hole(value), false });
}

static struct sh_arg
filled(struct sh_eval *e, const struct sh_arg *arg, struct str mark, struct str value)
{
	struct sh_arg made = *arg;
	ptrdiff_t at;

	/* a name in a text of commands is no command */
	if (str_find_char(arg->text, ' ') > 0)
		value = str_replace(e->arena, value, STR("\xFF"), STR("\xFE"));

	for (int i = 0; i < 8 && mark.n > 0 && (at = str_find(made.text, mark)) >= 0; i++)
		made.text = str_cat(e->arena, str_sub(made.text, 0, (size_t)at), value,
				    str_rest(made.text, (size_t)at + mark.n));
	made.is_unknown = sh_has_hole(made.text);
	return made;
}

/* The command from `first` to `end`, once for each value, which is in place of the mark; without a mark, once with all of them at the
 * end. */
static void
run_for(struct sh_eval *e, const struct sh_command *c, size_t first, size_t end, struct str mark,
	const struct sh_args *values)
{
	const struct sh_command *outer = e->now.selection;
	bool has_mark = mark.n > 0;

	/* of sh -c 'rm "$1"', too */
	e->now.selection = c->selection;
	for (size_t k = 0; k < (has_mark ? values->count : 1); k++) {
		struct sh_command inner = *c;
		struct sh_args args = { 0 };

		for (size_t i = first; i < end; i++)
			sh_add_arg(e, &args,
				   has_mark ? filled(e, &c->args[i], mark, values->items[k].text)
					    : c->args[i]);
		for (size_t i = 0; !has_mark && i < values->count; i++)
			sh_add_arg(e, &args, values->items[i]);
		inner.args = args.items;
		inner.count = args.count;
		inner.input = STR_NONE;
		if (inner.count > 0)
			sh_run_rest(e, &inner, 0);
	}
	e->now.selection = outer;
}

/* What the command is given on stdin: what a person wrote before the pipe is known. */
static struct sh_args
given_values(struct sh_eval *e, const struct sh_command *c, bool is_by_line)
{
	struct sh_args values = { 0 };
	struct str rest = c->input, line, word;

	if (!c->input.s || sh_has_hole(c->input) || str_find_char(c->input, '\0') >= 0) {
		add_value(e, &values, SH_UNKNOWN);
		return values;
	}
	while (str_next(&rest, '\n', &line))
		while (values.count < FED_LIMIT && str_next(&line, is_by_line ? '\n' : ' ', &word)) {
			word = is_by_line ? str_trim(word) : word;
			if (word.n > 0)
				add_value(e, &values, word);
		}
	return values;
}

enum sh_ran
sh_run_xargs(struct sh_eval *e, struct sh_command *c)
{
	static const char values[] = "aEdLnPsIJRS --max-args --max-procs --delimiter --arg-file --max-lines "
				     "--process-slot-var --max-chars --eof";
	struct str mark = STR("");
	struct sh_option o = sh_options(c, values);
	size_t first;

	for (first = o.at; sh_next_option(&o) && o.name.s; first = o.at) {
		/* -i and --replace may have a value in the same argument */
		bool has_mark = str_starts(o.name, STR("-i")) || str_starts(o.name, STR("--replace"));

		if (sh_is_option(&o, "a --arg-file")) {
			sh_add_file(e, c, o.value.text, true);
			c->input = STR_NONE;
			c->selection = NULL;
		} else if (sh_is_option(&o, "IJ") || has_mark) {
			mark = str_starts(o.name, STR("-i")) ? str_rest(o.name, 2) : o.value.text;
			mark = mark.n > 0 ? mark : STR("{}");
		}
	}
	struct sh_args values_given = given_values(e, c, mark.n > 0);

	c->is_fed = true;
	/* without a command it is echo; without values the command runs once */
	if (first < c->count)
		run_for(e, c, first, c->count, mark, &values_given);
	else if (e->output)
		buf_add(e->output, SH_UNKNOWN);
	return SH_RAN;
}

/* parallel CMD ::: VALUE..., or with values on stdin; the command may be one text, or each value one. */
enum sh_ran
sh_run_parallel(struct sh_eval *e, struct sh_command *c)
{
	static const char *const marks[] = { "{}", "{1}", "{.}", "{/}", "{//}", "{/.}", "{1.}" };
	struct sh_words w = sh_words_of(c);
	struct sh_args values = { 0 };
	struct str mark = STR("");
	struct sh_option o = sh_options(
		c, "ajSINPLndC --arg-file --jobs --nice --results --joblog --colsep --delay "
		   "--timeout --retries --tmpdir --workdir --delimiter --tagstring --halt "
		   "--load --memfree --max-args --sshlogin --env --shuf-seed --block");
	size_t i, end;

	if (sh_is_dry(&w))
		return SH_RAN_NOTHING;
	for (i = o.at; sh_next_option(&o) && o.name.s; i = o.at)
		if (sh_is_option(&o, "a --arg-file"))
			c->selection = NULL;
	for (end = i; end < c->count && !str_starts(c->args[end].text, STR(":::")); end++)
		for (size_t k = 0; k < COUNT_OF(marks) && mark.n == 0; k++)
			if (str_find(c->args[end].text, str_from(marks[k])) >= 0)
				mark = str_from(marks[k]);
	if (end < c->count && str_is(c->args[end].text, ":::"))
		for (size_t k = end + 1; k < c->count && values.count < FED_LIMIT; k++)
			sh_add_arg(e, &values, c->args[k]);
	else
		values = given_values(e, c, true);
	c->is_fed = true;
	if (i < end && (end != i + 1 || str_find_char(c->args[i].text, ' ') <= 0)) {
		run_for(e, c, i, end, mark, &values);
		return SH_RAN;
	}
	struct str text = i == end ? STR("") : filled(e, &c->args[i], mark, STR("\"$1\"")).text;
	struct sh_args outer = e->positional;

	for (size_t k = 0; k < values.count; k++) {
		e->positional = (struct sh_args){ values.items + k, 1 };
		sh_run_text(e,
			    i == end     ? values.items[k].text
			    : mark.n > 0 ? text
					 : str_cat(e->arena, text, " \"$1\""),
			    STR_NONE);
	}
	e->positional = outer;
	return SH_RAN;
}

/* It is a command of its own, and by its first `count` arguments chooses what those that it runs work on. */
static struct sh_command
selected_by(struct sh_eval *e, struct sh_command *c, size_t count)
{
	struct sh_command *own = arena_new(e->arena, struct sh_command), inner;

	c->is_wrapper = false;
	*own = inner = *c;
	own->count = count;
	inner.selection = own;
	sh_add_command(e, c);
	if (e->output)
		buf_add(e->output, SH_UNKNOWN);
	return inner;
}

enum sh_ran
sh_run_find(struct sh_eval *e, struct sh_command *c)
{
	struct sh_command inner = selected_by(e, c, c->count);
	struct str start = c->count > 1 && !str_starts(c->args[1].text, STR("-")) ? c->args[1].text
										  : STR(".");

	struct sh_args values = { 0 };

	add_value(e, &values, str_cat(e->arena, start, "/", SH_UNKNOWN));
	for (size_t i = 1, end; i < c->count; i = end) {
		end = i + 1;
		if (!str_is_word_of(c->args[i].text, "-exec -execdir -ok -okdir"))
			continue;
		while (end < c->count && !str_is_word_of(c->args[end].text, "; +"))
			end++;
		run_for(e, &inner, i + 1, end, STR("{}"), &values);
	}
	return SH_RAN_ADDED;
}

/* fd -x CMD, fd -X CMD: what it has found comes in place of {}, or at the end. */
enum sh_ran
sh_run_fd(struct sh_eval *e, struct sh_command *c)
{
	struct sh_args values = { 0 };
	struct str mark = STR("");
	size_t i = 1;

	add_value(e, &values, SH_UNKNOWN);
	while (i < c->count && !str_is_word_of(c->args[i].text, "-x -X --exec --exec-batch"))
		i++;
	struct sh_command inner = selected_by(e, c, i);

	if (i + 1 >= c->count)
		return SH_RAN_ADDED;
	for (size_t k = i + 1; k < c->count; k++)
		mark = str_find(c->args[k].text, STR("{}")) >= 0 ? STR("{}") : mark;
	run_for(e, &inner, i + 1, c->count, mark, &values);
	return SH_RAN_ADDED;
}
