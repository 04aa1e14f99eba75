/* SPDX-License-Identifier: MIT */
/* Commands of the shell that change what later words mean: directories, variables, aliases. */
#include "shell/eval.h"

#include "base/path.h"

static const struct str hole = { "\xFF", 1 };

static void
change_directory(struct sh_eval *e, const struct sh_command *c)
{
	const struct sh_arg *to = NULL;
	struct str old = e->cwd, path;

	for (size_t i = 1; i < c->count && !to; i++)
		if (!str_starts(c->args[i].text, STR("-")) || str_is(c->args[i].text, "-"))
			to = &c->args[i];
	if (!to)
		e->cwd = e->facts->home.s ? e->facts->home : hole;
	else if (str_is(to->text, "-"))
		e->cwd = sh_value(e, STR("OLDPWD")).s ? sh_value(e, STR("OLDPWD")) : hole;
	else {
		path = path_normalise(e->arena, path_from(e->arena, e->cwd, to->text));
		e->cwd = path.s && !to->has_glob ? path : hole;
	}
	sh_set(e, STR("OLDPWD"), old);
}

/* export a=b, local a=b */
static void
declare(struct sh_eval *e, const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++) {
		ptrdiff_t equals = str_find_char(c->args[i].text, '=');
		struct str name = equals > 0 ? str_sub(c->args[i].text, 0, (size_t)equals) : STR_NONE;

		if (name.s && sh_is_name(name))
			sh_set(e, name, str_sub(c->args[i].text, (size_t)equals + 1, c->args[i].text.n));
	}
}

static void
alias(struct sh_eval *e, const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++) {
		ptrdiff_t equals = str_find_char(c->args[i].text, '=');

		if (equals > 0)
			e->aliases = sh_added(e, e->aliases, str_sub(c->args[i].text, 0, (size_t)equals),
					      str_sub(c->args[i].text, (size_t)equals + 1, c->args[i].text.n),
					      NULL);
	}
}

static void
forget(struct sh_eval *e, const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (sh_is_name(c->args[i].text))
			sh_set(e, c->args[i].text, hole);
}

void
sh_eval_subscript(struct sh_eval *e, struct str text)
{
	if (str_find(text, STR("[$(")) >= 0 || str_find(text, STR("[`")) >= 0)
		sh_run_text(e, str_fmt(e->arena, ": " STR_FMT, STR_ARG(text)), STR_NONE);
}

bool
sh_eval_builtin(struct sh_eval *e, const struct sh_command *c)
{
	static const char *const of_names[] = { "declare", "typeset", "local", "export", "readonly", "let",
						"unset",   "test",    "[",     "printf", "read" };
	static const struct {
		const char *name;
		void (*act)(struct sh_eval *e, const struct sh_command *c);
	} builtins[] = {
		{ "cd", change_directory }, { "pushd", change_directory }, { "popd", change_directory },
		{ "export", declare },      { "declare", declare },        { "typeset", declare },
		{ "local", declare },       { "readonly", declare },       { "alias", alias },
		{ "read", forget },         { "mapfile", forget },         { "readarray", forget },
		{ "unset", forget },        { "getopts", forget },
	};

	for (size_t i = 1; i < c->count && sh_is_one_of(c->args[0].text, of_names, COUNT_OF(of_names)); i++)
		sh_eval_subscript(e, c->args[i].text);
	for (size_t i = 0; i < COUNT_OF(builtins); i++)
		if (str_is(c->args[0].text, builtins[i].name)) {
			sh_add_command(e, c);
			sh_eval_options(e, c);
			builtins[i].act(e, c);
			return true;
		}
	if (str_is(c->args[0].text, "printf") && c->count > 2 && str_is(c->args[1].text, "-v"))
		sh_set(e, c->args[2].text, hole);
	return false;
}
