/* SPDX-License-Identifier: MIT */
/* Programs that run other commands, by the rows RUN, BY and SAYS of programs.def: those that take a command as arguments or as a text,
 * those that run the value of an option, and those that need code of their own. */
#include "shell/eval.h"

/* ---- running ---- */

void
sh_run_rest(struct sh_eval *e, const struct sh_command *c, size_t first)
{
	struct sh_command inner = *c;

	inner.args += first;
	inner.count -= first;
	inner.file_count = 0; /* they belong to the wrapper */
	inner.is_nested = true;
	inner.is_wrapper = false;
	sh_eval_command(e, &inner);
}

void
sh_run_text(struct sh_eval *e, struct str text, struct str input)
{
	struct sh_eval inner = *e;

	inner.now.is_nested = true;
	inner.now.input = input;
	sh_eval_text(&inner, text);
	/* definitions stay: eval, source and exported functions */
	e->vars = inner.vars;
	e->functions = inner.functions;
	e->aliases = inner.aliases;
	e->now.cwd = inner.now.cwd;
	e->now.may_be_elsewhere = inner.now.may_be_elsewhere;
}

struct str
sh_joined(struct sh_eval *e, struct sh_args args)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);

	for (size_t i = 0; i < args.count; i++)
		buf_cat(&b, i > 0 ? " " : "", args.items[i].text);
	return buf_str(&b);
}

struct str
sh_path(struct sh_eval *e, struct str dir, struct str name)
{
	if (name.n > 0 && sh_has_hole(str_sub(name, 0, 1)))
		return name;
	return path_normalise(e->arena, path_from(e->arena, dir, name));
}

/* ---- commands as arguments or texts ---- */

/* False: there is no command. */
static bool
run_row(struct sh_eval *e, const struct sh_command *c, const struct sh_row *row, size_t at)
{
	unsigned flags = row->run.flags;
	struct sh_command moved = *c;
	struct sh_option o = sh_options(c, row->options);
	size_t operands = row->run.operands, first;

	o.at = at - ((flags & SH_KEEPS) != 0);
	for (first = o.at; sh_next_option(&o); first = o.at) {
		struct str name = str_before(o.value.text, '=');

		/* env - */
		if (!o.name.s && (flags & SH_ASSIGNS) &&
		    ((name.n < o.value.text.n && sh_is_name(name)) || str_is(name, "-")))
			continue;
		if (!o.name.s && operands-- == 0)
			break;
		if (sh_is_value(&o, row->run.text)) {
			struct str rest = flags & SH_ALL ? sh_joined(e, sh_args_from(c, o.at)) : STR("");

			struct str text = o.value.text;

			sh_run_text(e,
				    str_is(text, "-") && c->input.s ? c->input
								    : str_cat(e->arena, text, " ", rest),
				    c->input);
			return true;
		}
		if (sh_is_value(&o, "CD --chdir"))
			moved.cwd = sh_path(e, c->cwd, o.value.text);
	}
	if (first >= c->count)
		return false;
	struct str cwd = e->now.cwd;

	e->now.cwd = moved.cwd;
	if (row->run.how == SH_RUNS_REST)
		sh_run_rest(e, &moved, first);
	else if (row->run.how == SH_RUNS_JOINED)
		sh_run_text(e, sh_joined(e, sh_args_from(c, first)), c->input);
	for (size_t i = first; row->run.how == SH_RUNS_EACH && i < c->count; i++)
		if (!str_starts(c->args[i].text, STR("-")))
			sh_run_text(e, c->args[i].text, c->input);
	e->now.cwd = cwd;
	return row->run.how != SH_RUNS_NOTHING;
}

static enum sh_ran
run_as(struct sh_eval *e, struct sh_command *c, const struct sh_row *row, size_t first)
{
	struct sh_eval there = *e; /* what it sets, and where it goes, is not so here */
	bool is_there = row->run.flags & SH_THERE;

	there.now.is_elsewhere = true;
	bool has_run = run_row(is_there ? &there : e, c, row, first);

	/* it may mount or read files here */
	c->is_wrapper = !is_there;
	return has_run || (!*row->words && !is_there) ? SH_RAN : SH_RAN_NOTHING;
}

/* ---- values of options ---- */

static void
run_value(struct sh_eval *e, struct str value, const struct sh_row *row)
{
	struct str rest = str_from(row->says.starts), start = STR("");

	/* a command of an editor may begin with a colon */
	if (row->says.starts[0] == '!')
		(void)str_skip(&value, ":");
	do {
		(void)str_next(&rest, '|', &start);
	} while (rest.n > 0 && !str_starts(value, start));
	if (str_starts(value, start) && value.n > start.n) {
		value = str_rest(value, start.n);
		sh_run_text(e, row->says.is_fed ? str_cat(e->arena, "cat | ", value) : value, STR_NONE);
	}
}

void
sh_eval_options(struct sh_eval *e, const struct sh_command *c)
{
	struct sh_words w = sh_words_of(c);

	for (const struct sh_row *row = NULL; (row = sh_next_row(&w, SH_SAYS, row, NULL));) {
		struct str input = c->input, line;
		bool has_options = *row->options;

		/* a command of the program itself, which it may read from stdin */
		while (!has_options && input.s && str_next(&input, '\n', &line))
			run_value(e, line, row);
		for (struct sh_option o = sh_options(c, row->options); sh_next_option(&o);)
			if (o.name.s ? sh_is_option(&o, row->options) : !has_options)
				run_value(e, o.value.text, row);
	}
}

/* ---- all of them ---- */

bool
sh_eval_program(struct sh_eval *e, struct sh_command *c)
{
	struct sh_words w = sh_words_of(c);
	struct sh_command own = *c;
	enum sh_ran ran = SH_RAN_NOTHING;
	const struct sh_row *row = NULL;
	size_t first;

	own.is_wrapper = true;
	while (ran == SH_RAN_NOTHING && (row = sh_next_row(&w, SH_RUN, row, &first)))
		ran = row->run.handler ? row->run.handler(e, &own) : run_as(e, &own, row, first);
	if (ran == SH_RAN_ADDED)
		return true;
	if (ran == SH_RAN_NOTHING && str_find_char(c->args[0].text, '/') >= 0 && !c->args[0].is_unknown)
		sh_eval_script(e, c, c->args[0].text, 1);
	sh_eval_options(e, c);
	if (ran == SH_RAN)
		sh_add_command(e, &own);
	return ran == SH_RAN;
}
