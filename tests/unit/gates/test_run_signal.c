/* SPDX-License-Identifier: MIT */
/* A run that is ended from outside, by a signal or by KILL: no gate outlives it, and the lock is no hindrance. */
#include "test.h"

#include "base/path.h"
#include "gates/check.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/exit_reply.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GATES 3

/* Two of them are deaf to TERM; each says in a file which group it is. */
static const char *const commands[GATES] = {
	"echo $$ >group.0; sleep 60",
	"trap '' TERM INT HUP; echo $$ >group.1; sleep 60; sleep 60",
	"trap '' TERM INT HUP; (sleep 60 &); echo $$ >group.2; sleep 60; sleep 60",
};

static _Noreturn void
run_gates(struct str root)
{
	struct arena a = { 0 };
	struct gates_config config = { .root = root, .dialect = &dialects[DIALECT_GAUNTLET] };
	struct logdir logs = { .path = root, .shown = STR("."), .dialect = &dialects[DIALECT_GAUNTLET] };
	struct gate gates[GATES];
	struct job jobs[GATES];
	struct task tasks[GATES];
	struct err err;
	int lock, marker;

	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	if (logdir_lock(&a, &logs, &lock, &err) < 0 || logdir_mark(&a, &logs, &marker, &err) < 0)
		_exit(50);
	for (size_t i = 0; i < GATES; i++) {
		gates[i] = (struct gate){ .command = str_from(commands[i]), .is_parallel = true };
		jobs[i] = (struct job){
			.id = STR("x"),
			.file_part = str_fmt(&a, "check_%zu", i),
			.dir = STR("."),
			.gate = &gates[i],
		};
		check_prepare(&a, &config, &jobs[i], &(struct check_facts){ .base_branch = STR("main") },
			      &tasks[i]);
	}
	struct runner r = {
		.arena = &a,
		.tasks = tasks,
		.count = GATES,
		.logs = &logs,
		.run = 1,
		.allows_parallel = true,
		.max_parallel = GATES,
	};

	(void)runner_run(&r);
	_exit(51);
}

/* Waits for a group's file; 0 when it does not come. */
static pid_t
group_of(struct arena *a, struct str root, int i)
{
	const char *path = path_join(a, root, str_fmt(a, "group.%d", i)).s;
	int64_t give_up_at = clock_mono_ms() + 10000;
	struct str text = STR_NONE;
	struct err err;

	while (clock_mono_ms() < give_up_at) {
		if (fs_read(a, path, 100, &text, &err) == 0 && text.n > 1)
			return (pid_t)strtol(text.s, NULL, 10);
		(void)usleep(2000);
	}
	return 0;
}

static bool
is_gone_within(pid_t group, int64_t ms)
{
	int64_t give_up_at = clock_mono_ms() + ms;

	while (kill(-group, 0) == 0 && clock_mono_ms() < give_up_at)
		(void)usleep(2000);
	return kill(-group, 0) == -1 && errno == ESRCH;
}

/* Nobody may reap orphans where the tests run, and a dead process counts as one of its group until it is reaped:
 * so only one that is neither dead nor gone is one too many. */
static bool
is_dead_or_gone_within(struct arena *a, pid_t group, int64_t ms)
{
	const char *path = str_fmt(a, "/proc/%d/stat", group).s;
	int64_t give_up_at = clock_mono_ms() + ms;
	struct str text = STR_NONE;
	struct err err;

	while (clock_mono_ms() < give_up_at) {
		if (kill(-group, 0) == -1)
			return true;
		if (fs_read(a, path, KIB(4), &text, &err) == 0 && text.s && str_find(text, STR(") Z ")) > 0)
			return true;
		(void)usleep(2000);
	}
	return false;
}

static bool
has_file(struct arena *a, struct str root, struct str name)
{
	return fs_kind(path_join(a, root, name).s) != FS_NOTHING;
}

static void
end_a_run_by(int signal_number)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = str_from(test_dir());
	struct logdir logs = { .path = root, .shown = STR("."), .dialect = &dialects[DIALECT_GAUNTLET] };
	pid_t groups[GATES];
	int status;
	pid_t pid = fork();

	if (pid == 0)
		run_gates(root);
	for (int i = 0; i < GATES; i++) {
		groups[i] = group_of(&a, root, i);
		CHECK(groups[i] > 1);
	}
	CHECK(logdir_lock_state(&a, &logs) == PIDFILE_HELD && logdir_has_live_marker(&a, &logs));
	CHECK(kill(pid, signal_number) == 0);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
	for (int i = 0; i < GATES; i++)
		CHECK_ROW(commands[i], signal_number == SIGKILL ? is_dead_or_gone_within(&a, groups[i], 3000)
								: is_gone_within(groups[i], 1000));
	CHECK_ROW(strsignal(signal_number),
		  has_file(&a, root, STR(".gauntlet-run.lock")) == (signal_number == SIGKILL));
	CHECK_ROW(strsignal(signal_number),
		  has_file(&a, root, STR(".stop-hook-active")) == (signal_number == SIGKILL));
	CHECK(logdir_lock_state(&a, &logs) != PIDFILE_HELD && !logdir_has_live_marker(&a, &logs));
}

/* scenario: G13-79 */
TEST(a_signal_ends_the_gates_and_removes_lock_and_marker)
{
	end_a_run_by(SIGTERM);
	end_a_run_by(SIGINT);
	end_a_run_by(SIGHUP);
}

TEST(a_run_that_is_killed_leaves_no_gate_and_a_lock_that_holds_nobody)
{
	end_a_run_by(SIGKILL);
}
