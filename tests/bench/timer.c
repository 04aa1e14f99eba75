/* SPDX-License-Identifier: MIT */
/* Starts programs many times and says how long they took. The contestants take turns, so that noise hits all alike.
 * It stays small on purpose: a child's peak memory, as the kernel counts it, begins with that of its parent.
 *
 *     timer ROUNDS PLAN            one line a contestant: name, median in ns, peak in KiB, runs that failed,
 *                                  page faults of the last one
 *     timer --at-once N PLAN DIR   N of the plan's first at the same time, answers in DIR/0 ...: ns for all, failures
 *
 * A line of the plan is: name, directory, input file, command; between them tabs, in the command spaces. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTESTANTS_MAX 64
#define ROUNDS_MAX 4096
#define AT_ONCE_MAX 1024
#define WORDS_MAX 32

extern char **environ;

struct contestant {
	char *name, *dir, *input;
	char *argv[WORDS_MAX + 1];
	long long ns[ROUNDS_MAX];
	long peak_kib, faults;
	int failures;
};

static struct contestant contestants[CONTESTANTS_MAX];
static size_t contestant_count;
static char plan[65536];

static void
give_up(const char *what)
{
	fprintf(stderr, "timer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
read_plan(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, plan, sizeof(plan) - 1);
	char *at = plan, *line;

	if (n < 0)
		give_up(path);
	close(fd);
	while ((line = strsep(&at, "\n")) && *line && contestant_count < CONTESTANTS_MAX) {
		struct contestant *c = &contestants[contestant_count++];

		c->name = strsep(&line, "\t");
		c->dir = strsep(&line, "\t");
		c->input = strsep(&line, "\t");
		for (size_t i = 0; i < WORDS_MAX && line; i++)
			c->argv[i] = strsep(&line, " ");
		if (!c->argv[0]) {
			errno = EINVAL;
			give_up(path);
		}
	}
}

/* Output goes to a file of its own, or nowhere. */
static pid_t
start(const struct contestant *c, const char *output)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, c->dir);
	posix_spawn_file_actions_addopen(&actions, 0, c->input, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0600);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	errno = posix_spawnp(&pid, c->argv[0], &actions, NULL, c->argv, environ);
	if (errno)
		give_up(c->argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static int
by_value(const void *a, const void *b)
{
	const long long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
run_in_turns(int rounds)
{
	for (int round = 0; round < rounds; round++) {
		for (size_t i = 0; i < contestant_count; i++) {
			struct contestant *c = &contestants[(i + (size_t)round) % contestant_count];
			struct rusage usage;
			int status;
			long long began = now_ns();
			pid_t pid = start(c, "/dev/null");

			if (wait4(pid, &status, 0, &usage) < 0)
				give_up("wait4");
			c->ns[round] = now_ns() - began;
			c->failures += status != 0;
			if (usage.ru_maxrss > c->peak_kib)
				c->peak_kib = usage.ru_maxrss;
			c->faults = usage.ru_minflt;
		}
	}
	for (size_t i = 0; i < contestant_count; i++) {
		struct contestant *c = &contestants[i];

		qsort(c->ns, (size_t)rounds, sizeof(c->ns[0]), by_value);
		printf("%s\t%lld\t%ld\t%d\t%ld\n", c->name, c->ns[rounds / 2], c->peak_kib, c->failures,
		       c->faults);
	}
}

static void
run_at_once(int count, const char *dir)
{
	static pid_t pids[AT_ONCE_MAX];
	char path[4096];
	int status, failures = 0;
	long long began = now_ns();

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%d", dir, i);
		pids[i] = start(&contestants[0], path);
	}
	for (int i = 0; i < count; i++)
		failures += waitpid(pids[i], &status, 0) < 0 || status != 0;
	printf("%lld\t%d\n", now_ns() - began, failures);
}

int
main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "--at-once") == 0 && atoi(argv[2]) <= AT_ONCE_MAX) {
		read_plan(argv[3]);
		run_at_once(atoi(argv[2]), argv[4]);
	} else if (argc == 3 && atoi(argv[1]) > 0 && atoi(argv[1]) <= ROUNDS_MAX) {
		read_plan(argv[2]);
		run_in_turns(atoi(argv[1]));
	} else {
		fputs("usage: timer ROUNDS PLAN | timer --at-once N PLAN DIR\n", stderr);
		return 1;
	}
	return 0;
}
