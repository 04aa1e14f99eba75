/* SPDX-License-Identifier: MIT */
/* What the tools that read the results journal share. */
#ifndef CMD_MCP_RESULTS_H
#define CMD_MCP_RESULTS_H

#include "cmd/mcp/mcp.h"
#include "record/record.h"

/* The record of the project in the current directory. -1: the call was answered with the error. */
int results_load(const struct call *c, struct record *ret) MUST_CHECK;
/* An integer among the arguments, or `fallback` where there is none. */
int64_t argument_int(const struct call *c, const char *name, int64_t fallback);

#endif
