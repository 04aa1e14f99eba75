/* SPDX-License-Identifier: MIT */
/* What the commands about gates share: finding the project, and reporting errors. */
#ifndef CMD_GATES_GATES_H
#define CMD_GATES_GATES_H

#include "cmd/command.h"
#include "import/gates.h"

/* The nearest directory upwards with holdfast.yml or .gauntlet/config.yml, else the current one, with *ret_is_there (may be NULL) false;
 * absent where the current directory no longer exists. */
struct str find_gates_root(struct arena *a, bool *ret_is_there);

/* Loads the configuration; warnings about it go to stderr. -1: the error was printed. */
int gates_open(struct arena *a, const struct invocation *inv, struct gates_config *ret) MUST_CHECK;

/* An overview of the project of the current directory. Warnings about its gates go to stderr. The result is why its gates are not
 * known; absent: they are. */
struct overview;
struct str gates_overview(struct arena *a, unsigned parts, struct overview *ret);

/* Prints `PROGRAM: MESSAGE` on stderr and returns 1; agent-gauntlet's form is `Error: MESSAGE`. */
#define gates_error(inv, ...) gates_error_list((inv), CAT_PIECES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
int gates_error_list(const struct invocation *inv, const struct str *pieces, size_t count);
/* Was the program called by that name? */
bool is_agent_gauntlet(const struct invocation *inv);
/* Prints `warning: TEXT` on stderr; agent-gauntlet's form is `Warning: TEXT`. */
void gates_warn(const struct invocation *inv, struct str text);

/* Where there are no gates: pieces of the message. */
#define NO_GATES(dir)                                                      \
	"there is no holdfast.yml and no .gauntlet/config.yml in ", (dir), \
		" or above it; 'holdfast init' writes holdfast.yml"

/* Which changes a command is about. */
#define BASE_OPTION                                                                                          \
	VALUE("base-branch", "BRANCH", "compare with this branch instead of base_branch", .short_name = 'b', \
	      .source = SOURCE_BRANCHES)
#define CHANGE_OPTIONS                                                                              \
	VALUE("commit", "SHA", "use the changes of this commit", .short_name = 'c'),                \
		FLAG("uncommitted", "use only uncommitted changes: staged, unstaged and untracked", \
		     .short_name = 'u')

/* ---- run.c ---- */

/* A live view, as the console of a run draws it. */
struct live;
struct console_view live_view(struct live *l);

/* ---- ci_jobs.c ---- */

struct ci_config;
struct ci_matrix;
/* For GitHub: the matrix as one line of JSON; the workflow for a branch, with services as ci.yml has them (NULL: none). */
struct str ci_github_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m);
struct str ci_github_workflow(struct arena *a, struct str branch, const struct node *services);
/* For GitLab: the child pipeline. What it can't express becomes a comment in it and a line in *ret_warnings. */
struct str ci_gitlab_jobs(struct arena *a, const struct ci_config *ci, const struct ci_matrix *m,
			  struct str *ret_warnings);

/* ---- prove.c ---- */

/* Runs every check in a copy of the work tree with all source files broken, and prints which pass all the same. The exit code: 1 if one
 * does; -1 with the reason if nothing could be proved. */
int prove_gates(struct arena *a, const struct gates_config *config, bool is_json, struct err *err) MUST_CHECK;

#endif
