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

struct str
status_native_message(enum status s)
{
	switch (s) {
	case STATUS_FAILED:
		return STR("✗ gates failed");
	case STATUS_PASSED:
		return STR("✓ gates passed");
	case STATUS_PASSED_WITH_WARNINGS:
		return STR("✓ gates passed; the agent skipped some findings of reviews");
	case STATUS_NO_APPLICABLE_GATES:
		return STR("nothing to check: no gate is for these changes");
	case STATUS_NO_CHANGES:
		return STR("nothing to check: no changes");
	case STATUS_RETRY_LIMIT_EXCEEDED:
		return STR("⚠ gates still fail and the tries are used up: the agent may stop, the work is "
			   "not done");
	case STATUS_STOP_HOOK_ACTIVE:
		return STR("nothing is checked: the agent goes on because of an earlier block");
	case STATUS_LOCK_EXISTS:
		return STR("gates were not checked: another run is in progress");
	default:
		return status_message(s);
	}
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
