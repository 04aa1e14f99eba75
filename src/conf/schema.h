/* SPDX-License-Identifier: MIT */
/* Configuration files as data. Every key is a row with its type, range, default and help. schema_walk() is the only walk over
 * rows; reading, checking, lists of keys and values, and the JSON Schema are visitors of it. */
#ifndef CONF_SCHEMA_H
#define CONF_SCHEMA_H

#include "doc/node.h"

/* With the C type of the member that stores the value. */
enum field_type {
	FIELD_BOOL,      /* bool */
	FIELD_FLAG,      /* int64_t: 0 or 1; any other value: not set */
	FIELD_INTEGER,   /* int64_t within least..most */
	FIELD_WHOLE,     /* the same; 7.0 is accepted too */
	FIELD_FLOOR,     /* int64_t: any number, rounded down; a negative one counts as 0 */
	FIELD_CEILING,   /* int64_t: any number, rounded up; a negative one counts as 0 */
	FIELD_SECONDS,   /* int64_t: milliseconds */
	FIELD_MEGABYTES, /* int64_t: bytes */
	FIELD_DURATION,  /* int64_t: milliseconds; a text with units, 90s or 1h30m */
	FIELD_STRING,    /* struct str; any unquoted scalar is a string */
	FIELD_TEXT,      /* struct str, not blank */
	FIELD_FILLED,    /* struct str; if it is blank, the default stays */
	FIELD_GLOB,      /* struct str */
	FIELD_PATH_GLOB, /* struct str, a pattern of gate_is_for() */
	FIELD_REGEX,     /* struct str, in the syntax of Rust's regex crate */
	FIELD_NAMED, /* struct str: a name, or the only key of a map, whose value is an `item` and is not read here */
	FIELD_CHOICE,  /* struct str: one of `choices`, ignoring ASCII case, stored as spelled there */
	FIELD_OBJECT,  /* a struct; if `size` is given, a pointer to a new one */
	FIELD_LIST,    /* a pointer to the items and, at count_offset, a size_t */
	FIELD_MAP,     /* the same; each item starts with a struct str, its name */
	FIELD_NODE,    /* const struct node *: any map, unread */
	FIELD_ANY,     /* none: the key is accepted and its value is not read */
	FIELD_REMOVED, /* none: the key is an error; `help` names its replacement */
	FIELD_OTHERS,  /* the last row of an object whose unknown keys only cause a warning */
};

struct field {
	const char *key; /* NULL: the root, or an item of a list or map */
	enum field_type type;
	bool has_member;       /* else it is checked and not stored; an object then uses the outer struct */
	bool is_required;      /* absent, empty and null are errors */
	bool is_nullable;      /* of an object, list, map or node: null is the same as absent */
	bool is_clamped;       /* of a number: one above the range counts as the maximum */
	bool has_pattern_keys; /* of a map: its keys are globs, which may repeat; else they are names */
	bool takes_one;        /* of a list: its only item may be written without the list */
	bool is_in_place;      /* of a list: its items are nodes of the document, checked and not copied */
	size_t offset, count_offset;
	size_t size;                /* of an item of a list or map; see FIELD_OBJECT */
	const void *defaults;       /* of such an item or object; NULL: zeroes */
	const struct field *item;   /* the type of a list's or map's items */
	const struct field *fields; /* of an object */
	size_t field_count;
	int64_t least, most;        /* of a number, both 0: any; of a list, least: the minimum of items */
	const char *const *choices; /* NULL-terminated */
	const char *short_key;      /* of an object: a scalar instead of it is the value of this key */
	const char *const *any_of;  /* of an object, NULL-terminated: one of these keys is required */
	const char *help;           /* one sentence for the documentation; NULL: the key is not listed */
	const char *default_text;   /* for the documentation; NULL: none */
	bool is_default_described;  /* default_text is not a value, but says what it is */
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
/* The same for a list that is one member, with its items and their count. */
#define FIELD_ARRAY(struct_, member_, key_, item_, type_, ...)                                 \
	FIELD_ITEMS(struct_, member_.items, member_.count, key_, FIELD_LIST, .item = &(item_), \
		    .size = sizeof(type_), __VA_ARGS__)
#define DOC(default_, help_) .default_text = (default_), .help = (help_)
/* The same with a default that depends on something else, in words. */
#define DOC_WORDS(default_, help_) DOC(default_, help_), .is_default_described = true
#define KEYS(rows_) .fields = (rows_), .field_count = COUNT_OF(rows_)
/* An object: the root, or an item of a list or map. */
#define OBJECT(rows_, ...)                                     \
	{                                                      \
		.type = FIELD_OBJECT, KEYS(rows_), __VA_ARGS__ \
	}
/* A key with an object whose keys are stored in the struct around it. */
#define SECTION(key_, rows_, help_) CHECKED(key_, FIELD_OBJECT, KEYS(rows_), DOC(NULL, help_))

/* The row of a key of an object; NULL: there is none. */
const struct field *field_row(const struct field *object, struct str key);

struct schema {
	const char *file;   /* such as "checks/NAME.yml" */
	struct field root;  /* an object */
	bool null_is_unset; /* null is the same as an absent key; else it is an error */
	/* An unknown key is ignored, with a warning if it is similar to a known one; else it is an error. */
	bool allows_unknown;
	bool allows_nul; /* texts may contain NUL bytes; neither a path nor a command can */
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
	int line, column; /* 0: no position */
	struct str path;  /* stop.commands[0].timeout; empty: the document */
	struct str outer; /* the path of the map that contains or lacks the key; empty: the document */
	struct str text;  /* the problem, the value, the nearest valid names */
	const struct field *field;  /* the row; NULL: none */
	const struct field *object; /* the row of the map that contains or lacks the key; NULL: none */
};

struct config_problems {
	struct config_problem *items;
	size_t count, capacity;
	struct str_list files; /* the files that were read */
};

struct problem_at {
	enum severity severity;
	struct str file, path;
	const struct node *node; /* NULL: no position */
};
/* A new problem for the caller to fill; NULL: there are too many. */
struct config_problem *problem_new(struct arena *a, struct config_problems *list, enum severity severity);
/* Beyond CONFIG_PROBLEM_LIMIT only the first fatal problem is added. Returns the problem; NULL: it was not added. */
struct config_problem *problem_add(struct arena *a, struct config_problems *list, const struct problem_at *at,
				   struct str text);
/* Adds the fatal error of a file that could not be read or parsed. */
void problem_add_err(struct arena *a, struct config_problems *list, struct str file, const struct err *err);
/* `FILE:LINE:COL: `, and `path: problem`. A relative file is below `dir`. */
struct str problem_position(struct arena *a, struct str dir, const struct config_problem *p);
struct str problem_text(struct arena *a, const struct config_problem *p);
/* NULL: there is none. */
const struct config_problem *problems_first_fatal(const struct config_problems *list);
/* The first fatal problem as an error. 0: there is none. */
int problems_fail(struct arena *a, struct str dir, const struct config_problems *list,
		  struct err *err) MUST_CHECK;

/* ---- reading ---- */

/* Reads the document into `to`, which contains the defaults, and adds all problems; an invalid value leaves the default.
 * `problems` may be NULL. */
void schema_read(struct arena *a, const struct schema *s, const struct node *document, void *to,
		 struct str file, struct config_problems *problems);

/* ---- walking ---- */

/* The position of a walk. */
struct config_path {
	const struct config_path *outer;
	struct str name; /* of a key or a map's item; absent: an item of a list */
	bool is_pattern; /* the name is a glob, the key of a map's item */
	size_t index;    /* SIZE_MAX: any item */
};
/* stop.commands[0].timeout, setup.commands["*"][0].run, cli.adapters.NAME.model, stop.commands[].run */
struct str config_path_text(struct arena *a, const struct config_path *at);

/* A name or value from a file on one line, cut at the limit. */
struct str config_shown(struct arena *a, struct str text, size_t limit);

struct visit {
	const struct field *field;
	const struct config_path *at;   /* NULL: the root */
	const struct visit *outer;      /* the object, list or map that contains it; NULL: the root */
	const struct node_entry *entry; /* of the key or the map's item; NULL: absent, or a list's item */
	const struct node *node;        /* the value; NULL: none */
	char *member;                   /* NULL: not stored */
};

struct walker {
	/* Called for each row; false: the content of an object, list or map is skipped. */
	bool (*enter)(struct walker *w, const struct visit *v);
	/* Called for items of a list in a document, before one is entered. Returns how many from there on need not be. May be NULL. */
	size_t (*take)(const struct visit *list, size_t from);
	/* Lists and maps have the document's items; else each has one item that represents all. */
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
	size_t count;
};
/* Adds every key that has a help text: a section, then its content. The keys of an object that several keys use are listed
 * once, at the first. */
void schema_add_keys(struct arena *a, const struct schema *s, struct schema_keys *keys);

/* A JSON Schema for editors. */
struct str schema_json(struct arena *a, const struct schema *s, const char *description);

/* The member of a field as JSON, in the unit of the file; null: it is not set. */
struct str member_json(struct arena *a, const struct field *f, const void *member);

#endif
