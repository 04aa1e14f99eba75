/* SPDX-License-Identifier: MIT */
/* The result of one job, or of one slot of a review. The console, the live view, reports, the reason of a block and the
 * record of results all read this struct; nothing copies it into another. */
#ifndef MODEL_GATE_RESULT_H
#define MODEL_GATE_RESULT_H

#include "model/finding.h"
#include "model/gate.h"

enum gate_outcome {
	OUTCOME_WAITING, /* not started yet */
	OUTCOME_RUNNING,
	OUTCOME_PASS,
	OUTCOME_FAIL,
	OUTCOME_ERROR,   /* could not run: nothing is known about the work */
	OUTCOME_SKIPPED, /* never started: another job failed fast, or the deadline was reached */
	OUTCOME_COUNT,
};

/* "waiting", "running", "pass", "fail", "error", "skipped" */
struct str gate_outcome_name(enum gate_outcome outcome);

/* Absent strings are unknown or do not apply. */
struct gate_result {
	/* What was run. */
	enum gate_kind kind;
	struct str id;          /* of the job: check:src:lint */
	struct str title;       /* how people call it: lint in src; absent: by its id */
	struct str file_part;   /* of the job, for file names: check_src_lint */
	struct str gate;        /* its name */
	struct str entry_point; /* the expanded path */
	struct str dir;         /* where a check runs, relative to the root */
	struct str command;     /* of a check, as it is configured */
	struct str hint;        /* what its author says about a failure; absent: nothing */
	struct str reason;      /* why the gate applies */
	struct str key;         /* of its definition and the files that it covers; absent: not known */
	struct str definition;  /* the digest of its definition */
	int64_t slot;           /* of a review, from 1; 0: a check, or all slots of a review */
	struct str reviewer;    /* of the slot */
	struct str program;     /* that a check starts with, if that is clear */

	/* How it ended. */
	enum gate_outcome outcome;
	struct str message;
	struct str log_path;      /* below the log directory as it is configured */
	struct str json_path;     /* the review file with the findings, likewise */
	struct str_list findings; /* open ones, `file:line - issue` each */
	struct str_list
		asides; /* findings of the reviewer outside of the lines that the change adds, likewise */
	struct str_list
		not_shown; /* what the reviewer could not see of the change: `logo.png (binary)` each */
	struct finding_list open; /* the same findings */
	int64_t pass_run;   /* of a slot that was skipped because it passed in this run; 0: not skipped */
	struct str tree;    /* the snapshot that was reviewed */
	struct str base;    /* the commit that it was compared with */
	struct str output;  /* the end of both streams, unless it passed */
	int64_t started_ms; /* on clock_mono_ms() */
	int64_t elapsed_ms;
	int64_t ended_us;        /* on clock_real_us() */
	int signal;              /* that killed the process; 0: none */
	bool is_flaky;           /* it passed on a retry */
	bool is_fixed;           /* it passed after its fix had run */
	struct str_list changed; /* the files that changed while its fix ran */
};

/* The result of a job that has not started. */
struct gate_result gate_result_of(const struct job *j);

/* Ids of jobs in a row for people, in a project with holdfast.yml as it calls them: "test, lint in src". */
struct str gate_ids_shown(struct arena *a, const struct str_list *ids, bool shows_ids);

/* "lint", or "lint in src" where it runs in a directory of its own. */
struct str gate_result_title(struct arena *a, const struct gate_result *r);
/* "(claude@1)"; absent without a reviewer. */
struct str gate_result_label(struct arena *a, const struct gate_result *r);
/* The title, else the id, followed by the label if there is one. */
struct str gate_result_name(struct arena *a, const struct gate_result *r);

/* The file to read about a failure or an error: the review file, which the agent edits, or the log. Absent: none. */
struct str gate_result_file(const struct gate_result *r, const char **ret_title);

size_t gate_results_count(const struct gate_result *results, size_t count, enum gate_outcome outcome);

#endif
