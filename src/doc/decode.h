/* SPDX-License-Identifier: MIT */
/* From a node to a struct by a table: the table is schema, parser, validator and the source of the documentation.
 * Unknown, duplicate, missing and mistyped keys are errors with position, value and the nearest valid names. */
#ifndef DOC_DECODE_H
#define DOC_DECODE_H

#include "doc/node.h"

struct field;

/* Where a value is being read: for the error's path, such as stop.commands[0].timeout or setup.commands["*"][0]. */
struct decode_at {
	const struct decode_at *outer;
	const char *key; /* NULL for a list item or a map pattern */
	size_t index;
	struct str name; /* of a map pattern; absent for a list item */
};

/* `to` is the member itself, `at` the place of the node; both hold for readers of the caller's own too. */
typedef int decode_fn(struct arena *a, const struct node *n, const struct field *f, void *to,
		      const struct decode_at *at, struct err *err);

struct field {
	const char *key; /* NULL: any key that no other row names, with decode_ignored */
	decode_fn *read;
	size_t offset;              /* of the member in the struct */
	bool is_required;           /* absent, empty and null are errors then */
	const struct field *fields; /* of a nested object or of the items of a list of objects */
	size_t field_count;
	size_t item_size;           /* of a list's item or of an optional nested object */
	const void *item_defaults;  /* what such an item or object starts from; NULL: zeroes */
	decode_fn *read_item;       /* of a list or table whose items are neither objects nor strings */
	int64_t least, most;        /* of a number; both 0: any */
	const char *const *choices; /* of a word, NULL-terminated */
	const char *help;           /* one line for the documentation; of a removed key: what replaces it */
	const char *type_name;      /* for the documentation: "list of string" */
	const char *default_text;   /* for the documentation */
};

#define FIELD(type, member, key_, read_, ...)                                                 \
	{                                                                                     \
		.key = (key_), .read = (read_), .offset = offsetof(type, member), __VA_ARGS__ \
	}
/* A key that is no longer there: always an error, which says `hint`. Not listed among the valid keys. */
#define FIELD_REMOVED(key_, hint)                                     \
	{                                                             \
		.key = (key_), .read = decode_removed, .help = (hint) \
	}
/* The last row of a table that lets unknown keys pass. */
#define FIELD_OTHERS                                \
	{                                           \
		.key = NULL, .read = decode_ignored \
	}

struct field_table {
	const struct field *fields;
	size_t count;
};
#define FIELD_TABLE(rows)              \
	{                              \
		(rows), COUNT_OF(rows) \
	}

/* Reads a map by the table into `to`, which the caller has filled with the defaults. A null node is an empty map.
 * Error: `LINE:COLUMN: path.to.key: what is wrong, the value, the nearest names`, where what is wrong begins with
 * one of: unknown key, duplicate key, missing key, removed key, expected, out of range, pattern key. */
int decode_map(struct arena *a, const struct node *n, const struct field *fields, size_t count, void *to,
	       const struct decode_at *at, struct err *err) MUST_CHECK;

/* Readers. The member's type is in brackets. Of an optional scalar a null leaves the default. Of objects, lists and
 * tables a value that is not written at all is an empty one, a written null is an error. */
decode_fn decode_bool;       /* [bool] */
decode_fn decode_int;        /* [int64_t], within least..most */
decode_fn decode_number;     /* [double], finite, within least..most; an integer is one too */
decode_fn decode_str;        /* [struct str]; any plain scalar is a string */
decode_fn decode_choice;     /* [struct str], one of choices and spelled as there, ASCII case ignored */
decode_fn decode_object;     /* [nested struct in place] */
decode_fn decode_opt_object; /* [struct T *]: NULL when null or absent; item_size of T */
decode_fn decode_list;     /* [struct decode_list] of objects (fields), of read_item's, else of struct str */
decode_fn decode_opt_list; /* the same; a null leaves the default */
decode_fn decode_table;    /* [struct decode_list] of struct decode_pattern: patterns to such lists */
decode_fn decode_ignored;  /* nothing */
decode_fn decode_removed;  /* an error that says f->help */

struct decode_list {
	void *items;
	size_t count;
};
/* A pattern that stands twice is there once, with the last list. */
struct decode_pattern {
	struct str pattern;
	int line, column;
	struct decode_list list;
};
#define DECODE_PATTERN_LIMIT 1000

/* For readers of the caller's own: sets an error at the node's position with the path before it. */
int decode_fail(const struct node *n, const struct decode_at *at, struct err *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* The same for a value of the wrong type: `expected WHAT, not the string "x"`. */
int decode_fail_type(const struct node *n, const struct decode_at *at, struct err *err, const char *what);

#endif
