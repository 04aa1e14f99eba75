/* SPDX-License-Identifier: MIT */
/* The status table. Pure. */
#include "model/status.h"

static const struct {
	struct str name, message;
	bool blocks;
	enum telling telling;
} table[] = {
#define ALLOW false
#define BLOCK true
#define STATUS(id, name_, decision, telling_, message_)       \
	[STATUS_##id] = { { #name_, sizeof(#name_) - 1 },     \
			  { message_, sizeof(message_) - 1 }, \
			  decision,                           \
			  TELLING_##telling_ },
#include "model/status.def"
#undef STATUS
};

struct str
status_name(enum status s)
{
	return table[s].name;
}

struct str
status_message(enum status s)
{
	return table[s].message;
}

bool
is_blocking_status(enum status s)
{
	return table[s].blocks;
}

enum telling
status_telling(enum status s)
{
	return table[s].telling;
}
