/* SPDX-License-Identifier: MIT */
/* The tables of conclaude's keys and the readers that only they need: shared by loading and by checking. */
#ifndef CONF_CONCLAUDE_KEYS_H
#define CONF_CONCLAUDE_KEYS_H

#include "conf/conclaude.h"

extern const struct field_table conclaude_root;
extern const struct field_table conclaude_uneditable;
extern const struct field_table conclaude_tool_rule;
extern const struct conclaude_config conclaude_defaults;

/* Strings of a language of their own, which conclaude_check() checks. */
decode_fn conclaude_read_glob;  /* [struct str] */
decode_fn conclaude_read_regex; /* [struct str] */

decode_fn conclaude_read_text;       /* [struct str], not blank */
decode_fn conclaude_read_filled;     /* [struct str]; a blank one leaves the default */
decode_fn conclaude_read_times;      /* [int64_t]; what is above the range is its largest */
decode_fn conclaude_read_uneditable; /* [struct conclaude_uneditable]: a string or an object */
decode_fn conclaude_read_tool_rule;  /* [struct conclaude_tool_rule] */

#endif
