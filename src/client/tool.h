/* SPDX-License-Identifier: MIT */
/* The tools of all clients: which of them run commands, which write files, and where their arguments are. Pure. */
#ifndef CLIENT_TOOL_H
#define CLIENT_TOOL_H

#include "model/event.h"

/* The tool of a tool's event, whichever client sent it. An event of its own for a shell command or an edited file counts as
 * one of a tool. The name is absent where the event is about no tool. */
struct tool_call tool_read(struct arena *a, const struct node *payload);
/* Claude Code's names for a tool of another client, which rules are written with, the usual one first and NULL after the last;
 * none for a tool of its own. */
const char *const *tool_aliases(const struct tool_call *t);
/* May it change the files that it names? A tool that is not known may, unless its name says that it reads. */
bool tool_writes(const struct tool_call *t);

#endif
