/* SPDX-License-Identifier: MIT */
/* The promise that a hook always answers, also when it is ended from outside: the answer for that case is kept
 * ready, and a signal (TERM, INT, HUP and others that would end us), a crash of ours or the end of memory sends
 * it. At most one answer is ever written. Then the commands that run are ended (see os/warden.h), and files that must
 * not be left behind are removed. */
#ifndef OS_EXIT_REPLY_H
#define OS_EXIT_REPLY_H

#include "base/base.h"

/* Installs the handlers, and ignores SIGPIPE and SIGXFSZ: a write that fails is an error, not an end. `words` must
 * stay valid; exit_code is the process's then, or it ends by that very signal: then it is no hook, and the words are for
 * people, on stderr. Another call replaces both. Empty words: silence. */
#define EXIT_BY_SIGNAL (-1)
void exit_reply_prepare(struct str words, int exit_code);
/* The real answer to stdout, by one write wherever the other side takes it as one, after which no last words are
 * sent. Fails when it could not be written whole, and when an answer was given before. */
int exit_reply_send(struct str answer, struct err *err) MUST_CHECK;

/* For every long wait: a client that was killed sends no signal, but its end of our stdout is gone, and nobody would
 * hear the answer. Then we end here as by SIGHUP, and the commands with us. Only where words and an exit code were
 * prepared: whoever ends by the signal itself is no hook. */
void exit_if_orphaned(void);

/* At this time on clock_mono_ms() we end as by SIGALRM, wherever we are: for what has no limit of its own, such as the
 * search through a file that never ends. What has one must be given time for it. Another call replaces the time. */
void exit_at(int64_t ms);

/* The file, or the directory if it is empty by then, is removed when we are ended, from now until it is spared: a
 * lock, a marker. They go in the order in which they were named. The path is copied; one too many (of
 * EXIT_FILES) or too long is left where it is, so what it means must not rest on this alone: we may be
 * killed. */
#define EXIT_FILES 8
void exit_register_file(const char *path);
void exit_unregister_file(const char *path);

#endif
