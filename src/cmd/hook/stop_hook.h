/* SPDX-License-Identifier: MIT */
/* The stop decision as a command. */
#ifndef CMD_HOOK_STOP_HOOK_H
#define CMD_HOOK_STOP_HOOK_H

#include "cmd/command.h"
#include "policy/chain.h"

/* Reads the event, asks the policies of that front end, and answers in its dialect. */
int stop_hook_run(struct arena *a, const struct invocation *inv, enum front_end front_end);

#endif
