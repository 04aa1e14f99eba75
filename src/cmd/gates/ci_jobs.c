/* SPDX-License-Identifier: MIT */
/* What CI systems get: for GitHub Actions the workflow and the matrix that it requests, for GitLab a child pipeline with a job for each
 * check, with its own image and services. */
#include "cmd/ci_templates.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "doc/yaml_out.h"
#include "gates/ci_matrix.h"

#define TEXT_LIMIT_BYTES MIB(64)

/* The text escaped for double quotes in a shell. */
static struct str
in_quotes(struct arena *a, struct str text)
{
	struct buf b = BUF(a, MIB(1));

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (c == '"' || c == '\\' || c == '$' || c == '`')
			buf_addc(&b, '\\');
		buf_addc(&b, c);
	}
	return buf_str(&b);
}

/* A step's command, in its directory. */
static struct str
step_script(struct arena *a, const struct ci_step *step)
{
	if (!step->working_directory.s)
		return step->run;
	struct str dir = in_quotes(a, step->working_directory), run = str_trim(step->run);

	/* A comment would swallow the bracket, and of several lines only the first hangs on the directory. */
	if (str_find_char(run, '\n') >= 0 || str_find_char(run, '#') >= 0)
		return str_cat(a, "(cd \"", dir, "\" || exit 1\n", run, "\n)");
	return str_cat(a, "(cd \"", dir, "\" && ", run, ")");
}

/* ---- GitHub ---- */

/* The steps, each as a group in the job's log. */
static struct str
grouped(struct arena *a, const struct ci_step *steps, size_t count)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);

	for (size_t i = 0; i < count; i++) {
		struct str name = in_quotes(a, strip_escapes_line(a, steps[i].name));

		buf_cat(&b, i > 0 ? "\n" : "", "echo \"::group::", name, "\"\n");
		buf_add(&b, step_script(a, &steps[i]));
		buf_add(&b, STR("\necho \"::endgroup::\""));
	}
	return buf_str(&b);
}

static struct str
map_text(struct arena *a, const struct node *map)
{
	return map && map->kind == NODE_MAP ? json_of_node(a, map) : STR("{}");
}

struct str
ci_github_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct str global = grouped(a, ci->setup, ci->setup_count);

	json_open(&b, NULL, '{');
	json_open(&b, "matrix", '[');
	for_each (j, m->items, m->count) {
		json_open(&b, NULL, '{');
		json_add(&b, "id", j->id, "name", j->check->name, "entry_point", j->entry_point,
			 "working_directory", j->working_directory, "command", j->check->command, "runtimes",
			 &j->ci->runtimes, "services", &j->ci->services);
		json_add(&b, "setup", grouped(a, j->ci->setup, j->ci->setup_count), "global_setup", global);
		json_close(&b, "}");
	}
	json_close(&b, "]");
	json_add(&b, "services", JSON(map_text(a, ci->services)), "runtimes",
		 JSON(map_text(a, ci->runtimes)));
	json_close(&b, "}\n");
	return buf_str(&b);
}

struct str
ci_github_workflow(struct arena *a, struct str branch, const struct node *services)
{
	struct buf service_lines = BUF(a, TEXT_LIMIT_BYTES), name = BUF(a, TEXT_LIMIT_BYTES);
	struct str text = STR(GITHUB_WORKFLOW);

	if (services && services->kind == NODE_MAP && services->count > 0) {
		buf_add(&service_lines, STR("    services:"));
		yaml_add_value(&service_lines, services, 6);
	}
	yaml_add_string(&name, branch);
	text = str_replace(a, text, STR("@BRANCH@"), buf_str(&name));
	/* A string of GitHub's expressions is in single quotes. */
	text = str_replace(a, text, STR("@BRANCH_EXPRESSION@"), str_replace(a, branch, STR("'"), STR("''")));
	return str_replace(a, text, STR("@SERVICES@"), buf_str(&service_lines));
}

/* ---- GitLab ---- */

/* Images for the languages that have an official one. */
static const struct {
	const char *runtime, *image;
} images[] = {
	{ "ruby", "ruby" },     { "node", "node" }, { "bun", "oven/bun" },
	{ "python", "python" }, { "go", "golang" },
};

struct pipeline {
	struct arena *arena;
	const struct ci_config *ci;
	struct buf out, warnings;
};

/* Adds a comment to the job and a warning for stderr. */
static void
warn(struct pipeline *p, const struct ci_job *j, struct str text)
{
	text = strip_escapes_line(p->arena, text);
	buf_cat(&p->out, "  # ", text, "\n");
	buf_cat(&p->warnings, "warning: ", strip_escapes_line(p->arena, j->id), ": ", text, "\n");
}

/* A scalar as text; absent for anything else. */
static struct str
scalar(const struct node *n)
{
	return n && n->kind != NODE_MAP && n->kind != NODE_LIST && n->kind != NODE_NULL ? n->text : STR_NONE;
}

/* Absent: no image is known. */
static struct str
image_of(struct pipeline *p, struct str runtime)
{
	const struct node *n = node_get(p->ci->runtimes, str_copy(p->arena, runtime).s);
	struct str own = scalar(node_get(n, "image")), version = scalar(n);

	if (own.s)
		return own;
	if (!version.s)
		version = scalar(node_get(n, "version"));
	for (size_t i = 0; i < COUNT_OF(images); i++)
		if (str_is(runtime, images[i].runtime))
			return str_cat(p->arena, images[i].image, ":", version.s ? version : STR("latest"));
	return STR_NONE;
}

/* A line that ends with a text. */
static void
add_line(struct pipeline *p, const char *before, struct str text)
{
	buf_cat(&p->out, before);
	yaml_add_string(&p->out, text);
	buf_addc(&p->out, '\n');
}

static void
add_image(struct pipeline *p, const struct ci_job *j)
{
	const struct str_list *needs = &j->ci->runtimes;
	struct str image = STR_NONE, taken = STR_NONE;

	for (size_t i = 0; i < needs->count; i++) {
		struct str one = image_of(p, needs->items[i]);

		if (!one.s) {
			warn(p, j,
			     str_cat(p->arena, "no image is known for the runtime '", needs->items[i],
				     "': give it an image under runtimes in .gauntlet/ci.yml"));
		} else if (!image.s) {
			image = one;
			taken = needs->items[i];
		} else if (!str_eq(image, one)) {
			warn(p, j,
			     str_cat(p->arena, "the image has '", taken, "' and not '", needs->items[i],
				     "': give both one image under runtimes in .gauntlet/ci.yml"));
		}
	}
	if (image.s)
		add_line(p, "  image: ", image);
}

static void
add_services(struct pipeline *p, const struct ci_job *j)
{
	const struct str_list *needs = &j->ci->services;
	bool is_first = true;

	for (size_t i = 0; i < needs->count; i++) {
		const struct node *n = node_get(p->ci->services, str_copy(p->arena, needs->items[i]).s);
		struct str image = scalar(n);

		if (!n)
			continue; /* ci_matrix() has warned about it */
		if (!image.s)
			image = scalar(node_get(n, "image"));
		if (!image.s) {
			warn(p, j, str_cat(p->arena, "the service '", needs->items[i], "' has no image"));
			continue;
		}
		if (is_first)
			buf_add(&p->out,
				STR("  services: # each is reached by its alias, not by localhost\n"));
		is_first = false;
		add_line(p, "    - name: ", image);
		add_line(p, "      alias: ", needs->items[i]);
		const struct node *env = node_get(n, "env");

		for (size_t k = 0; env && env->kind == NODE_MAP && k < env->count; k++) {
			struct str value = scalar(&env->entries[k].value);

			buf_cat(&p->out, k == 0 ? "      variables:\n" : "", "        ");
			yaml_add_string(&p->out, env->entries[k].key);
			add_line(p, ": ", value.s ? value : STR(""));
		}
	}
}

static void
add_steps(struct pipeline *p, const struct ci_step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_cat(&p->out, "    # ", strip_escapes_line(p->arena, steps[i].name), "\n");
		add_line(p, "    - ", step_script(p->arena, &steps[i]));
	}
}

static void
add_job(struct pipeline *p, const struct ci_job *j)
{
	bool is_elsewhere = !str_is(j->working_directory, ".");

	buf_addc(&p->out, '\n');
	yaml_add_string(&p->out, str_cat(p->arena, "gauntlet:", j->id));
	buf_add(&p->out, STR(":\n"));
	add_image(p, j);
	add_services(p, j);
	buf_add(&p->out, STR("  variables:\n    GIT_DEPTH: \"0\"\n"));
	if (j->check->timeout_ms > 0)
		buf_cat(&p->out, "  timeout: ", (j->check->timeout_ms + 999) / 1000, " seconds\n");
	if (p->ci->setup_count > 0 || j->ci->setup_count > 0 || is_elsewhere)
		buf_add(&p->out, STR("  before_script:\n"));
	add_steps(p, p->ci->setup, p->ci->setup_count);
	if (is_elsewhere)
		add_line(p, "    - ",
			 str_cat(p->arena, "cd \"", in_quotes(p->arena, j->working_directory), "\""));
	add_steps(p, j->ci->setup, j->ci->setup_count);
	buf_add(&p->out, STR("  script:\n"));
	add_line(p, "    - ", j->check->command);
}

struct str
ci_gitlab_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m,
	       struct str *ret_warnings)
{
	struct pipeline p = {
		.arena = a, .ci = ci, .out = BUF(a, TEXT_LIMIT_BYTES), .warnings = BUF(a, TEXT_LIMIT_BYTES)
	};

	buf_add(&p.out, STR("# The checks of .gauntlet/ci.yml, by 'holdfast ci list-jobs --gitlab'.\n"));
	for (size_t i = 0; i < m->count; i++)
		add_job(&p, &m->items[i]);
	if (m->count == 0) /* GitLab rejects a pipeline without jobs */
		buf_add(&p.out, STR("\ngauntlet:none:\n  script:\n    - echo \"No checks are listed in "
				    ".gauntlet/ci.yml\"\n"));
	*ret_warnings = buf_str(&p.warnings);
	return buf_str(&p.out);
}
