/* SPDX-License-Identifier: MIT */
/* model-tests BINARY SEED[-LAST]: plays the sessions of these seeds and prints a line of TAP for each. A session that fails
 * is played again with fewer and fewer events; the shortest list that still fails is printed.
 *
 *     MODEL_KEEP=1     keeps the directory of a session that failed, in TMPDIR
 *     MODEL_STORY=1    prints the events of every session
 *     MODEL_ANSWERS=1  prints every answer, and leaves out events that race; see tests/model/against
 */
#include "model.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Permissions of directories do not apply to root, so the sessions run as another user. */
#define PLAIN_UID 54321

static struct {
	struct str dir, binary;
	unsigned long long sessions, events;
} all;

static bool
play_seed(struct arena *a, const struct plan *plan, const bool *mask, struct play *p)
{
	struct str dir = str_fmt(a, STR_FMT "/%llu", STR_ARG(all.dir), (unsigned long long)plan->seed);

	*p = (struct play){ .arena = a,
			    .plan = plan,
			    .config = plan->config,
			    .written = plan->config,
			    .wrong = BUF(a, SIZE_MAX),
			    .story = BUF(a, SIZE_MAX) };
	world_remove(dir);
	world_make(&p->world, a, all.binary.s, dir, &plan->config);
	p->model = (struct model){ .world = &p->world,
				   .config = &p->config,
				   .gates = { .is_passed_at_known = true, .is_start_known = true } };
	bool is_right = play_session(p, mask);

	all.sessions++;
	all.events += p->played;
	if (is_right || !getenv("MODEL_KEEP"))
		world_remove(dir);
	return is_right;
}

/* Does the session still fail without the events [from, from + count)? */
static bool
fails_without(const struct plan *plan, bool *mask, size_t from, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	bool fewer[EVENTS_MOST], is_fewer = false;
	struct play p;

	memcpy(fewer, mask, sizeof(fewer));
	for (size_t i = from; i < from + count && i < plan->count; i++) {
		is_fewer |= fewer[i];
		fewer[i] = false;
	}
	if (!is_fewer || play_seed(&a, plan, fewer, &p))
		return false;
	memcpy(mask, fewer, sizeof(fewer));
	return true;
}

static void
shrink(const struct plan *plan, bool *mask)
{
	static const size_t sizes[] = { 16, 8, 4, 2, 1, 1 };

	for (size_t k = 0; k < COUNT_OF(sizes); k++)
		for (size_t from = 0; from < plan->count; from += sizes[k])
			(void)fails_without(plan, mask, from, sizes[k]);
}

static void
print_comment(struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line))
		printf("# " STR_FMT "\n", STR_ARG(line));
}

/* Can the same events end in several ways, because processes are killed or run at the same time? */
static bool
is_race(enum kind kind)
{
	return kind == EV_ENDED || kind == EV_TWO || kind == EV_WAIT || kind == EV_DISTURB;
}

static bool
try_seed(uint64_t seed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	bool mask[EVENTS_MOST];
	struct plan plan;
	struct play p, shorter;

	memset(mask, true, sizeof(mask));
	plan_draw(&plan, seed);
	for (size_t i = 0; getenv("MODEL_ANSWERS") && i < plan.count; i++)
		mask[i] = !is_race(plan.events[i].kind);
	bool is_right = play_seed(&a, &plan, mask, &p);

	printf("%sok %llu - %zu events: " STR_FMT "\n", is_right ? "" : "not ", (unsigned long long)seed,
	       p.played, STR_ARG(config_text(&a, &plan.config)));
	print_comment(buf_str(&p.wrong));
	if (!is_right || getenv("MODEL_STORY"))
		print_comment(buf_str(&p.story));
	if (!is_right) {
		printf("# shortest:\n");
		(void)fflush(stdout); /* shrinking may take a while */
		shrink(&plan, mask);
		if (play_seed(&a, &plan, mask, &shorter))
			printf("# (not every time)\n");
		print_comment(buf_str(&shorter.story));
		print_comment(buf_str(&shorter.wrong));
	}
	(void)fflush(stdout);
	return is_right;
}

static bool
copy_binary(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	struct stat st;

	if (in < 0 || out < 0 || fstat(in, &st) < 0)
		return false;
	for (off_t left = st.st_size; left > 0;) {
		ssize_t n = sendfile(out, in, NULL, (size_t)left);

		if (n <= 0)
			return false;
		left -= n;
	}
	return close(in) == 0 && close(out) == 0;
}

static bool
prepare(struct arena *a, const char *binary)
{
	const char *tmp = getenv("TMPDIR");
	struct str name = str_fmt(a, "%s/holdfast-model.XXXXXX", tmp ? tmp : "/tmp");
	char *dir = arena_bytes(a, name.n + 1);

	memcpy(dir, name.s, name.n + 1);
	if (!mkdtemp(dir) || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return false;
	all.dir = str_from(dir);
	all.binary = str_fmt(a, "%s/holdfast", dir);
	if (!copy_binary(binary, all.binary.s))
		return false;
	if (geteuid() == 0 &&
	    (chown(dir, PLAIN_UID, PLAIN_UID) < 0 || setgid(PLAIN_UID) < 0 || setuid(PLAIN_UID) < 0))
		return false;
	return true;
}

int
main(int argc, char **argv)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int failed = 0;

	char *end = NULL;
	unsigned long long first = argc == 3 ? strtoull(argv[2], &end, 10) : 0, last = first;

	if (end && *end == '-')
		last = strtoull(end + 1, &end, 10);
	if (!end || *end != '\0' || end == argv[2] || last < first) {
		(void)fprintf(stderr, "usage: model-tests BINARY SEED[-LAST]\n");
		return 1;
	}

	if (!prepare(&a, argv[1])) {
		perror("model-tests");
		return 1;
	}
	printf("1..%llu\n", last - first + 1);
	for (unsigned long long seed = first; seed <= last; seed++)
		failed |= !try_seed(seed);
	printf("# %llu sessions, %llu events\n", all.sessions, all.events);
	(void)unlink(all.binary.s);
	(void)rmdir(all.dir.s);
	return failed;
}
