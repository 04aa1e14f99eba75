/* SPDX-License-Identifier: MIT */
/* ci list-jobs: the checks as jobs of a CI system. ci init: writes a starter ci.yml where there is none, and the CI system's file that
 * requests the jobs. */
#include "base/pathglob.h"
#include "cmd/ci_templates.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "gates/ci_matrix.h"
#include "os/fs.h"
#include "ui/print.h"

#define DIRECTORIES_MAX 10000

#define CI_NOT_NATIVE \
	"'ci' is for .gauntlet, and this project has holdfast.yml: let the CI job call 'holdfast run'"
#define CI_FILE ".gauntlet/ci.yml"
#define GITHUB_FILE ".github/workflows/gauntlet.yml"
#define GITLAB_FILE ".gitlab/gauntlet.yml"
#define GITLAB_MAIN_FILE ".gitlab-ci.yml"
#define BUILT_FROM(variable)                                                                     \
	"It builds holdfast from source: set the " variable " HOLDFAST_TARBALL to the address\n" \
	"of a release's source archive (.tar.gz).\n"

/* ---- ci list-jobs ---- */

struct walk {
	struct arena *arena;
	const struct gates_config *config;
	struct str pattern;
	struct str_list found;
};

static void
walk_into(struct walk *w, struct str below, size_t depth)
{
	struct str dir = below.n > 0 ? path_join(w->arena, w->config->root, below) : w->config->root;
	struct str_list names;

	if (depth == 0 || fs_list(w->arena, str_copy(w->arena, dir).s, FS_NO_LIMIT, &names, IGNORED) < 0)
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
	struct walk w = { .arena = a, .config = config, .pattern = pattern };

	w.found.items = arena_array(a, DIRECTORIES_MAX, struct str);
	walk_into(&w, STR(""), str_count(pattern, '/') + 1);
	return w.found;
}

static int
list_jobs(struct arena *a, const struct invocation *inv)
{
	struct gates_config *config = arena_new(a, struct gates_config);
	bool is_there;
	struct str root = find_gates_root(a, &is_there), warning = STR_NONE, why = STR_NONE;
	struct ci_config ci;
	struct ci_matrix matrix;
	struct err err;

	if (!root.s)
		why = STR("the current directory no longer exists");
	else if (!gates_dialect(root)->ci)
		why = STR(CI_NOT_NATIVE);
	else if (gates_load(a, root, config, &warning, &err) < 0)
		why = str_cat(
			a, err.msg,
			is_there ? ""
				 : "; in a project with holdfast.yml, let the CI job call 'holdfast run'");
	else if (gauntlet_load_ci(a, root, &ci, &err) < 0)
		why = str_from(err.msg);
	if (why.s && !is_agent_gauntlet(inv))
		return command_error(inv, why);
	if (why.s) {
		print_err_cat("Error generating CI jobs: ", why, "\n");
		return 1;
	}
	ci_matrix(a,
		  &(struct ci_facts){
			  .config = config, .ci = &ci, .expand = ci_directories, .context = config },
		  &matrix);
	for (size_t i = 0; i < matrix.warnings.count; i++)
		gates_warn(inv, strip_escapes_line(a, matrix.warnings.items[i]));
	if (!option_has(inv, "gitlab"))
		return print_out(ci_github_jobs(a, &ci, &matrix));
	struct str pipeline = ci_gitlab_jobs(a, &ci, &matrix, &warning);

	print_err(warning);
	return print_out(pipeline);
}

static const struct command ci_list_jobs_command = {
	.name = "list-jobs",
	.summary = "list the checks as jobs for a CI system",
	.details = "Lists one job for each check of .gauntlet/ci.yml in each entry point that has it, "
		   "regardless of changes. For GitHub Actions, prints one line of JSON with the matrix, the "
		   "services and the runtimes. The workflow written by 'ci init' calls this command.",
	TAKES(FLAG("gitlab", "print a child pipeline for GitLab, as YAML")),
	.run = list_jobs,
};

/* ---- ci init ---- */

/* Replaces a generated file, and reports if its content was different. */
static int
generate(struct arena *a, struct str root, struct str name, struct str text, struct buf *out, struct err *err)
{
	struct str path = path_join(a, root, name), old;

	buf_cat(out, "Generating ", path, "...\n");
	if (fs_make_parents(a, path, 0755, err) < 0 ||
	    fs_read(a, path.s, CONFIG_LIMIT_BYTES, &old, err) < 0 ||
	    fs_replace(a, path.s, text, 0644, err) < 0)
		return -1;
	if (old.s && !str_eq(old, text))
		buf_add(out, STR("Its previous content was replaced: the file is generated from " CI_FILE
				 " each time.\n"));
	return 0;
}

static int
init_github(struct arena *a, struct str root, struct buf *out, struct err *err)
{
	/* That pull requests target, without the name of the remote. */
	struct str branch = STR("main"), warning;
	struct ci_config ci = { 0 };
	struct gates_config config;
	struct err why;

	if (gates_load(a, root, &config, &warning, &why) == 0) {
		branch = config.base_branch;
		(void)str_skip(&branch, "origin/");
	}
	if (gauntlet_load_ci(a, root, &ci, &why) < 0)
		print_err_cat("Could not load CI config to inject services. Workflow will have no "
			      "services defined.\n",
			      why.msg, "\n");
	if (generate(a, root, STR(GITHUB_FILE), ci_github_workflow(a, branch, ci.services), out, err) < 0)
		return -1;
	buf_add(out,
		STR("Successfully generated GitHub Actions workflow!\n\n" BUILT_FROM("repository variable")));
	return 0;
}

static int
init_gitlab(struct arena *a, struct str root, struct buf *out, struct err *err)
{
	struct ci_config ci;
	struct err why;
	struct str main_text = STR_NONE;

	if (gauntlet_load_ci(a, root, &ci, &why) < 0)
		print_err_cat("Could not load CI config. The pipeline will fail until it is fixed.\n",
			      why.msg, "\n");
	if (generate(a, root, STR(GITLAB_FILE), STR(GITLAB_PIPELINE), out, err) < 0)
		return -1;
	buf_add(out, STR("Successfully generated GitLab pipeline!\n\n"));
	bool is_read = fs_read(a, path_join(a, root, STR(GITLAB_MAIN_FILE)).s, CONFIG_LIMIT_BYTES, &main_text,
			       &why) == 0;

	if (is_read && main_text.s && str_find(main_text, STR(GITLAB_FILE)) >= 0)
		buf_add(out, STR(GITLAB_MAIN_FILE " already includes it.\n"));
	else
		buf_add(out, STR("Include it in " GITLAB_MAIN_FILE ":\n\ninclude:\n  - local: " GITLAB_FILE
				 "\n\n"));
	buf_add(out, STR(BUILT_FROM("CI/CD variable")));
	return 0;
}

static int
init(struct arena *a, const struct invocation *inv)
{
	bool is_there;
	struct str root = find_gates_root(a, &is_there);
	struct buf out = BUF(a, MIB(1));
	struct err err;

	if (!root.s)
		return gates_error(inv, "the current directory no longer exists");
	if (!gates_dialect(root)->ci)
		return gates_error(inv, CI_NOT_NATIVE);
	struct str path = path_join(a, root, STR(CI_FILE));
	/* ci.yml is the user's file: an existing one is kept. */
	bool is_new = fs_lkind(path.s) == FS_NOTHING;
	struct ci_config ci = { 0 };
	int result = -1;

	buf_cat(&out, is_new ? "Creating starter " CI_FILE "...\n" : "Found existing " CI_FILE "\n");
	if (!is_new || (fs_make_parents(a, path, 0755, &err) == 0 &&
			fs_create(path.s, STR(CI_STARTER), 0644, &err) == 0))
		result = option_has(inv, "gitlab") ? init_gitlab(a, root, &out, &err)
						   : init_github(a, root, &out, &err);
	/* Reports what is missing: a pipeline without jobs would look as if it passed. */
	if (result == 0 && !is_there)
		buf_add(&out,
			STR("\nThere is no .gauntlet/config.yml yet, and no job runs without one. With a "
			    "holdfast.yml, let the CI job\ncall 'holdfast run' instead.\n"));
	else if (result == 0 && gauntlet_load_ci(a, root, &ci, IGNORED) == 0 && ci.check_count == 0)
		buf_add(&out, STR("\nNo check runs in CI yet: name them under 'checks' in " CI_FILE ".\n"));
	int printed = print_out(buf_str(&out));

	return result < 0 ? gates_error(inv, err.msg) : printed;
}

static const struct command ci_init_command = {
	.name = "init",
	.summary = "set up the CI workflow and its configuration",
	.details = "Writes a starter .gauntlet/ci.yml, unless it exists, and .github/workflows/gauntlet.yml, "
		   "which is replaced each time. With --gitlab, writes .gitlab/gauntlet.yml and explains how "
		   "to include it.",
	TAKES(FLAG("gitlab", "write a GitLab pipeline instead of a GitHub Actions workflow")),
	.run = init,
};

static const struct command *const subs[] = { &ci_init_command, &ci_list_jobs_command };

const struct command ci_command = {
	.name = "ci",
	.summary = "run the checks in a CI system",
	.details = "Supports GitHub Actions, and GitLab with --gitlab. .gauntlet/ci.yml lists the checks to "
		   "run and what they need.",
	SUBCOMMANDS(subs),
};
