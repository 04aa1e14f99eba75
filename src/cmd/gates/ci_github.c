/* SPDX-License-Identifier: MIT */
/* Output for GitHub Actions: the workflow, and the matrix that it requests. */
#include "base/escapes.h"
#include "cmd/gates/ci.h"
#include "cmd/ci_templates.h"
#include "doc/json.h"
#include "doc/yaml_out.h"

#define TEXT_LIMIT_BYTES MIB(64)

/* The steps, each as a group in the job's log. */
static struct str
grouped(struct arena *a, const struct ci_step *steps, size_t count)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);

	for (size_t i = 0; i < count; i++) {
		struct str name = ci_in_quotes(a, strip_escapes_line(a, steps[i].name));

		buf_cat(&b, i > 0 ? "\n" : "", "echo \"::group::", name, "\"\n");
		buf_add(&b, ci_step_script(a, &steps[i]));
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
	for (size_t i = 0; i < m->count; i++) {
		const struct ci_job *j = &m->items[i];

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
