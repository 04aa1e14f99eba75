/* SPDX-License-Identifier: MIT */
/* The names of the guards' built-in sets and rules, which are those of shell/acts.def, and the keys that take them. */
#include "conf/policies.h"

#define GUARD_SETS                                                                                       \
	"destructive", "secrets", "settings", "git", "files", "disks", "containers", "cluster", "cloud", \
		"databases", "publishing", "remote-code"

const char *const guard_sets[] = { GUARD_SETS, NULL };
static const char *const names[] = {
	GUARD_SETS,
#define ACT_TEXT(id, set, name, ...) name,
#define ACT_MORE(...)
#include "shell/acts.def"
	NULL,
};
static const struct field name_item = { .type = FIELD_CHOICE, .choices = names };

#define VERDICT(member_, help_)                                                              \
	FIELD_ARRAY(struct guards_config, verdicts.member_, #member_, name_item, struct str, \
		    .takes_one = true, DOC("[]", help_))
const struct field guard_verdict_fields[3] = {
	VERDICT(allow, "Rules and sets that are off."),
	VERDICT(ask, "Rules and sets that ask you."),
	VERDICT(deny, "Rules and sets that deny."),
};
