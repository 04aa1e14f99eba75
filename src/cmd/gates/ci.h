/* SPDX-License-Identifier: MIT */
/* Gates in a CI system: what GitHub and GitLab are given. */
#ifndef CMD_GATES_CI_H
#define CMD_GATES_CI_H

#include "cmd/command.h"
#include "gates/ci_matrix.h"

extern const struct command ci_init_command, ci_list_jobs_command;

/* The directories below the root that a pattern of one star at its end stands for, sorted; what git and the gates keep
 * for themselves is none of them. For struct ci_facts, whose context is the configuration. */
struct str_list ci_directories(const void *config, struct arena *a, struct str pattern);

/* For GitHub: the matrix as one line of JSON; the workflow for a branch, with services as ci.yml has them (NULL: none). */
struct str ci_github_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m);
struct str ci_github_workflow(struct arena *a, struct str branch, const struct node *services);

/* For GitLab: the child pipeline. What can't be said there is a comment in it and a line in *ret_warnings. */
struct str ci_gitlab_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m,
			  struct str *ret_warnings);

/* The text as the shell takes it within double quotes. */
struct str ci_in_quotes(struct arena *a, struct str text);
/* A step's command, in its directory. */
struct str ci_step_script(struct arena *a, const struct ci_step *step);

#endif
