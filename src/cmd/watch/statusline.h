/* SPDX-License-Identifier: MIT */
/* The line of `holdfast statusline`. */
#ifndef CMD_WATCH_STATUSLINE_H
#define CMD_WATCH_STATUSLINE_H

#include "cmd/watch/facts.h"

/* What a session should know about its project: its loop, the gates, what the next stop will do. Empty: nothing is
 * configured. Pure. */
struct str statusline_text(struct arena *a, const struct watch_project *p, struct str session, int64_t now_us,
			   bool has_colour);

#endif
