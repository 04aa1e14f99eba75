/* SPDX-License-Identifier: MIT */
/* From a node to a struct by a table: the table is schema, parser, validator and the source of the documentation.
 * Unknown, duplicate, missing and mistyped keys are errors with position, value and the nearest valid names. */
#ifndef DOC_DECODE_H
#define DOC_DECODE_H

#include "doc/node.h"

struct field;

/* Where a value is being read: for the error's path, such as stop.commands[0].timeout. */
struct decode_at {
	const struct decode_at *outer;
	const char *key;  /* NULL for a list item or a map pattern */
	size_t index;
	struct str name;  /* of a map pattern */
};

typedef int decode_fn(struct arena *a, const struct node *n, const struct field *f, void *to,
		      const struct decode_at *at, struct err *err);

struct field {
	const char *key;
	decode_fn *read;
	size_t offset;             /* of the member in the struct */
	bool is_required;
	const struct field *fields; /* of a nested object or of the items of a list of objects */
	size_t field_count;
	size_t item_size;           /* of a list's item or of an optional nested object */
	int64_t least, most;        /* of a number; both 0: any */
	const char *const *choices; /* of a word, NULL-terminated */
	const char *help;           /* one line for the documentation */
	const char *type_name;      /* for the documentation: "list of string" */
	const char *default_text;   /* for the documentation */
};

#define FIELD(type, member, key_, read_, ...) \
	{ .key = (key_), .read = (read_), .offset = offsetof(type, member), __VA_ARGS__ }

/* Reads a map by the table into `to`, which the caller has filled with the defaults. A null node leaves them.
 * Error: `LINE:COLUMN: path.to.key: what is wrong, the value, the nearest names`. */
int decode_map(struct arena *a, const struct node *n, const struct field *fields, size_t count, void *to,
	       const struct decode_at *at, struct err *err) MUST_CHECK;

/* Readers. The member's type is in brackets. A null leaves the default where the field is optional. */
decode_fn decode_bool;     /* [bool] */
decode_fn decode_opt_bool; /* [int8_t]: -1 unset, 0, 1 */
decode_fn decode_int;      /* [int64_t], within least..most */
decode_fn decode_str;      /* [struct str]; any plain scalar is a string */
decode_fn decode_choice;   /* [struct str], one of choices, ASCII case ignored */
decode_fn decode_object;   /* [nested struct in place] */
decode_fn decode_opt_object; /* [struct T *]: NULL when null or absent; item_size of T */
decode_fn decode_list;     /* [struct decode_list] of objects (fields set) or of struct str */
decode_fn decode_table;    /* [struct decode_list] of struct decode_pattern: a map from patterns to lists */

struct decode_list {
	void *items;
	size_t count;
};
struct decode_pattern {
	struct str pattern;
	int line, column;
	struct decode_list list;
};

/* For readers of the caller's own: sets an error at the node's position with the path before it. */
int decode_fail(const struct node *n, const struct decode_at *at, struct err *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

#endif
