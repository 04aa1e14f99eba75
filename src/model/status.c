/* SPDX-License-Identifier: MIT */
/* The status table. Pure. */
#include "model/status.h"

const struct status_row status_rows[STATUS_COUNT] = {
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
status_change(struct str name)
{
	for (size_t i = 0; i < STATUS_COUNT; i++)
		if (str_eq(name, status_rows[i].name))
			return status_rows[i].change;
	return STR("");
}

struct str
status_text(enum status s, const struct dialect *dialect)
{
	bool is_plain = dialect->has_plain_texts && status_rows[s].plain_message.n > 0;

	return is_plain ? status_rows[s].plain_message : status_rows[s].message;
}

struct str
verdict_message(const struct verdict *v)
{
	return v->message.s ? v->message : status_rows[v->status].message;
}
