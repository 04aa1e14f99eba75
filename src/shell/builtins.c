/* SPDX-License-Identifier: MIT */
/* Commands of the shell that change what later words mean, and what takes a text as commands: shells, settings, those that run it later. */
#include "shell/eval.h"

#define TRAPS_MAX 8

/* It is added where it runs, before it changes anything. */
static void
add(struct sh_eval *e, struct sh_command *c)
{
	c->is_wrapper = false;
	sh_add_command(e, c);
	sh_eval_options(e, c);
}

enum sh_ran
sh_change_directory(struct sh_eval *e, struct sh_command *c)
{
	struct str old = e->now.cwd, to = e->facts->home;
	size_t i = 1;

	add(e, c);
	while (i < c->count && c->args[i].text.n != 1 && str_starts(c->args[i].text, STR("-")))
		i++;
	if (i < c->count && str_is(c->args[i].text, "-"))
		to = sh_value(e, STR("OLDPWD"));
	else if (i < c->count)
		to = c->args[i].has_glob ? STR_NONE : sh_path(e, e->now.cwd, c->args[i].text);
	e->now.cwd = to.s ? to : SH_UNKNOWN;
	sh_set(e, STR("OLDPWD"), old);
	return SH_RAN_ADDED;
}

/* export a=b, local a=b, alias a=b */
enum sh_ran
sh_declare(struct sh_eval *e, struct sh_command *c)
{
	bool is_alias = str_is(sh_program(c), "alias"), is_other = false;

	if (!is_alias)
		(void)sh_look_at_subscripts(e, c);
	add(e, c);
	for (size_t i = 1; i < c->count; i++) {
		struct str value = c->args[i].text, name;

		/* declare -n, -l and -u give it another meaning */
		is_other |= !is_alias && value.n > 1 && value.s[0] == '-' &&
			    str_find_char(value, 'n') + str_find_char(value, 'l') +
					    str_find_char(value, 'u') >
				    -3;
		if (str_find_char(value, '=') <= 0 || !str_next(&value, '=', &name))
			continue;
		value = is_other ? SH_UNKNOWN : value;
		if (is_alias)
			e->aliases = sh_added(e, e->aliases, name, value);
		else if (sh_is_name(name)) {
			struct sh_var *v = sh_added(e, e->vars, name, value);

			v->is_local = str_is_word_of(sh_program(c), "local declare typeset");
			e->vars = v;
		}
	}
	return SH_RAN_ADDED;
}

/* read, unset, getopts: what the variables are is not known after it. */
enum sh_ran
sh_forget(struct sh_eval *e, struct sh_command *c)
{
	(void)sh_look_at_subscripts(e, c);
	add(e, c);
	for (size_t i = 1; i < c->count; i++)
		if (sh_is_name(c->args[i].text))
			sh_set(e, c->args[i].text, SH_UNKNOWN);
	return SH_RAN_ADDED;
}

void
sh_eval_subscript(struct sh_eval *e, struct str text)
{
	if (str_find(text, STR("[$(")) >= 0 || str_find(text, STR("[`")) >= 0)
		sh_run_text(e, str_cat(e->arena, ": ", text), STR_NONE);
}

enum sh_ran
sh_look_at_subscripts(struct sh_eval *e, struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		sh_eval_subscript(e, c->args[i].text);
	return SH_RAN_NOTHING;
}

/* printf -v NAME */
enum sh_ran
sh_print_to_variable(struct sh_eval *e, struct sh_command *c)
{
	(void)sh_look_at_subscripts(e, c);
	if (c->count > 2 && str_is(c->args[1].text, "-v"))
		sh_set(e, c->args[2].text, SH_UNKNOWN);
	return SH_RAN_NOTHING;
}

enum sh_ran
sh_run_eval(struct sh_eval *e, struct sh_command *c)
{
	sh_run_text(e, sh_joined(e, sh_args_from(c, 1)), c->input);
	return SH_RAN;
}

enum sh_ran
sh_run_trap(struct sh_eval *e, struct sh_command *c)
{
	if (c->count < 3 || str_is(c->args[1].text, "-"))
		return SH_RAN_NOTHING;
	if (e->traps->count < TRAPS_MAX)
		*arena_push(e->arena, e->traps->items, e->traps->count) = c->args[1].text;
	else
		sh_add_problem(e, c, "it sets too many traps");
	return SH_RAN;
}

/* command [-p] CMD; command -v NAME prints the name */
enum sh_ran
sh_run_command(struct sh_eval *e, struct sh_command *c)
{
	size_t first = 1;

	while (first < c->count && str_is_word_of(c->args[first].text, "-p --"))
		first++;

	if (c->count == 3 && str_is(c->args[1].text, "-v") && e->output) {
		buf_add(e->output, c->args[2].text);
		return SH_RAN_ADDED;
	}
	if (c->count <= first || str_starts(c->args[first].text, STR("-")))
		return SH_RAN_NOTHING;
	sh_run_rest(e, c, first);
	return SH_RAN;
}

/* ---- shells ---- */

/* The text of -c, the script on stdin, or a file. */
enum sh_ran
sh_run_shell(struct sh_eval *e, struct sh_command *c)
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
		/* -n reads the commands, and runs none */
		if (t.s[0] == '-' && str_find_char(t, 'n') > 0)
			return SH_RAN_NOTHING;
		has_text |= str_find_char(t, 'c') >= 0;
		i += str_ends(t, STR("o")) || str_ends(t, STR("O"));
	}
	if (i < c->count && has_text && c->is_fed && str_is(c->args[i].source, "{}")) {
		sh_add_problem(e, c, "the commands come from a list");
		return SH_RAN;
	}
	if (i < c->count && has_text) {
		struct sh_args outer = e->positional;
		struct str zero = e->zero;

		e->positional = sh_args_from(c, i + 2);
		e->zero = i + 1 < c->count ? c->args[i + 1].text : STR_NONE;
		sh_run_text(e, c->args[i].text, c->input);
		e->positional = outer;
		e->zero = zero;
		return SH_RAN;
	}
	struct str file = i < c->count ? c->args[i].text : STR("-");

	if (str_is(file, "-") || str_starts(file, STR("/dev/stdin"))) {
		if (c->input.s)
			sh_run_text(e, c->input, STR_NONE);
	} else if (sh_has_hole(file)) {
		sh_add_problem(e, c,
			       str_starts(file, STR("/dev/fd/"))
				       ? "the script is the outcome of another command"
				       : "the name of the script is not in the command line");
	} else {
		sh_add_file(e, c, file, true);
		sh_eval_script(e, c, file, i + 1);
	}
	if (e->output)
		buf_add(e->output, SH_UNKNOWN);
	return SH_RAN;
}

/* Of PowerShell: commands that are encoded, and those that work on what comes through a pipe. */
enum sh_ran
sh_run_given(struct sh_eval *e, struct sh_command *c)
{
	bool has_operand = false;

	for (size_t i = 1; i < c->count; i++) {
		if (sh_is_listed(STR("-enc*|-ec|-e"), c->args[i].text, true))
			sh_add_problem(e, c, "the command is encoded");
		has_operand |= !str_starts(c->args[i].text, STR("-"));
	}
	if (c->is_piped && !has_operand)
		sh_add_problem(e, c, "it works on what another command prints");
	return SH_RAN_NOTHING;
}

enum sh_ran
sh_run_source(struct sh_eval *e, struct sh_command *c)
{
	struct str file = c->count > 1 ? c->args[1].text : STR("");

	/* it reads the file as well */
	c->is_wrapper = false;
	if (str_starts(file, STR("/dev/stdin")) && c->input.s)
		sh_run_text(e, c->input, STR_NONE);
	else if (str_starts(file, STR("/dev/fd/")) && !e->is_harmless)
		sh_add_problem(e, c, "the script is the outcome of another command");
	else if (c->count > 1 && !c->args[1].is_unknown)
		sh_eval_script(e, c, file, 2);
	return SH_RAN;
}

/* at, batch and crontab: what they read runs later, and not where it can be seen. */
enum sh_ran
sh_run_later(struct sh_eval *e, struct sh_command *c)
{
	if (c->input.s || sh_has_option(c, "f --file") || (c->count > 1 && c->args[1].text.s[0] != '-'))
		sh_add_problem(e, c, "commands that run later can't be followed");
	return SH_RAN_NOTHING;
}

/* ---- commands in variables ---- */

void
sh_eval_assignments(struct sh_eval *e, const struct sh_command *c)
{
	static const char commands[] =
		"GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF "
		"GIT_ASKPASS SSH_ASKPASS EDITOR VISUAL PAGER MANPAGER LESSOPEN PROMPT_COMMAND BROWSER";

	for (size_t i = 0; i < c->assignments.count; i++) {
		struct str value = c->assignments.items[i], name;

		if (!str_next(&value, '=', &name) || sh_has_hole(value) || value.n == 0)
			continue;
		(void)str_skip(&value, "|");
		/* GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!cmd' */
		if (str_is_word_of(name, commands) ||
		    (str_starts(name, STR("GIT_CONFIG_VALUE_")) && str_skip(&value, "!")))
			sh_run_text(e, value, STR_NONE);
		else if (str_starts(name, STR("GIT_CONFIG_")) &&
			 (str_mentions(value, "alias.") || str_mentions(value, "core.")))
			sh_add_problem(e, c, "it changes settings of git that run commands");
		else if (str_is(name, "BASH_ENV") || str_is(name, "ENV"))
			sh_eval_script(e, c, value, c->count + 1);
		/* a prompt is expanded */
		else if (str_is(name, "PS4") || str_is(name, "PS1"))
			sh_run_text(e, str_cat(e->arena, ": \"", value, "\""), STR_NONE);
	}
}

/* ---- git ---- */

/* name=command, as -c has it */
static const struct str command_settings = STR(
	"core.pager=*|core.editor=*|core.sshcommand=*|core.fsmonitor=*|diff.external=*|sequence.editor=*|"
	"gpg.program=*|core.askpass=*");

/* alias.NAME=VALUE: with what comes after the name, if the line uses it. */
static void
run_alias_of_git(struct sh_eval *e, const struct sh_command *c, struct str name, struct str value)
{
	struct sh_words w = sh_words_of(c);
	bool is_text = str_skip(&value, "!"), is_used = w.count > 1 && str_eq(w.items[1], name);
	struct str rest = sh_joined(e, is_used ? sh_args_from(c, w.at[1] + 1U) : (struct sh_args){ 0 });

	if (is_used || (w.count > 1 && str_is(w.items[1], "config")))
		sh_run_text(e, str_cat(e->arena, is_text ? "" : "git ", value, " ", rest), STR_NONE);
}

/* -c core.pager=cmd, -c alias.x='!cmd', config alias.x '!cmd', rebase -x cmd, submodule foreach cmd */
enum sh_ran
sh_run_git(struct sh_eval *e, struct sh_command *c)
{
	bool is_rebased = false;

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text, next = i + 1 < c->count ? c->args[i + 1].text : STR("");
		size_t key = str_before(t, '=').n;
		struct str value = str_rest(t, key + 1);

		is_rebased |= str_is(t, "rebase");
		/* --config-env=alias.x=NAME */
		if (str_starts(t, STR("--config-env=alias."))) {
			struct str name = str_rest(t, (size_t)str_find_last(t, '=') + 1);
			struct str own = str_cat(e->arena, name, "="), set = sh_value(e, name);

			for (size_t k = 0; k < c->assignments.count; k++) {
				struct str item = c->assignments.items[k];

				set = str_skip(&item, own.s) ? item : set;
			}
			if (set.s)
				run_alias_of_git(e, c, str_rest(str_before(str_rest(t, 13), '='), 6), set);
		}
		if (sh_is_listed(command_settings, t, true))
			sh_run_text(e, value, STR_NONE);
		else if ((str_starts(t, STR("alias.")) || str_starts(t, STR("-calias."))) &&
			 (key < t.n || next.n > 0))
			run_alias_of_git(e, c, str_rest(str_sub(t, 0, key), t.s[0] == '-' ? 8 : 6),
					 key < t.n ? value : next);
		else if ((is_rebased && str_is_word_of(t, "-x --exec")) || str_ends(t, STR("-filter")))
			sh_run_text(e, next, STR_NONE);
		else if (str_starts(t, STR("--exec=")))
			sh_run_text(e, value, STR_NONE);
		else if (str_is(t, "foreach") && i > 1 && str_is(c->args[i - 1].text, "submodule")) {
			for (i++; i < c->count && str_starts(c->args[i].text, STR("--")); i++)
				continue;
			sh_run_text(e, sh_joined(e, sh_args_from(c, i)), STR_NONE);
			break;
		}
	}
	return SH_RAN_NOTHING;
}

/* git-reset is git reset */
enum sh_ran
sh_run_dashed_git(struct sh_eval *e, struct sh_command *c)
{
	struct str program = str_rest(sh_program(c), 4);

	sh_run_text(e, str_cat(e->arena, "git ", program, " ", sh_joined(e, sh_args_from(c, 1))), c->input);
	return SH_RAN_ADDED;
}
