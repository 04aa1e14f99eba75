/* SPDX-License-Identifier: MIT */
/* What holdfast is doing: loops, gates and sessions, by project. facts.c reads it from the files that the others write;
 * what is shown of it is view.h's concern. */
#ifndef CMD_WATCH_FACTS_H
#define CMD_WATCH_FACTS_H

#include "model/gate_result.h"
#include "project/project.h"

/* Sessions without a decision for so long are not shown. */
#define SESSION_AGE_US (INT64_C(24) * 3600 * 1000000)

struct watch_loop {
	struct str path;         /* of its file */
	struct str session;      /* absent: no owner */
	uint64_t iteration, max; /* max 0: no limit */
	int64_t started_us;      /* 0: not known */
	bool is_paused;
	struct str problem; /* of a corrupt file; absent: it is not */
	struct str prompt;  /* its first line */
};

struct watch_gate {
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
struct watch_session {
	struct str id, client, decision, policy, status, message;
	int64_t time_us;
};

struct watch_project {
	struct str root;
	struct str gates_root; /* the directory that configures its gates; absent: none does */
	struct str problem;    /* why its gates are not known; absent: they are, or it has none */
	struct str log_dir;    /* of its gates, absolute; absent: not known */
	bool is_running;       /* a run is in progress */
	bool runs_at_stop;     /* its gates do */
	bool is_off;
	struct watch_loop *loops;
	size_t loop_count;
	struct watch_gate *gates; /* in the order of the configuration */
	size_t gate_count;
	struct watch_session *sessions; /* the newest decision first */
	size_t session_count;
	/* Of the gate that failed last; absent: none has failed. */
	struct str failed_gate, failed_log, failed_lines;
};

struct watch_facts {
	int64_t now_us;
	bool is_all;
	struct watch_project *projects; /* this one first */
	size_t project_count;
	struct str_list places; /* directories in which changes show, absolute */
};

/* Of the project around `cwd`, or of all that are known. Never fails: what can't be read is a problem, or missing. */
void watch_gather(struct arena *a, struct str cwd, bool is_all, struct watch_facts *ret);

/* The gates of one project, as far as its files say without git. */
void watch_read_gates(struct arena *a, struct watch_project *p);
/* Its loops, in these directories. */
void watch_read_loops(struct arena *a, const struct project_dirs *where, struct watch_project *p);

/* ---- sessions.c ---- */

struct watch_decision {
	struct str project;
	struct watch_session session;
};
/* The newest decision of each session in each project, newest first, since a time. */
void watch_read_decisions(struct arena *a, int64_t since_us, struct watch_decision **ret, size_t *ret_count);

/* ---- projects.c ---- */

/* The roots of the projects that are trusted, and of those in which gates have run since that time. */
struct str_list watch_known_projects(struct arena *a, int64_t since_us);

#endif
