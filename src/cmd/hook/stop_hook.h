/* SPDX-License-Identifier: MIT */
/* The stop decision as a command. */
#ifndef CMD_HOOK_STOP_HOOK_H
#define CMD_HOOK_STOP_HOOK_H

#include "cmd/command.h"
#include "policy/chain.h"

/* Reads the event, asks the chain as that door, answers in that door's dialect. */
int stop_hook_run(struct arena *a, const struct invocation *inv, enum door door);

#endif
