/* SPDX-License-Identifier: MIT */
/* The second question that `holdfast explain` answers. */
#ifndef CMD_JOURNAL_EXPLAIN_H
#define CMD_JOURNAL_EXPLAIN_H

#include "cmd/command.h"

/* What the guards say about --command or --tool. */
command_fn explain_tool;

#endif
