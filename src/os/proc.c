/* SPDX-License-Identifier: MIT */
/* Runs programs. Waits for processes and never for the end of their pipes; every wait is bounded. While anything runs we are
 * a subreaper, so that we reap the killed children of a command. */
#include "os/proc.h"

#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "os/exit_reply.h"
#include "os/syscalls.h"
#include "os/warden.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often the state of a process without a pidfd is checked. */
#define ASK_MS 10
/* How often we check that the client still waits for our answer. */
#define ORPHANED_MS 1000
/* How long we wait for a killed process; one that hangs in the kernel is given up. */
#define REAP_MS 1000
/* Reads of one stream in one step, so that a child that never stops writing does not starve the others. */
#define STEP_READS 16

enum phase {
	RUNNING,
	ENDING, /* was sent TERM */
	KILLED,
	OVER,
};

struct proc {
	enum phase phase;
	pid_t pid;               /* and its group; 0: never started */
	int pidfd, in, out, err; /* -1: closed */
	struct str input;        /* not yet written */
	void (*output)(void *owner, int stream, struct str bytes);
	int status;                   /* of waitpid */
	bool is_reaped;               /* the leader is; others of the group may be alive */
	bool is_lost;                 /* its output or status could not be read */
	bool ends_daemons;            /* the spec's */
	int64_t started_ms, phase_ms; /* when this phase is over, whatever happens; INT64_MAX: never */
	int64_t grace_ms;
	struct proc_result result;
};

/* Polled descriptors of each process. */
#define FDS 4

static size_t running;

static void
end_running(void)
{
	if (--running == 0)
		(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

/* A pipe of which our end does not block. */
enum our_end { WE_READ, WE_WRITE };

static int
make_pipe(enum our_end which, int *ret_ours, int *ret_theirs, struct err *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(err, "no pipe");
	*ret_ours = ends[which];
	*ret_theirs = ends[1 - which];
	if (fcntl(*ret_ours, F_SETFL, O_NONBLOCK) < 0)
		return err_sys(err, "no pipe");
	return 0;
}

static int
launch_with_pipes(struct proc *p, struct arena *a, const struct proc_spec *spec, struct err *err)
{
	static int nothing = -1; /* for commands without input */
	CLEANUP(fd_close) int in = -1;
	CLEANUP(fd_close) int out = -1;
	CLEANUP(fd_close) int err_out = -1;
	int result = 0;

	if (p->input.s)
		result = make_pipe(WE_WRITE, &p->in, &in, err);
	else if (nothing < 0 && (nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
		result = err_sys(err, "/dev/null");
	if (result < 0 || make_pipe(WE_READ, &p->out, &out, err) < 0 ||
	    make_pipe(WE_READ, &p->err, &err_out, err) < 0)
		return err_wrap(err, "'%s' can't be run", spec->argv[0]);
	struct arena_mark mark = arena_mark(a);

	result = launch(a, spec, (const int[3]){ p->input.s ? in : nothing, out, err_out }, &p->pid, err);
	arena_reset(a, mark);
	return result;
}

static void
close_all(struct proc *p)
{
	fd_close(&p->pidfd);
	fd_close(&p->in);
	fd_close(&p->out);
	fd_close(&p->err);
}

int
procset_start(struct procset *s, const struct proc_spec *spec, struct err *err)
{
	struct sigaction normal = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };
	struct proc *p = arena_new(s->arena, struct proc);

	assert(s->count < s->max);
	*p = (struct proc){
		.pidfd = -1,
		.in = -1,
		.out = -1,
		.err = -1,
		.input = spec->input,
		.output = spec->output,
		.status = SIGKILL, /* an unknown status is a failure */
		.started_ms = clock_mono_ms(),
		.grace_ms = spec->grace_ms,
		.ends_daemons = spec->ends_daemons,
		.result = { .owner = spec->owner },
	};
	if (!spec->forgets_output) {
		capture_init(&p->result.out, s->arena, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
		capture_init(&p->result.err, s->arena, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	}
	/* When it must end, and the result in that case. */
	p->phase_ms = INT64_MAX;
	p->result.end = PROC_TIMED_OUT;
	if (spec->timeout_ms > 0 && spec->timeout_ms < INT64_MAX - p->started_ms)
		p->phase_ms = p->started_ms + spec->timeout_ms;
	if (spec->deadline_ms > 0 && spec->deadline_ms < p->phase_ms) {
		p->phase_ms = spec->deadline_ms;
		p->result.end = PROC_DEADLINE;
	}
	if (running++ == 0) {
		/* If our parent ignored SIGCHLD, the status of children would be lost. */
		(void)sigaction(SIGCHLD, &normal, NULL);
		/* A child that does not read its input must not end us. */
		(void)sigaction(SIGPIPE, &ignore, NULL);
		(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	}
	if (p->phase_ms <= p->started_ms) {
		p->phase = OVER;
	} else if (launch_with_pipes(p, s->arena, spec, err) < 0) {
		close_all(p);
		end_running();
		return -1;
	} else {
		p->pidfd = sys_pidfd_open(p->pid); /* -1 if not supported: then we poll its state */
	}
	s->procs[s->count++] = p;
	return 0;
}

/* Reads what is available in stream 1 or 2, up to `most` bytes. */
static void
drain(struct proc *p, int stream, size_t most)
{
	int *fd = stream == 1 ? &p->out : &p->err;
	struct capture *copy = stream == 1 ? &p->result.out : &p->result.err;
	char bytes[KIB(64)];

	while (*fd >= 0 && most > 0) {
		ssize_t n = read(*fd, bytes, most < sizeof(bytes) ? most : sizeof(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			p->is_lost |= n < 0;
			fd_close(fd);
			return;
		}
		capture_put(copy, (struct str){ bytes, (size_t)n });
		if (p->output)
			p->output(p->result.owner, stream, (struct str){ bytes, (size_t)n });
		most -= (size_t)n;
	}
}

/* Writes as much input as fits. A child that closes its stdin early decides by its exit code whether that is a failure. */
static void
feed(struct proc *p)
{
	while (p->in >= 0 && p->input.n > 0) {
		ssize_t n = write(p->in, p->input.s, p->input.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		p->input = n < 0 ? STR("") : str_rest(p->input, (size_t)n);
	}
	fd_close(&p->in);
}

static bool
has_leader_ended(const struct proc *p)
{
	siginfo_t info = { 0 };

	if (p->is_reaped)
		return true;
	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return errno == ECHILD;
	return info.si_pid != 0;
}

/* Reaps processes that have ended; true if none of the group is left. While one of them is our child, alive or not yet reaped,
 * the group's number can't be reused. */
static bool
reap(struct proc *p)
{
	pid_t pid = 0;

	if (!p->is_reaped) {
		pid = waitpid(p->pid, &p->status, WNOHANG);
		p->is_reaped = pid != 0;
		p->is_lost |= pid < 0;
		fd_close(&p->pidfd); /* poll would always report it as ready */
	}
	if (!p->is_reaped)
		return false;
	do
		pid = waitpid(-p->pid, NULL, WNOHANG);
	while (pid > 0);
	return pid < 0 && !group_signal(p->pid, 0);
}

static void
enter_ending(struct proc *p)
{
	group_terminate(p->pid);
	p->phase = ENDING;
	p->phase_ms = clock_mono_ms() + p->grace_ms;
}

/* Handles the results of poll. */
static void
step(struct proc *p, const struct pollfd fds[FDS])
{
	if (p->phase == OVER)
		return;
	if (fds[1].revents)
		drain(p, 1, STEP_READS * KIB(64));
	if (fds[2].revents)
		drain(p, 2, STEP_READS * KIB(64));
	if (fds[3].revents)
		feed(p);
	/* After TERM, the group has all of its grace time, even if its leader ends earlier. */
	if ((p->pidfd < 0 || fds[0].revents) && has_leader_ended(p) && (p->phase != ENDING || reap(p))) {
		p->result.end = p->phase == RUNNING ? PROC_EXITED : p->result.end;
		p->phase = OVER;
	} else if (p->phase_ms < INT64_MAX && clock_mono_ms() >= p->phase_ms) {
		if (p->phase == RUNNING) {
			enter_ending(p);
		} else if (p->phase == ENDING) {
			group_kill(p->pid);
			p->phase = KILLED;
			p->phase_ms = clock_mono_ms() + REAP_MS;
		} else {
			p->phase = OVER;
		}
	}
}

/* Reads what is in the pipe now. A process that left the group could write for ever. */
static void
drain_rest(struct proc *p, int stream)
{
	int fd = stream == 1 ? p->out : p->err, there = 0;

	if (fd >= 0 && ioctl(fd, FIONREAD, &there) == 0 && there > 0)
		drain(p, stream, (size_t)there);
}

static bool
is_held(int fd)
{
	struct pollfd pipe = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&pipe, 1, 0) >= 0 && !(pipe.revents & POLLHUP);
}

static void
end_group(struct proc *p)
{
	int64_t give_up_at = clock_mono_ms() + REAP_MS;

	if (!p->is_reaped)
		(void)group_signal(p->pid, SIGKILL);
	drain_rest(p, 1);
	drain_rest(p, 2);
	warden_release(p->pid);
	while (!reap(p) && clock_mono_ms() < give_up_at)
		(void)poll(NULL, 0, 1);
	if (p->ends_daemons || p->result.end != PROC_EXITED)
		adopted_end(p->pid, p->ends_daemons && running == 1, give_up_at);
	/* A process that still holds our pipes has left the group, but may be in our session. The leader is reaped: if its
	 * number is in use again, it may be another group. */
	if ((is_held(p->out) || is_held(p->err)) && kill(p->pid, 0) < 0 && errno == ESRCH)
		group_kill_rest(p->pid, getsid(0));
}

void
procset_init(struct procset *s, struct arena *a, size_t max)
{
	*s = (struct procset){
		.arena = a,
		.procs = arena_array(a, max, struct proc *),
		.fds = arena_array(a, max * FDS + 1, struct pollfd),
		.max = max,
		.also = -1,
	};
}

void
procset_wait(struct procset *s, int64_t until_ms)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct proc *p = s->procs[i];
		struct pollfd *fds = &s->fds[i * FDS];
		int64_t ask_ms = p->pidfd < 0 ? clock_mono_ms() + ASK_MS : INT64_MAX;

		fds[0] = (struct pollfd){ .fd = p->pidfd, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = p->out, .events = POLLIN };
		fds[2] = (struct pollfd){ .fd = p->err, .events = POLLIN };
		fds[3] = (struct pollfd){ .fd = p->in, .events = POLLOUT };
		if (p->phase == OVER || p->phase_ms < ask_ms)
			ask_ms = p->phase == OVER ? 0 : p->phase_ms;
		until_ms = ask_ms < until_ms ? ask_ms : until_ms;
	}
	struct pollfd *also = &s->fds[s->count * FDS];

	*also = (struct pollfd){ .fd = s->also, .events = POLLIN };
	int64_t left = until_ms == INT64_MAX ? ORPHANED_MS : until_ms - clock_mono_ms();
	size_t count = s->count * FDS + (s->also >= 0);

	exit_if_orphaned();
	if (left < 0)
		left = 0;
	if (poll(s->fds, count, left > ORPHANED_MS ? ORPHANED_MS : (int)left) < 0 && errno != EINTR) {
		/* No memory for poll: try all descriptors, after a pause. */
		for (size_t i = 0; i < count; i++)
			s->fds[i].revents = s->fds[i].events;
		(void)usleep(ASK_MS * 1000);
	}
	s->is_also_ready = s->also >= 0 && also->revents != 0;
	for (size_t i = 0; i < s->count; i++)
		step(s->procs[i], &s->fds[i * FDS]);
}

bool
procset_take(struct procset *s, struct proc_result *ret)
{
	for (size_t i = 0; i < s->count; i++) {
		struct proc *p = s->procs[i];

		if (p->phase != OVER)
			continue;
		if (p->pid > 0)
			end_group(p);
		if (p->result.end == PROC_EXITED && p->is_lost) {
			p->result.end = PROC_LOST;
		} else if (p->result.end == PROC_EXITED && WIFSIGNALED(p->status)) {
			p->result.end = PROC_SIGNALED;
			p->result.code = WTERMSIG(p->status);
		} else if (p->result.end == PROC_EXITED) {
			p->result.code = WEXITSTATUS(p->status);
		}
		p->result.elapsed_ms = clock_mono_ms() - p->started_ms;
		close_all(p);
		end_running();
		*ret = p->result;
		s->count--;
		memmove(&s->procs[i], &s->procs[i + 1], (s->count - i) * sizeof(*s->procs));
		return true;
	}
	return false;
}

void
procset_stop(struct procset *s, const void *owner, int64_t grace_ms)
{
	for (size_t i = 0; i < s->count; i++) {
		struct proc *p = s->procs[i];

		if (p->phase != RUNNING || (owner && p->result.owner != owner))
			continue;
		p->result.end = PROC_DEADLINE;
		p->grace_ms = grace_ms;
		enter_ending(p);
	}
}

int
proc_run(struct arena *a, const struct proc_spec *spec, struct proc_result *ret, struct err *err)
{
	struct procset one;

	procset_init(&one, a, 1);
	if (procset_start(&one, spec, err) < 0)
		return -1;
	while (!procset_take(&one, ret))
		procset_wait(&one, INT64_MAX);
	return 0;
}

size_t
cpu_count(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (size_t)CPU_COUNT(&set);
	/* The machine has more cores than the set has room for. */
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return online > 0 ? (size_t)online : 1;
}

size_t
runnable_count(void)
{
	char text[64]; /* 0.42 0.36 0.29 3/512 12345 */
	CLEANUP(fd_close) int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));
	struct str rest = { text, n > 0 ? (size_t)n : 0 }, word;
	uint64_t count = 0;

	for (int i = 0; i < 3; i++)
		(void)str_next(&rest, ' ', &word);
	return str_next(&rest, '/', &word) && number_parse(word, &count) ? (size_t)count : 0;
}
