/* SPDX-License-Identifier: MIT */
/* One run of the gates, from the lock to the state that it writes. `run`, `check`, `review` and the stop hook all call
 * execute_run(), which returns and never ends the process. */
#ifndef GATES_RUN_H
#define GATES_RUN_H

#include "model/gate_result.h"
#include "model/status.h"
#include "record/record.h"

struct change_list;
struct change_spec;
struct console_view;
struct plan_facts;
struct repository;

/* Which changes a command is asked to look at. */
struct change_request {
	struct str base_branch, commit; /* as given on the command line; absent: not given */
	bool is_uncommitted;
	bool is_at_stop; /* even in CI the agent has uncommitted files and commits of its own */
};

/* Sets the base branch where the configuration has none. */
void find_base_branch(struct arena *a, struct gates_config *c);

/* What to ask git. A commit overrides is_uncommitted, and both override the base branch. In CI, except at a stop,
 * GITHUB_SHA is compared with the base. */
struct change_spec change_spec_for(const struct gates_config *c, const struct change_request *q);
/* The facts for a plan of all gates. It points to both arguments. */
struct plan_facts plan_facts_for(const struct gates_config *c, const struct change_list *changes);

struct definitions;

struct run_options {
	struct str base_branch, commit; /* absent: not given */
	struct str_list gates;          /* only these; empty: all */
	bool is_all;        /* every gate that was asked for runs, whatever has changed or has passed */
	bool runs_named;    /* the same for each of `gates` that no change is for */
	bool shows_output;  /* of what failed */
	struct str session; /* that stops; absent: none */
	const struct definitions *definitions; /* that are used; NULL: they are read if needed */
	/* What is known already, used up by the run; it counts where nobody has written to the journal since. NULL: nothing. */
	const struct record *record;
	bool is_uncommitted;
	bool has_checks, has_reviews;
	bool is_silent;      /* nothing goes to stdout and stderr; the logs are written as usual */
	bool shows_progress; /* check and review: lines on stdout */
	bool is_hook;        /* for the stop hook: a marker file lets nested stops know */
	bool is_dry;         /* nothing is run, and nothing is changed */
	bool is_last_try;    /* of the stop hook: a failure does not block any more */
	int64_t deadline_ms;
	const struct console_view *view; /* a live view on stderr; may be NULL */
};

struct run_result {
	enum status status;
	struct str message;
	struct str console_log_path;       /* absolute; absent: none was written */
	struct str error_message;          /* of STATUS_ERROR; absent otherwise */
	struct str warning;                /* for the user; absent: none */
	struct str_list hidden;            /* files whose changes git was told not to see */
	struct str ignored;                /* what new rules hide from git; absent: nothing */
	struct str_list outstanding;       /* the gates that have failed and not passed since */
	struct str_list forgotten;         /* likewise, but they are no longer configured */
	struct str_list notes;             /* for the user: what else there is to say about the results */
	struct str log_dir;                /* absolute */
	const struct gate_result *results; /* in the order of the plan */
	size_t result_count;
	int64_t run_number;
	int64_t elapsed_ms;
};

struct run_result execute_run(struct arena *a, const struct gates_config *c, const struct run_options *o);

/* Prints what `review` would send to each reviewer now: command line and prompt, slot by slot. Nothing is run, and nothing is
 * changed. The caller asks print_end() whether it could be printed. */
int describe_reviews(struct arena *a, const struct gates_config *c, const struct run_options *o,
		     struct err *err) MUST_CHECK;

/* What a run at a stop would start from now. */
struct run_preview {
	struct str base;    /* what changes are compared with */
	struct str warning; /* about the base; absent: none */
	struct str
		fallback_reason; /* why every file that may differ counts as changed; absent: it does not */
	struct str_list outstanding; /* the gates that have failed and not passed since */
	struct past_results past;    /* the newest result of each gate */
	struct str completed_at;     /* when the last run ended; absent: none has */
	size_t change_count;
	struct job_list jobs; /* that would run */
	size_t reused_count;  /* that would not, since they passed for the same content */
};
int preview_run(struct arena *a, const struct gates_config *c, struct run_preview *ret,
		struct err *err) MUST_CHECK;

/* The changes that a run at a stop of the session would look at, and the commit that they are compared with. Where no run has seen
 * anything yet, that is HEAD: what was committed before counts as it is. Nothing is changed. */
struct stop_changes {
	struct str_list files; /* relative to the root */
	struct str commit;     /* absent: there is none */
};
int changes_at_stop(struct arena *a, const struct gates_config *c, struct str session, int64_t deadline_ms,
		    struct stop_changes *ret, struct err *err) MUST_CHECK;

/* The ids of the gates that have failed and not passed since, as far as the configuration still has them. */
struct str_list outstanding_gates(struct arena *a, const struct gates_config *c,
				  const struct past_results *past);

/* What runs keep about the files of the project, so that git need not read them again. */
struct git_known known_by_runs(struct arena *a, struct str root, bool is_read_only);
/* Are the files still as they were when the content had this key, compared with this commit? A question that fails is
 * answered by no. */
bool content_is(struct arena *a, const struct repository *repository, struct str log_dir, struct str commit,
		struct str key);

/* What `clean` does: archives the logs, under the lock. */
int execute_clean(struct arena *a, const struct gates_config *c, struct err *err) MUST_CHECK;

#endif
