/* SPDX-License-Identifier: MIT */
/* Runs git. Owns how it is called, which settings and variables it must not see, and that several jobs run in parallel.
 * Never judges an answer and never uses a shell. */
#include "git/git_spawn.h"

#include "os/fs.h"

#include <assert.h>

#define GRACE_MS 500
#define STDERR_LIMIT_BYTES KIB(16)

/* Overrides settings of the user or of a calling program that would change the answers, or that would make git run another
 * program, such as a hook or a file system monitor. */
static const char *const settings[] = {
	"core.quotepath=off",       "color.ui=false",
	"core.fsmonitor=false",     "core.hooksPath=/dev/null",
	"core.safecrlf=false",      "core.splitIndex=false",
	"core.fsync=none",          "diff.ignoreSubmodules=untracked",
	"diff.orderFile=/dev/null", "diff.suppressBlankEmpty=false",
	"core.trustctime=true",     "core.checkStat=default",
};

/* Variables that a calling git has set for its own repository. Those that name configuration files stay: the files may list
 * safe directories. */
static const char *const unset[] = {
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INDEX_VERSION",
	"GIT_COMMON_DIR",
	"GIT_PREFIX",
	"GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_QUARANTINE_PATH",
	"GIT_SHALLOW_FILE",
	"GIT_GRAFT_FILE",
	"GIT_REPLACE_REF_BASE",
	"GIT_CONFIG",
	"GIT_CONFIG_PARAMETERS",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_ATTR_SOURCE",
	"GIT_EXTERNAL_DIFF",
	"GIT_DIFF_OPTS",
	"GIT_LITERAL_PATHSPECS",
	"GIT_GLOB_PATHSPECS",
	"GIT_NOGLOB_PATHSPECS",
	"GIT_ICASE_PATHSPECS",
	"GIT_FLUSH",
	"GIT_TRACE",
	NULL,
};

#define IDENTITY "holdfast"
#define ADDRESS "holdfast@localhost"
#define WHEN "2000-01-01T00:00:00+0000"
static const char *const environment[] = {
	"LC_ALL=C",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_AUTHOR_NAME=" IDENTITY,
	"GIT_AUTHOR_EMAIL=" ADDRESS,
	"GIT_AUTHOR_DATE=" WHEN,
	"GIT_COMMITTER_NAME=" IDENTITY,
	"GIT_COMMITTER_EMAIL=" ADDRESS,
	"GIT_COMMITTER_DATE=" WHEN,
};

static size_t
arg_count(const struct git_job *job)
{
	size_t n = 0;

	while (job->args[n])
		n++;
	return n;
}

void
git_arg(struct git_job *job, const char *arg)
{
	size_t n = arg_count(job);

	assert(n < GIT_ARGS_MAX);
	job->args[n] = arg;
}

void
git_args(struct git_job *job, const char *const *args)
{
	for (; *args; args++)
		git_arg(job, *args);
}

bool
git_is_commit_name(struct str name)
{
	if (name.n == 0 || name.s[0] == '-' || str_find(name, STR("..")) >= 0)
		return false;
	return str_find_char(name, '\0') < 0 && str_find_char(name, '\n') < 0;
}

struct str
git_path(struct str answer)
{
	return str_sub(answer, 0, answer.n - (answer.n > 0));
}

struct str
git_line(struct arena *a, const struct git_job *job)
{
	struct str rest = buf_str(&job->out), line;

	return str_next(&rest, '\n', &line) ? str_copy(a, line) : STR("");
}

int
git_run_good(struct arena *a, const struct repository *r, struct git_job *jobs, size_t count, struct err *err)
{
	if (git_run(a, r, jobs, count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (jobs[i].code != 0 && !jobs[i].out.is_cut)
			return git_error(&jobs[i], err);
	return 0;
}

int
git_error(const struct git_job *job, struct err *err)
{
	struct str rest = buf_str(&job->stderr_text), text = STR(""), line;

	/* The line with the cause; hints and warnings may come before it and after it. */
	for (bool is_found = false; !is_found && str_next(&rest, '\n', &line);) {
		is_found = str_skip(&line, "fatal: ") || str_skip(&line, "error: ");
		if (is_found || line.n > 0)
			text = line;
	}
	struct str missing = text;
	/* From the first quote to the last, quotes included. */
	ptrdiff_t quote = str_find_char(text, '\''), last_quote = str_find_last(text, '\'');

	/* A file .git that names a missing directory, as in a container with a worktree but not its repository. */
	if (str_skip(&missing, "not a git repository: "))
		return err_set(
			err, ERR_VALUE,
			"not a git repository here: .git names '" STR_FMT
			"', which does not exist; the worktree or submodule needs its repository under "
			"that path",
			STR_ARG(missing));
	if (str_starts(text, STR("not a git repository")))
		return err_set(
			err, ERR_VALUE,
			"not a git repository, so the changes can't be determined; 'git init' creates one");
	if (last_quote > quote && (str_starts(text, STR("detected dubious ownership")) ||
				   str_starts(text, STR("unsafe repository"))))
		return err_set(err, ERR_VALUE,
			       "git refuses a repository of another user; \"git config --global --add "
			       "safe.directory " STR_FMT "\" allows it",
			       STR_ARG(str_sub(text, (size_t)quote, (size_t)last_quote + 1)));
	if (str_starts(text, STR("this operation must be run in a work tree")))
		return err_set(
			err, ERR_VALUE,
			"git treats this repository as bare; 'git config core.bare false' changes that");
	if (text.n == 0)
		return err_set(err, ERR_VALUE, "git %s: exit code %d", job->args[0], job->code);
	/* All our options exist in newer versions of git. */
	bool is_too_old = str_starts(text, STR("unrecognized argument: -")) ||
			  str_starts(text, STR("unknown option")) || str_starts(text, STR("invalid option"));

	return err_set(err, ERR_VALUE, "git %s: " STR_FMT "%s", job->args[0], STR_ARG(text),
		       is_too_old ? "; git 2.34 or newer is required" : "");
}

enum git_answer
git_unknown(const struct git_job *job, struct err *err)
{
	(void)git_error(job, err);
	return ANSWER_UNKNOWN;
}

static void
take_output(void *owner, int stream, struct str bytes)
{
	struct git_job *job = owner;

	buf_add(stream == 1 ? &job->out : &job->stderr_text, bytes);
}

static const char *const *
make_argv(struct arena *a, const struct git_job *job)
{
	size_t count = arg_count(job), n = 0;
	const char **argv = arena_array(
		a, 1 + 2 * (COUNT_OF(settings) + 1 + job->settings.count) + count + job->paths.count + 1,
		const char *);

	argv[n++] = "git";
	for (size_t i = 0; i < COUNT_OF(settings); i++) {
		argv[n++] = "-c";
		argv[n++] = settings[i];
	}
	/* If only the times of files have changed, diff writes the index, even without optional locks. It may do so to
	 * our copy; with the repository's index, it lists such files instead. */
	argv[n++] = "-c";
	argv[n++] = job->index ? "diff.autoRefreshIndex=true" : "diff.autoRefreshIndex=false";
	for (size_t i = 0; i < job->settings.count; i++) {
		argv[n++] = "-c";
		argv[n++] = job->settings.items[i].s;
	}
	for (size_t i = 0; i < count; i++)
		argv[n++] = job->args[i];
	for (size_t i = 0; i < job->paths.count; i++)
		argv[n++] = job->paths.items[i].s;
	return argv;
}

static int
start(struct arena *a, const struct repository *r, struct git_job *job, struct procset *set, struct err *err)
{
	const char **env = arena_array(a, COUNT_OF(environment) + 4, const char *), *dir;
	size_t n = COUNT_OF(environment);

	if (str_cz(a, r->root, &dir, err) < 0)
		return -1;
	memcpy(env, environment, sizeof(environment));
	env[n++] = job->writes_index ? "GIT_OPTIONAL_LOCKS=1" : "GIT_OPTIONAL_LOCKS=0";
	if (job->index)
		env[n++] = str_cat(a, "GIT_INDEX_FILE=", job->index).s;
	if (job->objects)
		env[n++] = str_cat(a, "GIT_OBJECT_DIRECTORY=", job->objects).s;
	job->out = BUF(a, job->limit ? job->limit : GIT_OUTPUT_LIMIT_BYTES);
	job->stderr_text = BUF(a, STDERR_LIMIT_BYTES);
	struct proc_spec spec = {
		.argv = make_argv(a, job),
		.dir = dir,
		.env = env,
		.unset = unset,
		.outside = git_own_dirs(a, r->root),
		.deadline_ms = r->deadline_ms,
		.grace_ms = GRACE_MS,
		.input = job->input,
		.output = take_output,
		.owner = job,
		.forgets_output = true,
		.is_brief = true,
	};

	return procset_start(set, &spec, err);
}

static int
judge(struct git_job *job, struct err *err)
{
	const struct proc_result *result = &job->end;

	job->code = result->end == PROC_EXITED ? result->code : -1;
	if (job->out.is_cut)
		return job->may_be_cut ? 0
				       : err_set(err, ERR_LIMIT, "git %s: more than %zu bytes of output",
						 job->args[0], job->out.limit);
	switch (result->end) {
	case PROC_EXITED:
		return 0;
	case PROC_SIGNALED:
		return err_set(err, ERR_SYS, "git %s: killed by signal %d", job->args[0], result->code);
	case PROC_LOST:
		return err_set(err, ERR_SYS, "git %s: its output could not be read", job->args[0]);
	case PROC_TIMED_OUT:
	case PROC_DEADLINE:
		break;
	}
	return err_set(err, ERR_LIMIT, "git %s: no answer within the time limit", job->args[0]);
}

int
git_run(struct arena *a, const struct repository *r, struct git_job *jobs, size_t count, struct err *err)
{
	struct procset set;
	struct proc_result end;
	int result = 0;

	procset_init(&set, a, count);
	for (size_t i = 0; result == 0 && i < count; i++)
		result = start(a, r, &jobs[i], &set, err);
	if (result < 0)
		procset_stop(&set, NULL, 0);
	while (set.count > 0) {
		procset_wait(&set, INT64_MAX);
		for (size_t i = 0; i < count; i++)
			if (jobs[i].out.is_cut)
				procset_stop(&set, &jobs[i], GRACE_MS);
		while (procset_take(&set, &end))
			((struct git_job *)end.owner)->end = end;
	}
	for (size_t i = 0; result == 0 && i < count; i++)
		result = judge(&jobs[i], err);
	return result;
}

int
git_filters_optional(struct arena *a, const struct repository *r, struct str_list *ret, struct err *err)
{
	struct git_job job = { .args = { "config", "-z", "--name-only", "--get-regexp",
					 "^filter\\..*\\.required$" } };
	struct str_list list = { 0 };
	struct str rest, key;

	/* Exit code 1: there are none. */
	if (git_run(a, r, &job, 1, err) < 0)
		return -1;
	for (rest = buf_str(&job.out); str_next(&rest, '\0', &key);)
		if (str_find_char(key, '=') < 0) /* else -c can't express it */
			*arena_push(a, list.items, list.count) = str_cat(a, key, "=false");
	*ret = list;
	return 0;
}

void
git_forget_files(const struct repository *r)
{
	if (r->known)
		r->known->status = r->known->untracked = STR_NONE;
}

struct str
git_answer_path(struct arena *a, const struct repository *r, struct str answer)
{
	return path_from(a, r->root, git_path(answer));
}

int
git_index_copy(struct tempdir *dir, struct arena *a, struct str path, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str content;
	const char *from;

	if (str_cz(a, path, &from, err) < 0)
		return -1;
	int64_t written_at = fs_written_at(from);

	if (fs_read(&scratch, from, GIT_INDEX_LIMIT_BYTES, &content, err) < 0 ||
	    tempdir_make(dir, a, "index", err) < 0)
		return -1;
	if (!content.s)
		return 0;
	/* Git reads a file again if it may have been changed in the second in which the index was written. With a
	 * newer index it would miss a change that leaves the size as it was. */
	if (fs_create(dir->file, content, 0600, err) < 0)
		return -1;
	return fs_set_written_at(dir->file, written_at, err);
}
