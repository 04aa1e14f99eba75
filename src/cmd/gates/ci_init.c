/* SPDX-License-Identifier: MIT */
/* ci init: writes a starter ci.yml where there is none, and the CI system's file that requests the jobs. */
#include "base/buf.h"
#include "base/path.h"
#include "cmd/gates/ci.h"
#include "cmd/ci_templates.h"
#include "cmd/gates/gates.h"
#include "os/fs.h"
#include "ui/print.h"

#define CI_FILE ".gauntlet/ci.yml"
#define GITHUB_FILE ".github/workflows/gauntlet.yml"
#define GITLAB_FILE ".gitlab/gauntlet.yml"
#define GITLAB_MAIN_FILE ".gitlab-ci.yml"

/* ci.yml is the user's file: an existing one is kept. */
static int
make_starter(struct arena *a, struct str root, struct buf *out, struct err *err)
{
	struct str path = path_join(a, root, STR(CI_FILE));

	if (fs_lkind(path.s) != FS_NOTHING) {
		buf_add(out, STR("Found existing " CI_FILE "\n"));
		return 0;
	}
	buf_add(out, STR("Creating starter " CI_FILE "...\n"));
	if (fs_make_parents(a, path, 0755, err) < 0)
		return -1;
	return fs_create(path.s, STR(CI_STARTER), 0644, err);
}

/* Replaces a generated file, and reports if its content was different. */
static int
generate(struct arena *a, struct str root, struct str name, struct str text, struct buf *out, struct err *err)
{
	struct str path = path_join(a, root, name), old;

	buf_addf(out, "Generating " STR_FMT "...\n", STR_ARG(path));
	if (fs_make_parents(a, path, 0755, err) < 0 ||
	    fs_read(a, path.s, CONFIG_LIMIT_BYTES, &old, err) < 0 ||
	    fs_replace(a, path.s, text, 0644, err) < 0)
		return -1;
	if (old.s && !str_eq(old, text))
		buf_add(out, STR("Its previous content was replaced: the file is generated from " CI_FILE
				 " each time.\n"));
	return 0;
}

/* The branch that pull requests target, without the name of the remote. */
static struct str
main_branch(struct arena *a, struct str root)
{
	struct gates_config c;
	struct str warning;
	struct err err;

	if (gauntlet_load(a, root, &c, &warning, &err) < 0)
		return STR("main");
	return str_starts(c.base_branch, STR("origin/")) ? str_sub(c.base_branch, 7, c.base_branch.n)
							 : c.base_branch;
}

static int
init_github(struct arena *a, struct str root, struct buf *out, struct err *err)
{
	struct ci_config ci = { 0 };
	struct err why;

	if (gauntlet_load_ci(a, root, &ci, &why) < 0)
		print_err(
			str_fmt(a,
				"Could not load CI config to inject services. Workflow will have no services "
				"defined.\n%s\n",
				why.msg));
	if (generate(a, root, STR(GITHUB_FILE), ci_github_workflow(a, main_branch(a, root), ci.services), out,
		     err) < 0)
		return -1;
	buf_add(out, STR("Successfully generated GitHub Actions workflow!\n"
			 "\n"
			 "It builds holdfast from source: set the repository variable HOLDFAST_TARBALL to "
			 "the address\n"
			 "of a release's source archive (.tar.gz).\n"));
	return 0;
}

static int
init_gitlab(struct arena *a, struct str root, struct buf *out, struct err *err)
{
	struct ci_config ci;
	struct err why;
	struct str main_text = STR_NONE;

	if (gauntlet_load_ci(a, root, &ci, &why) < 0)
		print_err(str_fmt(a,
				  "Could not load CI config. The pipeline will fail until it is fixed.\n%s\n",
				  why.msg));
	if (generate(a, root, STR(GITLAB_FILE), STR(GITLAB_PIPELINE), out, err) < 0)
		return -1;
	buf_add(out, STR("Successfully generated GitLab pipeline!\n\n"));
	bool is_read = fs_read(a, path_join(a, root, STR(GITLAB_MAIN_FILE)).s, CONFIG_LIMIT_BYTES, &main_text,
			       &why) == 0;

	if (is_read && main_text.s && str_find(main_text, STR(GITLAB_FILE)) >= 0)
		buf_add(out, STR(GITLAB_MAIN_FILE " already includes it.\n"));
	else
		buf_add(out, STR("Include it in " GITLAB_MAIN_FILE ":\n"
				 "\n"
				 "include:\n"
				 "  - local: " GITLAB_FILE "\n"
				 "\n"));
	buf_add(out,
		STR("It builds holdfast from source: set the CI/CD variable HOLDFAST_TARBALL to the address\n"
		    "of a release's source archive (.tar.gz).\n"));
	return 0;
}

/* Reports what is missing: a pipeline without jobs would look as if it passed. */
static void
add_missing(struct arena *a, struct str root, bool is_there, struct buf *out)
{
	struct ci_config ci = { 0 };
	struct err ignored;

	if (!is_there)
		buf_add(out,
			STR("\nThere is no .gauntlet/config.yml yet, and no job runs without one. With a "
			    "holdfast.yml, let the CI job\ncall 'holdfast run' instead.\n"));
	else if (gauntlet_load_ci(a, root, &ci, &ignored) == 0 && ci.check_count == 0)
		buf_add(out, STR("\nNo check runs in CI yet: name them under 'checks' in " CI_FILE ".\n"));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);
	struct buf out = BUF(a, MIB(1));
	struct err err;

	if (!root.s)
		return gauntlet_fail(invocation_program(inv), "the current directory no longer exists");
	if (gates_are_native(root))
		return gauntlet_fail(invocation_program(inv), CI_NOT_NATIVE);
	int result = make_starter(a, root, &out, &err);

	if (result == 0)
		result = option_has(inv, "gitlab") ? init_gitlab(a, root, &out, &err)
						   : init_github(a, root, &out, &err);
	if (result == 0)
		add_missing(a, root, is_there, &out);
	int printed = print_out(buf_str(&out));

	return result < 0 ? gauntlet_fail(invocation_program(inv), "%s", err.msg) : printed;
}

static const struct option_row options[] = {
	{ .name = "gitlab", .help = "write a GitLab pipeline instead of a GitHub Actions workflow" },
};

const struct command ci_init_command = {
	.name = "init",
	.summary = "set up the CI workflow and its configuration",
	.details = "Writes a starter .gauntlet/ci.yml, unless it exists, and "
		   ".github/workflows/gauntlet.yml, which is replaced each time. With --gitlab, "
		   "writes .gitlab/gauntlet.yml and explains how to include it.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
