/* SPDX-License-Identifier: MIT */
/* Steers loops through their files, under their locks, and starts holdfast itself for the rest. */
#include "cmd/watch/watch.h"

#include "cmd/loop/loop.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#define OUTPUT_BYTES KIB(64)

static struct str
answer(struct arena *a, const struct err *err)
{
	return strip_escapes_line(a, str_copy(a, str_from(err->msg)));
}

struct str
act_on_loop(struct arena *a, struct str path, enum act what)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	bool is_active = what == ACT_RESUME;
	struct err err;

	if (loop_open(a, path, &l, &err) < 0)
		return answer(a, &err);
	if (l.file.fd < 0)
		return STR("the loop has ended");
	if (what == ACT_CANCEL) {
		uint64_t completed = l.state.iteration > 0 ? l.state.iteration - 1 : 0;

		return loop_end(a, &l, path, completed, "cancelled", &err) < 0
			       ? answer(a, &err)
			       : str_cat(a, "the loop is cancelled; ", completed,
					 " iterations were completed");
	}
	if (l.is_corrupt)
		return loop_problem(a, path, &l.why_corrupt);
	if (l.state.is_paused != is_active)
		return is_active ? STR("the loop is not paused") : STR("the loop is paused already");
	if (ralph_write(a, &l, path, loop_state_with_active(a, &l.state, is_active), &err) < 0)
		return answer(a, &err);
	return str_cat(a, is_active ? "the loop continues" : "the loop is paused", " at iteration ",
		       l.state.iteration);
}

struct str
act_run_gate(struct arena *a, const struct overview *p, struct str gate, struct act_run *ret)
{
	struct str self = env_self(a);
	const char *argv[] = { self.s, "run", "--", str_copy(a, gate).s, NULL };
	CLEANUP(fd_close) int fd = -1;
	struct err err;

	if (ret->pid != 0 || p->is_running)
		return STR("a run is in progress; wait until it has ended");
	fd = memfd_create("holdfast-run", MFD_CLOEXEC);
	if (fd < 0 || !self.s)
		return STR("the run could not be started");
	if (job_start(argv, p->gates_root.s, fd, &ret->pid, &err) < 0)
		return answer(a, &err);
	ret->fd = fd;
	fd = -1;
	(void)snprintf(ret->gate, sizeof(ret->gate), STR_FMT,
		       STR_ARG(utf8_head(gate, sizeof(ret->gate) - 1)));
	return str_cat(a, gate, " runs");
}

struct str
act_run_ended(struct arena *a, struct act_run *r)
{
	char *bytes = arena_bytes(a, OUTPUT_BYTES);
	struct str text, line, last = STR("");
	bool is_ok;
	size_t n = 0;

	if (r->pid == 0 || !job_has_ended(r->pid, &is_ok))
		return STR_NONE;
	if (fd_read_at(r->fd, 0, bytes, OUTPUT_BYTES, &n, IGNORED) < 0)
		n = 0;
	fd_close(&r->fd);
	r->pid = 0;
	text = (struct str){ bytes, n };
	while (str_next(&text, '\n', &line))
		last = line.n > 0 ? line : last;
	last = strip_escapes_line(a, last);
	return str_cat(a, r->gate, " ", is_ok ? "ended: " : "did not pass: ", last);
}

static struct str
page(struct arena *a, const char *const *argv, int signals)
{
	struct err err;

	return job_run(argv, signals, &err) < 0 ? answer(a, &err) : STR_NONE;
}

/* The pager takes the place of the shell, so that it is the process that we end. */
#define PAGER "pager=${PAGER:-$(command -v less || command -v more || echo cat)}; exec $pager "

struct str
act_page_file(struct arena *a, struct str path, int signals)
{
	const char *argv[] = { "/bin/sh", "-c", PAGER "\"$1\"", "sh", str_copy(a, path).s, NULL };

	return page(a, argv, signals);
}

struct str
act_page_session(struct arena *a, struct str root, struct str session, int signals)
{
	const char *self = env_self(a).s,
		   *line = PAGER "<<END\n$(\"$1\" log --project=\"$2\" --session=\"$3\")\nEND\n";
	const char *argv[] = { "/bin/sh", "-c", line, "sh", self, str_copy(a, root).s, str_copy(a, session).s,
			       NULL };

	return self ? page(a, argv, signals) : STR("holdfast itself was not found");
}
