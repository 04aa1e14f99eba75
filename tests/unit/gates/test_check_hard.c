/* SPDX-License-Identifier: MIT */
/* Checks that do not behave: each is over within its timeout and five seconds, leaves nobody of its group behind and
 * costs little memory. Each runs in a process of its own, whose memory is measured. */
#include "test.h"

#include "base/path.h"
#include "gates/check.h"
#include "os/clock.h"
#include "os/fs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMEOUT_MS 1000
/* A sanitizer keeps what was freed, and a shadow of everything: its memory says nothing about ours. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif
#define MEMORY_LIMIT_KIB (64 * 1024)
#define LOG_LIMIT_BYTES (GATE_LOG_LIMIT_BYTES + MIB(1))

struct hard_case {
	const char *name, *command;
	enum gate_outcome outcome;
	const char *message;
	bool is_at_timeout; /* it is over then, and not before */
	int64_t timeout_ms; /* 0: TIMEOUT_MS */
};

/* The command writes its group's number to the file `group`. */
static bool
is_group_gone(struct arena *a, struct str dir)
{
	struct str text;
	struct err err;
	int64_t give_up_at = clock_mono_ms() + 1000;

	if (fs_read(a, path_join(a, dir, STR("group")).s, 100, &text, &err) < 0 || text.n < 2)
		return false;
	pid_t group = (pid_t)strtol(text.s, NULL, 10);

	while (kill(-group, 0) == 0 && clock_mono_ms() < give_up_at)
		(void)waitpid(-group, NULL, WNOHANG);
	return kill(-group, 0) == -1 && errno == ESRCH;
}

static const char *
try_case(const struct hard_case *c)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str root = str_from(test_dir());
	struct gates_config config = { .root = root, .dialect = &dialects[DIALECT_GAUNTLET] };
	struct logdir logs = { .path = root, .shown = STR("."), .dialect = &dialects[DIALECT_GAUNTLET] };
	int64_t timeout_ms = c->timeout_ms ? c->timeout_ms : TIMEOUT_MS;
	struct gate gate = { .name = STR("x"), .command = str_from(c->command), .timeout_ms = timeout_ms };
	struct job job = {
		.id = STR("check:.:x"), .file_part = STR("check_._x"), .dir = STR("."), .gate = &gate
	};
	struct task task;
	struct stat st;

	check_prepare(&a, &config, &job, &(struct check_facts){ .base_branch = STR("main") }, &task);
	struct runner r = { .arena = &a, .tasks = &task, .count = 1, .logs = &logs, .run = 1 };
	int64_t start = clock_mono_ms();

	if (runner_run(&r))
		return "interrupted";
	int64_t took_ms = clock_mono_ms() - start;

	if (!str_is(task.result.message, c->message))
		return "another message";
	if (task.result.outcome != c->outcome)
		return "another outcome";
	if (took_ms > timeout_ms + 5000 || (c->is_at_timeout && took_ms < timeout_ms))
		return "at another time";
	if (!is_group_gone(&a, root))
		return "somebody is left";
	if (stat(path_join(&a, root, STR("check_._x.1.log")).s, &st) < 0 ||
	    st.st_size > (off_t)LOG_LIMIT_BYTES)
		return "a log that is not there, or too long";
	return NULL;
}

static void
check_hard(const struct hard_case *c)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
		const char *wrong = try_case(c);

		if (wrong)
			print_error("%s: %s\n", c->name, wrong);
		_exit(wrong ? 1 : 0);
	}
	CHECK(wait4(pid, &status, 0, &usage) == pid);
	CHECK_ROW(c->name, status == 0);
#ifndef __SANITIZE_ADDRESS__
	CHECK_ROW(c->name, IS_SANITIZED || usage.ru_maxrss < MEMORY_LIMIT_KIB);
#endif
}

#define GROUP "echo $$ >group; "
#define PASS .outcome = OUTCOME_PASS, .message = "Command exited with code 0"
#define TIMED_OUT .outcome = OUTCOME_FAIL, .message = "Timed out after 1s", .is_at_timeout = true

TEST(a_check_that_forks_a_daemon_does_not_hold_us)
{
	check_hard(&(struct hard_case){
		.name = "daemon",
		.command = GROUP "(sleep 60 &); (setsid sleep 8 >/dev/null 2>&1 </dev/null &); exit 0",
		PASS,
	});
	check_hard(&(struct hard_case){
		.name = "daemon with our pipes",
		.command = GROUP "(setsid sleep 8 &); exit 4",
		.outcome = OUTCOME_FAIL,
		.message = "Exited with code 4",
	});
}

TEST(a_check_that_ignores_term_is_killed)
{
	check_hard(&(struct hard_case){
		.name = "deaf",
		.command = GROUP "trap '' TERM INT HUP; while :; do sleep 1; done",
		TIMED_OUT,
	});
}

TEST(a_check_that_writes_a_gigabyte_is_read_to_its_end)
{
	check_hard(&(struct hard_case){
		.name = "1 GB",
		.command = GROUP "head -c 1073741824 /dev/zero",
		.timeout_ms = 60000,
		PASS,
	});
}

TEST(a_check_that_never_stops_writing_is_ended)
{
	check_hard(&(struct hard_case){ .name = "yes", .command = GROUP "yes no", TIMED_OUT });
}

TEST(a_check_that_closes_its_pipes_early_is_waited_for)
{
	check_hard(&(struct hard_case){
		.name = "closed",
		.command = GROUP "exec >&- 2>&- <&-; sleep 0.3; exit 5",
		.outcome = OUTCOME_FAIL,
		.message = "Exited with code 5",
	});
	check_hard(&(struct hard_case){
		.name = "closed, then asleep",
		.command = GROUP "exec >&- 2>&-; sleep 60",
		TIMED_OUT,
	});
}

TEST(a_check_that_is_stopped_is_ended)
{
	check_hard(&(struct hard_case){
		.name = "stopped", .command = GROUP "kill -STOP $$; sleep 60", TIMED_OUT });
	check_hard(&(struct hard_case){
		.name = "stopped and deaf",
		.command = GROUP "trap '' TERM; kill -STOP $$; sleep 60; sleep 60",
		TIMED_OUT,
	});
}
