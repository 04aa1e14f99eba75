/* SPDX-License-Identifier: MIT */
/* What is known about a project now: its loops, its gates with their results, its sessions, and what the next stop would run. One
 * function reads it, for every command that shows it. Nothing here changes anything. */
#ifndef OVERVIEW_OVERVIEW_H
#define OVERVIEW_OVERVIEW_H

#include "conf/schema.h"
#include "gates/run.h"
#include "loop/loop.h"
#include "model/gate_result.h"
#include "project/project.h"

/* Sessions without a decision for so long are not listed. */
#define SESSION_AGE_US (INT64_C(24) * 3600 * 1000000)

struct overview_gate {
	struct str gate;           /* its name */
	struct str name;           /* with its directory, or its reviewer */
	enum gate_outcome outcome; /* OUTCOME_WAITING: it has not run */
	struct str log;            /* absolute; absent: none */
	int64_t started_us;        /* of one that runs */
	int64_t elapsed_ms;        /* of its last result */
	int64_t ended_us;          /* 0: it has none */
	int64_t usual_ms;          /* 0: not known */
};

/* A session's last decision. */
struct overview_session {
	struct str project, id, client, decision, policy, status, message;
	int64_t time_us;
};

/* What is read. Each is paid for only by those who ask for it. */
enum overview_part {
	OVERVIEW_OFF = 1 << 0,
	OVERVIEW_LOOPS = 1 << 1,
	OVERVIEW_RECORD = 1 << 2, /* the configuration of the gates, and the results journal */
	OVERVIEW_GATES = 1 << 3,  /* the same, as a row for each gate */
	OVERVIEW_NEXT = 1 << 4,   /* asks git: what the next stop would run, and the tries used */
	/* With another part about gates: all that is wrong with their configuration, as it is in the project. */
	OVERVIEW_PROBLEMS = 1 << 5,
};

struct overview {
	struct project_dirs where;
	struct str root;
	struct str gates_root; /* the directory that configures its gates; absent: none does */
	bool is_off;
	struct loop_refs loops;
	/* The gates. */
	struct str problem;       /* why they are not known; absent: they are, or there are none */
	struct str_list warnings; /* about their configuration */
	struct config_problems problems;
	struct gates_config *config; /* NULL: not read */
	struct logdir logs;          /* path absent: not known */
	bool is_running;             /* a run is in progress */
	bool runs_at_stop;           /* the gates do */
	struct record *record;       /* NULL: not read */
	struct run_preview next;
	int64_t tries;               /* that a session has used */
	struct overview_gate *gates; /* in the order of the configuration */
	size_t gate_count;
	struct str failed_gate, failed_log, failed_lines; /* of the one that failed last; absent: none has */
	struct overview_session *sessions;                /* the newest decision first */
	size_t session_count;
};

/* Reads these parts about the project around a directory. Never fails: what can't be read is a problem, or missing. Starts no
 * program, except for OVERVIEW_NEXT. */
void overview_read(struct arena *a, struct str dir, unsigned parts, struct overview *ret);

struct overviews {
	int64_t now_us;
	bool is_all;
	struct overview *projects; /* this one first */
	size_t project_count;
	struct overview_session *sessions; /* of all projects that are known */
	size_t session_count;
	struct str_list places; /* directories in which changes show, absolute */
};

/* With sessions, of the project around `cwd`, or of all that are known. Starts no program. */
void overviews_read(struct arena *a, struct str cwd, bool is_all, struct overviews *ret);

/* The nearest of the directories that configures gates; absent: none does. */
struct str overview_gates_root(struct arena *a, const struct project_dirs *where);
/* The configuration of the gates in their directory, with what should be said about it. */
int overview_load_gates(struct arena *a, struct str root, struct gates_config *ret,
			struct str_list *ret_warnings, struct err *err) MUST_CHECK;

/* ---- parts of overview_read() ---- */

/* The rows, of a record that was read. */
int overview_list_gates(struct arena *a, struct overview *o, struct err *err) MUST_CHECK;

/* ---- decisions.c ---- */

/* The newest decision of each session in each project, newest first, since a time. */
void overview_read_sessions(struct arena *a, int64_t since_us, struct overview_session **ret,
			    size_t *ret_count);

#endif
