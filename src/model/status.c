/* SPDX-License-Identifier: MIT */
/* The status table. Pure. */
#include "model/status.h"

static const struct {
	struct str name, message, change, plain_message;
	bool blocks;
	enum audience audience;
} table[] = {
#define ALLOW false
#define BLOCK true
#define TEXT(x)                  \
	{                        \
		x, sizeof(x) - 1 \
	}
#define STATUS(id, name_, decision, audience_, message_, change_, ...)         \
	[STATUS_##id] = { TEXT(#name_),         TEXT(message_), TEXT(change_), \
			  TEXT("" __VA_ARGS__), decision,       AUDIENCE_##audience_ },
#include "model/status.def"
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

struct str
status_change(struct str name)
{
	for (size_t i = 0; i < STATUS_COUNT; i++)
		if (str_eq(name, table[i].name))
			return table[i].change;
	return STR("");
}

struct str
status_text(enum status s, const struct dialect *dialect)
{
	bool is_plain = dialect->has_plain_texts && table[s].plain_message.n > 0;

	return is_plain ? table[s].plain_message : table[s].message;
}

struct str
verdict_message(const struct verdict *v)
{
	return v->message.s ? v->message : table[v->status].message;
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
