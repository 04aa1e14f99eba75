/* SPDX-License-Identifier: MIT */
/* Programs that run a command which is the value of an option, of a setting, or a command of its own: sort, tar, git, gdb. */
#include "shell/eval.h"

static const struct {
	const char *program, *option;
	bool is_fed;        /* the command reads what the program has read */
	const char *before; /* the command, in the value; NULL: the value is one */
} options[] = {
	{ "sort", "--compress-program", true, NULL },
	{ "split", "--filter", true, NULL },
	{ "tar", "--use-compress-program", true, NULL },
	{ "tar", "-I", true, NULL },
	{ "tar", "--to-command", true, NULL },
	{ "tar", "--checkpoint-action", false, "exec=" },
	{ "tar", "--rsh-command", false, NULL },
	{ "tar", "--info-script", false, NULL },
	{ "tar", "--new-volume-script", false, NULL },
	{ "rsync", "--rsh", false, NULL },
	{ "rsync", "-e", false, NULL },
	{ "rg", "--pre", false, NULL },
	{ "man", "--html", true, NULL },
	{ "man", "-H", true, NULL },
	{ "man", "--pager", true, NULL },
	{ "man", "-P", true, NULL },
	{ "ssh", "-o", false, "ProxyCommand=" },
	{ "ssh", "-o", false, "LocalCommand=" },
	{ "scp", "-o", false, "ProxyCommand=" },
	{ "git", "--upload-pack", false, NULL },
	{ "git", "--receive-pack", false, NULL },
	{ "git", "--open-files-in-pager", false, NULL },
	{ "git", "--extcmd", false, NULL },
	{ "nodemon", "--exec", false, NULL },
	{ "nodemon", "-x", false, NULL },
	{ "hyperfine", "--prepare", false, NULL },
	{ "hyperfine", "-p", false, NULL },
	{ "hyperfine", "--setup", false, NULL },
	{ "hyperfine", "--cleanup", false, NULL },
	{ "npm", "--call", false, NULL },
	{ "npm", "-c", false, NULL },
	{ "nix-shell", "--run", false, NULL },
	{ "nix-shell", "--command", false, NULL },
	{ "zip", "-TT", false, NULL },
	{ "zip", "--unzip-command", false, NULL },
	{ "nc", "-c", false, NULL },
	{ "ncat", "-c", false, NULL },
	{ "ncat", "--sh-exec", false, NULL },
	{ "compgen", "-C", false, NULL },
	{ "complete", "-C", false, NULL },
	{ "mapfile", "-C", false, NULL },
	{ "readarray", "-C", false, NULL },
	{ "socat", "EXEC:", false, NULL },
	{ "socat", "SYSTEM:", false, NULL },
	{ "gdb", "-ex", false, "shell " },
	{ "gdb", "-ex", false, "!" },
	{ "gdb", "--eval-command", false, "shell " },
	{ "gdb", "--eval-command", false, "!" },
	{ "gdb", "shell ", false, NULL },
	{ "lldb", "-o", false, "platform shell " },
	{ "vim", "-c", false, "!" },
	{ "vim", "--cmd", false, "!" },
	{ "vim", "+!", false, NULL },
	{ "ex", "-c", false, "!" },
	{ "ex", "!", false, NULL },
	{ "ed", "!", false, NULL },
	{ "less", "+!", false, NULL },
	{ "sqlite3", ".shell ", false, NULL },
	{ "sqlite3", ".system ", false, NULL },
	{ "psql", "\\! ", false, NULL },
	{ "psql", "-c", false, "\\! " },
	{ "mysql", "-e", false, "\\! " },
	{ "mysql", "-e", false, "system " },
};

/* The value of the option if the argument is it, and not only the start of its name; a long one may be shortened, as getopt_long() has
 * it. Absent: it is another. */
static struct str
value_of(const char *option, struct str arg, struct str next)
{
	struct str name = str_from(option);
	ptrdiff_t equals = str_find_char(arg, '=');
	struct str own = equals < 0 ? arg : str_sub(arg, 0, (size_t)equals);

	if (name.n < 2 || name.s[1] != '-') {
		bool is_cluster = name.n == 2 && name.s[0] == '-' && arg.n > 2 && arg.s[0] == '-' &&
				  arg.s[1] != '-' && arg.s[1] != name.s[1] && arg.s[arg.n - 1] == name.s[1];

		if (is_cluster || (str_eq(arg, name) && name.s[0] == '-'))
			return next;
		return str_starts(arg, name) ? str_sub(arg, name.n, arg.n) : STR_NONE;
	}
	if (!str_eq(own, name) && (own.n < 6 || !str_starts(name, own)))
		return STR_NONE;
	return equals < 0 ? next : str_sub(arg, (size_t)equals + 1, arg.n);
}

static void
run_value(struct sh_eval *e, struct str value, bool is_fed, const char *before)
{
	/* a command of an editor may begin with a colon */
	if (before && before[0] == '!' && str_starts(value, STR(":")))
		value = str_sub(value, 1, value.n);
	if (before && !str_starts(value, str_from(before)))
		return;
	if (before)
		value = str_sub(value, str_from(before).n, value.n);
	if (value.n > 0)
		sh_run_text(e, is_fed ? str_fmt(e->arena, "cat | " STR_FMT, STR_ARG(value)) : value,
			    STR_NONE);
}

void
sh_eval_assignments(struct sh_eval *e, const struct sh_command *c)
{
	static const char *const commands[] = { "GIT_PAGER",   "GIT_EDITOR",      "GIT_SEQUENCE_EDITOR",
						"GIT_SSH",     "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF",
						"GIT_ASKPASS", "SSH_ASKPASS",     "EDITOR",
						"VISUAL",      "PAGER",           "MANPAGER",
						"LESSOPEN",    "PROMPT_COMMAND",  "BROWSER" };

	for (size_t i = 0; i < c->assignments.count; i++) {
		struct str t = c->assignments.items[i];
		ptrdiff_t equals = str_find_char(t, '=');
		struct str name = str_sub(t, 0, (size_t)equals), value = str_sub(t, (size_t)equals + 1, t.n);

		if (sh_has_hole(value) || value.n == 0)
			continue;
		if (str_starts(value, STR("|")))
			value = str_sub(value, 1, value.n);
		if (sh_is_one_of(name, commands, COUNT_OF(commands)))
			sh_run_text(e, value, STR_NONE);
		/* GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!cmd' */
		else if (str_starts(name, STR("GIT_CONFIG_VALUE_")) && str_starts(value, STR("!")))
			sh_run_text(e, str_sub(value, 1, value.n), STR_NONE);
		else if (str_is(name, "BASH_ENV") || str_is(name, "ENV"))
			sh_eval_script(e, c, value, c->count + 1);
		/* a prompt is expanded */
		else if (str_is(name, "PS4") || str_is(name, "PS1"))
			sh_run_text(e, str_fmt(e->arena, ": \"" STR_FMT "\"", STR_ARG(value)), STR_NONE);
	}
}

/* ---- git ---- */

/* name=command, as -c has it */
static bool
is_command_setting(struct str t, ptrdiff_t equals)
{
	static const char *const names[] = { "core.pager",     "core.editor",   "core.sshcommand",
					     "core.fsmonitor", "diff.external", "sequence.editor",
					     "gpg.program",    "core.askpass" };
	struct str name = equals > 0 ? str_sub(t, 0, (size_t)equals) : STR("");

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (str_is_word(name, names[i]))
			return true;
	return false;
}

static void
run_alias_of_git(struct sh_eval *e, struct str value)
{
	if (str_starts(value, STR("!")))
		sh_run_text(e, str_sub(value, 1, value.n), STR_NONE);
	else
		sh_run_text(e, str_fmt(e->arena, "git " STR_FMT, STR_ARG(value)), STR_NONE);
}

/* The value of a variable in front of the command, or before it. */
static struct str
assigned(const struct sh_eval *e, const struct sh_command *c, struct str name)
{
	for (size_t i = 0; i < c->assignments.count; i++) {
		struct str t = c->assignments.items[i];

		if (str_starts(t, name) && t.n > name.n && t.s[name.n] == '=')
			return str_sub(t, name.n + 1, t.n);
	}
	return sh_value(e, name);
}

/* -c core.pager=cmd, -c alias.x='!cmd', config alias.x '!cmd', rebase -x cmd, submodule foreach cmd */
static void
run_git(struct sh_eval *e, const struct sh_command *c)
{
	bool is_rebased = false;

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text, next = i + 1 < c->count ? c->args[i + 1].text : STR("");
		ptrdiff_t equals = str_find_char(t, '=');

		is_rebased |= str_is(t, "rebase");
		/* --config-env=alias.x=NAME */
		if (str_starts(t, STR("--config-env=alias.")) && equals > 0) {
			struct str pair = str_sub(t, (size_t)equals + 1, t.n), name = pair;

			while (str_find_char(name, '=') >= 0)
				name = str_sub(name, (size_t)str_find_char(name, '=') + 1, name.n);
			struct str value = assigned(e, c, name);

			if (value.s)
				run_alias_of_git(e, value);
		}
		if (is_command_setting(t, equals))
			sh_run_text(e, str_sub(t, (size_t)equals + 1, t.n), STR_NONE);
		else if (str_starts(t, STR("alias.")) && equals > 0)
			run_alias_of_git(e, str_sub(t, (size_t)equals + 1, t.n));
		else if (str_starts(t, STR("alias.")) && next.n > 0)
			run_alias_of_git(e, next);
		else if (is_rebased && (str_is(t, "-x") || str_is(t, "--exec")))
			sh_run_text(e, next, STR_NONE);
		else if (str_ends(t, STR("-filter")))
			sh_run_text(e, next, STR_NONE);
		else if (str_starts(t, STR("--exec=")))
			sh_run_text(e, str_sub(t, 7, t.n), STR_NONE);
		else if (str_is(t, "foreach") && i > 1 && str_is(c->args[i - 1].text, "submodule")) {
			for (i++; i < c->count && str_starts(c->args[i].text, STR("--")); i++)
				continue;
			sh_run_text(e, sh_joined(e, c, i), STR_NONE);
			break;
		}
	}
}

void
sh_eval_options(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c), input, line;

	/* they are one editor */
	if (str_is(program, "nvim") || str_is(program, "vi") || str_is(program, "view"))
		program = STR("vim");
	else if (str_is(program, "vimdiff") || str_is(program, "gvim"))
		program = STR("vim");
	for (size_t k = 0; k < COUNT_OF(options); k++) {
		if (!str_is(program, options[k].program))
			continue;
		/* a command of the program itself, which it may read from stdin */
		input = options[k].option[0] == '-' || options[k].option[0] == '+' ? STR("") : c->input;
		while (str_next(&input, '\n', &line))
			if (str_starts(line, str_from(options[k].option)))
				sh_run_text(e, str_sub(line, strlen(options[k].option), line.n), STR_NONE);
		for (size_t i = 1; i < c->count; i++) {
			struct str value = value_of(options[k].option, c->args[i].text,
						    i + 1 < c->count ? c->args[i + 1].text : STR(""));

			if (value.s)
				run_value(e, value, options[k].is_fed, options[k].before);
		}
	}
	if (str_is(program, "git"))
		run_git(e, c);
	else if (str_is(program, "sed") || str_is(program, "gsed"))
		sh_run_sed(e, c);
	else if (str_is(program, "awk") || str_is(program, "gawk") || str_is(program, "mawk") ||
		 str_is(program, "nawk"))
		sh_run_awk(e, c);
}
