/* SPDX-License-Identifier: MIT */
/* Random sessions against a model of what must hold. A seed gives a configuration and a list of events; they are played
 * in a throw-away project with the real program, and after each of them what it said and what is on disk is compared
 * with what the guide promises. Nothing here calls the code that decides: only the program does. */
#ifndef TESTS_MODEL_MODEL_H
#define TESTS_MODEL_MODEL_H

#include "base/base.h"
#include "base/buf.h"

#include <sys/types.h>

/* ---- what a seed gives: plan.c ---- */

#define SESSIONS 2
#define NOBODY SESSIONS /* a stop that names no session */
#define CHECKS_MOST 3
#define MESSAGES_MOST 3
#define EVENTS_MOST 60
extern const char *const session_ids[SESSIONS + 1];

/* The entry points: ".", "src", "docs" and `packages/` with a star, which gives a job for each package that has a change. */
enum entry { ENTRY_ALL, ENTRY_SRC, ENTRY_DOCS, ENTRY_PACKAGES, ENTRY_COUNT };
#define PACKAGES 2
extern const char *const package_names[PACKAGES];
/* What a check does besides passing or failing. */
enum manner {
	MANNER_PLAIN,
	MANNER_CRASH,      /* it fails by a signal */
	MANNER_BACKGROUND, /* leaves a process running */
	MANNER_CLEANS,     /* removes the logs */
	MANNER_FORGETS,    /* removes the logs, the state and the lock */
	MANNER_SWITCHES,   /* switches to a new branch each time */
	MANNER_COMMITS,    /* commits everything */
	MANNER_COUNT
};
struct check {
	enum entry entry;
	enum manner manner;
	bool is_parallel;
	bool is_fail_fast; /* if it fails, no further gate is started */
};

struct config {
	bool has_git, has_yaml, has_gates;
	bool is_on_base; /* the session starts on main, not on a branch */
	int rounds;
	bool is_infinite;
	int message_count, times[MESSAGES_MOST];
	bool is_codex;     /* which never gives up: commands that fail are counted */
	int failures;      /* that were counted before */
	int command_count; /* the i-th fails while .brokenI exists, and takes too long while .slow does */
	int check_count; /* the i-th passes while src/cI says good; in a package, while the package's own file does */
	struct check checks[CHECKS_MOST];
	bool has_review;
	enum entry review_entry;
	bool reverifies, is_enabled, ignores_logs;
	int max_retries, interval;
};

enum kind {
#define EVENT(id, weight, name) EV_##id,
#include "events.def"
#undef EVENT
	EV_COUNT
};
enum door {
	DOOR_STOP_HOOK,
	DOOR_HOOK_STOP,
	DOOR_GAUNTLET,
	DOOR_RALPH,
	DOOR_CONCLAUDE,
	DOOR_CODEX,
	DOOR_COUNT
};

struct event {
	enum kind kind;
	enum door door;
	int session;
	bool is_active, has_promise; /* of a stop */
	int what, how;               /* which file, which command: each kind has its own list */
	int signal, after_us;        /* of one that is ended */
};

struct plan {
	uint64_t seed;
	struct config config;
	size_t count;
	struct event events[EVENTS_MOST];
};
void plan_draw(struct plan *p, uint64_t seed);
struct str event_text(struct arena *a, const struct event *e);
struct str config_text(struct arena *a, const struct config *c);

/* ---- the project and the programs in it: world.c, call.c ---- */

struct world {
	struct arena *arena;
	const char *binary;                /* holdfast */
	struct str dir;                    /* all of it; below it are project, home, tmp, state */
	struct str project, trace, answer; /* the last two: what gates write, and what the reviewer reads */
	const char *const *env;
	bool is_lenient; /* a process was killed: its half-made files may be there */
};
void world_make(struct world *w, struct arena *a, const char *binary, struct str dir, const struct config *c);
/* Writes the configuration files. */
void world_configure(const struct world *w, const struct config *c);
void world_remove(struct str dir);
/* In the project; an absolute path is itself. */
struct str world_path(const struct world *w, const char *path);
bool world_has(const struct world *w, const char *path);
/* Absent: there is no such file. */
struct str world_read(const struct world *w, const char *path);
void world_write(const struct world *w, const char *path, struct str text);
/* Its exit code says nothing: that an ignored directory is excluded is an error to git. */
#define GIT_ADD "git add -A -- . ':!gauntlet_logs' 2>/dev/null"
/* By sh in the project; its stdout without the last newline. */
struct str world_sh(const struct world *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* All that is not holdfast's own, in the project, the home and the directories for temporary files and counts: a line for
 * each file with a sum of what is in it. */
struct str world_list(const struct world *w);
/* The lines that only one of them has. */
struct str world_difference(const struct world *w, struct str before, struct str after);

struct call {
	const char *argv[12]; /* the name that the program is called by comes first */
	struct str input;
	int signal, after_us; /* 0: it is not ended */
	pid_t pid;
	int pidfd, number;
	int status; /* as waitpid() gives it */
	bool hangs;
	struct str out, err;
};
void call_start(const struct world *w, struct call *c, int number);
void call_wait(const struct world *w, struct call *c);
/* Waits for all that a call has started; false: something is still there after a long time, and was killed. */
bool call_reap(void);

/* ---- what is on disk: look.c ---- */

enum { LOOP_MAIN = SESSIONS, LOOPS };
struct loop_seen {
	bool is_there, is_broken, is_paused, has_promise;
	long iteration, max;
	struct str owner, text;
};
#define COUNT_NONE (-1)
#define COUNT_BROKEN (-2)
#define FAILURES_MOST 20
struct seen {
	struct loop_seen loops[LOOPS];
	long rounds[SESSIONS + 1], failures[SESSIONS + 1];
	long attempts;   /* of the gates' state; -1: none */
	uint64_t asides; /* the sum of text_hash() of the loops that were set aside */
};
struct seen look(const struct world *w);
const char *loop_file(int i);
uint64_t text_hash(struct str x);
bool loop_equal(const struct loop_seen *a, const struct loop_seen *b);

/* ---- the model: oracle.c, oracle_gates.c ---- */

/* Sets of jobs are bit masks: a bit for each check, one for each check in each package, and one for the review. */
#define JOB_REVIEW (1u << (CHECKS_MOST * (1 + PACKAGES)))
unsigned job_bit(int check);
unsigned package_bit(int check, int package);
/* All jobs of a check, and of all gates that are configured. */
unsigned check_jobs(const struct config *c, int check);
unsigned config_jobs(const struct config *c);

/* What the agent has written into the newest file of findings. */
enum mark { MARK_NEW, MARK_FIXED, MARK_SKIPPED, MARK_SKIPPED_WITHOUT_REASON, MARK_BROKEN, MARK_COUNT };
enum reviewer { REVIEWER_PASSES, REVIEWER_FINDS, REVIEWER_FAILS, REVIEWER_LIMITED, REVIEWER_COUNT };
enum maybe { NO, YES, PERHAPS };

/* What is known of the review from its reviewer, and from what the agent did with the findings. */
struct review {
	enum mark mark;
	bool has_passed;           /* its last answer */
	bool has_skipped;          /* findings, since the logs were last archived */
	struct str tree;           /* the working tree that it last answered about; empty: none */
	struct str files;          /* in which it has found something, one on a line */
	enum maybe is_on_cooldown; /* its reviewer has reported that its limit is reached */
};

/* What is known of the gates without reading any of holdfast's own files. */
struct gates {
	bool has_state, is_partial, was_in_base;
	bool is_in_doubt; /* a run was interrupted, or its traces were removed: only what always holds is checked */
	bool has_foreign_lock;
	long attempts;        /* -1: not known */
	unsigned outstanding; /* failures */
	struct str branch, commit;
	struct str
		passed_at; /* on the base branch, changes are counted since this commit; empty: there is none yet */
	bool is_passed_at_known;
	struct str tree; /* the working tree after the last run */
	struct review review;
};
struct model {
	const struct world *world;
	const struct config *config;
	bool is_yaml_broken, is_db_broken;
	bool is_shut; /* a directory is closed */
	bool has_prompt[SESSIONS + 1], is_wanted[SESSIONS + 1];
	uint64_t places[SESSIONS + 1]; /* bit i: it may be that i messages were sent */
	struct gates gates;
	long blocks; /* by gates since they last began anew */
};

/* The repository before a run. */
struct repository {
	struct str branch, commit, tree; /* the branch is "HEAD" when detached */
	bool is_in_base, is_recorded_in_base;
	unsigned changed; /* the jobs that apply to the changes */
	bool has_changes;
	bool is_commit; /* of one commit: what has failed before is not run again */
	bool is_unsure; /* on the base branch, and it is not known since when changes count */
};

enum outcome { PASSES, FAILS, CANNOT_RUN };
struct review_step {
	bool is_outstanding;
	enum maybe is_asked;
	enum outcome unasked; /* if it is not asked */
	bool stays_open;      /* a finding does, even if the reviewer passes */
	bool has_skipped;
};

/* What a run of the gates must do. */
struct gates_step {
	const char *status;        /* NULL: the gates do not decide */
	const char *other_status;  /* as right as `status`; NULL: there is none */
	bool runs;                 /* the gates that are planned are run */
	bool is_certain;           /* independent of what earlier runs have left */
	unsigned planned, failing; /* the jobs, and those of the checks that fail */
	long attempt;
	struct review_step review; /* if it is planned */
	struct repository repository;
};

struct expected {
	const char *status, *other_status; /* either; the other may be NULL */
	bool is_block;
	bool is_final;    /* no later policy is asked */
	struct seen seen; /* afterwards */
	int follow_up;    /* whose; -1: nobody's */
	struct gates_step gates;
	bool asks_gates; /* it came so far */
};
/* What the stop itself has told, where the model can't know it: after something was interrupted. */
struct heard {
	bool is_not_due;   /* no follow-up message was */
	const char *gates; /* NULL: the model knows */
	const struct gates_ran *ran;
};
/* All that the expectation rests on, from before the stop. */
struct facts {
	struct seen seen;
	const char *commands; /* their status */
	struct gates_step gates;
};
struct facts facts_look(const struct model *m, const struct event *e);
struct expected expect_stop(const struct model *m, const struct event *e, const struct facts *f,
			    const struct heard *h);
int messages_in_all(const struct config *c);

/* Which changes a run is about. */
enum scope { SCOPE_ALL, SCOPE_UNCOMMITTED, SCOPE_COMMIT, SCOPE_COUNT };
struct repository repository_look(const struct model *m, enum scope scope);
struct gates_step gates_expect(const struct model *m, const struct repository *r, unsigned only);
struct gates_step gates_expect_stop(const struct model *m, const struct event *e);
/* What the checks and the reviewer have written into the trace. */
struct gates_ran {
	unsigned ran, failed; /* checks */
	unsigned asked;       /* how often the reviewer was */
	enum reviewer answer; /* its last answer */
	struct str file;      /* in which it has found something */
};
struct gates_ran gates_trace(const struct world *w);
/* The status depends on the reviewer's answer, which is known afterwards. */
void gates_settle(const struct model *m, struct gates_step *step, const struct gates_ran *r);
void gates_after(struct model *m, const struct gates_step *step, const struct gates_ran *r, bool is_partial);

struct review_step review_expect(const struct model *m, const struct repository *r, bool is_outstanding);
enum outcome review_outcome(const struct review_step *s, const struct gates_ran *r);
/* What is wrong with how often the reviewer was asked; NULL: nothing is. */
const char *review_judge(const struct model *m, const struct gates_step *step, const struct gates_ran *r);
/* Adds the review to the jobs of a run; false: it could not run. */
bool review_after(struct model *m, const struct gates_step *step, struct gates_ran *done);
/* Did what was planned run, as far as no check that failed has kept others from it? */
/* Was no further gate started after a check that is fail_fast? */
bool gates_cut_short(const struct model *m, const struct gates_ran *r);
bool gates_have_run(const struct model *m, const struct gates_ran *r, unsigned planned);
void gates_forget(struct model *m);
unsigned jobs_failing(const struct model *m);
/* Something was interrupted, or done twice at once. */
void gates_doubt(struct model *m, const struct gates_ran *r);

/* ---- playing: play.c ---- */

struct play {
	struct arena *arena;
	const struct plan *plan;
	struct config config; /* as it is now */
	struct world world;
	struct model model;
	size_t at;        /* the event */
	struct buf wrong; /* empty: all is well */
	struct buf story; /* a line for each event */
	size_t played;
	bool is_installed;
	struct str settings; /* before holdfast was */
};
void complain(struct play *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Plays the events whose place in `mask` is true; true: all held. */
bool play_session(struct play *p, const bool *mask);
void play_event(struct play *p, const struct event *e);
struct answer {
	struct str status; /* empty: its door does not say */
	struct str reason;
	bool is_block;
};
/* True: it is right for its door. */
bool answer_read(struct play *p, const struct event *e, const struct call *c, struct answer *ret);
struct call stop_call(const struct play *p, const struct event *e);
/* A call that must end by itself and leave nothing behind. */
void play_call(struct play *p, struct call *c);
void expect_seen(struct play *p, const struct seen *expected, const struct seen *after);
void follow_up_heard(struct play *p, int session, struct str reason);
void gates_judge(struct play *p, struct str status, const struct gates_ran *r);
/* The events that are no stop: acts.c, damage.c. */
void play_act(struct play *p, const struct event *e);
void play_damage(struct play *p, const struct event *e);
struct call ralph_control_call(const struct event *e);
void play_ended(struct play *p, const struct event *e);
void judge_stop(struct play *p, const struct event *e, const struct answer *a, const struct facts *facts);
struct str hook_input(const struct play *p, const struct event *e, const char *name, const char *prompt);
struct call ralph_start_call(const struct play *p, const struct event *e);
void play_two(struct play *p, const struct event *e);

#endif
