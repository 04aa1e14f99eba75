/* SPDX-License-Identifier: MIT */
/* The parts of Claude Code's row that other files use. */
#ifndef CLIENT_CLIENT_CLAUDE_H
#define CLIENT_CLIENT_CLAUDE_H

#include "client/client.h"

transcript_line_fn claude_transcript_line;

/* A file below /proc/PID of the Claude Code process that runs the hook; absent: its number is unknown, or it is gone. */
struct str claude_process_file(struct arena *a, const char *name);

#endif
