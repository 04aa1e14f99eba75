/* SPDX-License-Identifier: MIT */
/* Infinite mode: every stop that got this far is turned back. The client's own cap is its only bound. */
#include "policy/policies.h"

bool
infinite_policy(struct stop_context *s, struct verdict *ret)
{
	if (!s->conclaude || !s->conclaude->stop.is_infinite)
		return false;
	struct str message = s->conclaude->stop.infinite_message;

	buf_addf(&s->progress, "Infinite mode enabled, sending continuation message: " STR_FMT "\n",
		 STR_ARG(message));
	*ret = (struct verdict){ .status = STATUS_INFINITE, .reason = message };
	return true;
}
