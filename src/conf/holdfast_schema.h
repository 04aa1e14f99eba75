/* SPDX-License-Identifier: MIT */
/* Internal to the schema of holdfast.yml: the rows of one file that others refer to. */
#ifndef CONF_HOLDFAST_SCHEMA_H
#define CONF_HOLDFAST_SCHEMA_H

#include "conf/holdfast.h"

#define STRINGS(struct_, member_, key_, item_, ...) \
	FIELD_ARRAY(struct_, member_, key_, item_, struct str, .least = 1, __VA_ARGS__)

extern const struct field holdfast_pattern_item; /* of files */

extern const struct policy_command holdfast_command_defaults;
extern const struct field holdfast_command_item, holdfast_prompt_item; /* struct policy_command */
extern const struct field holdfast_event_fields[EVENT_COUNT];          /* struct holdfast_draft */

#define NOTIFY_KEY_COUNT 6
extern const struct field holdfast_notify_fields[NOTIFY_KEY_COUNT]; /* struct notify_config */
extern const struct notify_config holdfast_notify_defaults;

#endif
