/* SPDX-License-Identifier: MIT */
/* The tables of the gauntlet's keys, what they are read into, and the readers that only they need. */
#ifndef CONF_GAUNTLET_KEYS_H
#define CONF_GAUNTLET_KEYS_H

#include "conf/gauntlet.h"
#include "doc/decode.h"

/* A number or boolean that is not given. */
#define NOT_GIVEN INT64_MIN

/* What the project and the user may both say. */
struct shared_values {
	int64_t enabled, run_interval_minutes, reverify;
	int64_t debug_enabled, debug_max_bytes;
};
extern const struct shared_values shared_values_none;

/* config.yml as it is written, before the other sources come in. */
struct config_draft {
	struct gauntlet_config config;
	struct shared_values shared;
	struct decode_list entry_points; /* of struct entry_point */
	const struct node *adapters;     /* NULL: none */
	struct str ignored_word;         /* of keys that are checked and not acted on */
	bool ignored_bool;
	int64_t ignored_number;
};
extern const struct config_draft config_draft_defaults;

/* A timeout of the two below is -1 where it is not given. */

/* A check file; the path of the fix instructions is not looked at yet. */
struct check_draft {
	struct check_gate gate;
	struct str fix_path, fix_path_alias;
};
extern const struct check_draft check_draft_defaults;

struct review_draft {
	struct review_gate gate;
	struct str prompt_file, skill_name, builtin;
};
extern const struct review_draft review_draft_defaults;

struct ci_draft {
	struct ci_config config;
	struct decode_list setup, checks; /* of struct ci_step, of struct ci_check_draft */
};
struct ci_check_draft {
	struct ci_check check;
	struct decode_list setup;
};

extern const struct reviewer_config reviewer_defaults;

extern const struct field_table gauntlet_config_keys;     /* struct config_draft */
extern const struct field_table gauntlet_hook_keys;       /* struct config_draft: what the hook needs of it */
extern const struct field_table gauntlet_global_keys;     /* struct shared_values */
extern const struct field_table gauntlet_check_keys;      /* struct check_draft */
extern const struct field_table gauntlet_review_keys;     /* struct review_draft: front matter */
extern const struct field_table gauntlet_review_yml_keys; /* struct review_draft: a file of its own */
extern const struct field_table gauntlet_reviewer_keys;   /* struct reviewer_config */
extern const struct field_table gauntlet_ci_keys;         /* struct ci_draft */

/* Of all of these, null is an error. */
decode_fn gauntlet_read_bool;       /* [bool] */
decode_fn gauntlet_read_flag;       /* [int64_t]: 0 or 1 */
decode_fn gauntlet_read_text;       /* [struct str], not blank */
decode_fn gauntlet_read_maybe_text; /* [struct str]; an empty one leaves it absent */
decode_fn gauntlet_read_strings;    /* [struct str_list], at least `least` of them, none empty */
decode_fn gauntlet_read_choice;     /* [struct str] */
decode_fn gauntlet_read_whole;      /* [int64_t] within least..most; 7.0 is whole */
decode_fn gauntlet_read_floor;      /* [int64_t]: any number, rounded down, not below 0 */
decode_fn gauntlet_read_ceil;       /* [int64_t]: any number, rounded up, not below 0 */
decode_fn gauntlet_read_seconds;    /* [int64_t]: milliseconds */
decode_fn gauntlet_read_megabytes;  /* [int64_t]: bytes */
decode_fn gauntlet_read_prompt_way; /* [bool]: is it an argument? */
decode_fn gauntlet_read_nullable;   /* [const struct node *]: a map; null leaves it NULL */

#endif
