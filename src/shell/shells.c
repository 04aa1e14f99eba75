/* SPDX-License-Identifier: MIT */
/* Programs that take a text as commands: shells, and those that run it later. */
#include "shell/eval.h"

static const char *const shells[] = { "sh",  "bash", "dash", "zsh",  "ksh",  "ash", "mksh",   "rbash", "fish",
				      "csh", "tcsh", "yash", "rksh", "oksh", "nu",  "elvish", "xonsh" };

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
			if ((str_is(t, "--rcfile") || str_is(t, "--init-file")) && i + 1 < c->count)
				sh_eval_script(e, c, c->args[++i].text, c->count);
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
	else if (!is_stdin) {
		sh_add_file(e, c, c->args[i].text, true);
		sh_eval_script(e, c, c->args[i].text, i + 1);
	}
	if (e->output)
		buf_add(e->output, STR("\xFF"));
}

void
sh_run_source(struct sh_eval *e, const struct sh_command *c)
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

/* at and batch: from stdin, or the file of -f */
static void
run_later(struct sh_eval *e, const struct sh_command *c)
{
	for (size_t i = 1; i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "-f")) {
			sh_eval_script(e, c, c->args[i + 1].text, c->count);
			return;
		}
	if (c->input.s)
		sh_run_text(e, c->input, STR_NONE);
}

/* The command of a line of a crontab; absent: it has none, or is not known. */
static struct str
command_of_job(struct str line)
{
	size_t fields = 5, at = 0;

	/* what crontab -l printed comes before it */
	while (at < line.n && line.s[at] == SH_HOLE)
		at++;
	line = str_trim(str_sub(line, at, line.n));
	if (line.n == 0 || line.s[0] == '#' || sh_has_hole(line))
		return STR_NONE;
	if (line.s[0] == '@')
		fields = 1;
	for (at = 0; fields > 0 && at < line.n; fields--) {
		while (at < line.n && line.s[at] != ' ' && line.s[at] != '\t')
			at++;
		while (at < line.n && (line.s[at] == ' ' || line.s[at] == '\t'))
			at++;
	}
	return at < line.n ? str_sub(line, at, line.n) : STR_NONE;
}

/* A crontab on stdin: the commands of its lines. */
void
sh_run_jobs(struct sh_eval *e, const struct sh_command *c)
{
	struct str rest = c->input, line;

	while (rest.s && str_next(&rest, '\n', &line)) {
		struct str command = command_of_job(line);

		if (command.s)
			sh_run_text(e, command, STR_NONE);
	}
}

bool
sh_eval_shell(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);

	if (sh_is_one_of(program, shells, COUNT_OF(shells)))
		run_shell(e, c);
	else if (str_is(program, "at") || str_is(program, "batch"))
		run_later(e, c);
	else
		return false;
	return true;
}
