/* SPDX-License-Identifier: MIT */
/* Programs that run other commands: those that take a command as arguments, those that take a text, and shells. */
#include "shell/eval.h"

#include "base/path.h"

/* A program that takes a command after its options. */
struct wrapper {
	const char *name;
	const char *values;            /* letters of options that take a value */
	const char *const *long_names; /* long options that take one as the next word; NULL: none */
	size_t operands;               /* words before the command */
	bool has_assignments;          /* name=value before the command */
	const char *text_option;       /* its value is a text that is run; NULL: none */
};

static const char *const env_long[] = { "--unset", "--chdir", "--split-string", NULL };
static const char *const sudo_long[] = { "--user",  "--group", "--host", "--prompt",
					 "--chdir", "--role",  "--type", NULL };
static const char *const npx_long[] = { "--package", NULL };
static const char *const timeout_long[] = { "--signal", "--kill-after", NULL };

static const struct wrapper wrappers[] = {
	{ .name = "env",
	  .values = "uCS",
	  .long_names = env_long,
	  .has_assignments = true,
	  .text_option = "-S" },
	{ .name = "sudo", .values = "ugpCrtThUD", .long_names = sudo_long, .has_assignments = true },
	{ .name = "doas", .values = "uC" },
	{ .name = "nohup", .values = "" },
	{ .name = "setsid", .values = "" },
	{ .name = "builtin", .values = "" },
	{ .name = "exec", .values = "a" },
	{ .name = "time", .values = "of" },
	{ .name = "nice", .values = "n" },
	{ .name = "ionice", .values = "cnp" },
	{ .name = "chrt", .values = "", .operands = 1 },
	{ .name = "taskset", .values = "", .operands = 1 },
	{ .name = "timeout", .values = "ks", .long_names = timeout_long, .operands = 1 },
	{ .name = "gtimeout", .values = "ks", .long_names = timeout_long, .operands = 1 },
	{ .name = "stdbuf", .values = "ioe" },
	{ .name = "unbuffer", .values = "" },
	{ .name = "strace", .values = "eopsu" },
	{ .name = "ltrace", .values = "eopsu" },
	{ .name = "valgrind", .values = "" },
	{ .name = "xvfb-run", .values = "nsfep" },
	{ .name = "dbus-run-session", .values = "" },
	{ .name = "flock", .values = "wEc", .operands = 1, .text_option = "-c" },
	{ .name = "chroot", .values = "", .operands = 1 },
	{ .name = "unshare", .values = "SGRw" },
	{ .name = "nsenter", .values = "tSG" },
	{ .name = "systemd-run", .values = "pEMHu" },
	{ .name = "run0", .values = "" },
	{ .name = "caffeinate", .values = "tw" },
	{ .name = "busybox", .values = "" },
	{ .name = "toybox", .values = "" },
	{ .name = "npx", .values = "pc", .long_names = npx_long, .text_option = "-c" },
	{ .name = "bunx", .values = "" },
	{ .name = "pnpx", .values = "" },
	{ .name = "su", .values = "cgGsTw", .operands = 1, .text_option = "-c" },
	{ .name = "script", .values = "cEIOBTm", .operands = 1, .text_option = "-c" },
	{ .name = "watch", .values = "n" },
	{ .name = "parallel", .values = "jSIN" },
	{ .name = "catchsegv", .values = "" },
	{ .name = "fakeroot", .values = "" },
	{ .name = "gdb", .values = "" },
};

/* Programs that run the rest of the line after certain words. */
static const struct {
	const char *program, *first, *second;
} runners[] = {
	{ "uv", "run", NULL },      { "poetry", "run", NULL }, { "pipenv", "run", NULL },
	{ "bundle", "exec", NULL }, { "pnpm", "dlx", NULL },   { "pnpm", "exec", NULL },
	{ "yarn", "dlx", NULL },    { "yarn", "exec", NULL },  { "npm", "exec", NULL },
	{ "direnv", "exec", NULL }, { "mise", "exec", NULL },  { "git", "bisect", "run" },
	{ "rustup", "run", NULL },  { "bun", "x", NULL },      { "hatch", "run", NULL },
	{ "pixi", "run", NULL },
};

static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "fish" };

static bool
is_one_of(struct str text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(text, names[i]))
			return true;
	return false;
}

static bool
is_long_with_value(const struct wrapper *w, struct str text)
{
	for (size_t i = 0; w->long_names && w->long_names[i]; i++)
		if (str_is(text, w->long_names[i]))
			return true;
	return false;
}

static bool
is_assignment(struct str text)
{
	ptrdiff_t equals = str_find_char(text, '=');

	return equals > 0 && sh_is_name(str_sub(text, 0, (size_t)equals));
}

/* ---- what a wrapper runs ---- */

void
sh_run_rest(struct sh_eval *e, const struct sh_command *c, size_t first)
{
	struct sh_command inner = *c;

	inner.args += first;
	inner.count -= first;
	inner.file_count = 0; /* they belong to the wrapper */
	inner.is_nested = true;
	sh_eval_command(e, &inner);
}

void
sh_run_text(struct sh_eval *e, struct str text, struct str input)
{
	struct sh_eval inner = *e;

	inner.is_nested = true;
	inner.input = input;
	sh_eval_text(&inner, text);
	/* definitions stay: eval, source and exported functions */
	e->vars = inner.vars;
	e->functions = inner.functions;
	e->aliases = inner.aliases;
	e->cwd = inner.cwd;
	e->may_be_elsewhere = inner.may_be_elsewhere;
}

struct str
sh_joined(struct sh_eval *e, const struct sh_command *c, size_t first)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);

	for (size_t i = first; i < c->count; i++) {
		buf_add(&b, i > first ? STR(" ") : STR(""));
		buf_add(&b, c->args[i].text);
	}
	return buf_str(&b);
}

/* -c, in a cluster too */
static bool
is_text_option(const struct wrapper *w, struct str t)
{
	if (!w->text_option || t.n < 2 || t.s[0] != '-')
		return false;
	return t.s[1] == '-' ? str_is(t, "--command") || str_is(t, "--split-string")
			     : t.s[t.n - 1] == w->text_option[1];
}

static void
run_wrapped(struct sh_eval *e, const struct sh_command *c, const struct wrapper *w)
{
	size_t i = 1, operands = w->operands;
	struct str cwd = e->cwd;
	struct sh_command moved = *c;

	for (; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (str_is(t, "--")) {
			i++;
			break;
		}
		if (is_text_option(w, t) && i + 1 < c->count) {
			bool is_split = str_is(str_from(w->name), "env");

			sh_run_text(e, is_split ? sh_joined(e, c, i + 1) : c->args[i + 1].text, c->input);
			return;
		}
		if (w->has_assignments && is_assignment(t))
			continue;
		if (t.n > 1 && t.s[0] == '-') {
			bool is_short = t.s[1] != '-';
			bool takes = is_short ? str_find_char(str_from(w->values), t.s[t.n - 1]) >= 0
					      : is_long_with_value(w, t);

			if (takes && i + 1 < c->count &&
			    (str_is(t, "-C") || str_is(t, "--chdir") || str_is(t, "-D")))
				moved.cwd = path_from(e->arena, c->cwd, c->args[i + 1].text);
			i += takes;
			continue;
		}
		if (operands == 0)
			break;
		operands--;
	}
	e->cwd = moved.cwd;
	if (i < c->count)
		sh_run_rest(e, &moved, i);
	e->cwd = cwd;
}

/* ---- shells ---- */

/* The text of -c, the script on stdin, or a file. */
static void
run_shell(struct sh_eval *e, const struct sh_command *c)
{
	bool has_text = false;
	size_t i = 1;

	for (; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (t.n < 2 || (t.s[0] != '-' && t.s[0] != '+'))
			break;
		if (t.s[1] == '-') {
			i += str_is(t, "--rcfile") || str_is(t, "--init-file");
			continue;
		}
		has_text |= str_find_char(t, 'c') >= 0;
		i += str_ends(t, STR("o")) || str_ends(t, STR("O"));
	}
	if (i < c->count && has_text) {
		struct sh_args outer = e->positional;
		struct str zero = e->zero;

		e->positional = i + 2 < c->count ? (struct sh_args){ c->args + i + 2, c->count - i - 2, 0 }
						 : (struct sh_args){ 0 };
		e->zero = i + 1 < c->count ? c->args[i + 1].text : STR_NONE;
		sh_run_text(e, c->args[i].text, c->input);
		e->positional = outer;
		e->zero = zero;
		return;
	}
	bool is_stdin = i >= c->count || str_is(c->args[i].text, "-") ||
			str_starts(c->args[i].text, STR("/dev/stdin"));

	if (is_stdin && c->input.s)
		sh_run_text(e, c->input, STR_NONE);
	else if (!is_stdin && sh_has_hole(c->args[i].text) && str_starts(c->args[i].text, STR("/dev/fd/")))
		sh_add_problem(e, c, "the script is the outcome of another command");
	else if (!is_stdin && c->args[i].is_unknown)
		sh_add_problem(e, c, "the name of the script is not in the command line");
	else if (!is_stdin)
		sh_eval_script(e, c, c->args[i].text, i + 1);
	if (e->output)
		buf_add(e->output, STR("\xFF"));
}

static void
run_source(struct sh_eval *e, const struct sh_command *c)
{
	if (c->count < 2)
		return;
	struct str file = c->args[1].text;

	if (str_starts(file, STR("/dev/stdin")) && c->input.s)
		sh_run_text(e, c->input, STR_NONE);
	else if (str_starts(file, STR("/dev/fd/")))
		sh_add_problem(e, c, "the script is the outcome of another command");
	else if (!c->args[1].is_unknown && str_find_char(file, '/') >= 0)
		sh_eval_script(e, c, file, 2);
}

/* ---- xargs and find ---- */

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

static void
run_xargs(struct sh_eval *e, struct sh_command *c)
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
		if (is_one_of(c->args[i].text, tests, COUNT_OF(tests)) && !str_is(c->args[i + 1].text, "*") &&
		    !str_is(c->args[i + 1].text, "*.*") && !str_is(c->args[i + 1].text, "?*") &&
		    !c->args[i + 1].is_unknown && !str_is(c->args[i - 1].text, "-not") &&
		    !str_is(c->args[i - 1].text, "!"))
			return true;
	return false;
}

static void
run_find(struct sh_eval *e, struct sh_command *c)
{
	static const char *const actions[] = { "-exec", "-execdir", "-ok", "-okdir" };
	struct str start = c->count > 1 && !str_starts(c->args[1].text, STR("-")) ? c->args[1].text
										  : STR(".");

	c->is_selected = selects_by_name(c);
	sh_add_command(e, c);
	for (size_t i = 1; i < c->count; i++) {
		size_t end = i + 1;

		if (!is_one_of(c->args[i].text, actions, COUNT_OF(actions)))
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

/* ---- the table ---- */

static bool
run_after_words(struct sh_eval *e, const struct sh_command *c, struct str program)
{
	for (size_t i = 0; i < COUNT_OF(runners); i++) {
		size_t first = runners[i].second ? 3 : 2;

		if (!str_is(program, runners[i].program) || c->count <= first ||
		    !str_is(c->args[1].text, runners[i].first) ||
		    (runners[i].second && !str_is(c->args[2].text, runners[i].second)))
			continue;
		while (first < c->count && str_starts(c->args[first].text, STR("-")))
			first++;
		if (first < c->count)
			sh_run_rest(e, c, first);
		return true;
	}
	return false;
}

static bool
run_builtin(struct sh_eval *e, const struct sh_command *c, struct str program)
{
	if (str_is(program, "eval"))
		sh_run_text(e, sh_joined(e, c, 1), c->input);
	else if (str_is(program, "trap") && c->count > 2 && !str_is(c->args[1].text, "-")) {
		if (e->traps->count < COUNT_OF(e->traps->items))
			e->traps->items[e->traps->count++] = c->args[1].text;
		else
			sh_add_problem(e, c, "it sets too many traps");
	} else if (str_is(program, "source") || str_is(program, "."))
		run_source(e, c);
	else if (str_is(program, "command") && c->count > 1 && !str_starts(c->args[1].text, STR("-")))
		sh_run_rest(e, c, 1);
	else if (str_is(program, "command") && c->count > 2 && str_is(c->args[1].text, "-p"))
		sh_run_rest(e, c, 2);
	else
		return false;
	return true;
}

static const struct wrapper *
wrapper_of(struct str program)
{
	for (size_t i = 0; i < COUNT_OF(wrappers); i++)
		if (str_is(program, wrappers[i].name))
			return &wrappers[i];
	return NULL;
}

bool
sh_eval_wrapper(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);
	struct sh_command own = *c;
	const struct wrapper *w = wrapper_of(program);

	own.is_wrapper = true;
	if (str_is(program, "find")) {
		own.is_wrapper = false;
		run_find(e, &own);
		return true;
	}
	if (str_is(program, "command") && c->count == 3 && str_is(c->args[1].text, "-v") && e->output) {
		buf_add(e->output, c->args[2].text);
		return true;
	}
	if (is_one_of(program, shells, COUNT_OF(shells)))
		run_shell(e, c);
	else if (str_is(program, "xargs"))
		run_xargs(e, &own);
	else if (w)
		run_wrapped(e, c, w);
	else if (sh_eval_elsewhere(e, c))
		own.is_wrapper = false; /* it may mount or read files here */
	else if (!run_builtin(e, c, program) && !run_after_words(e, c, program)) {
		if (c->count > 0 && !c->args[0].is_unknown && str_find_char(c->args[0].text, '/') >= 0)
			sh_eval_script(e, c, c->args[0].text, 1);
		sh_eval_options(e, c);
		return false;
	}
	/* these read a file as well */
	own.is_wrapper &= !str_is(program, "source") && !str_is(program, ".");
	sh_add_command(e, &own);
	return true;
}
