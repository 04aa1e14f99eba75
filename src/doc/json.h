/* SPDX-License-Identifier: MIT */
/* JSON in and out. The reader survives any bytes: invalid UTF-8 and unpaired surrogates become U+FFFD, a byte order mark
 * at the start is skipped. The tree holds both of two equal keys; node_get() returns the last. */
#ifndef DOC_JSON_H
#define DOC_JSON_H

#include "doc/node.h"

enum json_syntax {
	JSON_STRICT, /* RFC 8259 */
	JSON_SETTINGS, /* with comments, and a comma before a closing bracket; invalid UTF-8 is kept, to save memory */
	JSON_LOOSE, /* as models write it: in strings also control characters, and backslashes that escape nothing */
};

/* One value with nothing but blanks around it. The tree is in the arena and does not point into the text. The error
 * starts with LINE:COLUMN. */
int json_parse(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;
int json_parse_as(struct arena *a, struct str text, enum json_syntax syntax, struct node *ret,
		  struct err *err) MUST_CHECK;
/* The same as json_parse(), but most strings of the tree point into the text. A string that has the key `raw_key`, which
 * may be absent, keeps its escapes: to read a long one that nobody needs would cost more than the rest. */
int json_parse_in_place(struct arena *a, struct str text, struct str raw_key, struct node *ret,
			struct err *err) MUST_CHECK;

/* As json_parse_in_place(), of an object with a long list of objects: those of the list that has the key `list_key` are
 * handed over member by member, and only their number stays in the tree. */
struct json_items {
	struct str raw_key, list_key;
	void (*begin)(void *context); /* such a list; again if the key is there twice */
	void (*member)(void *context, struct str key, const struct node *value);
	/* The end of an item. Only its kind and its span are set if it is an object, and `text` is the whole document. */
	void (*end)(void *context, const struct node *item, struct str text);
	void *context;
};
int json_parse_items(struct arena *a, struct str text, const struct json_items *items, struct node *ret,
		     struct err *err) MUST_CHECK;

/* A value that arrives in pieces. Feed until it is complete: an object or a list ends with its closing bracket, any
 * other value with its line. Bytes after the value are ignored. It may be as long as an event. JSON_BAD comes as early
 * as that is cheap to know; only json_stream_take() knows that a value is well formed. */
struct json_stream;
enum json_progress { JSON_MORE, JSON_DONE, JSON_BAD };
struct json_stream *json_stream_new(void);
enum json_progress json_stream_feed(struct json_stream *j, struct str piece);
/* After JSON_DONE the value, otherwise the error that explains why there is none. */
int json_stream_take(struct json_stream *j, struct arena *a, struct node *ret, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void json_stream_free(struct json_stream **j);

/* Output: valid JSON whatever the bytes, on one line. Invalid UTF-8 becomes U+FFFD, U+0000 is dropped. The buffer's
 * limit must be larger than what is added: a truncated text is not JSON. */
void json_add_string(struct buf *b, struct str x);

/* An object or a list, whose bracket is '{' or '['; those that close are written together, as in "]}\n". `key` is NULL in a list and at the top. A comma goes before it where one is
 * needed. */
void json_open(struct buf *b, const char *key, char bracket);
void json_close(struct buf *b, const char *brackets);
/* An object that has only these members. */
#define json_add_object(b, key, ...) \
	(json_open((b), (key), '{'), json_add((b), __VA_ARGS__), json_close((b), "}"))
/* Members of the object that is open: keys and values in turn, up to 8 of each. A value is a struct str, a C string, an integer, a
 * bool, or a pointer to a list of texts. A text that is absent is left out, with its key. */
#define json_add(b, ...) json_add_members((b), JSON_VALUES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__))
/* A key without a value does not compile. */
#define JSON_VALUES(...)                                                                      \
	((const struct json_value[CAT_COUNT(__VA_ARGS__) % 2 ? -1 : CAT_COUNT(__VA_ARGS__)]){ \
		CAT_EACH(CAT_COUNT(__VA_ARGS__), JSON_VALUE, __VA_ARGS__) })
/* As a value: a text that is JSON already, and one that is left out unless the condition holds. */
#define JSON(text_) ((struct json_value){ .kind = NODE_MAP, .text = (text_) })
#define JSON_IF(condition, x) ((condition) ? JSON_VALUE(x) : (struct json_value){ .kind = NODE_NULL })
struct json_value {
	enum node_kind kind; /* NODE_MAP: JSON already; NODE_NULL: left out */
	struct str text;
	int64_t number;
	const struct str_list *list;
};
void json_add_members(struct buf *b, const struct json_value *members, size_t count);

static inline struct json_value
json_text(struct str x)
{
	return (struct json_value){ .kind = NODE_STRING, .text = x };
}
static inline struct json_value
json_cz(const char *x)
{
	return json_text(str_from(x));
}
static inline struct json_value
json_signed(int64_t x)
{
	return (struct json_value){ .kind = NODE_INT, .number = x };
}
static inline struct json_value
json_unsigned(uint64_t x)
{
	return json_signed((int64_t)x);
}
static inline struct json_value
json_truth(bool x)
{
	return (struct json_value){ .kind = NODE_BOOL, .number = x };
}
static inline struct json_value
json_strings(const struct str_list *x)
{
	return (struct json_value){ .kind = NODE_LIST, .list = x };
}
static inline struct json_value
json_same(struct json_value x)
{
	return x;
}
#define JSON_VALUE(x) \
	_Generic((x), \
		struct str: json_text, \
		char *: json_cz, \
		const char *: json_cz, \
		bool: json_truth, \
		struct str_list *: json_strings, \
		const struct str_list *: json_strings, \
		struct json_value: json_same, \
		int: json_signed, \
		long: json_signed, \
		long long: json_signed, \
		unsigned: json_unsigned, \
		unsigned long: json_unsigned, \
		unsigned long long: json_unsigned)(x)

/* A list of them. */
void json_add_strings(struct buf *b, const struct str *items, size_t count);
/* An object of such members as a text of its own: json_object(a, "decision", "block", "reason", why) */
#define json_object(arena, ...) json_members_of(arena, "}", __VA_ARGS__)
/* The same with the end of the line. */
#define json_line(arena, ...) json_members_of(arena, "}\n", __VA_ARGS__)
#define json_members_of(arena, end, ...) \
	json_object_of((arena), JSON_VALUES(__VA_ARGS__), CAT_COUNT(__VA_ARGS__), (end))
struct str json_object_of(struct arena *a, const struct json_value *members, size_t count, const char *end);
/* `"key":` and then whatever the caller adds. */
void json_add_key(struct buf *b, const char *key);
/* A tree. A number that JSON cannot spell, such as YAML's .inf, is written as a string. */
void json_add_node(struct buf *b, const struct node *n);
/* The same as a text of its own. */
struct str json_of_node(struct arena *a, const struct node *n);
/* The same for people: a line for each member, indented by two blanks for each level, no newline at the end. `depth` is
 * the level of the line that it begins on. */
void json_add_node_indented(struct buf *b, const struct node *n, size_t depth);

#endif
