/* SPDX-License-Identifier: MIT */
/* Connects the console of a run to the live view. */
#include "cmd/gates/run_live.h"

#include "os/clock.h"
#include "os/env.h"

static void
draw(void *context, const struct gate_result *results, size_t count)
{
	live_draw(context, results, count, clock_mono_ms());
}

static void
print(void *context, struct str lines)
{
	live_print(context, lines);
}

const struct console_view *
run_live_open(struct run_live *l)
{
	*l = (struct run_live){ 0 };
	if (!tty_can_redraw(2))
		return NULL;
	live_open(&l->live, 2, clock_mono_ms());
	l->is_open = true;
	l->view = (struct console_view){ .context = &l->live, .draw = draw, .print = print };
	return &l->view;
}

void
run_live_close(struct run_live *l)
{
	if (l->is_open)
		live_close(&l->live);
	l->is_open = false;
}
