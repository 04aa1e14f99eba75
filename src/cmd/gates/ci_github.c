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

static void
add_map(struct buf *b, const char *key, const struct node *map)
{
	json_add_key(b, key);
	if (map && map->kind == NODE_MAP)
		json_add_node(b, map);
	else
		buf_add(b, STR("{}"));
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
			 "working_directory", j->working_directory, "command", j->check->command);
		json_add_list(&b, "runtimes", &j->ci->runtimes);
		json_add_list(&b, "services", &j->ci->services);
		json_add(&b, "setup", grouped(a, j->ci->setup, j->ci->setup_count), "global_setup", global);
		json_close(&b, "}");
	}
	json_close(&b, "]");
	add_map(&b, "services", ci->services);
	add_map(&b, "runtimes", ci->runtimes);
	json_close(&b, "}\n");
	return buf_str(&b);
}

struct str
ci_github_workflow(struct arena *a, struct str branch, const struct node *services)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct str rest = STR(GITHUB_WORKFLOW), piece;
	bool is_word = false;

	/* Text and the words between at signs take turns; a piece that is none of the words is text, with its sign. */
	for (bool is_first = true; str_next(&rest, '@', &piece); is_first = false) {
		if (str_is(piece, "BRANCH")) {
			yaml_add_string(&b, branch);
			is_word = true;
		} else if (str_is(piece, "BRANCH_EXPRESSION")) {
			/* A string of GitHub's expressions is in single quotes. */
			buf_add(&b, str_replace(a, branch, STR("'"), STR("''")));
			is_word = true;
		} else if (str_is(piece, "SERVICES")) {
			if (services && services->kind == NODE_MAP && services->count > 0) {
				buf_add(&b, STR("    services:"));
				yaml_add_value(&b, services, 6);
			}
			is_word = true;
		} else {
			if (!is_first && !is_word)
				buf_addc(&b, '@');
			buf_add(&b, piece);
			is_word = false;
		}
	}
	return buf_str(&b);
}
