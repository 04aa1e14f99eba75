/* SPDX-License-Identifier: MIT */
/* Gates in a CI system: output for GitHub and GitLab. */
#ifndef CMD_GATES_CI_H
#define CMD_GATES_CI_H

#include "cmd/command.h"
#include "gates/ci_matrix.h"

/* For GitHub: the matrix as one line of JSON; the workflow for a branch, with services as ci.yml has them (NULL: none). */
struct str ci_github_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m);
struct str ci_github_workflow(struct arena *a, struct str branch, const struct node *services);

/* For GitLab: the child pipeline. What it can't express becomes a comment in it and a line in *ret_warnings. */
struct str ci_gitlab_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m,
			  struct str *ret_warnings);

/* The text escaped for double quotes in a shell. */
struct str ci_in_quotes(struct arena *a, struct str text);
/* A step's command, in its directory. */
struct str ci_step_script(struct arena *a, const struct ci_step *step);

#endif
