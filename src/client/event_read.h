/* SPDX-License-Identifier: MIT */
/* Events in: from stdin to a tree. */
#ifndef CLIENT_EVENT_READ_H
#define CLIENT_EVENT_READ_H

#include "doc/node.h"

/* Reads one JSON value from fd. A complete value ends it: neither EOF nor a newline is waited for. Fails on
 * nothing but blanks, on what does not parse, on more than the limits, and after that time. */
int event_read_json(struct arena *a, int fd, int64_t wait_ms, struct node *ret, struct err *err) MUST_CHECK;

#endif
