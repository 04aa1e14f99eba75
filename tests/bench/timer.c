/* SPDX-License-Identifier: MIT */
/* Starts programs many times and measures how long they take. The contestants take turns, so that noise hits all alike. It stays small on
 * purpose: a child's peak memory, as the kernel counts it, begins with that of its parent.
 *
 *     timer ROUNDS SECONDS COUNT PLAN [DIR]
 *
 * ROUNDS turns, fewer when SECONDS are over, but three at least, or one where SECONDS is below 1; in each turn COUNT processes of a contestant start at once. The answer of
 * process I of contestant C in the last round is in DIR/C.I. Prints a line for each contestant: rounds, median and minimum in ns, median of
 * processor time in ns, peak in KiB, page faults, runs that failed; between them blanks.
 *
 * A line of the plan is: directory, input file, a shell command that is not measured and runs before each turn (may be empty), and the words
 * of the command, all separated by tabs. */
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
	const char *dir, *input, *before;
	char *argv[WORDS_MAX + 1];
	long long ns[ROUNDS_MAX], cpu_ns[ROUNDS_MAX];
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

		c->dir = strsep(&line, "\t");
		c->input = strsep(&line, "\t");
		c->before = strsep(&line, "\t");
		for (size_t i = 0; i < WORDS_MAX && line; i++)
			c->argv[i] = strsep(&line, "\t");
		errno = EINVAL;
		if (!c->argv[0])
			give_up(path);
	}
}

static pid_t
start(const struct contestant *c, char **argv, const char *input, const char *output)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, c->dir);
	posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	errno = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	if (errno)
		give_up(argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static void
prepare(const struct contestant *c)
{
	char *argv[] = { "/bin/sh", "-c", (char *)c->before, NULL };
	int status = 0;

	if (*c->before &&
	    (waitpid(start(c, argv, "/dev/null", "/dev/null"), &status, 0) < 0 || status != 0)) {
		errno = EINVAL;
		give_up(c->before);
	}
}

static void
one_turn(struct contestant *c, int round, int count, const char *dir)
{
	static pid_t pids[AT_ONCE_MAX];
	struct rusage usage;
	char path[4096] = "/dev/null";
	int status;

	prepare(c);
	long long began = now_ns();
	for (int i = 0; i < count; i++) {
		if (dir)
			snprintf(path, sizeof(path), "%s/%d.%d", dir, (int)(c - contestants), i);
		pids[i] = start(c, c->argv, c->input, path);
	}
	for (int i = 0; i < count; i++) {
		if (wait4(pids[i], &status, 0, &usage) < 0)
			give_up("wait4");
		c->failures += status != 0;
		c->cpu_ns[round] += (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
				    (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
		if (usage.ru_maxrss > c->peak_kib)
			c->peak_kib = usage.ru_maxrss;
		c->faults = usage.ru_minflt;
	}
	c->ns[round] = now_ns() - began;
}

static int
by_value(const void *a, const void *b)
{
	const long long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 4 ? atoi(argv[1]) : 0, count = argc > 4 ? atoi(argv[3]) : 0, round = 0;

	if (argc < 5 || argc > 6 || rounds < 1 || rounds > ROUNDS_MAX || count < 1 || count > AT_ONCE_MAX) {
		fputs("usage: timer ROUNDS SECONDS COUNT PLAN [DIR]\n", stderr);
		return 1;
	}
	read_plan(argv[4]);
	double seconds = atof(argv[2]);
	int least = seconds < 1 ? 1 : 3;
	long long end = now_ns() + (long long)(seconds * 1e9);
	for (; round < rounds && (round < least || now_ns() < end); round++)
		for (size_t i = 0; i < contestant_count; i++)
			one_turn(&contestants[(i + (size_t)round) % contestant_count], round, count, argv[5]);
	for (size_t i = 0; i < contestant_count; i++) {
		struct contestant *c = &contestants[i];

		qsort(c->ns, (size_t)round, sizeof(c->ns[0]), by_value);
		qsort(c->cpu_ns, (size_t)round, sizeof(c->cpu_ns[0]), by_value);
		printf("%d %lld %lld %lld %ld %ld %d\n", round, c->ns[round / 2], c->ns[0],
		       c->cpu_ns[round / 2], c->peak_kib, c->faults, c->failures);
	}
	return 0;
}
