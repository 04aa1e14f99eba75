/* SPDX-License-Identifier: MIT */
/* Plays random sessions and compares them with a model. A seed gives a configuration and a list of events. The real program
 * handles them in a temporary project; after each event its answer and the files on disk are compared with what the guide
 * promises. The model shares no decisions with the program: it calls none of the code that makes them. */
#ifndef TESTS_MODEL_MODEL_H
#define TESTS_MODEL_MODEL_H

#include "base/base.h"
#include "base/buf.h"

#include <sys/types.h>

/* ---- what a seed gives: plan.c ---- */

#define SESSIONS 2
#define NO_SESSION SESSIONS /* the stop names no session */
#define CHECKS_MOST 3
#define MESSAGES_MOST 3
#define EVENTS_MOST 60
#define INTERVAL_MINUTES 10
extern const char *const session_ids[SESSIONS + 1];

/* The entry points: ".", "src", "docs", and `packages/` with a star, which has a job for each changed package. */
enum entry { ENTRY_ALL, ENTRY_SRC, ENTRY_DOCS, ENTRY_PACKAGES, ENTRY_COUNT };
#define PACKAGES 2
extern const char *const package_names[PACKAGES];
/* What a check does besides passing or failing. */
enum manner {
	MANNER_PLAIN,
	MANNER_CRASH,      /* fails by a signal */
	MANNER_BACKGROUND, /* leaves a process running */
	MANNER_CLEANS,     /* removes the logs */
	MANNER_FORGETS,    /* removes the logs, the state and the lock */
	MANNER_SWITCHES,   /* switches to a new branch each time */
	MANNER_COMMITS,    /* commits everything */
	MANNER_WRITES,     /* changes a file that others may cover */
	MANNER_COUNT
};
/* With holdfast.yml: which files it is for. content.c says what each of them means. */
enum files { FILES_ALL, FILES_NAMED, FILES_BELOW, FILES_EXCEPT, FILES_LAST, FILES_COUNT };
/* What git converts before it compares. */
enum conversion {
	CONVERTS_NOTHING,
	CONVERTS_LINE_ENDS,
	CONVERTS_KEYWORDS,
	CONVERTS_BY_FILTER,
	CONVERTS_MODES,
	CONVERSION_COUNT
};
struct check {
	enum entry entry;
	enum manner manner;
	bool is_parallel;
	bool is_fail_fast; /* if it fails, no further gate is started */
	enum files files;
	bool has_timeout; /* then a file that says so makes it hang until it is killed */
	bool is_rerun;    /* reuse: false */
	int variant;      /* an argument of the command that changes nothing but the definition */
};

struct config {
	bool has_git, has_yaml, has_gates;
	bool is_native;     /* the gates are in holdfast.yml; there is no .conclaude.yaml then */
	bool names_base;    /* in holdfast.yml; else it is found */
	bool is_for_all;    /* holdfast is registered for all projects, so that this one must be trusted */
	bool is_registered; /* that is in the user's settings, and the call does not say it */
	enum conversion conversion;
	bool is_on_base; /* the session starts on main, not on a branch */
	int rounds;
	bool is_infinite;
	int message_count, times[MESSAGES_MOST];
	bool is_codex;
	int blocks;        /* in a row that were counted before */
	int command_count; /* the i-th fails while .brokenI exists, and times out while .slow exists */
	int check_count; /* the i-th passes while src/cI says good; in a package, while the package's file says so */
	struct check checks[CHECKS_MOST];
	bool has_review;
	enum entry review_entry;
	bool reverifies, is_enabled, ignores_logs;
	int max_retries, interval;
};

enum kind {
#define EVENT(id, weight, name) EV_##id,
#include "events.def"
	EV_COUNT
};
enum front_end { BY_STOP_HOOK, BY_HOOK_STOP, BY_GAUNTLET, BY_RALPH, BY_CONCLAUDE, BY_CODEX, BY_COUNT };

struct event {
	enum kind kind;
	enum front_end front_end;
	int session;
	bool is_active, has_promise; /* of a stop */
	int what, how;               /* which file, which command: each kind has its own list */
	int signal, after_us;        /* of a call that is ended */
};

/* Values of `what` that sequences ask for. */
enum { ANSWER_PASSES = 3, ANSWER_FINDS = 6, ANSWER_EMPTY = 9 };
enum { EDIT_NEW = 1, EDIT_UNDO = 5, EDIT_NOTE = 9 };

struct plan {
	uint64_t seed;
	struct config config;
	size_t count;
	struct event events[EVENTS_MOST];
};
void plan_draw(struct plan *p, uint64_t seed);
struct str event_text(struct arena *a, const struct event *e);
struct str config_text(struct arena *a, const struct config *c);

/* ---- the project and the programs in it: world.c, world_files.c, call.c ---- */

struct world {
	struct arena *arena;
	const char *binary;                /* holdfast */
	const char *logs;                  /* the log directory, in the project */
	struct str dir;                    /* holds project, home, tmp, state and bin */
	struct str project, trace, answer; /* gates write the trace; the reviewer reads the answer */
	const char *const *env;
	bool is_lenient; /* a process was killed, which may leave temporary files */
	bool was_ended;  /* a process was ended, which may leave an archive that the next run completes */
};
void world_make(struct world *w, struct arena *a, const char *binary, struct str dir, const struct config *c);
/* Writes the configuration files. */
void world_configure(const struct world *w, const struct config *c);
void world_write_check(const struct world *w);
void world_write_reviewer(const struct world *w);
void world_remove(struct str dir);
/* The path in the project; an absolute path is unchanged. */
struct str world_path(const struct world *w, const char *path);
bool world_has(const struct world *w, const char *path);
/* Absent: the file does not exist. */
struct str world_read(const struct world *w, const char *path);
void world_write(const struct world *w, const char *path, struct str text);
/* Ignore its exit code: git reports an error where the excluded directory is ignored anyway. */
#define GIT_ADD "git add -A -- . ':!gauntlet_logs' 2>/dev/null"
/* Runs a shell script in the project and returns its stdout, trimmed. */
struct str world_sh(const struct world *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The files that are not holdfast's own, in all directories of the world: a line for each, with a hash of its content. */
struct str world_list(const struct world *w);
/* The lines that only one of the two lists has. */
struct str world_difference(const struct world *w, struct str before, struct str after);

struct call {
	const char *argv[12]; /* starts with the name that the program is called by */
	struct str input;
	int signal, after_us; /* the signal that ends the call, and when; 0: none */
	pid_t pid;
	int pidfd, number;
	int status; /* as waitpid() gives it */
	bool hangs;
	struct str out, err;
};
void call_start(const struct world *w, struct call *c, int number);
void call_wait(const struct world *w, struct call *c);
/* Has it ended, or is it asleep until it looks again for something that it waits for? */
bool call_is_idle(const struct call *c);
/* Waits for all processes that a call started; false: one was still running after a long time and was killed. */
bool call_reap(void);

/* A second project, for stops of the same sessions: its only gate never passes. */
#define OTHER_TRIES 2
struct str world_other(const struct world *w);

/* ---- what is on disk: observe.c ---- */

enum { LOOP_MAIN = SESSIONS, LOOPS };
struct loop_seen {
	bool is_there, is_broken, is_paused, has_promise;
	long iteration, max;
	struct str owner, text;
};
#define COUNT_NONE (-1)
#define COUNT_BROKEN (-2)
#define BLOCKS_MOST 20
struct seen {
	struct loop_seen loops[LOOPS];
	long rounds[SESSIONS + 1];
	long tries[SESSIONS + 1];  /* blocks by gates since the user's last prompt */
	long elsewhere[SESSIONS];  /* tries in the other project */
	long blocks[SESSIONS + 1]; /* in a row by gates and stop commands */
	uint64_t asides;           /* the sum of text_hash() of the loops that were set aside */
};
struct seen observe(const struct world *w);
const char *loop_file(int i);
/* Of the counts of a session. */
struct str session_file(const struct world *w, int session);
uint64_t text_hash(struct str x);
bool loop_equal(const struct loop_seen *a, const struct loop_seen *b);
/* Is there an entry in this directory, below that of the world? */
bool world_has_entry(const struct world *w, const char *dir);

/* ---- the model: oracle.c, oracle_gates.c ---- */

/* Sets of jobs are bit masks: a bit for each check, one for each check in each package, and one for the review. */
#define CHECK_JOBS (CHECKS_MOST * (1 + PACKAGES))
#define JOB_REVIEW (1u << CHECK_JOBS)
unsigned job_bit(int check);
unsigned package_bit(int check, int package);
/* All jobs of a check, and of all configured gates. */
unsigned check_jobs(const struct config *c, int check);
unsigned config_jobs(const struct config *c);

/* What the agent wrote into the newest file of findings. */
enum mark { MARK_NEW, MARK_FIXED, MARK_SKIPPED, MARK_SKIPPED_WITHOUT_REASON, MARK_BROKEN, MARK_COUNT };
enum reviewer { REVIEWER_PASSES, REVIEWER_FINDS, REVIEWER_FAILS, REVIEWER_LIMITED, REVIEWER_COUNT };
enum maybe { NO, YES, PERHAPS };

/* What the model knows about the review: from the reviewer, and from what the agent did with the findings. */
struct review {
	enum mark mark;
	bool has_passed;           /* its last answer */
	bool is_archived;          /* the findings are: the whole change is looked at again */
	bool has_skipped;          /* findings, since the logs were last archived */
	struct str tree;           /* the working tree of its last answer; empty: none */
	struct str files;          /* with findings, one per line */
	struct str skipped_files;  /* whose findings were skipped, since the logs were last archived */
	struct str base;           /* the commit whose changes were found wrong */
	enum maybe is_on_cooldown; /* its reviewer reported that its limit is reached */
};

/* What the model knows about the gates without reading holdfast's own files. */
struct gates {
	bool has_state, is_partial, was_in_base;
	bool is_interval_over;
	bool is_untracked; /* a run was interrupted, or its files were removed: only what always holds is checked */
	bool has_foreign_lock;
	unsigned outstanding; /* failures */
	struct str branch, commit;
	struct str
		passed_at; /* on the base branch, changes count since this commit; empty: there is none yet */
	bool is_passed_at_known;
	/* The same where the last run was on another branch: where work on the base branch started, or what was last seen there. */
	struct str main_start;
	bool is_start_known;
	/* Where each session started, or what it has last seen to pass; empty: it has noted nothing. */
	struct str session_starts[SESSIONS];
	unsigned unknown_starts; /* sessions */
	struct str
		tree; /* the working tree before the last run that saw all changes; empty: that run did not */
	/* What the newest result of each check is about, if it passed; empty: it can't be reused. */
	struct str keys[CHECK_JOBS];
	unsigned unknown_keys; /* jobs */
	struct review review;
};
/* What the model knows about definitions and whether they may run. */
struct trust {
	bool is_trusted, is_pinned;
	struct str pinned;                           /* the definitions */
	struct str at_session[SESSIONS], at_failure; /* absent: not kept */
	enum maybe is_told[SESSIONS];                /* that the project is not trusted */
};
struct model {
	const struct world *world;
	const struct config *config; /* the one that counts */
	struct trust trust;
	struct str passes; /* a line for each job, definition and content that was ever seen to pass */
	bool is_yaml_broken, is_db_broken;
	bool is_shut; /* a directory is closed */
	bool is_git_failing;
	bool has_prompt[SESSIONS + 1], is_wanted[SESSIONS + 1];
	uint64_t places[SESSIONS + 1]; /* bit i: i messages may have been sent */
	struct gates gates;
	long blocks[SESSIONS + 1];       /* by gates since the user's last prompt, a pass or clean */
	struct str reason[SESSIONS + 1]; /* of the last block; absent: none, or not known which */
};

/* The repository before a run. */
struct repository {
	int session;                     /* that stops */
	struct str branch, commit, tree; /* the branch is "HEAD" when detached */
	struct str compared;             /* the commit or tree that changes are compared with */
	struct str files;                /* a line for each file in the tree, with its mode and content */
	bool is_in_base, is_recorded_in_base;
	unsigned changed; /* the jobs that apply to the changes */
	bool has_changes;
	bool covers_all; /* and not a part of the changes */
	bool is_commit;  /* of one commit: earlier failures do not run again */
	bool is_unsure;  /* on the base branch, and the commit since which changes count is not known */
};

enum outcome { PASSES, FAILS, CANNOT_RUN };
struct review_step {
	bool is_outstanding;
	enum maybe is_asked;
	enum outcome unasked; /* the outcome if the reviewer is not asked */
	bool stays_open;      /* a finding stays open even if the reviewer passes */
	bool has_skipped;
	struct str skipped_files; /* what the reviewer finds in them was skipped before */
};

/* What a run of the gates must do. */
struct gates_step {
	const char *status;        /* NULL: the gates do not decide */
	const char *other_status;  /* also correct; NULL: there is none */
	bool runs;                 /* the planned gates run */
	bool is_certain;           /* does not depend on earlier runs */
	unsigned planned, failing; /* jobs; those that fail are checks */
	unsigned reused, unsure;   /* of the planned ones: need not run, and may be either */
	bool is_stop;              /* and not a run by hand */
	struct review_step review; /* if it is planned */
	struct repository repository;
};

struct expected {
	const char *status, *other_status; /* either; the other may be NULL */
	bool is_block;
	bool is_untrusted; /* nothing that the project defines may run */
	bool is_final;     /* no later policy is asked */
	struct seen seen;  /* afterwards */
	int follow_up;     /* the session that gets one; -1: none does */
	struct gates_step gates;
	bool asks_gates; /* no earlier policy decided */
};
/* What the model must take from the answer, because it can't know it: after an interruption. */
struct reply {
	bool is_not_due;   /* the answer was no follow-up message */
	const char *gates; /* NULL: the model knows */
	const struct gates_ran *ran;
};
/* What a stop must tell: how many files git was told not to look at, and whether new rules hide new files. */
struct unseen_facts {
	size_t count;
	struct str first;
	bool is_sparse; /* git looks again at a file that is there in spite of the rules; its flag stays */
	bool hides_new;
};
/* What the expectation depends on, read before the stop. */
struct facts {
	struct seen seen;
	const char *commands; /* their status */
	struct gates_step gates;
	struct unseen_facts unseen;
};
struct facts facts_gather(const struct model *m, const struct event *e);
struct expected expect_stop(const struct model *m, const struct event *e, const struct facts *f,
			    const struct reply *h);
int messages_in_all(const struct config *c);

/* ---- what git does not show: unseen.c ---- */

/* The script that sets up the conversion. */
const char *unseen_setting(const struct config *c);
/* Does the check pass that looks at this file? */
bool check_is_good(const struct world *w, const char *file);
/* A line for each of these files that is on disk, with its mode and its bytes as they are there. */
struct str files_on_disk(const struct world *w, struct str names);
/* The files that are not as they are in this commit or tree, by an edit that a conversion hides. */
struct str unseen_changes(const struct model *m, struct str compared);
struct unseen_facts unseen_read(const struct model *m);

/* The changes that a run considers. */
enum scope { SCOPE_ALL, SCOPE_UNCOMMITTED, SCOPE_COMMIT, SCOPE_COUNT };
struct repository repository_read(const struct model *m, enum scope scope, int session);
struct str repository_files(const struct world *w, struct str tree);
/* The tree of the working directory, made without touching git's own index. */
struct str tree_now(const struct world *w);
struct gates_step gates_expect(const struct model *m, const struct repository *r, unsigned only);
struct gates_step gates_expect_stop(const struct model *m, const struct event *e);
/* What the checks and the reviewer wrote into the trace. */
struct gates_ran {
	unsigned ran, failed; /* checks */
	unsigned again;       /* checks that ran more than once */
	unsigned asked;       /* how often the reviewer was asked */
	enum reviewer answer; /* its last answer */
	struct str file;      /* with a finding */
};
struct gates_ran gates_trace(const struct world *w);
/* Completes the step with the reviewer's answer, which is only known afterwards. It does not consider the tries of a stop. */
void gates_settle(const struct model *m, struct gates_step *step, const struct gates_ran *r);
void gates_after(struct model *m, const struct gates_step *step, const struct gates_ran *r, bool is_partial);

struct review_step review_expect(const struct model *m, const struct repository *r, bool is_outstanding);
bool review_was_skipped(struct str files, struct str file);
enum outcome review_outcome(const struct review_step *s, const struct gates_ran *r);
/* Is what was found wrong gone? Then there is nothing to ask the reviewer about. */
bool review_is_undone(const struct model *m, struct str tree);
/* May an untracked run have ended with an error of the review? */
bool review_cannot_run(const struct model *m, const struct gates_ran *r);
/* An error if the reviewer was asked and should not have been, or the other way round; NULL: none. */
const char *review_judge(const struct model *m, const struct gates_step *step, const struct gates_ran *r);
/* Adds the review to the jobs of a run; false: it could not run. */
bool review_after(struct model *m, const struct gates_step *step, struct gates_ran *done);
/* Did a check with fail_fast fail, so that no further gate was started? */
bool gates_cut_short(const struct model *m, const struct gates_ran *r);
/* Did the planned checks run, each once, as far as none of them cut the run short? */
/* Did a check run again because one of them moves files or HEAD? How often, and what becomes of the results, the model does not say. */
bool gates_have_moved(const struct model *m, const struct gates_ran *r);
bool gates_have_run(const struct model *m, const struct gates_ran *r, const struct gates_step *step);
/* The logs are archived: only what has failed is still known. */
void gates_archived(struct model *m);
unsigned jobs_failing(const struct model *m);
/* A call was interrupted, or two ran at once. */
void gates_lose_track(struct model *m, const struct gates_ran *r);

/* ---- what results are about: content.c ---- */

/* The checks that a change of this file concerns, without the review. */
unsigned jobs_covering(const struct config *c, struct str path);
/* The definition of a check's job and the content of the files that it covers. */
struct str job_content(const struct model *m, struct str files, int job);
/* At a stop: the planned jobs that have passed for the same content, and those that may have. */
void content_reuse(const struct model *m, struct gates_step *step);
/* Adds what was seen to pass, if its files are still as they were before. */
void content_note_passes(struct model *m, struct str before, const struct gates_ran *r);
/* Keeps what the results are about. */
void content_after(struct model *m, const struct gates_step *step, const struct gates_ran *r);
/* The jobs of a step that did not run, though nobody has ever seen them pass for what is there. */
unsigned content_unseen(const struct model *m, const struct gates_step *step, const struct gates_ran *r);

/* ---- clones: clones.c ---- */

/* Two clones, of which the first has a worktree, too. Definitions are known by numbers. */
#define CLONE_PLACES 3
#define CLONE_NOTHING (-1)
struct clone {
	int pinned;       /* CLONE_NOTHING: no definition is */
	bool is_accepted; /* by the user */
	bool is_told;     /* that nobody has accepted the pinned one, or there is no need to any more */
	int fetched;      /* what the newest fetch or the clone itself has brought */
	int ref;          /* what origin/main has, however it came there */
};
struct clones {
	bool are_there;
	struct clone clones[2];
	int written[CLONE_PLACES]; /* the definition in the working tree; CLONE_NOTHING: there is none */
};

/* ---- playing: play.c ---- */

struct play {
	struct arena *arena;
	const struct plan *plan;
	struct config config;                     /* the one that counts */
	struct config written, pinned;            /* in the working tree, and in the pinned copy */
	bool is_written_broken, is_pinned_broken; /* .conclaude.yaml there */
	struct world world;
	struct model model;
	size_t at;        /* the event */
	struct buf wrong; /* what did not hold; empty: everything did */
	struct buf story; /* a line for each event */
	size_t played;
	bool is_installed;
	struct clones clones;
	struct str settings; /* before init */
};
void complain(struct play *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Plays the events that `mask` selects; true: everything held. */
bool play_session(struct play *p, const bool *mask);
void play_event(struct play *p, const struct event *e);
struct answer {
	struct str status; /* empty: the front end has none */
	struct str reason;
	struct str told; /* stdout and stderr */
	bool is_block;
};
/* True: the answer has the form that its front end demands. */
bool answer_read(struct play *p, const struct event *e, const struct call *c, struct answer *ret);
struct call stop_call(const struct play *p, const struct event *e);
/* Makes a call that must end by itself and leave no process running. */
void play_call(struct play *p, struct call *c);
void expect_seen(struct play *p, const struct seen *expected, const struct seen *after);
void follow_up_sent(struct play *p, int session, struct str reason);
void gates_judge(struct play *p, struct str status, const struct gates_ran *r);
void expect_exit(struct play *p, const struct call *c, int code);
/* ---- trust: trust.c ---- */

/* May what the project defines run at a stop by this front end? */
bool trust_allows(const struct model *m, enum front_end front_end);
/* Does the front end read definitions here? */
bool trust_has_source(const struct model *m, enum front_end front_end);
void play_trust(struct play *p, const struct event *e);
/* The user has agreed, by trust or init. */
void trust_accepted(struct play *p, bool is_pinned);
/* After a change of the files: which configuration counts now? */
void trust_choose_config(struct play *p);
/* What a stop must say about definitions, as it is before the stop; empty: nothing. */
struct str trust_words(const struct play *p, const struct event *e);
void trust_judge(struct play *p, const struct event *e, const struct answer *a, struct str words);
/* After an event: which earlier definitions are kept now? */
void trust_observe(struct play *p);

/* Events that are not stops: acts.c, damage.c, history.c. */
void play_act(struct play *p, const struct event *e);
void play_damage(struct play *p, const struct event *e);
struct call ralph_control_call(const struct event *e);
void play_ended(struct play *p, const struct event *e);
void judge_stop(struct play *p, const struct event *e, const struct answer *a, const struct facts *facts);
struct str hook_input(const struct play *p, const struct event *e, const char *name, struct str prompt);
struct call ralph_start_call(const struct play *p, const struct event *e);
void play_two(struct play *p, const struct event *e);
void play_many(struct play *p, const struct event *e);
void play_disturbed(struct play *p, const struct event *e);
void play_git(struct play *p, const struct event *e);
void play_clone(struct play *p, const struct event *e);
void play_unseen(struct play *p, const struct event *e);
void unseen_judge(struct play *p, const struct unseen_facts *f, struct str told);

#endif
