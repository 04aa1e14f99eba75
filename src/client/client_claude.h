/* SPDX-License-Identifier: MIT */
/* What of Claude Code's ways others have a use for beside its row. */
#ifndef CLIENT_CLIENT_CLAUDE_H
#define CLIENT_CLIENT_CLAUDE_H

#include "client/client.h"

transcript_line_fn claude_transcript_line;

/* What /proc has under this name of the process that runs the hook; absent: it did not say which that is, or is gone. */
struct str claude_process_file(struct arena *a, const char *name);

#endif
