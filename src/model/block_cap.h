/* SPDX-License-Identifier: MIT */
/* The warning that a client ends the turn before everything configured has blocked its stops. Pure. */
#ifndef MODEL_BLOCK_CAP_H
#define MODEL_BLOCK_CAP_H

#include "base/base.h"

/* Claude Code's limit, for code that may not include client/. */
#define CLAUDE_BLOCK_CAP 8
#define CLAUDE_BLOCK_CAP_NAME "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
/* A loop without a limit blocks any number of stops. */
#define BLOCKS_ENDLESS UINT64_MAX

struct block_cap {
	uint64_t blocks;         /* stops in a row that may be blocked; a loop of N iterations blocks N - 1 */
	struct str parts;        /* by what, in brackets; absent: not shown */
	const char *title;       /* the client's */
	uint64_t cap;            /* blocks in a row that the client accepts; 0: any number */
	bool is_reset_by_a_tool; /* a tool call resets its count */
};

bool block_cap_is_low(const struct block_cap *c);
/* One sentence, without its full stop. */
struct str block_cap_text(struct arena *a, const struct block_cap *c);

#endif
