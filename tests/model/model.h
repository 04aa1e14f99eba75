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

enum entry { ENTRY_ALL, ENTRY_SRC, ENTRY_DOCS };
/* How a check ends where it fails, and what else it does. */
enum manner {
	MANNER_PLAIN,
	MANNER_CRASH,
	MANNER_BACKGROUND, /* leaves a process */
	MANNER_CLEANS,     /* removes the logs */
	MANNER_FORGETS,    /* and the state and the lock */
	MANNER_SWITCHES,   /* to a branch that is new each time */
	MANNER_COMMITS,
	MANNER_COUNT
};
struct check {
	enum entry entry;
	enum manner manner;
	bool is_parallel;
	bool is_fail_fast; /* where it fails, no other is begun */
};

struct config {
	bool has_git, has_yaml, has_gates;
	int rounds;
	bool is_infinite;
	int message_count, times[MESSAGES_MOST];
	bool is_codex;     /* which never gives up: commands that fail are counted */
	int failures;      /* that were counted before */
	int command_count; /* the i-th fails while .brokenI is there, and takes too long while .slow is */
	int check_count;   /* the i-th passes while src/cI says good */
	struct check checks[CHECKS_MOST];
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
	const char *binary; /* holdfast */
	struct str dir;     /* all of it; below it are project, home, tmp, state */
	struct str project, trace;
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

/* What is known of the gates without a look at holdfast's own files. A bit of a mask is a check. */
struct gates {
	bool has_state, is_partial, was_in_base;
	bool is_in_doubt; /* something was interrupted: only what must hold in any case is asked for */
	bool has_foreign_lock;
	long attempts; /* -1: not known */
	unsigned in_state, in_logs;
	struct str branch, commit;
	struct str first; /* the commit of the first run since they began anew */
	bool has_moved;   /* a later one was at another */
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

/* What a stop must do. */
struct repository {
	struct str branch, commit; /* "HEAD": on none */
	bool is_in_base, is_recorded_in_base;
	unsigned changed; /* the entry points */
	bool has_changes;
	bool is_commit; /* of one commit: what has failed before is not run again */
};

struct gates_step {
	const char *status; /* NULL: not theirs; "failed" with the planned checks as they are now */
	bool runs;          /* the logs are looked at, and what is planned is run */
	bool is_certain;    /* whatever earlier runs have left */
	bool is_unsure;     /* commits came on the base branch: what counts as changed is not modelled */
	unsigned planned;
	struct repository repository;
};

struct expected {
	const char *status;
	bool is_block;
	bool is_final;    /* nothing behind it is asked */
	struct seen seen; /* afterwards */
	int follow_up;    /* whose; -1: nobody's */
	struct gates_step gates;
	bool asks_gates; /* it came so far */
};
/* What the stop itself has told, where the model can't know it: after something was interrupted. */
struct heard {
	bool is_not_due;   /* no follow-up message was */
	const char *gates; /* NULL: the model knows */
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
struct gates_step gates_expect(const struct model *m, const struct repository *r, int only);
struct gates_step gates_expect_stop(const struct model *m, const struct event *e);
/* Takes over what a run did, from what the checks have written into the trace: `ran` and `failed`. */
struct gates_ran {
	unsigned ran, failed;
};
struct gates_ran gates_trace(const struct world *w);
void gates_after(struct model *m, const struct repository *before, const struct gates_ran *r,
		 bool is_partial);
/* Did what was planned run, as far as no check that failed has kept others from it? */
bool gates_have_run(const struct model *m, const struct gates_ran *r, unsigned planned);
void gates_forget(struct model *m);
unsigned checks_failing(const struct model *m);
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
