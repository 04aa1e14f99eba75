/* SPDX-License-Identifier: MIT */
/* A run as it looks on a terminal, and what is left of that in a pipe. */
#include "test.h"

#include "base/buf.h"
#include "cmd/gates/gates.h"
#include "gates/check.h"
#include "gates/console.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/live.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A run of two checks whose stderr is `fd`; its console log. */
static struct str
run_on(struct arena *a, int fd)
{
	struct str root = str_from(test_dir()), text = STR_NONE;
	struct gates_config config = { .root = root, .dialect = &dialects[DIALECT_GAUNTLET] };
	struct logdir logs = { .path = root, .shown = STR("logs"), .dialect = &dialects[DIALECT_GAUNTLET] };
	struct gate gates[] = {
		{ .name = STR("one"), .command = STR("sleep 0.3"), .is_parallel = true },
		{ .name = STR("two"), .command = STR("exit 3"), .is_parallel = true },
	};
	struct job jobs[] = {
		{ .id = STR("check:.:one"), .file_part = STR("one"), .dir = STR("."), .gate = &gates[0] },
		{ .id = STR("check:.:two"), .file_part = STR("two"), .dir = STR("."), .gate = &gates[1] },
	};
	struct task tasks[2];
	struct fix_report fixes = { .runs = 1 };
	struct console c;
	struct err err;
	int64_t run = 1;
	int old = dup(2);

	CHECK(dup2(fd, 2) == 2);
	struct live live;
	struct console_view view = live_view(&live);
	bool has_view = tty_can_redraw(2);

	if (has_view)
		live_open(&live, 2, clock_mono_ms());
	console_init(&c, a, false, has_view ? &view : NULL);
	int result = console_open(&c, &logs, &run, &err);

	for (size_t i = 0; i < 2; i++)
		check_prepare(a, &config, &jobs[i], &(struct check_facts){ .base_branch = STR("main") },
			      &tasks[i]);
	struct run_watcher w = console_watcher(&c);
	struct runner r = { .arena = a,
			    .tasks = tasks,
			    .count = 2,
			    .logs = &logs,
			    .run = 1,
			    .allows_parallel = true,
			    .max_parallel = 2,
			    .watcher = &w };

	(void)runner_run(&r);
	if (has_view)
		live_close(&live);
	console_summary(&c, &(struct run_summary){ .fixes = &fixes,
						   .results = task_results(a, tasks, 2),
						   .count = 2,
						   .status = STATUS_FAILED });
	console_close(&c);
	(void)dup2(old, 2);
	(void)close(old);
	CHECK(result == 0 && fs_read(a, c.path.s, MIB(1), &text, &err) == 0);
	return text;
}

static bool
has(struct str text, const char *part)
{
	return str_find(text, str_from(part)) >= 0;
}

/* All that was written to the terminal; there is little of it, so nobody had to wait. */
static struct str
read_terminal(struct arena *a, int master)
{
	char bytes[KIB(64)];
	struct buf b = BUF(a, MIB(1));
	ssize_t n;

	CHECK(fcntl(master, F_SETFL, O_NONBLOCK) == 0);
	while ((n = read(master, bytes, sizeof(bytes))) > 0)
		buf_add(&b, (struct str){ bytes, (size_t)n });
	return buf_str(&b);
}

TEST(on_a_terminal_a_run_shows_what_is_under_way)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);

	CHECK(slave >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0);
	struct str term = str_copy(&a, str_from(getenv("TERM"))),
		   no_color = str_copy(&a, str_from(getenv("NO_COLOR")));

	(void)setenv("TERM", "xterm", 1);
	(void)unsetenv("NO_COLOR");
	struct str log = run_on(&a, slave), shown = read_terminal(&a, master);

	(void)(term.s ? setenv("TERM", term.s, 1) : unsetenv("TERM"));
	if (no_color.s)
		(void)setenv("NO_COLOR", no_color.s, 1);
	(void)close(slave);
	(void)close(master);
	CHECK(has(shown, "\033[33m1 running\033[0m"));
	CHECK(has(shown, "check:.:one"));
	CHECK(has(shown, "\033[31m[FAIL]\033[0m  check:.:two ("));
	CHECK(!has(shown, "[START]"));
	CHECK(has(shown, "Status: Failed"));
	CHECK(str_starts(log, STR("[START] check:.:one\n[START] check:.:two\n[FAIL]  check:.:two (")));
	CHECK(str_find_char(log, '\033') < 0);
}

TEST(in_a_pipe_a_run_has_plain_lines)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int ends[2];
	char bytes[KIB(8)];

	CHECK(pipe2(ends, O_CLOEXEC) == 0);
	struct str log = run_on(&a, ends[1]);
	ssize_t n = read(ends[0], bytes, sizeof(bytes));

	(void)close(ends[0]);
	(void)close(ends[1]);
	CHECK(n > 0);
	CHECK_STR(((struct str){ bytes, (size_t)n }), log.s);
	CHECK(str_starts(log, STR("[START] check:.:one\n[START] check:.:two\n[FAIL]  check:.:two (")));
}
