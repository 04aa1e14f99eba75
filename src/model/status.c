/* SPDX-License-Identifier: MIT */
/* The status table. Pure. */
#include "model/status.h"

static const struct {
	struct str name, message;
	bool blocks;
	enum audience audience;
} table[] = {
#define ALLOW false
#define BLOCK true
#define STATUS(id, name_, decision, audience_, message_)      \
	[STATUS_##id] = { { #name_, sizeof(#name_) - 1 },     \
			  { message_, sizeof(message_) - 1 }, \
			  decision,                           \
			  AUDIENCE_##audience_ },
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
status_blocks(enum status s)
{
	return table[s].blocks;
}

enum audience
status_audience(enum status s)
{
	return table[s].audience;
}
