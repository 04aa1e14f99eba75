/* SPDX-License-Identifier: MIT */
/* The list of event names. */
#include "model/event.h"

const struct str event_names[] = {
#define EVENT(name) { #name, sizeof(#name) - 1 },
#include "model/event.def"
#undef EVENT
};
const size_t event_name_count = COUNT_OF(event_names);
