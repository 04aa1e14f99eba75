/* SPDX-License-Identifier: MIT */
/* Reads a hook's event as JSON. */
#ifndef CLIENT_EVENT_READ_H
#define CLIENT_EVENT_READ_H

#include "doc/node.h"

/* Reads one JSON value from fd. Returns as soon as the value is complete, without waiting for EOF or a newline. Fails on
 * empty input, on invalid JSON, beyond the limits, and after wait_ms. */
int event_read_json(struct arena *a, int fd, int64_t wait_ms, struct node *ret, struct err *err) MUST_CHECK;

#endif
