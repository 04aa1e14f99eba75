/* SPDX-License-Identifier: MIT */
/* What is said where a client ends the turn before all that is set up has turned its stops back. Pure. */
#ifndef MODEL_BLOCK_CAP_H
#define MODEL_BLOCK_CAP_H

#include "base/base.h"

/* Claude Code's own number, for who can't ask the clients. */
#define CLAUDE_BLOCK_CAP 8
#define CLAUDE_BLOCK_CAP_NAME "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
/* A loop without a limit turns back any number of stops. */
#define BLOCKS_ENDLESS UINT64_MAX

struct block_cap {
	uint64_t blocks;   /* stops in a row that may be turned back; a loop of N passes turns back N - 1 */
	struct str parts;  /* by what, as a bracket; absent: not told */
	const char *title; /* the client's */
	uint64_t cap;      /* stops in a row that the client lets us turn back; 0: any number */
	bool is_reset_by_a_tool; /* its count begins anew with a tool call */
};

bool block_cap_is_low(const struct block_cap *c);
/* One sentence, without its full stop. */
struct str block_cap_text(struct arena *a, const struct block_cap *c);

#endif
