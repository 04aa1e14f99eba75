/* SPDX-License-Identifier: MIT */
/* ci list-jobs: the checks as jobs of a CI system. */
#include "base/escapes.h"
#include "cmd/gates/ci.h"
#include "cmd/gates/gates.h"
#include "ui/print.h"

static int
fail(struct arena *a, struct str why)
{
	print_err(str_fmt(a, "Error generating CI jobs: " STR_FMT "\n", STR_ARG(why)));
	return 1;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct gauntlet_config *config = arena_new(a, struct gauntlet_config);
	bool is_there;
	struct str root = gauntlet_root(a, &is_there), warning = STR_NONE, gitlab_warnings = STR_NONE;
	struct ci_config ci;
	struct ci_matrix matrix;
	struct err err;

	if (!root.s)
		return fail(a, STR("the current directory does not exist any more"));
	if (gauntlet_load(a, root, config, &warning, &err) < 0)
		return fail(a, is_there ? str_from(err.msg)
					: str_fmt(a, "%s; 'holdfast init --gates' writes one", err.msg));
	if (gauntlet_load_ci(a, root, &ci, &err) < 0)
		return fail(a, str_from(err.msg));
	ci_matrix(a,
		  &(struct ci_facts){
			  .config = config, .ci = &ci, .expand = ci_directories, .context = config },
		  &matrix);
	for (size_t i = 0; i < matrix.warnings.count; i++)
		print_err(str_fmt(a, "Warning: " STR_FMT "\n",
				  STR_ARG(strip_escapes_line(a, matrix.warnings.items[i]))));
	if (!option_has(inv, "gitlab"))
		return print_out(ci_github_jobs(a, &ci, &matrix));
	struct str pipeline = ci_gitlab_jobs(a, &ci, &matrix, &gitlab_warnings);

	print_err(gitlab_warnings);
	return print_out(pipeline);
}

static const struct option_row options[] = {
	{ .name = "gitlab", .help = "print a child pipeline for GitLab, as YAML" },
};

const struct command ci_list_jobs_command = {
	.name = "list-jobs",
	.summary = "list the checks as jobs for a CI system",
	.details = "Lists one job for each check of .gauntlet/ci.yml in each entry point that has "
		   "it, regardless of changes. For GitHub Actions, prints one line of JSON with the "
		   "matrix, the services and the runtimes. The workflow written by 'ci init' calls "
		   "this command.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
