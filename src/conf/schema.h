/* SPDX-License-Identifier: MIT */
/* A configuration language as data. Every key is a row with its type, range, default and help; what is not in the rows
 * is not a key. schema_walk() is the only walk over rows: reading, checking, lists of keys and of values, and the JSON
 * Schema are visitors of it. */
#ifndef CONF_SCHEMA_H
#define CONF_SCHEMA_H

#include "doc/node.h"

/* Each with the type of the member that it is stored in. */
enum field_type {
	FIELD_BOOL,      /* bool */
	FIELD_FLAG,      /* int64_t: 0 or 1; another value means that it is not set */
	FIELD_INTEGER,   /* int64_t within least..most */
	FIELD_WHOLE,     /* the same; 7.0 is accepted too */
	FIELD_FLOOR,     /* int64_t: any number, rounded down; a negative one counts as 0 */
	FIELD_CEILING,   /* int64_t: any number, rounded up; a negative one counts as 0 */
	FIELD_SECONDS,   /* int64_t: milliseconds */
	FIELD_MEGABYTES, /* int64_t: bytes */
	FIELD_STRING,    /* struct str; any plain scalar is a string */
	FIELD_TEXT,      /* struct str that is not blank */
	FIELD_FILLED,    /* struct str; a blank one leaves the default */
	FIELD_GLOB,      /* struct str */
	FIELD_REGEX,     /* struct str, in the syntax of Rust's regex crate */
	FIELD_CHOICE,    /* struct str: one of `choices`, ASCII case ignored, spelled as there */
	FIELD_OBJECT,    /* a struct in place; where `size` is given, a pointer to a new one */
	FIELD_LIST,      /* a pointer to the items and, at count_offset, a size_t */
	FIELD_MAP,       /* the same; each item begins with a struct str, its name */
	FIELD_NODE,      /* const struct node *: any map, as it is written */
	FIELD_ANY,       /* nothing: the key is accepted and its value is not read */
	FIELD_REMOVED,   /* nothing: the key is an error; `help` names its replacement */
	FIELD_OTHERS,    /* the last row of an object whose unknown keys are only warned of */
};

struct field {
	const char *key; /* NULL: the root, or an item of a list or map */
	enum field_type type;
	bool has_member;  /* else it is checked and not stored; an object then shares the struct around it */
	bool is_required; /* absent, empty and null are errors */
	bool is_nullable; /* of an object, list, map or node: null is the same as absent */
	bool is_clamped;  /* of a number: what is above the range counts as its largest */
	bool has_pattern_keys; /* of a map: its keys are globs, which may repeat; else they are names */
	size_t offset, count_offset;
	size_t size;                /* of an item of a list or map; see FIELD_OBJECT */
	const void *defaults;       /* what such an item or object starts from; NULL: zeroes */
	const struct field *item;   /* the type of a list's or map's items */
	const struct field *fields; /* of an object */
	size_t field_count;
	int64_t least, most;        /* of a number, both 0: any; of a list, least: the fewest items */
	const char *const *choices; /* NULL-terminated */
	const char *short_key;      /* of an object: a string in its place is the value of this key */
	const char *const *any_of;  /* of an object, NULL-terminated: keys one of which must be there */
	const char *help;           /* one sentence for the documentation; NULL: the key is not listed */
	const char *default_text;   /* for the documentation; NULL: none */
};

#define FIELD(struct_, member_, key_, type_, ...)                                                         \
	{                                                                                                 \
		.key = (key_), .type = (type_), .has_member = true, .offset = offsetof(struct_, member_), \
		__VA_ARGS__                                                                               \
	}
/* A key that is checked and not stored. */
#define CHECKED(key_, type_, ...)                           \
	{                                                   \
		.key = (key_), .type = (type_), __VA_ARGS__ \
	}
/* A list or map whose items and count are two members. */
#define FIELD_ITEMS(struct_, items_, count_, key_, type_, ...) \
	FIELD(struct_, items_, key_, type_, .count_offset = offsetof(struct_, count_), __VA_ARGS__)
#define DOC(default_, help_) .default_text = (default_), .help = (help_)
#define KEYS(rows_) .fields = (rows_), .field_count = COUNT_OF(rows_)

struct schema {
	const char *file;   /* that it describes, such as "checks/NAME.yml" */
	struct field root;  /* an object */
	bool null_is_unset; /* null is the same as a key that is not there; else it is an error */
	bool allows_unknown; /* an unknown key is at most warned of, where it is nearly a known one; else an error */
	bool allows_nul; /* texts may have NUL bytes, which neither a path nor a command can have */
};

/* ---- problems ---- */

enum severity {
	SEVERITY_WARNING,
	SEVERITY_ERROR, /* validation fails; the rest of the file can be used */
	SEVERITY_FATAL, /* the file can't be used */
};

enum problem_kind {
	PROBLEM_OTHER,
	PROBLEM_SYNTAX,
	PROBLEM_UNKNOWN_KEY,
	PROBLEM_REMOVED_KEY,
	PROBLEM_DUPLICATE_KEY,
	PROBLEM_MISSING_KEY,
	PROBLEM_EMPTY_PATTERN,
	PROBLEM_TYPE,
	PROBLEM_RANGE,
};

struct config_problem {
	enum severity severity;
	enum problem_kind kind;
	struct str file;
	int line, column;           /* 0: the file as such */
	struct str path;            /* stop.commands[0].timeout; empty: the document */
	struct str outer;           /* the path of the map that has or lacks the key; empty: the document */
	struct str text;            /* what is wrong, the value, the nearest valid names */
	const struct field *field;  /* the row; NULL: none */
	const struct field *object; /* the row of the map that has or lacks the key; NULL: none */
};

struct config_problems {
	struct config_problem *items;
	size_t count, capacity;
	struct str_list files; /* that were read */
	size_t file_capacity;
};

/* What a problem is about. */
struct problem_at {
	enum severity severity;
	struct str file, path;
	const struct node *node; /* NULL: the file as such */
};
/* A new one for its caller to fill; NULL: there are too many. */
struct config_problem *problem_new(struct arena *a, struct config_problems *list, enum severity severity);
/* Adds a problem. Beyond CONFIG_PROBLEM_LIMIT only the first fatal one is kept. */
void problem_add(struct arena *a, struct config_problems *list, const struct problem_at *at, const char *fmt,
		 va_list args) PRINTF_LIKE(4, 0);
/* The error of a file that could not be read or parsed, which is fatal. */
void problem_add_err(struct arena *a, struct config_problems *list, struct str file, const struct err *err);
/* `FILE:LINE:COL: `, and `path: what is wrong`. A relative file is below `dir`. */
struct str problem_place(struct arena *a, struct str dir, const struct config_problem *p);
struct str problem_text(struct arena *a, const struct config_problem *p);
/* NULL: there is none. */
const struct config_problem *problems_first_fatal(const struct config_problems *list);
/* The first fatal problem as an error. 0: there is none. */
int problems_fail(struct arena *a, struct str dir, const struct config_problems *list,
		  struct err *err) MUST_CHECK;

/* ---- reading ---- */

/* Reads the document into `to`, which holds the defaults, and notes all that is wrong; a value that is wrong leaves
 * its default. `problems` NULL: they are not wanted. */
void schema_read(struct arena *a, const struct schema *s, const struct node *document, void *to,
		 struct str file, struct config_problems *problems);

/* ---- walking ---- */

/* Where a walk is. */
struct config_path {
	const struct config_path *outer;
	struct str name; /* of a key or of a map's item; absent: an item of a list */
	bool is_pattern; /* the name of a map's item that is a glob */
	size_t index;    /* SIZE_MAX: no item in particular */
};
/* stop.commands[0].timeout, setup.commands["*"][0].run, cli.adapters.NAME.model, stop.commands[].run */
struct str config_path_text(struct arena *a, const struct config_path *at);

/* One line of a name or value from a file, cut where it is longer than the limit. */
struct str config_shown(struct arena *a, struct str text, size_t limit);

struct visit {
	const struct field *field;
	const struct config_path *at; /* NULL: the root */
	const struct visit *outer;    /* the object, list or map that it is in; NULL: the root */
	const struct node_entry
		*entry;          /* of the key or of the map's item; NULL: not there, or a list's item */
	const struct node *node; /* the value; NULL: there is none */
	char *member;            /* NULL: it is not stored */
};

struct walker {
	/* Called for each row; false: what is in an object, list or map is passed over. */
	bool (*enter)(struct walker *w, const struct visit *v);
	/* After what is in it; NULL: not wanted. */
	void (*leave)(struct walker *w, const struct visit *v);
	/* Lists and maps have the document's items; else each has one that stands for any. */
	bool has_document;
};
void schema_walk(struct walker *w, const struct visit *root);

/* ---- for the documentation ---- */

struct schema_key {
	const char *file;
	struct str path;
	const struct field *field;
};
struct schema_keys {
	struct schema_key *items;
	size_t count, capacity;
};
/* Adds every key that has a help: a section, then what is in it. The keys of an object that is used in several places
 * are listed at the first. */
void schema_add_keys(struct arena *a, const struct schema *s, struct schema_keys *keys);

/* A JSON Schema for editors. */
struct str schema_json(struct arena *a, const struct schema *s, const char *description);

#endif
