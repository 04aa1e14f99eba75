/* SPDX-License-Identifier: MIT */
/* A check: a command of the project, run by the shell in its directory. This file writes the log around the command's
 * output and decides the outcome. It never runs anything itself. */
#include "gates/check.h"

#include "base/buf.h"
#include "base/path.h"
#include "gates/plan.h"
#include "git/git.h"
#include "os/clock.h"
#include "os/fs.h"

#include <signal.h>
#include <string.h>

#define GRACE_MS 2000
#define BASE_BRANCH "${BASE_BRANCH}"
/* In a command of holdfast.yml: the changed files that the gate is for. */
#define FILES "{files}"
/* Of their names in one call. The kernel allows more, but not everywhere. */
#define FILES_BYTES KIB(100)
/* A shell exits with it when it can't find a program; but any program may. */
#define EXIT_NOT_FOUND 127

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Is the name one word for every shell, without quotes? */
static bool
is_shell_safe(struct str branch)
{
	for (size_t i = 0; i < branch.n; i++)
		if (!is_name_char(branch.s[i]) && !memchr("-./+@%,:=", branch.s[i], 9))
			return false;
	return branch.n > 0;
}

static struct str
replace_all(struct arena *a, struct str text, struct str old, struct str new)
{
	struct buf b = BUF(a, SIZE_MAX);
	ptrdiff_t at;

	while ((at = str_find(text, old)) >= 0) {
		buf_add(&b, str_sub(text, 0, (size_t)at));
		buf_add(&b, new);
		text = str_sub(text, (size_t)at + old.n, text.n);
	}
	buf_add(&b, text);
	return buf_str(&b);
}

/* A branch that a shell would read as more than one word goes into the environment: the shell then expands
 * ${BASE_BRANCH} itself, and does not read the value as code. */
static const char *const *
environment(struct arena *a, struct str branch)
{
	const char **env = arena_array(a, 3, const char *);
	struct err ignored;

	env[0] = "GAUNTLET_STOP_HOOK_ACTIVE=1";
	if (branch.n > 0 && !is_shell_safe(branch) &&
	    str_cz(a, str_fmt(a, "BASE_BRANCH=" STR_FMT, STR_ARG(branch)), &env[1], &ignored) < 0)
		env[1] = NULL; /* no branch has a NUL in its name */
	return env;
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
open_log(struct task *t, const struct logdir *logs, int64_t run, struct err *err)
{
	struct str now = clock_format_millis(t->arena, clock_real_us());

	if (gatelog_open(t->arena, logs, t->job->file_part, run, &t->log, err) < 0)
		return -1;
	t->result.log_path = t->log.path;
	gatelog_hold(&t->log);
	gatelog_printf(&t->log, "[" STR_FMT "] Starting check: " STR_FMT, STR_ARG(now),
		       STR_ARG(t->job->check->name));
	gatelog_printf(&t->log, "Executing command: " STR_FMT, STR_ARG(t->command));
	gatelog_printf(&t->log, "Working directory: " STR_FMT "\n\n", STR_ARG(t->job->dir));
	gatelog_release(&t->log);
	return 0;
}

static int
begin(struct task *t, const struct logdir *logs, int64_t run, struct err *err)
{
	struct attempt *now = t->own;
	struct str script = now->is_fixing ? t->job->check->fix_command : t->command;
	const char **argv;
	size_t bytes = 0;

	for (now->to = now->from; now->to < now->files.count && bytes < FILES_BYTES; now->to++)
		bytes += now->files.items[now->to].n;
	argv = arena_array(t->arena, now->to - now->from + 5, const char *);
	if (now->files.count > 0)
		script = replace_all(t->arena, script, STR(FILES), STR("\"$@\""));
	capture_init(&t->output, t->arena, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	if (t->log.fd < 0 && open_log(t, logs, run, err) < 0)
		return -1;
	argv[0] = "/bin/sh";
	argv[1] = "-c";
	if (str_cz(t->arena, script, &argv[2], err) < 0)
		return err_wrap(err, "the command");
	argv[3] = now->files.count > 0 ? "sh" : NULL;
	for (size_t i = now->from; i < now->to; i++)
		if (str_cz(t->arena, now->files.items[i], &argv[4 + i - now->from], err) < 0)
			return err_wrap(err, "a changed file");
	t->spec.argv = argv;
	return 0;
}

/* A fault of the program itself, unlike a signal that another process sent. */
static bool
is_crash(int signal_number)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS };

	for (size_t i = 0; i < COUNT_OF(crashes); i++)
		if (crashes[i] == signal_number)
			return true;
	return false;
}

static void
set_outcome(struct task *t, enum gate_outcome outcome, struct str message)
{
	t->result.outcome = outcome;
	t->result.message = message;
}

static void
judge_unstarted(struct task *t)
{
	struct str dir = t->job->dir;
	enum fs_kind kind = fs_kind(t->spec.dir);

	if (t->log.fd < 0)
		set_outcome(t, OUTCOME_ERROR,
			    str_fmt(t->arena, "The log can't be written: %s", t->start_error.msg));
	else if (kind == FS_NOTHING)
		set_outcome(
			t, OUTCOME_ERROR,
			str_fmt(t->arena, "The working directory does not exist: " STR_FMT, STR_ARG(dir)));
	else if (kind != FS_DIR)
		set_outcome(t, OUTCOME_ERROR,
			    str_fmt(t->arena, "The working directory is not a directory: " STR_FMT,
				    STR_ARG(dir)));
	else
		set_outcome(t, OUTCOME_ERROR, str_copy(t->arena, str_from(t->start_error.msg)));
}

/* Why a program that is missing should be there, so that the check has failed; NULL: nobody knows that it should. */
static const char *
why_expected(struct task *t, struct str program)
{
	const struct check_facts *f = &((const struct attempt *)t->own)->facts;
	struct err ignored;

	if (str_eq(program, f->last_program))
		return "it was there when the check last ran";
	struct str full = path_from(t->arena, str_from(t->spec.dir), program);
	struct str path = f->repository && str_find_char(program, '/') >= 0
				  ? path_relative(t->arena, f->repository->root, full)
				  : STR_NONE;

	if (path.n > 0 && git_has_file(t->arena, f->repository, path, f->base_branch, &ignored) == ANSWER_YES)
		return "git tracks it";
	return NULL;
}

static void
judge_missing(struct task *t, struct str program)
{
	const char *why = why_expected(t, program);

	if (why)
		set_outcome(t, OUTCOME_FAIL,
			    str_fmt(t->arena, "Missing command: " STR_FMT " (%s)", STR_ARG(program), why));
	else
		set_outcome(t, OUTCOME_ERROR,
			    str_fmt(t->arena, "Missing command: " STR_FMT, STR_ARG(program)));
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
		missing = check_missing_program(t->arena, t->command, str_from(t->spec.dir));
	if (missing.s)
		judge_missing(t, missing);
	else
		set_outcome(t, OUTCOME_FAIL, str_fmt(t->arena, "Exited with code %d", t->process.code));
}

/* The files that differ from the last commit, with their content. False: git can't say. */
static bool
look_at_files(struct task *t, struct change_list *ret)
{
	const struct check_facts *f = &((const struct attempt *)t->own)->facts;
	struct change_spec spec = { .mode = CHANGES_UNCOMMITTED, .log_dir = f->log_dir };
	struct err ignored;

	if (!f->repository)
		return false;
	git_forget_files(f->repository);
	return git_changes(t->arena, f->repository, &spec, ret, &ignored) == 0 &&
	       git_read_contents(t->arena, f->repository, ret, &ignored) == 0;
}

/* What differs between two sorted lists: files in one of them alone, or with another content. */
static struct str_list
differences(struct arena *a, const struct change_list *l, const struct change_list *r)
{
	struct str_list names = { arena_array(a, l->count + r->count, struct str), 0 };

	for (size_t i = 0, k = 0; i < l->count || k < r->count;) {
		int order = i == l->count ? 1 : k == r->count ? -1 : str_cmp(l->items[i], r->items[k]);

		if (order != 0)
			names.items[names.count++] = order < 0 ? l->items[i] : r->items[k];
		else if (!str_eq(l->files[i].mode, r->files[k].mode) ||
			 !str_eq(l->files[i].object, r->files[k].object))
			names.items[names.count++] = l->items[i];
		i += order <= 0;
		k += order >= 0;
	}
	return names;
}

/* Is there anything left to do before the outcome is known: other files, or another try after a failure? */
static bool
goes_on(struct task *t)
{
	struct attempt *now = t->own;
	struct str fix = t->job->check->fix_command;

	if (t->result.outcome == OUTCOME_PASS && now->to < now->files.count) {
		now->from = now->to;
		return true;
	}
	if (t->result.outcome != OUTCOME_FAIL)
		return false;
	now->failure = t->result.message;
	if (now->retries_left > 0 && !now->has_fixed) {
		now->retries_left--;
		now->has_retried = true;
		gatelog_printf(&t->log, STR_FMT "; running it again\n", STR_ARG(t->result.message));
	} else if (fix.s && !now->has_fixed) {
		now->is_fixing = true;
		now->knows_before = look_at_files(t, &now->before);
		gatelog_printf(&t->log, STR_FMT "; running its fix: " STR_FMT "\n",
			       STR_ARG(t->result.message), STR_ARG(fix));
	} else {
		return false;
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
		t->result.changed = differences(t->arena, &now->before, &after);
	if (t->result.changed.count > 0)
		gatelog_printf(&t->log, "Changed while the fix ran: " STR_FMT,
			       STR_ARG(str_list_join(t->arena, &t->result.changed, ", ")));
	gatelog_printf(&t->log, "The fix has ended (%s %d); running the check again\n",
		       t->process.end == PROC_EXITED ? "exit code" : "signal or time limit", t->process.code);
}

static void
note_how_it_passed(struct task *t)
{
	const struct attempt *now = t->own;

	if (t->result.outcome != OUTCOME_PASS)
		return;
	t->result.is_fixed = now->has_fixed;
	t->result.is_flaky = now->has_retried && !now->has_fixed;
	if (t->result.is_fixed)
		t->result.message = STR("Passed after its fix had run");
	else if (t->result.is_flaky)
		t->result.message = STR("Passed on a retry: it is flaky");
}

static void
judge(struct task *t)
{
	struct attempt *now = t->own;
	struct str fix = t->job->check->fix_instructions, killed = task_kill_message(t);
	bool is_failure = t->process.end == PROC_TIMED_OUT || is_crash(t->result.signal);

	if (now->is_fixing && !t->cannot_start && t->process.end != PROC_DEADLINE) {
		end_fix(t);
		t->is_again = true;
		return;
	}
	if (t->cannot_start)
		judge_unstarted(t);
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
	note_how_it_passed(t);
	if (t->result.outcome != OUTCOME_PASS)
		gatelog_printf(&t->log, "\nCommand failed: " STR_FMT, STR_ARG(t->command));
	gatelog_printf(&t->log, "Result: " STR_FMT " - " STR_FMT,
		       STR_ARG(gate_outcome_name(t->result.outcome)), STR_ARG(t->result.message));
	if (t->result.outcome != OUTCOME_PASS && fix.s)
		gatelog_printf(&t->log, "\n--- Fix Instructions ---\n" STR_FMT "\n", STR_ARG(fix));
	gatelog_close(&t->log);
}

/* The changed files that the gate is for and that are still there, as its directory sees them; where none is left, the
 * directory itself. */
static struct str_list
files_of(struct arena *a, const struct gates_config *c, const struct job *job,
	 const struct change_list *changes)
{
	struct plan_reach reach = plan_reach_of(a, job->entry_point);
	struct gate_patterns patterns = gate_patterns_of(a, &job->check->files);
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
		files.items[files.count++] = str_starts(path, STR("-"))
						     ? str_fmt(a, "./" STR_FMT, STR_ARG(path))
						     : path;
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
	const struct check_gate *check = job->check;
	struct attempt *own = arena_new(a, struct attempt);
	struct str base_branch = facts->base_branch;
	struct str command = facts->is_rerun && check->rerun_command.s ? check->rerun_command
								       : check->command;
	struct str dir = str_is(job->dir, ".") ? c->root : path_join(a, c->root, job->dir);

	if (str_starts(job->dir, STR("/")))
		dir = job->dir;
	*own = (struct attempt){ .facts = *facts, .retries_left = check->retries };
	if (c->is_native &&
	    (str_find(command, STR(FILES)) >= 0 || str_find(check->fix_command, STR(FILES)) >= 0))
		own->files = files_of(a, c, job, facts->changes);
	*ret = (struct task){
		.kind = &checks,
		.job = job,
		.arena = a,
		.own = own,
		.command = is_shell_safe(base_branch) ? replace_all(a, command, STR(BASE_BRANCH), base_branch) : command,
		.is_parallel = check->is_parallel,
		.fails_fast = check->fails_fast,
		.is_exclusive = check->is_exclusive,
		.needs = &check->needs,
		.log = { .fd = -1 },
		.result = gate_result_of(job),
		.spec = {
			.dir = str_copy(a, dir).s,
			.env = environment(a, base_branch),
			.unset = unset,
			.timeout_ms = check->timeout_ms,
			.grace_ms = GRACE_MS,
			.forgets_output = true,
		},
	};
	ret->result.program = check_program(ret->command);
}
