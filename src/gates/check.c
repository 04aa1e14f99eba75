/* SPDX-License-Identifier: MIT */
/* A check: a command of the project, run by the shell in its directory. This file writes the log around the command's
 * output and decides the outcome. It never runs anything itself. */
#include "gates/check.h"

#include "gates/plan.h"
#include "git/git.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

#include <signal.h>

#define GRACE_MS 2000
#define BASE_BRANCH "${BASE_BRANCH}"
/* In a command of holdfast.yml: the changed files that the gate is for. */
#define FILES "{files}"
/* Of their names in one call. The kernel allows more, but not everywhere. */
#define FILES_BYTES KIB(100)
/* A shell exits with it when it can't find a program; but any program may. */
#define EXIT_NOT_FOUND 127

/* ---- the program that a command starts with. Only a shell can read its language: this looks only at a first word that every
 * shell reads the same way, and gives no answer for any other ---- */

/* The words that the common shells know without a file. A word that a shell lacks does no harm here. */
static const char shell_words[] =
	"! - . : [ [[ alias bg bind break builtin case cd chdir command compgen complete compopt "
	"continue coproc declare dirs disown do done echo elif else enable esac eval exec exit "
	"export false fc fg fi for function getopts hash help history if in jobs kill let local "
	"logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt "
	"source suspend test then time times trap true type typeset ulimit umask unalias unset until "
	"wait while { }";

/* Does it mean nothing but itself to any shell, without quotes? */
static bool
is_plain(char c)
{
	return is_letter(c) || is_digit(c) || (c != '\0' && strchr("_-./+@%:,=", c));
}

/* NAME=value, without quotes. */
static bool
is_assignment(struct str word)
{
	ptrdiff_t at = str_find_char(word, '=');

	if (at <= 0 || is_digit(word.s[0]))
		return false;
	for (ptrdiff_t i = 0; i < at; i++)
		if (!is_letter(word.s[i]) && !is_digit(word.s[i]) && word.s[i] != '_')
			return false;
	return true;
}

/* The first word that is not an assignment; absent where quotes, expansions or the like come before its end. */
static struct str
first_word(struct str command)
{
	for (;;) {
		size_t n = 0;

		command = str_trim(command);
		while (n < command.n && is_plain(command.s[n]))
			n++;
		bool is_whole_word = n == command.n || memchr(" \t\n;&|", command.s[n], 6);
		struct str word = str_sub(command, 0, n);

		if (n == 0 || !is_whole_word)
			return STR_NONE;
		if (str_find_char(word, '=') < 0)
			return word;
		if (!is_assignment(word) || n == command.n || !memchr(" \t", command.s[n], 2) ||
		    str_starts(word, STR("PATH=")))
			return STR_NONE;
		command = str_sub(command, n, command.n);
	}
}

/* Does PATH mean the same in every directory? */
static bool
is_path_absolute(void)
{
	struct str rest = env_get("PATH"), dir;

	if (rest.n == 0 || rest.s[rest.n - 1] == ':')
		return false;
	while (str_next(&rest, ':', &dir))
		if (!str_starts(dir, STR("/")))
			return false;
	return true;
}

struct str
check_program(struct str command)
{
	struct str word = first_word(command);

	return !str_is_word_of(word, shell_words) ? word : STR_NONE;
}

struct str
check_missing_program(struct arena *a, struct str command, struct str dir)
{
	struct str word = check_program(command);
	const char *path;

	if (!word.s)
		return STR_NONE;
	word = str_copy(a, word);
	if (str_find_char(word, '/') < 0)
		return !is_path_absolute() || env_find_program(a, word.s).s ? STR_NONE : word;
	struct str full = path_from(a, dir, word);

	if (str_cz(a, full, &path, IGNORED) < 0 || fs_lkind(path) != FS_NOTHING)
		return STR_NONE;
	return word;
}

/* ---- a check ---- */

/* Is the name one word for every shell, without quotes? */
static bool
is_shell_safe(struct str branch)
{
	for (size_t i = 0; i < branch.n; i++)
		if (!is_plain(branch.s[i]))
			return false;
	return branch.n > 0;
}

/* A check while it runs. The command is run, and again while there are retries; then the fix, and the command once more. */
struct attempt {
	struct check_facts facts;
	int64_t retries_left;
	struct str_list files; /* for {files}; empty: the command has none */
	size_t from, to;       /* those of this call */
	struct str failure;    /* the message of the first failure; absent: it has not failed */
	bool is_fixing;        /* the fix is running */
	bool has_fixed;        /* it has run */
	bool has_retried;
	bool knows_before;
	struct change_list before; /* the files when the fix began */
};

static int
begin(struct task *t, const struct logdir *logs, int64_t run, struct err *err)
{
	struct attempt *now = t->own;
	size_t bytes = 0;

	for (now->to = now->from; now->to < now->files.count && bytes < FILES_BYTES; now->to++)
		bytes += now->files.items[now->to].n;
	t->call.script = now->is_fixing ? t->job->gate->fix_command : t->command;
	if (now->files.count > 0) {
		t->call.script = str_replace(t->arena, t->call.script, STR(FILES), STR("\"$@\""));
		t->call.arguments = (struct str_list){ now->files.items + now->from, now->to - now->from };
	}
	capture_init(&t->output, t->arena, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	if (t->log.fd >= 0)
		return 0;
	struct str time = clock_format_millis(t->arena, clock_real_us()), command = t->command;

	command.n -= str_ends(command, STR("\n"));
	if (gatelog_open(t->arena, logs, t->job->file_part, run, &t->log, err) < 0)
		return -1;
	t->result.log_path = t->log.path;
	/* Three entries in one write. */
	gatelog_add(&t->log, "[", time, "] Starting check: ", t->job->gate->name, "\n[", time,
		    "] Executing command: ", command, "\n[", time, "] Working directory: ", t->job->dir,
		    "\n\n");
	return 0;
}

/* A fault of the program itself, unlike a signal that another process sent. */
static bool
is_crash(int signal_number)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
	size_t i = 0;

	while (i < COUNT_OF(crashes) && crashes[i] != signal_number)
		i++;
	return i < COUNT_OF(crashes);
}

static void
set_outcome(struct task *t, enum gate_outcome outcome, struct str message)
{
	t->result.outcome = outcome;
	t->result.message = message;
}

static struct str
why_unstarted(struct task *t)
{
	enum fs_kind kind = fs_kind(t->call.process.dir);

	if (t->log.fd < 0)
		return str_cat(t->arena, "The log can't be written: ", t->start_error.msg);
	if (kind == FS_NOTHING)
		return str_cat(t->arena, "The working directory does not exist: ", t->job->dir);
	if (kind != FS_DIR)
		return str_cat(t->arena, "The working directory is not a directory: ", t->job->dir);
	return str_cat(t->arena, t->start_error.msg);
}

/* Why a program that is missing should be there, so that the check has failed; NULL: nobody knows that it should. */
static const char *
why_expected(struct task *t, struct str program)
{
	const struct check_facts *f = &((const struct attempt *)t->own)->facts;

	if (str_eq(program, f->last_program))
		return "it was there when the check last ran";
	struct str full = path_from(t->arena, str_from(t->call.process.dir), program);
	struct str path = f->repository && str_find_char(program, '/') >= 0
				  ? path_relative(t->arena, f->repository->root, full)
				  : STR_NONE;

	if (path.n > 0 && git_has_file(t->arena, f->repository, path, f->base_branch, IGNORED) == ANSWER_YES)
		return "git tracks it";
	return NULL;
}

static void
judge_exit(struct task *t)
{
	struct str missing = STR_NONE;

	if (t->process.code == 0) {
		set_outcome(t, OUTCOME_PASS, STR("Command exited with code 0"));
		return;
	}
	if (t->process.code == EXIT_NOT_FOUND)
		missing = check_missing_program(t->arena, t->command, str_from(t->call.process.dir));
	const char *why = missing.s ? why_expected(t, missing) : NULL;

	if (why)
		set_outcome(t, OUTCOME_FAIL, str_cat(t->arena, "Missing command: ", missing, " (", why, ")"));
	else if (missing.s)
		set_outcome(t, OUTCOME_ERROR, str_cat(t->arena, "Missing command: ", missing));
	else
		set_outcome(t, OUTCOME_FAIL, str_cat(t->arena, "Exited with code ", t->process.code));
}

/* The files that differ from the last commit, with their content. False: git can't say. */
static bool
look_at_files(struct task *t, struct change_list *ret)
{
	const struct check_facts *f = &((const struct attempt *)t->own)->facts;
	struct change_spec spec = { .mode = CHANGES_UNCOMMITTED, .log_dir = f->log_dir };

	if (!f->repository)
		return false;
	git_forget_files(f->repository);
	return git_changes(t->arena, f->repository, &spec, ret, IGNORED) == 0 &&
	       git_read_contents(t->arena, f->repository, ret, IGNORED) == 0;
}

/* Is there anything left to do before the outcome is known: other files, or another try after a failure? */
static bool
goes_on(struct task *t)
{
	struct attempt *now = t->own;
	struct str fix = t->job->gate->fix_command, failed = t->result.message;

	if (t->result.outcome == OUTCOME_PASS && now->to < now->files.count) {
		now->from = now->to;
		return true;
	}
	if (t->result.outcome != OUTCOME_FAIL)
		return false;
	now->failure = failed;
	if (now->has_fixed || (now->retries_left <= 0 && !fix.s))
		return false;
	if (now->retries_left > 0) {
		now->retries_left--;
		now->has_retried = true;
		gatelog_add(&t->log, failed, "; running it again\n");
	} else {
		now->is_fixing = true;
		now->knows_before = look_at_files(t, &now->before);
		gatelog_add(&t->log, failed, "; running its fix: ", fix, "\n");
	}
	return true;
}

/* The fix has ended. Whether it helped, only the check itself can say. */
static void
end_fix(struct task *t)
{
	struct attempt *now = t->own;
	struct change_list after;

	now->is_fixing = false;
	now->has_fixed = true;
	if (now->knows_before && look_at_files(t, &after))
		t->result.changed = git_differences(t->arena, &now->before, &after);
	if (t->result.changed.count > 0)
		gatelog_add(&t->log,
			    "Changed while the fix ran: ", str_list_join(t->arena, &t->result.changed, ", "));
	gatelog_add(&t->log, "The fix has ended (",
		    t->process.end == PROC_EXITED ? "exit code" : "signal or time limit", " ",
		    t->process.code, "); running the check again\n");
}

static void
judge(struct task *t)
{
	struct attempt *now = t->own;
	struct str fix = t->job->gate->fix_instructions, killed = task_kill_message(t);
	bool is_failure = t->process.end == PROC_TIMED_OUT || is_crash(t->result.signal);

	if (now->is_fixing && !t->cannot_start && t->process.end != PROC_DEADLINE) {
		end_fix(t);
		t->is_again = true;
		return;
	}
	if (t->cannot_start)
		set_outcome(t, OUTCOME_ERROR, why_unstarted(t));
	else if (killed.s)
		set_outcome(t, is_failure ? OUTCOME_FAIL : OUTCOME_ERROR, killed);
	else
		judge_exit(t);
	if (goes_on(t)) {
		t->is_again = true;
		return;
	}
	/* That a retry or the fix could not end makes nothing of the failure before it unknown. */
	if (t->result.outcome == OUTCOME_ERROR && now->failure.s)
		set_outcome(t, OUTCOME_FAIL, now->failure);
	bool has_passed = t->result.outcome == OUTCOME_PASS;

	t->result.is_fixed = has_passed && now->has_fixed;
	t->result.is_flaky = has_passed && now->has_retried && !now->has_fixed;
	if (t->result.is_fixed)
		t->result.message = STR("Passed after its fix had run");
	else if (t->result.is_flaky)
		t->result.message = STR("Passed on a retry: it is flaky");
	if (!has_passed)
		gatelog_add(&t->log, "\nCommand failed: ", t->command);
	gatelog_add(&t->log, "Result: ", gate_outcome_name(t->result.outcome), " - ", t->result.message);
	if (!has_passed && fix.s)
		gatelog_add(&t->log, "\n--- Fix Instructions ---\n", fix, "\n");
	gatelog_close(&t->log);
}

/* The changed files that the gate is for and that are still there, as its directory sees them; where none is left, the
 * directory itself. */
static struct str_list
files_of(struct arena *a, const struct gates_config *c, const struct job *job,
	 const struct change_list *changes)
{
	struct plan_reach reach = plan_reach_of(a, job->entry_point);
	struct gate_patterns patterns = gate_patterns_of(a, &job->gate->files);
	struct plan_range range = changes ? plan_range_of(&reach, changes->items, changes->count)
					  : (struct plan_range){ 0 };
	struct str_list files = { arena_array(a, range.to - range.from + 1, struct str), 0 };

	for (size_t i = range.from; i < range.to; i++) {
		struct str path = changes->items[i], full = path_join(a, c->root, path);
		struct str below = str_is(job->dir, ".") ? path : path_below(path, job->dir);

		if (!plan_reaches(&reach, path) || !gate_patterns_have(&patterns, path) ||
		    fs_lkind(full.s) == FS_NOTHING)
			continue;
		path = below.s ? below : full;
		files.items[files.count++] = str_starts(path, STR("-")) ? str_cat(a, "./", path) : path;
	}
	if (files.count == 0)
		files.items[files.count++] = STR(".");
	return files;
}

static const struct task_kind checks = { .begin = begin, .judge = judge, .timeout_title = "Timed out" };

void
check_prepare(struct arena *a, const struct gates_config *c, const struct job *job,
	      const struct check_facts *facts, struct task *ret)
{
	static const char *const unset[] = { "CLAUDECODE", NULL };
	const struct gate *check = job->gate;
	struct attempt *own = arena_new(a, struct attempt);
	struct str base_branch = facts->base_branch;
	struct str command = facts->is_rerun && check->rerun_command.s ? check->rerun_command
								       : check->command;
	struct str dir = str_is(job->dir, ".") ? c->root : path_from(a, c->root, job->dir);
	const char **env = arena_array(a, 2, const char *);

	/* A branch that a shell would read as more than one word goes into the environment: the shell then expands
	 * ${BASE_BRANCH} itself, and does not read the value as code. */
	if (base_branch.n > 0 && !is_shell_safe(base_branch))
		env[0] = str_cat(a, "BASE_BRANCH=", base_branch).s;
	*own = (struct attempt){ .facts = *facts, .retries_left = check->retries };
	if (c->dialect->fills_in_files &&
	    (str_find(command, STR(FILES)) >= 0 || str_find(check->fix_command, STR(FILES)) >= 0))
		own->files = files_of(a, c, job, facts->changes);
	*ret = (struct task){
		.kind = &checks,
		.job = job,
		.arena = a,
		.own = own,
		.command = is_shell_safe(base_branch) ? str_replace(a, command, STR(BASE_BRANCH), base_branch) : command,
		.is_parallel = check->is_parallel,
		.fails_fast = check->fails_fast,
		.is_exclusive = check->is_exclusive,
		.needs = &check->needs,
		.log = { .fd = -1 },
		.result = gate_result_of(job),
		.call.process = {
			.dir = str_copy(a, dir).s,
			.env = env,
			.unset = unset,
			.timeout_ms = check->timeout_ms,
			.grace_ms = GRACE_MS,
			.forgets_output = true,
		},
	};
	ret->result.program = check_program(ret->command);
}
