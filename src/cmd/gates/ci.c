/* SPDX-License-Identifier: MIT */
/* ci list-jobs: the checks as jobs of a CI system; and what the CI commands share. */
#include "cmd/gates/ci.h"

#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "base/pathglob.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "os/fs.h"
#include "ui/print.h"

#define DIRECTORIES_MAX 10000
#define SCRIPT_LIMIT_BYTES MIB(1)

struct walk {
	struct arena *arena;
	const struct gates_config *config;
	struct str pattern;
	int depth; /* how deep a match can be */
	struct str_list found;
};

static void
walk_into(struct walk *w, struct str below, int depth)
{
	struct str dir = below.n > 0 ? path_join(w->arena, w->config->root, below) : w->config->root;
	struct fs_names names;
	struct err err;

	if (depth == 0 || fs_list(w->arena, str_copy(w->arena, dir).s, FS_NO_LIMIT, &names, &err) < 0)
		return; /* nothing can run in a directory that can't be read */
	for (size_t i = 0; i < names.count && w->found.count < DIRECTORIES_MAX; i++) {
		struct str path = path_join(w->arena, below, names.items[i]);

		if (str_is(path, ".git") || str_is(path, ".gauntlet") || str_is(path, ".validator") ||
		    str_eq(path, w->config->log_dir) ||
		    fs_lkind(path_join(w->arena, w->config->root, path).s) != FS_DIR)
			continue;
		if (pathglob_match(w->pattern, path))
			w->found.items[w->found.count++] = path;
		walk_into(w, path, depth - 1);
	}
}

/* The sorted directories that a pattern with a star at its end matches, without those of git and of the gates. For struct
 * ci_facts, whose context is the configuration. */
static struct str_list
ci_directories(const void *config, struct arena *a, struct str pattern)
{
	struct walk w = { .arena = a, .config = config, .pattern = pattern, .depth = 1 };

	for (size_t i = 0; i < pattern.n; i++)
		w.depth += pattern.s[i] == '/';
	w.found.items = arena_array(a, DIRECTORIES_MAX, struct str);
	walk_into(&w, STR(""), w.depth);
	return w.found;
}

struct str
ci_in_quotes(struct arena *a, struct str text)
{
	struct buf b = BUF(a, SCRIPT_LIMIT_BYTES);

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (c == '"' || c == '\\' || c == '$' || c == '`')
			buf_addc(&b, '\\');
		buf_addc(&b, c);
	}
	return buf_str(&b);
}

struct str
ci_step_script(struct arena *a, const struct ci_step *step)
{
	if (!step->working_directory.s)
		return step->run;
	struct str dir = ci_in_quotes(a, step->working_directory), run = str_trim(step->run);

	/* A comment would swallow the bracket, and of several lines only the first hangs on the directory. */
	if (str_find_char(run, '\n') >= 0 || str_find_char(run, '#') >= 0)
		return str_fmt(a, "(cd \"" STR_FMT "\" || exit 1\n" STR_FMT "\n)", STR_ARG(dir),
			       STR_ARG(run));
	return str_fmt(a, "(cd \"" STR_FMT "\" && " STR_FMT ")", STR_ARG(dir), STR_ARG(run));
}

static int
fail(struct arena *a, const struct invocation *inv, struct str why)
{
	if (!is_agent_gauntlet(invocation_program(inv)))
		return command_fail(inv, STR_FMT, STR_ARG(why));
	print_err(str_fmt(a, "Error generating CI jobs: " STR_FMT "\n", STR_ARG(why)));
	return 1;
}

static int
list_jobs(struct arena *a, const struct invocation *inv)
{
	struct gates_config *config = arena_new(a, struct gates_config);
	bool is_there;
	struct str root = gauntlet_root(a, &is_there), warning = STR_NONE, gitlab_warnings = STR_NONE;
	struct ci_config ci;
	struct ci_matrix matrix;
	struct err err;

	if (!root.s)
		return fail(a, inv, STR("the current directory no longer exists"));
	if (gates_are_native(root))
		return fail(a, inv, STR(CI_NOT_NATIVE));
	if (gauntlet_load(a, root, config, &warning, &err) < 0)
		return fail(a, inv,
			    is_there ? str_from(err.msg)
				     : str_fmt(a,
					       "%s; in a project with holdfast.yml, let the CI job call "
					       "'holdfast run'",
					       err.msg));
	if (gauntlet_load_ci(a, root, &ci, &err) < 0)
		return fail(a, inv, str_from(err.msg));
	ci_matrix(a,
		  &(struct ci_facts){
			  .config = config, .ci = &ci, .expand = ci_directories, .context = config },
		  &matrix);
	for (size_t i = 0; i < matrix.warnings.count; i++)
		gauntlet_warn(a, invocation_program(inv), strip_escapes_line(a, matrix.warnings.items[i]));
	if (!option_has(inv, "gitlab"))
		return print_out(ci_github_jobs(a, &ci, &matrix));
	struct str pipeline = ci_gitlab_jobs(a, &ci, &matrix, &gitlab_warnings);

	print_err(gitlab_warnings);
	return print_out(pipeline);
}

static const struct option_row list_jobs_options[] = {
	{ .name = "gitlab", .help = "print a child pipeline for GitLab, as YAML" },
};

static const struct command ci_list_jobs_command = {
	.name = "list-jobs",
	.summary = "list the checks as jobs for a CI system",
	.details = "Lists one job for each check of .gauntlet/ci.yml in each entry point that has "
		   "it, regardless of changes. For GitHub Actions, prints one line of JSON with the "
		   "matrix, the services and the runtimes. The workflow written by 'ci init' calls "
		   "this command.",
	.options = list_jobs_options,
	.option_count = COUNT_OF(list_jobs_options),
	.run = list_jobs,
};

static const struct command *const subs[] = { &ci_init_command, &ci_list_jobs_command };

const struct command ci_command = {
	.name = "ci",
	.summary = "run the checks in a CI system",
	.details = "Supports GitHub Actions, and GitLab with --gitlab. .gauntlet/ci.yml lists the "
		   "checks to run and what they need.",
	.subs = subs,
	.sub_count = COUNT_OF(subs),
};
