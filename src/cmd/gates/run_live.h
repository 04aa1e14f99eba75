/* SPDX-License-Identifier: MIT */
/* The live view of a run, for whoever sits at a terminal. */
#ifndef CMD_GATES_RUN_LIVE_H
#define CMD_GATES_RUN_LIVE_H

#include "task/runner.h"
#include "ui/live.h"

struct run_live {
	struct live view;
	struct run_watcher watcher;
	int64_t started_ms;
	bool is_open;
};

/* The watcher to give to a run; NULL where stderr is no terminal that can be redrawn, and plain lines do. */
const struct run_watcher *run_live_open(struct run_live *l);
/* Takes the view away; also the CLEANUP function. A zeroed struct is a closed one. */
void run_live_close(struct run_live *l);

#endif
