/* SPDX-License-Identifier: MIT */
/* A hook always answers, even if a signal ends it: the answer for that case is prepared in advance and sent by the handler of
 * a signal (TERM, INT, HUP and others that would end us), after a crash, or when memory is exhausted. At most one answer is
 * ever written. Then running commands are ended (see os/warden.h), and registered files are removed. */
#ifndef OS_EXIT_REPLY_H
#define OS_EXIT_REPLY_H

#include "base/base.h"

/* Installs the handlers, and ignores SIGPIPE and SIGXFSZ, so that a failed write is an error. `text`, which must stay valid,
 * goes to stdout, and the process exits with exit_code. With EXIT_BY_SIGNAL it is not a hook: the text goes to stderr, and
 * the signal ends the process. Empty text: nothing is written. Another call replaces both. */
#define EXIT_BY_SIGNAL (-1)
void exit_reply_prepare(struct str text, int exit_code);
/* A line that is appended to the file when the prepared answer is sent. Both must stay valid; no path: none is. */
void exit_reply_note(const char *path, struct str line);
/* Writes the real answer to stdout, by one write if the reader takes it; the prepared one is not sent after that. Fails if it
 * could not be written completely, or if an answer was sent before. */
int exit_reply_send(struct str answer, struct err *err) MUST_CHECK;

/* For every long wait. A client that was killed sends no signal, but its end of our stdout is closed. Then a hook ends here as
 * by SIGHUP, together with its commands. Does nothing in a process that is not a hook (EXIT_BY_SIGNAL). */
void exit_if_orphaned(void);

/* Ends the process as by SIGALRM at this time on clock_mono_ms(): for work without a limit of its own, such as reading a file
 * that never ends. The limits of other work must end earlier. Another call replaces the time. */
void exit_at(int64_t ms);

/* A registered file, or directory if it is empty by then, is removed when a signal ends us: a lock, a marker. They are removed
 * in the order of registration. The path is copied. If there are more than EXIT_FILES, or the path is too long, or we are
 * killed, the file remains: its meaning must not depend on this alone. */
#define EXIT_FILES 8
void exit_register_file(const char *path);
void exit_unregister_file(const char *path);

#endif
