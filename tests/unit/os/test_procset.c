/* SPDX-License-Identifier: MIT */
/* Several programs at once, with real ones. What holds for each of them is in test_proc.c. */
#include "shell_program.h"

#include "os/clock.h"
#include "os/exit_reply.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One of several: a script, and what came of it. */
struct one {
	const char *script;
	int64_t timeout_ms;
	struct proc_result result;
	uint64_t heard; /* bytes on its stdout */
	int taken_as;   /* in which order it was taken, from 1; 0: not yet */
};

static void
hear(void *owner, int stream, struct str bytes)
{
	struct one *x = owner;

	x->heard += stream == 1 ? bytes.n : 0;
}

static void
start(struct procset *s, struct one *x)
{
	struct proc_spec spec = {
		.argv = SH(x->script),
		.timeout_ms = x->timeout_ms,
		.grace_ms = 500,
		.output = hear,
		.owner = x,
	};
	struct err err;

	if (procset_start(s, &spec, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Waits until that many are left; returns the number of waits. */
static size_t
take_until(struct procset *s, size_t left)
{
	static int taken;
	struct proc_result r;
	size_t waits = 0;

	while (s->count > left) {
		procset_wait(s, INT64_MAX);
		for (waits++; procset_take(s, &r);) {
			struct one *x = r.owner;

			CHECK(x->taken_as == 0);
			x->taken_as = ++taken;
			x->result = r;
		}
	}
	return waits;
}

static struct str
out(struct arena *a, const struct one *x)
{
	return capture_text(&x->result.out, a, 0);
}

static bool
is_gone(pid_t group)
{
	CHECK(group > 1);
	return kill(-group, 0) == -1 && errno == ESRCH;
}

static pid_t
group_of(struct arena *a, const struct one *x)
{
	return (pid_t)strtol(str_copy(a, out(a, x)).s, NULL, 10);
}

TEST(several_commands_run_at_once_in_one_loop)
{
	enum { COUNT = 8 };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct procset s;
	struct one all[COUNT] = { 0 };
	const char *flag = str_fmt(&a, "%s/flag", test_dir()).s;
	const char *others = str_fmt(&a, "until [ -e %s ]; do sleep 0.02; done", flag).s;
	const char *last = str_fmt(&a, ": >%s", flag).s;

	/* All wait for the last: one after the other they would never end. */
	procset_init(&s, &a, COUNT);
	for (int i = 0; i < COUNT; i++) {
		all[i].script = str_fmt(&a, "%s; echo %d; echo e%d >&2; exit %d",
					i < COUNT - 1 ? others : last, i, i, i)
					.s;
		all[i].timeout_ms = 20000;
		start(&s, &all[i]);
	}
	(void)take_until(&s, 0);
	for (int i = 0; i < COUNT; i++) {
		CHECK(all[i].result.end == PROC_EXITED && all[i].result.code == i);
		CHECK_STR(out(&a, &all[i]), str_fmt(&a, "%d", i).s);
		CHECK_STR(capture_text(&all[i].result.err, &a, 0), str_fmt(&a, "e%d", i).s);
	}
}

TEST(each_of_several_gets_its_own_input)
{
	enum { COUNT = 3, BYTES = 300000 };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct procset s;
	struct one all[COUNT] = { { .script = "wc -c" }, { .script = "exit 0" }, { .script = "wc -c" } };
	struct err err;

	procset_init(&s, &a, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		char *bytes = arena_bytes(&a, BYTES);

		memset(bytes, 'x', BYTES);
		struct proc_spec spec = { .argv = SH(all[i].script),
					  .owner = &all[i],
					  .input = { bytes, BYTES - i } };

		CHECK(procset_start(&s, &spec, &err) == 0);
	}
	(void)take_until(&s, 0);
	CHECK_STR(out(&a, &all[0]), "300000");
	CHECK(all[1].result.end == PROC_EXITED && all[1].result.code == 0);
	CHECK_STR(out(&a, &all[2]), "299998");
}

TEST(one_that_closed_its_output_is_waited_for_like_the_others)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct procset s;
	struct one closed = { .script = "echo x; exec >&- 2>&-; sleep 0.3; exit 9", .timeout_ms = 20000 };
	struct one open = { .script = "sleep 0.1; echo y; exit 3", .timeout_ms = 20000 };

	procset_init(&s, &a, 2);
	start(&s, &open);
	start(&s, &closed);
	size_t waits = take_until(&s, 0);

	CHECK(closed.result.end == PROC_EXITED && closed.result.code == 9);
	CHECK(closed.result.elapsed_ms >= 300 && open.taken_as < closed.taken_as);
	CHECK_STR(out(&a, &closed), "x");
	CHECK_STR(out(&a, &open), "y");
	CHECK(waits < 20); /* no busy loop on a closed pipe */
}

TEST(a_process_whose_child_keeps_its_pipe_is_taken_while_others_run)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct procset s;
	struct one other = { .script = "sleep 60" };
	struct one holder = { .script = "echo $$; sleep 60 & exit 4", .timeout_ms = 20000 };

	procset_init(&s, &a, 2);
	start(&s, &other);
	start(&s, &holder);
	(void)take_until(&s, 1);
	CHECK(other.taken_as == 0);
	CHECK(holder.result.end == PROC_EXITED && holder.result.code == 4);
	CHECK(is_gone(group_of(&a, &holder)));
	procset_stop(&s, NULL, 0);
	(void)take_until(&s, 0);
	CHECK(other.result.end == PROC_DEADLINE);
}

TEST(each_has_its_own_limit_and_the_others_do_not_feel_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct one rows[] = {
		{ .script = "echo $$; sleep 60", .timeout_ms = 100 },
		{ .script = "echo $$; exec yes >&2", .timeout_ms = 200 },
		{ .script = "echo $$; sleep 0.4; exit 5" },
		{ .script = "echo $$; exit 6", .timeout_ms = 20000 },
		{ .script = "trap '' TERM; echo $$; while :; do sleep 0.1; done", .timeout_ms = 100 },
	};
	static const enum proc_end ends[] = { PROC_TIMED_OUT, PROC_TIMED_OUT, PROC_EXITED, PROC_EXITED,
					      PROC_TIMED_OUT };
	static const int64_t at_least_ms[] = { 100, 200, 400, 0, 600 };
	struct procset s;

	procset_init(&s, &a, COUNT_OF(rows));
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		start(&s, &rows[i]);
	(void)take_until(&s, 0);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CHECK_ROW(rows[i].script, rows[i].result.end == ends[i]);
		CHECK_ROW(rows[i].script, rows[i].result.elapsed_ms >= at_least_ms[i]);
		CHECK_ROW(rows[i].script, rows[i].result.elapsed_ms < at_least_ms[i] + 1500);
		CHECK_ROW(rows[i].script, is_gone(group_of(&a, &rows[i])));
	}
	CHECK(rows[2].result.code == 5 && rows[3].result.code == 6);
	for (size_t i = 0; i < 4;
	     i++) /* the one that ignores TERM has its grace time; the others do not wait for it */
		CHECK_ROW(rows[i].script, rows[i].taken_as < rows[4].taken_as);
}

TEST(those_after_their_deadline_have_ended_at_once_in_the_order_of_their_start)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int owners[3];
	struct one other = { .script = "sleep 60" };
	struct proc_result r;
	struct procset s;
	struct err err;

	procset_init(&s, &a, 4);
	for (size_t i = 0; i < COUNT_OF(owners); i++) {
		struct proc_spec spec = { .argv = SH("exit 0"),
					  .deadline_ms = clock_mono_ms(),
					  .owner = &owners[i] };

		CHECK(procset_start(&s, &spec, &err) == 0);
		if (i == 0)
			start(&s, &other);
	}
	int64_t before = clock_mono_ms();

	procset_wait(&s, INT64_MAX);
	CHECK(clock_mono_ms() - before < 800); /* not for the one that runs */
	for (size_t i = 0; i < COUNT_OF(owners); i++)
		CHECK(procset_take(&s, &r) && r.owner == &owners[i] && r.end == PROC_DEADLINE);
	CHECK(!procset_take(&s, &r) && s.count == 1);
	procset_stop(&s, NULL, 0);
	(void)take_until(&s, 0);
}

TEST(a_wait_ends_at_the_time_it_was_given)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		int64_t from_now_ms, at_least_ms;
	} rows[] = { { -5, 0 }, { 0, 0 }, { 150, 150 } };
	struct one quiet = { .script = "sleep 60" };
	struct proc_result r;
	struct procset s;

	procset_init(&s, &a, 1);
	start(&s, &quiet);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int64_t before = clock_mono_ms();

		procset_wait(&s, before + rows[i].from_now_ms);
		int64_t took = clock_mono_ms() - before;

		CHECK(took >= rows[i].at_least_ms && took < rows[i].at_least_ms + 800);
		CHECK(!procset_take(&s, &r) && s.count == 1);
	}
	procset_stop(&s, NULL, 0);
	(void)take_until(&s, 0);
}

TEST(one_can_be_stopped_before_its_time_or_all)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct one deaf = { .script = "trap '' TERM; echo $$; while :; do sleep 0.1; done" };
	struct one tidy = {
		.script = "trap 'echo tidy; exit 0' TERM; echo $$; while :; do sleep 0.02; done"
	};
	struct one other = { .script = "echo $$; sleep 60" };
	struct one *all[] = { &tidy, &other, &deaf };
	struct procset s;

	procset_init(&s, &a, COUNT_OF(all));
	for (size_t i = 0; i < COUNT_OF(all); i++)
		start(&s, all[i]);
	while (tidy.heard == 0 || deaf.heard == 0) /* then their traps are set */
		procset_wait(&s, INT64_MAX);
	procset_stop(&s, &a, 0); /* an owner of none */
	procset_stop(&s, &tidy, 5000);
	(void)take_until(&s, 2);
	CHECK(tidy.taken_as > 0 && tidy.result.end == PROC_DEADLINE);
	CHECK(str_ends(out(&a, &tidy), STR("\ntidy")));
	int64_t before = clock_mono_ms();

	procset_stop(&s, NULL, 900);   /* and not the 500 of the spec */
	procset_stop(&s, NULL, 30000); /* a second time changes nothing */
	(void)take_until(&s, 0);
	int64_t took = clock_mono_ms() - before;

	CHECK(took >= 900 && took < 3000);
	CHECK(other.result.end == PROC_DEADLINE && other.taken_as < deaf.taken_as);
	CHECK(deaf.result.end == PROC_DEADLINE && is_gone(group_of(&a, &deaf)));
}

TEST(a_place_that_is_free_again_is_for_the_next)
{
	enum { COUNT = 7, AT_ONCE = 2 };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct one all[COUNT] = { 0 };
	struct procset s;
	int next = 0;

	procset_init(&s, &a, AT_ONCE);
	while (next < COUNT || s.count > 0) {
		while (next < COUNT && s.count < s.max) {
			all[next].script = str_fmt(&a, "echo %d; exit %d", next, next).s;
			start(&s, &all[next++]);
		}
		(void)take_until(&s, s.count - 1);
	}
	for (int i = 0; i < COUNT; i++) {
		CHECK(all[i].result.code == i);
		CHECK_STR(out(&a, &all[i]), str_fmt(&a, "%d", i).s);
	}
}

TEST(a_process_that_cannot_be_started_does_not_change_the_set)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *const none[] = { "no-such-program", NULL };
	struct one first = { .script = "exit 7" }, second = { .script = "exit 8" };
	struct procset s;
	struct err err = { 0 };

	procset_init(&s, &a, 2);
	start(&s, &first);
	CHECK(procset_start(&s, &(struct proc_spec){ .argv = none }, &err) == -1 && err.sys == ENOENT);
	CHECK(strstr(err.msg, "'no-such-program'") && s.count == 1);
	start(&s, &second);
	(void)take_until(&s, 0);
	CHECK(first.result.code == 7 && second.result.code == 8);
}

struct listener {
	uint64_t bytes[3];
};

static void
count(void *owner, int stream, struct str bytes)
{
	struct listener *l = owner;

	l->bytes[stream] += bytes.n;
}

TEST(output_of_several_is_kept_within_bounds_and_passed_on_in_full)
{
	enum { MEGABYTES = 8 };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct listener listeners[3] = { 0 };
	struct proc_result results[3], r;
	struct procset s;
	struct err err;

	procset_init(&s, &a, COUNT_OF(listeners));
	for (size_t i = 0; i < COUNT_OF(listeners); i++) {
		struct proc_spec spec = {
			.argv = SH("echo first; head -c 8000000 /dev/zero | tr '\\0' x; echo; echo last; "
				   "echo e >&2"),
			.output = count,
			.owner = &listeners[i],
			.forgets_output = i == 1,
			.timeout_ms = 60000,
		};

		CHECK(procset_start(&s, &spec, &err) == 0);
	}
	while (s.count > 0) {
		procset_wait(&s, INT64_MAX);
		while (procset_take(&s, &r))
			results[(struct listener *)r.owner - listeners] = r;
	}
	for (size_t i = 0; i < COUNT_OF(listeners); i++) {
		CHECK(results[i].end == PROC_EXITED && results[i].code == 0);
		CHECK(listeners[i].bytes[1] == MEGABYTES * 1000000 + 12 && listeners[i].bytes[2] == 2);
		CHECK(results[i].out.bytes == listeners[i].bytes[1] && results[i].err.bytes == 2);
		CHECK(results[i].out.head_n <= CAPTURE_HEAD_BYTES &&
		      results[i].out.tail_n <= CAPTURE_TAIL_BYTES);
	}
	CHECK_STR(capture_text(&results[0].out, &a, 0), "first\n... (1 lines omitted)\nlast");
	CHECK(results[1].out.head_n == 0 && results[1].out.tail_n == 0);
	CHECK_STR(capture_text(&results[2].err, &a, 0), "e");
}

TEST(one_that_never_stops_writing_does_not_keep_the_others_waiting)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct one loud = { .script = "exec yes" }, quiet = { .script = "sleep 0.1; exit 2" };
	struct procset s;

	procset_init(&s, &a, 2);
	start(&s, &loud);
	start(&s, &quiet);
	(void)take_until(&s, 1);
	CHECK(quiet.result.end == PROC_EXITED && quiet.result.code == 2 && quiet.result.elapsed_ms < 10000);
	procset_stop(&s, &loud, 500);
	(void)take_until(&s, 0);
	CHECK(loud.result.end == PROC_DEADLINE);
}

/* ---- ended from outside ---- */

#define CANCELLED 3
static const char *const cancelled[CANCELLED] = {
	"echo $$; sleep 60",
	"trap '' TERM INT; echo $$; sleep 60; sleep 60",
	"trap '' TERM INT; (sleep 60 &); echo $$; exec >&- 2>&-; sleep 60; sleep 60",
};

static void
pass_on(void *owner, int stream, struct str bytes)
{
	const int *to = owner;

	if (stream == 1 && write(*to, bytes.s, bytes.n) < 0)
		_exit(52);
}

static _Noreturn void
run_cancelled(int to)
{
	struct arena a = { 0 };
	struct procset s;
	struct err err;

	exit_reply_prepare(STR(""), EXIT_BY_SIGNAL);
	procset_init(&s, &a, CANCELLED);
	for (size_t i = 0; i < CANCELLED; i++)
		if (procset_start(
			    &s,
			    &(struct proc_spec){ .argv = SH(cancelled[i]), .output = pass_on, .owner = &to },
			    &err) < 0)
			_exit(50);
	for (;;)
		procset_wait(&s, INT64_MAX);
}

static void
cancel_by(int signal_number)
{
	pid_t groups[CANCELLED], pid;
	char line[32];
	int ends[2], status;

	CHECK(pipe2(ends, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0)
		run_cancelled(ends[1]);
	(void)close(ends[1]);
	FILE *told = fdopen(ends[0], "r");

	for (size_t i = 0; i < CANCELLED; i++) {
		CHECK(fgets(line, sizeof(line), told));
		groups[i] = (pid_t)strtol(line, NULL, 10);
	}
	CHECK(kill(pid, signal_number) == 0);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
	(void)fclose(told);
	for (size_t i = 0; i < CANCELLED; i++)
		CHECK_ROW(strsignal(signal_number), is_gone(groups[i]));
}

TEST(a_signal_that_ends_us_ends_all_of_them)
{
	cancel_by(SIGTERM);
	cancel_by(SIGINT);
}
