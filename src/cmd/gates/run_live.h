/* SPDX-License-Identifier: MIT */
/* The live view of a run on a terminal. */
#ifndef CMD_GATES_RUN_LIVE_H
#define CMD_GATES_RUN_LIVE_H

#include "gates/console.h"
#include "ui/live.h"

struct run_live {
	struct live live;
	struct console_view view;
	bool is_open;
};

/* The view to give to a run; NULL where stderr is not a terminal that can be redrawn. */
const struct console_view *run_live_open(struct run_live *l);
/* Erases the view. A zeroed struct is a closed one. */
void run_live_close(struct run_live *l);

#endif
