/* SPDX-License-Identifier: MIT */
/* Running git: owns how it is called, which settings and variables it must not see, and that several of them run
 * side by side. It never judges an answer and never goes through a shell. */
#include "git/git_spawn.h"

#include <assert.h>

#define GRACE_MS 500
#define STDERR_LIMIT_BYTES KIB(16)

/* What a user or a surrounding program may have set, and what would change the answers. No setting here makes git run
 * anything: neither hooks nor monitors, and there is no terminal to ask at. */
static const char *const settings[] = {
	"core.quotepath=off",       "color.ui=false",
	"core.fsmonitor=false",     "core.hooksPath=/dev/null",
	"core.safecrlf=false",      "core.splitIndex=false",
	"core.fsync=none",          "diff.ignoreSubmodules=untracked",
	"diff.orderFile=/dev/null", "diff.suppressBlankEmpty=false",
};

/* Where a surrounding git looks is not where we look. Which configuration files there are stays the user's say: in
 * them may be that a directory is safe. */
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
	"GIT_NO_REPLACE_OBJECTS",
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
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_AUTHOR_NAME=" IDENTITY,
	"GIT_AUTHOR_EMAIL=" ADDRESS,
	"GIT_AUTHOR_DATE=" WHEN,
	"GIT_COMMITTER_NAME=" IDENTITY,
	"GIT_COMMITTER_EMAIL=" ADDRESS,
	"GIT_COMMITTER_DATE=" WHEN,
};

void
git_arg(struct git_job *job, const char *word)
{
	assert(job->count < GIT_ARGS_MAX);
	job->args[job->count++] = word;
}

void
git_args(struct git_job *job, const char *const *words)
{
	for (; *words; words++)
		git_arg(job, *words);
}

bool
git_is_commit_name(struct str name)
{
	if (name.n == 0 || name.s[0] == '-' || str_find(name, STR("..")) >= 0)
		return false;
	return str_find_char(name, '\0') < 0 && str_find_char(name, '\n') < 0;
}

struct str
git_line(struct arena *a, const struct git_job *job)
{
	struct str rest = buf_str(&job->out), line;

	return str_next(&rest, '\n', &line) ? str_copy(a, line) : STR("");
}

int
git_run_one(struct arena *a, const struct repository *r, struct git_job *job, struct err *err)
{
	if (git_run(a, r, job, 1, err) < 0)
		return -1;
	return job->code == 0 ? 0 : git_error(job, err);
}

/* The line that says why; hints and warnings may come before it and after it. */
static struct str
line_that_tells(struct str said)
{
	struct str line, told = STR("");

	while (str_next(&said, '\n', &line)) {
		if (str_starts(line, STR("fatal: ")) || str_starts(line, STR("error: ")))
			return str_sub(line, STR("fatal: ").n, line.n);
		if (line.n > 0)
			told = line;
	}
	return told;
}

/* What is between the first quote and the last, with them; absent: there are none. */
static struct str
quoted_in(struct str text)
{
	ptrdiff_t from = str_find_char(text, '\'');
	size_t to = text.n;

	while (to > 0 && text.s[to - 1] != '\'')
		to--;
	return from >= 0 && to > (size_t)from + 1 ? str_sub(text, (size_t)from, to) : STR_NONE;
}

/* Ours are all options of git's; one that is strange to it is newer than it is. */
static bool
is_too_old(struct str told)
{
	return str_starts(told, STR("unrecognized argument: -")) || str_starts(told, STR("unknown option")) ||
	       str_starts(told, STR("invalid option"));
}

int
git_error(const struct git_job *job, struct err *err)
{
	struct str told = line_that_tells(buf_str(&job->stderr_text)),
		   missing = STR("not a git repository: "), quoted = quoted_in(told);

	/* A file .git that leads nowhere, as in a container that has a worktree without its repository. */
	if (str_starts(told, missing))
		return err_set(err, ERR_VALUE,
			       "not a git repository here: .git names '" STR_FMT
			       "', and there is none; it must be there, under the same path, as where the "
			       "worktree or submodule was made",
			       STR_ARG(str_sub(told, missing.n, told.n)));
	if (str_starts(told, STR("not a git repository")))
		return err_set(
			err, ERR_VALUE,
			"not a git repository, and without one nobody can tell what has changed; 'git init' "
			"makes one");
	if (quoted.s && (str_starts(told, STR("detected dubious ownership")) ||
			 str_starts(told, STR("unsafe repository"))))
		return err_set(err, ERR_VALUE,
			       "git does not use a repository of another user; \"git config --global --add "
			       "safe.directory " STR_FMT "\" lets it",
			       STR_ARG(quoted));
	if (str_starts(told, STR("this operation must be run in a work tree")))
		return err_set(err, ERR_VALUE,
			       "git takes this for a repository without files; 'git config core.bare false' "
			       "says that it has some");
	if (told.n == 0)
		return err_set(err, ERR_VALUE, "git %s: exit code %d", job->args[0], job->code);
	return err_set(err, ERR_VALUE, "git %s: " STR_FMT "%s", job->args[0], STR_ARG(told),
		       is_too_old(told) ? "; it takes git 2.34 or newer" : "");
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
	const char **argv = arena_array(
		a, 1 + 2 * (COUNT_OF(settings) + 1 + job->settings.count) + job->count + 1, const char *);
	size_t n = 0;

	argv[n++] = "git";
	for (size_t i = 0; i < COUNT_OF(settings); i++) {
		argv[n++] = "-c";
		argv[n++] = settings[i];
	}
	/* Diff writes the index when it has found files of which only the time changed, whatever it was told about
	 * locks. That is for an index of ours alone; with the repository's, such files are listed instead. */
	argv[n++] = "-c";
	argv[n++] = job->index ? "diff.autoRefreshIndex=true" : "diff.autoRefreshIndex=false";
	for (size_t i = 0; i < job->settings.count; i++) {
		argv[n++] = "-c";
		argv[n++] = job->settings.items[i].s;
	}
	for (size_t i = 0; i < job->count; i++)
		argv[n++] = job->args[i];
	return argv;
}

static const char *const *
make_env(struct arena *a, const struct git_job *job)
{
	const char **env = arena_array(a, COUNT_OF(environment) + 2, const char *);

	for (size_t i = 0; i < COUNT_OF(environment); i++)
		env[i] = environment[i];
	if (job->index)
		env[COUNT_OF(environment)] = str_fmt(a, "GIT_INDEX_FILE=%s", job->index).s;
	return env;
}

static int
start(struct arena *a, const struct repository *r, struct git_job *job, struct procset *set, struct err *err)
{
	const char *dir;

	if (str_cz(a, r->root, &dir, err) < 0)
		return -1;
	job->out = BUF(a, job->limit ? job->limit : GIT_OUTPUT_LIMIT_BYTES);
	job->stderr_text = BUF(a, STDERR_LIMIT_BYTES);
	struct proc_spec spec = {
		.argv = make_argv(a, job),
		.dir = dir,
		.env = make_env(a, job),
		.unset = unset,
		.deadline_ms = r->deadline_ms,
		.grace_ms = GRACE_MS,
		.input = job->input,
		.output = take_output,
		.owner = job,
		.forgets_output = true,
	};

	return procset_start(set, &spec, err);
}

/* One whose output is full is ended: nobody reads the rest. */
static void
stop_full(struct procset *set, const struct git_job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (jobs[i].out.is_cut)
			procset_stop(set, &jobs[i], GRACE_MS);
}

static int
judge(struct git_job *job, struct err *err)
{
	const struct proc_result *result = &job->end;

	job->code = result->end == PROC_EXITED ? result->code : -1;
	if (job->out.is_cut)
		return job->may_be_cut ? 0
				       : err_set(err, ERR_LIMIT, "git %s: more than %zu bytes of answer",
						 job->args[0], job->out.limit);
	switch (result->end) {
	case PROC_EXITED:
		return 0;
	case PROC_SIGNALED:
		return err_set(err, ERR_SYS, "git %s: killed by signal %d", job->args[0], result->code);
	case PROC_LOST:
		return err_set(err, ERR_SYS, "git %s: the answer could not be read", job->args[0]);
	case PROC_TIMED_OUT:
	case PROC_DEADLINE:
		break;
	}
	return err_set(err, ERR_LIMIT, "git %s: no answer in the time there was", job->args[0]);
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
		stop_full(&set, jobs, count);
		while (procset_take(&set, &end))
			((struct git_job *)end.owner)->end = end;
	}
	for (size_t i = 0; result == 0 && i < count; i++)
		result = judge(&jobs[i], err);
	return result;
}
