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
	enum {
		ARGUMENTS,
		JOINED,
		EACH
	} rest; /* how it takes the command: as arguments, as a text, each as a text */
};

static const char *const env_long[] = { "--unset", "--chdir", "--split-string", NULL };
static const char *const sudo_long[] = { "--user",  "--group", "--host", "--prompt",
					 "--chdir", "--role",  "--type", NULL };
static const char *const nsenter_long[] = { "--target", "--setuid", "--setgid", NULL };
static const char *const flock_long[] = { "--timeout", "--wait", "--conflict-exit-code", NULL };
static const char *const nice_long[] = { "--adjustment", NULL };
static const char *const watch_long[] = { "--interval", "--exts", "--watch", "--ignore", "--filter", NULL };
static const char *const setpriv_long[] = { "--reuid", "--regid", "--groups", "--inh-caps", NULL };
static const char *const hyperfine_long[] = { "--warmup",      "--runs",           "--min-runs",
					      "--max-runs",    "--prepare",        "--setup",
					      "--cleanup",     "--parameter-list", "--parameter-scan",
					      "--export-json", "--shell",          NULL };
static const char *const concurrently_long[] = { "--names", "--prefix", "--max-processes", "--success",
						 NULL };
static const char *const user_long[] = { "--user", NULL };
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
	{ .name = "nice", .values = "n", .long_names = nice_long },
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
	{ .name = "flock", .values = "wEc", .long_names = flock_long, .operands = 1, .text_option = "-c" },
	{ .name = "chroot", .values = "", .operands = 1 },
	{ .name = "unshare", .values = "SGRw" },
	{ .name = "nsenter", .values = "tSG", .long_names = nsenter_long },
	{ .name = "systemd-run", .values = "pEMHu" },
	{ .name = "run0", .values = "" },
	{ .name = "caffeinate", .values = "tw" },
	{ .name = "busybox", .values = "" },
	{ .name = "toybox", .values = "" },
	{ .name = "npx", .values = "pc", .long_names = npx_long, .text_option = "-c" },
	{ .name = "bunx", .values = "" },
	{ .name = "pnpx", .values = "" },
	{ .name = "su", .values = "cgGsTw", .operands = 2, .text_option = "-c" },
	{ .name = "runuser", .values = "lucgGsTw", .text_option = "-c" },
	{ .name = "sg", .values = "", .operands = 1, .text_option = "-c" },
	{ .name = "pkexec", .values = "", .long_names = user_long },
	{ .name = "gosu", .values = "", .operands = 1 },
	{ .name = "su-exec", .values = "", .operands = 1 },
	{ .name = "setpriv", .values = "", .long_names = setpriv_long },
	{ .name = "sshpass", .values = "pfdP" },
	{ .name = "ssh-agent", .values = "atEO" },
	{ .name = "numactl", .values = "NmCpP" },
	{ .name = "cgexec", .values = "g" },
	{ .name = "prlimit", .values = "p" },
	{ .name = "cpulimit", .values = "lpe" },
	{ .name = "setarch", .values = "", .operands = 1 },
	{ .name = "linux32", .values = "" },
	{ .name = "linux64", .values = "" },
	{ .name = "systemd-inhibit", .values = "" },
	{ .name = "firejail", .values = "" },
	{ .name = "faketime", .values = "f", .operands = 1 },
	{ .name = "fakechroot", .values = "" },
	{ .name = "proxychains", .values = "f" },
	{ .name = "proxychains4", .values = "f" },
	{ .name = "torsocks", .values = "" },
	{ .name = "rlwrap", .values = "" },
	{ .name = "tini", .values = "p" },
	{ .name = "dumb-init", .values = "r" },
	{ .name = "ld.so", .values = "" },
	{ .name = "ld-linux-x86-64.so.2", .values = "" },
	{ .name = "ld-linux-aarch64.so.1", .values = "" },
	{ .name = "ld-musl-x86_64.so.1", .values = "" },
	{ .name = "screen", .values = "SstTehp" },
	{ .name = "dtach", .values = "nacAE" },
	{ .name = "daemonize", .values = "aceoplu" },
	{ .name = "entr", .values = "s", .text_option = "-s" },
	{ .name = "shx", .values = "" },
	{ .name = "cross-env", .values = "", .has_assignments = true },
	{ .name = "cross-env-shell", .values = "", .has_assignments = true, .rest = JOINED },
	{ .name = "dotenv", .values = "epvc" },
	{ .name = "nix", .values = "", .operands = 9, .text_option = "-c" },
	{ .name = "watchexec", .values = "ewif", .long_names = watch_long, .rest = JOINED },
	{ .name = "hyperfine", .values = "wmMrpscSN", .long_names = hyperfine_long, .rest = EACH },
	{ .name = "concurrently", .values = "nms", .long_names = concurrently_long, .rest = EACH },
	{ .name = "script", .values = "cEIOBTm", .operands = 1, .text_option = "-c" },
	{ .name = "watch", .values = "n", .long_names = watch_long, .rest = JOINED },
	{ .name = "catchsegv", .values = "" },
	{ .name = "fakeroot", .values = "" },
	{ .name = "gdb", .values = "" },
};

/* Programs that run the rest of the line after certain words. */
static const struct {
	const char *program, *first, *second;
	size_t operands;    /* words before the command */
	bool is_text;       /* what follows is joined, and a shell reads it */
	bool is_first_word; /* the command begins with the first of the words */
} runners[] = {
	{ "uv", "run", NULL, 0, false, false },
	{ "poetry", "run", NULL, 0, false, false },
	{ "pipenv", "run", NULL, 0, false, false },
	{ "bundle", "exec", NULL, 0, false, false },
	{ "pnpm", "dlx", NULL, 0, false, false },
	{ "pnpm", "exec", NULL, 0, false, false },
	{ "pnpm", "rimraf", NULL, 0, false, true },
	{ "pnpm", "shx", NULL, 0, false, true },
	{ "yarn", "dlx", NULL, 0, false, false },
	{ "yarn", "exec", NULL, 0, false, false },
	{ "yarn", "rimraf", NULL, 0, false, true },
	{ "yarn", "shx", NULL, 0, false, true },
	{ "npm", "exec", NULL, 0, false, false },
	{ "npm", "x", NULL, 0, false, false },
	{ "direnv", "exec", NULL, 1, false, false },
	{ "mise", "exec", NULL, 0, false, false },
	{ "mise", "x", NULL, 0, false, false },
	{ "asdf", "exec", NULL, 0, false, false },
	{ "rbenv", "exec", NULL, 0, false, false },
	{ "pyenv", "exec", NULL, 0, false, false },
	{ "git", "bisect", "run", 0, false, false },
	{ "rustup", "run", NULL, 1, false, false },
	{ "bun", "x", NULL, 0, false, false },
	{ "hatch", "run", NULL, 0, false, false },
	{ "pixi", "run", NULL, 0, false, false },
	{ "conda", "run", NULL, 0, false, false },
	{ "mamba", "run", NULL, 0, false, false },
	{ "guix", "shell", NULL, 0, false, false },
	{ "op", "run", NULL, 0, false, false },
	{ "doppler", "run", NULL, 0, false, false },
	{ "infisical", "run", NULL, 0, false, false },
	{ "dotenvx", "run", NULL, 0, false, false },
	{ "chamber", "exec", NULL, 1, false, false },
	{ "aws-vault", "exec", NULL, 1, false, false },
	{ "perf", "stat", NULL, 0, false, false },
	{ "perf", "record", NULL, 0, false, false },
	{ "perf", "trace", NULL, 0, false, false },
	{ "tmux", "new", NULL, 0, true, false },
	{ "tmux", "new-session", NULL, 0, true, false },
	{ "tmux", "new-window", NULL, 0, true, false },
	{ "tmux", "neww", NULL, 0, true, false },
	{ "tmux", "split-window", NULL, 0, true, false },
	{ "tmux", "run-shell", NULL, 0, true, false },
	{ "tmux", "run", NULL, 0, true, false },
	{ "tmux", "respawn-pane", NULL, 0, true, false },
	{ "tmux", "send-keys", NULL, 0, true, false },
	{ "tmux", "send", NULL, 0, true, false },
};
/* Options of theirs that take a value. */
static const char *const runner_values[] = { "-n",          "-p",        "-o",         "-t",
					     "-s",          "-c",        "-e",         "-f",
					     "--name",      "--with",    "--python",   "--project",
					     "--directory", "--package", "--env-file", "--extra",
					     "--group",     "--prefix",  "--output" };

bool
sh_is_one_of(struct str text, const char *const *names, size_t count)
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

/* The text that an option has the program run: -c TEXT, -cTEXT, --command=TEXT, and -c at the end of a cluster. Absent: it is another
 * option. */
static struct str
text_of_option(struct sh_eval *e, const struct sh_command *c, const struct wrapper *w, size_t i)
{
	struct str t = c->args[i].text;
	ptrdiff_t equals = str_find_char(t, '=');
	struct str name = equals > 0 ? str_sub(t, 0, (size_t)equals) : t;
	bool is_long = str_is(name, "--command") || str_is(name, "--split-string") ||
		       str_is(name, "--session-command");

	if (!w->text_option || t.n < 2 || t.s[0] != '-' || (t.s[1] == '-' && !is_long))
		return STR_NONE;
	if (is_long && equals > 0)
		return str_sub(t, (size_t)equals + 1, t.n);
	if (!is_long && t.s[1] == w->text_option[1] && t.n > 2)
		return str_sub(t, 2, t.n);
	if ((!is_long && t.s[t.n - 1] != w->text_option[1]) || i + 1 >= c->count)
		return STR_NONE;
	/* these take the rest of the line */
	return str_is(str_from(w->name), "env") || str_is(str_from(w->name), "nix") ? sh_joined(e, c, i + 1)
										    : c->args[i + 1].text;
}

/* The command from `first` on, as the wrapper takes it. */
static void
run_as(struct sh_eval *e, const struct sh_command *c, const struct wrapper *w, size_t first)
{
	if (w->rest == ARGUMENTS)
		sh_run_rest(e, c, first);
	else if (w->rest == JOINED)
		sh_run_text(e, sh_joined(e, c, first), c->input);
	else
		for (size_t i = first; i < c->count; i++)
			if (!str_starts(c->args[i].text, STR("-")))
				sh_run_text(e, c->args[i].text, c->input);
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
		struct str text = text_of_option(e, c, w, i);

		if (text.s) {
			sh_run_text(e, text, c->input);
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
		run_as(e, &moved, w, i);
	e->cwd = cwd;
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
		if (runners[i].is_first_word)
			first = 1;
		for (size_t left = runners[i].operands; first < c->count; first++) {
			struct str t = c->args[first].text;
			bool is_option = t.n > 1 && t.s[0] == '-';

			if (!is_option && left == 0)
				break;
			left -= !is_option;
			if (str_is(t, "--") && left == 0) {
				first++;
				break;
			}
			first += sh_is_one_of(t, runner_values, COUNT_OF(runner_values));
		}
		if (first < c->count && runners[i].is_text)
			sh_run_text(e, sh_joined(e, c, first), c->input);
		else if (first < c->count)
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
		sh_run_source(e, c);
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
	if (str_is(program, "find") || str_is(program, "fd") || str_is(program, "fdfind")) {
		own.is_wrapper = false;
		(str_is(program, "find") ? sh_run_find : sh_run_fd)(e, &own);
		return true;
	}
	if (str_is(program, "command") && c->count == 3 && str_is(c->args[1].text, "-v") && e->output) {
		buf_add(e->output, c->args[2].text);
		return true;
	}
	if (str_is(program, "crontab"))
		sh_run_jobs(e, c);
	if (sh_eval_shell(e, c) || sh_eval_powershell(e, c))
		; /* it has been run */
	else if (str_is(program, "xargs"))
		sh_run_xargs(e, &own);
	else if (str_is(program, "parallel"))
		sh_run_parallel(e, &own);
	else if (w) {
		run_wrapped(e, c, w);
		sh_eval_options(e, c);
	} else if (sh_eval_elsewhere(e, c))
		own.is_wrapper = false; /* it may mount or read files here */
	else if (run_after_words(e, c, program))
		sh_eval_options(e, c);
	else if (!run_builtin(e, c, program)) {
		if (c->count > 0 && !c->args[0].is_unknown && str_find_char(c->args[0].text, '/') >= 0)
			sh_eval_script(e, c, c->args[0].text, 1);
		/* git-reset is git reset */
		if (str_starts(program, STR("git-")) && c->count > 0) {
			sh_run_text(e,
				    str_fmt(e->arena, "git " STR_FMT " " STR_FMT,
					    STR_ARG(str_sub(program, 4, program.n)),
					    STR_ARG(sh_joined(e, c, 1))),
				    c->input);
			return true;
		}
		sh_run_recipes(e, c);
		sh_eval_options(e, c);
		return false;
	}
	/* these read a file as well */
	own.is_wrapper &= !str_is(program, "source") && !str_is(program, ".");
	sh_add_command(e, &own);
	return true;
}
