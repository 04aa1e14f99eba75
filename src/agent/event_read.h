/* SPDX-License-Identifier: MIT */
/* Events in: from stdin to a struct event. */
#ifndef AGENT_EVENT_READ_H
#define AGENT_EVENT_READ_H

#include "doc/node.h"
#include "model/event.h"

/* Reads one JSON value from fd. A complete value ends it: neither EOF nor a newline is waited for. Fails on
 * nothing but blanks, on what does not parse, on more than the limits, and after EVENT_DEADLINE_MS. */
int event_read_json(struct arena *a, int fd, struct node *ret, struct err *err) MUST_CHECK;

/* The fields of an event object. Pure; anything of another type than expected counts as not sent. */
struct event event_from_node(const struct node *n);

#endif
