/* SPDX-License-Identifier: MIT */
/* What all hook commands share: reading the event, keeping the deadline, giving the one answer. */
#ifndef CMD_HOOK_HOOK_IO_H
#define CMD_HOOK_HOOK_IO_H

#include "client/client.h"
#include "cmd/command.h"
#include "model/event.h"
#include "os/fd.h"
#include "policy/chain.h"

#include <unistd.h>

/* Options of every command that decides on a stop. */
#define DEADLINE_OPTION \
	VALUE("deadline", "SECONDS", "answer within this time (default: below the client's timeout)")
/* The client that sent the event, where the event and the environment must not decide. */
#define CLIENT_OPTION                                                                        \
	VALUE("client", "NAME",                                                              \
	      "the client to answer (default: recognized by the event and the environment)", \
	      .choices = client_names)

/* False, with the reason on stderr: stdin is a terminal, so a person called the command. */
bool hook_is_called_by_client(const struct invocation *inv);

/* Is this the stop of an agent that one of our own gates runs? Then no policy applies. */
bool hook_is_nested(void);

/* The time by which the answer must be sent, on clock_mono_ms(): --deadline, HOLDFAST_DEADLINE_SECONDS or `usual_s` after the
 * start of the program. A few seconds later the process ends with the prepared answer, even if a call blocks. */
int hook_deadline(const struct invocation *inv, int64_t usual_s, int64_t *ret_ms, struct err *err) MUST_CHECK;

/* The client that --client names; else the one recognised by the event (NULL: none) and the environment. */
const struct client *hook_client(const struct invocation *inv, const struct node *event);
/* The event on stdin; anything but a JSON object is an error. */
int hook_read_event(struct arena *a, const struct invocation *inv, struct node *ret_node, struct event *ret,
		    struct err *err) MUST_CHECK;

/* Writes to stderr without blocking: pieces as of str_cat(). */
void hook_print_err(struct str text);
#define hook_stderr(a, ...) hook_print_err(str_cat((a), __VA_ARGS__))
/* Removes all files of a session that has ended. Continues after an error; the first one is returned. */
int hook_forget_session(struct arena *a, struct str session, struct err *err) MUST_CHECK;
/* Writes stderr, then stdout in one write; the exit code. */
int hook_answer(const struct reply *r);
struct reply_notes hook_notes(const struct stop_context *s);

#endif
