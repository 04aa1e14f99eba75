/* SPDX-License-Identifier: MIT */
/* Claude Code's transcripts, which other clients write, too. */
#ifndef CLIENT_CLIENT_CLAUDE_H
#define CLIENT_CLIENT_CLAUDE_H

#include "client/client.h"

transcript_line_fn claude_transcript_line;

#endif
